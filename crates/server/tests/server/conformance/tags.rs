//! The tags collection: who sees and writes which tags.

use serde_json::{Value, json};
use spec::spec;
use testing::{Client, Server};

pub(crate) const MANAGER: &str =
    "role: manager\nsystem: [restApi, manageTags]\ntypes: {article: {show: true, edit: true}}\n";

/// Makes a tag; gives its id.
pub(crate) async fn tag(client: &Client, body: Value) -> String {
    client.create("tags", body).await["id"].as_str().unwrap().to_owned()
}

#[spec("R-037", "R-141", "R-145", "D-1")]
async fn a_tag_has_the_fields_that_its_reader_sees(server: Server) {
    let manager = server.role("manager", MANAGER).await;
    let parent = manager.create("tags", json!({"name": "Customers"})).await;
    let body = json!({
        "name": "VIP", "code": "vip", "color": "#2A7", "icon": "star", "parent": parent["id"],
        "description": "They pay", "types": ["article", 11], "order": 3,
    });
    let made = manager.create("tags", body).await;
    let id = made["id"].as_str().unwrap();
    assert!(id.len() <= 40 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)), "{id}");
    let expected = json!({
        "id": id, "code": "vip", "name": "VIP", "color": "#2a7", "icon": "star", "parent": parent["id"],
        "path": ["Customers", "VIP"], "private": false, "owner": server.user("manager").await,
        "description": "They pay", "types": ["article", "person"], "order": 3, "usage": 0,
        "created": made["created"], "updated": made["created"],
    });
    assert_eq!(made.to_string(), expected.to_string());
    let bare = json!({"code": null, "color": null, "icon": null, "parent": null, "path": ["Customers"], "types": null});
    for (name, value) in bare.as_object().unwrap() {
        assert_eq!(&parent[name], value, "{name}");
    }
    // Whoever has no manageTags sees nine fields; the others are as if they did not exist.
    let seen = server.reader().get(&format!("collection/tags/{id}")).await.is(200).json();
    let keys: Vec<_> = seen.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["id", "code", "name", "color", "icon", "parent", "path", "private", "owner"]);
    for field in ["description", "types", "order", "usage", "created", "updated"] {
        assert_eq!(seen.get(field), None);
        let hidden = server.reader().get(&format!("collection/tags?showFields={field}")).await.is(400).text.clone();
        let absent = server.reader().get("collection/tags?showFields=absent").await.is(400).text.clone();
        assert_eq!(hidden.replace(field, "absent"), absent);
    }
    // Instants stand in the reader's zone.
    assert!(made["created"].as_str().unwrap().ends_with("+01:00"), "{made}");
}

#[spec("R-142", "R-143", "R-144", "R-021", "D-17", "D-19")]
async fn tags_are_listed(server: Server) {
    let (admin, reader) = (server.admin(), server.reader());
    reader.get("collection/tags").await.is(204);
    let top = tag(&admin, json!({"name": "Žluťoučký", "code": "horse"})).await;
    let below = tag(&admin, json!({"name": "Kůň", "parent": top, "order": 2, "description": "neighs"})).await;
    let first = tag(&admin, json!({"name": "Zebra", "order": -1})).await;
    let list = reader.get("collection/tags?perPage=2").await.is(200);
    assert_eq!(list.at("/stats"), json!({"page": 1, "itemsPerPage": 2, "fetched": 2, "total": 3}));
    assert_eq!(list.json().as_object().unwrap().keys().collect::<Vec<_>>(), ["stats", "data"]);
    // By order, then by name.
    assert_eq!(list.column("id"), [json!(first), json!(top)]);
    assert_eq!(reader.get("collection/tags?perPage=2&page=2").await.is(200).column("id"), [json!(below)]);
    reader.get("collection/tags?perPage=2&page=3").await.is(204);
    assert_eq!(reader.get("collection/tags?perPage=100000").await.at("/stats/itemsPerPage"), 100);
    for (parameters, expected) in [
        ("search=ZLUTOUCKY", vec![&top]),
        ("search=kun", vec![&below]),
        ("search=HORS", vec![&top]),
        ("search=u", vec![&top, &below]),
        ("search=neighs", vec![]),
        ("search=%25", vec![]),
        ("search=", vec![&first, &top, &below]),
        ("parent=", vec![&first, &top]),
        (&format!("parent={top}"), vec![&below]),
        (&format!("parent={below}"), vec![]),
        ("parent=horse", vec![]),
        ("parent=nothing", vec![]),
        ("parent=%C5%BE", vec![]),
        (&format!("parent={top}&search=zebra"), vec![]),
    ] {
        let found = reader.get(&format!("collection/tags?{parameters}")).await;
        assert_eq!(found.column("id"), expected.iter().map(|id| json!(id)).collect::<Vec<_>>(), "{parameters}");
        let body: serde_json::Map<String, Value> =
            parameters.split('&').map(|pair| pair.split_once('=').unwrap()).map(decoded).collect();
        let searched = reader.search("collection/tags", Value::Object(body)).await;
        assert_eq!((searched.status, &searched.text), (found.status, &found.text), "{parameters}");
    }
    assert_eq!(admin.get("collection/tags?search=neighs").await.is(200).column("id"), [json!(below)]);
    let row = reader.get("collection/tags?showFields=name,path&parent=").await.is(200).at("/data/1");
    assert_eq!(row.to_string(), json!({"id": top, "name": "Žluťoučký", "path": ["Žluťoučký"]}).to_string());
    let row = reader.get("collection/tags/horse?hideFields=id,owner,icon,color,parent").await.is(200).json();
    assert_eq!(row.as_object().unwrap().keys().collect::<Vec<_>>(), ["code", "name", "path", "private"]);
    for request in ["page=0", "perPage=x", "filters=[]", "orderBy=name", "absent=1", "parent=a&parent=b", "search=%00"]
    {
        reader.get(&format!("collection/tags?{request}")).await.is(400);
    }
    reader.search("collection/tags", json!({"parent": 7})).await.is(400).says("parent");
    server.client().get("collection/tags").await.is(403);
    let validated = reader.get("collection/tags").await.is(200);
    reader.with("if-none-match", validated.header("etag")).get("collection/tags").await.is(304);
}

fn decoded((name, value): (&str, &str)) -> (String, Value) {
    (name.to_owned(), json!(percent_encoding::percent_decode_str(value).decode_utf8().unwrap()))
}

#[spec("R-146", "R-147", "D-6", "D-26")]
async fn a_tag_lives(server: Server) {
    let admin = server.admin();
    let made = admin.post("collection/tags", json!({"name": " VIP ", "code": "vip", "id": "mine"})).await.is(201);
    let id = made.at("/id").as_str().unwrap().to_owned();
    assert_ne!(id, "mine");
    let path = format!("collection/tags/{id}");
    // By id or by code, which need not be numbers.
    assert_eq!(admin.get(&path).await.is(200).text, made.text);
    assert_eq!(admin.get("collection/tags/vip").await.is(200).text, made.text);
    assert_eq!(admin.get(&path).await.header("etag"), made.header("etag"));
    for absent in ["absent", "VIP", "1", "%C5%BE", &"a".repeat(41), "a%20b", "-"] {
        admin.get(&format!("collection/tags/{absent}")).await.is(404);
        admin.patch(&format!("collection/tags/{absent}"), json!({"name": "A"})).await.is(404);
        admin.delete(&format!("collection/tags/{absent}")).await.is(404);
    }
    server.clock().advance(60);
    let patched = admin.patch("collection/tags/vip", json!({"color": "#abc", "order": 5})).await.is(200);
    assert_eq!(
        (patched.at("/name"), patched.at("/color"), patched.at("/order")),
        (json!("VIP"), json!("#abc"), json!(5))
    );
    assert_ne!(patched.at("/updated"), patched.at("/created"));
    // What changes nothing changes nothing, the moment of the last change neither. A tag may come back as it was read.
    server.clock().advance(60);
    assert_eq!(admin.put(&path, patched.json()).await.is(200).text, patched.text);
    // PUT: what is left out falls back to its default.
    let replaced = admin.put(&path, json!({"name": "Very important"})).await.is(200).json();
    assert_eq!((&replaced["code"], &replaced["color"], &replaced["order"]), (&json!(null), &json!(null), &json!(0)));
    admin.get("collection/tags/vip").await.is(404);
    let stale = admin.with("if-match", made.header("etag"));
    stale.patch(&path, json!({"order": 1})).await.is(412);
    stale.delete(&path).await.is(412);
    admin.request("SEARCH", &path).send().await.is(400);
    assert_eq!(admin.delete(&path).await.is(204).text, "");
    admin.get(&path).await.is(404);
    for (method, path) in [("PUT", "collection/tags"), ("DELETE", "collection/tags"), ("POST", path.as_str())] {
        admin.request(method, path).json(&json!({"name": "A"})).send().await.is(405);
    }
}

#[spec("R-147", "D-2", "D-5")]
async fn what_is_wrong_with_a_tag_is_named(server: Server) {
    let admin = server.admin();
    tag(&admin, json!({"name": "A", "code": "taken"})).await;
    let long = "x".repeat(256);
    for (body, status, named) in [
        (json!({}), 400, "name"),
        (json!({"name": ""}), 400, "name"),
        (json!({"name": "  "}), 400, "name"),
        (json!({"name": null}), 400, "name"),
        (json!({"name": 7}), 400, "name"),
        (json!({"name": long}), 400, "name"),
        (json!({"name": "a\u{0}b"}), 400, "name"),
        (json!({"name": "a\nb"}), 400, "name"),
        (json!({"name": "B", "code": "a b"}), 400, "code"),
        (json!({"name": "B", "code": "ž"}), 400, "code"),
        (json!({"name": "B", "code": "x".repeat(41)}), 400, "code"),
        (json!({"name": "B", "color": "red"}), 400, "color"),
        (json!({"name": "B", "icon": ["x"]}), 400, "icon"),
        (json!({"name": "B", "parent": "absent"}), 400, "parent"),
        (json!({"name": "B", "parent": 7}), 400, "parent"),
        (json!({"name": "B", "private": "yes"}), 400, "private"),
        (json!({"name": "B", "description": 1}), 400, "description"),
        (json!({"name": "B", "types": "article"}), 400, "types"),
        (json!({"name": "B", "types": ["absent"]}), 400, "types"),
        (json!({"name": "B", "types": vec!["article"; 1_001]}), 400, "at most 1000 types"),
        (json!({"name": "B", "order": 1.5}), 400, "order"),
        (json!({"name": "B", "absent": 1}), 400, "absent"),
        (json!({"name": "B", "owner": 1}), 400, "owner"),
        (json!({"name": "B", "usage": 1}), 400, "usage"),
        (json!({"name": "A"}), 409, "name"),
        (json!({"name": "B", "code": "taken"}), 409, "code"),
    ] {
        admin.post("collection/tags", body.clone()).await.is(status).says(named);
    }
    let detailed = admin.with("accept", "application/problem+json");
    let problem = detailed.post("collection/tags", json!({"color": "red", "order": "x"})).await.is(400).json();
    let properties: Vec<_> = problem["errors"].as_array().unwrap().iter().map(|error| &error["property"]).collect();
    assert_eq!(properties, ["color", "order", "name"]);
    admin.request("POST", "collection/tags").body("application/json", "[]").send().await.is(400);
    admin.post("collection/tags?a=1", json!({"name": "B"})).await.is(400);
    assert_eq!(admin.get("collection/tags").await.at("/stats/total"), 1);
}

#[spec("R-147")]
async fn tags_are_a_tree(server: Server) {
    let admin = server.admin();
    let mut chain = vec![tag(&admin, json!({"name": "1"})).await];
    for level in 2..=10 {
        let parent = chain.last().unwrap().clone();
        chain.push(tag(&admin, json!({"name": level.to_string(), "parent": parent})).await);
    }
    let deepest = format!("collection/tags/{}", chain[9]);
    assert_eq!(admin.get(&deepest).await.at("/path"), json!(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]));
    // An eleventh level, by making a tag or by moving one with others under it; rings.
    admin.post("collection/tags", json!({"name": "11", "parent": chain[9]})).await.is(400).says("10 levels");
    let other = tag(&admin, json!({"name": "other"})).await;
    tag(&admin, json!({"name": "child", "parent": other})).await;
    let move_other = async |to: Value| admin.patch(&format!("collection/tags/{other}"), json!({"parent": to})).await;
    move_other(json!(chain[8])).await.is(400).says("10 levels");
    move_other(json!(chain[7])).await.is(200);
    move_other(json!(null)).await.is(200);
    for above in [0, 4, 9] {
        let path = format!("collection/tags/{}", chain[0]);
        admin.patch(&path, json!({"parent": chain[above]})).await.is(400).says("below itself");
    }
    // The same name twice under a parent; elsewhere it is free.
    admin.post("collection/tags", json!({"name": "child", "parent": other})).await.is(409);
    let elsewhere = tag(&admin, json!({"name": "child"})).await;
    admin.patch(&format!("collection/tags/{elsewhere}"), json!({"parent": other})).await.is(409);
    admin.post("collection/tags", json!({"name": "child"})).await.is(409);
    tag(&admin, json!({"name": "Child"})).await;
    // Children stand against a deletion, or go with it.
    admin.delete(&format!("collection/tags/{other}")).await.is(409).says("_cascade");
    admin.delete(&format!("collection/tags/{other}?_cascade=0")).await.is(409);
    admin.delete(&format!("collection/tags/{other}?_cascade=maybe")).await.is(400);
    admin.delete(&format!("collection/tags/{other}?cascade=1")).await.is(400);
    admin.delete(&format!("collection/tags/{}?_cascade=1", chain[3])).await.is(204);
    for (level, id) in chain.iter().enumerate() {
        admin.get(&format!("collection/tags/{id}")).await.is(if level < 3 { 200 } else { 404 });
    }
}
