//! The tags of resources: read, given, and filtered by.

use super::tags::tag;
use serde_json::{Value, json};
use spec::spec;
use testing::{Client, Server};

async fn give(client: &Client, item: &Value, operation: &str, tags: &[&str]) -> testing::Reply {
    let body = json!({"type": "article", "item": item, "operation": operation, "tags": tags});
    client.post("app/tags.assign", body).await
}

async fn articles(client: &Client, count: usize) -> Vec<Value> {
    let mut ids = Vec::new();
    for number in 0..count {
        ids.push(client.create("article", json!({"name": format!("A{number}")})).await["id"].clone());
    }
    ids
}

#[spec("R-039", "R-238", "R-239", "R-240", "D-13")]
async fn the_tags_of_a_resource_are_read(server: Server) {
    let admin = server.admin();
    let article = admin.create("article", json!({"name": "A"})).await;
    let second = tag(&admin, json!({"name": "A", "order": 2})).await;
    let first = tag(&admin, json!({"name": "Z", "order": 1})).await;
    let third = tag(&admin, json!({"name": "B", "order": 2})).await;
    let reader = server.reader();
    let path = format!("app/tags.object?type=article&item={}", article["id"]);
    let none = reader.get(&path).await.is(200).text.clone();
    assert_eq!(none, json!({"typeId": 10, "objectId": article["id"], "tags": []}).to_string());
    give(&admin, &article["id"], "add", &[&third, &second, &first]).await.is(200);
    let expected = json!({"typeId": 10, "objectId": article["id"], "tags": [first, second, third]}).to_string();
    // The type by id or system name, the resource by id or UUID.
    for of in ["article", "10"] {
        for item in [article["id"].to_string(), article["uuid"].as_str().unwrap().to_owned()] {
            assert_eq!(reader.get(&format!("app/tags.object?type={of}&item={item}")).await.is(200).text, expected);
        }
    }
    for (query, status) in [
        ("type=country&item=1", 403),
        ("type=absent&item=1", 404),
        ("type=tags&item=1", 404),
        ("type=article&item=99999", 404),
        ("type=article&item=absent", 404),
        ("type=article&item=", 404),
        ("type=article", 400),
        ("item=1", 400),
        ("type=article&item=1&item=2", 400),
        ("type=article&item=1&absent=1", 400),
    ] {
        reader.get(&format!("app/tags.object?{query}")).await.is(status);
    }
    server.client().get(&path).await.is(403);
    for method in ["POST", "PUT", "PATCH", "DELETE", "SEARCH"] {
        let reply = admin.request(method, &path).send().await.is(405);
        assert_eq!(reply.header("allow"), "GET, HEAD, OPTIONS");
    }
}

#[spec("R-007", "R-071", "R-039", "R-241", "R-242", "R-243")]
async fn tags_are_added_removed_and_replaced(server: Server) {
    let (admin, editor) = (server.admin(), server.editor());
    let article = admin.create("article", json!({"name": "A"})).await;
    let (id, uuid) = (&article["id"], &article["uuid"]);
    let (a, b, c) = (
        tag(&admin, json!({"name": "a"})).await,
        tag(&admin, json!({"name": "b"})).await,
        tag(&admin, json!({"name": "c"})).await,
    );
    for (item, operation, given, expected) in [
        (id, "add", vec![&b], vec![&b]),
        (uuid, "add", vec![&a, &b, &a], vec![&a, &b]),
        (id, "replace", vec![&c, &a], vec![&a, &c]),
        (id, "remove", vec![&b], vec![&a, &c]),
        (uuid, "remove", vec![&a], vec![&c]),
        (id, "add", vec![], vec![&c]),
        (id, "replace", vec![], vec![]),
    ] {
        let given: Vec<&str> = given.into_iter().map(String::as_str).collect();
        let reply = give(&editor, item, operation, &given).await.is(200);
        let expected = json!({"typeId": 10, "objectId": id, "operation": operation, "tags": expected});
        assert_eq!(reply.text, expected.to_string());
        let read = editor.get(&format!("app/tags.object?type=10&item={id}")).await.is(200);
        assert_eq!(read.at("/tags"), expected["tags"]);
    }
    // The type by id, as a number or as text; the item too.
    for of in [json!(10), json!("10"), json!("article")] {
        for item in [id.clone(), json!(id.to_string())] {
            let body = json!({"type": of, "item": item, "operation": "add", "tags": [a]});
            editor.post("app/tags.assign", body).await.is(200);
        }
    }
    // The resource itself is as it was.
    assert_eq!(admin.get(&format!("collection/article/{id}")).await.is(200).json(), article);
    for method in ["GET", "PUT", "PATCH", "DELETE", "SEARCH"] {
        let reply = admin.request(method, "app/tags.assign").send().await.is(405);
        assert_eq!(reply.header("allow"), "POST, OPTIONS");
    }
}

#[spec("R-241", "R-242", "A093", "D-2")]
async fn wrong_assignments_change_nothing(server: Server) {
    let (admin, editor, reader) = (server.admin(), server.editor(), server.reader());
    let id = admin.create("article", json!({"name": "A"})).await["id"].clone();
    let country = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    let (a, b) = (tag(&admin, json!({"name": "a"})).await, tag(&admin, json!({"name": "b"})).await);
    let narrow = tag(&admin, json!({"name": "narrow", "types": ["country"]})).await;
    give(&admin, &id, "add", &[&a]).await.is(200);
    let body = |change: Value| {
        let mut body = json!({"type": "article", "item": id, "operation": "replace", "tags": [b]});
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        body
    };
    let many: Vec<String> = (0..100_000).map(|number| format!("t{number}")).collect();
    for (change, status, named) in [
        (json!({"tags": [b, "absent"]}), 404, "tag"),
        (json!({"tags": ["absent"], "operation": "remove"}), 404, "tag"),
        (json!({"tags": [""]}), 404, "tag"),
        (json!({"tags": ["\u{0}"]}), 404, "tag"),
        (json!({"item": 99_999}), 404, "item"),
        (json!({"item": -1}), 404, "item"),
        (json!({"item": "absent"}), 404, "item"),
        (json!({"type": "absent"}), 404, "collection"),
        (json!({"type": 99}), 404, "collection"),
        (json!({"type": "country", "item": country}), 403, "country"),
        (json!({"operation": "toggle"}), 400, "operation"),
        (json!({"operation": null}), 400, "operation"),
        (json!({"operation": "Add"}), 400, "operation"),
        (json!({"tags": b}), 400, "tags"),
        (json!({"tags": [1]}), 400, "tags"),
        (json!({"tags": [null]}), 400, "tags"),
        (json!({"tags": many}), 400, "100"),
        (json!({"tags": [narrow]}), 400, "not for"),
        (json!({"item": [1]}), 400, "item"),
        (json!({"type": null}), 400, "type"),
        (json!({"absent": 1}), 400, "absent"),
    ] {
        editor.post("app/tags.assign", body(change)).await.is(status).says(named);
    }
    for name in ["type", "item", "operation", "tags"] {
        let mut lacking = body(json!({}));
        lacking.as_object_mut().unwrap().shift_remove(name);
        editor.post("app/tags.assign", lacking).await.is(400).says(name);
    }
    reader.post("app/tags.assign", body(json!({}))).await.is(403).says("edit");
    server.client().post("app/tags.assign", body(json!({}))).await.is(403);
    editor.request("POST", "app/tags.assign").body("text/plain", "x").send().await.is(415);
    let path = format!("app/tags.object?type=article&item={id}");
    assert_eq!(admin.get(&path).await.at("/tags"), json!([a]));
    // A tag that is for some types alone serves those.
    let on_country = json!({"type": "country", "item": country, "operation": "add", "tags": [narrow]});
    admin.post("app/tags.assign", on_country).await.is(200);
}

#[spec("R-242")]
async fn a_resource_has_at_most_100_tags(server: Server) {
    let admin = server.admin();
    let id = admin.create("article", json!({"name": "A"})).await["id"].clone();
    let mut tags = Vec::new();
    for number in 0..102 {
        tags.push(tag(&admin, json!({"name": number.to_string()})).await);
    }
    let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
    give(&admin, &id, "replace", &tags[..101]).await.is(400);
    give(&admin, &id, "replace", &tags[..100]).await.is(200);
    give(&admin, &id, "add", &tags[100..101]).await.is(400).says("at most 100");
    give(&admin, &id, "add", &tags[50..100]).await.is(200);
    give(&admin, &id, "replace", &tags[2..102]).await.is(200);
    give(&admin, &id, "remove", &tags[2..3]).await.is(200);
    give(&admin, &id, "add", &tags[..1]).await.is(200);
    let now = admin.get(&format!("app/tags.object?type=article&item={id}")).await.at("/tags");
    assert_eq!(now.as_array().unwrap().len(), 100);
}

#[spec("R-118", "R-119", "R-120", "R-107", "D-21")]
async fn lists_are_filtered_by_tags(server: Server) {
    let admin = server.admin();
    let ids = articles(&admin, 5).await;
    let animal = tag(&admin, json!({"name": "animal"})).await;
    let dog = tag(&admin, json!({"name": "dog", "parent": animal})).await;
    let poodle = tag(&admin, json!({"name": "poodle", "parent": dog})).await;
    let red = tag(&admin, json!({"name": "red"})).await;
    for (article, tags) in
        [(0, vec![&animal]), (1, vec![&dog, &red]), (2, vec![&poodle]), (3, vec![&red]), (2, vec![&dog])]
    {
        let tags: Vec<&str> = tags.into_iter().map(String::as_str).collect();
        give(&admin, &ids[article], "add", &tags).await.is(200);
    }
    // A resource of another type with the same id has nothing to do with it.
    let person = admin.create("person", json!({"name": "P"})).await["id"].clone();
    let other = json!({"type": "person", "item": person, "operation": "add", "tags": [animal, red, poodle]});
    admin.post("app/tags.assign", other).await.is(200);
    let yes = json!(true);
    for (tags, mode, descendants, expected) in [
        (vec![&animal], None, None, vec![0]),
        (vec![&dog], None, None, vec![1, 2]),
        (vec![&animal, &red], None, None, vec![0, 1, 3]),
        (vec![&animal, &red], Some("any"), None, vec![0, 1, 3]),
        (vec![&dog, &red], Some("all"), None, vec![1]),
        (vec![&dog, &dog], Some("all"), None, vec![1, 2]),
        (vec![&dog, &poodle], Some("all"), None, vec![2]),
        (vec![&animal], None, Some(&yes), vec![0, 1, 2]),
        (vec![&dog], None, Some(&yes), vec![1, 2]),
        (vec![&animal, &red], Some("all"), Some(&yes), vec![1]),
        // One tag may stand for itself and for the one above.
        (vec![&animal, &dog], Some("all"), Some(&yes), vec![1, 2]),
        (vec![&animal, &dog, &poodle], Some("all"), Some(&yes), vec![2]),
        (vec![&animal], None, Some(&json!(false)), vec![0]),
    ] {
        let expected: Vec<Value> = expected.into_iter().map(|index| ids[index].clone()).collect();
        let mut body = json!({"tags": tags});
        let mut rest = String::new();
        if let Some(mode) = mode {
            body["tagsMode"] = json!(mode);
            rest += &format!("&tagsMode={mode}");
        }
        if let Some(descendants) = descendants {
            body["includeTagDescendants"] = descendants.clone();
            rest += &format!("&includeTagDescendants={descendants}");
        }
        let found = admin.search("collection/article", body.clone()).await;
        assert_eq!(found.column("id"), expected, "{body}");
        if !expected.is_empty() {
            assert_eq!(found.at("/stats/total"), expected.len());
        }
        // As a comma list, as a repeated parameter, and as an array.
        let texts: Vec<&str> = tags.iter().map(|tag| tag.as_str()).collect();
        for query in [
            format!("tags={}", texts.join(",")),
            texts.iter().map(|tag| format!("tags={tag}")).collect::<Vec<_>>().join("&"),
            texts.iter().map(|tag| format!("tags[]={tag}")).collect::<Vec<_>>().join("&"),
        ] {
            let listed = admin.get(&format!("collection/10?{query}{rest}")).await;
            assert_eq!((listed.status, &listed.text), (found.status, &found.text), "{query}");
        }
        body["tags"] = json!(texts.join(", "));
        assert_eq!(admin.search("collection/article", body).await.text, found.text);
    }
}

#[spec("R-118", "R-119", "R-120", "D-2")]
async fn tag_filters_go_with_the_others(server: Server) {
    let admin = server.admin();
    let ids = articles(&admin, 5).await;
    let (red, blue) =
        (tag(&admin, json!({"name": "red"})).await, tag(&admin, json!({"name": "blue", "code": "b"})).await);
    for id in &ids[..4] {
        give(&admin, id, "add", &[&red]).await.is(200);
    }
    // An unknown tag matches nothing: beside others in any, and spoiling all.
    for (parameters, count) in [
        (format!("tags={red}"), 4),
        (format!("tags={red},absent"), 4),
        (format!("tags={red},absent&tagsMode=all"), 0),
        (format!("tags={red},%C5%BE&tagsMode=all"), 0),
        (format!("tags={red},%00&tagsMode=all"), 0),
        ("tags=absent".to_owned(), 0),
        ("tags=%00".to_owned(), 0),
        (format!("tags={blue}"), 0),
        ("tags=b".to_owned(), 0),
        ("tags=".to_owned(), 5),
        ("tagsMode=".to_owned(), 5),
        ("tagsMode=all&includeTagDescendants=1".to_owned(), 5),
        (format!("tags={red}&includeTagDescendants=0"), 4),
        (format!("tags={red}&includeTagDescendants=true"), 4),
        (format!("tags={red}&orderBy=-name&perPage=3"), 3),
        (format!("tags={red}&orderBy=-name&perPage=3&page=2"), 1),
        (format!(r#"tags={red}&filters=[{{"property":"name","type":"in","param":["A3","A4"]}}]"#), 1),
        (format!(r#"tags={red}&filters=[{{"property":"name","type":"eq","param":"A4"}}]"#), 0),
    ] {
        let parameters = parameters.replace('"', "%22").replace('{', "%7B").replace('}', "%7D");
        let found = admin.get(&format!("collection/article?{parameters}")).await;
        assert_eq!(found.column("id").len(), count, "{parameters} {}", found.text);
    }
    for wrong in [
        "tags=a&tagsMode=none",
        "tags=a&includeTagDescendants=maybe",
        "tags=a&tagsMode=any&tagsMode=all",
        "tags=a&tagMode=any",
    ] {
        admin.get(&format!("collection/article?{wrong}")).await.is(400);
    }
    admin.search("collection/article", json!({"tags": {"a": 1}})).await.is(400);
    admin.search("collection/article", json!({"tags": [1]})).await.is(400);
    admin.search(&format!("collection/article?tags={red}"), json!({"tags": [red]})).await.is(400);
    admin.get(&format!("collection/article/{}?tags={red}", ids[0])).await.is(400);
}

#[spec("D-24", "D-25")]
async fn what_is_deleted_takes_its_tags_along(server: Server) {
    let admin = server.admin();
    let ids = articles(&admin, 2).await;
    let note = admin.create("note", json!({"text": "N", "article": ids[0]})).await["id"].clone();
    let red = tag(&admin, json!({"name": "red"})).await;
    let blue = tag(&admin, json!({"name": "blue", "parent": red})).await;
    for id in &ids {
        give(&admin, id, "add", &[&red, &blue]).await.is(200);
    }
    admin
        .post("app/tags.assign", json!({"type": "note", "item": note, "operation": "add", "tags": [red]}))
        .await
        .is(200);
    let usage = async |id: &str| admin.get(&format!("collection/tags/{id}")).await.is(200).at("/usage");
    assert_eq!((usage(&red).await, usage(&blue).await), (json!(3), json!(2)));
    // A note goes with its article.
    admin.delete(&format!("collection/article/{}", ids[0])).await.is(204);
    assert_eq!((usage(&red).await, usage(&blue).await), (json!(1), json!(1)));
    let list = admin.get(&format!("collection/article?tags={blue}")).await.is(200);
    admin.delete(&format!("collection/tags/{blue}")).await.is(204);
    let known = admin.with("if-none-match", list.header("etag"));
    known.get(&format!("collection/article?tags={blue}")).await.is(204);
    let path = format!("app/tags.object?type=article&item={}", ids[1]);
    assert_eq!(admin.get(&path).await.at("/tags"), json!([red]));
    // A dropped type takes the tags of its resources along; a tag that was for it alone is for none.
    let invoice = "id: 90\nname: invoice\nproperties:\n  total: {id: 990, kind: pInteger}\n";
    server.change(&[("types/invoice.yaml", invoice)]).await;
    let narrow = tag(&admin, json!({"name": "narrow", "types": ["invoice"]})).await;
    let item = admin.create("invoice", json!({"total": 1})).await["id"].clone();
    let body = json!({"type": "invoice", "item": item, "operation": "add", "tags": [narrow, red]});
    admin.post("app/tags.assign", body).await.is(200);
    assert_eq!(usage(&narrow).await, 1);
    server.remove(&["types/invoice.yaml"]).await;
    assert_eq!((usage(&narrow).await, usage(&red).await), (json!(0), json!(1)));
    assert_eq!(admin.get(&format!("collection/tags/{narrow}")).await.at("/types"), json!([]));
    give(&admin, &ids[1], "add", &[&narrow]).await.is(400);
}

#[spec("D-3")]
async fn usage_counts_what_its_reader_may_read(server: Server) {
    let admin = server.admin();
    let file = "role: manager\nsystem: [restApi, manageTags]\ntypes: {article: {show: true}}\n";
    let manager = server.role("manager", file).await;
    let red = tag(&admin, json!({"name": "red"})).await;
    let ids = articles(&admin, 2).await;
    give(&admin, &ids[0], "add", &[&red]).await.is(200);
    let before = manager.get(&format!("collection/tags/{red}")).await.is(200);
    assert_eq!(before.at("/usage"), 1);
    let country = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    let body = json!({"type": "country", "item": country, "operation": "add", "tags": [red]});
    admin.post("app/tags.assign", body).await.is(200);
    assert_eq!(manager.get(&format!("collection/tags/{red}")).await.is(200).text, before.text);
    assert_eq!(admin.get(&format!("collection/tags/{red}")).await.is(200).at("/usage"), 2);
}
