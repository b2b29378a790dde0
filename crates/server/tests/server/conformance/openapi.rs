//! The description of the API agrees with what is served.

use serde_json::json;
use spec::spec;
use testing::{Server, Subject};

#[spec("A139", "D-1", "E-001")]
async fn every_described_operation_is_served_and_no_other(server: Server) {
    for profile in ["contract", "extended"] {
        described_is_served(&server, profile).await;
    }
}

async fn described_is_served(server: &Server, profile: &str) {
    let admin = server.admin();
    let document = admin.get(&format!("/api/ext/v1/openapi.json?profile={profile}")).await.is(200).json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."));
    let item = admin.create("note", json!({"text": "A"})).await["id"].to_string();
    let mut operations = 0;
    for (path, operations_of) in document["paths"].as_object().unwrap() {
        let described = |method: &str| {
            let more = operations_of.get("x-oai-additionalOperations").and_then(|more| more.get(method));
            more.or_else(|| operations_of.get(method.to_lowercase())).is_some()
        };
        let concrete = path
            .replace(
                "{item}",
                if path.contains("get-by") {
                    "A"
                } else if path.contains("/note/") {
                    &item
                } else {
                    "999999"
                },
            )
            .replace("{id}", "999999")
            .replace("{link}", "absent")
            .replace("{name}", "absent")
            .replace("{automation}", "absent")
            .replace("{hook}", "absent")
            .replace("{property}", "text")
            .replace("{command}", "user.current");
        assert!(!concrete.contains('{'), "{path} has a parameter that this test does not know");
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "SEARCH"] {
            // Generated clients know no SEARCH: the description for them leaves it out.
            if method == "SEARCH" && profile == "extended" {
                continue;
            }
            let reply = admin.request(method, &concrete).send().await;
            if described(method) {
                operations += 1;
                assert!(![405, 501, 500].contains(&reply.status), "{method} {path}: {} {}", reply.status, reply.text);
            } else {
                // SEARCH on one resource is a 400 by contract, described nowhere.
                assert!([405, 400, 501].contains(&reply.status), "{method} {path}: {} is not described", reply.status);
            }
        }
    }
    assert!(operations > 20, "{operations}");
}

#[spec("D-3", "D-13")]
async fn the_description_shows_what_its_reader_may_do(server: Server) {
    let admin = server.admin().get("/api/ext/v1/openapi.json?profile=contract").await.is(200);
    assert!(admin.text.contains("/collection/country") && admin.text.contains("\"cost\""));
    server
        .reader()
        .get("/api/ext/v1/openapi.json?profile=contract")
        .await
        .is(200)
        .lacks("\"cost\"")
        .lacks("/collection/country");
    server.client().get("/api/ext/v1/openapi.json?profile=contract").await.is(403);
}

/// Whoever has the document is told that it stands, until the configuration or the reader's rights are others.
#[spec("D-27")]
async fn the_description_is_kept_until_it_changes(server: Server) {
    const PATH: &str = "/api/ext/v1/openapi.json?profile=contract";
    let admin = server.admin();
    let first = admin.get(PATH).await.is(200);
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.len() == 34, "{tag}");
    assert_eq!(first.header("cache-control"), "private, must-revalidate");
    let known = admin.with("if-none-match", &tag);
    let unchanged = known.get(PATH).await.is(304);
    assert_eq!((unchanged.text.as_str(), unchanged.header("etag")), ("", tag.as_str()));
    assert_eq!(known.with("cache-control", "no-cache").get(PATH).await.is(200).text, first.text);
    // Another reader has another document, and another address too; resources do not matter.
    admin.create("note", json!({"text": "A"})).await;
    let reader = server.reader();
    let narrow = reader.with("if-none-match", &tag).get(PATH).await.is(200);
    assert_ne!((narrow.header("etag"), &narrow.text), (tag.as_str(), &first.text));
    let elsewhere = known.get("/t/acme/api/ext/v1/openapi.json?profile=contract").await.is(200);
    assert_eq!(elsewhere.at("/servers/0/url"), "/t/acme");
    known.get(PATH).await.is(304);
    // A changed type, a changed role.
    let type_file = "id: 90\nname: invoice\nproperties:\n  total: {id: 990, kind: pInteger}\n";
    server.change(&[("types/invoice.yaml", type_file)]).await;
    let second = known.get(PATH).await.is(200).says("/collection/invoice");
    let tag = second.header("etag").to_owned();
    admin.with("if-none-match", &tag).get(PATH).await.is(304);
    // Another property alone: every right is as it was.
    server.change(&[("types/invoice.yaml", &format!("{type_file}  due: {{id: 991, kind: pDate}}\n"))]).await;
    admin.with("if-none-match", &tag).get(PATH).await.is(200).says("\"due\"");
    let clerk = server.role("clerk", "role: clerk\nsystem: [restApi]\ntypes:\n  invoice: {show: true}\n").await;
    clerk.get(PATH).await.is(200).says("invoice.list").lacks("invoice.create");
    server
        .change(&[(
            "roles/clerk.yaml",
            "role: clerk\nsystem: [restApi]\ntypes:\n  invoice: {show: true, edit: true}\n",
        )])
        .await;
    clerk.get(PATH).await.is(200).says("invoice.list").says("invoice.create");
    // A user's other role.
    let reader = server.reader();
    reader.get(PATH).await.is(200).lacks("invoice");
    server.set_user("reader", json!({"roles": ["reader", "clerk"]})).await;
    reader.get(PATH).await.is(200).says("invoice.list");
}

/// Two servers of one fixture describe the same: ids, order and words do not depend on the engine.
#[spec("R-033")]
async fn the_description_is_the_same_on_both_engines(engine: testing::Engine) {
    let other = match engine {
        testing::Engine::Sqlite => testing::Engine::Postgres,
        testing::Engine::Postgres => testing::Engine::Sqlite,
    };
    let read = async |engine| {
        let server = Server::on(engine).await;
        let document = server.admin().get("/api/ext/v1/openapi.json?profile=contract").await.is(200).json();
        document["paths"].to_string() + &document["components"].to_string()
    };
    assert_eq!(read(engine).await, read(other).await);
}

/// The types of a client are made for a key, as the description is.
#[spec("D-3", "D-13", "D-27", "E-080")]
async fn types_of_a_client_show_what_their_reader_may_do(server: Server) {
    const PATH: &str = "/api/ext/v1/client.ts";
    let admin = server.admin().get(PATH).await.is(200);
    assert_eq!(admin.header("content-type"), "text/plain; charset=utf-8");
    for part in
        ["export interface Article {", "    cost: number | null;", "country: CountryType;", "ArticlePatch = Partial<"]
    {
        assert!(admin.text.contains(part), "{part}: {}", admin.text);
    }
    let tag = admin.header("etag").to_owned();
    server.admin().with("if-none-match", &tag).get(PATH).await.is(304);
    let reader = server.reader().get(PATH).await.is(200).lacks("cost").lacks("Country");
    assert_ne!(reader.header("etag"), tag);
    server.admin().get("/api/ext/v1/client.ts?x=1").await.is(400);
    server.client().get(PATH).await.is(403);
    // Another right, other types.
    let clerk = server.role("clerk", "role: clerk\nsystem: [restApi]\ntypes:\n  note: {show: true}\n").await;
    clerk.get(PATH).await.is(200).says("export interface Note {").lacks("NoteCreate").lacks("Article");
    let all = "role: clerk\nsystem: [restApi]\ntypes:\n  note: {show: true, create: true}\n";
    server.change(&[("roles/clerk.yaml", all)]).await;
    clerk.get(PATH).await.is(200).says("export interface NoteCreate {").lacks("NotePatch");
}

/// A type is called like a noun of our own routes, and these keep their names.
#[spec("E-080")]
async fn operations_of_routes_keep_their_names_beside_types_of_the_same_name(engine: testing::Engine) {
    let types = ["job", "session", "setting", "view"];
    let files: Vec<_> = types
        .iter()
        .map(|name| (format!("types/{name}.yaml"), format!("name: {name}\nproperties:\n  text: {{kind: pString}}\n")))
        .collect();
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let names = async |files: &[(&str, &str)]| {
        let server = Server::with(engine, files).await;
        let document = server.admin().get("/api/ext/v1/openapi.json").await.is(200).json();
        let mut names = std::collections::BTreeMap::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap().iter().filter(|(method, _)| *method != "parameters") {
                names.insert(format!("{method} {path}"), operation["operationId"].as_str().unwrap().to_owned());
            }
        }
        names
    };
    let (before, after) = (names(&[]).await, names(&files).await);
    for (at, name) in &before {
        assert_eq!(after.get(at), Some(name), "{at}");
    }
    assert_eq!(after["get /api/ext/v1/job"], "listJob");
    for name in types {
        let own = &after[&format!("get /api/ext/v1/collection/{name}")];
        assert!(own.starts_with("list") && own.ends_with(|last: char| last.is_ascii_digit()), "{own}");
    }
}

#[spec("D-3", "E-080")]
async fn fields_that_all_rows_show_are_there(server: Server) {
    let clerk = "role: clerk\nsystem: [restApi]\ntypes:\n  article:\n    show:\n      \
        - {where: \"{=views == 1}\", fields: [name, views]}\n      - {where: \"{=views == 2}\", fields: [name, code]}\n";
    let types = server.role("clerk", clerk).await.get("/api/ext/v1/client.ts").await.is(200);
    types.says("    name: string").says("    views?: number").says("    code?: string");
}
