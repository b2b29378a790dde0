//! Keys: POST /auth, GET /auth, POST /deauth, and what a key opens.

use serde_json::json;
use spec::spec;
use testing::Server;

#[spec("R-013", "R-014", "R-015", "R-016", "R-017", "R-018", "R-019", "R-020", "R-101", "D-1", "D-9")]
async fn a_new_key_is_shown_with_seven_fields(server: Server) {
    let login = server.login("editor").await;
    let form = [("user", login.user.as_str()), ("password", login.password.as_str())];
    let reply = server.client().post_form("auth", &form).await.is(200);
    let body = reply.json();
    assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["authToken"]);
    let key = body["authToken"].as_object().unwrap();
    let names: Vec<&str> = key.keys().map(String::as_str).collect();
    assert_eq!(names, ["id", "userId", "keyString", "validFrom", "validTo", "description", "permissions"]);
    assert!(key["id"].as_i64().unwrap() > 0);
    assert_eq!(key["userId"], login.id);
    assert!(key["keyString"].is_string());
    // The clock of the tests stands at noon UTC; the editor's display zone is New York.
    assert_eq!(key["validFrom"], "2026-11-20T07:00:00-05:00");
    assert!(key["validTo"].as_str().unwrap().starts_with("9999-12-31T"), "{key:?}");
    assert!(!key["description"].as_str().unwrap().is_empty());
    assert_eq!(key["permissions"], json!(["*"]));
}

#[spec("R-245", "R-246", "R-009", "D-4")]
async fn who_acts_is_the_owner_of_the_key(server: Server) {
    let login = server.login("editor").await;
    let created = server.client().post_form("auth", &[("user", &login.user), ("password", &login.password)]).await;
    let editor = server.client().with("key", created.at("/authToken/keyString").as_str().unwrap());
    let row = editor.create("article", json!({"name": "A"})).await;
    let path = format!("collection/article/{}?showFields=createdBy,updatedBy", row["id"]);
    assert_eq!(editor.get(&path).await.is(200).at("/createdBy"), login.id);
    server.admin().patch(&format!("collection/article/{}", row["id"]), json!({"views": 3})).await.is(200);
    let reply = server.admin().get(&path).await.is(200);
    assert_eq!(reply.at("/createdBy"), login.id);
    assert_eq!(reply.at("/updatedBy"), server.user("admin").await);
    // No parameter or header makes the caller somebody else.
    for name in ["user", "userId", "_user", "asUser"] {
        editor.get(&format!("collection/article?{name}=1")).await.is(400);
    }
}

#[spec("R-070", "A020")]
async fn a_key_comes_in_either_header_and_never_as_two(server: Server) {
    let (key, other) = (server.key("reader").await, server.key("editor").await);
    let client = server.client();
    server.admin().create("article", json!({"name": "A"})).await;
    client.with("key", &key).get("collection/article").await.is(200);
    client.with("x-api-key", &key).get("collection/article").await.is(200);
    client.with("X-API-Key", &key).with("Key", &key).get("collection/article").await.is(200);
    client.with("key", &key).with("x-api-key", &other).get("collection/article").await.is(403);
    client.with("key", &key).with("x-api-key", "nonsense").get("collection/article").await.is(403);
    client.with("key", &key).with("key", &other).get("collection/article").await.is(403);
    client.with("authorization", &format!("Basic {key}")).get("collection/article").await.is(403);
    client.get(&format!("collection/article?key={key}")).await.is(403).lacks(&key);
}

#[spec("R-257", "R-271", "D-7")]
async fn without_a_valid_key_every_route_is_403(server: Server) {
    server.admin().create("article", json!({"name": "A"})).await;
    let nobody = server.client();
    let bad = nobody.with("key", "plk_1_0000000000000000000000000000_000000");
    for client in [&nobody, &bad] {
        for path in
            ["collection/article", "collection/article/1", "collection/article/get-by/name/A", "collection/none"]
        {
            client.get(path).await.is(403);
        }
        client.search("collection/article", json!({})).await.is(403);
        client.post("collection/article", json!({"name": "A"})).await.is(403);
        client.put("collection/article/1", json!({"name": "A"})).await.is(403);
        client.patch("collection/article/1", json!({"name": "A"})).await.is(403);
        client.delete("collection/article/1").await.is(403);
    }
}

#[spec("R-069", "R-103", "R-104", "D-7")]
async fn the_state_of_a_key_is_reported(server: Server) {
    let key = server.key("editor").await;
    let client = server.client();
    let valid = client.with("key", &key).get("auth").await.is(200).json();
    assert_eq!(valid.as_object().unwrap().keys().collect::<Vec<_>>(), ["status", "validTo"]);
    assert_eq!(valid["status"], "valid");
    assert!(valid["validTo"].as_str().unwrap().starts_with("9999-12-3"), "{valid}");
    let invalid = json!({"status": "invalid", "validTo": ""});
    for client in
        [client.clone(), client.with("key", ""), client.with("key", "nonsense"), client.with("key", &changed(&key))]
    {
        assert_eq!(client.get("auth").await.is(200).json(), invalid);
    }
    client.post_form("deauth", &[("key", &key)]).await.is(200);
    assert_eq!(client.with("key", &key).get("auth").await.is(200).json(), invalid);
    client.with("key", &key).get("collection/article").await.is(403);
}

#[spec("D-8", "A015")]
async fn a_key_has_a_shape_and_a_checksum(server: Server) {
    let key = server.key("admin").await;
    let parts: Vec<&str> = key.split('_').collect();
    assert_eq!(parts.len(), 4, "{key}");
    assert_eq!(parts[0], "plk");
    assert!(parts[1..].iter().all(|part| part.bytes().all(|byte| byte.is_ascii_alphanumeric())), "{key}");
    let client = server.client();
    client.with("key", &key).get("collection/article").await.is(204);
    for position in 0..key.len() {
        let mut changed = key.clone().into_bytes();
        changed[position] = if changed[position] == b'x' { b'y' } else { b'x' };
        let changed = String::from_utf8(changed).unwrap();
        client.with("key", &changed).get("collection/article").await.is(403);
    }
    let other = server.key("admin").await;
    assert_ne!(key, other);
    let mixed = key.replace(parts[2], other.split('_').nth(2).unwrap());
    client.with("key", &mixed).get("collection/article").await.is(403);
    client.with("key", &format!("{key} ")).get("collection/article").await.is(204);
    client.with("key", &format!("{key}x")).get("collection/article").await.is(403);
}

#[spec("R-072", "R-097", "R-098", "A012")]
async fn user_and_password_are_required_post_fields(server: Server) {
    let login = server.login("editor").await;
    let (user, password) = (login.user.as_str(), login.password.as_str());
    let client = server.client();
    client.post_form("auth", &[("password", password)]).await.is(400).says("user");
    client.post_form("auth", &[("user", user)]).await.is(400).says("password");
    client.post_form("auth", &[]).await.is(400);
    client
        .post_form("auth", &[("user", user), ("password", password), ("surprise", "1")])
        .await
        .is(400)
        .says("surprise");
    let query = testing::form(&[("user", user), ("password", password)]);
    let reply = client.request("POST", &format!("auth?{query}")).form(&[]).send().await.is(400);
    assert!(!reply.text.contains(password));
    client
        .request("POST", &format!("auth?{query}"))
        .form(&[("user", user), ("password", password)])
        .send()
        .await
        .is(400);
    client.request("POST", "auth").body("text/plain", "user=a&password=b").send().await.is(415);
    client.post_form("auth", &[("user", user), ("user", user), ("password", password)]).await.is(400);
    client.post_form("auth", &[("user", user), ("password", password)]).await.is(200);
}

#[spec("R-099", "A013")]
async fn an_expiration_date_may_be_asked_for(server: Server) {
    let login = server.login("editor").await;
    let (user, password) = (login.user.as_str(), login.password.as_str());
    let client = server.client();
    let auth =
        async |valid: &str| client.post_form("auth", &[("user", user), ("password", password), ("valid", valid)]).await;
    for valid in ["2026-11-19", "10000-01-01", "\0", "soon", "2026-13-01", "2026-02-30"] {
        client
            .post_form("auth", &[("user", user), ("password", password), ("valid", valid)])
            .await
            .is(400)
            .says("valid");
    }
    assert!(auth("9999-12-31").await.is(200).at("/authToken/validTo").as_str().unwrap().starts_with("9999-12-31T"));
    let reply = auth("2026-12-01").await.is(200);
    let key = reply.at("/authToken/keyString").as_str().unwrap().to_owned();
    assert!(reply.at("/authToken/validTo").as_str().unwrap().starts_with("2026-12-01T"), "{}", reply.text);
    let keyed = client.with("key", &key);
    assert_eq!(keyed.get("auth").await.at("/status"), "valid");
    server.clock().set("2026-12-03T00:00:00Z");
    assert_eq!(keyed.get("auth").await.json(), json!({"status": "invalid", "validTo": ""}));
    keyed.get("collection/article").await.is(403);
}

#[spec("R-018", "R-100")]
async fn a_description_may_be_given(server: Server) {
    let login = server.login("editor").await;
    let (user, password) = (login.user.as_str(), login.password.as_str());
    let form = [("user", user), ("password", password), ("description", "Büro & co")];
    let reply = server.client().post_form("auth", &form).await.is(200);
    assert_eq!(reply.at("/authToken/description"), "Büro & co");
    // An empty field of a form is one that was left out: the default text.
    for none in ["", " "] {
        let form = [("user", user), ("password", password), ("description", none)];
        let reply = server.client().post_form("auth", &form).await.is(200);
        assert_eq!(reply.at("/authToken/description"), "Key made at sign-in", "{none:?}");
    }
    for wrong in ["x".repeat(501), "a\0b".to_owned()] {
        let form = [("user", user), ("password", password), ("description", wrong.as_str())];
        server.client().post_form("auth", &form).await.is(400).says("description");
    }
}

#[spec("D-9")]
async fn a_key_may_be_narrowed_to_scopes(server: Server) {
    let login = server.login("editor").await;
    let (user, password) = (login.user.as_str(), login.password.as_str());
    let form = [("user", user), ("password", password), ("permissions", "collection:article:show")];
    let reply = server.client().post_form("auth", &form).await.is(200);
    assert_eq!(reply.at("/authToken/permissions"), json!(["collection:article:show"]));
    let narrow = server.client().with("key", reply.at("/authToken/keyString").as_str().unwrap());
    narrow.get("collection/article").await.is(204);
    narrow.post("collection/article", json!({"name": "A"})).await.is(403);
    narrow.get("collection/person").await.is(403);
    // A scope never widens what its owner may do.
    let form = [("user", user), ("password", password), ("permissions", "collection:*:delete,collection:*:show")];
    let reply = server.client().post_form("auth", &form).await.is(200);
    let wide = server.client().with("key", reply.at("/authToken/keyString").as_str().unwrap());
    wide.get("collection/country").await.is(403);
    let form = [("user", user), ("password", password), ("permissions", "everything")];
    server.client().post_form("auth", &form).await.is(400);
}

#[spec("A010")]
async fn passwords_are_compared_whole_and_in_their_normal_form(server: Server) {
    let long = "a".repeat(72);
    let client = server.client();
    let admin = server.admin();
    let path = format!("collection/user/{}", server.user("editor").await);
    let auth = async |password: &str| {
        server.clock().advance(1_000);
        client.post_form("auth", &[("user", "editor@acme.test"), ("password", password)]).await.status
    };
    admin.patch(&path, json!({"password": format!("{long}1")})).await.is(200);
    assert_eq!(auth(&format!("{long}2")).await, 401);
    assert_eq!(auth(&format!("{long}1")).await, 200);
    let longest = "a long one, ".repeat(86)[..1024].to_owned();
    admin.patch(&path, json!({"password": longest})).await.is(200);
    assert_eq!(auth(&longest).await, 200);
    assert_eq!(auth(&format!("{longest}p")).await, 400);
    admin.patch(&path, json!({"password": format!("{longest}p")})).await.is(400);
    // The normal form is measured, which is what is compared.
    let (composed, apart) = ("\u{e9}1".repeat(341), "e\u{301}1".repeat(341));
    admin.patch(&path, json!({"password": apart})).await.is(200);
    assert_eq!([auth(&apart).await, auth(&composed).await], [200, 200]);
    for longer in [format!("{apart}12"), "e\u{301}".repeat(5_000)] {
        admin.patch(&path, json!({"password": longer})).await.is(400);
        assert_eq!(auth(&longer).await, 400);
    }
    admin.patch(&path, json!({"password": "too short"})).await.is(400);
    admin.patch(&path, json!({"password": "a NUL \u{0} inside"})).await.is(200);
    assert_eq!(auth("a NUL \u{0} within").await, 401);
    assert_eq!(auth("a NUL \u{0} inside").await, 200);
    admin.patch(&path, json!({"password": "caf\u{e9} caf\u{e9} caf\u{e9}"})).await.is(200);
    assert_eq!(auth("cafe cafe cafe").await, 401);
    // Composed or not, it is the same text (NIST SP 800-63B).
    assert_eq!(auth("cafe\u{301} cafe\u{301} cafe\u{301}").await, 200);
    assert_eq!(auth("caf\u{e9} caf\u{e9} caf\u{e9}").await, 200);
}

#[spec("R-105", "R-106", "D-10", "A023")]
async fn a_key_is_revoked_by_whoever_holds_it(server: Server) {
    let key = server.key("reader").await;
    let client = server.client();
    let reply = client.post_form("deauth", &[("key", &key)]).await.is(200);
    assert_eq!(reply.json(), json!({"message": "API key deleted."}));
    client.with("key", &key).get("collection/article").await.is(403);
    client.post_form("deauth", &[]).await.is(400).says("key");
    let mut bodies = Vec::new();
    for unknown in [key.as_str(), "nonsense", &changed(&server.key("reader").await)] {
        bodies.push(client.post_form("deauth", &[("key", unknown)]).await.is(404).text);
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
}

#[spec("D-14", "A017", "A018")]
async fn a_key_dies_with_its_owners_right_to_sign_in(server: Server) {
    server.admin().create("article", json!({"name": "A"})).await;
    let reader = server.reader();
    let list = reader.get("collection/article").await.is(200);
    for (state, status) in [
        (json!({"login_expired": true}), 403),
        (json!({"login_expired": false}), 200),
        (json!({"valid_from": "9999-01-01T00:00:00Z"}), 403),
        (json!({"valid_from": "2026-11-20T12:00:00Z"}), 200),
        (json!({"valid_to": "2026-11-20T12:00:00Z"}), 403),
        (json!({"valid_to": null}), 200),
        (json!({"roles": ["guest"]}), 403),
        (json!({"roles": ["reader"]}), 200),
    ] {
        server.set_user("reader", state.clone()).await;
        reader.get("collection/article").await.is(status);
        let cached = reader.with("if-none-match", list.header("etag")).get("collection/article").await;
        assert!(cached.status == status || (status == 200 && cached.status == 304), "{state}: {}", cached.status);
        let expected = if status == 200 { "valid" } else { "invalid" };
        assert_eq!(reader.get("auth").await.at("/status"), expected, "{state}");
    }
    server.admin().delete(&format!("collection/user/{}", server.user("reader").await)).await.is(204);
    reader.get("collection/article").await.is(403);
    assert_eq!(reader.get("auth").await.at("/status"), "invalid");
}

/// The key with the last character of its random part changed.
fn changed(key: &str) -> String {
    let mut characters: Vec<char> = key.chars().collect();
    let position = key.rfind('_').unwrap() - 1;
    characters[position] = if characters[position] == 'a' { 'b' } else { 'a' };
    characters.into_iter().collect()
}
