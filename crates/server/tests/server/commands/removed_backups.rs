//! Backups of tenants that were removed: those of the schedule go when their time is over, and no others.

use crate::commands::program::Plinth;
use crate::storage::bucket::Bucket;
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};
use tokio::task::block_in_place;

impl Plinth {
    /// Makes a tenant, which the schedule backs up into the folder `out`.
    fn scheduled(&self, name: &str) {
        self.run(&["tenant", "create", name]).done();
    }

    /// Runs servers until each tenant has an archive of the schedule more.
    fn backed_up(&self, tenants: &[&str]) {
        self.backed_up_by(tenants, "7d 4w 6m");
    }

    /// The same with what is kept.
    fn backed_up_by(&self, tenants: &[&str], keep: &str) {
        let before = self.archives();
        let out = self.path("out").display().to_string();
        let environment = [
            ("PLINTH_BACKUP_TO", out.as_str()),
            ("PLINTH_BACKUP_AT", "* * * * *"),
            ("PLINTH_BACKUP_KEEP", keep),
            ("PLINTH_DATA_POLL_INTERVAL", "1s"),
        ];
        let server = self.start_with("serve", &environment);
        let began = Instant::now();
        let has_more = |name: &&str| self.archives().difference(&before).any(|file| file.starts_with(*name));
        while !tenants.iter().all(has_more) {
            assert!(began.elapsed() < Duration::from_secs(90), "{:?}", self.archives());
            std::thread::sleep(Duration::from_millis(50));
        }
        server.stop();
    }

    /// Returns the names of the archives.
    fn archives(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.path("out")).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).filter(|name| name.ends_with(".tar.gz")).collect()
    }

    /// Returns the number of notes beside the archives.
    fn notes(&self) -> usize {
        let entries = fs::read_dir(self.path("out")).into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name().to_str().unwrap().starts_with(".removed-")).count()
    }

    /// Runs a command with the place of backups and the time for which those of removed tenants are kept.
    fn keeping(&self, time: &str, arguments: &[&str]) -> Json {
        let out = self.path("out").display().to_string();
        let environment = [("PLINTH_BACKUP_TO", out.as_str()), ("PLINTH_BACKUP_KEEP_DELETED", time)];
        let run = self.run_in(&environment, arguments, b"");
        assert_eq!(run.code, 0, "{arguments:?}: {}{}", run.output, run.errors);
        serde_json::from_str(&run.output).unwrap_or(Json::Null)
    }
}

const SWEEP: [&str; 3] = ["tenant", "sweep", "--json"];

#[spec("E-193")]
async fn backups_of_a_removed_tenant_go_when_their_time_is_over_and_no_others(plinth: Plinth) {
    block_in_place(|| {
        ["acme", "other", "again"].iter().for_each(|name| plinth.scheduled(name));
        plinth.backed_up(&["acme", "other", "again"]);
        let scheduled = plinth.archives();
        let out = plinth.path("out").display().to_string();
        plinth.keeping("30d", &["backup", "create", "acme", "--to", &out]);
        let by_command: BTreeSet<String> = plinth.archives().difference(&scheduled).cloned().collect();
        assert_eq!(by_command.len(), 1);

        // The second archive of a second has the name of the next one, which must not come after the removal.
        std::thread::sleep(Duration::from_secs(2));
        // Deleted, it may come back: there is no note yet.
        plinth.keeping("30d", &["tenant", "delete", "acme"]);
        assert_eq!(plinth.notes(), 0);
        plinth.keeping("30d", &["tenant", "delete", "acme", "--now", "--yes"]);
        assert_eq!(plinth.notes(), 1);
        let before = plinth.archives();
        assert_eq!(plinth.keeping("30d", &SWEEP), json!({"deleted": 0, "archivesRemoved": 0}));
        assert_eq!(plinth.keeping("", &SWEEP), json!({"deleted": 0, "archivesRemoved": 0}));
        assert_eq!(plinth.archives(), before, "their time is not over");

        // A file of the same name with other bytes is another's.
        plinth.keeping("30d", &["tenant", "delete", "again", "--now", "--yes"]);
        let replaced = before.iter().find(|name| name.starts_with("again-")).unwrap();
        fs::write(plinth.path("out").join(replaced), "theirs").unwrap();
        let removed = before.iter().filter(|name| name.starts_with("acme-") && !by_command.contains(*name)).count();
        assert_eq!(plinth.keeping("0s", &SWEEP), json!({"deleted": 0, "archivesRemoved": removed}));
        let left = plinth.archives();
        assert!(by_command.is_subset(&left) && left.contains(replaced), "{left:?}");
        assert_eq!(left.iter().filter(|name| name.starts_with("acme-")).count(), 1, "{left:?}");
        assert!(left.iter().any(|name| name.starts_with("other-")), "{left:?}");
        assert_eq!((plinth.notes(), plinth.keeping("0s", &SWEEP)["archivesRemoved"].clone()), (0, json!(0)));
    });
}

#[spec("E-193")]
async fn backups_stay_while_there_is_a_tenant_of_the_name_here_or_elsewhere(plinth: Plinth) {
    block_in_place(|| {
        plinth.scheduled("acme");
        plinth.scheduled("other");
        plinth.backed_up(&["acme", "other"]);
        let (acme, remove) = (plinth.archives(), ["tenant", "delete", "acme", "--now", "--yes"]);
        plinth.keeping("30d", &remove);
        // Another of the name, live and deleted.
        plinth.scheduled("acme");
        assert_eq!(plinth.keeping("0s", &SWEEP)["archivesRemoved"], 0);
        plinth.keeping("30d", &["tenant", "delete", "acme"]);
        assert_eq!(plinth.keeping("0s", &SWEEP)["archivesRemoved"], 0);
        plinth.keeping("30d", &remove);
        assert_eq!(plinth.archives(), acme);
        // One of the name is backed up into this place by another installation.
        let theirs = plinth.path("out/acme-20991231T000000Z.tar.gz");
        fs::write(&theirs, "theirs").unwrap();
        assert_eq!(plinth.keeping("0s", &SWEEP)["archivesRemoved"], 0);
        fs::remove_file(&theirs).unwrap();
        // A note that names what is no archive is none.
        let odd =
            json!({"tenant": "acme", "removed": "2020-01-01T00:00:00Z", "archives": [{"name": "../x", "bytes": 1}]});
        fs::write(plinth.path("out/.removed-acme-1577836800000.json"), odd.to_string()).unwrap();
        fs::write(plinth.path("x"), "x").unwrap();
        let mine = acme.iter().filter(|name| name.starts_with("acme-")).count();
        assert_eq!(plinth.keeping("0s", &SWEEP)["archivesRemoved"], mine);
        assert!(plinth.path("x").exists() && plinth.archives().iter().all(|name| name.starts_with("other-")));
    });
}

#[spec("E-193")]
async fn backups_without_retention_stay_under_a_later_one_and_go_with_their_tenant(plinth: Plinth) {
    block_in_place(|| {
        plinth.scheduled("acme");
        plinth.backed_up_by(&["acme"], "");
        let without = plinth.archives();
        assert_eq!(without.len(), 1);
        // Of a day only the last one is kept, beside those from before.
        plinth.backed_up_by(&["acme"], "1d");
        assert!(without.is_subset(&plinth.archives()), "{:?}", plinth.archives());
        let made = plinth.archives().len();
        plinth.keeping("30d", &["tenant", "delete", "acme", "--now", "--yes"]);
        assert_eq!(plinth.keeping("0s", &SWEEP)["archivesRemoved"], made);
        assert!(plinth.archives().is_empty(), "{:?}", plinth.archives());
    });
}

#[spec("E-193")]
async fn a_removal_that_fails_again_and_again_has_one_note(plinth: Plinth) {
    block_in_place(|| {
        // A tenant of SQLite is one folder with its files, which goes as a whole.
        if plinth.postgres.is_none() {
            return;
        }
        plinth.scheduled("acme");
        plinth.backed_up(&["acme"]);
        // No folder of files can be read.
        let files = plinth.path("data/files/acme");
        let _ = fs::remove_dir_all(&files);
        fs::create_dir_all(files.parent().unwrap()).unwrap();
        fs::write(&files, "").unwrap();
        let out = plinth.path("out").display().to_string();
        let environment = [("PLINTH_BACKUP_TO", out.as_str()), ("PLINTH_BACKUP_KEEP_DELETED", "30d")];
        for _ in 0..3 {
            let run = plinth.run_in(&environment, &["tenant", "delete", "acme", "--now", "--yes"], b"");
            assert_ne!(run.code, 0, "{}{}", run.output, run.errors);
            assert_eq!(plinth.notes(), 1);
        }
        fs::remove_file(&files).unwrap();
        plinth.keeping("30d", &["tenant", "delete", "acme", "--now", "--yes"]);
        assert_eq!(plinth.notes(), 1);
    });
}

#[spec("E-193")]
async fn a_server_deletes_backups_of_a_removed_tenant_in_a_bucket(plinth: Plinth) {
    let bucket = Bucket::start().await;
    block_in_place(|| plinth.scheduled("acme"));
    let scheduled = [("PLINTH_BACKUP_AT", "* * * * *"), ("PLINTH_DATA_POLL_INTERVAL", "1s")];
    let settings = [bucket.settings(), scheduled.to_vec()].concat();
    let server = block_in_place(|| plinth.start_with("serve", &settings));
    becomes(|| bucket.archives().iter().any(|name| name.ends_with(".tar.gz"))).await;
    block_in_place(|| server.stop());
    bucket.run(&plinth, &["tenant", "delete", "acme", "--now", "--yes"]).done();
    bucket.run(&plinth, &SWEEP).done();
    let kept = bucket.archives();
    assert!(kept[0].starts_with(".removed-acme-") && kept[1].starts_with("acme-"), "{kept:?}");
    let settings = [settings, vec![("PLINTH_BACKUP_KEEP_DELETED", "0s")]].concat();
    let server = block_in_place(|| plinth.start_with("serve", &settings));
    becomes(|| bucket.archives().is_empty()).await;
    block_in_place(|| server.stop());
}

async fn becomes(holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(60), "it does not happen");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
