//! The rule about accounts, over every property of an account and every way of writing it.

use super::authority::CLERK;
use context::request_context::RequestContext;
use database::Tx;
use query::request::{FieldsRequest, ItemRef};
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeSet;
use testing::Server;

/// A property's part in the rule about accounts.
#[derive(Clone, Copy, PartialEq)]
enum Guard {
    /// It decides about no right.
    Free,
    /// It decides who has the account: it needs the account's rights.
    Rights,
    /// It changes with the permission `admin` alone.
    Admin,
}

/// Every property of an account, a value that each account of these tests lacks, and its guard.
fn each_property() -> [(&'static str, Json, Guard); 10] {
    [
        ("user_id", json!("taken@acme.test"), Guard::Rights),
        ("user_name", json!("Renamed"), Guard::Free),
        ("password", json!("a password of the thief"), Guard::Admin),
        ("phone", json!("+420601234567"), Guard::Rights),
        ("timezone", json!("Asia/Tokyo"), Guard::Free),
        ("roles", json!(["guest"]), Guard::Admin),
        ("user_group", json!("red"), Guard::Admin),
        ("login_expired", json!(true), Guard::Admin),
        ("valid_from", json!("2020-01-01T00:00:00Z"), Guard::Admin),
        ("valid_to", json!("2030-01-01T00:00:00Z"), Guard::Admin),
    ]
}

/// By each way of writing it: as it is, by each operator, and with the whole account.
fn ways(name: &str, value: &Json, whole: &Json) -> [(&'static str, Json); 4] {
    let mut put = whole.clone();
    put[name] = value.clone();
    [
        ("PATCH", json!({name: value})),
        ("PATCH", json!({format!("{name}+="): value})),
        ("PATCH", json!({format!("{name}+=="): value})),
        ("PUT", put),
    ]
}

#[spec("A074", "D-12")]
async fn each_property_of_an_account_is_guarded_however_it_is_written(server: Server) {
    let (admin, clerk) = (server.admin(), server.role("clerk", CLERK).await);
    for (account, has_more) in [("admin", true), ("reader", false)] {
        let path = format!("collection/user/{}", server.user(account).await);
        let shown = admin.get(&format!("{path}?propsMeta=*")).await.is(200).json();
        let known: BTreeSet<&str> = each_property().map(|(name, ..)| name).into();
        let told = shown["_propsMeta"].as_object().unwrap();
        // Nobody sees a password, and nobody changes what identifies a row.
        let changes = told.keys().map(String::as_str).filter(|name| !["id", "uuid"].contains(name));
        let told: BTreeSet<&str> = changes.chain(["password"]).collect();
        assert_eq!(told, known, "a new property of accounts needs a row above");
        for (name, value, guard) in each_property() {
            let may = guard == Guard::Free || (guard == Guard::Rights && !has_more);
            let mut done = 0;
            let whole = admin.get(&path).await.json();
            for (method, body) in ways(name, &value, &whole) {
                let before = admin.get(&path).await.json();
                let reply = clerk.request(method, &path).json(&body).send().await;
                let after = admin.get(&path).await.json();
                let context = format!("{method} {body} of {account}: {} {}", reply.status, reply.text);
                if may {
                    // Not every kind has every operator.
                    assert!(matches!(reply.status, 200 | 400), "{context}");
                    done += usize::from(reply.status == 200);
                } else {
                    // An operator that the kind lacks is refused before anyone is asked.
                    let lacks = reply.status == 400 && body.get(name).is_none();
                    assert!(reply.status == 403 || lacks, "{context}");
                    assert_eq!(after, before, "{context}");
                    done += usize::from(reply.status == 403);
                }
                // A change is taken back, so that each way has something to change.
                let back = json!({name: if name == "user_id" { json!(format!("{account}@acme.test")) } else { whole[name].clone() }});
                admin.patch(&path, back).await.is(200);
            }
            assert!(done >= 2, "{name} of {account}: {done} ways were judged");
        }
    }
    for (name, value, guard) in each_property() {
        let mut account = json!({"user_id": format!("{name}@acme.test"), "user_name": "New"});
        account[name] = value;
        let made = clerk.post("collection/user", account).await;
        assert_eq!(made.status, if guard == Guard::Admin { 403 } else { 201 }, "POST with {name}: {}", made.text);
    }
}

/// The operator's import has all rights, as the page says: nobody runs it by HTTP.
#[spec("D-12")]
async fn an_import_changes_each_property_but_the_password(server: Server) {
    let id = server.user("admin").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("users.jsonl");
    for (name, value, _) in each_property() {
        let mut row = json!({"id": id});
        row[name] = value.clone();
        std::fs::write(&file, row.to_string()).unwrap();
        let arguments = ["import", "user", file.to_str().unwrap(), "--mode", "update", "--key", "id"];
        let (done, said) = server.command(env!("CARGO_BIN_EXE_plinth"), &arguments).await;
        assert_eq!(done, name != "password", "{name}: {said}");
        let shown = move |tx: &mut Tx<'_>, call: &RequestContext| {
            let item = ItemRef::Id(id);
            resources::get(tx, call, "user", &item, &FieldsRequest::default())
        };
        let shown: Json = serde_json::from_slice(&server.look(shown).await).unwrap();
        if name == "password" {
            assert!(said.contains("assword"), "{said}");
        } else if name.starts_with("valid_") {
            assert!(!shown[name].is_null(), "{shown}");
        } else {
            assert_eq!(shown[name], value, "{said}");
        }
    }
}
