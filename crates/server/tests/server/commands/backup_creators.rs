//! Creators of records that come back from a backup: users of today, or none.

use crate::commands::program::Plinth;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Client;
use tokio::task::block_in_place;

const FILES: [(&str, &str); 2] = [
    ("types/note.yaml", "name: note\nproperties:\n  text: {kind: pString}\n"),
    ("roles/all.yaml", "role: all\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n"),
];

impl Plinth {
    /// Makes a tenant with users, and returns their keys.
    fn staffed(&self, tenant: &str, users: &[&str]) -> Vec<String> {
        FILES.iter().for_each(|(path, text)| _ = self.file(&format!("{tenant}/{path}"), text));
        self.file(&format!("{tenant}/tenant.yaml"), format!("tenant: {tenant}\n"));
        self.run(&["apply", self.path(tenant).to_str().unwrap()]).done();
        let made = |user: &&str| {
            self.run(&["user", "create", user, "--role", "all", "--tenant", tenant]).done();
            self.run(&["key", "create", user, "--tenant", tenant]).done().trim().to_owned()
        };
        users.iter().map(made).collect()
    }

    /// Brings the notes of an archive back; returns the lines about records.
    fn brought(&self, archive: &str, into: &str) -> Vec<Json> {
        let run = self.run(&["backup", "records", archive, "--type", "note", "--into", into, "--apply", "--json"]);
        assert_eq!(run.code, 0, "{}{}", run.output, run.errors);
        let mut lines: Vec<Json> = run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines.pop();
        lines
    }
}

async fn creators(client: &Client, path: &str) -> Vec<Json> {
    client.get(&format!("{path}collection/note?orderBy=id&showFields=createdBy")).await.is(200).column("createdBy")
}

#[spec("E-187")]
async fn a_creator_who_is_no_user_today_is_left_out_and_told(plinth: Plinth) {
    let keys = block_in_place(|| plinth.staffed("acme", &["ann", "bob"]));
    let others = block_in_place(|| plinth.staffed("other", &["cyril", "dana"]));
    let server = block_in_place(|| plinth.start("serve"));
    let [ann, bob] = [&keys[0], &keys[1]].map(|key| server.client().with("key", key));
    for client in [&ann, &bob] {
        client.create("note", json!({"text": "made"})).await;
    }
    let before = creators(&ann, "").await;
    assert!(before[0] != before[1] && !before[1].is_null(), "{before:?}");
    let out = block_in_place(|| plinth.path("out")).display().to_string();
    let told = block_in_place(|| plinth.run(&["backup", "create", "acme", "--to", &out, "--json"])).json();
    let archive = told["file"].as_str().unwrap();
    // Users of another tenant have the same ids.
    let lines = block_in_place(|| plinth.brought(archive, "other"));
    assert!(lines.len() == 2 && lines.iter().all(|line| line.to_string().contains("createdBy")), "{lines:?}");
    let client = server.client().with("key", &others[0]);
    assert_eq!(creators(&client, "/t/other/api/v1/").await, [Json::Null, Json::Null]);
    for id in 1..=2 {
        ann.delete(&format!("collection/note/{id}")).await.is(204);
    }
    ann.delete(&format!("collection/user/{}", before[1])).await.is(204);
    let lines = block_in_place(|| plinth.brought(archive, "acme"));
    let notes: Vec<bool> = lines.iter().map(|line| line.to_string().contains("createdBy")).collect();
    assert_eq!(notes, [false, true], "{lines:?}");
    assert_eq!(creators(&ann, "").await, [before[0].clone(), Json::Null]);
    block_in_place(|| server.stop());
}
