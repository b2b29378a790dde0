//! A tenant whose SQLite file is damaged or lost while a server runs: it alone is kept from writes, until it is restored.

use crate::commands::program::Plinth;
use crate::monitoring::{ask_at, value};
use serde_json::json;
use spec::spec;
use std::fs;
use std::time::{Duration, Instant};
use testing::Engine;
use tokio::task::block_in_place;

/// The bytes of a page of SQLite.
const PAGE: usize = 4096;
/// The time for the test.
const LIMIT: Duration = Duration::from_secs(120);

const FILES: [(&str, &str); 4] = [
    ("tenant.yaml", "api: {rate: 0}\n"),
    ("types/note.yaml", "name: note\nproperties:\n  text: {kind: pText}\n"),
    ("types/task.yaml", "name: task\nproperties:\n  text: {kind: pString}\n"),
    ("roles/all.yaml", "role: all\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n"),
];

impl Plinth {
    /// Makes a tenant; returns the key of an administrator.
    fn tenant_of(&self, name: &str) -> String {
        for (path, text) in FILES {
            let tenant = if path == "tenant.yaml" { format!("tenant: {name}\n") } else { String::new() };
            self.file(&format!("{name}/{path}"), format!("{tenant}{text}"));
        }
        self.run(&["apply", self.path(name).to_str().unwrap()]).done();
        self.run(&["user", "create", "ann", "--role", "all", "--tenant", name]).done();
        self.run(&["key", "create", "ann", "--tenant", name]).done().trim().to_owned()
    }

    /// Destroys the heads of all pages of a tenant's file in which a text stands; returns their number.
    fn destroy(&self, name: &str, text: &str) -> usize {
        self.run(&["tenant", "compact", name]).done();
        let path = self.path(&format!("data/tenants/{name}/tenant.db"));
        let mut bytes = fs::read(&path).unwrap();
        let is_hit = |page: &&mut [u8]| page.windows(text.len()).any(|window| window == text.as_bytes());
        let hits = bytes.chunks_mut(PAGE).filter(is_hit).map(|page| page[..8].fill(0xff)).count();
        // In place: another file would be a restored one.
        std::io::Write::write_all(&mut fs::OpenOptions::new().write(true).open(&path).unwrap(), &bytes).unwrap();
        hits
    }
}

#[spec(plain, "E-200")]
fn a_damaged_file_is_not_written_to_until_it_is_restored() {
    testing::run_within(LIMIT, Engine::Sqlite, "a damaged file", async |plinth: Plinth| {
        let socket = plinth.path("admin.sock");
        let admin = format!("unix:{}", socket.display());
        let (key, other_key) = block_in_place(|| (plinth.tenant_of("acme"), plinth.tenant_of("other")));
        let settings = [("PLINTH_ADMIN_LISTEN", admin.as_str()), ("PLINTH_OUTBOX_SEND", "false")];
        let server = block_in_place(|| plinth.start_with("serve", &settings));
        let client = server.client();
        let (acme, other) = (client.with("key", &key), client.with("key", &other_key));
        let acme_at = |path: &str| format!("/t/acme/api/ext/v1/collection/{path}");
        let other_at = |path: &str| format!("/t/other/api/ext/v1/collection/{path}");
        for number in 0..40 {
            let note = json!({"text": format!("word {number} {}", "needle ".repeat(100))});
            acme.post(&acme_at("note"), note).await.is(201);
        }
        acme.post(&acme_at("task"), json!({"text": "kept"})).await.is(201);
        let damaged = async || {
            value(&ask_at(&socket, "GET", "/metrics", "").await.body, "plinth_stores_damaged{engine=\"sqlite\"}")
        };
        assert_eq!(damaged().await, 0.0);
        let out = plinth.path("out");
        let archive = block_in_place(|| {
            plinth.run(&["backup", "create", "acme", "--to", out.to_str().unwrap()]).done();
            assert!(plinth.destroy("acme", "needle") > 3);
            let mut made = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
            made.find(|path| path.extension().is_some_and(|end| end == "gz")).unwrap()
        });

        let refused = acme.get(&acme_at("note?_noCache=1&perPage=50")).await.is(503);
        assert_eq!(refused.json()["code"], "tenant_damaged", "{}", refused.text);
        for _ in 0..3 {
            acme.post(&acme_at("task"), json!({"text": "lost"})).await.is(503);
        }
        let kept = acme.get(&acme_at("task?_noCache=1")).await.is(200).json();
        assert_eq!(kept["data"].as_array().map(Vec::len), Some(1), "what can be read is read: {kept}");
        other.post(&other_at("task"), json!({"text": "others write"})).await.is(201);
        client.get("/readyz").await.is(200);
        assert_eq!(damaged().await, 1.0);
        let told = block_in_place(|| plinth.run(&["doctor", "--json"]));
        let told = told.json()["items"].as_array().unwrap().iter().find(|item| item["check"] == "tenants").cloned();
        let told = told.unwrap();
        assert!(told["state"] == "error" && told["message"].as_str().unwrap().contains("acme is damaged"), "{told}");

        block_in_place(|| {
            fs::rename(plinth.path("data/tenants/acme"), plinth.path("acme-damaged")).unwrap();
            plinth.run(&["backup", "restore", archive.to_str().unwrap()]).done();
        });
        let began = Instant::now();
        while acme.post(&acme_at("task"), json!({"text": "again"})).await.status != 201 {
            assert!(began.elapsed() < Duration::from_secs(20), "the restored tenant takes no writes");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let notes = acme.get(&acme_at("note?_noCache=1&perPage=50")).await.is(200).json();
        assert_eq!(notes["data"].as_array().map(Vec::len), Some(40));
        assert_eq!(damaged().await, 0.0);
        let sound = block_in_place(|| plinth.run(&["doctor"]).output);
        assert!(sound.contains("ok       tenants      The files of 2 tenants are sound."), "{sound}");
        block_in_place(|| server.stop());
        plinth.file("data/tenants/empty/tenant.db", "");
        let told = block_in_place(|| plinth.run(&["doctor"]).output);
        assert!(told.contains("The file of the tenant empty is damaged: it has no tables of Plinth."), "{told}");
    });
}

#[test]
fn a_lost_file_is_told_until_the_tenant_is_restored() {
    testing::run_within(LIMIT, Engine::Sqlite, "a lost file", async |plinth: Plinth| {
        block_in_place(|| lose(&plinth));
    });
}

/// Loses the file of the tenant `acme`, beside a tenant that is whole and one that is deleted.
fn lose(plinth: &Plinth) {
    let _keys = ["acme", "other", "away"].map(|name| plinth.tenant_of(name));
    plinth.run(&["tenant", "delete", "away"]).done();
    // As an upload leaves it that began before the deletion.
    plinth.file("data/tenants/away/files/late", "bytes");
    let out = plinth.path("out").display().to_string();
    let made = plinth.run(&["backup", "create", "acme", "--to", &out, "--json"]);
    let archive = made.json()["file"].as_str().unwrap().to_owned();
    let whole = plinth.run(&["doctor"]).output;
    assert!(whole.contains("The files of 2 tenants are sound.") && !whole.contains("tenant.db"), "{whole}");

    let folder = plinth.path("data/tenants/acme");
    plinth.file("data/tenants/acme/files/kept", "bytes");
    let server = plinth.start_with("serve", &[("PLINTH_DATA_POLL_INTERVAL", "100ms")]);
    fs::remove_file(folder.join("tenant.db")).unwrap();
    let times = |log: String| log.matches("the folder of a tenant has no tenant.db").count();
    let begun = Instant::now();
    while times(server.logged()) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(20), "{}", server.logged());
        std::thread::sleep(Duration::from_millis(50));
    }
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(times(server.stop().1), 1, "it is told once");
    let again = plinth.start("serve");
    assert_eq!(times(again.stop().1), 1, "the next server tells it as it starts");

    let lost = format!("The tenant acme is lost: its folder {} has no tenant.db.", folder.display());
    let told = plinth.run(&["doctor"]);
    assert!(told.code == 2 && told.output.contains(&format!("error    tenants      {lost}")), "{}", told.output);
    assert!(told.output.contains("The file of 1 tenant is sound."), "{}", told.output);
    let apply = plinth.path("acme").display().to_string();
    for arguments in [
        &["apply", &apply][..],
        &["tenant", "create", "acme"],
        &["user", "list", "--tenant", "acme"],
        &["backup", "create", "acme", "--to", &out],
        &["backup", "restore", &archive],
    ] {
        let refused = plinth.run(arguments);
        assert!(refused.code == 1 && refused.errors.contains(&lost), "{arguments:?}: {}", refused.errors);
        assert!(refused.errors.contains("Move the folder away and restore a backup"), "{}", refused.errors);
    }
    let all = plinth.run(&["backup", "create", "--to", &out]);
    assert_eq!(all.code, 1);
    assert!(all.output.contains("files of other,") && !all.output.contains("away"), "{}", all.output);
    assert!(all.errors.contains(&format!("acme is not backed up. {lost}")), "{}", all.errors);

    fs::rename(&folder, plinth.path("acme-lost")).unwrap();
    plinth.run(&["backup", "restore", &archive]).done();
    let whole = plinth.run(&["doctor"]).output;
    assert!(whole.contains("The files of 2 tenants are sound.") && !whole.contains("tenant.db"), "{whole}");
}
