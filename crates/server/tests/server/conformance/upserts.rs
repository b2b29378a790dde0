//! Upserts: by a unique key, a resource is patched or created.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};
use tokio::task::JoinSet;

const ARTICLES: &str = "/api/ext/v1/collection/article";

fn by(value: &str) -> String {
    format!("{ARTICLES}/by/code/{value}")
}

#[spec("E-058")]
async fn a_resource_is_patched_or_created(server: Server) {
    let admin = server.admin();
    let body = json!({"set": {"name": "a", "views": 1}, "create": {"status": "live"}});
    let made = admin.put(&by("A"), body.clone()).await.is(201);
    assert_eq!(made.header("location"), format!("{ARTICLES}/{}", made.at("/id")));
    assert_eq!((made.at("/code"), made.at("/status"), made.at("/views")), (json!("A"), json!("live"), json!(1)));
    admin.patch(made.header("location"), json!({"status": "draft", "price": 5})).await.is(200);
    let there =
        admin.put(&by("A"), json!({"set": {"views+=": 2}, "create": {"status": "live", "name": "b"}})).await.is(200);
    assert_eq!((there.at("/id"), there.at("/views")), (made.at("/id"), json!(3)));
    assert_eq!((there.at("/status"), there.at("/name"), there.at("/price")), (json!("draft"), json!("a"), json!(5.0)));
    assert_eq!(there.header("etag"), admin.get(made.header("location")).await.header("etag"));
    let kept = admin.put(&by("A"), json!({"set": {"views": 9}, "onConflict": "keep"})).await.is(200);
    assert_eq!(kept.text, there.text);
    let replaced = admin.put(&by("A"), json!({"set": {"name": "c"}, "onConflict": "replace"})).await.is(200);
    assert_eq!(
        (replaced.at("/code"), replaced.at("/name"), replaced.at("/price")),
        (json!("A"), json!("c"), json!(null))
    );
    // Required values are wanted of new resources alone.
    admin.put(&by("A"), json!({"set": {"views": 4}})).await.is(200);
    admin.put(&by("B"), json!({"set": {"views": 4}})).await.is(400).says("required");
    let brief = admin.with("prefer", "return=minimal");
    assert_eq!(
        brief.put(&by("A"), json!({})).await.is(204).header("etag"),
        admin.put(&by("A"), json!({})).await.header("etag")
    );
    let stale = admin.with("if-match", "\"00\"");
    stale.put(&by("A"), json!({"set": {"name": "d"}})).await.is(412);
    stale.put(&by("Z"), json!({"set": {"name": "d"}})).await.is(412);
    assert_eq!(admin.get(ARTICLES).await.at("/stats/total"), 1);
}

#[spec("E-058")]
async fn keys_and_bodies_are_checked(server: Server) {
    let admin = server.admin();
    admin.put(&by("A"), json!({"set": {"name": "a"}})).await.is(201);
    for (path, body, code) in [
        (by("A"), json!({"set": {"code": "B"}}), "key_differs"),
        (by("A"), json!({"set": {"name": "b"}, "create": {"name": "c"}}), "member_twice"),
        (by("A"), json!({"name": "b"}), "property_unknown"),
        (by("A"), json!({"set": 1}), "not_object"),
        (by("A"), json!({"onConflict": "ignore"}), "word_unknown"),
        (format!("{ARTICLES}/by/name/a"), json!({"set": {}}), "key_not_unique"),
        (format!("{ARTICLES}/by/nothing/a"), json!({"set": {}}), "property_unknown"),
    ] {
        assert_eq!(admin.put(&path, body.clone()).await.is(400).at("/code"), code, "{path} {body}");
    }
    admin.put("/api/ext/v1/collection/nothing/by/code/a", json!({})).await.is(404);
    admin.put(&by("A"), json!({"set": {"code": "A", "name": "same"}})).await.is(200);
}

const SECRETIVE: &str = r#"
role: editor
system: [restApi]
types:
  article:
    show: {where: "{=views < 10}", fields: ["*", "-slug"]}
    create: true
    edit: {where: "{=views < 5}"}
"#;

/// A resource that a caller does not see, or its key, is the conflict that a create meets.
#[spec("E-058", "D-3")]
async fn an_upsert_finds_what_its_caller_sees(engine: Engine) {
    let server = Server::with(engine, &[("roles/editor.yaml", SECRETIVE)]).await;
    let (admin, editor, reader) = (server.admin(), server.editor(), server.reader());
    for (code, views) in [("mine", 1), ("shown", 7), ("hidden", 50)] {
        admin.create("article", json!({"name": code, "code": code, "views": views})).await;
    }
    editor.put(&by("mine"), json!({"set": {"name": "x"}})).await.is(200);
    let shown = editor.put(&by("shown"), json!({"set": {"name": "x"}})).await.is(403);
    let patch = editor.patch(&format!("{ARTICLES}/2"), json!({"name": "x"})).await.is(403);
    assert_eq!(shown.at("/detail"), patch.at("/detail"));
    editor.put(&by("shown"), json!({"onConflict": "keep"})).await.is(200);
    for rule in ["patch", "keep", "replace"] {
        let hidden = editor.put(&by("hidden"), json!({"set": {"name": "x"}, "onConflict": rule})).await.is(409);
        let post = editor.post(ARTICLES, json!({"name": "x", "code": "hidden"})).await.is(409);
        assert_eq!((hidden.at("/detail"), hidden.at("/errors")), (post.at("/detail"), post.at("/errors")));
    }
    let create = editor.put(&by("hidden"), json!({})).await.is(400);
    assert_eq!(create.at("/detail"), editor.post(ARTICLES, json!({"code": "hidden"})).await.is(400).at("/detail"));
    // A property that the caller does not see is none.
    let slug = editor.put(&format!("{ARTICLES}/by/slug/x"), json!({})).await.is(400);
    let nothing = editor.put(&format!("{ARTICLES}/by/slog/x"), json!({})).await.is(400);
    assert_eq!(slug.at("/code"), nothing.at("/code"));
    reader.put(&by("mine"), json!({"set": {"name": "y"}})).await.is(400);
    assert_eq!(admin.get(&format!("{ARTICLES}/3")).await.at("/name"), "hidden");
}

const SEAT: &str = r#"
id: 60
name: seat
unique: [[row, place], [room, row]]
properties:
  row:   {id: 600, kind: pString, required: true}
  place: {id: 601, kind: pInteger, required: true}
  room:  {id: 602, kind: pRelation, type: country}
  guest: {id: 603, kind: pString}
"#;

#[spec("E-059")]
async fn many_have_keys_of_one_or_several_properties(engine: Engine) {
    let server = Server::with(engine, &[("types/seat.yaml", SEAT)]).await;
    let admin = server.admin();
    let path = "/api/ext/v1/collection/seat/upsert";
    let item = |row: &str, place: i64, guest: &str| json!({"set": {"row": row, "place": place, "guest": guest}});
    let items = json!([item("A", 1, "Ann"), item("A", 2, "Bob"), item("A", 1, "Cyd")]);
    let reply = admin.post(path, json!({"key": ["place", "row"], "items": items})).await.is(200);
    let statuses: Vec<Json> =
        reply.at("/results").as_array().unwrap().iter().map(|one| one["status"].clone()).collect();
    assert_eq!(statuses, [201, 201, 200]);
    assert_eq!(
        (reply.at("/results/2/id"), reply.at("/results/2/data/guest")),
        (reply.at("/results/0/id"), json!("Cyd"))
    );
    let keep =
        json!({"key": ["row", "place"], "onConflict": "keep", "return": "minimal", "items": [item("A", 2, "Dan")]});
    admin.post(path, keep).await.is(200).lacks("Dan");
    // A relation is part of a key by id or UUID.
    let room = admin.create("country", json!({"name": "R", "code": "R"})).await;
    let of = |room: &Json, guest: &str| json!({"key": ["room", "row"], "items": [{"set": {"room": room, "row": "B", "guest": guest}, "create": {"place": 9}}]});
    assert_eq!(admin.post(path, of(&room["id"], "Eve")).await.is(200).at("/results/0/status"), 201);
    assert_eq!(admin.post(path, of(&room["uuid"], "Fay")).await.is(200).at("/results/0/status"), 200);
    for (body, code, place) in [
        (json!({"key": ["row"], "items": [item("A", 1, "x")]}), "key_not_unique", json!("/items/0/set/row")),
        (
            json!({"key": ["row", "place"], "items": [{"set": {"row": "A", "place": null}}]}),
            "key_null",
            json!("/items/0/set/place"),
        ),
        (json!({"key": ["row", "place"], "items": [{"set": {"row": "A"}}]}), "key_null", json!("/items/0/set/place")),
        (
            json!({"key": ["row", "place"], "items": [item("A", 1, "x"), {"set": {"row": "A", "place": 3, "nothing": 1}}]}),
            "property_unknown",
            json!("/items/1/set/nothing"),
        ),
        (json!({"key": [], "items": []}), "key_invalid", json!(null)),
        (json!({"key": "row", "rows": []}), "property_unknown", json!(null)),
    ] {
        let reply = admin.post(path, body.clone()).await.is(400);
        assert_eq!((reply.at("/code"), reply.at("/errors/0/pointer")), (json!(code), place), "{body}");
    }
    let many: Vec<Json> = (0..1_001).map(|place| item("Z", place, "x")).collect();
    admin.post(path, json!({"key": ["row", "place"], "items": many})).await.is(400).says("batch_too_large");
    assert_eq!(admin.get("/api/ext/v1/collection/seat").await.at("/stats/total"), 3);
}

#[spec("E-059", "E-058")]
async fn upserts_at_once_make_one_resource(server: Server) {
    let admin = server.admin();
    for round in 0..4 {
        let mut tasks = JoinSet::new();
        for number in 0..24 {
            let (client, code) = (admin.clone(), format!("R{round}"));
            tasks.spawn(async move {
                if number % 2 == 0 {
                    return client.put(&by(&code), json!({"set": {"views+=": 1}, "create": {"name": "n"}})).await;
                }
                let items = json!([{"set": {"code": code, "name": "n"}}]);
                client.post(&format!("{ARTICLES}/upsert"), json!({"key": "code", "items": items})).await
            });
        }
        while let Some(reply) = tasks.join_next().await {
            let reply = reply.unwrap();
            // An operator is none for a new resource.
            assert!(matches!(reply.status, 200 | 201 | 400), "{}", reply.text);
        }
        assert_eq!(admin.get(ARTICLES).await.at("/stats/total"), round + 1);
    }
}
