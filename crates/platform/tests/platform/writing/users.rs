//! Users through the generic collection.

use super::setup::{Setup, refusal};
use serde_json::json;
use spec::spec;

const EDITING_USERS: &str = "role: clerk\ntitle: Clerk\nsystem: [restApi]\ntypes:\n  user: {show: true, edit: true}\n";

#[spec("A074", "R-246")]
async fn rights_and_sign_in_of_users_change_only_with_admin(setup: Setup) {
    let admin = setup.key("admin").await;
    let body =
        json!({"user_id": " New@Acme.test ", "user_name": "New", "password": "correct horse", "roles": ["editor"]});
    let user = setup.create(&admin, "user", body).await.unwrap();
    assert_eq!(user.json["user_id"], "new@acme.test");
    assert_eq!(user.json.get("password"), None);
    let again = json!({"user_id": "NEW@acme.test", "user_name": "x"});
    assert_eq!(refusal(setup.create(&admin, "user", again).await), "Conflict unique user_id");
    let weak = json!({"password": "password123"});
    assert_eq!(refusal(setup.patch(&admin, "user", user.id, weak).await), "Invalid password_weak");
    assert_eq!(
        refusal(setup.patch(&admin, "user", user.id, json!({"timezone": "Mars/Base"})).await),
        "Invalid not_time_zone timezone"
    );

    setup.apply(&[("roles/clerk.yaml", EDITING_USERS)]).await;
    setup.patch(&admin, "user", user.id, json!({"roles": ["clerk"]})).await.unwrap();
    let clerk = setup.key("new").await;
    let patch = |body| setup.patch(&clerk, "user", user.id, body);
    for (property, value) in [
        ("roles", json!(["admin"])),
        ("login_expired", json!(true)),
        ("valid_from", json!("2026-01-01")),
        ("valid_to", json!("2026-01-01")),
    ] {
        let expected = format!("Forbidden property_forbidden {property}");
        assert_eq!(refusal(patch(json!({property: value})).await), expected);
    }
    assert_eq!(refusal(patch(json!({"password": "correct horse"})).await), "Forbidden permission_missing");
    patch(json!({"user_name": "Newer", "timezone": "Asia/Tokyo"})).await.unwrap();
    let replaced = setup.replace(&clerk, "user", user.id, json!({"user_id": "new@acme.test", "user_name": "x"})).await;
    assert_eq!(replaced.unwrap().json["roles"], json!(["clerk"]));
}
