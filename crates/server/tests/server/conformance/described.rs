//! Rare answers, which the description of the key's API has to name, too. `tests/answers` holds the answers of all tests
//! against it.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::Server;

/// The member of the description with the operation at an address.
fn operation<'d>(document: &'d Json, method: &str, address: &str) -> &'d Json {
    &document["paths"][format!("/api/ext/v1/{address}")][method]
}

#[spec("E-135")]
async fn answers_without_a_body_are_described(server: Server) {
    let admin = server.admin();
    let document = admin.get("/api/ext/v1/openapi.json").await.is(200).json();
    let tag = admin.create("tags", json!({"name": "a", "code": "a"})).await["id"].as_str().unwrap().to_owned();
    let note = json!({"recipients": [{"userId": server.user("admin").await}], "title": "Hello"});
    let note = admin.post("/api/ext/v1/notifications", note).await.is(201).at("/items/0/id");
    let cases = [
        ("POST", "collection/tags".to_owned(), "collection/tags", json!({"name": "b"})),
        ("PUT", format!("collection/tags/{tag}"), "collection/tags/{item}", json!({"name": "c"})),
        ("PATCH", format!("collection/tags/{tag}"), "collection/tags/{item}", json!({"name": "d"})),
        ("PATCH", format!("collection/notifications/{note}"), "collection/notifications/{item}", json!({"read": true})),
    ];
    for (method, address, template, body) in cases {
        let request = admin.request(method, &format!("/api/ext/v1/{address}")).header("prefer", "return=minimal");
        let reply = request.json(&body).send().await;
        assert_eq!((reply.status, reply.text.as_str()), (if method == "POST" { 201 } else { 204 }, ""), "{address}");
        let operation = operation(&document, &method.to_lowercase(), template);
        assert!(operation["responses"].get(reply.status.to_string()).is_some(), "{method} {template}");
        let parameters = operation["parameters"].as_array().unwrap();
        assert!(parameters.iter().any(|parameter| parameter["name"] == "Prefer"), "{method} {template}");
    }
}

#[spec("E-135")]
async fn jobs_of_bulk_changes_and_rows_of_queries_are_described(server: Server) {
    let document = server.admin().get("/api/ext/v1/openapi.json").await.is(200).json();
    let job = json!({"$ref": "#/components/schemas/Job"});
    let bulk = operation(&document, "post", "bulk/article");
    assert_eq!(bulk["responses"]["202"]["content"]["application/json"]["schema"], job);
    // Rows of queries have the form of chosen fields.
    for method in ["get", "post"] {
        let query = operation(&document, method, "query/popular").to_string();
        assert!(query.contains("ArticlePartialPage") && query.contains("decimals"), "{query}");
        assert!(!query.contains("wrapFields") && !query.contains("propsMeta"), "{query}");
    }
}
