//! The collections below `/api/ext/v1/`: what differs from the contract's address. All that is alike is tested there, by
//! half of the requests of all tests (`testing::Client`).

use serde_json::json;
use spec::spec;
use std::io::Read as _;
use testing::{Client, Reply, Server, form};

const ARTICLES: &str = "/api/ext/v1/collection/article";

#[spec("E-002", "E-004")]
async fn an_empty_list_is_a_list(server: Server) {
    let admin = server.admin();
    let stats = json!({"page": 1, "itemsPerPage": 25, "fetched": 0, "total": 0});
    for reply in [
        admin.get(ARTICLES).await,
        admin.post("/api/ext/v1/collection/article/search", json!({})).await,
        admin.post("/api/ext/v1/collection/article/select", json!({"showFields": ["name"]})).await,
    ] {
        let page = reply.is(200).json();
        assert_eq!(
            (&page["data"], &page["stats"]["total"], &page["stats"]["fetched"]),
            (&json!([]), &json!(0), &json!(0))
        );
        assert_eq!(page["stats"].as_object().unwrap().len(), stats.as_object().unwrap().len());
    }
    for (path, member) in [("tags", "data"), ("notifications", "items")] {
        let page = admin.get(&format!("/api/ext/v1/collection/{path}")).await.is(200).json();
        assert_eq!(page[member], json!([]), "{path}");
    }
    admin.at_contract().get("collection/article").await.is(204);
}

#[spec("E-003", "D-5")]
async fn errors_have_details_whatever_is_accepted(server: Server) {
    let admin = server.admin().with("accept", "application/json");
    let reply = admin.post(ARTICLES, json!({"nam": "x"})).await.is(400);
    assert_eq!(reply.header("content-type"), "application/problem+json");
    assert_eq!((reply.at("/code"), reply.at("/status")), (json!("property_unknown"), json!(400)));
    assert_eq!(reply.at("/errors/0/property"), "nam");
    server.client().get(ARTICLES).await.is(403).says("\"code\":\"key_invalid\"");
    admin.request("SEARCH", ARTICLES).send().await.is(405).says("\"code\":\"method_not_allowed\"");
    admin.get(&format!("{ARTICLES}/%00")).await.is(404).says("\"code\":\"not_found\"");
    admin.get(&format!("{ARTICLES}/1/2/3/4")).await.is(404).says("\"status\":404");
    for route in ["bulk", "export", "import", "job", "key", "session", "setting", "view"] {
        admin.get(&format!("/api/ext/v1/{route}/%01")).await.is(404).says("\"code\":\"not_found\"");
    }
    // Older routes keep their form.
    let old = admin.get("/api/ext/v1/audit?nothing=1").await.is(400).json();
    assert_eq!(old.as_object().unwrap().keys().collect::<Vec<_>>(), ["message"]);
}

/// One key has three spellings, at every address. Two that differ are none.
#[spec("E-008", "D-8")]
async fn a_key_may_be_a_bearer_token(server: Server) {
    let key = server.key("admin").await;
    let other = server.key("reader").await;
    let bearer = server.client().with("authorization", &format!("Bearer {key}"));
    for path in ["/api/v1/app/user.current", "/api/ext/v1/openapi.json", ARTICLES] {
        bearer.get(path).await.is(200);
        bearer.with("key", &key).with("x-api-key", &key).get(path).await.is(200);
        bearer.with("key", &other).get(path).await.is(403);
        server.client().with("authorization", "Bearer x").get(path).await.is(403);
        server.client().with("key", &key).with("authorization", "Basic eDp5").get(path).await.is(200);
    }
    assert_eq!(bearer.get("/api/v1/auth").await.is(200).at("/status"), "valid");
}

#[spec("E-005")]
async fn a_write_answers_as_its_sender_prefers(server: Server) {
    let admin = server.admin();
    let created = admin.post(ARTICLES, json!({"name": "a"})).await.is(201);
    let location = format!("{ARTICLES}/{}", created.at("/id"));
    assert_eq!(created.header("location"), location);
    let brief = admin.with("prefer", "return=minimal");
    let created = brief.post(ARTICLES, json!({"name": "b"})).await.is(201);
    assert_eq!((created.text.as_str(), created.header("preference-applied")), ("", "return=minimal"));
    assert_eq!(admin.get(created.header("location")).await.is(200).at("/name"), "b");
    let patched = brief.patch(&location, json!({"name": "c"})).await.is(204);
    assert_eq!(patched.header("etag"), admin.get(&location).await.is(200).header("etag"));
    brief.put(&location, json!({"name": "d"})).await.is(204);
    let strict = admin.with("prefer", "handling=strict, respond-async");
    strict.patch(&location, json!({"name": "e"})).await.is(400).says("respond-async");
    admin.with("prefer", "respond-async").patch(&location, json!({"name": "f"})).await.is(200);
    // The contract knows no preference.
    brief.at_contract().patch(&location.replace("/ext/", "/"), json!({"name": "g"})).await.is(200).says("\"g\"");
    assert_eq!(admin.get(&location).await.is(200).at("/name"), "g");
}

#[spec("E-006", "D-23")]
async fn operators_of_a_patch_have_members_of_their_own(server: Server) {
    let admin = server.admin();
    let row = admin.create("article", json!({"name": "a", "views": 1, "labels": ["red"]})).await;
    let path = format!("{ARTICLES}/{}", row["id"]);
    let patch = json!({"name": "b", "_add": {"views": 2, "labels": ["red"]}});
    let row = admin.patch(&path, patch).await.is(200).json();
    assert_eq!((&row["name"], &row["views"], &row["labels"]), (&json!("b"), &json!(3), &json!(["red", "red"])));
    let row =
        admin.patch(&path, json!({"_addMissing": {"labels": ["red", "blue"]}, "views+=": 1})).await.is(200).json();
    assert_eq!((&row["views"], &row["labels"]), (&json!(4), &json!(["red", "red", "blue"])));
    for (body, code) in [
        (json!({"_add": {"views": 1}, "views+=": 1}), "member_twice"),
        (json!({"_add": [1]}), "operator_invalid"),
        (json!({"_add": {"nothing": 1}}), "property_unknown"),
    ] {
        assert_eq!(admin.patch(&path, body.clone()).await.is(400).at("/code"), code, "{body}");
    }
    // By contract, these are names of properties that are not there.
    let contract = admin.at_contract();
    contract.patch(&path.replace("/ext/", "/"), json!({"_add": {"views": 1}})).await.is(400).says("_add");
}

#[spec("E-007")]
async fn browsers_may_send_and_read_more_headers(server: Server) {
    let client = server.client().with("origin", "https://shop.example").with("access-control-request-method", "PATCH");
    let allowed = async |path: &str| {
        let reply = client.request("OPTIONS", path).send().await.is(204);
        reply.header("access-control-allow-headers").to_owned()
    };
    let contract = allowed("/api/v1/collection/article").await;
    assert_eq!(contract, "Content-Type, Authorization, key, x-api-key, x-custom-auth-headers");
    for path in [ARTICLES, "/t/acme/api/ext/v1/collection/article", "/api/ext/v1/audit"] {
        let more = allowed(path).await;
        assert!(more.starts_with(&contract), "{more}");
        for name in ["If-Match", "Idempotency-Key", "Traceparent"] {
            assert!(more.contains(name), "{name} in {more}");
        }
    }
    let read = server.admin().with("origin", "https://shop.example").get(ARTICLES).await.is(200);
    assert!(read.header("access-control-expose-headers").contains("Location"));
    assert_eq!(read.header("access-control-allow-origin"), "*");
    assert_eq!(read.header("access-control-allow-credentials"), "");
}

#[spec("E-009")]
async fn the_description_has_a_profile(server: Server) {
    let admin = server.admin();
    let path = "/api/ext/v1/openapi.json";
    let own = admin.get(path).await.is(200);
    assert_eq!(own.text, admin.get(&format!("{path}?profile=extended")).await.is(200).text);
    own.says("listArticle").says(ARTICLES).lacks("/api/v1/collection/");
    let contract = admin.get(&format!("{path}?profile=contract")).await.is(200);
    contract.says("article.list").says("/api/v1/collection/article").lacks(ARTICLES);
    admin.get(&format!("{path}?profile=x")).await.is(400).says("extended or contract");
    admin.get(&format!("{path}?x=1")).await.is(400);
}

#[spec("E-001", "E-005")]
async fn resources_are_written_and_found(server: Server) {
    let admin = server.admin();
    let made = admin.post(ARTICLES, json!({"name": "a", "code": "A"})).await.is(201);
    let path = made.header("location").to_owned();
    let row = admin.get("/api/ext/v1/collection/article/get-by/code/A").await.is(200);
    assert_eq!((row.text.as_str(), row.header("etag")), (made.text.as_str(), made.header("etag")));
    let current = admin.with("if-match", made.header("etag"));
    let row = current.put(&path, json!({"name": "b"})).await.is(200);
    assert_eq!((row.at("/name"), row.at("/code")), (json!("b"), json!(null)));
    current.patch(&path, json!({"name": "c"})).await.is(412).says("\"code\":\"resource_changed\"");
    admin.delete(&path).await.is(204);
    admin.get(&path).await.is(404).says("\"status\":404");
}

#[spec("E-001", "E-004", "E-005")]
async fn tags_and_notifications_are_there(server: Server) {
    let admin = server.admin();
    let made = admin.post("/api/ext/v1/collection/tags", json!({"name": "Hot", "code": "hot"})).await.is(201);
    let path = format!("/api/ext/v1/collection/tags/{}", made.at("/id").as_str().unwrap());
    assert_eq!(made.header("location"), path);
    let asked = json!({"search": "ho"});
    let found = admin.post("/api/ext/v1/collection/tags/search", asked).await.is(200);
    assert_eq!((found.at("/data/0/code"), found.at("/stats/total")), (json!("hot"), json!(1)));
    admin.put(&path, json!({"name": "Warm"})).await.is(200).says("Warm");
    admin.with("prefer", "return=minimal").patch(&path, json!({"name": "Cold"})).await.is(204);
    admin.get("/api/ext/v1/collection/tags").await.is(200).says("Cold");
    admin.get(&path).await.is(200).says("Cold");
    admin.delete(&path).await.is(204);

    let user = server.user("admin").await;
    let message = json!({"recipients": [{"userId": user}], "title": "Hello"});
    admin.post("/api/ext/v1/notifications", message).await.is(201);
    let list = admin.get("/api/ext/v1/collection/notifications").await.is(200);
    let path = format!("/api/ext/v1/collection/notifications/{}", list.at("/items/0/id"));
    admin.get(&path).await.is(200).says("Hello");
    admin.patch(&path, json!({"read": true})).await.is(200).says("\"read\":true");
}

/// The text of a body in gzip.
fn unpacked(reply: &Reply) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(&reply.bytes[..]).read_to_string(&mut text).unwrap();
    text
}

#[spec("E-013", "D-26")]
async fn long_answers_come_in_gzip_for_who_takes_it(server: Server) {
    let admin = server.admin();
    for number in 0..60 {
        admin.create("article", json!({"name": format!("article {number}")})).await;
    }
    let path = format!("{ARTICLES}?perPage=60");
    let gzip = admin.with("accept-encoding", "br, gzip");
    let plain = admin.get(&path).await.is(200);
    assert_eq!((plain.header("content-encoding"), plain.header("vary").contains("Accept-Encoding")), ("", true));
    for _ in 0..2 {
        let packed = gzip.get(&path).await.is(200);
        assert_eq!((packed.header("content-encoding"), packed.header("content-type")), ("gzip", "application/json"));
        assert!(packed.bytes.len() * 4 < plain.bytes.len(), "{} of {}", packed.bytes.len(), plain.bytes.len());
        assert_eq!(unpacked(&packed), plain.text);
        // Another representation has another tag, and both are of the same state.
        let tag = packed.header("etag");
        assert_eq!(tag, plain.header("etag").trim_end_matches('"').to_owned() + "1f8b\"");
        for client in [&gzip, &admin] {
            let known = client.with("if-none-match", tag).get(&path).await.is(304);
            assert_eq!(known.header("content-encoding"), "");
        }
        gzip.with("if-none-match", plain.header("etag")).get(&path).await.is(304);
    }
    let one = format!("{ARTICLES}/1");
    admin.patch(&one, json!({"body": "long ".repeat(1_000)})).await.is(200);
    let packed = gzip.get(&one).await.is(200);
    assert_eq!(packed.header("content-encoding"), "gzip");
    let changed = admin.with("if-match", packed.header("etag")).patch(&one, json!({"name": "b"})).await.is(200);
    admin.with("if-match", packed.header("etag")).patch(&one, json!({"name": "c"})).await.is(412);
    assert_eq!(changed.header("content-encoding"), "");
    // Short answers, refusals, other codings, and the contract's address.
    for (client, path) in [
        (&gzip, format!("{ARTICLES}?perPage=1&page=2")),
        (&admin.with("accept-encoding", "gzip;q=0, *"), path.clone()),
        (&admin.with("accept-encoding", "br"), path.clone()),
        (&gzip, "/api/v1/collection/article?perPage=60".to_owned()),
    ] {
        let reply = client.at_contract().get(&path).await.is(200);
        assert_eq!(reply.header("content-encoding"), "", "{path}");
    }
    let head = gzip.request("HEAD", &path).send().await.is(200);
    assert_eq!((head.header("content-encoding"), head.bytes.len()), ("gzip", 0));
}

#[spec("E-014", "D-27")]
async fn a_precondition_may_stand_in_the_address(server: Server) {
    let admin = server.admin();
    admin.create("article", json!({"name": "a"})).await;
    for path in ["/api/v1/collection/article/1", "/api/ext/v1/collection/article/1"] {
        let tag = admin.get(path).await.is(200).header("etag").to_owned();
        let with = |tag: &str| format!("{path}?{}", form(&[("_ifMatch", tag)]));
        admin.patch(&with(&tag), json!({"name": "b"})).await.is(200);
        admin.patch(&with(&tag), json!({"name": "c"})).await.is(412);
        admin.put(&with(&tag), json!({"name": "c"})).await.is(412);
        admin.delete(&with(&tag)).await.is(412);
        admin.patch(&with("nonsense"), json!({"name": "c"})).await.is(400).says("If-Match must be");
        let both = admin.with("if-match", &tag);
        both.patch(&with(&tag), json!({"name": "c"})).await.is(400).says("not as both");
        admin.patch(&format!("{path}?_ifMatch=*&_ifMatch=*"), json!({})).await.is(400).says("given twice");
        admin.patch(&format!("{path}?page=1"), json!({})).await.is(400).says("There is no parameter");
        admin.patch(&with("*"), json!({"name": "a"})).await.is(200);
    }
}

/// The version of the API that an answer names.
async fn version(client: &Client, path: &str) -> String {
    client.get(&format!("/api/ext/v1/{path}")).await.header("plinth-schema").to_owned()
}

#[spec("E-113")]
async fn answers_name_the_version_of_the_api_that_the_key_has(server: Server) {
    let (admin, editor) = (server.admin(), server.editor());
    let document = admin.get("/api/ext/v1/openapi.json").await.is(200);
    let own = document.header("plinth-schema").to_owned();
    assert_eq!((own.len(), document.at("/info/version")), (16, json!(own)));
    let types = admin.get("/api/ext/v1/client.ts").await.is(200);
    types.says(&format!("export const schema = \"{own}\";"));
    for path in ["collection/article", "collection/article/99", "collection/nothing", "collection/article?x=1", "job"] {
        assert_eq!(version(&admin, path).await, own, "{path}");
    }
    let others = version(&editor, "collection/article").await;
    assert!(others.len() == 16 && others != own);
    assert_eq!(
        version(&server.node().await.editor(), "collection/article").await,
        others,
        "it is the same on all nodes"
    );
    // Neither strangers nor the contract have one.
    assert_eq!(version(&server.client(), "collection/article").await, "");
    assert_eq!(version(&server.client().with("key", "wrong"), "collection/article").await, "");
    assert_eq!(admin.at_contract().get("collection/article").await.header("plinth-schema"), "");
    // A change that the key cannot see changes nothing for it.
    let secret = "id: 99\nname: secret\nproperties:\n  text: {id: 990, kind: pString}\n";
    server.change(&[("types/secret.yaml", secret)]).await;
    assert_eq!(version(&editor, "collection/article").await, others);
    let now = version(&admin, "collection/article").await;
    assert!(now.len() == 16 && now != own);
}

#[spec("E-113")]
async fn the_version_changes_with_what_all_grants_show(server: Server) {
    let role = |second: &str| {
        format!(
            "role: reader\nsystem: [restApi]\ntypes:\n  article:\n    show:\n      \
             - {{where: \"{{=id < 3}}\", fields: [name, code]}}\n      \
             - {{where: \"{{=id > 1}}\", fields: [{second}]}}\n"
        )
    };
    let reader = server.role("reader", &role("code")).await;
    let required = async || {
        let document = reader.get("/api/ext/v1/openapi.json").await.is(200);
        let required = document.at("/components/schemas/Article/required");
        let names = ["name", "code"].map(|name| required.as_array().is_some_and(|all| all.contains(&json!(name))));
        (names, document.header("plinth-schema").to_owned())
    };
    let (before, version) = required().await;
    assert_eq!(before, [false, true]);
    // The fields of both grants together are what they were.
    server.change(&[("roles/reader.yaml", &role("name"))]).await;
    let (after, changed) = required().await;
    assert_eq!(after, [true, false]);
    assert_ne!(changed, version);
    assert_eq!(self::version(&reader, "collection/article").await, changed);
}
