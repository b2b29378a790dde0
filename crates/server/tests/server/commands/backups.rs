//! Backups: made beside a server, restored on either engine, proven, and never half.

use crate::commands::program::Plinth;
use age::secrecy::ExposeSecret;
use age::x25519::Identity;
use serde_json::{Value as Json, json};
use spec::spec;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testing::{Client, Engine, Process};
use tokio::task::block_in_place;

const LIMIT: Duration = Duration::from_secs(300);
const FILES: &[(&str, &str)] = &[
    ("tenant.yaml", "tenant: acme # ours\nhosts:\n  - acme.test\napi: {rate: 0}\n"),
    ("roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n"),
    (
        "types/box.yaml",
        "name: box\ntitleProperty: name\nproperties:\n  name: {kind: pString, unique: true}\n  \
         docs: {kind: pRollup, relation: doc.box, function: count}\n",
    ),
    (
        "types/doc.yaml",
        "name: doc\nproperties:\n  \
         title:  {kind: pString, searchable: true}\n  number: {kind: pAutonumber}\n  \
         state:  {kind: pEnum, index: true, options: {new: {}, old: {}}}\n  \
         box:    {kind: pRelation, type: box}\n  before: {kind: pRelation, type: doc}\n  \
         others: {kind: pRelations, type: doc}\n  day: {kind: pDate}\n  at: {kind: pDateTime}\n  \
         price:  {kind: pDecimal}\n  ratio: {kind: pFloat}\n  flag: {kind: pBoolean}\n  more: {kind: pJson}\n  \
         scan:   {kind: pFile}\n",
    ),
    ("automations/tell.yaml", "automation: tell\non: {event: doc.created}\ndo: [{stop: true}]\n"),
];
/// Lists whose answers have to be the same afterwards.
const LISTS: [&str; 5] = [
    "collection/doc?perPage=100&orderBy=-price,title",
    "collection/doc?filters=%5B%7B%22property%22:%22*%22,%22type%22:%22search%22,%22param%22:%22three%22%7D%5D",
    "collection/doc?filters=%5B%7B%22property%22:%22state%22,%22type%22:%22eq%22,%22param%22:%22new%22%7D%5D",
    "collection/box?perPage=100",
    "collection/tags",
];

impl Plinth {
    /// Makes a tenant with rows of all sorts; returns its server and the key of an administrator.
    pub(crate) async fn filled(&self) -> (Process, String) {
        let key = block_in_place(|| {
            for (path, text) in FILES {
                self.file(&format!("acme/{path}"), text);
            }
            self.run(&["apply", self.path("acme").to_str().unwrap()]).done();
            self.run(&["user", "create", "ann", "--role", "admin"]).done();
            self.run_with(&["secret", "set", "token"], b"hush").done();
            self.run(&["key", "create", "ann"]).done().trim().to_owned()
        });
        let server = block_in_place(|| self.start("serve"));
        let client = server.client().with("key", &key);
        for name in ["one", "two"] {
            client.create("box", json!({"name": name})).await;
        }
        let mut before = Json::Null;
        for number in 0..40_i64 {
            let scan = client.promise("doc/scan", "a.txt", format!("scan {number}").repeat(500).as_bytes()).await;
            let doc = json!({
                "title": format!("Žluťoučký {} {number}", ["one", "two", "three"][number as usize % 3]),
                "state": if number % 4 == 0 { "old" } else { "new" }, "box": 1 + number % 2, "before": before,
                "day": "2026-11-29", "at": "2026-11-29T10:00:00Z", "price": number * 3 % 7, "ratio": number as f64 / 8.0,
                "flag": number % 2 == 0, "more": {"a": [number, null]},
                "scan": if number % 5 == 0 { json!(scan) } else { Json::Null },
            });
            let made = client.create("doc", doc).await;
            client.patch(&format!("collection/doc/{}", made["id"]), json!({"others": [made["id"], 1]})).await.is(200);
            before = made["id"].clone();
        }
        client.delete("collection/doc/40").await.is(204);
        (server, key)
    }

    fn back_up(&self) -> PathBuf {
        let told = self.run(&["backup", "create", "acme", "--to", self.path("out").to_str().unwrap(), "--json"]);
        assert_eq!(told.code, 0, "{}", told.errors);
        let told = told.json();
        assert_eq!((&told["tenant"], &told["records"], &told["files"]), (&json!("acme"), &json!(42), &json!(40)));
        PathBuf::from(told["file"].as_str().unwrap())
    }

    /// Another place for tenants, with the same master key.
    pub(crate) fn elsewhere(&self, engine: Engine) -> Plinth {
        let postgres = matches!(engine, Engine::Postgres).then(|| testing::postgres().database());
        let other = Plinth { folder: tempfile::TempDir::new().unwrap(), postgres };
        other.file("data/plinth.key", fs::read(self.path("data/plinth.key")).unwrap());
        other
    }
}

/// The view of a client on a tenant: answers to lists, and the bytes of files.
pub(crate) async fn seen(client: &Client) -> Vec<String> {
    let mut seen = Vec::new();
    for list in LISTS {
        let reply = client.get(list).await;
        // The addresses of files are signed anew.
        let text = String::from_utf8(reply.bytes.to_vec()).unwrap();
        seen.push(format!("{} {}", reply.status, without_signatures(&text)));
    }
    for id in [1, 6, 36] {
        let doc = client.get(&format!("collection/doc/{id}")).await.is(200).json();
        let path = doc["scan"]["url"].as_str().unwrap_or_else(|| panic!("{doc}")).to_owned();
        let reply = client.get(&path).await.is(200);
        seen.push(String::from_utf8(reply.bytes.to_vec()).unwrap());
    }
    seen
}

/// Returns a text without the addresses of files.
fn without_signatures(text: &str) -> String {
    let parts = text.split("\"url\":\"").enumerate();
    let kept =
        parts.map(|(number, part)| if number == 0 { part } else { part.split_once('"').map_or("", |(_, rest)| rest) });
    kept.collect()
}

#[spec("E-161")]
async fn a_backup_comes_back_on_either_engine(plinth: Plinth) {
    let (server, key) = plinth.filled().await;
    let before = seen(&server.client().with("key", &key)).await;
    // While it serves.
    let archive = block_in_place(|| plinth.back_up());
    let verified = block_in_place(|| plinth.run(&["backup", "verify", archive.to_str().unwrap(), "--json"]));
    assert_eq!(verified.json()["intact"], true, "{}{}", verified.output, verified.errors);
    let refused = block_in_place(|| plinth.run(&["backup", "restore", archive.to_str().unwrap()]));
    assert!(refused.code == 1 && refused.errors.contains("exists already"), "{}", refused.errors);
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let other = plinth.elsewhere(engine);
        block_in_place(|| other.run(&["backup", "restore", archive.to_str().unwrap()]).done());
        let served = block_in_place(|| other.start("serve"));
        let client = served.client().with("key", &key);
        assert_eq!(seen(&client).await, before, "{engine:?}");
        // No number is given twice, though the last row was gone.
        let made = client.create("doc", json!({"title": "next", "box": 1})).await;
        assert_eq!((&made["id"], &made["number"]), (&json!(41), &json!("41")), "{engine:?}");
        let audit = block_in_place(|| other.run(&["audit", "verify"]).done());
        assert!(audit.contains("rows are intact"), "{audit}");
        // The copy backs up as its model did.
        let again = block_in_place(|| other.run(&["backup", "create", "--to", other.path("out").to_str().unwrap()]));
        assert_eq!(again.code, 0, "{}", again.errors);
        block_in_place(|| served.stop());
    }
    block_in_place(|| server.stop());
}

#[spec("E-162")]
async fn a_backup_under_another_name_is_quiet(plinth: Plinth) {
    let (server, key) = plinth.filled().await;
    let archive = block_in_place(|| plinth.back_up());
    let told =
        block_in_place(|| plinth.run(&["backup", "restore", archive.to_str().unwrap(), "--as", "acme-old"]).done());
    assert!(told.contains("automations are off"), "{told}");
    let audit = block_in_place(|| plinth.run(&["audit", "verify", "--tenant", "acme-old"]).done());
    assert!(audit.contains("rows are intact"), "{audit}");
    let list = block_in_place(|| plinth.run(&["automation", "list", "--tenant", "acme-old"]).done());
    assert!(list.contains("restored from a backup"), "{list}");
    // Secrets that were sealed for the former name open for the new one.
    let secrets = block_in_place(|| plinth.run(&["secret", "list", "--tenant", "acme-old"]).done());
    assert!(secrets.contains("token"), "{secrets}");
    let folder = plinth.path("pulled");
    block_in_place(|| plinth.run(&["pull", folder.to_str().unwrap(), "--tenant", "acme-old"]).done());
    let text = fs::read_to_string(folder.join("tenant.yaml")).unwrap();
    assert!(text.starts_with("tenant: acme-old\n# hosts:\n#   - acme.test\napi:"), "{text}");
    let client = server.client().with("key", &key);
    // Requests that name no tenant still mean the first one.
    assert_eq!(server.client().with("key", &key).get("/api/v1/collection/doc?perPage=1").await.status, 200);
    let rows = |reply: testing::Reply| reply.is(200).at("/stats/total");
    // The server finds it on its own, within seconds.
    let begun = Instant::now();
    while client.get("/t/acme-old/api/v1/collection/doc?perPage=1").await.status == 404 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the server does not find the tenant");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let copy = client.get("/t/acme-old/api/v1/collection/doc?perPage=1").await;
    assert_eq!((rows(copy), rows(client.get("/t/acme/api/v1/collection/doc?perPage=1").await)), (json!(39), json!(39)));
    block_in_place(|| server.stop());
}

#[spec("E-161")]
async fn what_is_damaged_or_of_another_key_leaves_nothing(plinth: Plinth) {
    let (server, _) = plinth.filled().await;
    block_in_place(|| server.stop());
    let archive = block_in_place(|| plinth.back_up());
    let whole = fs::read(&archive).unwrap();
    let other = plinth.elsewhere(if plinth.postgres.is_some() { Engine::Postgres } else { Engine::Sqlite });
    let restore = |bytes: &[u8]| {
        let file = other.file("broken.tar.gz", bytes);
        block_in_place(|| other.run(&["backup", "restore", &file]))
    };
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for bytes in [&whole[..whole.len() / 2], &whole[..whole.len() - 1], &changed, b"", b"hello"] {
        let run = restore(bytes);
        assert!(run.code == 1 && run.errors.contains("damaged or cut off"), "{}", run.errors);
    }
    fs::remove_file(other.path("data/plinth.key")).unwrap();
    let run = restore(&whole);
    assert!(run.code == 1 && run.errors.contains("another master key"), "{}", run.errors);
    let tenants = block_in_place(|| other.run(&["tenant", "list"]).done());
    assert_eq!(tenants.trim(), "There is no tenant yet.");
    assert_eq!(leftovers(&other.path("data")), [] as [PathBuf; 0]);
}

#[spec("E-161")]
async fn a_killed_backup_or_restoration_is_none(plinth: Plinth) {
    let (server, _) = plinth.filled().await;
    block_in_place(|| server.stop());
    let out = plinth.path("killed");
    let begun = Instant::now();
    let archive = block_in_place(|| plinth.back_up());
    let usual = begun.elapsed();
    let arguments = ["backup", "create", "acme", "--to", out.to_str().unwrap()];
    block_in_place(|| killed_at_points(&plinth, &arguments, usual, 12, |_| {}));
    for entry in fs::read_dir(&out).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|end| end == "gz") {
            let run = block_in_place(|| plinth.run(&["backup", "verify", path.to_str().unwrap()]));
            assert_eq!(run.code, 0, "{}{}", run.output, run.errors);
        }
    }
    // The next one removes what the killed ones left. Several of one second have names of their own.
    let count = || fs::read_dir(&out).unwrap().filter(|file| file.as_ref().unwrap().path().is_file()).count();
    let before = count();
    block_in_place(|| (0..3).for_each(|_| _ = plinth.run(&arguments).done()));
    assert_eq!(count() - before, 3);
    assert_eq!(leftovers(&out), [] as [PathBuf; 0]);
    let other = plinth.elsewhere(if plinth.postgres.is_some() { Engine::Postgres } else { Engine::Sqlite });
    let begun = Instant::now();
    let restore = ["backup", "restore", archive.to_str().unwrap()];
    block_in_place(|| other.run(&restore).done());
    let usual = begun.elapsed();
    block_in_place(|| other.run(&["tenant", "delete", "acme", "--now", "--yes"]).done());
    block_in_place(|| {
        killed_at_points(&other, &restore, usual, 13, |other| {
            // There is none, or it is whole.
            let again = other.run(&restore);
            let is_whole = again.code == 0 || again.errors.contains("exists already");
            assert!(is_whole, "{}{}", again.output, again.errors);
            let audit = other.run(&["audit", "verify"]).done();
            assert!(audit.contains("rows are intact"), "{audit}");
            let export = other.run(&["export", "doc"]).done();
            assert_eq!(export.lines().count(), 40);
            other.run(&["tenant", "delete", "acme", "--now", "--yes"]).done();
        });
    });
}

/// Tenants of one name in two databases may share a data folder: the files of one are never the other's.
#[test]
fn files_of_another_database_stay() {
    testing::run_within(LIMIT, Engine::Postgres, "files of another database", async |mut plinth: Plinth| {
        let (server, _) = plinth.filled().await;
        block_in_place(|| server.stop());
        let archive = block_in_place(|| plinth.back_up());
        let own = plinth.postgres.replace(testing::postgres().database());
        let run = block_in_place(|| plinth.run(&["backup", "restore", archive.to_str().unwrap()]));
        assert!(run.code == 1 && run.errors.contains("uploaded files of a tenant acme already"), "{}", run.errors);
        assert_eq!(block_in_place(|| plinth.run(&["tenant", "list"]).done()).trim(), "There is no tenant yet.");
        plinth.postgres = own;
        let out = plinth.path("again");
        let again = block_in_place(|| plinth.run(&["backup", "create", "--to", out.to_str().unwrap()]).done());
        assert!(again.contains("40 files of acme"), "{again}");
    });
}

#[spec("E-161")]
async fn a_tenant_that_cannot_be_backed_up_keeps_no_other(plinth: Plinth) {
    let (server, _) = plinth.filled().await;
    block_in_place(|| server.stop());
    block_in_place(|| plinth.run(&["tenant", "create", "zoo"]).done());
    let files = match plinth.postgres {
        Some(_) => plinth.path("data/files/acme"),
        None => plinth.path("data/tenants/acme/files"),
    };
    let lost = fs::read_dir(files).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(&lost).unwrap();
    let out = plinth.path("out");
    let run = block_in_place(|| plinth.run(&["backup", "create", "--to", out.to_str().unwrap()]));
    let key = lost.file_name().unwrap().to_str().unwrap();
    assert!(run.code == 1 && run.output.contains("of zoo"), "{}{}", run.output, run.errors);
    assert!(run.errors.contains("acme is not backed up") && run.errors.contains(key), "{}", run.errors);
    assert_eq!(leftovers(&out), [] as [PathBuf; 0]);
}

#[spec("E-163")]
async fn an_encrypted_backup_opens_for_its_recipients_alone(plinth: Plinth) {
    let (server, _) = plinth.filled().await;
    block_in_place(|| server.stop());
    let [own, other, foreign] = [(); 3].map(|()| Identity::generate());
    let out = plinth.path("out");
    let recipients = plinth.file("recipients.txt", format!("# the safe\n{}\n", other.to_public()));
    let own_recipient = own.to_public().to_string();
    let mut create = vec!["backup", "create", "acme", "--json", "--to", out.to_str().unwrap()];
    let refused = block_in_place(|| plinth.run(&[create.as_slice(), &["--recipient", "age1nonsense"]].concat()));
    assert!(refused.code == 1 && refused.errors.contains("is not a recipient of age"), "{}", refused.errors);
    create.extend(["--recipient", &own_recipient, "--recipients-file", &recipients]);
    let told = block_in_place(|| plinth.run(&create)).json();
    assert_eq!(told["encrypted"], true);
    let archive = told["file"].as_str().unwrap().to_owned();
    assert!(archive.ends_with(".tar.gz.age"), "{archive}");
    let whole = fs::read(&archive).unwrap();
    // Rows that were not encrypted lay elsewhere, and are gone.
    assert_eq!((leftovers(&out), leftovers(&plinth.path("data"))), (vec![], vec![]));
    let identity = |name: &str, identity: &Identity| {
        plinth.file(name, format!("# created: today\n{}\n", identity.to_string().expose_secret()))
    };
    let (own, foreign) = (identity("own.txt", &own), identity("foreign.txt", &foreign));
    let list = block_in_place(|| plinth.run(&["backup", "list", "--to", out.to_str().unwrap(), "--json"])).json();
    let item = &list["items"][0];
    assert_eq!((&item["encrypted"], &item["bytes"]), (&json!(true), &json!(whole.len())), "{list}");
    let verify = |arguments: &[&str]| {
        block_in_place(|| plinth.run(&[&["backup", "verify", archive.as_str()], arguments].concat()))
    };
    assert!(verify(&["--identity", &own]).output.contains("restored and intact"));
    for (arguments, expected) in [
        (&[][..], "is encrypted. Name the file of an identity"),
        (&["--identity", &foreign], "is encrypted to other recipients"),
        (&["--identity", &recipients], "Its line 2 is not an identity of age"),
        (&["--identity", "nowhere.txt"], "nowhere.txt cannot be read"),
    ] {
        let run = verify(arguments);
        assert!(run.code == 1 && run.errors.contains(expected), "{expected}: {}", run.errors);
    }
    let elsewhere = plinth.elsewhere(if plinth.postgres.is_some() { Engine::Postgres } else { Engine::Sqlite });
    let restore = |bytes: &[u8]| {
        let file = elsewhere.file("backup.tar.gz.age", bytes);
        block_in_place(|| elsewhere.run(&["backup", "restore", &file, "--identity", &own]))
    };
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    for bytes in [&whole[..60], &whole[..whole.len() / 2], &whole[..whole.len() - 1], &changed] {
        let run = restore(bytes);
        assert!(run.code == 1 && run.errors.contains("damaged or cut off"), "{}", run.errors);
    }
    assert_eq!(block_in_place(|| elsewhere.run(&["tenant", "list"]).done()).trim(), "There is no tenant yet.");
    assert!(restore(&whole).done().contains("42 records"));
    // The library's own reader and, where there is one, the tool see a file of tar within.
    let secret = other.to_string();
    let reader = age::decrypt(&secret.expose_secret().parse::<Identity>().unwrap(), &whole).unwrap();
    assert!(reader.starts_with(&[0x1f, 0x8b]));
    if let Ok(made) = Command::new("age").args(["-d", "-i", &own, &archive]).output() {
        assert!(made.stdout == reader, "{}", String::from_utf8_lossy(&made.stderr));
    }
}

/// Runs a command again and again, and kills it at points spread over its usual time.
pub(crate) fn killed_at_points(
    plinth: &Plinth,
    arguments: &[&str],
    usual: Duration,
    times: u32,
    mut after: impl FnMut(&Plinth),
) {
    for number in 0..times {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
        command.env_clear().args(arguments).arg("--data").arg(plinth.path("data"));
        if let Some(url) = &plinth.postgres {
            command.args(["--postgres", url]);
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(usual * number / times);
        let _ = child.kill();
        child.wait().unwrap();
        after(plinth);
    }
}

/// Folders of half-made things below a folder.
pub(crate) fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(".plinth-part") || name.starts_with(".new") {
            found.push(entry.path());
        } else if entry.path().is_dir() {
            found.extend(leftovers(&entry.path()));
        }
    }
    found
}
