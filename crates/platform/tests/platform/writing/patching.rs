//! PATCH: replacing, adding, and what is refused.

use super::setup::{Setup, refusal};
use serde_json::json;
use spec::spec;

#[spec("R-134", "R-135", "R-136", "R-137", "R-138", "D-23")]
async fn properties_are_replaced_and_added_to(setup: Setup) {
    let key = setup.key("admin").await;
    let article = setup.create(&key, "article", json!({"name": "One", "price": 1.5, "labels": ["red"]})).await.unwrap();
    let patch = |body| setup.patch(&key, "article", article.id, body);
    let changed = patch(json!({
        "name+=": " and two", "views+=": 5, "price+=": 2.25, "labels+=": ["red", "green"], "rating+=": 0.5, "code": "c",
    }))
    .await
    .unwrap();
    assert_eq!(changed.json["name"], "One and two");
    assert_eq!(changed.json["views"], 5);
    assert_eq!(changed.json["price"], json!(3.75));
    assert_eq!(changed.json["rating"], json!(0.5));
    assert_eq!(changed.json["labels"], json!(["red", "red", "green"]));
    assert_eq!(changed.json["code"], "c");
    let changed = patch(json!({"labels+==": ["green", "blue"], "code": null})).await.unwrap();
    assert_eq!(changed.json["labels"], json!(["red", "red", "green", "blue"]));
    assert_eq!(changed.json["code"], json!(null));
    assert_eq!(setup.get(&key, "article", article.id).await.unwrap(), changed.bytes);
    let read = setup.get_with(&key, "article", article.id, "version").await.unwrap();
    assert_eq!(read["version"], 3);
}

#[spec("D-23", "D-2", "D-13")]
async fn what_cannot_be_patched_is_refused_and_nothing_changes(setup: Setup) {
    let (admin, editor) = (setup.key("admin").await, setup.key("editor").await);
    let article = setup.create(&admin, "article", json!({"name": "One", "cost": 7})).await.unwrap();
    for (body, expected) in [
        (json!({"views": 1, "views+=": 1}), "Invalid given_twice views+="),
        (json!({"views+=": "x"}), "Invalid not_integer views+="),
        (json!({"views+==": 1}), "Invalid not_addable views+=="),
        (json!({"active+=": true}), "Invalid not_addable active+="),
        (json!({"labels+=": "red"}), "Invalid not_array labels+="),
        (json!({"nope+=": 1}), "Invalid property_unknown nope+="),
        (json!({"id+=": 1}), "Invalid property_unknown id+="),
        (json!({"name": null}), "Invalid required name"),
        (json!({"views": 1, "number": "A-9"}), "Invalid read_only number"),
        (json!({"views+=": 9_223_372_036_854_775_807i64, "name": "x"}), ""),
        (json!({"views+=": 1, "name": "y"}), "Invalid out_of_range views"),
    ] {
        let shown = body.to_string();
        let patched = setup.patch(&admin, "article", article.id, body).await;
        let answer = if patched.is_ok() { String::new() } else { refusal(patched) };
        assert_eq!(answer, expected, "{shown}");
    }
    let read = setup.get_with(&admin, "article", article.id, "name,version").await.unwrap();
    assert_eq!((&read["name"], &read["version"]), (&json!("x"), &json!(2)));

    let patch = |body| setup.patch(&editor, "article", article.id, body);
    assert_eq!(refusal(patch(json!({"cost": 1})).await), "Invalid property_unknown cost");
    assert_eq!(refusal(patch(json!({"status": "old"})).await), "Forbidden property_forbidden status");
    // What stays as it was is no change (D-12).
    patch(json!({"status": "draft", "number": article.json["number"], "views": 1})).await.unwrap();
    assert_eq!(refusal(setup.patch(&admin, "article", 999, json!({})).await), "Missing item_missing");
    let reader = setup.key("reader").await;
    assert_eq!(refusal(setup.patch(&reader, "article", article.id, json!({})).await), "Forbidden permission_missing");
}

#[spec("D-23")]
async fn an_empty_patch_changes_nothing(setup: Setup) {
    let key = setup.key("admin").await;
    let article = setup.create(&key, "article", json!({"name": "One", "labels": ["red"]})).await.unwrap();
    setup.clock.advance(5);
    for body in [json!({}), json!({"name": "One", "labels": ["red"], "views+=": 0}), json!({"id": 3, "uuid": null})] {
        assert_eq!(setup.patch(&key, "article", article.id, body).await.unwrap().bytes, article.bytes);
    }
    let read = setup.get_with(&key, "article", article.id, "version,updated").await.unwrap();
    assert_eq!((&read["version"], &read["updated"]), (&json!(1), &json!("2026-06-15T12:00:00+02:00")));
}

#[spec("D-26", "D-27")]
async fn a_precondition_compares_with_what_the_caller_saw(setup: Setup) {
    let (admin, editor) = (setup.key("admin").await, setup.key("editor").await);
    let article = setup.create(&admin, "article", json!({"name": "One"})).await.unwrap();
    let patch = |tag: String, body| {
        let (setup, admin) = (&setup, &admin);
        async move { setup.patch_if(admin, "article", article.id, Some(&tag), body).await }
    };
    assert_eq!(refusal(patch("\"0\"".into(), json!({"views": 9})).await), "Changed resource_changed");
    assert_eq!(refusal(patch(format!("W/{}", article.etag), json!({"views": 9})).await), "Changed resource_changed");
    let second = patch(format!("\"0\", {}", article.etag), json!({"views": 1})).await.unwrap();
    assert_ne!(second.etag, article.etag);
    assert_eq!(refusal(patch(article.etag.clone(), json!({"views": 2})).await), "Changed resource_changed");
    patch("*".into(), json!({"views": 3})).await.unwrap();
    // Another user sees other fields, in another zone: another body.
    let seen = setup.patch(&editor, "article", article.id, json!({})).await.unwrap();
    let current = setup.patch(&admin, "article", article.id, json!({})).await.unwrap();
    assert_ne!(seen.etag, current.etag);
}
