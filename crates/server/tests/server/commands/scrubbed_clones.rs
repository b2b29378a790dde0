//! Clones for tests: without people, keys and logs of the tenant that they are copies of.

use crate::commands::backups::killed_at_points;
use crate::commands::program::Plinth;
use serde_json::{Value as Json, json};
use spec::spec;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use testing::Client;
use tokio::task::block_in_place;

const PERSON: &str = "\
name: person
titleProperty: name
unique: [[email]]
properties:
  name:  {kind: pString, title: Name, required: true, personal: true, searchable: true}
  email: {kind: pEmail, title: E-mail, personal: true}
  code:  {kind: pString, title: Code, unique: true, personal: true, maxLength: 12}
  phone: {kind: pPhone, title: Phone, personal: true}
  born:  {kind: pDate, title: Born, personal: true, index: true}
  words: {kind: pText, title: Words, personal: true, searchable: true}
  photo: {kind: pFile, title: Photo, personal: true}
  scan:  {kind: pFile, title: Scan}
  city:  {kind: pString, title: City}
  sex:   {kind: pEnum, title: Sex, personal: true, options: [f, m]}
  label: {kind: pString, title: Label, calculate: \"{=name ~ ' of ' ~ city}\", index: true}
  team:  {kind: pRelation, title: Team, type: team}
";
const FILES: [(&str, &str); 6] = [
    ("acme/tenant.yaml", "tenant: acme\nhosts: [acme.test]\napi: {rate: 0}\n"),
    ("acme/types/person.yaml", PERSON),
    (
        "acme/types/team.yaml",
        "name: team\nproperties:\n  name: {kind: pString}\n  eldest: {kind: pRollup, relation: person.team, \
         function: min, property: born}\n",
    ),
    (
        "acme/types/patient.yaml",
        "name: patient\nlogReads: true\nproperties:\n  text: {kind: pString, personal: true}\n",
    ),
    ("acme/roles/all.yaml", "role: all\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n"),
    (
        "acme/automations/one.yaml",
        "automation: one\non: {event: person.created}\ndo:\n  - mail: {to: \"{=email}\", subject: \
         \"{=name}\", text: one}\n",
    ),
];
/// Texts that must not be in the clone, in lower case: of records, of the user, of files, of secrets.
const PLANTED: [&str; 9] = [
    "secretova",
    "ann.hidden@example.com",
    "420601999888",
    "confidential words",
    "hushed photo bytes",
    "hidden-photo",
    "ursula.hidden",
    "420777000111",
    "hush-hush",
];

impl Plinth {
    /// Makes the tenant acme; returns the key of an administrator.
    fn peopled(&self) -> String {
        FILES.iter().for_each(|(path, text)| _ = self.file(path, text));
        self.run(&["apply", self.path("acme").to_str().unwrap()]).done();
        self.run(&["user", "create", "ursula.hidden", "--name", "Ursula Secretova", "--role", "all"]).done();
        self.run_with(&["user", "password", "ursula.hidden", "--password-stdin"], b"hush-hush-password\n").done();
        self.run_with(&["secret", "set", "token", "--tenant", "acme"], b"hush-hush").done();
        self.run(&["key", "create", "ursula.hidden", "--tenant", "acme"]).done().trim().to_owned()
    }

    /// Returns all bytes of a tenant, those of columns in hexadecimal digits too.
    fn bytes_of(&self, tenant: &str) -> String {
        let mut bytes = Vec::new();
        if let Some(url) = &self.postgres {
            let schema = format!("plinth_{}", tenant.replace('-', "_"));
            let tables = format!(
                "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = '{schema}'::regnamespace;"
            );
            let tables = testing::postgres().ask(url, &tables);
            assert!(tables.lines().count() > 20, "{tables}");
            for table in tables.lines() {
                let rows = format!("SELECT t::text FROM {schema}.\"{table}\" AS t;");
                bytes.extend(testing::postgres().ask(url, &rows).bytes());
            }
        }
        read_below(&self.path("data").join("tenants").join(tenant), &mut bytes);
        read_below(&self.path("data").join("files").join(tenant), &mut bytes);
        String::from_utf8_lossy(&bytes).to_lowercase()
    }
}

fn read_below(folder: &Path, bytes: &mut Vec<u8>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        bytes.extend(entry.path().display().to_string().bytes());
        match entry.path().is_dir() {
            true => read_below(&entry.path(), bytes),
            false => bytes.extend(fs::read(entry.path()).unwrap()),
        }
    }
}

fn hexadecimal(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// Fills the tenant with data in which the planted texts are, in all places that keep some.
async fn fill(plinth: &Plinth, client: &Client) {
    let team = client.create("team", json!({"name": "red"})).await;
    for number in 1..=3 {
        let photo = client.promise("person/photo", "hidden-photo.txt", b"hushed photo bytes").await;
        let scan = client.promise("person/scan", "scan.txt", b"plain scan").await;
        let person = json!({
            "name": format!("Ann Secretova {number}"), "email": format!("{number}.ann.hidden@example.com"),
            "code": format!("Code {}", 4 - number), "phone": "+420601999888", "born": "1911-02-03",
            "words": "Confidential words", "photo": photo, "scan": scan, "city": "Brno", "sex": "f", "team": team["id"],
        });
        client.create("person", person).await;
    }
    // Its code is what another one's will be.
    client.create("person", json!({"name": "Secretova", "code": "Code 4"})).await;
    let user = client.get("app/user.current").await.is(200).json();
    let own = format!("collection/user/{}", user["id"]);
    client.patch(&own, json!({"phone": "+420777000111"})).await;
    client.create("patient", json!({"text": "Secretova"})).await;
    client.get("collection/patient/1").await.is(200);
    client.post("/api/ext/v1/export/person?format=csv", Json::Null).await.is(202);
    let view = json!({"type": "person", "title": "Secretova", "state": {"filters": [], "orderBy": ["-name"]}});
    client.post("/api/ext/v1/view", view).await;
    let began = Instant::now();
    while !block_in_place(|| plinth.run(&["outbox", "list", "--json", "--tenant", "acme"])).output.contains("sent") {
        assert!(began.elapsed() < Duration::from_secs(60), "mails are sent");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[spec("E-191")]
async fn a_scrubbed_clone_has_nothing_of_people(plinth: Plinth) {
    let key = block_in_place(|| plinth.peopled());
    let server = block_in_place(|| plinth.start_with("serve", &[("PLINTH_DATA_POLL_INTERVAL", "1s")]));
    let client = server.client().with("key", &key);
    fill(&plinth, &client).await;
    let copied = block_in_place(|| {
        let told = plinth.run(&["tenant", "clone", "acme", "copy", "--scrub", "--json"]).json();
        assert_eq!((&told["tenant"], &told["scrubbed"]), (&json!("copy"), &json!(true)), "{told}");
        let original = plinth.bytes_of("acme");
        let bytes = plinth.bytes_of("copy");
        for planted in PLANTED {
            for text in [planted.to_owned(), hexadecimal(planted)] {
                assert!(!bytes.contains(&text), "{planted} is in the clone");
            }
        }
        assert!(
            original.contains("secretova") && original.contains("hushed photo bytes"),
            "the scan finds what is there"
        );
        assert!(bytes.contains("plain scan") && bytes.contains("brno"), "the rest is there");
        assert!(plinth.run(&["audit", "verify", "--tenant", "copy"]).done().contains("intact"));
        for empty in ["secret", "key"] {
            let listed = plinth.run(&[empty, "list", "--json", "--tenant", "copy"]).json();
            assert_eq!(listed["items"], json!([]), "{empty}: {listed}");
        }
        let users = plinth.run(&["user", "list", "--json", "--tenant", "copy"]).json();
        let login = users["items"][0]["user"].as_str().unwrap().to_owned();
        assert!(login.starts_with("user-") && login.ends_with("@example.invalid"), "{users}");
        plinth.run(&["key", "create", &login, "--tenant", "copy"]).done().trim().to_owned()
    });
    let at = |path: &str| format!("/t/copy/api/v1/{path}");
    let began = Instant::now();
    let original = client;
    let client = server.client().with("key", &copied);
    while client.get(&at("collection/person/1")).await.status != 200 {
        assert!(began.elapsed() < Duration::from_secs(60), "the clone is served");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    original.get(&at("collection/person/1")).await.is(403);
    let person = client.get(&at("collection/person/2")).await.is(200).json();
    for (name, value) in [
        ("name", json!("Person 2")),
        ("email", json!("person-2@example.invalid")),
        ("code", json!("Code 2")),
        ("phone", json!("+999000000002")),
        ("words", json!("Words 2")),
        ("born", json!("1950-01-03")),
        ("photo", Json::Null),
        ("city", json!("Brno")),
        ("label", json!("Person 2 of Brno")),
    ] {
        assert_eq!(person[name], value, "{name}: {person}");
    }
    let scan = client.get(person["scan"]["url"].as_str().unwrap()).await.is(200);
    assert_eq!(&scan.bytes[..], b"plain scan");
    let fourth = client.get(&at("collection/person/4")).await.is(200).json();
    assert_eq!([&fourth["code"], &fourth["email"]], [&json!("Code 4"), &Json::Null], "what had no value has none");
    assert_eq!(client.get(&at("collection/team/1")).await.is(200).json()["eldest"], "1950-01-02");
    // Search and counts are those of the new values.
    client.patch(&at("collection/person/2"), json!({"born": "1940-01-01"})).await.is(200);
    assert_eq!(client.get(&at("collection/team/1")).await.is(200).json()["eldest"], "1940-01-01");
    server.stop();
}

#[spec("E-191")]
async fn a_killed_scrub_leaves_no_tenant(plinth: Plinth) {
    block_in_place(|| {
        plinth.peopled();
        let rows: String = (0..200).map(|number| format!("Secretova {number}\n")).collect();
        plinth.file("rows.csv", format!("name\n{rows}"));
        plinth.run(&["import", "person", plinth.path("rows.csv").to_str().unwrap()]).done();
        let clone = ["tenant", "clone", "acme", "copy", "--scrub"];
        let begun = Instant::now();
        plinth.run(&clone).done();
        let usual = begun.elapsed();
        let remove = ["tenant", "delete", "copy", "--now", "--yes"];
        plinth.run(&remove).done();
        killed_at_points(&plinth, &clone, usual, 10, |plinth| {
            let again = plinth.run(&clone);
            assert!(again.code == 0 || again.errors.contains("exists already"), "{}{}", again.output, again.errors);
            let exported = plinth.run(&["export", "person", "--tenant", "copy"]).done();
            assert!(exported.lines().count() == 201 && !exported.contains("Secretova"), "{exported}");
            assert!(!plinth.bytes_of("copy").contains("secretova"));
            plinth.run(&remove).done();
        });
    });
}

#[test]
fn a_personal_property_needs_something_to_put_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let checked = |property: &str| {
        let types = folder.path().join("acme/types");
        fs::create_dir_all(&types).unwrap();
        fs::write(folder.path().join("acme/tenant.yaml"), "tenant: acme\n").unwrap();
        let text = format!("name: note\nproperties:\n  other: {{kind: pInteger}}\n  text: {{{property}}}\n");
        fs::write(types.join("note.yaml"), text).unwrap();
        let run = super::plinth(folder.path(), &["check", "acme"]);
        (run.code, format!("{}{}", run.out, run.err))
    };
    for good in [
        "kind: pString, personal: true",
        "kind: pFile, personal: true",
        "kind: pTime, unique: true, personal: true",
        "kind: pMonth, required: true, personal: true",
        "kind: pString, pattern: \"[A-Z]{3}\", personal: true",
    ] {
        assert_eq!(checked(good).0, 0, "{good}: {}", checked(good).1);
    }
    for (bad, says) in [
        (
            "kind: pString, required: true, pattern: \"[A-Z]{3}\", personal: true",
            "A scrubbed clone has no value for it",
        ),
        ("kind: pFile, required: true, personal: true", "A scrubbed clone has no value for it"),
        // A day has 86,400 seconds.
        ("kind: pTime, required: true, unique: true, personal: true", "too few of them that differ"),
        ("kind: pMonth, required: true, unique: true, personal: true", "too few of them that differ"),
        ("kind: pInteger, calculate: \"{=other * 2}\", personal: true", "made by the platform"),
        ("kind: pString, personal: maybe", "personal"),
    ] {
        let (code, said) = checked(bad);
        assert!(code != 0 && said.contains(says), "{bad}: {said}");
    }
}

/// Types whose calculations fail on made-up values, which are longer than those that were given.
const NARROW: [(&str, &str); 4] = [
    ("acme/tenant.yaml", "tenant: acme\n"),
    (
        "acme/types/person.yaml",
        "name: person\ntitle: Name of a contact\ntitleProperty: name\nproperties:\n  \
         name:  {kind: pString, personal: true}\n  \
         label: {kind: pString, calculate: \"{=name}\", index: true, searchable: true}\n  \
         woken: {kind: pTime, personal: true}\n  team:  {kind: pRelation, type: team}\n",
    ),
    (
        "acme/types/card.yaml",
        "name: card\nproperties:\n  person: {kind: pRelation, type: person}\n  \
         text: {kind: pString, maxLength: 12, calculate: \"{=person.label ?? 'a text without a label'}\"}\n",
    ),
    (
        "acme/types/team.yaml",
        "name: team\nproperties:\n  \
         first: {kind: pRollup, relation: person.team, function: min, property: woken}\n  \
         short: {kind: pString, pattern: \"23:.*\", calculate: \"{=(first ?? '23:00') ~ ''}\"}\n",
    ),
];

#[spec("E-191")]
async fn a_calculation_that_fails_on_made_up_values_keeps_none_of_a_person(plinth: Plinth) {
    let key = block_in_place(|| {
        NARROW.iter().chain(&FILES[4..5]).for_each(|(path, text)| _ = plinth.file(path, text));
        plinth.run(&["apply", plinth.path("acme").to_str().unwrap()]).done();
        plinth.run(&["user", "create", "ann", "--role", "all"]).done();
        plinth.run(&["key", "create", "ann"]).done().trim().to_owned()
    });
    let server = block_in_place(|| plinth.start("serve"));
    let client = server.client().with("key", &key);
    for number in 1..=2 {
        let team = client.create("team", json!({})).await;
        let name = format!("Secretova {number}");
        let person = client.create("person", json!({"name": name, "woken": "23:59:47", "team": team["id"]})).await;
        let card = client.create("card", json!({"person": person["id"]})).await;
        assert_eq!(client.get(&format!("collection/card/{}", card["id"])).await.is(200).at("/text"), name);
        assert_eq!(client.get(&format!("collection/team/{}", team["id"])).await.is(200).at("/short"), "23:59:47");
    }
    block_in_place(|| {
        server.stop();
        plinth.run(&["tenant", "clone", "acme", "copy", "--scrub"]).done();
        let (original, bytes) = (plinth.bytes_of("acme"), plinth.bytes_of("copy"));
        for planted in ["secretova", "23:59:47"] {
            assert!(original.contains(planted), "the scan finds what is there");
            for text in [planted.to_owned(), hexadecimal(planted)] {
                assert!(!bytes.contains(&text), "{text} is in the clone");
            }
        }
        let people = plinth.run(&["export", "person", "--tenant", "copy"]).done();
        assert!(people.contains("Name of a contact 1"), "{people}");
    });
}
