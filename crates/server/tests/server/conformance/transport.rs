//! The service as such: its base path, methods, tenants, preflights.

use serde_json::json;
use spec::spec;
use testing::Server;

#[spec("R-001", "R-005", "R-087", "R-088", "R-090", "R-091", "R-092")]
async fn resources_are_listed_read_created_replaced_patched_and_deleted_below_the_base_path(server: Server) {
    let admin = server.admin();
    let created = admin.post("/api/v1/collection/article", json!({"name": "A"})).await.is(201);
    let path = format!("/api/v1/collection/article/{}", created.at("/id"));
    admin.get("/api/v1/collection/article").await.is(200);
    admin.get(&path).await.is(200);
    admin.put(&path, json!({"name": "B"})).await.is(200).says("\"B\"");
    admin.patch(&path, json!({"name": "C"})).await.is(200).says("\"C\"");
    admin.delete(&path).await.is(204);
    admin.get("/collection/article").await.is(404);
    admin.get("/api/v2/collection/article").await.is(404);
    admin.get("/api/v1/").await.is(404);
}

#[spec("D-15", "A021")]
async fn the_host_of_the_target_leads_to_the_tenant_and_not_the_header(server: Server) {
    let other = server.tenant("other").await;
    for (of, name) in [(&server, "of acme"), (&other, "of other")] {
        of.admin().create("article", json!({"name": name})).await;
    }
    let client = server.client();
    let ask = async |target: &str, header: &str, key: &str| {
        let head = format!("GET {target}/api/v1/collection/article HTTP/1.1\r\nHost: {header}\r\nkey: {key}\r\n");
        client.raw(format!("{head}Connection: close\r\n\r\n").as_bytes()).await
    };
    let keys = [server.key("admin").await, other.key("admin").await];
    for (target, header, own) in [
        ("http://acme.test", "other.test", 0),
        ("http://other.test", "acme.test", 1),
        ("http://other.test", "nowhere.test", 1),
        ("", "acme.test", 0),
        ("", "other.test", 1),
    ] {
        let answer = ask(target, header, &keys[own]).await;
        let (shown, hidden) = if own == 0 { ("of acme", "of other") } else { ("of other", "of acme") };
        assert!(answer.contains(shown) && !answer.contains(hidden), "{target} {header}: {answer}");
        let refused = ask(target, header, &keys[1 - own]).await;
        assert!(refused.starts_with("HTTP/1.1 403"), "{target} {header}: {refused}");
    }
    // The host of no tenant leads to none that the header names.
    let refused = ask("http://nowhere.test", "other.test", &keys[1]).await;
    assert!(!refused.contains("of other"), "{refused}");
}

#[spec("R-003", "R-107")]
async fn a_collection_is_addressed_by_id_or_system_name(server: Server) {
    let admin = server.admin();
    let id = admin.create("article", json!({"name": "A"})).await["id"].clone();
    let ids = [id];
    assert_eq!(admin.get("collection/10").await.is(200).column("id"), ids);
    assert_eq!(admin.get("collection/article").await.is(200).column("id"), ids);
    for unknown in ["Article", "articles", "999", "010", "10.0", "+10", "t10", "plinth_key", "%61rticle%00"] {
        admin.get(&format!("collection/{unknown}")).await.is(404);
    }
}

#[spec("R-004", "R-084", "R-085", "R-086")]
async fn keys_are_created_validated_and_revoked(server: Server) {
    let login = server.login("editor").await;
    let client = server.client();
    let created = client.post_form("auth", &[("user", &login.user), ("password", &login.password)]).await.is(200);
    let key = created.at("/authToken/keyString").as_str().unwrap().to_owned();
    assert_eq!(client.with("key", &key).get("auth").await.is(200).at("/status"), "valid");
    client.post_form("deauth", &[("key", &key)]).await.is(200);
    assert_eq!(client.with("key", &key).get("auth").await.is(200).at("/status"), "invalid");
}

#[spec("R-010", "D-6", "A082")]
async fn the_router_knows_eight_methods(server: Server) {
    let admin = server.admin();
    let item = format!("collection/article/{}", admin.create("article", json!({"name": "A"})).await["id"]);
    for (method, path, status) in [
        ("GET", "collection/article", 200),
        ("HEAD", "collection/article", 200),
        ("SEARCH", "collection/article", 200),
        ("OPTIONS", "collection/article", 204),
        ("POST", "collection/article", 201),
        ("PUT", &item, 200),
        ("PATCH", &item, 200),
        ("DELETE", &item, 204),
    ] {
        let request = admin.request(method, path);
        let request = match method {
            "GET" | "HEAD" | "OPTIONS" => request,
            "SEARCH" => request.json(&json!({})),
            _ => request.json(&json!({"name": "B"})),
        };
        request.send().await.is(status);
    }
    let of_list = ["GET", "HEAD", "POST", "SEARCH", "OPTIONS"];
    let of_item = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"];
    for (path, methods, others) in [
        ("collection/article", &of_list[..], ["PUT", "PATCH", "DELETE", "TRACE", "BREW", "get"]),
        (&item, &of_item[..], ["POST", "TRACE", "LINK", "BREW", "PROPFIND", "patch"]),
    ] {
        for method in others {
            let reply = admin.request(method, path).json(&json!({})).send().await.is(405);
            let mut allowed: Vec<&str> = reply.header("allow").split(", ").collect();
            let mut expected = methods.to_vec();
            allowed.sort_unstable();
            expected.sort_unstable();
            assert_eq!(allowed, expected, "{method} {path}");
        }
    }
}

#[spec("D-21")]
async fn head_is_get_without_a_body(server: Server) {
    let admin = server.admin();
    let id = admin.create("article", json!({"name": "A"})).await["id"].clone();
    for path in ["collection/article".to_owned(), format!("collection/article/{id}"), "auth".to_owned()] {
        let get = admin.get(&path).await.is(200);
        let head = admin.request("HEAD", &path).send().await.is(200);
        assert_eq!(head.text, "");
        assert_eq!(head.header("content-type"), get.header("content-type"));
        assert_eq!(head.header("content-length"), get.text.len().to_string());
    }
    admin.request("HEAD", "collection/article/99999").send().await.is(404);
    admin.request("HEAD", "collection/person").send().await.is(204);
}

#[spec("A082")]
async fn headers_that_override_the_method_are_ignored(server: Server) {
    let admin = server.admin();
    let item = format!("collection/article/{}", admin.create("article", json!({"name": "A"})).await["id"]);
    for name in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"] {
        admin.with(name, "DELETE").get(&item).await.is(200);
        admin.with(name, "DELETE").request("POST", &item).json(&json!({})).send().await.is(405);
    }
    admin.get(&format!("{item}?_method=DELETE")).await.is(400);
    admin.get(&item).await.is(200);
}

#[spec("R-011", "R-012", "A086")]
async fn preflights_are_answered_with_the_exact_list(server: Server) {
    for (method, origin) in [("GET", "https://evil.example"), ("PATCH", "null"), ("DELETE", "https://acme.test")] {
        let preflight = server
            .client()
            .request("OPTIONS", "collection/article")
            .header("origin", origin)
            .header("access-control-request-method", method)
            .header("access-control-request-headers", "key, idempotency-key")
            .send()
            .await;
        assert!([200, 204].contains(&preflight.status), "{}", preflight.status);
        let mut headers: Vec<String> = preflight
            .header("access-control-allow-headers")
            .split(',')
            .map(|name| name.trim().to_lowercase())
            .collect();
        headers.sort_unstable();
        assert_eq!(headers, ["authorization", "content-type", "key", "x-api-key", "x-custom-auth-headers"]);
        let methods = preflight.header("access-control-allow-methods");
        for method in ["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "SEARCH", "OPTIONS"] {
            assert!(methods.split(',').any(|allowed| allowed.trim() == method), "{method} in {methods}");
        }
        assert_eq!(preflight.header("access-control-allow-credentials"), "");
        assert_eq!(preflight.header("access-control-allow-origin"), "*");
    }
    let reply = server.admin().with("origin", "https://evil.example").get("collection/article").await;
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    assert_eq!(reply.header("access-control-allow-credentials"), "");
}

#[spec("R-002", "D-15", "A021")]
async fn a_tenant_is_found_by_host_or_prefix(server: Server) {
    let admin = server.admin();
    admin.create("article", json!({"name": "A"})).await;
    for host in ["acme.test", "ACME.test", "acme.test:8080", "acme.test."] {
        admin.with("host", host).get("collection/article").await.is(200);
    }
    admin.get("/t/acme/api/v1/collection/article").await.is(200);
    admin.get("/t/other/api/v1/collection/article").await.is(404);
    admin.get("/t//api/v1/collection/article").await.is(404);
}

#[spec("D-15", "A021", "A067")]
async fn tenants_are_apart(server: Server) {
    let other = server.tenant("other").await;
    // The host of neither, and no prefix: it meant the first when that was the only one, and does so still.
    let nowhere = server.admin().with("host", "nobody.test");
    nowhere.get("collection/article").await.is(204);
    server.tenant("third").await;
    nowhere.get("collection/article").await.is(204);
    other.admin().with("host", "nobody.test").get("collection/article").await.is(403);
    let row = server.admin().create("article", json!({"name": "Ours", "code": "x"})).await;
    // The same types, another database: nothing of the one is in the other, and its keys are unknown.
    other.admin().get("collection/article").await.is(204);
    other.admin().get(&format!("collection/article/{}", row["id"])).await.is(404);
    other.admin().get(&format!("collection/article/{}", row["uuid"].as_str().unwrap())).await.is(404);
    other.admin().create("article", json!({"name": "Theirs", "code": "x"})).await;
    let key = server.key("admin").await;
    let stranger = other.client().with("key", &key);
    stranger.get("collection/article").await.is(403);
    assert_eq!(stranger.get("auth").await.is(200).json(), json!({"status": "invalid", "validTo": ""}));
    other.client().post_form("deauth", &[("key", &key)]).await.is(404);
    assert_eq!(server.client().with("key", &key).get("auth").await.at("/status"), "valid");
}

#[spec("D-24")]
async fn readiness_tells_of_a_folder_that_cannot_be_written(server: Server) {
    let client = server.client();
    client.get("/readyz").await.is(200);
    let data = server.data_folder();
    let name = if data.join("tenants").exists() { "tenants" } else { "files" };
    let (folder, aside) = (data.join(name), data.join("aside"));
    std::fs::rename(&folder, &aside).unwrap();
    std::fs::write(&folder, "this is no folder").unwrap();
    let reply = client.get("/readyz").await.is(503).says("The folder of the data cannot be written");
    assert_eq!(reply.header("retry-after"), "1");
    std::fs::remove_file(&folder).unwrap();
    std::fs::rename(&aside, &folder).unwrap();
    client.get("/readyz").await.is(200);
}

#[spec("R-095", "R-276")]
async fn the_reserved_route_answers_501(server: Server) {
    let admin = server.admin();
    let item = format!("collection/article/{}", admin.create("article", json!({"name": "A"})).await["id"]);
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        let path = format!("{item}/relation/author/person");
        let reply = admin.request(method, &path).send().await.is(501);
        assert!(reply.at("/message").is_string());
    }
    admin.get(&format!("{item}/relation")).await.is(404);
}

#[spec("D-1")]
async fn answers_are_marked_as_data_for_nobody_else(server: Server) {
    let admin = server.admin();
    admin.create("article", json!({"name": "A"})).await;
    for reply in [admin.get("collection/article").await, admin.get("auth").await, server.client().get("nowhere").await]
    {
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{}", reply.request);
        assert_eq!(reply.header("referrer-policy"), "no-referrer", "{}", reply.request);
        assert!(reply.header("content-type").starts_with("application/json"), "{}", reply.request);
    }
}

#[spec("D-6")]
async fn the_server_says_that_it_lives_and_is_ready(server: Server) {
    server.client().get("/healthz").await.is(200);
    server.client().get("/readyz").await.is(200);
}

#[spec("R-272", "D-6")]
async fn a_command_is_addressed_by_module_and_action(server: Server) {
    let admin = server.admin();
    for path in
        ["app/nothing.here", "app/user", "app/user.", "app/.current", "app/user.current.more", "app/User.current"]
    {
        for method in ["GET", "POST"] {
            let reply = admin.request(method, path).send().await.is(404);
            assert!(reply.at("/message").is_string(), "{path}");
        }
    }
    admin.get("app").await.is(404);
    admin.get("app/user.current/more").await.is(404);
}
