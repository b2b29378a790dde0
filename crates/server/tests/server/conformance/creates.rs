//! Create and replace.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::Server;

#[spec("R-031", "R-071", "R-090", "R-132", "R-266", "D-6")]
async fn a_create_answers_201_with_the_resource(server: Server) {
    let admin = server.admin();
    let uuid = "01890a5d-ac96-774b-bcce-b302099a8057";
    let created = admin
        .post("collection/country", json!({"id": 77, "uuid": uuid, "name": "Czechia", "code": "CZ"}))
        .await
        .is(201)
        .json();
    assert_ne!((&created["id"], &created["uuid"]), (&json!(77), &json!(uuid)));
    assert_eq!(created.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "uuid", "name", "code"]);
    assert_eq!(admin.get(&format!("collection/country/{}", created["id"])).await.is(200).json(), created);
    let odd = admin.post("collection/country", json!({"id": "x", "uuid": [], "name": "Slovakia", "code": "SK"})).await;
    odd.is(201);
}

#[spec("R-132")]
async fn ids_are_never_used_again(server: Server) {
    let admin = server.admin();
    let first = admin.create("note", json!({})).await["id"].as_i64().unwrap();
    admin.delete(&format!("collection/note/{first}")).await.is(204);
    assert!(admin.create("note", json!({})).await["id"].as_i64().unwrap() > first);
}

#[spec("R-033", "D-22")]
async fn defaults_stand_where_nothing_is_given(server: Server) {
    let admin = server.admin();
    let row = admin.create("article", json!({"name": "A"})).await;
    assert_eq!((&row["views"], &row["status"], &row["active"]), (&json!(0), &json!("draft"), &Json::Null));
    let row = admin.create("article", json!({"name": "A", "views": null, "status": null})).await;
    assert_eq!((&row["views"], &row["status"]), (&Json::Null, &Json::Null));
}

#[spec("R-269", "D-2", "D-24")]
async fn a_wrong_body_is_refused_and_names_the_property(server: Server) {
    let admin = server.admin();
    for (body, text) in [
        (json!({}), "Name"),
        (json!({"name": null}), "Name"),
        (json!({"name": "A", "surprise": 1}), "surprise"),
        (json!({"name": "A", "Name": "A"}), "Name"),
        (json!({"name": 1}), "Name"),
        (json!({"name": ["A"]}), "Name"),
        (json!({"name": "A\u{0}"}), "Name"),
        (json!({"name": "x".repeat(256)}), "Name"),
        (json!({"name": "A", "body": "x".repeat(100_001)}), "Body"),
        (json!({"name": "A", "views": "1"}), "Views"),
        (json!({"name": "A", "views": 1.5}), "Views"),
        (json!({"name": "A", "views": 9_223_372_036_854_775_808_u64}), "Views"),
        (json!({"name": "A", "views": true}), "Views"),
        (json!({"name": "A", "price": 1.234}), "Price"),
        (json!({"name": "A", "price": 12_345_678_901.0}), "Price"),
        (json!({"name": "A", "price": "1,5"}), "Price"),
        (json!({"name": "A", "rating": "1.5"}), "Rating"),
        (json!({"name": "A", "active": 2}), "Active"),
        (json!({"name": "A", "active": "true"}), "Active"),
        (json!({"name": "A", "status": "gone"}), "Status"),
        (json!({"name": "A", "labels": "red"}), "Labels"),
        (json!({"name": "A", "labels": ["pink"]}), "Labels"),
        (json!({"name": "A", "labels": [null]}), "Labels"),
        (json!({"name": "A", "author": 99_999}), "Author"),
        (json!({"name": "A", "author": "Ann"}), "Author"),
        (json!({"name": "A", "author": {"id": 1}}), "Author"),
        (json!({"name": "A", "readers": [99_999]}), "Readers"),
        (json!({"name": "A", "readers": 1}), "Readers"),
        (json!({"name": "A", "owner": 99_999}), "Owner"),
        (json!({"name": "A", "team": "green"}), "Team"),
        (json!({"name": "A", "email": "nobody"}), "E-mail"),
        (json!({"name": "A", "email": "a@b@c.cz"}), "E-mail"),
        (json!({"name": "A", "link": "javascript:alert(1)"}), "Link"),
        (json!({"name": "A", "link": "example.com"}), "Link"),
        (json!({"name": "A", "link": "ftp://example.com"}), "Link"),
        (json!({"name": "A", "phone": "123456789"}), "Phone"),
        (json!({"name": "A", "phone": "+420 123 456 789;ext=1"}), "Phone"),
        (json!({"name": "A", "slug": "Not a slug"}), "Slug"),
        (json!({"name": "A", "color": "red-ish"}), "Color"),
        (json!({"name": "A", "name+=": "B"}), "name+="),
    ] {
        admin.post("collection/article", body).await.is(400).says(text);
    }
    for body in [
        "",
        "{",
        "[]",
        "null",
        "1",
        "\"name\"",
        "{\"name\":\"A\"} x",
        "{\"name\":\"A\",\"name\":\"B\"}",
        "{'name':'A'}",
        "\u{feff}{}",
    ] {
        admin.request("POST", "collection/article").body("application/json", body.to_owned()).send().await.is(400);
    }
    admin
        .request("POST", "collection/article")
        .body("application/json", &b"{\"name\":\"\xff\"}"[..])
        .send()
        .await
        .is(400);
    admin.get("collection/article").await.is(204);
}

#[spec("D-24", "R-273", "R-269")]
async fn unique_values_are_unique(server: Server) {
    let admin = server.admin();
    let first = admin.create("article", json!({"name": "A", "code": "x"})).await["id"].clone();
    let second = admin.create("article", json!({"name": "B", "code": "y"})).await["id"].clone();
    let conflict = admin.post("collection/article", json!({"name": "C", "code": "x"})).await.is(409);
    assert!(conflict.at("/message").as_str().unwrap().contains("Code"), "{}", conflict.text);
    admin.patch(&format!("collection/article/{second}"), json!({"code": "x"})).await.is(409).says("Code");
    admin.put(&format!("collection/article/{second}"), json!({"name": "B", "code": "x"})).await.is(409).says("Code");
    // Its own value is no conflict, nothing is, and case counts.
    admin.patch(&format!("collection/article/{first}"), json!({"code": "x"})).await.is(200);
    admin.create("article", json!({"name": "D", "code": "X"})).await;
    admin.create("article", json!({"name": "E"})).await;
    admin.create("article", json!({"name": "F"})).await;
    admin.patch(&format!("collection/article/{first}"), json!({"code": null})).await.is(200);
    admin.patch(&format!("collection/article/{second}"), json!({"code": "x"})).await.is(200);
}

#[spec("D-24")]
async fn unique_sets_are_of_several_properties(engine: testing::Engine) {
    let seat = "id: 20\nname: seat\ntitle: Seat\nproperties:\n  row: {id: 200, kind: pInteger, title: Row}\n  \
                chair: {id: 201, kind: pInteger, title: Chair}\nunique: [[row, chair]]\n";
    let admin_role = "role: admin\nsystem: [restApi, admin]\ntypes: {seat: {show: true, edit: true}}\n";
    let server = Server::files(
        engine,
        &[
            ("tenant.yaml", "tenant: acme\n"),
            ("types/seat.yaml", seat),
            ("roles/admin.yaml", admin_role),
            ("users/admin.yaml", "user: admin@acme.test\nname: Ada\nroles: [admin]\n"),
        ],
    )
    .await;
    let admin = server.admin();
    admin.create("seat", json!({"row": 1, "chair": 1})).await;
    admin.create("seat", json!({"row": 1, "chair": 2})).await;
    admin.create("seat", json!({"row": 1})).await;
    admin.create("seat", json!({"row": 1})).await;
    let message = admin.post("collection/seat", json!({"row": 1, "chair": 2})).await.is(409).at("/message");
    assert!(message.as_str().unwrap().contains("Row") || message.as_str().unwrap().contains("Chair"), "{message}");
}

#[spec("R-091", "R-133", "D-22")]
async fn a_replace_falls_back_to_defaults(server: Server) {
    let admin = server.admin();
    let person = admin.create("person", json!({"name": "P"})).await["id"].clone();
    let full = json!({"name": "A", "code": "x", "views": 5, "status": "live", "active": true, "author": person,
        "labels": ["red"], "readers": [person], "meta": {"a": 1}});
    let created = admin.create("article", full).await;
    let path = format!("collection/article/{}", created["id"]);
    let replaced = admin.put(&path, json!({"name": "B", "id": 1, "uuid": "x"})).await.is(200).json();
    assert_eq!(
        (&replaced["id"], &replaced["uuid"], &replaced["name"]),
        (&created["id"], &created["uuid"], &json!("B"))
    );
    assert_eq!((&replaced["views"], &replaced["status"]), (&json!(0), &json!("draft")));
    for name in ["code", "active", "author", "meta"] {
        assert_eq!(replaced[name], Json::Null, "{name}");
    }
    assert_eq!((&replaced["labels"], &replaced["readers"]), (&json!([]), &json!([])));
    // What the platform numbers is not cleared by a client that does not give it.
    assert_eq!(replaced["number"], created["number"]);
    assert_eq!(admin.get(&path).await.is(200).json(), replaced);
    admin.put(&path, json!({"views": 1})).await.is(400).says("Name");
    admin.put(&path, json!({"name": "B", "views+=": 1})).await.is(400);
    admin.put("collection/article/99999", json!({"name": "B"})).await.is(404);
    assert_eq!(admin.get(&path).await.is(200).json(), replaced);
}

#[spec("A077", "D-12")]
async fn a_replace_keeps_what_the_caller_may_not_write(server: Server) {
    let admin = server.admin();
    let created = admin.create("article", json!({"name": "A", "cost": 5, "rating": 2.5, "views": 3})).await;
    let path = format!("collection/article/{}", created["id"]);
    // The editor may not read `cost`, and may read but not write `rating`.
    server.editor().put(&path, json!({"name": "B"})).await.is(200).lacks("cost");
    let row = admin.get(&path).await.is(200).json();
    assert_eq!(
        (&row["cost"], &row["rating"], &row["views"], &row["name"]),
        (&json!(5), &json!(2.5), &json!(0), &json!("B"))
    );
    server.editor().put(&path, json!({"name": "B", "rating": 1})).await.is(403);
    server.editor().put(&path, json!({"name": "B", "cost": 1})).await.is(400);
}
