//! PUT: the whole resource.

use super::setup::{Setup, refusal};
use serde_json::json;
use spec::spec;

#[spec("R-133", "D-22")]
async fn what_is_left_out_falls_back_to_its_default(setup: Setup) {
    let key = setup.key("admin").await;
    let person = setup.create(&key, "person", json!({"name": "Ann"})).await.unwrap();
    let body = json!({"name": "One", "views": 9, "status": "live", "author": person.id, "labels": ["red"], "cost": 4});
    let article = setup.create(&key, "article", body).await.unwrap();
    let replaced = setup.replace(&key, "article", article.id, json!({"name": "Two"})).await.unwrap();
    assert_eq!(replaced.json["name"], "Two");
    assert_eq!(replaced.json["views"], 0);
    assert_eq!(replaced.json["status"], "draft");
    assert_eq!(replaced.json["author"], json!(null));
    assert_eq!(replaced.json["labels"], json!([]));
    assert_eq!(replaced.json["number"], article.json["number"]);
    assert_eq!(replaced.json["uuid"], article.json["uuid"]);
    assert_eq!(setup.get(&key, "article", article.id).await.unwrap(), replaced.bytes);
    assert_eq!(refusal(setup.replace(&key, "article", article.id, json!({})).await), "Invalid required name");
    assert_eq!(refusal(setup.replace(&key, "article", 999, json!({"name": "x"})).await), "Missing item_missing");
    let operators = json!({"name": "x", "views+=": 1});
    assert_eq!(
        refusal(setup.replace(&key, "article", article.id, operators).await),
        "Invalid property_unknown views+="
    );
}

#[spec("D-12", "D-22", "A077")]
async fn what_the_caller_may_not_write_keeps_its_value(setup: Setup) {
    let (admin, editor) = (setup.key("admin").await, setup.key("editor").await);
    let body = json!({"name": "One", "status": "live", "cost": 4, "active": true, "views": 5});
    let article = setup.create(&admin, "article", body).await.unwrap();
    let replaced = setup.replace(&editor, "article", article.id, json!({"name": "Two"})).await.unwrap();
    assert_eq!((&replaced.json["status"], &replaced.json["active"]), (&json!("live"), &json!(true)));
    assert_eq!(replaced.json["views"], 0);
    assert_eq!(replaced.json.get("cost"), None);
    let read = setup.get_with(&admin, "article", article.id, "cost").await.unwrap();
    assert_eq!(read["cost"], 4);
    // A resource may be sent back as it was read.
    let body = setup.get(&editor, "article", article.id).await.unwrap();
    let again = setup.replace(&editor, "article", article.id, serde_json::from_slice(&body).unwrap()).await.unwrap();
    assert_eq!(again.bytes, body);
    let other = json!({"name": "Two", "status": "old"});
    assert_eq!(
        refusal(setup.replace(&editor, "article", article.id, other).await),
        "Forbidden property_forbidden status"
    );
}
