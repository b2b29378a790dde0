//! POST: what is accepted, refused and given back.

use super::setup::{Setup, refusal};
use serde_json::json;
use spec::spec;

#[spec("R-132", "R-031", "D-16")]
async fn a_resource_is_created_and_reads_back_the_same(setup: Setup) {
    let key = setup.key("admin").await;
    let person = setup.create(&key, "person", json!({"name": "Ann", "code": "a"})).await.unwrap();
    let body = json!({
        "id": 999, "uuid": "x", "name": "One", "body": "text", "views": 3, "price": 12.5, "rating": 1.25,
        "active": true, "released": "2026-01-02T03:04", "month": "2026-02", "opens": "08:30:00",
        "published": "2026-06-15 12:00:00", "status": "live", "labels": ["red", "blue"], "author": person.id,
        "readers": [person.json["uuid"], person.id], "team": "red", "meta": {"a": [1]}, "email": "a@example.com",
    });
    let article = setup.create(&key, "article", body).await.unwrap();
    assert_eq!(article.json["views"], 3);
    assert_eq!(article.json["price"], json!(12.5));
    assert_eq!(article.json["published"], "2026-06-15T12:00:00+02:00");
    assert_eq!(article.json["labels"], json!(["red", "blue"]));
    assert_eq!(article.json["readers"], json!([person.id, person.id]));
    assert_eq!(article.json["number"], "A-00001");
    assert_ne!(article.json["id"], 999);
    assert_eq!(setup.get(&key, "article", article.id).await.unwrap(), article.bytes);
    assert_eq!(setup.count(&key, "article").await, 1);

    let system = "created,updated,createdBy,updatedBy,version";
    let read = setup.get_with(&key, "article", article.id, system).await.unwrap();
    assert_eq!(read["created"], "2026-06-15T12:00:00+02:00");
    assert_eq!(read["updatedBy"], read["createdBy"]);
    assert_eq!(read["version"], 1);
}

#[spec("D-2", "D-24", "A074")]
async fn what_is_wrong_with_a_body_is_named(setup: Setup) {
    let (admin, editor) = (setup.key("admin").await, setup.key("editor").await);
    let create = |key, body| setup.create(key, "article", body);
    for (body, expected) in [
        (json!({}), "Invalid required name"),
        (json!({"name": ""}), "Invalid required name"),
        (json!({"name": "x", "nope": 1}), "Invalid property_unknown nope"),
        (json!({"name": "x", "views+=": 1}), "Invalid property_unknown views+="),
        (json!({"name": "x", "version": 1}), "Invalid read_only version"),
        (json!({"name": "x", "number": "A-1"}), "Invalid read_only number"),
        (json!({"name": 1}), "Invalid not_text name"),
        (json!({"name": "x", "labels": "red"}), "Invalid not_array labels"),
        (json!({"name": "x", "author": 77}), "Invalid relation_missing author"),
        (json!({"name": "x", "readers": [77]}), "Invalid relation_missing readers"),
        (json!({"name": "x", "owner": 77}), "Invalid relation_missing owner"),
        (json!({"name": "x", "views": "1", "active": 3}), "Invalid not_integer views,active"),
    ] {
        let shown = body.to_string();
        assert_eq!(refusal(create(&admin, body).await), expected, "{shown}");
    }
    // `status` may be read by an editor and not be written; `cost` is as unknown as what does not exist.
    assert_eq!(
        refusal(create(&editor, json!({"name": "x", "status": "live"})).await),
        "Forbidden property_forbidden status"
    );
    assert_eq!(refusal(create(&editor, json!({"name": "x", "cost": 1})).await), "Invalid property_unknown cost");
    assert_eq!(setup.count(&admin, "article").await, 0);
}

#[spec("D-11", "D-13")]
async fn creating_needs_the_right_on_the_type(setup: Setup) {
    let reader = setup.key("reader").await;
    assert_eq!(refusal(setup.create(&reader, "article", json!({})).await), "Forbidden permission_missing");
    assert_eq!(refusal(setup.create(&reader, "country", json!({})).await), "Forbidden permission_missing");
    assert_eq!(refusal(setup.create(&reader, "nope", json!({})).await), "Missing collection_missing");
    let guest = setup.key("guest").await;
    assert_eq!(refusal(setup.create(&guest, "article", json!({})).await), "Forbidden key_invalid");
}

#[spec("D-3", "D-24")]
async fn a_conflict_names_no_property_that_the_caller_does_not_know(setup: Setup) {
    let slot = "id: 40\nname: slot\ntitle: Slot\nunique: [[place, secret]]\nproperties:\n  \
                place: {id: 400, kind: pString, title: Place}\n  \
                secret: {id: 401, kind: pInteger, title: Secret, default: 1}\n  \
                mark: {id: 402, kind: pString, title: Mark, unique: true, default: x}\n";
    let role = "role: editor\nsystem: [restApi]\ntypes:\n  slot: {show: {fields: [place]}, edit: {fields: [place]}}\n";
    setup.apply(&[("types/slot.yaml", slot), ("roles/editor.yaml", role)]).await;
    let (admin, editor) = (setup.key("admin").await, setup.key("editor").await);
    setup.create(&admin, "slot", json!({"place": "a", "mark": "y"})).await.unwrap();
    let error = setup.create(&editor, "slot", json!({"place": "a"})).await.unwrap_err();
    assert_eq!(error.message, "Another Slot has the same Place.");
    assert_eq!(refusal::<()>(Err(error)), "Conflict unique place");
    setup.create(&editor, "slot", json!({"place": "b"})).await.unwrap();
    let error = setup.create(&editor, "slot", json!({"place": "c"})).await.unwrap_err();
    assert_eq!(error.message, "There is already such a Slot.");
    assert_eq!(refusal::<()>(Err(error)), "Conflict unique");
}

#[spec("R-273", "D-24")]
async fn a_taken_value_is_a_conflict_that_names_the_property(setup: Setup) {
    let key = setup.key("admin").await;
    let country = json!({"name": "Czechia", "code": "CZ"});
    setup.create(&key, "country", country.clone()).await.unwrap();
    let error = setup.create(&key, "country", country).await.unwrap_err();
    assert_eq!(error.message, "Another Country has the same Code.");
    assert_eq!(refusal::<()>(Err(error)), "Conflict unique code");
    assert_eq!(setup.count(&key, "country").await, 1);
    // Nulls never collide.
    for _ in 0..2 {
        setup.create(&key, "person", json!({"name": "x"})).await.unwrap();
    }
}
