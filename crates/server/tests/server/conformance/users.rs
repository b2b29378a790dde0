//! Users: a type like others, with what no other type has.

use serde_json::json;
use spec::spec;
use testing::Server;

#[spec("R-033", "D-11")]
async fn users_are_a_collection(server: Server) {
    let admin = server.admin();
    let user = json!({"user_id": "New@ACME.test", "user_name": "New", "password": "a long password", "roles": ["reader"],
        "phone": "+420123456789", "timezone": "Asia/Tokyo", "user_group": "red"});
    let created = admin.post("collection/user", user).await.is(201).lacks("a long password").json();
    assert_eq!(created["user_id"], "new@acme.test");
    assert_eq!(created["roles"], json!(["reader"]));
    assert_eq!(created["user_group"], "red");
    admin.post("collection/user", json!({"user_id": "new@acme.test", "user_name": "Twin"})).await.is(409);
    admin.post("collection/user", json!({"user_name": "Nobody"})).await.is(400).says("Login");
    admin.post("collection/user", json!({"user_id": "x@acme.test", "user_name": "X", "roles": ["king"]})).await.is(400);
    admin
        .post("collection/user", json!({"user_id": "x@acme.test", "user_name": "X", "timezone": "Mars/North"}))
        .await
        .is(400);
    admin
        .post("collection/user", json!({"user_id": "x@acme.test", "user_name": "X", "user_group": "green"}))
        .await
        .is(400);
    let form = [("user", "new@acme.test"), ("password", "a long password")];
    server.client().post_form("auth", &form).await.is(200);
    admin.get("collection/user/get-by/user_id/new@acme.test").await.is(200);
}

#[spec("D-2", "D-3", "A069")]
async fn a_password_is_concealed_from_everybody(server: Server) {
    server.login("editor").await;
    let admin = server.admin();
    admin.get("collection/user").await.is(200).lacks("password").lacks("argon2");
    let unknown = admin.get("collection/user?showFields=nothing").await.is(400).text.clone();
    let concealed = admin.get("collection/user?showFields=password").await.is(400).text.clone();
    assert_eq!(unknown.replace("nothing", "password"), concealed);
    for path in ["orderBy=password", "hideFields=password"] {
        admin.get(&format!("collection/user?{path}")).await.is(400);
    }
    admin.get("collection/user/get-by/password/x").await.is(400);
    for (kind, param) in
        [("eq", json!("x")), ("startsWith", json!("$argon2")), ("isNull", json!(null)), ("isNotNull", json!(null))]
    {
        let filters = json!({"filters": [{"property": "password", "type": kind, "param": param}]});
        admin.search("collection/user", filters).await.is(400).lacks("total");
    }
    let filters = json!({"filters": [{"property": "owner.password", "type": "isNotNull"}]});
    admin.search("collection/article", filters).await.is(400);
}

#[spec("A074", "D-12")]
async fn roles_and_state_of_a_user_change_only_with_admin(server: Server) {
    let clerk = server
        .role(
            "clerk",
            "role: clerk\nsystem: [restApi]\ntypes: {user: {show: true, edit: true, create: true, delete: true}}\n",
        )
        .await;
    let reader = server.user("reader").await;
    let path = format!("collection/user/{reader}");
    clerk.patch(&path, json!({"user_name": "Renamed"})).await.is(200).says("Renamed");
    for change in [
        json!({"roles": ["admin"]}),
        json!({"roles+=": ["admin"]}),
        json!({"user_group": "red"}),
        json!({"login_expired": true}),
        json!({"valid_from": "2020-01-01T00:00:00Z"}),
        json!({"valid_to": "2020-01-01T00:00:00Z"}),
    ] {
        clerk.patch(&path, change).await.is(403);
    }
    let smuggled = json!({"user_id": "x@acme.test", "user_name": "X", "roles": ["admin"]});
    clerk.post("collection/user", smuggled).await.is(403);
    let roles = server.admin().get(&path).await.at("/roles");
    assert_eq!(roles, json!(["reader"]));
}

#[spec("R-002", "R-033")]
async fn a_tenant_adds_properties_to_users(engine: testing::Engine) {
    let users = "name: user\nproperties:\n  badge: {id: 300, kind: pString, title: Badge, unique: true}\n";
    let server = Server::with(engine, &[("types/user.yaml", users)]).await;
    let admin = server.admin();
    let user = json!({"user_id": "new@acme.test", "user_name": "New", "badge": "B-1"});
    assert_eq!(admin.post("collection/user", user).await.is(201).at("/badge"), "B-1");
    let twin = json!({"user_id": "twin@acme.test", "user_name": "Twin", "badge": "B-1"});
    admin.post("collection/user", twin).await.is(409).says("Badge");
}
