//! Wrapped values on their way back: POST, PUT and PATCH.

use super::wrapping::{Things, thing};
use serde_json::{Value as Json, json};
use spec::spec;

/// The members of a resource without its id, uuid and number, which nobody gives.
fn given(row: &Json) -> Json {
    let mut row = row.clone();
    for name in ["id", "uuid", "number"] {
        row.as_object_mut().unwrap().remove(name);
    }
    row
}

#[spec("D-20", "D-22")]
async fn what_was_read_wrapped_can_be_written(Things(server): Things) {
    let (thing, _) = thing(&server).await;
    let admin = server.admin();
    let path = format!("collection/thing/{}", thing["id"]);
    let wrapped = given(&admin.get(&format!("{path}?wrapFields=*")).await.is(200).json());
    let version = async || admin.get(&format!("{path}?showFields=version")).await.is(200).at("/version");
    assert_eq!(admin.patch(&path, wrapped.clone()).await.is(200).json(), thing);
    assert_eq!(admin.put(&path, wrapped.clone()).await.is(200).json(), thing);
    assert_eq!(version().await, 1, "nothing was changed");
    for (property, value) in wrapped.as_object().unwrap() {
        let empty = json!({property.clone(): null});
        if ["file", "files"].contains(&property.as_str()) {
            // A file that was taken away does not come back.
            continue;
        }
        admin.patch(&path, empty).await.is(200);
        let body = json!({property.clone(): value});
        assert_eq!(admin.patch(&path, body).await.is(200).json()[property], thing[property], "{property}");
    }
    let mut copy = wrapped;
    for name in ["email", "file", "files"] {
        copy.as_object_mut().unwrap().remove(name);
    }
    let made = admin.create("thing", copy.clone()).await;
    for name in copy.as_object().unwrap().keys() {
        assert_eq!(made[name], thing[name], "{name}");
    }
}

#[spec("D-20", "D-23")]
async fn operators_take_wrapped_values(Things(server): Things) {
    let admin = server.admin();
    let id =
        admin.create("thing", json!({"string": "a", "integer": 1, "enums": ["a"], "json": [1]})).await["id"].clone();
    let path = format!("collection/thing/{id}");
    for (name, value, property, sum) in [
        ("string+=", json!({"value": "b", "display": "b", "kind": "pString"}), "string", json!("ab")),
        ("integer+=", json!({"value": 2, "display": "2", "kind": "pInteger"}), "integer", json!(3)),
        (
            "enums+=",
            json!({"value": ["a"], "display": "The a", "kind": "pEnums", "items": []}),
            "enums",
            json!(["a", "a"]),
        ),
        (
            "enums+==",
            json!({"value": ["a", "b"], "display": null, "kind": "pEnums", "items": []}),
            "enums",
            json!(["a", "a", "b"]),
        ),
        ("json+=", json!({"value": [2], "display": "[2]", "kind": "pJson"}), "json", json!([1, 2])),
    ] {
        assert_eq!(admin.patch(&path, json!({name: value})).await.is(200).json()[property], sum, "{name}");
    }
}

/// A document is what it is, unless it has the very members of a wrapped one.
#[spec]
async fn documents_with_a_value_are_documents(Things(server): Things) {
    let admin = server.admin();
    let id = admin.create("thing", json!({})).await["id"].clone();
    let path = format!("collection/thing/{id}");
    let put =
        async |document: &Json| admin.patch(&path, json!({"json": document})).await.is(200).json()["json"].clone();
    let wrapped = |value: &Json| json!({"value": value, "display": value.to_string(), "kind": "pJson"});
    for document in [
        json!({"value": 1}),
        json!({"value": 1, "display": "1"}),
        json!({"value": 1, "kind": "pJson"}),
        json!({"value": 1, "display": "1", "kind": "pString"}),
        json!({"value": 1, "display": 1, "kind": "pJson"}),
        json!({"value": 1, "display": "1", "kind": "pJson", "more": 1}),
        json!({"display": "1", "kind": "pJson", "x": 1}),
    ] {
        assert_eq!(put(&document).await, document, "as it is");
        assert_eq!(put(&wrapped(&document)).await, document, "wrapped");
    }
    let twin = wrapped(&json!(1));
    assert_eq!(put(&twin).await, 1);
    assert_eq!(put(&wrapped(&twin)).await, twin, "a document like a wrapped one, wrapped");
    let read = admin.get(&format!("{path}?wrapFields=json")).await.is(200).json()["json"].clone();
    assert_eq!(put(&json!(null)).await, Json::Null);
    assert_eq!(put(&read).await, twin, "as it was read");
    assert_eq!(put(&json!({"value": null, "display": null, "kind": "pJson"})).await, Json::Null);
}

#[spec("D-2")]
async fn objects_that_are_no_wrapped_values_are_refused(Things(server): Things) {
    let admin = server.admin();
    let id = admin.create("thing", json!({"integer": 1})).await["id"].clone();
    let path = format!("collection/thing/{id}");
    for wrong in [
        json!({"value": "x", "display": "x", "kind": "pInteger"}),
        json!({"value": {"value": 2}}),
        json!({"value": 2, "other": 1}),
        json!({"display": "2", "kind": "pInteger"}),
        json!({}),
        json!([{"value": 2}]),
    ] {
        admin.patch(&path, json!({"integer": wrong})).await.is(400).says("Integer");
    }
    assert_eq!(admin.patch(&path, json!({"integer": {"value": 2}})).await.is(200).at("/integer"), 2);
    admin
        .patch(&path, json!({"string": {"value": null}, "email": {"value": "no address"}}))
        .await
        .is(400)
        .says("Email");
    admin.patch(&path, json!({"_propsMeta": {"string": {}}})).await.is(400).says("_propsMeta");
}
