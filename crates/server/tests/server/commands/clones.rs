//! Clones of tenants: whole, on their own, and silent until they are enabled.

use crate::commands::backups::killed_at_points;
use crate::commands::program::Plinth;
use serde_json::{Value as Json, json};
use spec::spec;
use std::time::{Duration, Instant};
use testing::Client;
use tokio::task::block_in_place;

const FILES: [(&str, &str); 6] = [
    ("acme/tenant.yaml", "tenant: acme\nhosts: [acme.test]\napi: {rate: 0}\n"),
    ("acme/types/note.yaml", "name: note\nproperties:\n  text: {kind: pString}\n  scan: {kind: pFile}\n"),
    ("acme/types/task.yaml", "name: task\nproperties:\n  text: {kind: pString}\n"),
    ("acme/roles/all.yaml", "role: all\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n"),
    (
        "acme/automations/one.yaml",
        "automation: one\non: {event: task.created}\ndo:\n  - mail: {to: ann@example.com, subject: one, text: one}\n",
    ),
    (
        "acme/automations/off.yaml",
        "automation: off\non: {event: task.deleted}\ndo:\n  - mail: {to: ann@example.com, subject: off, text: off}\n",
    ),
];

impl Plinth {
    /// Makes the tenant acme; returns the key of an administrator.
    fn original(&self) -> String {
        FILES.iter().for_each(|(path, text)| _ = self.file(path, text));
        self.run(&["apply", self.path("acme").to_str().unwrap()]).done();
        self.run(&["user", "create", "ann", "--role", "all", "--tenant", "acme"]).done();
        self.run_with(&["secret", "set", "token", "--tenant", "acme"], b"hush").done();
        self.run(&["key", "create", "ann", "--tenant", "acme"]).done().trim().to_owned()
    }

    /// Returns the states of a tenant's mails, the newest first.
    fn mails(&self, tenant: &str) -> Vec<String> {
        let listed = self.run(&["outbox", "list", "--json", "--tenant", tenant]).json();
        listed["items"].as_array().unwrap().iter().map(|mail| mail["state"].as_str().unwrap().to_owned()).collect()
    }
}

async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn notes(reply: &Json) -> usize {
    reply.as_array().or_else(|| reply["items"].as_array()).map_or(0, Vec::len)
}

#[spec("E-181")]
async fn a_clone_is_whole_and_sends_nothing_until_it_is_enabled(plinth: Plinth) {
    let key = block_in_place(|| plinth.original());
    let server = block_in_place(|| plinth.start_with("serve", &[("PLINTH_DATA_POLL_INTERVAL", "1s")]));
    let client = server.client().with("key", &key);
    let scan = client.promise("note/scan", "a.txt", b"bytes").await;
    client.create("note", json!({"text": "one", "scan": scan})).await;
    client.create("task", json!({"text": "mailed"})).await;
    eventually("the original sends", async || block_in_place(|| plinth.mails("acme")) == ["sent"]).await;
    block_in_place(|| plinth.run(&["automation", "disable", "off", "--tenant", "acme"]).done());
    let told = block_in_place(|| plinth.run(&["tenant", "clone", "acme", "copy", "--json"])).json();
    assert_eq!((&told["tenant"], &told["of"], &told["files"]), (&json!("copy"), &json!("acme"), &json!(1)));
    block_in_place(|| {
        for (arguments, says) in [
            (["tenant", "clone", "acme", "copy"], "The tenant copy exists already"),
            (["tenant", "clone", "acme", "acme"], "The tenant acme exists already"),
            (["tenant", "clone", "none", "other"], "There is no such tenant"),
            (["tenant", "clone", "acme", "../x"], "A tenant's name is a small letter"),
        ] {
            let refused = plinth.run(&arguments);
            assert!(refused.code == 1 && refused.errors.contains(says), "{arguments:?}: {}", refused.errors);
        }
        let verified = plinth.run(&["audit", "verify", "--tenant", "copy"]).done();
        assert!(verified.contains("intact"), "{verified}");
        let left = std::fs::read_dir(plinth.path("data/scratch")).unwrap().flatten();
        let left: Vec<_> = left.filter(|entry| entry.path().is_dir()).collect();
        assert!(left.is_empty(), "{left:?}");
    });
    // The key was copied: at the address of the clone it is the clone's.
    let at = |path: &str| format!("/t/copy/api/v1/{path}");
    eventually("the clone is found", async || client.get(&at("collection/note/1")).await.status == 200).await;
    let copied = client.get(&at("collection/note/1")).await.is(200).json();
    assert_eq!(copied["text"], "one");
    let file = client.get(copied["scan"]["url"].as_str().unwrap()).await.is(200);
    assert_eq!(&file.bytes[..], b"bytes");
    // No host leads to it, and what is written to one is not in the other.
    client.with("host", "acme.test").get("collection/note/1").await.is(200);
    client.post(&at("collection/note"), json!({"text": "of the copy"})).await.is(201);
    client.patch("collection/note/1", json!({"text": "changed"})).await.is(200);
    assert_eq!(client.get(&at("collection/note/1")).await.json()["text"], "one");
    assert_eq!(notes(&client.get("collection/note").await.is(200).json()["data"]), notes(&json!([0])));
    // An automation that is switched on by itself sends nothing either.
    block_in_place(|| plinth.run(&["automation", "enable", "one", "--tenant", "copy"]).done());
    create(&client, &at("collection/task"), "silent").await;
    create(&client, "/t/acme/api/v1/collection/task", "loud").await;
    eventually("the original sends again", async || block_in_place(|| plinth.mails("acme")) == ["sent", "sent"]).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(block_in_place(|| plinth.mails("copy")), ["sent"], "the copied one alone");
    block_in_place(|| {
        let told = plinth.run(&["tenant", "enable", "copy"]).done();
        assert_eq!(told, "tenant copy is enabled: its automations are on, and new mails and SMS are sent\n");
        assert_eq!(plinth.run(&["tenant", "enable", "copy"]).done(), "tenant copy was enabled before\n");
        let automations = plinth.run(&["automation", "list", "--json", "--tenant", "copy"]).json();
        let is_on = |name: &str| {
            let items = automations["items"].as_array().unwrap();
            items.iter().find(|item| item["automation"] == name).unwrap()["enabled"].clone()
        };
        assert_eq!([is_on("one"), is_on("off")], [json!(true), json!(false)], "{automations}");
    });
    create(&client, &at("collection/task"), "loud").await;
    eventually("the clone sends", async || {
        block_in_place(|| plinth.mails("copy")).iter().filter(|state| *state == "sent").count() >= 2
    })
    .await;
    server.stop();
}

async fn create(client: &Client, path: &str, text: &str) {
    client.post(path, json!({"text": text})).await.is(201);
}

#[spec("E-181")]
async fn a_killed_clone_is_none(plinth: Plinth) {
    block_in_place(|| {
        plinth.original();
        let rows: String = (0..50).map(|number| format!("{number}\n")).collect();
        plinth.file("rows.csv", format!("text\n{rows}"));
        plinth.run(&["import", "note", plinth.path("rows.csv").to_str().unwrap()]).done();
        let clone = ["tenant", "clone", "acme", "copy"];
        let begun = Instant::now();
        plinth.run(&clone).done();
        let usual = begun.elapsed();
        let remove = ["tenant", "delete", "copy", "--now", "--yes"];
        plinth.run(&remove).done();
        killed_at_points(&plinth, &clone, usual, 10, |plinth| {
            let again = plinth.run(&clone);
            let is_whole = again.code == 0 || again.errors.contains("exists already");
            assert!(is_whole, "{}{}", again.output, again.errors);
            assert_eq!(plinth.run(&["export", "note", "--tenant", "copy"]).done().lines().count(), 51);
            plinth.run(&remove).done();
        });
        assert_eq!(plinth.run(&["export", "note", "--tenant", "acme"]).done().lines().count(), 51);
    });
}
