//! Backups by the server: at their moments, by one node, and those that are kept.

use crate::commands::program::Plinth;
use context::tables;
use jiff::{SignedDuration, Timestamp};
use model::cron::CronExpression;
use model::environment::Clock;
use platform::tenants::backup::{ArchivePlace, BackupPlace, BackupRounds, BackupSchedule, Recipients, Retention};
use serde_json::{Value as Json, json};
use spec::spec;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use testing::Server;
use tokio::task::block_in_place;

/// A public key of age, as its documentation shows it.
const RECIPIENT: &str = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";

/// The rounds of a node: at a quarter past three, two days and a month are kept.
fn rounds(folder: &Path) -> Arc<BackupRounds> {
    let place = BackupPlace {
        archives: ArchivePlace::Folder(folder.to_owned()),
        recipients: Recipients::parse([RECIPIENT]).unwrap(),
        scratch: folder.with_extension("scratch"),
    };
    let keep = Some(Retention { days: 2, weeks: 0, months: 1 });
    BackupRounds::new(BackupSchedule { place, at: CronExpression::parse("15 3 * * *").unwrap(), keep })
}

/// The days and times in the names of the archives.
fn made(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let instant = |name: String| name.strip_prefix("acme-202611")?.strip_suffix("00Z.tar.gz.age").map(str::to_owned);
    let mut made: Vec<String> = names.filter_map(instant).collect();
    made.sort();
    made
}

#[spec("E-164")]
async fn a_missed_moment_is_made_up_once_and_old_archives_go(server: Server) {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("out");
    fs::create_dir(&folder).unwrap();
    // One that somebody else made, with a name like ours.
    let foreign = folder.join("acme-20200101T000000Z.tar.gz");
    fs::write(&foreign, "theirs").unwrap();
    let rounds = rounds(&folder);
    assert_eq!(server.backup_state().await.last, None);
    server.back_up(&rounds).await;
    assert_eq!(made(&folder), ["20T1200"], "a tenant without a backup is due at once");
    for (instant, expected) in [
        ("2026-11-21T03:14:00Z", &["20T1200"][..]),
        ("2026-11-21T03:15:00Z", &["20T1200", "21T0315"]),
        ("2026-11-21T23:00:00Z", &["20T1200", "21T0315"]),
        // Four moments were missed. The 20th is neither of the last two days nor the last of its month.
        ("2026-11-25T10:00:00Z", &["21T0315", "25T1000"]),
        ("2026-11-25T11:00:00Z", &["21T0315", "25T1000"]),
    ] {
        server.clock().set(instant);
        server.back_up(&rounds).await;
        assert_eq!(made(&folder), expected, "{instant}");
    }
    // A file with a name of ours and other bytes is not ours.
    fs::write(folder.join("acme-20261121T031500Z.tar.gz.age"), "replaced").unwrap();
    server.clock().set("2026-11-27T10:00:00Z");
    server.back_up(&rounds).await;
    server.clock().set("2026-11-28T10:00:00Z");
    server.back_up(&rounds).await;
    assert_eq!(made(&folder), ["21T0315", "27T1000", "28T1000"]);
    assert_eq!(fs::read(&foreign).unwrap(), b"theirs");
    assert_eq!(server.backup_counts(), (5, 0));
}

#[spec("E-164")]
async fn a_failure_is_told_and_tried_again(server: Server) {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("out");
    let rounds = rounds(&folder);
    server.back_up(&rounds).await;
    server.clock().set("2026-11-21T04:00:00Z");
    fs::rename(&folder, home.path().join("aside")).unwrap();
    fs::write(&folder, "a file is in the way").unwrap();
    server.back_up(&rounds).await;
    let state = server.backup_state().await;
    let failure = state.failure.unwrap();
    assert!(failure.message.contains("cannot be used"), "{failure:?}");
    assert_eq!((server.backup_counts(), failure.tries), ((1, 1), 1));
    assert_eq!(state.last.unwrap().to_string(), "2026-11-20T12:00:00Z", "the last good one");
    server.back_up(&rounds).await;
    assert_eq!(server.backup_counts(), (1, 1), "it is not tried again at once");
    fs::remove_file(&folder).unwrap();
    fs::rename(home.path().join("aside"), &folder).unwrap();
    server.clock().advance(100);
    server.back_up(&rounds).await;
    assert_eq!((server.backup_counts(), server.backup_state().await.failure), ((2, 1), None));
    assert_eq!(made(&folder), ["20T1200"], "the second has seconds in its name, and both are kept");
}

#[spec("E-164")]
async fn a_wrong_clock_and_a_folder_that_is_away_lose_nothing(server: Server) {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("out");
    let rounds = rounds(&folder);
    server.back_up(&rounds).await;
    // The clock is ahead once: that archive is neither the last for ever, nor deleted.
    server.clock().set("2030-01-01T04:00:00Z");
    server.back_up(&rounds).await;
    let ahead = folder.join("acme-20300101T040000Z.tar.gz.age");
    assert!(ahead.exists());
    for (instant, expected) in
        [("2026-11-21T04:00:00Z", ["20T1200", "21T0400"]), ("2026-11-22T04:00:00Z", ["21T0400", "22T0400"])]
    {
        server.clock().set(instant);
        server.back_up(&rounds).await;
        assert_eq!(made(&folder), expected, "{instant}");
        assert!(ahead.exists());
    }
    // The disk is not mounted for a day. What lies on it is known afterwards.
    let aside = home.path().join("aside");
    fs::rename(&folder, &aside).unwrap();
    server.clock().set("2026-11-23T04:00:00Z");
    server.back_up(&rounds).await;
    assert_eq!(made(&folder), ["23T0400"]);
    fs::remove_dir_all(&folder).unwrap();
    fs::rename(&aside, &folder).unwrap();
    server.clock().set("2026-11-24T04:00:00Z");
    server.back_up(&rounds).await;
    assert_eq!(made(&folder), ["22T0400", "24T0400"]);
}

#[spec("E-164")]
async fn a_tenant_that_cannot_be_read_is_told(server: Server) {
    let home = TempDir::new().unwrap();
    let rounds = rounds(&home.path().join("out"));
    server.operate(|tenant| tenant.store().write_blocking(|tx| tables::put(tx, "backups", "broken"))).await;
    server.back_up(&rounds).await;
    assert_eq!(server.backup_counts(), (0, 1));
    let failure = server.backup_state().await.failure.unwrap();
    assert!(failure.message.contains("the history of backups"), "{failure:?}");
}

#[spec("E-164")]
async fn one_node_makes_the_backup(server: Server) {
    let home = TempDir::new().unwrap();
    let other = server.node().await;
    let nodes = [rounds(home.path()), rounds(home.path())];
    tokio::join!(server.back_up(&nodes[0]), other.back_up(&nodes[1]));
    assert_eq!(made(home.path()), ["20T1200"]);
    // A node that was killed leaves its claim, which ends.
    server.clock().set("2026-11-21T04:00:00Z");
    let ends = (server.clock().now() + SignedDuration::from_secs(8)).as_millisecond();
    server
        .operate(move |tenant| {
            tenant.store().write_blocking(|tx| tables::put(tx, "backup_claim", &format!("another {ends}")))
        })
        .await;
    server.back_up(&nodes[0]).await;
    assert_eq!(made(home.path()), ["20T1200"], "it is the other's for eight seconds");
    server.clock().advance(60);
    server.back_up(&nodes[0]).await;
    other.back_up(&nodes[1]).await;
    assert_eq!(made(home.path()), ["20T1200", "21T0401"]);
    assert_eq!((server.backup_counts().1, other.backup_counts().1), (0, 0));
}

#[spec("E-164")]
async fn a_server_makes_backups_and_the_doctor_sees_them(plinth: Plinth) {
    let out = plinth.path("out");
    let settings = [
        ("PLINTH_BACKUP_TO", out.to_str().unwrap()),
        ("PLINTH_BACKUP_RECIPIENTS", RECIPIENT),
        ("PLINTH_DATA_POLL_INTERVAL", "200ms"),
    ];
    let told = |settings: &[(&str, &str)]| -> Json {
        let run = block_in_place(|| plinth.run_in(settings, &["doctor", "--json"], b"")).json();
        run["items"].as_array().unwrap().iter().find(|item| item["check"] == "backups").unwrap().clone()
    };
    block_in_place(|| plinth.run(&["tenant", "create", "acme"]).done());
    assert!(told(&[])["message"].as_str().unwrap().contains("backup.to is empty"));
    let before = told(&settings);
    assert_eq!(
        (&before["state"], &before["message"]),
        (&json!("warning"), &json!("The tenant acme has no backup yet."))
    );
    let wrong = [settings[0], ("PLINTH_BACKUP_RECIPIENTS", "age1wrong")];
    assert_eq!(told(&wrong)["state"], "error");
    let refused = block_in_place(|| plinth.run_in(&wrong, &["serve", "--listen", "127.0.0.1:0"], b""));
    assert!(refused.code == 1 && refused.errors.contains("backup.recipients"), "{}", refused.errors);
    let server = block_in_place(|| plinth.start_with("serve", &settings));
    let begun = Instant::now();
    while told(&settings)["state"] != "ok" {
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", told(&settings));
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    block_in_place(|| server.stop());
    let list = block_in_place(|| plinth.run_in(&settings, &["backup", "list", "acme", "--json"], b"")).json();
    let item = &list["items"][0];
    assert_eq!((&item["tenant"], &item["encrypted"]), (&json!("acme"), &json!(true)), "{list}");
    assert!(item["made"].as_str().unwrap().parse::<Timestamp>().is_ok(), "{list}");
    let text = block_in_place(|| plinth.run_in(&settings, &["backup", "list"], b"").done());
    assert!(text.starts_with("tenant") && text.contains("encrypted"), "{text}");
}
