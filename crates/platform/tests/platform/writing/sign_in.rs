//! Sign-in and its throttles.

use super::setup::{Setup, refusal};
use accounts::keys;
use accounts::keys::ApiKey;
use accounts::users;
use accounts::users::SignIn;
use argon2::{Algorithm, Argon2, Params, Version};
use base64ct::{Base64Unpadded, Encoding};
use context::caller_key::CallerKey;
use context::key_text::KeyText;
use context::passwords::PasswordHash;
use database::{ColumnType, Name, ReadCost, ValueRef};
use model::error::{ErrorKind, Result};
use platform::tenants::Platform;
use serde_json::json;
use sha2::{Digest, Sha256};
use spec::spec;
use std::sync::Arc;

const PASSWORD: &str = "correct horse";

async fn with_password(setup: &Setup) {
    let tenant = Arc::clone(&setup.tenant);
    let job = move || {
        let password = PasswordHash::new(PASSWORD, tenant.environment().random.as_ref())?;
        tenant.write_as_administrator(|tx, context| {
            for login in ["admin@acme.test", "editor@acme.test", "guest@acme.test"] {
                users::set_password(tx, context, login, &password)?;
            }
            Ok(())
        })
    };
    tokio::task::spawn_blocking(job).await.unwrap().unwrap();
}

fn input(login: &str, password: &str, address: u8) -> SignIn {
    SignIn {
        login: login.to_owned(),
        password: password.to_owned(),
        valid: None,
        description: None,
        permissions: None,
        address: [192, 0, 2, address].into(),
    }
}

async fn sign_in(setup: &Setup, login: &str, password: &str, address: u8) -> Result<ApiKey> {
    users::sign_in(&setup.tenant, input(login, password, address)).await
}

#[spec("R-096", "R-101", "R-013", "R-018", "D-9")]
async fn the_right_password_makes_a_key(setup: Setup) {
    with_password(&setup).await;
    let key = sign_in(&setup, " Editor@ACME.test", PASSWORD, 1).await.unwrap();
    let mut object = key.json();
    let text = object["keyString"].take();
    assert_eq!(
        object,
        json!({
            "id": key.id, "userId": key.user, "keyString": null, "validFrom": "2026-06-15T06:00:00-04:00",
            "validTo": "9999-12-31T00:00:00-05:00", "description": "Key made at sign-in", "permissions": ["*"],
        })
    );
    let key = CallerKey::parse(text.as_str().unwrap()).unwrap();
    assert_eq!(setup.count(&key, "article").await, 0);
    let scoped = SignIn {
        valid: Some("2026-07-01".into()),
        description: Some("mine".into()),
        permissions: Some(vec!["collection:person:show".into()]),
        ..input("editor@acme.test", PASSWORD, 1)
    };
    let object = users::sign_in(&setup.tenant, scoped).await.unwrap().json();
    assert_eq!(object["validTo"], "2026-07-01T00:00:00-04:00");
    assert_eq!((&object["description"], &object["permissions"]), (&json!("mine"), &json!(["collection:person:show"])));
}

#[spec("R-102", "A002", "A010", "A013")]
async fn every_failure_is_the_same(setup: Setup) {
    with_password(&setup).await;
    let expected = sign_in(&setup, "admin@acme.test", "wrong password", 1).await.unwrap_err();
    assert_eq!(expected.kind, ErrorKind::Unauthenticated);
    // Unknown; without a password; and without the permission restApi.
    for login in ["nobody@acme.test", "reader@acme.test", "guest@acme.test"] {
        assert_eq!(sign_in(&setup, login, PASSWORD, 2).await.unwrap_err(), expected, "{login}");
    }
    let admin = setup.key("admin").await;
    let user = setup.patch(&admin, "user", 1, json!({})).await.unwrap();
    setup.patch(&admin, "user", user.id, json!({"login_expired": true})).await.unwrap();
    let login = user.json["user_id"].as_str().unwrap().to_owned();
    assert_eq!(sign_in(&setup, &login, PASSWORD, 3).await.unwrap_err(), expected);

    for (input, code) in [
        (input("", PASSWORD, 4), "user_invalid"),
        (input("x", "", 4), "password_invalid"),
        (input("x", &"x".repeat(1_025), 4), "password_invalid"),
        (SignIn { valid: Some("2026-06-14".into()), ..input("x", "y", 4) }, "valid_past"),
        (SignIn { valid: Some("10000-01-01".into()), ..input("x", "y", 4) }, "valid_invalid"),
        (SignIn { permissions: Some(vec!["x".into()]), ..input("x", "y", 4) }, "scope_unknown"),
    ] {
        assert_eq!(refusal(users::sign_in(&setup.tenant, input).await), format!("Invalid {code}"));
    }
}

fn wait_of<T: std::fmt::Debug>(result: Result<T>) -> u32 {
    match result.unwrap_err().kind {
        ErrorKind::TooMany { retry_after, .. } => retry_after,
        other => panic!("{other:?}"),
    }
}

#[spec("A004", "A006", "A009")]
async fn five_failures_close_a_login_and_not_to_its_owner(setup: Setup) {
    with_password(&setup).await;
    for login in ["editor@acme.test", "Editor@acme.test", " editor@acme.test", "EDITOR@acme.test", "editor@acme.test "]
    {
        assert_eq!(refusal(sign_in(&setup, login, "wrong password", 1).await), "Unauthenticated sign_in_failed");
        setup.clock.advance(60);
    }
    for password in ["wrong password", PASSWORD, PASSWORD] {
        assert_eq!(wait_of(sign_in(&setup, "editor@acme.test", password, 1).await), 600);
    }
    // Other logins from that address, and the owner from another one, get in; a second guesser waits.
    sign_in(&setup, "admin@acme.test", PASSWORD, 1).await.unwrap();
    sign_in(&setup, "editor@acme.test", PASSWORD, 2).await.unwrap();
    assert_eq!(wait_of(sign_in(&setup, "editor@acme.test", "wrong password", 3).await), 10);
    setup.clock.advance(10);
    assert_eq!(refusal(sign_in(&setup, "editor@acme.test", "wrong", 3).await), "Unauthenticated sign_in_failed");
    assert!(wait_of(sign_in(&setup, "editor@acme.test", PASSWORD, 3).await) > 10);
    setup.clock.advance(590);
    sign_in(&setup, "editor@acme.test", PASSWORD, 1).await.unwrap();
}

#[spec("A007")]
async fn twenty_failures_close_an_address(setup: Setup) {
    for number in 0..20 {
        let answer = sign_in(&setup, &format!("nobody{number}"), "wrong password", 1).await;
        assert_eq!(refusal(answer), "Unauthenticated sign_in_failed");
    }
    assert_eq!(wait_of(sign_in(&setup, "somebody", "wrong password", 1).await), 900);
    assert_eq!(refusal(sign_in(&setup, "somebody", "wrong password", 2).await), "Unauthenticated sign_in_failed");
}

#[spec("A005", "A025")]
async fn of_sixty_parallel_guesses_five_are_compared(setup: Setup) {
    with_password(&setup).await;
    let guesses = (0..60).map(|_| sign_in(&setup, "editor@acme.test", "wrong password", 1));
    let answers = futures_util::future::join_all(guesses).await;
    let compared = answers.iter().filter(|answer| matches!(answer, Err(e) if e.kind == ErrorKind::Unauthenticated));
    assert_eq!(compared.count(), 5);
}

#[spec("D-8", "D-14")]
async fn of_keys_and_passwords_only_hashes_are_stored(setup: Setup) {
    with_password(&setup).await;
    let key = sign_in(&setup, "editor@acme.test", PASSWORD, 1).await.unwrap();
    let text = key.text.clone().unwrap();
    let tenant = Arc::clone(&setup.tenant);
    let read = move || {
        let mut stored = (Vec::new(), String::new());
        tenant.store().read_blocking::<_, model::error::Error>(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT k.digest, u.p3 FROM ").table(&Name::fixed("plinth_key")).push(" k JOIN ");
            sql.table(&Name::fixed("t1")).push(" u ON u.id = k.owner WHERE k.id = ").bind(key.id);
            tx.query(&sql, &mut |row| {
                if let ValueRef::Bytes(digest) = row.get(0, ColumnType::Bytes)? {
                    stored.0 = digest.to_vec();
                }
                stored.1 = row.text(1)?.to_owned();
                Ok(())
            })?;
            Ok(())
        })?;
        Ok::<_, model::error::Error>(stored)
    };
    let (digest, hash) = tokio::task::spawn_blocking(read).await.unwrap().unwrap();
    assert_eq!(digest, Sha256::digest(&text).to_vec());
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$") && !hash.contains(PASSWORD), "{hash}");
    // The text is shown once: a key that is read again has none.
    let tenant = Arc::clone(&setup.tenant);
    let list = move || tenant.write_as_administrator(|tx, context| keys::list(tx, context, None));
    let listed = tokio::task::spawn_blocking(list).await.unwrap().unwrap();
    assert!(!format!("{listed:?}").contains(&text));
}

#[spec("D-8")]
async fn a_user_has_at_most_a_hundred_keys(setup: Setup) {
    for _ in 0..100 {
        setup.key("editor").await;
    }
    with_password(&setup).await;
    // The right password is no failed try, however often it is given.
    for _ in 0..30 {
        assert_eq!(refusal(sign_in(&setup, "editor@acme.test", PASSWORD, 1).await), "Conflict keys_full");
    }
}

async fn signed_in(setup: &Setup) -> CallerKey {
    let key = sign_in(setup, "editor@acme.test", PASSWORD, 1).await.unwrap();
    CallerKey::parse(key.text.as_deref().unwrap()).unwrap()
}

/// Uses a key at a node.
async fn use_at(node: &Arc<Platform>, key: &CallerKey) {
    let opened = Arc::clone(node);
    let tenant = tokio::task::spawn_blocking(move || opened.open("acme").unwrap()).await.unwrap();
    tenant.read(ReadCost::Point, key, |_, _| Ok(())).await.unwrap();
}

/// Tells which of some keys are there.
async fn are_left(setup: &Setup, made: &[CallerKey]) -> Vec<bool> {
    let tenant = Arc::clone(&setup.tenant);
    let list = move || tenant.write_as_administrator(|tx, context| keys::list(tx, context, None));
    let left: Vec<i64> = tokio::task::spawn_blocking(list).await.unwrap().unwrap().iter().map(|key| key.id).collect();
    assert_eq!(left.len(), 100);
    made.iter().map(|key| left.contains(&key.id().unwrap())).collect()
}

#[spec("D-8")]
async fn the_key_of_a_sign_in_that_was_unused_for_longest_makes_room(setup: Setup) {
    for _ in 0..97 {
        setup.key("editor").await;
    }
    with_password(&setup).await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(signed_in(&setup).await);
        setup.clock.advance(60);
    }
    // The first is in use, so the second goes, which is older than the third.
    setup.count(&made[0], "article").await;
    setup.clock.advance(60);
    made.push(signed_in(&setup).await);
    assert_eq!(are_left(&setup, &made).await, [true, false, true, true]);
    setup.clock.advance(60);
    // The first was used before the fourth was made; the third after, at another node, which has said so.
    let other = setup.node(1);
    use_at(&other, &made[2]).await;
    other.note_key_uses().await;
    made.push(signed_in(&setup).await);
    assert_eq!(are_left(&setup, &made).await, [false, false, true, true, true]);
}

/// When keys were last used, as the store has it, in milliseconds since the start.
async fn last_uses(setup: &Setup) -> Vec<(i64, i64)> {
    let read = |tx: &mut database::Tx<'_>| {
        let mut uses = Vec::new();
        let mut sql = tx.sql();
        sql.push("SELECT id, last_used FROM ").table(&Name::fixed("plinth_key"));
        sql.push(" WHERE last_used IS NOT NULL ORDER BY id");
        tx.query(&sql, &mut |row| {
            if let ValueRef::Timestamp(at) = row.get(1, ColumnType::Timestamp)? {
                uses.push((row.integer(0)?, at));
            }
            Ok(())
        })?;
        Ok::<_, model::error::Error>(uses)
    };
    setup.tenant.store().read(ReadCost::Scan, read).await.unwrap()
}

#[spec("D-8")]
async fn uses_of_keys_are_written_all_at_once_and_not_by_reads(setup: Setup) {
    let [used, wrong] = [setup.key("editor").await, setup.key("reader").await];
    let id = used.id().unwrap();
    for _ in 0..5 {
        setup.clock.advance(10);
        setup.count(&used, "article").await;
        let (wrong, digest) = (wrong.id().unwrap(), used.text.unwrap().digest);
        let other = CallerKey::from(KeyText { id: wrong, digest });
        assert_eq!(setup.get(&other, "article", 1).await.unwrap_err().kind, ErrorKind::Forbidden);
    }
    assert_eq!(last_uses(&setup).await, []);
    setup.platform.note_key_uses().await;
    let start = 1_781_517_600_000; // 2026-06-15T10:00:00Z
    assert_eq!(last_uses(&setup).await, [(id, start + 50_000)]);
    // There is nothing new to write; and what another node wrote later stays.
    let other = setup.node(1);
    setup.count(&used, "article").await;
    setup.clock.advance(10);
    use_at(&other, &used).await;
    other.note_key_uses().await;
    setup.platform.note_key_uses().await;
    assert_eq!(last_uses(&setup).await, [(id, start + 60_000)]);
}

/// The hash of a password as it was made before passwords had a normal form.
fn former_hash(password: &str) -> String {
    let (salt, mut hash) = ([5; 16], [0; 32]);
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(19_456, 2, 1, Some(32)).unwrap());
    argon.hash_password_into(password.as_bytes(), &salt, &mut hash).unwrap();
    let [salt, hash] = [&salt[..], &hash].map(Base64Unpadded::encode_string);
    format!("$argon2id$v=19$m=19456,t=2,p=1${salt}${hash}")
}

#[spec("R-101")]
async fn a_password_whose_hash_is_of_another_form_is_right_and_hashed_anew(setup: Setup) {
    with_password(&setup).await;
    let (composed, decomposed) = ("heslo s h\u{e1}\u{10d}kem", "heslo s ha\u{301}c\u{30c}kem");
    let put = former_hash(decomposed);
    let tenant = Arc::clone(&setup.tenant);
    let job = move || {
        tenant.write_as_administrator(|tx, _| {
            let mut sql = tx.sql();
            sql.push("UPDATE ").table(&Name::fixed("t1")).push(" SET p3 = ").bind(put.as_str());
            sql.push(" WHERE p1 = ").bind("editor@acme.test");
            tx.execute(&sql)?;
            Ok(())
        })
    };
    tokio::task::spawn_blocking(job).await.unwrap().unwrap();
    assert_eq!(refusal(sign_in(&setup, "editor@acme.test", composed, 1).await), "Unauthenticated sign_in_failed");
    let first = sign_in(&setup, "editor@acme.test", decomposed, 1).await.unwrap();
    for password in [composed, decomposed] {
        sign_in(&setup, "editor@acme.test", password, 1).await.unwrap();
    }
    // The password is what it was: what it made stays.
    assert_eq!(
        setup.count(&CallerKey::parse(first.json()["keyString"].as_str().unwrap()).unwrap(), "article").await,
        0
    );
}
