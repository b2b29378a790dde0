//! Tenants that commands freeze while servers serve them: all reads go on, and no write is acknowledged.

use crate::commands::program::Plinth;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use spec::spec;
use std::time::{Duration, Instant};
use testing::{Client, Reply};
use tokio::task::block_in_place;

const FILES: [(&str, &str); 6] = [
    ("acme/tenant.yaml", "tenant: acme\nhosts: [acme.test]\napi: {rate: 0}\n"),
    ("acme/types/note.yaml", "name: note\nproperties:\n  text: {kind: pString}\n  scan: {kind: pFile}\n"),
    ("acme/types/task.yaml", "name: task\nproperties:\n  text: {kind: pString}\n"),
    ("acme/types/patient.yaml", "name: patient\nlogReads: true\nproperties:\n  text: {kind: pString}\n"),
    ("acme/roles/all.yaml", "role: all\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n"),
    (
        "acme/automations/one.yaml",
        "automation: one\non: {event: task.created}\ndo:\n  - create: {type: note, set: {text: done}}\n",
    ),
];
/// A server that carries out nothing by itself.
const IDLE: [(&str, &str); 1] = [("PLINTH_OUTBOX_SEND", "false")];
const PASSWORD: &str = "correct horse battery staple";

impl Plinth {
    /// Makes the tenant acme, whose user ann has a password; returns a key of hers.
    fn thawed(&self) -> String {
        FILES.iter().for_each(|(path, text)| _ = self.file(path, text));
        self.run(&["apply", self.path("acme").to_str().unwrap()]).done();
        self.run(&["user", "create", "ann", "--role", "all", "--tenant", "acme"]).done();
        let password = ["user", "password", "ann", "--password-stdin", "--tenant", "acme"];
        self.run_with(&password, format!("{PASSWORD}\n").as_bytes()).done();
        self.run(&["key", "create", "ann", "--tenant", "acme"]).done().trim().to_owned()
    }

    /// Returns the state of acme.
    fn state(&self) -> String {
        let listed = self.run(&["tenant", "list", "--json"]).json();
        let items = listed["items"].as_array().unwrap();
        items.iter().find(|item| item["tenant"] == "acme").unwrap()["state"].as_str().unwrap().to_owned()
    }
}

#[track_caller]
fn is_refused(reply: &Reply) {
    assert_eq!((reply.status, reply.header("retry-after")), (503, "60"), "{}", reply.text);
    assert!(reply.text.contains("This tenant is frozen"), "{}", reply.text);
}

/// Writes until it is told that the tenant is frozen; returns the number of acknowledged writes.
async fn write_until_frozen(client: Client) -> usize {
    let mut done = 0;
    loop {
        let reply = client.post("collection/note", json!({"text": "written"})).await;
        match reply.status {
            201 => done += 1,
            503 => {
                is_refused(&reply);
                return done;
            }
            status => panic!("{status} {}", reply.text),
        }
    }
}

#[spec("E-190")]
async fn a_frozen_tenant_acknowledges_no_write_on_any_node(plinth: Plinth) {
    let key = block_in_place(|| plinth.thawed());
    let [one, two] = [0, 1].map(|_| block_in_place(|| plinth.start_with("serve", &IDLE)));
    let clients = [&one, &two].map(|server| server.client().with("key", &key));
    let mut acknowledged = 0;
    for round in 0..3 {
        let writers: Vec<_> =
            (0..6).map(|number| tokio::spawn(write_until_frozen(clients[number % 2].clone()))).collect();
        tokio::time::sleep(Duration::from_millis(100)).await;
        let frozen = block_in_place(|| plinth.run(&["tenant", "freeze", "acme", "--json"])).json();
        assert_eq!(frozen, json!({"tenant": "acme", "state": "frozen"}));
        for client in &clients {
            is_refused(&client.post("collection/note", json!({"text": "late"})).await);
            is_refused(&client.patch("collection/note/1", json!({"text": "late"})).await);
            is_refused(&client.delete("collection/note/1").await);
        }
        for writer in writers {
            acknowledged += writer.await.unwrap();
        }
        block_in_place(|| {
            let there = plinth.run(&["export", "note", "--tenant", "acme"]).done().lines().count() - 1;
            assert!(there == acknowledged, "round {round}: {there} {acknowledged}");
            assert_eq!(plinth.run(&["tenant", "freeze", "acme"]).done(), "tenant acme was frozen before\n");
            assert_eq!(plinth.run(&["tenant", "unfreeze", "acme"]).done(), "tenant acme takes writes again\n");
            assert_eq!(plinth.run(&["tenant", "unfreeze", "acme"]).done(), "tenant acme was not frozen\n");
        });
        for client in &clients {
            client.create("note", json!({"text": "after"})).await;
            acknowledged += 1;
        }
    }
    one.stop();
    two.stop();
}

#[spec("E-190")]
async fn reads_and_sign_ins_of_a_frozen_tenant_go_on_and_its_work_waits(plinth: Plinth) {
    let key = block_in_place(|| plinth.thawed());
    let idle = block_in_place(|| plinth.start_with("serve", &IDLE));
    let client = idle.client().with("key", &key);
    let scan = client.promise("note/scan", "a.txt", b"bytes").await;
    client.create("note", json!({"text": "kept", "scan": scan})).await;
    client.create("patient", json!({"text": "sick"})).await;
    client.create("task", json!({"text": "waits"})).await;
    block_in_place(|| plinth.run(&["tenant", "freeze", "acme"]).done());
    let working = block_in_place(|| plinth.start_with("serve", &[("PLINTH_DATA_POLL_INTERVAL", "1s")]));
    for server in [&idle, &working] {
        let client = server.client().with("key", &key);
        let note = client.get("collection/note/1").await.is(200).json();
        assert_eq!(&client.get(note["scan"]["url"].as_str().unwrap()).await.is(200).bytes[..], b"bytes");
        client.get("collection/note").await.is(200).says("kept");
        let exported = client.get("/api/ext/v1/export/note?format=csv").await.is(200);
        assert!(String::from_utf8_lossy(&exported.bytes).contains("kept"));
        // The log of reads is written on.
        client.get("collection/patient/1").await.is(200).says("sick");
        let signed_in = client.post_form("auth", &[("user", "ann"), ("password", PASSWORD)]).await.is(200);
        let own = signed_in.at("/authToken/keyString");
        let own = own.as_str().unwrap().to_owned();
        let signed_in = server.client().with("key", &own);
        signed_in.get("collection/note/1").await.is(200);
        client.post_form("deauth", &[("key", &own)]).await.is(200);
        signed_in.get("collection/note/1").await.is(403);
        let refused = client.post("/api/ext/v1/export/note?format=csv", json!({})).await;
        is_refused(&refused);
        assert_eq!(refused.at("/code"), "tenant_frozen", "{}", refused.text);
    }
    block_in_place(|| {
        assert_eq!(plinth.state(), "frozen");
        assert_eq!(plinth.run(&["tenant", "list"]).done(), "acme  frozen, takes no writes\n");
        let logged = plinth.run(&["log", "--type", "patient", "--json", "--tenant", "acme"]).json();
        assert_eq!(logged["items"].as_array().unwrap().len(), 2, "{logged}");
        plinth.file("acme/types/more.yaml", "name: more\nproperties:\n  text: {kind: pString}\n");
        plinth.file("rows.csv", "text\none\n");
        let folder = plinth.path("acme");
        let folder = folder.to_str().unwrap();
        for looks in [&["plan", folder][..], &["apply", folder, "--dry-run"]] {
            let run = plinth.run(looks);
            assert!(run.code == 0 && run.output.contains("more"), "{looks:?}: {}{}", run.output, run.errors);
        }
        for refused in [
            &["apply", folder][..],
            &["import", "note", plinth.path("rows.csv").to_str().unwrap()],
            &["key", "create", "ann"],
            &["secret", "set", "token"],
        ] {
            let run = plinth.run_with(refused, b"hush");
            assert!(run.code == 1 && run.errors.contains("This tenant is frozen"), "{refused:?}: {}", run.errors);
        }
        // A copy is not frozen, and a tenant that comes back is.
        let out = plinth.path("out");
        let told = plinth.run(&["backup", "create", "acme", "--to", out.to_str().unwrap(), "--json"]).json();
        assert!(told.to_string().contains("acme"), "{told}");
        let archive = std::fs::read_dir(&out).unwrap().flatten().map(|entry| entry.path());
        let archive = archive.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "gz")).unwrap();
        plinth.run(&["backup", "restore", archive.to_str().unwrap(), "--as", "aside"]).done();
        plinth.run(&["tenant", "clone", "acme", "copy"]).done();
        for tenant in ["aside", "copy"] {
            plinth.run(&["key", "create", "ann", "--tenant", tenant]).done();
        }
        plinth.run(&["tenant", "delete", "acme"]).done();
        plinth.run(&["tenant", "undelete", "acme"]).done();
        assert_eq!(plinth.state(), "frozen");
    });
    let back = server::commands::environment::system().clock.now();
    block_in_place(|| plinth.run(&["tenant", "unfreeze", "acme"]).done());
    let begun = Instant::now();
    while client.get("collection/note/2").await.status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20), "the work that waited is done");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let done = client.get("collection/note/2?showFields=text,created").await.is(200).json();
    let made: Timestamp = done["created"].as_str().unwrap().parse().unwrap();
    assert!(done["text"] == "done" && made >= back - SignedDuration::from_secs(2), "{done}");
    idle.stop();
    working.stop();
}
