//! The tenant's keys of former master keys: for rows of the audit log, and for what was not sealed anew yet.

use super::{KeyPurpose, Vault};
use crate::tables;
use base64ct::{Base64, Encoding};
use database::Tx;
use model::environment::Random;
use model::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// The fact that holds them, sealed.
const FACT: &str = "vault_past";

/// A tenant's key of a former master key.
#[derive(Clone)]
pub(super) struct PastKey {
    pub(super) key: [u8; 32],
    /// The last row of the audit log that was written with it.
    pub(super) until: i64,
    /// True if something may still be sealed with it.
    pub(super) opens: bool,
}

/// The same as it is kept.
#[derive(Serialize, Deserialize)]
struct KeptKey {
    key: String,
    until: i64,
    opens: bool,
}

/// The tenant's former keys, the oldest first, which its present one opens.
pub(super) fn read(tx: &mut Tx<'_>, vault: &Vault) -> Result<Vec<PastKey>> {
    let Some(text) = tables::get(tx, FACT)? else { return Ok(Vec::new()) };
    let broken = || Error::failed("the tenant's former keys cannot be opened");
    let kept: Vec<KeptKey> = serde_json::from_str(&text).map_err(|_| broken())?;
    let open = |kept: KeptKey| {
        let sealed = Base64::decode_vec(&kept.key).ok()?;
        let key = vault.open_now(KeyPurpose::Past, &kept.until.to_be_bytes(), &sealed)?.try_into().ok()?;
        Some(PastKey { key, until: kept.until, opens: kept.opens })
    };
    kept.into_iter().map(open).collect::<Option<_>>().ok_or_else(broken)
}

/// Keeps them, for whoever has the key of this vault.
pub(super) fn write(tx: &mut Tx<'_>, vault: &Vault, past: &[PastKey], random: &dyn Random) -> Result<()> {
    let seal = |past: &PastKey| {
        let sealed = vault.seal(KeyPurpose::Past, &past.until.to_be_bytes(), &past.key, random);
        KeptKey { key: Base64::encode_string(&sealed), until: past.until, opens: past.opens }
    };
    let kept: Vec<KeptKey> = past.iter().map(seal).collect();
    let text = serde_json::to_string(&kept).map_err(|error| Error::failed(error.to_string()))?;
    tables::put(tx, FACT, &text)
}
