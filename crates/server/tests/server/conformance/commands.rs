//! Commands, `module.action`: what they answer, who may call them and how.

use serde_json::json;
use spec::spec;
use testing::Server;

#[spec("R-164", "R-007", "R-094", "R-048", "D-1")]
async fn the_version_is_told_to_whoever_may_use_the_api(server: Server) {
    let version = server.admin().get("app/backend.version").await.is(200).json();
    assert_eq!(version.as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "code", "notes", "release_time"]);
    assert!(version["id"].as_i64().unwrap() > 0);
    assert_eq!(version["code"], env!("CARGO_PKG_VERSION"));
    assert!(!version["notes"].as_str().unwrap().is_empty());
    assert_eq!(version["release_time"], "2026-11-20T01:00:00+01:00");
    // The editor's display zone is New York.
    assert_eq!(
        server.editor().get("app/backend.version").await.is(200).at("/release_time"),
        "2026-11-19T19:00:00-05:00"
    );
    server.client().get("app/backend.version").await.is(403);
    server.client().with("key", &server.key("guest").await).get("app/backend.version").await.is(403);
    server.admin().get("app/backend.version?a=1").await.is(400).says("a");
}

#[spec("R-300", "R-301")]
async fn the_version_of_the_api_is_in_the_path_and_there_is_one(server: Server) {
    let admin = server.admin();
    let reply = admin.get("/api/v1/app/backend.version").await.is(200);
    // Nothing is announced to end: no policy is shown, so none is invented.
    assert_eq!((reply.header("deprecation"), reply.header("sunset")), ("", ""));
    for path in ["/api/v2/app/backend.version", "/api/app/backend.version", "/api/v1.1/auth", "/api/V1/auth"] {
        admin.get(path).await.is(404);
    }
}

#[spec("R-165", "R-249", "R-007", "R-094", "R-246")]
async fn whoever_has_a_profile_reads_it(engine: testing::Engine) {
    let users = "name: user\nproperties:\n  badge: {id: 300, kind: pString, title: Badge}\n";
    let server = Server::with(engine, &[("types/user.yaml", users)]).await;
    let member = server.role("member", "role: member\nsystem: [restApi, profile]\ntypes: {}\n").await;
    let id = server.user("member").await;
    server.set_user("member", json!({"timezone": "Asia/Tokyo", "badge": "B-1"})).await;
    server.set_user("member", json!({"valid_from": "2026-01-01T00:00:00Z"})).await;
    let whole = server.admin().get(&format!("collection/user/{id}")).await.is(200).json();
    let own = member.get("app/user.current").await.is(200).lacks("argon2").json();
    // The type itself is not granted: the own user is, with the built-in properties, in the own display zone.
    member.get("collection/user").await.is(403);
    let mut expected = whole.clone();
    expected.as_object_mut().unwrap().shift_remove("badge");
    expected["valid_from"] = json!("2026-01-01T09:00:00+09:00");
    assert_eq!(own, expected);
    assert_eq!((&own["id"], &own["roles"], own.get("password")), (&json!(id), &json!(["member"]), None));
    // What of the tenant's own properties may be read on users may be read on oneself.
    assert_eq!(server.admin().get("app/user.current").await.is(200).at("/id"), server.user("admin").await);
    assert!(server.admin().get("app/user.current").await.json().get("badge").is_some());
    // Nobody is read but oneself, whatever the request says.
    for name in ["user", "userId", "id", "_user"] {
        member.get(&format!("app/user.current?{name}=1")).await.is(400).says(name);
    }
    server.reader().get("app/user.current").await.is(403).says("profile");
    server.client().get("app/user.current").await.is(403);
}

#[spec("D-9")]
async fn a_scoped_key_calls_the_commands_that_it_names(server: Server) {
    let login = server.login("admin").await;
    for (scope, current, version) in [
        ("app:user.current", 200, 403),
        ("app:backend.version", 403, 200),
        ("collection:*:show", 403, 403),
        ("*", 200, 200),
    ] {
        let form = [("user", login.user.as_str()), ("password", login.password.as_str()), ("permissions", scope)];
        let made = server.client().post_form("auth", &form).await.is(200);
        let client = server.client().with("key", made.at("/authToken/keyString").as_str().unwrap());
        client.get("app/user.current").await.is(current);
        client.get("app/backend.version").await.is(version);
    }
}

#[spec("D-6", "D-21")]
async fn a_command_has_its_methods(server: Server) {
    let admin = server.admin();
    for path in ["app/backend.version", "app/user.current"] {
        for method in ["POST", "PUT", "PATCH", "DELETE", "SEARCH"] {
            let reply = admin.request(method, path).json(&json!({})).send().await.is(405);
            assert_eq!(reply.header("allow"), "GET, HEAD, OPTIONS", "{method} {path}");
        }
        assert_eq!(admin.request("OPTIONS", path).send().await.is(204).header("allow"), "GET, HEAD, OPTIONS");
        let head = admin.request("HEAD", path).send().await.is(200);
        assert_eq!(head.header("content-length"), admin.get(path).await.text.len().to_string());
    }
}
