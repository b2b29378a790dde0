//! Who may do what.

use serde_json::json;
use spec::spec;
use testing::Server;

#[spec("R-254", "R-271", "D-11", "D-13")]
async fn show_and_edit_are_granted_per_type(server: Server) {
    let admin = server.admin();
    let id = admin.create("article", json!({"name": "A"})).await["id"].clone();
    let country = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    let (editor, reader) = (server.editor(), server.reader());
    let path = format!("collection/article/{id}");
    reader.get("collection/article").await.is(200);
    reader.get(&path).await.is(200);
    reader.post("collection/article", json!({"name": "B"})).await.is(403);
    reader.put(&path, json!({"name": "B"})).await.is(403);
    reader.patch(&path, json!({"name": "B"})).await.is(403);
    reader.delete(&path).await.is(403);
    editor.patch(&path, json!({"name": "B"})).await.is(200);
    // create and delete follow edit where the role is silent.
    let own = editor.create("article", json!({"name": "C"})).await["id"].clone();
    editor.delete(&format!("collection/article/{own}")).await.is(204);
    // A type without any grant: 403, whatever is in it. An unknown type: 404.
    for item in [country.to_string(), "99999".to_owned()] {
        reader.get(&format!("collection/country/{item}")).await.is(403);
        editor.delete(&format!("collection/country/{item}")).await.is(403);
    }
    reader.get("collection/country").await.is(403);
    reader.get("collection/nothing").await.is(404);
    reader.post("collection/nothing", json!({})).await.is(404);
}

#[spec("D-12", "D-2")]
async fn only_granted_fields_may_be_written(server: Server) {
    let admin = server.admin();
    let id = admin.create("article", json!({"name": "A", "rating": 1, "cost": 5})).await["id"].clone();
    let editor = server.editor();
    let path = format!("collection/article/{id}");
    editor.patch(&path, json!({"rating": 2})).await.is(403);
    editor.patch(&path, json!({"name": "B", "rating": 2})).await.is(403);
    editor.post("collection/article", json!({"name": "B", "rating": 2})).await.is(403);
    // One that may not be read is as one that does not exist.
    let hidden = editor.patch(&path, json!({"cost": 1})).await.is(400).text.clone();
    let absent = editor.patch(&path, json!({"absent": 1})).await.is(400).text.clone();
    assert_eq!(hidden.replace("cost", "absent"), absent);
    let hidden = editor.patch(&path, json!({"cost+=": 1})).await.is(400).text.clone();
    let absent = editor.patch(&path, json!({"absent+=": 1})).await.is(400).text.clone();
    assert_eq!(hidden.replace("cost", "absent"), absent);
    let row = admin.get(&path).await.is(200).json();
    assert_eq!((&row["name"], &row["rating"], &row["cost"]), (&json!("A"), &json!(1.0), &json!(5)));
    editor.get(&path).await.is(200).lacks("cost");
    editor.patch(&path, json!({"name": "C"})).await.is(200).lacks("cost");
}

#[spec("D-12", "R-009")]
async fn grants_of_several_roles_add_up(server: Server) {
    let admin = server.admin();
    let id = admin.create("article", json!({"name": "A", "cost": 5})).await["id"].clone();
    let both = server.client().with("key", &server.key("both").await);
    let row = both.get(&format!("collection/article/{id}")).await.is(200).json();
    assert!(row.get("body").is_some() && row.get("cost").is_none(), "{row}");
    both.patch(&format!("collection/article/{id}"), json!({"name": "B"})).await.is(200);
}

#[spec("R-255", "D-7", "D-11")]
async fn the_rest_api_is_a_permission(server: Server) {
    server.admin().create("article", json!({"name": "A"})).await;
    // Guest may show articles, but not by the API.
    let guest = server.client().with("key", &server.key("guest").await);
    guest.get("collection/article").await.is(403);
    assert_eq!(guest.get("auth").await.is(200).at("/status"), "invalid");
}

#[spec("R-246", "D-7")]
async fn a_change_of_roles_holds_from_the_next_request(server: Server) {
    let reader = server.reader();
    reader.post("collection/article", json!({"name": "A"})).await.is(403);
    server.set_user("reader", json!({"roles": ["editor"]})).await;
    reader.post("collection/article", json!({"name": "A"})).await.is(201);
    server.set_user("reader", json!({"roles": ["reader"]})).await;
    reader.post("collection/article", json!({"name": "A"})).await.is(403);
}

#[spec("D-24", "D-3")]
async fn a_relation_to_what_is_invisible_is_as_one_to_nothing(server: Server) {
    let admin = server.admin();
    let country = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    let clerk =
        server.role("clerk", "role: clerk\nsystem: [restApi]\ntypes: {person: {show: true, edit: true}}\n").await;
    let text = clerk.post("collection/person", json!({"name": "P", "country": country})).await.is(400).text.clone();
    let other = clerk.post("collection/person", json!({"name": "P", "country": 99_999})).await.is(400).text.clone();
    assert_eq!(text.replace(&country.to_string(), "99999"), other);
    let by_country = json!({"filters": [{"property": "country.code", "type": "eq", "param": "CZ"}]});
    clerk.search("collection/person", by_country).await.is(400);
}

#[spec("R-247", "R-248", "R-249", "R-250", "R-251", "R-252", "R-253", "R-255", "D-11")]
async fn each_named_permission_can_be_granted(server: Server) {
    for permission in [
        "restApi",
        "notifications",
        "getNotificationsPerCustomId",
        "profile",
        "apiUserRegistration",
        "apiUserPasswordReset",
        "manageTags",
        "createPrivateTags",
        "admin",
    ] {
        let role = permission.to_lowercase();
        let file = format!("role: {role}\nsystem: [{permission}]\ntypes: {{article: {{show: true}}}}\n");
        let client = server.role(&role, &file).await;
        // Only restApi opens the API; none of the others does.
        client.get("collection/article").await.is(if permission == "restApi" { 204 } else { 403 });
    }
}

/// Every route to the resources of a type, with a body that would be right.
const ROUTES: [(&str, &str, &str); 12] = [
    ("GET", "collection/country", ""),
    ("HEAD", "collection/country", ""),
    ("SEARCH", "collection/country", r#"{"filters": [{"property": "code", "type": "eq", "param": "CZ"}]}"#),
    ("POST", "collection/country", r#"{"name": "Secret", "code": "XX"}"#),
    ("GET", "collection/12?orderBy=code", ""),
    ("GET", "collection/country/ID", ""),
    ("GET", "collection/country/UUID", ""),
    ("GET", "collection/country/get-by/code/CZ", ""),
    ("PUT", "collection/country/ID", r#"{"name": "Secret", "code": "XX"}"#),
    ("PATCH", "collection/country/ID", r#"{"name+=": "x"}"#),
    ("DELETE", "collection/country/ID", ""),
    ("DELETE", "collection/country/UUID", ""),
];

#[spec("A067", "D-3", "D-7", "D-13", "D-15")]
async fn every_route_refuses_whoever_has_no_grant(server: Server) {
    let country = server.admin().create("country", json!({"name": "Secret", "code": "CZ"})).await;
    let (id, uuid) = (country["id"].to_string(), country["uuid"].as_str().unwrap().to_owned());
    let other = server.tenant("other").await;
    let strangers = [
        ("no key", server.client()),
        ("no grant", server.reader()),
        ("no use of the API", server.client().with("key", &server.key("guest").await)),
        ("another tenant's admin", server.client().with("key", &other.key("admin").await)),
    ];
    for (who, client) in &strangers {
        for (method, path, body) in ROUTES {
            let path = path.replace("UUID", &uuid).replace("ID", &id);
            let mut request = client.request(method, &path);
            if !body.is_empty() {
                request = request.body("application/json", body);
            }
            let reply = request.send().await;
            assert_eq!(reply.status, 403, "{who}: {}", reply.request);
            reply.lacks("Secret").lacks(&uuid);
        }
    }
    // Where the tenant is another, so are its rows: the same routes find nothing.
    for (method, path, body) in ROUTES.into_iter().filter(|(_, path, _)| path.contains("ID") || path.contains("get-by"))
    {
        let path = path.replace("UUID", &uuid).replace("ID", &id);
        let reply = other.admin().request(method, &path).body("application/json", body).send().await;
        assert_eq!(reply.status, 404, "{}", reply.request);
    }
    assert_eq!(server.admin().get(&format!("collection/country/{id}")).await.is(200).json(), country);
}
