//! Batches in which values are sealed anew: bounded by their number and by their bytes.

use super::setup::Setup;
use context::secret_store::{self, NewSecret, SecretKind};
use context::vault::{MasterKey, rotation};
use spec::spec;
use std::sync::Arc;

/// Secrets of the greatest size, and such of a few bytes.
const LARGE: usize = 70;
const SMALL: usize = 450;
const LARGEST: usize = 64 << 10;
/// The most rows of a batch, and the most bytes.
const BATCH: u64 = 200;
const BYTES: u64 = 4 << 20;

#[spec]
async fn a_batch_has_a_bound_of_rows_and_of_bytes(setup: Setup) {
    let secret = |number: usize, length: usize| {
        let (name, value) = (format!("s{number:04}"), "x".repeat(length));
        NewSecret { name, title: None, kind: SecretKind::String, value }
    };
    let put = setup.tenant.write_elevated(move |tx, context| {
        (0..LARGE).try_for_each(|number| secret_store::set(tx, context, &secret(number, LARGEST)).map(drop))?;
        (LARGE..LARGE + SMALL).try_for_each(|number| secret_store::set(tx, context, &secret(number, 5)).map(drop))
    });
    put.await.unwrap();
    let tenant = Arc::clone(&setup.tenant);
    let rotated = tokio::task::spawn_blocking(move || {
        let mut batches = Vec::new();
        rotation::rotate(tenant.as_ref(), &MasterKey::new([2; 32]), &mut |rows| batches.push(rows)).unwrap();
        batches
    });
    let mut batches: Vec<u64> = rotated.await.unwrap();
    batches.retain(|rows| *rows > 0);
    // Those of large values are short of rows, and those of small ones full of them.
    let most = BYTES / LARGEST as u64;
    assert_eq!(batches.iter().sum::<u64>(), (LARGE + SMALL) as u64, "{batches:?}");
    assert!(batches[..LARGE / 64].iter().all(|rows| *rows <= most), "{batches:?}");
    assert!(batches.iter().all(|rows| *rows <= BATCH) && batches.contains(&BATCH), "{batches:?}");
}
