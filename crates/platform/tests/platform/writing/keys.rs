//! API keys: who they let in, and until when.

use super::setup::{Setup, refusal};
use accounts::keys;
use accounts::users;
use context::caller_key::CallerKey;
use database::ReadCost;
use serde_json::json;
use spec::spec;
use std::sync::Arc;

#[spec("D-7", "D-8", "A015", "R-103", "R-104")]
async fn only_the_right_text_lets_in(setup: Setup) {
    let text = setup.key_text("admin").await;
    let key = CallerKey::parse(&text).unwrap();
    assert_eq!(keys::status(&setup.tenant, &key).await.unwrap().valid_to.unwrap(), "9999-12-31T00:00:00+01:00");
    setup.get(&key, "user", 1).await.unwrap();
    // The right id with another secret: the text of the other key, whose id is written over.
    let other = setup.key_text("admin").await;
    let (id, secret) = (text.split('_').nth(1).unwrap(), other.split('_').nth(2).unwrap());
    let body = format!("plk_{id}_{secret}");
    let forged = (0..62u64.pow(3)).find_map(|_| CallerKey::parse(&body).ok());
    assert_eq!(forged, None);
    assert_eq!(refusal(CallerKey::parse(&format!("{text}0"))), "Forbidden key_invalid");
}

#[spec("D-10", "A023", "A017", "R-106")]
async fn a_revoked_key_is_dead_at_once(setup: Setup) {
    let text = setup.key_text("admin").await;
    let key = CallerKey::parse(&text).unwrap();
    setup.get(&key, "user", 1).await.unwrap();
    keys::revoke_by_text(&setup.tenant, &text, [192, 0, 2, 1].into()).await.unwrap();
    assert_eq!(refusal(setup.get(&key, "user", 1).await), "Forbidden key_invalid");
    assert_eq!(refusal(setup.create(&key, "person", json!({"name": "x"})).await), "Forbidden key_invalid");
    assert_eq!(keys::status(&setup.tenant, &key).await.unwrap().word(), "invalid");
    for gone in [text.as_str(), "plk_1_2_3", ""] {
        assert_eq!(
            refusal(keys::revoke_by_text(&setup.tenant, gone, [192, 0, 2, 1].into()).await),
            "Missing key_missing"
        );
    }
}

#[spec("D-14", "D-7", "A017", "A018")]
async fn the_owners_state_decides_on_every_request(setup: Setup) {
    let (admin, key) = (setup.key("admin").await, setup.key("editor").await);
    let editor = id_of(&setup, "editor@acme.test").await;
    let works = || async { setup.count(&key, "article").await };
    works().await;
    for (blocking, freeing) in [
        (json!({"login_expired": true}), json!({"login_expired": false})),
        (json!({"valid_from": "9999-01-01T00:00:00Z"}), json!({"valid_from": null})),
        (json!({"valid_to": "2026-06-15T10:00:00Z"}), json!({"valid_to": "2026-06-15T10:00:01Z"})),
        (json!({"roles": []}), json!({"roles": ["editor"], "valid_to": null})),
    ] {
        setup.patch(&admin, "user", editor, blocking.clone()).await.unwrap();
        assert_eq!(refusal(setup.get(&key, "article", 1).await), "Forbidden key_invalid", "{blocking}");
        assert_eq!(keys::status(&setup.tenant, &key).await.unwrap().word(), "invalid");
        setup.patch(&admin, "user", editor, freeing).await.unwrap();
        works().await;
    }
    setup.patch(&admin, "user", editor, json!({"valid_to": "2026-06-15T10:00:02Z"})).await.unwrap();
    works().await;
    setup.clock.advance(2);
    assert_eq!(refusal(setup.get(&key, "article", 1).await), "Forbidden key_invalid");
    setup.delete(&admin, "user", editor).await.unwrap();
    assert_eq!(refusal(setup.get(&key, "article", 1).await), "Forbidden key_invalid");
}

#[spec("D-9")]
async fn scopes_narrow_what_the_owner_may(setup: Setup) {
    let login = "admin@acme.test";
    let make = |scopes: &'static [&'static str]| {
        let tenant = Arc::clone(&setup.tenant);
        async move {
            let job = move || {
                tenant.write_as_administrator(|tx, context| {
                    let scopes = context::scopes::KeyScopes::parse(scopes.iter().copied(), &context.model)?;
                    let key = users::NewUserKey { login: login.to_owned(), scopes, description: None, valid: None };
                    users::create_scoped_key(tx, context, key)
                })
            };
            let key = tokio::task::spawn_blocking(job).await.unwrap()?;
            Ok(CallerKey::parse(&key.text.unwrap()).unwrap())
        }
    };
    let key = make(&["collection:person:show", "collection:11:create"]).await.unwrap();
    let person = setup.create(&key, "person", json!({"name": "x"})).await.unwrap();
    setup.get(&key, "person", person.id).await.unwrap();
    let patched = setup.patch(&key, "person", person.id, json!({"name": "y"})).await;
    assert_eq!(refusal(patched), "Forbidden permission_missing");
    assert_eq!(refusal(setup.get(&key, "article", 1).await), "Forbidden permission_missing");
    // A key without `*` is no administrator.
    let all = make(&["collection:*:edit", "collection:*:show"]).await.unwrap();
    let blocked = setup.patch(&all, "user", 1, json!({"login_expired": true})).await;
    assert_eq!(refusal(blocked), "Forbidden property_forbidden login_expired");
    for wrong in [&["collection:nope:show"][..], &["collection:person:read"], &["x"], &[]] {
        assert!(refusal(make(wrong).await).starts_with("Invalid scope_"));
    }
}

#[spec("D-15", "A021")]
async fn a_key_of_another_tenant_is_unknown(setup: Setup) {
    let key = setup.key("admin").await;
    let platform = Arc::clone(&setup.platform);
    let other = tokio::task::spawn_blocking(move || platform.create_tenant("other").unwrap()).await.unwrap();
    let read = other.read(ReadCost::Point, &key, |_, _| Ok(())).await;
    assert_eq!(refusal(read), "Forbidden key_invalid");
    for (host, prefix, name) in [
        ("acme.test", None, Some("acme")),
        ("ACME.test.:8080", None, Some("acme")),
        ("localhost", Some("other"), Some("other")),
        // The tenant that was there first, until the operator decides.
        ("localhost", None, Some("acme")),
        ("acme.test", Some("other"), None),
    ] {
        let found = setup.platform.tenant(host, prefix, std::net::Ipv4Addr::LOCALHOST.into()).await;
        assert_eq!(found.ok().map(|tenant| tenant.name().to_owned()).as_deref(), name, "{host} {prefix:?}");
    }
}

#[spec("D-15")]
async fn a_node_with_another_master_key_makes_no_tenant(setup: Setup) {
    // Both nodes found an empty database, and each made a key.
    let (own, other) = (Arc::clone(&setup.platform), setup.node(2));
    let made = tokio::task::spawn_blocking(move || {
        let refused = other.create_tenant("second").map(drop);
        (refused, own.create_tenant("second").map(drop), other.tenants())
    });
    let (refused, made, tenants) = made.await.unwrap();
    assert_eq!(refusal(refused), "Conflict master_key_foreign");
    made.unwrap();
    assert_eq!(tenants.unwrap(), ["acme", "second"]);
}

#[spec("D-15", "A021")]
async fn keys_of_a_deleted_tenant_do_not_open_one_of_the_same_name(setup: Setup) {
    let key = setup.key("admin").await;
    setup.get(&key, "user", 1).await.unwrap();
    let held = Arc::clone(&setup.tenant);
    let platform = Arc::clone(&setup.platform);
    let again = tokio::task::spawn_blocking(move || {
        platform.erase_tenant("acme").unwrap();
        platform.create_tenant("acme").unwrap()
    });
    let again = again.await.unwrap();
    for tenant in [held, again] {
        let read = tenant.read(ReadCost::Point, &key, |_, _| Ok(())).await;
        assert!(["Forbidden key_invalid", "Missing tenant_missing"].contains(&refusal(read).as_str()));
    }
}

async fn id_of(setup: &Setup, login: &'static str) -> i64 {
    let tenant = Arc::clone(&setup.tenant);
    let job = move || tenant.read_as_administrator(|tx, _| resources::users::id_of(tx, login));
    tokio::task::spawn_blocking(job).await.unwrap().unwrap()
}
