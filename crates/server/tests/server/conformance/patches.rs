//! PATCH: replacing, appending, adding, merging.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::Server;

#[spec("R-091", "R-134", "R-135", "R-136", "R-137", "R-138", "D-23")]
async fn each_form_does_its_work(server: Server) {
    let admin = server.admin();
    let people = [
        admin.create("person", json!({"name": "P"})).await["id"].clone(),
        admin.create("person", json!({"name": "Q"})).await["id"].clone(),
    ];
    let [p, q] = &people;
    for (before, change, after) in [
        (json!({"name": "A"}), json!({"name": "B"}), json!({"name": "B"})),
        (json!({"body": "a"}), json!({"body": null}), json!({"body": null})),
        (json!({"body": "a"}), json!({"body+=": "bč"}), json!({"body": "abč"})),
        (json!({}), json!({"body+=": "b"}), json!({"body": "b"})),
        (json!({"views": 5}), json!({"views+=": 2}), json!({"views": 7})),
        (json!({"views": 5}), json!({"views+=": -7}), json!({"views": -2})),
        (json!({"views": null}), json!({"views+=": 2}), json!({"views": 2})),
        (json!({"rating": 0.5}), json!({"rating+=": 0.25}), json!({"rating": 0.75})),
        (json!({"labels": ["red"]}), json!({"labels+=": ["green"]}), json!({"labels": ["red", "green"]})),
        (json!({"labels": ["red"]}), json!({"labels+==": ["red", "blue"]}), json!({"labels": ["red", "blue"]})),
        (json!({"labels": []}), json!({"labels+==": ["blue"]}), json!({"labels": ["blue"]})),
        (json!({"labels": ["red", "blue"]}), json!({"labels": ["green"]}), json!({"labels": ["green"]})),
        (json!({"labels": ["red"]}), json!({"labels": []}), json!({"labels": []})),
        (json!({"readers": [p]}), json!({"readers+==": [p, q]}), json!({"readers": [p, q]})),
        (json!({"readers": [p]}), json!({"readers+=": [q]}), json!({"readers": [p, q]})),
        (json!({"author": p}), json!({"author": q}), json!({"author": q})),
        (json!({"author": p}), json!({"author": null}), json!({"author": null})),
        (json!({"meta": {"a": 1}}), json!({"meta": {"b": 2}}), json!({"meta": {"b": 2}})),
        (json!({"views": 5, "body": "a"}), json!({"views+=": 1, "body+=": "b"}), json!({"views": 6, "body": "ab"})),
        (json!({"views": 5}), json!({}), json!({"views": 5})),
        (json!({"views": 5}), json!({"id": 9, "uuid": "x"}), json!({"views": 5})),
    ] {
        let mut before = before;
        if before.get("name").is_none() {
            before["name"] = json!("A");
        }
        let id = admin.create("article", before.clone()).await["id"].clone();
        let path = format!("collection/article/{id}");
        let answer = admin.patch(&path, change.clone()).await.is(200).json();
        for (name, value) in after.as_object().unwrap() {
            assert_eq!(&answer[name], value, "{before} {change}");
        }
        assert_eq!(admin.get(&path).await.is(200).json(), answer, "{before} {change}");
    }
    let id = admin.create("article", json!({"name": "A", "price": 1.25})).await["id"].clone();
    let sum = admin.patch(&format!("collection/article/{id}"), json!({"price+=": "0.10"})).await.is(200).at("/price");
    assert_eq!(sum.as_f64().or_else(|| sum.as_str()?.parse().ok()), Some(1.35));
}

#[spec("D-23", "R-269", "D-2")]
async fn a_wrong_patch_is_refused_and_changes_nothing(server: Server) {
    let admin = server.admin();
    let row = admin
        .create(
            "article",
            json!({"name": "A", "views": 5, "body": "x", "labels": ["red"], "meta": {}, "active": true,
        "code": "c", "rating": 1.5}),
        )
        .await;
    let path = format!("collection/article/{}", row["id"]);
    for (change, text) in [
        (json!({"name": null}), "Name"),
        (json!({"surprise": 1}), "surprise"),
        (json!({"surprise+=": 1}), "surprise"),
        (json!({"views": 6, "views+=": 1}), "Views"),
        (json!({"labels+=": ["blue"], "labels+==": ["blue"]}), "Labels"),
        (json!({"views+=": "1"}), "Views"),
        (json!({"views+=": 0.5}), "Views"),
        (json!({"views+=": null}), "Views"),
        (json!({"views+=": 9_223_372_036_854_775_807_i64}), "Views"),
        (json!({"body+=": 1}), "Body"),
        (json!({"body+=": "x".repeat(100_000)}), "Body"),
        (json!({"name+=": "x".repeat(255)}), "Name"),
        (json!({"labels+=": "blue"}), "Labels"),
        (json!({"labels+=": ["pink"]}), "Labels"),
        (json!({"active+=": true}), "Active"),
        (json!({"released+=": "2026-01-01"}), "Released"),
        (json!({"status+=": "live"}), "Status"),
        (json!({"author+=": 1}), "Author"),
        (json!({"views+==": 1}), "Views"),
        (json!({"views-=": 1}), "views-="),
        (json!({"+=": 1}), "There is no property"),
        (json!({"id+=": 1}), "id"),
        (json!({"views": 1, "name": 5}), "Name"),
        (json!({"version": 9}), "Version"),
    ] {
        admin.patch(&path, change).await.is(400).says(text);
    }
    assert_eq!(admin.get(&path).await.is(200).json(), row);
    admin.patch("collection/article/99999", json!({"views+=": 1})).await.is(404);
    admin.patch("collection/nothing/1", json!({"views+=": 1})).await.is(404);
}

#[spec("D-26")]
async fn if_match_guards_a_change(server: Server) {
    let admin = server.admin();
    let path =
        format!("collection/country/{}", admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"]);
    let tag = admin.get(&path).await.is(200).header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() == 34, "{tag}");
    let stale = admin.with("if-match", "\"0123456789abcdef0123456789abcdef\"");
    stale.patch(&path, json!({"name": "B"})).await.is(412);
    stale.put(&path, json!({"name": "B", "code": "CZ"})).await.is(412);
    stale.delete(&path).await.is(412);
    admin.with("if-match", &tag).patch(&path, json!({"name": "B"})).await.is(200);
    admin.with("if-match", &tag).patch(&path, json!({"name": "C"})).await.is(412);
    assert_eq!(admin.get(&path).await.at("/name"), "B");
    admin.with("if-match", "*").patch(&path, json!({"name": "C"})).await.is(200);
    let tag = admin.get(&path).await.header("etag").to_owned();
    admin.with("if-match", &format!("\"x\", {tag}")).delete(&path).await.is(204);
    admin.with("if-match", "*").delete(&path).await.is(404);
}

#[spec("D-23")]
async fn appending_to_json_merges_arrays(server: Server) {
    let admin = server.admin();
    let path = format!("collection/article/{}", admin.create("article", json!({"name": "A", "meta": [1]})).await["id"]);
    assert_eq!(
        admin.patch(&path, json!({"meta+=": [2, {"a": null}]})).await.is(200).at("/meta"),
        json!([1, 2, {"a": null}])
    );
    assert_eq!(admin.patch(&path, json!({"meta+==": [2, 3]})).await.is(200).at("/meta"), json!([1, 2, {"a": null}, 3]));
    admin.patch(&path, json!({"meta": {"a": 1}})).await.is(200);
    admin.patch(&path, json!({"meta+=": [1]})).await.is(400).says("Meta");
    assert_eq!(admin.patch(&path, json!({"meta": null})).await.is(200).at("/meta"), Json::Null);
}
