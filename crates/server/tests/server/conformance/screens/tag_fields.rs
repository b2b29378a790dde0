//! The tags of resources as a field of them: `showFields=tags`.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Server};

const ARTICLES: &str = "/api/ext/v1/collection/article";

async fn tag(client: &Client, name: &str, more: Json) -> String {
    let mut body = json!({"name": name, "color": "#cc3322"});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    client.post("/api/ext/v1/collection/tags", body).await.is(201).at("/id").as_str().unwrap().to_owned()
}

async fn assign(client: &Client, item: i64, operation: &str, tags: &[&String]) {
    let body = json!({"type": "article", "item": item, "operation": operation, "tags": tags});
    client.post("app/tags.assign", body).await.is(200);
}

#[spec("E-149")]
async fn lists_and_resources_show_tags(server: Server) {
    let admin = server.admin();
    for name in ["a", "b", "c"] {
        admin.create("article", json!({"name": name, "code": name})).await;
    }
    let urgent = tag(&admin, "Urgent", json!({"code": "urgent"})).await;
    let later = tag(&admin, "Later", json!({})).await;
    assign(&admin, 1, "add", &[&urgent, &later]).await;
    assign(&admin, 2, "add", &[&urgent]).await;
    let one = json!({"id": urgent, "code": "urgent", "title": "Urgent", "color": "#cc3322"});
    let other = json!({"id": later, "code": null, "title": "Later", "color": "#cc3322"});
    let expected = json!([
        {"id": 1, "name": "a", "tags": [other, one]}, {"id": 2, "name": "b", "tags": [one]}, {"id": 3, "name": "c", "tags": []},
    ]);
    let list = admin.get(&format!("{ARTICLES}?showFields=name,tags&orderBy=id")).await.is(200);
    assert_eq!(list.at("/data"), expected);
    let body = json!({"showFields": ["name", "tags"], "orderBy": ["id"]});
    for path in ["search", "select"] {
        assert_eq!(admin.post(&format!("{ARTICLES}/{path}"), body.clone()).await.is(200).at("/data"), expected);
    }
    for path in ["2", "get-by/code/b"] {
        let read = admin.get(&format!("{ARTICLES}/{path}?showFields=tags,name")).await.is(200);
        assert_eq!(read.json(), expected[1], "{path}");
    }
    let alone = admin.get(&format!("{ARTICLES}/2?showFields=tags&hideFields=id")).await.is(200);
    assert_eq!(alone.json(), json!({"tags": [one]}));
    assert!(admin.get(&format!("{ARTICLES}/2")).await.is(200).json().get("tags").is_none());
    // Kept answers follow every change of tags.
    let shown = async |item: i64| {
        let list = admin.get(&format!("{ARTICLES}?showFields=tags&orderBy=id")).await.is(200);
        let read = admin.get(&format!("{ARTICLES}/{item}?showFields=tags")).await.is(200).at("/tags");
        assert_eq!(list.at(&format!("/data/{}/tags", item - 1)), read);
        read.as_array().unwrap().iter().map(|tag| tag["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(shown(2).await, ["Urgent"]);
    assign(&admin, 2, "add", &[&later]).await;
    assert_eq!(shown(2).await, ["Later", "Urgent"]);
    admin.patch(&format!("/api/ext/v1/collection/tags/{urgent}"), json!({"name": "First"})).await.is(200);
    assert_eq!(shown(2).await, ["First", "Later"]);
    admin.delete(&format!("/api/ext/v1/collection/tags/{later}?force=true")).await;
    assign(&admin, 2, "remove", &[&later]).await;
    assert_eq!(shown(2).await, ["First"]);
}

#[spec("E-149", "D-3")]
async fn tags_are_those_that_the_caller_sees(server: Server) {
    let admin = server.admin();
    admin.create("article", json!({"name": "a"})).await;
    let open = tag(&admin, "Open", json!({})).await;
    let own = tag(&admin, "Own", json!({"private": true})).await;
    assign(&admin, 1, "add", &[&open, &own]).await;
    let titles = async |client: &Client| {
        let read = client.get(&format!("{ARTICLES}/1?showFields=tags")).await.is(200).at("/tags");
        read.as_array().unwrap().iter().map(|tag| tag["title"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(titles(&admin).await, ["Open", "Own"]);
    assert_eq!(titles(&server.reader()).await, ["Open"]);
    // The contract has no such field, and a total of tags is none.
    admin.at_contract().get("/api/v1/collection/article?showFields=tags").await.is(400).says("tags");
    admin.get(&format!("{ARTICLES}?showFields=tags.name")).await.is(400).says("property_unknown");
    admin.get(&format!("{ARTICLES}?hideFields=tags")).await.is(400).says("property_unknown");
}
