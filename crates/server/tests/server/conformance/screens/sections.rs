//! Sections of forms: told by the model as far as the caller reads their properties, and checked with the files.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const SITE: &str = "id: 30\nname: site\ntitle: Site\ntitleProperty: name\n\
    sections:\n  - {title: Address, properties: [street, city]}\n  - {title: Money, properties: [rent, yearly]}\n\
    properties:\n  \
    name: {id: 300, kind: pString}\n  rent: {id: 301, kind: pInteger}\n  city: {id: 302, kind: pString}\n  \
    street: {id: 303, kind: pString}\n  yearly: {id: 304, kind: pCalculated, calculate: \"{=rent * 12}\"}\n";

async fn sections(client: &Client, name: &str) -> Json {
    let model = client.get("/api/ext/v1/model").await.is(200).json();
    let types = model["types"].as_array().unwrap();
    types.iter().find(|of| of["name"] == name).unwrap()["sections"].clone()
}

#[spec("E-155")]
async fn the_model_has_the_sections_of_forms(engine: Engine) {
    let user = "name: user\nsections: [{title: Account, properties: [user_id, badge]}]\n\
                properties:\n  badge: {id: 310, kind: pInteger}\n";
    let server = Server::with(engine, &[("types/site.yaml", SITE), ("types/user.yaml", user)]).await;
    let admin = server.admin();
    let all = json!([
        {"title": "Address", "properties": ["street", "city"]},
        {"title": "Money", "properties": ["rent", "yearly"]},
    ]);
    assert_eq!(sections(&admin, "site").await, all);
    assert_eq!(sections(&admin, "user").await, json!([{"title": "Account", "properties": ["user_id", "badge"]}]));
    assert_eq!(sections(&admin, "article").await, json!([]));
    // Sections have the properties that the caller reads; one without any is left out.
    let role = "role: clerk\nsystem: [restApi]\ntypes:\n  site: {show: {fields: [name, city]}}\n";
    let clerk = server.role("clerk", role).await;
    assert_eq!(sections(&clerk, "site").await, json!([{"title": "Address", "properties": ["city"]}]));
    // Another order of the file is another model, without a change of data.
    admin.create("site", json!({"name": "A", "rent": 5})).await;
    let changed = SITE.replace("[street, city]", "[city, street]").replace("Address", "Place");
    server.change(&[("types/site.yaml", &changed)]).await;
    let place = json!({"title": "Place", "properties": ["city", "street"]});
    assert_eq!(sections(&admin, "site").await[0], place);
    assert_eq!(admin.get("collection/site/1?showFields=yearly").await.is(200).at("/yearly"), 60);
}
