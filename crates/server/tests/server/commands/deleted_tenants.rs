//! Tenants that commands delete and bring back while servers run, and commands that are killed.

use crate::commands::backups::killed_at_points;
use crate::commands::program::Plinth;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value as Json, json};
use spec::spec;
use std::fs;
use std::time::{Duration, Instant};
use testing::Client;
use tokio::task::block_in_place;

const FILES: [(&str, &str); 5] = [
    ("acme/tenant.yaml", "tenant: acme\nhosts: [acme.test]\napi: {rate: 0}\n"),
    ("acme/types/note.yaml", "name: note\nproperties:\n  text: {kind: pString}\n  scan: {kind: pFile}\n"),
    ("acme/types/task.yaml", "name: task\nproperties:\n  text: {kind: pString}\n"),
    ("acme/roles/all.yaml", "role: all\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n"),
    (
        "acme/automations/one.yaml",
        "automation: one\non: {event: task.created}\ndo:\n  - create: {type: note, set: {text: done}}\n",
    ),
];
/// A server that carries out nothing by itself.
const IDLE: [(&str, &str); 1] = [("PLINTH_OUTBOX_SEND", "false")];

impl Plinth {
    /// Makes the tenant acme; returns the key of an administrator.
    fn acme(&self) -> String {
        FILES.iter().for_each(|(path, text)| _ = self.file(path, text));
        self.run(&["apply", self.path("acme").to_str().unwrap()]).done();
        self.run(&["user", "create", "ann", "--role", "all", "--tenant", "acme"]).done();
        self.run(&["key", "create", "ann", "--tenant", "acme"]).done().trim().to_owned()
    }

    /// Returns the tenants with their states.
    fn states(&self) -> Vec<(String, String)> {
        let listed = self.run(&["tenant", "list", "--json"]).json();
        let text = |item: &Json, name: &str| item[name].as_str().unwrap().to_owned();
        listed["items"].as_array().unwrap().iter().map(|item| (text(item, "tenant"), text(item, "state"))).collect()
    }

    /// Runs a command that must fail; returns what it says.
    #[track_caller]
    fn refused(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 1, "{arguments:?}: {}{}", run.output, run.errors);
        run.errors
    }
}

fn now() -> Timestamp {
    server::commands::environment::system().clock.now()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, state)| ((*name).to_owned(), (*state).to_owned())).collect()
}

/// Asks until the answer has one of the statuses; a server looks once a second.
async fn becomes(client: &Client, path: &str, statuses: &[u16]) {
    let began = Instant::now();
    loop {
        let reply = client.get(path).await;
        if statuses.contains(&reply.status) {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{path}: {} {}", reply.status, reply.text);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[spec("E-180")]
async fn a_deleted_tenant_is_out_of_reach_and_comes_back_as_it_was(plinth: Plinth) {
    let key = block_in_place(|| plinth.acme());
    block_in_place(|| plinth.run(&["tenant", "create", "other"]).done());
    let idle = block_in_place(|| plinth.start_with("serve", &IDLE));
    let client = idle.client().with("key", &key);
    let scan = client.promise("note/scan", "a.txt", b"bytes").await;
    client.create("note", json!({"text": "kept", "scan": scan})).await;
    client.create("task", json!({"text": "waits"})).await;
    let at_host = client.with("host", "acme.test");
    let out = plinth.path("out");
    block_in_place(|| plinth.run(&["backup", "create", "acme", "--to", out.to_str().unwrap()]).done());
    for _ in 0..3 {
        client.get("collection/note").await.is(200);
    }

    let before = now();
    let told = block_in_place(|| plinth.run(&["tenant", "delete", "acme", "--json"])).json();
    let until: Timestamp = told["until"].as_str().unwrap().parse().unwrap();
    let time = until.duration_since(before);
    assert!((SignedDuration::from_hours(167)..=SignedDuration::from_hours(169)).contains(&time), "{told}");
    // The next question to the database finds nothing.
    for reply in [
        client.get("collection/note").await,
        at_host.get("collection/note?_noCache=1").await,
        client.get("/t/acme/api/v1/collection/note").await,
        client.post("collection/note", json!({"text": "lost"})).await,
    ] {
        assert!([403, 404].contains(&reply.status), "{} {}", reply.status, reply.text);
    }
    // Within a second or so nothing tells that there was a tenant, and no other one answers in its place.
    for path in ["/t/acme/api/v1/collection/note", "/t/acme/", "/t/acme/api/v1/openapi.json"] {
        becomes(&client, path, &[404]).await;
    }
    becomes(&at_host, "/", &[404]).await;
    becomes(&at_host, "/api/v1/openapi.json", &[404]).await;
    client.get("/t/other/api/v1/collection/user").await.is(403);
    // A server that works for tenants does nothing for it.
    let working = block_in_place(|| plinth.start_with("serve", &[("PLINTH_DATA_POLL_INTERVAL", "1s")]));
    working.client().with("key", &key).get("/t/acme/api/v1/collection/note").await.is(404);
    block_in_place(|| {
        assert_eq!(plinth.states(), pairs(&[("acme", "deleted"), ("other", "active")]));
        let listed = plinth.run(&["tenant", "list"]).done();
        assert_eq!(listed, format!("acme  deleted, can come back until {until}\nother\n"));
        let mut archives = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
        let archive = archives.find(|path| path.extension().is_some_and(|ending| ending == "gz")).unwrap();
        for refused in [
            plinth.refused(&["tenant", "create", "acme"]),
            plinth.refused(&["tenant", "delete", "acme"]),
            plinth.refused(&["apply", plinth.path("acme").to_str().unwrap()]),
            plinth.refused(&["backup", "restore", archive.to_str().unwrap()]),
        ] {
            let says = format!("The tenant acme is deleted, and keeps its name until {until}.");
            assert!(refused.contains(&says) && refused.contains("plinth tenant undelete acme"), "{refused}");
        }
        plinth.refused(&["user", "list", "--tenant", "acme"]);
        let all = plinth.run(&["backup", "create", "--to", plinth.path("all").to_str().unwrap()]).done();
        assert!(!all.contains("acme"), "{all}");
        // A backup that was there stays, and another name is free.
        plinth.run(&["backup", "restore", archive.to_str().unwrap(), "--as", "acme-old"]).done();
    });

    let back = now();
    block_in_place(|| assert_eq!(plinth.run(&["tenant", "undelete", "acme"]).done(), "tenant acme is back\n"));
    becomes(&at_host, "collection/note", &[200]).await;
    let note = at_host.get("collection/note/1").await.is(200).json();
    assert_eq!(note["text"], "kept");
    assert_eq!(&at_host.get(note["scan"]["url"].as_str().unwrap()).await.is(200).bytes[..], b"bytes");
    // What waited is done now, and was not before.
    becomes(&at_host, "collection/note/2", &[200]).await;
    let done = at_host.get("collection/note/2?showFields=text,created").await.is(200).json();
    let made: Timestamp = done["created"].as_str().unwrap().parse().unwrap();
    assert!(done["text"] == "done" && made >= back - SignedDuration::from_secs(2), "{done}");
    block_in_place(|| {
        assert!(plinth.refused(&["tenant", "undelete", "acme"]).contains("is not deleted"));
        assert!(plinth.run(&["audit", "verify", "--tenant", "acme"]).done().contains("intact"));
        idle.stop();
        working.stop();
    });
}

#[spec("E-180")]
async fn a_tenant_is_removed_at_once_and_its_name_is_free(plinth: Plinth) {
    let key = block_in_place(|| plinth.acme());
    let server = block_in_place(|| plinth.start_with("serve", &IDLE));
    let client = server.client().with("key", &key);
    let scan = client.promise("note/scan", "a.txt", b"secret bytes").await;
    client.create("note", json!({"text": "secret words", "scan": scan})).await;
    block_in_place(|| {
        let refused = plinth.refused(&["tenant", "delete", "acme", "--now"]);
        assert!(refused.contains("Add --yes"), "{refused}");
        let wrong = plinth.run(&["tenant", "delete", "acme", "--now", "--yes", "--after", "1d"]);
        assert_eq!(wrong.code, 2, "{}", wrong.errors);
        assert_eq!(plinth.run(&["tenant", "delete", "acme", "--after", "1d"]).code, 0);
        let told = plinth.run(&["tenant", "delete", "acme", "--now", "--yes", "--json"]).json();
        assert_eq!(told, json!({"tenant": "acme", "state": "removed"}));
        assert_eq!(plinth.states(), []);
        let left = files_below(&plinth.path("data"));
        assert!(left.iter().all(|path| !path.contains("acme")), "{left:?}");
        assert!(plinth.refused(&["tenant", "undelete", "acme"]).contains("There is no such tenant"));
        plinth.acme();
    });
    // The key was of the one that is gone.
    becomes(&client, "collection/note", &[403]).await;
    server.stop();
}

fn files_below(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        found.push(entry.path().display().to_string());
        found.extend(files_below(&entry.path()));
    }
    found
}

#[spec("E-180")]
async fn a_killed_deletion_leaves_a_tenant_whole_or_deleted(plinth: Plinth) {
    block_in_place(|| {
        plinth.acme();
        let rows: String = (0..50).map(|number| format!("{number}\n")).collect();
        plinth.file("rows.csv", format!("text\n{rows}"));
        let fill = || plinth.run(&["import", "note", plinth.path("rows.csv").to_str().unwrap()]).done();
        fill();
        let whole = || assert_eq!(plinth.run(&["export", "note"]).done().lines().count(), 51);
        let (delete, undelete) = (["tenant", "delete", "acme"], ["tenant", "undelete", "acme"]);
        let begun = Instant::now();
        plinth.run(&delete).done();
        let usual = begun.elapsed() + Duration::from_millis(5);
        plinth.run(&undelete).done();
        killed_at_points(&plinth, &delete, usual, 12, |plinth| {
            if plinth.states() == pairs(&[("acme", "deleted")]) {
                plinth.run(&undelete).done();
            }
            whole();
        });
        killed_at_points(&plinth, &undelete, usual, 12, |plinth| {
            if plinth.states() == pairs(&[("acme", "deleted")]) {
                plinth.run(&undelete).done();
            }
            whole();
            plinth.run(&delete).done();
        });
        plinth.run(&undelete).done();
        let remove = ["tenant", "delete", "acme", "--now", "--yes"];
        killed_at_points(&plinth, &remove, usual * 2, 16, |plinth| match plinth.states().pop() {
            Some((_, state)) if state == "active" => whole(),
            state => {
                if let Some((_, state)) = state {
                    assert_eq!(state, "removing");
                    assert!(plinth.refused(&undelete).contains("is over"));
                    assert!(plinth.refused(&["tenant", "delete", "acme"]).contains("is being removed"));
                    let swept = plinth.run(&["tenant", "sweep"]).done();
                    assert_eq!(swept, "deleted tenants whose time is over are removed; 0 can come back still\n");
                }
                assert_eq!(plinth.states(), []);
                plinth.acme();
                fill();
            }
        });
    });
}

#[spec("E-180")]
async fn a_tenant_is_deleted_by_one_of_two_while_others_write_to_it(plinth: Plinth) {
    let key = block_in_place(|| plinth.acme());
    let server = block_in_place(|| plinth.start_with("serve", &IDLE));
    let client = server.client().with("key", &key);
    let mut acknowledged = 0;
    for round in 0..4 {
        let writers: Vec<_> = (0..4)
            .map(|_| {
                let client = client.clone();
                tokio::spawn(async move {
                    let mut done = 0;
                    loop {
                        let reply = client.post("collection/note", json!({"text": "written"})).await;
                        match reply.status {
                            200 | 201 => done += 1,
                            403 | 404 => return done,
                            status => panic!("{status} {}", reply.text),
                        }
                    }
                })
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let codes = block_in_place(|| {
            std::thread::scope(|scope| {
                let delete = || plinth.run(&["tenant", "delete", "acme"]).code;
                let deletions = [scope.spawn(delete), scope.spawn(delete)];
                let mut codes = deletions.map(|deletion| deletion.join().unwrap());
                codes.sort_unstable();
                codes
            })
        });
        assert_eq!(codes, [0, 1], "round {round}");
        for writer in writers {
            acknowledged += writer.await.unwrap();
        }
        let codes = block_in_place(|| {
            std::thread::scope(|scope| {
                let undelete = || plinth.run(&["tenant", "undelete", "acme"]).code;
                let mut codes = [scope.spawn(undelete), scope.spawn(undelete)].map(|one| one.join().unwrap());
                codes.sort_unstable();
                codes
            })
        });
        assert_eq!(codes, [0, 1], "round {round}");
        becomes(&client, "collection/note", &[200, 204]).await;
    }
    // A line has the names of the columns.
    let there = block_in_place(|| plinth.run(&["export", "note"]).done()).lines().count() - 1;
    assert!(acknowledged > 0 && there == acknowledged, "{there} {acknowledged}");
    server.stop();
}

#[spec("E-180")]
async fn a_tenant_that_was_deleted_before_the_master_key_changed_comes_back_with_the_former_one(plinth: Plinth) {
    block_in_place(|| {
        plinth.acme();
        plinth.run_with(&["secret", "set", "token", "--tenant", "acme"], b"hush").done();
        plinth.run(&["tenant", "create", "other"]).done();
        plinth.run(&["tenant", "delete", "acme"]).done();
        plinth.run(&["secret", "rotate"]).done();
        let refused = plinth.refused(&["tenant", "undelete", "acme"]);
        assert!(refused.contains("plinth.key.previous"), "{refused}");
        fs::copy(plinth.path("data/plinth.key.former-1"), plinth.path("data/plinth.key.previous")).unwrap();
        plinth.run(&["tenant", "undelete", "acme"]).done();
        plinth.run(&["secret", "rotate"]).done();
        assert!(!plinth.path("data/plinth.key.previous").exists());
        assert!(plinth.run(&["audit", "verify", "--tenant", "acme"]).done().contains("intact"));
        assert!(plinth.run(&["secret", "list", "--tenant", "acme"]).done().contains("token"));
        plinth.run(&["tenant", "delete", "acme"]).done();
        plinth.run(&["tenant", "undelete", "acme"]).done();
    });
}

/// Names reach neither folders nor schemas that are no tenant's.
#[spec("E-180")]
async fn names_that_no_tenant_has_are_refused(plinth: Plinth) {
    block_in_place(|| {
        plinth.acme();
        plinth.run(&["tenant", "delete", "acme"]).done();
        let longest = "z".repeat(41);
        for name in
            ["", ".", "..", "../data", "Acme", "acme/", "a_b", "ac me", "ače", "acme\"", "1780000000-acme", &longest]
        {
            for command in [&["tenant", "delete", name][..], &["tenant", "undelete", name]] {
                assert!(plinth.refused(command).contains("There is no such tenant"), "{command:?}");
            }
            let refused = plinth.refused(&["tenant", "delete", "--now", "--yes", name]);
            assert!(refused.contains("There is no such tenant"), "{name}: {refused}");
        }
        for time in ["0d", "-1d", "1y", "", "7"] {
            assert_eq!(plinth.run(&["tenant", "delete", "acme", &format!("--after={time}")]).code, 2, "{time}");
        }
        // A folder that nobody knows is nobody's, whatever its name.
        fs::create_dir_all(plinth.path("data/tenants/.until-0000000000-..")).unwrap();
        fs::create_dir_all(plinth.path("data/tenants/.until-x-acme")).unwrap();
        assert_eq!(plinth.run(&["tenant", "sweep", "--json"]).json(), json!({"deleted": 1, "archivesRemoved": 0}));
        assert_eq!(plinth.states(), pairs(&[("acme", "deleted")]));
        plinth.run(&["tenant", "undelete", "acme"]).done();
        assert_eq!(plinth.states(), pairs(&[("acme", "active")]));
    });
}

#[spec("E-180")]
async fn requests_without_a_name_mean_the_only_tenant_again_once_it_comes_back(plinth: Plinth) {
    let key = block_in_place(|| plinth.acme());
    let out = plinth.path("out");
    block_in_place(|| {
        plinth.run(&["backup", "create", "acme", "--to", out.to_str().unwrap()]).done();
        plinth.run(&["tenant", "delete", "acme"]).done();
        // A copy that takes the same keys must not stand in for it.
        let mut files = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
        let archive = files.find(|file| file.to_string_lossy().ends_with(".tar.gz")).unwrap();
        plinth.run(&["backup", "restore", archive.to_str().unwrap(), "--as", "acme-old"]).done();
    });
    let server = block_in_place(|| plinth.start_with("serve", &IDLE));
    let client = server.client().with("key", &key);
    client.get("/t/acme-old/api/v1/collection/user").await.is(200);
    client.get("/api/v1/collection/user").await.is(404);
    block_in_place(|| plinth.run(&["tenant", "undelete", "acme"]).done());
    becomes(&client, "/api/v1/collection/user", &[200]).await;
    client.post("/t/acme/api/v1/collection/note", json!({"text": "of acme"})).await.is(201);
    becomes(&client, "/api/v1/collection/note/1", &[200]).await;
    client.get("/t/acme-old/api/v1/collection/note/1").await.is(404);
    assert!(block_in_place(|| plinth.run(&["tenant", "delete", "acme", "--yes"])).code == 2, "it confirms --now alone");
}
