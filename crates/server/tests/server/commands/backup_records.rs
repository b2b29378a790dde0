//! Records that come back from a backup, beside a server that runs: as they were, told, and twice the same.

use crate::commands::program::{Plinth, Run};
use age::secrecy::ExposeSecret;
use age::x25519::Identity;
use serde_json::{Value as Json, json};
use spec::spec;
use std::fs;
use testing::{Client, Engine, Process};
use tokio::task::block_in_place;

const INVOICE: &str = "name: invoice\ntitleProperty: number\nproperties:\n  \
    number: {kind: pString, unique: true, searchable: true}\n  count: {kind: pAutonumber}\n  \
    state:  {kind: pEnum, index: true, options: {open: {}, paid: {}}}\n  amount: {kind: pDecimal}\n  \
    client: {kind: pRelation, type: client, onDelete: setNull}\n  before: {kind: pRelation, type: invoice, onDelete: setNull}\n  \
    after:  {kind: pRelation, type: invoice, onDelete: setNull}\n  others: {kind: pRelations, type: invoice, onDelete: setNull}\n  \
    more:   {kind: pJson}\n  at: {kind: pDateTime}\n  twice: {kind: pDecimal, calculate: \"{=(amount ?? 0) * 2}\"}\n  \
    scan:   {kind: pFile}\n  pages: {kind: pFiles}\n";
const FILES: [(&str, &str); 6] = [
    ("tenant.yaml", "tenant: acme\napi: {rate: 0}\ntimezone: Europe/Prague\n"),
    ("roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n"),
    (
        "types/client.yaml",
        "name: client\nproperties:\n  name: {kind: pString}\n  \
         sum: {kind: pRollup, relation: invoice.client, function: sum, property: amount}\n",
    ),
    ("types/invoice.yaml", INVOICE),
    ("automations/tell.yaml", "automation: tell\non: {event: invoice.created}\ndo: [{stop: true}]\n"),
    ("automations/follow.yaml", "automation: follow\non: {event: invoice.updated}\ndo: [{stop: true}]\n"),
];

/// A tenant with invoices, and a server that serves it.
struct Office {
    server: Process,
    client: Client,
    archive: String,
}

impl Plinth {
    /// Makes the tenant, its server and so many invoices, and backs it up.
    async fn office(&self, invoices: i64) -> Office {
        let key = block_in_place(|| {
            FILES.iter().for_each(|(path, text)| _ = self.file(&format!("acme/{path}"), text));
            self.apply();
            self.run(&["user", "create", "ann", "--role", "admin"]).done();
            self.run(&["key", "create", "ann"]).done().trim().to_owned()
        });
        let server = block_in_place(|| self.start("serve"));
        let client = server.client().with("key", &key);
        for name in ["one", "two"] {
            client.create("client", json!({"name": name})).await;
        }
        for number in 1..=invoices {
            let invoice = json!({
                "number": format!("INV-{}-{number:02}", 2025 + number % 2), "state": "open",
                "amount": format!("{number}.25"), "client": 1 + number % 2, "more": {"n": [number, 1.5, null]},
                "at": "2026-11-29T10:00:00.123Z", "before": if number > 1 { json!(number - 1) } else { Json::Null },
            });
            client.create("invoice", invoice).await;
        }
        let archive = block_in_place(|| self.archive(&[]));
        Office { server, client, archive }
    }

    fn apply(&self) {
        self.run(&["apply", self.path("acme").to_str().unwrap(), "--allow-loss"]).done();
    }

    fn archive(&self, arguments: &[&str]) -> String {
        let out = self.path("out");
        let create = ["backup", "create", "acme", "--json", "--to", out.to_str().unwrap()];
        let told = self.run(&[&create[..], arguments].concat());
        assert_eq!(told.code, 0, "{}", told.errors);
        told.json()["file"].as_str().unwrap().to_owned()
    }

    fn records(&self, archive: &str, arguments: &[&str]) -> Run {
        block_in_place(|| self.run(&[&["backup", "records", archive, "--type", "invoice"], arguments].concat()))
    }

    /// Returns the numbers that a run tells to programs, and the records before them.
    fn told(&self, archive: &str, arguments: &[&str]) -> (Vec<Json>, Json) {
        let run = self.records(archive, &[arguments, &["--json"]].concat());
        let mut lines: Vec<Json> = run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let numbers = lines.pop().unwrap_or_else(|| panic!("{}", run.errors));
        (lines, numbers)
    }

    fn runs(&self) -> usize {
        block_in_place(|| self.run(&["automation", "runs", "--json"]).json()["items"].as_array().unwrap().len())
    }

    fn restored_events(&self) -> Vec<Json> {
        let list = block_in_place(|| self.run(&["audit", "list", "--event", "records.restored", "--json"])).json();
        list["items"].as_array().unwrap().clone()
    }
}

/// Returns what a list shows of all invoices, without what each write changes.
async fn invoices(client: &Client) -> Vec<Json> {
    let list = client.get("collection/invoice?perPage=200&orderBy=id").await.is(200).json();
    let mut rows = list["data"].as_array().unwrap().clone();
    for row in &mut rows {
        for name in ["updated", "updatedBy", "version"] {
            row.as_object_mut().unwrap().shift_remove(name);
        }
        for file in ["scan", "pages"] {
            row[file] = Json::from(row[file].to_string().matches("\"hash\"").count());
        }
    }
    rows
}

fn numbers(told: &Json) -> [u64; 7] {
    ["matching", "missing", "differing", "same", "created", "changed", "refused"]
        .map(|name| told[name].as_u64().unwrap_or_else(|| panic!("{told}")))
}

#[spec("E-186", "E-187")]
async fn a_deletion_is_undone(plinth: Plinth) {
    let Office { server, client, archive } = plinth.office(40).await;
    let before = invoices(&client).await;
    let first = &before[4];
    let made = "collection/invoice/5?showFields=created,createdBy,version";
    let mut expected = client.get(made).await.is(200).json();
    for id in 5..=34 {
        client.delete(&format!("collection/invoice/{id}")).await.is(204);
    }
    assert_eq!(client.get("collection/client/1").await.at("/sum"), 121.25);
    let runs = plinth.runs();
    // Later records stay.
    client.create("invoice", json!({"number": "INV-2026-new", "state": "open", "client": 1, "amount": 1})).await;
    let (lines, told) = plinth.told(&archive, &[]);
    assert_eq!(numbers(&told), [40, 30, 1, 9, 0, 0, 0], "{told}");
    assert_eq!((told["new"].clone(), lines.len()), (json!(1), 31));
    assert_eq!(
        (&lines[0]["id"], &lines[0]["title"], &lines[0]["state"]),
        (&json!(5), &first["number"], &json!("missing"))
    );
    let plan = plinth.records(&archive, &[]).done();
    assert!(plan.contains("missing   5 INV-2026-05\n") && plan.contains("and 11 more: --json tells all"), "{plan}");
    assert!(
        plan.contains("30 missing today, 1 with other values, 9 the same\nnot in the archive, and staying: 1 record\n"),
        "{plan}"
    );
    assert!(plan.ends_with("Nothing was written: --apply writes it\n"), "{plan}");
    assert_eq!(invoices(&client).await.len(), 11, "nothing was written");
    let before_runs = plinth.runs();
    let applied = plinth.records(&archive, &["--apply"]).done();
    assert!(applied.ends_with("30 created again, 1 changed, 0 refused\n"), "{applied}");
    let mut after = invoices(&client).await;
    let new = after.pop().unwrap();
    assert_eq!(new["number"], "INV-2026-new");
    assert_eq!(after, before);
    expected["version"] = json!(2);
    assert_eq!(client.get(made).await.json(), expected);
    // Sums, full text and totals follow as after any write.
    assert_eq!(client.get("collection/client/1").await.at("/sum"), 426.0);
    let found =
        client.query("collection/invoice", &[("filters", r#"[{"property":"*","type":"search","param":"05"}]"#)]);
    assert_eq!(found.await.at("/stats/total"), 1);
    assert!(plinth.runs() == before_runs && before_runs == runs + 1, "no automation heard of it");
    let events = plinth.restored_events();
    assert_eq!((events.len(), &events[0]["via"]), (1, &json!("restore")));
    let details = &events[0]["details"];
    assert_eq!(
        (&details["type"], &details["created"], &details["changed"]),
        (&json!("invoice"), &json!(30), &json!(1))
    );
    // The second time there is nothing to do.
    let (lines, told) = plinth.told(&archive, &["--apply"]);
    assert_eq!((lines.len(), numbers(&told)), (0, [40, 0, 0, 40, 0, 0, 0]), "{told}");
    assert_eq!(plinth.restored_events().len(), 1);
    // New ones get numbers that none had.
    let made = client.create("invoice", json!({"number": "INV-2026-newer"})).await;
    assert_eq!((&made["id"], &made["count"]), (&json!(42), &json!("42")));
    block_in_place(|| server.stop());
}

#[spec("E-186", "E-187")]
async fn a_mistaken_change_is_undone(plinth: Plinth) {
    let Office { server, client, archive } = plinth.office(30).await;
    let before = invoices(&client).await;
    for id in 1..=30 {
        let change = json!({"state": "paid", "amount": 0, "more": {"n": id}, "client": null});
        client.patch(&format!("collection/invoice/{id}"), change).await.is(200);
    }
    let runs = plinth.runs();
    let some = ["--where", "{=startsWith(number, 'INV-2026')}"];
    let (lines, told) = plinth.told(&archive, &some);
    assert_eq!(numbers(&told), [15, 0, 15, 0, 0, 0, 0], "{told}");
    let difference = |name: &str| {
        let all = lines[0]["differences"].as_array().unwrap();
        all.iter().find(|of| of["property"] == name).unwrap_or_else(|| panic!("{}", lines[0])).clone()
    };
    assert_eq!(difference("state"), json!({"property": "state", "now": "paid", "then": "open"}));
    assert_eq!(difference("amount"), json!({"property": "amount", "now": "0.00", "then": "1.25"}));
    assert_eq!(difference("more")["then"], json!({"n": [1, 1.5, null]}));
    // Some properties alone, and automations that hear of it.
    let applied =
        plinth.records(&archive, &[&some[..], &["--property", "state,more", "--apply", "--with-automations"]].concat());
    assert!(applied.done().ends_with("0 created again, 15 changed, 0 refused\n"));
    let first = client.get("collection/invoice/1").await.json();
    assert_eq!((&first["state"], &first["amount"]), (&json!("open"), &json!(0.0)));
    assert_eq!(plinth.runs(), runs + 15);
    plinth.records(&archive, &["--apply"]).done();
    assert_eq!(invoices(&client).await, before);
    assert_eq!(plinth.runs(), runs + 15);
    let [first, second] = <[Json; 2]>::try_from(plinth.restored_events()).unwrap();
    assert_eq!((&second["details"]["automations"], &first["details"]["automations"]), (&json!(true), &json!(false)));
    let audit = block_in_place(|| plinth.run(&["audit", "verify"]).done());
    assert!(audit.contains("rows are intact"), "{audit}");
    block_in_place(|| server.stop());
}

#[spec("E-187", "E-188")]
async fn a_record_that_is_refused_is_told_and_the_others_come_back(plinth: Plinth) {
    let Office { server, client, archive } = plinth.office(6).await;
    for id in 1..=6 {
        client.delete(&format!("collection/invoice/{id}")).await.is(204);
    }
    client.create("invoice", json!({"number": "INV-2026-03"})).await;
    let run = plinth.records(&archive, &["--apply"]);
    assert_eq!(run.code, 1, "{}{}", run.output, run.errors);
    assert!(
        run.output.contains("missing   3 INV-2026-03\n          refused: Another Invoice has the same"),
        "{}",
        run.output
    );
    assert!(run.output.ends_with("5 created again, 0 changed, 1 refused\n"), "{}", run.output);
    assert!(run.errors.contains("1 of 6 records are refused."), "{}", run.errors);
    // What refers to it comes back without that, and is told of it.
    assert!(run.output.contains("before: the invoice 3 is missing today"), "{}", run.output);
    assert_eq!(client.get("collection/invoice/4").await.at("/before"), Json::Null);
    client.patch("collection/invoice/7", json!({"number": "other"})).await.is(200);
    let (lines, told) = plinth.told(&archive, &["--apply"]);
    assert_eq!(numbers(&told), [6, 1, 1, 4, 1, 1, 0], "{told}");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(client.get("collection/invoice/4").await.at("/before"), 3);
    let (_, told) = plinth.told(&archive, &["--property", "state,count,twice"]);
    let left_out = json!([
        {"property": "count", "reason": "it comes back with missing records alone"},
        {"property": "twice", "reason": "it is calculated"},
    ]);
    assert_eq!((&told["same"], &told["leftOut"]), (&json!(6), &left_out));
    // Wrong questions.
    for (arguments, says) in [
        (&["--where", "{=nmber == 1}"][..], "The condition cannot be used: "),
        (&["--property", "nothing"], "has no property \"nothing\""),
        (&["--into", "other"], "There is no tenant other."),
        (&["--with-automations"], "--apply"),
    ] {
        let run = plinth.records(&archive, arguments);
        assert!(run.code != 0 && run.errors.contains(says), "{says}: {}", run.errors);
    }
    for (of, says) in [("nothing", "The archive has no type \"nothing\""), ("user", "Accounts do not come back")] {
        let run = block_in_place(|| plinth.run(&["backup", "records", &archive, "--type", of]));
        assert!(run.code == 1 && run.errors.contains(says), "{says}: {}", run.errors);
    }
    block_in_place(|| server.stop());
    // Nothing is left of what was restored aside.
    let left = fs::read_dir(plinth.path("data")).unwrap().flatten();
    let left: Vec<_> = left.filter(|entry| entry.file_name().to_str().unwrap().starts_with(".plinth-part")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[spec("E-189")]
async fn relations_tags_and_files_come_back_as_far_as_they_can(plinth: Plinth) {
    let Office { server, client, .. } = plinth.office(6).await;
    // Some refer to others that come after them, and in a circle.
    client.patch("collection/invoice/1", json!({"after": 6, "others": [5, 3]})).await.is(200);
    let [scan, one, two] = [
        client.promise("invoice/scan", "scan.txt", b"the scan").await,
        client.promise("invoice/pages", "page.txt", b"page one").await,
        client.promise("invoice/pages", "page.txt", b"page two").await,
    ];
    client.patch("collection/invoice/2", json!({"scan": scan, "pages": [one, two]})).await.is(200);
    let [red, blue] =
        [client.create("tags", json!({"name": "red"})).await, client.create("tags", json!({"name": "blue"})).await];
    let (red, blue) = (red["id"].as_str().unwrap(), blue["id"].as_str().unwrap());
    let tag = json!({"type": "invoice", "item": 2, "operation": "add", "tags": [red, blue]});
    client.post("app/tags.assign", tag).await.is(200);
    let before = invoices(&client).await;
    let archive = block_in_place(|| plinth.archive(&[]));
    for id in 1..=6 {
        client.delete(&format!("collection/invoice/{id}")).await.is(204);
    }
    client.delete("collection/client/1").await.is(204);
    client.delete(&format!("collection/tags/{blue}")).await.is(204);
    let (lines, told) = plinth.told(&archive, &["--apply"]);
    assert_eq!(numbers(&told), [6, 6, 0, 0, 6, 0, 0], "{told}");
    let notes = |id: i64| lines.iter().find(|line| line["id"] == id).unwrap()["notes"].clone();
    assert_eq!(notes(2), json!(["client: the client 1 is missing today", format!("the tag {blue} is missing today")]));
    assert_eq!(notes(1), Json::Null);
    let mut expected = before;
    for (index, row) in expected.iter_mut().enumerate() {
        if index % 2 == 1 {
            row["client"] = Json::Null;
        }
    }
    assert_eq!(invoices(&client).await, expected);
    let second = client.get("collection/invoice/2").await.json();
    for (file, bytes) in [(&second["scan"], "the scan"), (&second["pages"][1], "page two")] {
        let reply = client.get(file["url"].as_str().unwrap()).await.is(200);
        assert_eq!(reply.bytes, bytes.as_bytes());
    }
    let tags = client.get("app/tags.object?type=invoice&item=2").await.is(200).json();
    assert_eq!(tags["tags"], json!([red]));
    // A file that was taken away from a record comes back, and one that stays is not brought again.
    client
        .patch("collection/invoice/2", json!({"pages": {"add": [], "remove": [second["pages"][0]["name"]]}}))
        .await
        .is(200);
    let (lines, told) = plinth.told(&archive, &["--apply"]);
    assert_eq!(numbers(&told), [6, 0, 1, 5, 0, 1, 0], "{told}");
    assert_eq!(lines[0]["notes"], json!(["client: the client 1 is missing today"]));
    let pages = client.get("collection/invoice/2").await.json()["pages"].clone();
    let read = client.get(pages[0]["url"].as_str().unwrap()).await.is(200);
    assert_eq!((read.bytes.as_ref(), pages.as_array().unwrap().len()), (&b"page one"[..], 2));
    // The client comes back, and then what leads to it.
    block_in_place(|| plinth.run(&["backup", "records", &archive, "--type", "client", "--apply"]).done());
    assert_eq!(numbers(&plinth.told(&archive, &["--apply"]).1), [6, 0, 3, 3, 0, 3, 0]);
    assert_eq!(client.get("collection/invoice/2").await.at("/client"), 1);
    block_in_place(|| server.stop());
}

#[spec("E-188")]
async fn an_encrypted_archive_gives_records_to_a_tenant_of_the_other_engine(plinth: Plinth) {
    let Office { server, client, .. } = plinth.office(8).await;
    let identity = Identity::generate();
    let recipient = identity.to_public().to_string();
    let key_file = plinth.file("key.txt", identity.to_string().expose_secret());
    let archive = block_in_place(|| plinth.archive(&["--recipient", &recipient]));
    let before = invoices(&client).await;
    block_in_place(|| server.stop());
    let refused = plinth.records(&archive, &[]);
    assert!(refused.code == 1 && refused.errors.contains("is encrypted. Name the file"), "{}", refused.errors);
    let other = plinth.elsewhere(if plinth.postgres.is_some() { Engine::Sqlite } else { Engine::Postgres });
    block_in_place(|| {
        other.run(&["backup", "restore", &archive, "--identity", &key_file, "--as", "branch"]).done();
    });
    let key = block_in_place(|| other.run(&["key", "create", "ann"]).done().trim().to_owned());
    let served = block_in_place(|| other.start("serve"));
    let client = served.client().with("key", &key);
    for id in 2..=7 {
        client.delete(&format!("collection/invoice/{id}")).await.is(204);
    }
    client.patch("collection/invoice/1", json!({"at": "2020-01-01T00:00:00Z"})).await.is(200);
    let arguments = ["--identity", &key_file, "--into", "branch", "--apply"];
    let (_, told) = other.told(&archive, &arguments);
    assert_eq!(numbers(&told), [8, 6, 2, 0, 6, 2, 0], "{told}");
    assert_eq!(invoices(&client).await, before);
    block_in_place(|| served.stop());
}

#[spec("E-188")]
async fn a_type_that_changed_since_takes_what_it_still_has(plinth: Plinth) {
    let Office { server, client, archive } = plinth.office(3).await;
    block_in_place(|| {
        // The file has its ids by now.
        let file = fs::read_to_string(plinth.path("acme/types/invoice.yaml")).unwrap();
        let lines = file.lines().map(|line| match line {
            line if line.starts_with("  more:") => "  since: {kind: pString, default: x}".to_owned(),
            line => line.replace("pDateTime", "pDate"),
        });
        plinth.file("acme/types/invoice.yaml", lines.collect::<Vec<_>>().join("\n"));
        plinth.apply();
    });
    client.delete("collection/invoice/2").await.is(204);
    let (_, told) = plinth.told(&archive, &["--apply", "--where", "{=id > 1}"]);
    assert_eq!(numbers(&told), [2, 1, 1, 0, 1, 1, 0], "{told}");
    let left_out = json!([
        {"property": "more", "reason": "the type does not have it any more"},
        {"property": "at", "reason": "it is of another kind now"},
    ]);
    assert_eq!(told["leftOut"], left_out);
    let second = client.get("collection/invoice/2").await.json();
    assert_eq!(
        (&second["number"], &second["since"], &second["count"]),
        (&json!("INV-2025-02"), &json!("x"), &json!("2"))
    );
    // A record of the same id that another one has today.
    block_in_place(|| {
        fs::remove_file(plinth.path("acme/types/invoice.yaml")).unwrap();
        fs::remove_dir_all(plinth.path("acme/automations")).unwrap();
        plinth.file("acme/types/client.yaml", "name: client\nproperties: {name: {kind: pString}}\n");
        plinth.apply();
    });
    let gone = plinth.records(&archive, &[]);
    assert!(gone.code == 1 && gone.errors.contains("The tenant acme has no type \"invoice\""), "{}", gone.errors);
    block_in_place(|| {
        plinth.file("acme/types/invoice.yaml", INVOICE);
        plinth.apply();
    });
    client.create("invoice", json!({"number": "another"})).await;
    let (lines, told) = plinth.told(&archive, &["--apply"]);
    assert_eq!(numbers(&told), [3, 2, 1, 0, 2, 0, 1], "{told}");
    assert_eq!(lines[0]["refused"], "Another record has its id today.", "{lines:?}");
    block_in_place(|| server.stop());
}
