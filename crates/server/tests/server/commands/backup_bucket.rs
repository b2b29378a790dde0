//! Backups in a bucket: made, listed, proven and restored; by the schedule, and those that are kept.

use crate::commands::backups::{leftovers, seen};
use crate::commands::program::{Plinth, Run};
use crate::storage::bucket::{Bucket, BucketFault};
use age::secrecy::ExposeSecret;
use age::x25519::Identity;
use hyper::Method;
use model::cron::CronExpression;
use platform::tenants::backup::{ArchivePlace, BackupPlace, BackupRounds, BackupSchedule, Recipients, Retention};
use serde_json::{Value as Json, json};
use spec::spec;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use testing::{Engine, Server};
use tokio::task::block_in_place;

/// The place of all these archives.
pub(crate) const PLACE: &str = "s3://plinth/own/backups";

impl Bucket {
    /// The settings with which backups reach it.
    pub(crate) fn settings(&self) -> Vec<(&'static str, &str)> {
        vec![
            ("PLINTH_BACKUP_TO", PLACE),
            ("PLINTH_BACKUP_ENDPOINT", &self.options.endpoint),
            ("PLINTH_BACKUP_REGION", &self.options.region),
            ("PLINTH_BACKUP_ACCESS_KEY", &self.options.access_key),
            ("PLINTH_BACKUP_SECRET_KEY", &self.options.secret_key),
        ]
    }

    /// The names of the archives.
    pub(crate) fn archives(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path("own/backups")).into_iter().flatten();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs the program with these settings.
    pub(crate) fn run(&self, plinth: &Plinth, arguments: &[&str]) -> Run {
        block_in_place(|| plinth.run_in(&self.settings(), arguments, b""))
    }
}

/// Returns the finding of a check.
fn finding(run: &Run, check: &str) -> Json {
    let told = run.json();
    told["items"].as_array().unwrap().iter().find(|item| item["check"] == check).unwrap_or(&Json::Null).clone()
}

#[spec("E-185")]
async fn a_backup_in_a_bucket_comes_back(plinth: Plinth) {
    let bucket = Bucket::start().await;
    let (server, key) = plinth.filled().await;
    let before = seen(&server.client().with("key", &key)).await;
    let made = bucket.run(&plinth, &["backup", "create", "acme", "--json"]);
    assert_eq!(made.code, 0, "{}", made.errors);
    let made = made.json();
    let file = made["file"].as_str().unwrap().to_owned();
    let name = file.strip_prefix("s3://plinth/own/backups/").unwrap();
    assert_eq!(bucket.archives(), [name]);
    // What lies there is the file itself, of the length that was told.
    assert_eq!(made["bytes"], fs::metadata(bucket.path("own/backups").join(name)).unwrap().len());
    fs::write(bucket.path("own/backups/notes.txt"), "theirs").unwrap();
    fs::create_dir_all(bucket.path("own/backups/deeper")).unwrap();
    fs::copy(bucket.path("own/backups").join(name), bucket.path("own/backups/deeper").join(name)).unwrap();
    let list = bucket.run(&plinth, &["backup", "list", "--json"]).json();
    let item =
        json!({"tenant": "acme", "file": file, "bytes": made["bytes"], "made": made["made"], "encrypted": false});
    let mut found = list["items"][0].clone();
    found.as_object_mut().unwrap().remove("age");
    assert_eq!((found, list["items"].as_array().unwrap().len()), (without_fraction(item), 1));
    let verified = bucket.run(&plinth, &["backup", "verify", &file, "--json"]);
    assert_eq!((verified.code, &verified.json()["intact"]), (0, &json!(true)), "{}", verified.errors);
    let records = bucket.run(&plinth, &["backup", "records", &file, "--type", "doc", "--json"]).json();
    assert_eq!((&records["matching"], &records["same"]), (&json!(39), &json!(39)), "{records}");
    let missing = bucket.run(&plinth, &["backup", "verify", &format!("{PLACE}/acme-20200101T000000Z.tar.gz")]);
    assert!(missing.code == 1 && missing.errors.contains("There is no archive s3://"), "{}", missing.errors);
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let other = plinth.elsewhere(engine);
        bucket.run(&other, &["backup", "restore", &file]).done();
        let served = block_in_place(|| other.start("serve"));
        assert_eq!(seen(&served.client().with("key", &key)).await, before, "{engine:?}");
        block_in_place(|| served.stop());
        assert_eq!(leftovers(&other.path("data")), [] as [PathBuf; 0]);
    }
    assert_eq!(leftovers(&plinth.path("data")), [] as [PathBuf; 0]);
    block_in_place(|| server.stop());
}

/// Names have seconds alone.
fn without_fraction(mut item: Json) -> Json {
    let made = item["made"].as_str().unwrap();
    item["made"] = json!(made.split_once('.').map_or(made.to_owned(), |(seconds, _)| format!("{seconds}Z")));
    item
}

#[spec("E-185")]
async fn an_encrypted_backup_in_a_bucket_opens_for_its_recipient(plinth: Plinth) {
    let bucket = Bucket::start().await;
    let (server, _) = plinth.filled().await;
    block_in_place(|| server.stop());
    let identity = Identity::generate();
    let recipient = identity.to_public().to_string();
    let made = bucket.run(&plinth, &["backup", "create", "--json", "--to", PLACE, "--recipient", &recipient]).json();
    let file = made["file"].as_str().unwrap();
    assert!(file.ends_with(".tar.gz.age"), "{made}");
    let whole = fs::read(bucket.path("own/backups").join(&bucket.archives()[0])).unwrap();
    assert!(whole.starts_with(b"age-encryption.org/"));
    let list = bucket.run(&plinth, &["backup", "list", "--to", PLACE, "--json"]).json();
    assert_eq!((&list["items"][0]["encrypted"], &list["items"][0]["bytes"]), (&json!(true), &json!(whole.len())));
    let refused = bucket.run(&plinth, &["backup", "verify", file]);
    assert!(refused.code == 1 && refused.errors.contains("is encrypted"), "{}", refused.errors);
    let key = plinth.file("own.txt", identity.to_string().expose_secret());
    let verified = bucket.run(&plinth, &["backup", "verify", file, "--identity", &key]);
    assert!(verified.done().contains("restored and intact"));
    bucket.run(&plinth, &["backup", "restore", file, "--identity", &key, "--as", "acme-old"]).done();
    assert_eq!(leftovers(&plinth.path("data")), [] as [PathBuf; 0]);
}

/// The rounds of a node: at a quarter past three, two days and a month are kept.
fn rounds(bucket: &Bucket, scratch: &Path) -> Arc<BackupRounds> {
    let place = BackupPlace {
        archives: ArchivePlace::parse(Path::new(PLACE), &bucket.options).unwrap(),
        recipients: Recipients::default(),
        scratch: scratch.to_owned(),
    };
    let keep = Some(Retention { days: 2, weeks: 0, months: 1 });
    BackupRounds::new(BackupSchedule { place, at: CronExpression::parse("15 3 * * *").unwrap(), keep })
}

#[spec("E-185")]
async fn the_schedule_keeps_what_it_should_in_a_bucket(server: Server) {
    let (bucket, home) = (Bucket::start().await, TempDir::new().unwrap());
    let rounds = rounds(&bucket, home.path());
    server.back_up(&rounds).await;
    let [first, second, third, fourth] =
        ["20T1200", "21T0315", "25T1000", "26T1000"].map(|instant| format!("acme-202611{instant}00Z.tar.gz"));
    assert_eq!(bucket.archives(), [first.as_str()], "a tenant without a backup is due at once");
    // One that somebody else made, with a name like ours.
    let foreign = "acme-20200101T000000Z.tar.gz";
    fs::write(bucket.path("own/backups").join(foreign), "theirs").unwrap();
    let other = server.node().await;
    let others = self::rounds(&bucket, home.path());
    server.clock().set("2026-11-21T03:15:00Z");
    tokio::join!(server.back_up(&rounds), other.back_up(&others));
    assert_eq!(bucket.archives(), [foreign, &first, &second], "one node makes it");
    // Locked objects stay, and the next round tries again.
    bucket.fault.send_replace(Some(BucketFault::Refuse(Method::DELETE, "", 403)));
    server.clock().set("2026-11-25T10:00:00Z");
    server.back_up(&rounds).await;
    assert_eq!(bucket.archives(), [foreign, &first, &second, &third]);
    bucket.fault.send_replace(None);
    server.clock().set("2026-11-26T10:00:00Z");
    server.back_up(&rounds).await;
    assert_eq!(bucket.archives(), [foreign, &third, &fourth]);
    assert_eq!((server.backup_counts().0 + other.backup_counts().0, server.backup_counts().1), (4, 0));
    // An object with a name of ours and other bytes is not ours.
    fs::write(bucket.path("own/backups").join(&third), "replaced").unwrap();
    for instant in ["2026-11-27T10:00:00Z", "2026-11-28T10:00:00Z"] {
        server.clock().set(instant);
        server.back_up(&rounds).await;
    }
    let kept = ["27T1000", "28T1000"].map(|instant| format!("acme-202611{instant}00Z.tar.gz"));
    assert_eq!(bucket.archives(), [foreign, &third, &kept[0], &kept[1]]);
    assert_eq!(leftovers(home.path()), [] as [PathBuf; 0]);
}

#[spec("E-185")]
async fn a_bucket_that_fails_is_told_and_tried_again(server: Server) {
    let (bucket, home) = (Bucket::start().await, TempDir::new().unwrap());
    let rounds = rounds(&bucket, home.path());
    bucket.fault.send_replace(Some(BucketFault::Refuse(Method::PUT, "", 403)));
    server.back_up(&rounds).await;
    let failure = server.backup_state().await.failure.unwrap();
    assert!(failure.message.contains(&format!("{PLACE} cannot be used")), "{failure:?}");
    assert_eq!((server.backup_counts(), bucket.archives()), ((0, 1), vec![]));
    bucket.fault.send_replace(None);
    server.clock().advance(100);
    server.back_up(&rounds).await;
    assert_eq!((server.backup_counts(), server.backup_state().await.failure), ((1, 1), None));
    assert_eq!(bucket.archives().len(), 1);
}

#[spec("E-185")]
async fn a_server_backs_up_into_a_bucket_and_the_doctor_tries_it(plinth: Plinth) {
    let bucket = Bucket::start().await;
    block_in_place(|| plinth.run(&["tenant", "create", "acme"]).done());
    // Address and key are those of the files, where backups have none of their own.
    let secret = plinth.file("secret", format!("{}\n", bucket.options.secret_key));
    let settings = [
        ("PLINTH_BACKUP_TO", PLACE),
        ("PLINTH_FILES_ENDPOINT", bucket.options.endpoint.as_str()),
        ("PLINTH_FILES_ACCESS_KEY", bucket.options.access_key.as_str()),
        ("PLINTH_FILES_SECRET_KEY_FILE", &secret),
        ("PLINTH_DATA_POLL_INTERVAL", "200ms"),
    ];
    let doctor = |settings: &[(&str, &str)]| block_in_place(|| plinth.run_in(settings, &["doctor", "--json"], b""));
    let before = doctor(&settings);
    assert_eq!(finding(&before, "backup place")["state"], "ok", "{}", before.output);
    assert_eq!(finding(&before, "backups")["message"], "The tenant acme has no backup yet.");
    assert_eq!(bucket.archives(), [] as [&str; 0], "what was written for a try is gone");
    bucket.fault.send_replace(Some(BucketFault::Refuse(Method::DELETE, "", 403)));
    let kept = finding(&doctor(&settings), "backup place");
    assert_eq!(kept["state"], "warning", "{kept}");
    assert!(kept["message"].as_str().unwrap().contains("the key may not remove any"), "{kept}");
    bucket.fault.send_replace(None);
    let own = |name: &'static str, value: &'static str| [settings.as_slice(), &[(name, value)]].concat();
    let half = own("PLINTH_BACKUP_ACCESS_KEY", "other");
    for (settings, check, expected) in [
        (half.as_slice(), "backups", "belong together"),
        (&own("PLINTH_BACKUP_ENDPOINT", "http://127.0.0.1:1"), "backup place", "cannot be used"),
        (&[half.as_slice(), &[("PLINTH_BACKUP_SECRET_KEY", "wrong")]].concat(), "backup place", "cannot be used"),
        (&own("PLINTH_BACKUP_TO", "s3:/plinth"), "backups", "is not an address such as s3://bucket/prefix"),
        (&settings[..1], "backups", "needs a key"),
    ] {
        let found = finding(&doctor(settings), check);
        assert_eq!(found["state"], "error", "{found}");
        assert!(found["message"].as_str().unwrap().contains(expected), "{found}");
    }
    let refused = block_in_place(|| plinth.run_in(&half, &["serve", "--listen", "127.0.0.1:0"], b""));
    assert!(refused.code == 1 && refused.errors.contains("belong together"), "{}", refused.errors);
    let server = block_in_place(|| plinth.start_with("serve", &settings));
    let begun = Instant::now();
    while finding(&doctor(&settings), "backups")["state"] != "ok" {
        assert!(begun.elapsed() < Duration::from_secs(60), "there is no backup");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    block_in_place(|| server.stop());
    let list = block_in_place(|| plinth.run_in(&settings, &["backup", "list", "acme"], b"").done());
    assert!(list.contains("s3://plinth/own/backups/acme-"), "{list}");
}
