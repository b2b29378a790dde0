//! Backups in a bucket that fails, and backups that are killed: none is counted that is not whole.

use crate::commands::backup_bucket::PLACE;
use crate::commands::backups::{killed_at_points, leftovers};
use crate::commands::program::Plinth;
use crate::storage::bucket::{Bucket, BucketFault};
use crate::storage::hanging::Link;
use hyper::Method;
use serde_json::json;
use spec::spec;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testing::Engine;
use tokio::task::block_in_place;

impl Plinth {
    /// Makes a tenant whose archive takes several parts.
    async fn filled_with_parts(&self) {
        let (server, key) = self.filled().await;
        let client = server.client().with("key", &key);
        // Bytes that are not compressed.
        let mut state = 7_u64;
        let mut noise = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        };
        let large: Vec<u8> = (0..18_000_000 / 8).flat_map(|_| noise()).collect();
        let scan = client.promise("doc/scan", "large.bin", &large).await;
        client.create("doc", json!({"title": "large", "scan": scan})).await;
        block_in_place(|| server.stop());
    }

    /// Writes the settings of a bucket into a file; returns its path.
    fn settings_file(&self, bucket: &Bucket) -> String {
        let options = &bucket.options;
        let text = format!(
            "[backup]\nto = \"{PLACE}\"\nendpoint = \"{}\"\nregion = \"{}\"\naccess_key = \"{}\"\nsecret_key = \"{}\"\n",
            options.endpoint, options.region, options.access_key, options.secret_key
        );
        self.file("plinth.toml", text)
    }
}

#[spec("E-185")]
async fn a_bucket_that_fails_has_no_archive(plinth: Plinth) {
    let bucket = Bucket::start().await;
    plinth.filled_with_parts().await;
    for fault in [
        BucketFault::Refuse(Method::PUT, "partNumber=1", 403),
        BucketFault::Refuse(Method::PUT, "partNumber=2", 500),
        BucketFault::Refuse(Method::POST, "uploads", 503),
        BucketFault::Refuse(Method::POST, "uploadId", 500),
        BucketFault::Refuse(Method::HEAD, "", 500),
    ] {
        bucket.fault.send_replace(Some(fault.clone()));
        let run = bucket.run(&plinth, &["backup", "create", "acme"]);
        let told = &run.errors;
        assert!(run.code == 1 && told.contains(&format!("{PLACE} cannot be used")), "{fault:?}: {told}");
        assert!(told.contains("acme is not backed up"), "{fault:?}: {told}");
        // Parts that were sent are taken back.
        assert_eq!((bucket.archives(), bucket.parts()), (vec![], vec![]), "{fault:?}");
        assert_eq!(leftovers(&plinth.path("data")), [] as [PathBuf; 0]);
    }
    bucket.fault.send_replace(None);
    let made = bucket.run(&plinth, &["backup", "create", "acme", "--json"]).json();
    assert!(made["bytes"].as_u64().unwrap() > 18_000_000, "{made}");
    assert_eq!((bucket.archives().len(), bucket.parts()), (1, vec![]));
    let verified = bucket.run(&plinth, &["backup", "verify", made["file"].as_str().unwrap()]);
    assert!(verified.done().contains("restored and intact"));
}

#[spec("E-185")]
async fn a_bucket_that_falls_silent_has_no_archive(plinth: Plinth) {
    let bucket = Bucket::start().await;
    plinth.filled_with_parts().await;
    let link = Link::to(&bucket.options.endpoint).await;
    let own = [("PLINTH_BACKUP_ENDPOINT", link.address.as_str()), ("PLINTH_BACKUP_TIMEOUT", "2s")];
    let settings = [bucket.settings(), own.to_vec()].concat();
    // At once, and within the second part.
    for bytes in [0, 10 << 20] {
        link.hang_behind(bytes);
        let run = block_in_place(|| plinth.run_in(&settings, &["backup", "create", "acme"], b""));
        let told = &run.errors;
        assert!(run.code == 1 && told.contains(&format!("{PLACE} cannot be used: no answer for 2s")), "{told}");
        link.heal();
        assert_eq!(bucket.archives(), [] as [&str; 0]);
        assert_eq!(leftovers(&plinth.path("data")), [] as [PathBuf; 0]);
    }
    block_in_place(|| plinth.run_in(&settings, &["backup", "create", "acme"], b"").done());
    assert_eq!(bucket.archives().len(), 1);
}

#[spec("E-185")]
async fn a_download_that_is_cut_off_or_changed_restores_nothing(plinth: Plinth) {
    let bucket = Bucket::start().await;
    let (server, _) = plinth.filled().await;
    block_in_place(|| server.stop());
    let made = bucket.run(&plinth, &["backup", "create", "acme", "--json"]).json();
    let file = made["file"].as_str().unwrap();
    let other = plinth.elsewhere(if plinth.postgres.is_some() { Engine::Postgres } else { Engine::Sqlite });
    for (fault, expected) in [
        (BucketFault::Cut, "s3://plinth/own/backups cannot be used"),
        (BucketFault::Flip, "damaged or cut off"),
        (BucketFault::Refuse(Method::GET, "acme", 403), "s3://plinth/own/backups cannot be used"),
        (BucketFault::Refuse(Method::GET, "acme", 500), "s3://plinth/own/backups cannot be used"),
        (BucketFault::Hang(Method::GET, "acme"), "s3://plinth/own/backups cannot be used"),
    ] {
        bucket.fault.send_replace(Some(fault.clone()));
        let settings = [bucket.settings(), vec![("PLINTH_BACKUP_TIMEOUT", "2s")]].concat();
        for command in ["restore", "verify"] {
            let run = block_in_place(|| other.run_in(&settings, &["backup", command, file], b""));
            assert!(run.code == 1 && run.errors.contains(expected), "{fault:?}: {}{}", run.output, run.errors);
        }
        assert_eq!(leftovers(&other.path("data")), [] as [PathBuf; 0]);
        let tenants = block_in_place(|| other.run(&["tenant", "list"]).done());
        assert_eq!(tenants.trim(), "There is no tenant yet.");
    }
    bucket.fault.send_replace(Some(BucketFault::Refuse(Method::GET, "list-type", 403)));
    let list = bucket.run(&plinth, &["backup", "list"]);
    assert!(list.code == 1 && list.errors.contains("cannot be used"), "{}{}", list.output, list.errors);
}

#[spec("E-185")]
async fn a_killed_backup_is_no_object(plinth: Plinth) {
    let bucket = Bucket::start().await;
    plinth.filled_with_parts().await;
    let settings = plinth.settings_file(&bucket);
    // The first part is there, and the second on its way.
    bucket.fault.send_replace(Some(BucketFault::Hang(Method::PUT, "partNumber=2")));
    let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
    let arguments = ["backup", "create", "acme", "--config", &settings];
    command.env_clear().args(arguments).arg("--data").arg(plinth.path("data"));
    if let Some(url) = &plinth.postgres {
        command.args(["--postgres", url]);
    }
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while bucket.parts().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no part arrives");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    bucket.fault.send_replace(None);
    assert_eq!(bucket.archives(), [] as [&str; 0]);
    let list = bucket.run(&plinth, &["backup", "list"]).done();
    assert_eq!(list.trim(), format!("There is no backup in {PLACE}."));
    let begun = Instant::now();
    bucket.run(&plinth, &["backup", "create", "acme"]).done();
    let usual = begun.elapsed();
    block_in_place(|| killed_at_points(&plinth, &arguments, usual, 8, |_| {}));
    let mut verify = vec!["backup".to_owned(), "verify".to_owned()];
    verify.extend(bucket.archives().iter().map(|name| format!("{PLACE}/{name}")));
    let verify: Vec<&str> = verify.iter().map(String::as_str).collect();
    let verified = bucket.run(&plinth, &verify).done();
    assert_eq!(verified.matches("restored and intact").count(), bucket.archives().len());
    // Rows that a killed one left are removed by the next.
    bucket.run(&plinth, &["backup", "create", "acme"]).done();
    assert_eq!(leftovers(&plinth.path("data")), [] as [PathBuf; 0]);
    assert!(fs::metadata(plinth.path("data/scratch")).is_ok());
}

#[spec("E-185")]
async fn a_server_stops_while_a_bucket_takes_its_time(plinth: Plinth) {
    let bucket = Bucket::start().await;
    block_in_place(|| plinth.run(&["tenant", "create", "acme"]).done());
    let asked = bucket.asked.subscribe();
    bucket.fault.send_replace(Some(BucketFault::Hang(Method::PUT, "acme")));
    let server = block_in_place(|| plinth.start_with("serve", &bucket.settings()));
    let begun = Instant::now();
    while *asked.borrow() == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is sent");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (status, log) = block_in_place(|| server.stop());
    assert!(status.success() && !log.contains("panicked"), "{status}: {log}");
    assert_eq!(bucket.archives(), [] as [&str; 0]);
}
