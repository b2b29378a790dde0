//! Private tags, and what keys may do with tags.

use super::tags::{MANAGER, tag};
use serde_json::json;
use spec::spec;
use testing::{Client, Server};

const PRIVATE: &str = "system: [restApi, createPrivateTags]\ntypes: {article: {show: true, edit: true}}\n";

/// A user who may make private tags.
async fn labeller(server: &Server, name: &str) -> Client {
    server.role(name, &format!("role: {name}\n{PRIVATE}")).await
}

#[spec("R-148", "R-149", "R-252", "R-253", "A091")]
async fn private_tags_are_their_owners_affair(server: Server) {
    let manager = server.role("manager", MANAGER).await;
    let (anna, boris) = (labeller(&server, "anna").await, labeller(&server, "boris").await);
    let public = tag(&manager, json!({"name": "Public"})).await;
    // Without either permission nothing is written, whatever is there.
    for item in [public.as_str(), "absent"] {
        let path = format!("collection/tags/{item}");
        server.reader().put(&path, json!({"name": "A"})).await.is(403);
        server.reader().patch(&path, json!({"name": "A"})).await.is(403);
        server.reader().delete(&path).await.is(403);
    }
    server.reader().post("collection/tags", json!({"name": "A"})).await.is(403);
    // Forced to be private, however it is asked for.
    let made = anna.post("collection/tags", json!({"name": "Mine", "private": false})).await.is(201).json();
    assert_eq!((&made["private"], &made["owner"]), (&json!(true), &json!(server.user("anna").await)));
    let own = format!("collection/tags/{}", made["id"].as_str().unwrap());
    for reply in [
        anna.put(&own, json!({"name": "Mine", "private": false})).await,
        anna.patch(&own, json!({"private": false})).await,
        anna.patch(&own, json!({"parent": public})).await,
        anna.patch(&own, json!({"owner": made["owner"], "color": "#123456"})).await,
        anna.get(&own).await,
    ] {
        assert_eq!(reply.is(200).at("/private"), true);
    }
    // Those of others: public ones are not to be changed, private ones are not there.
    let foreign = tag(&boris, json!({"name": "Theirs"})).await;
    for (item, status) in [(&public, 403), (&foreign, 404)] {
        let path = format!("collection/tags/{item}");
        anna.put(&path, json!({"name": "A"})).await.is(status);
        anna.patch(&path, json!({"name": "A"})).await.is(status);
        anna.patch(&path, json!({"parent": null})).await.is(status);
        anna.delete(&path).await.is(status);
        anna.delete(&format!("{path}?_cascade=1")).await.is(status);
    }
    anna.patch(&own, json!({"parent": foreign})).await.is(400);
    anna.patch(&own, json!({"owner": server.user("boris").await})).await.is(400);
    anna.patch(&own, json!({"description": "x"})).await.is(400).says("There is no property");
    // With manageTags all may be changed, and published.
    manager.patch(&format!("collection/tags/{foreign}"), json!({"color": "#fff"})).await.is(200);
    manager.patch(&own, json!({"private": false, "parent": null, "description": "known"})).await.is(200);
    boris.get(&own).await.is(200);
    // What is public is not its maker's any more.
    anna.patch(&own, json!({"color": "#000"})).await.is(403);
    anna.delete(&own).await.is(403);
    // Nothing becomes public by being left out.
    assert_eq!(
        manager.put(&format!("collection/tags/{foreign}"), json!({"name": "T"})).await.is(200).at("/private"),
        true
    );
    boris.delete(&format!("collection/tags/{foreign}")).await.is(204);
}

#[spec("R-145", "R-149")]
async fn under_a_private_tag_all_is_private(server: Server) {
    let manager = server.role("manager", MANAGER).await;
    let (anna, boris) = (labeller(&server, "anna").await, labeller(&server, "boris").await);
    let (annas, boriss) = (tag(&anna, json!({"name": "A"})).await, tag(&boris, json!({"name": "B"})).await);
    let below = tag(&anna, json!({"name": "below", "parent": annas})).await;
    manager.post("collection/tags", json!({"name": "P", "parent": annas})).await.is(400).says("private");
    manager.patch(&format!("collection/tags/{boriss}"), json!({"parent": annas})).await.is(400);
    manager.patch(&format!("collection/tags/{below}"), json!({"private": false})).await.is(400);
    let public = tag(&manager, json!({"name": "P"})).await;
    let child = tag(&manager, json!({"name": "C", "parent": public})).await;
    manager.patch(&format!("collection/tags/{public}"), json!({"private": true})).await.is(400).says("others see");
    manager.patch(&format!("collection/tags/{child}"), json!({"private": true})).await.is(200);
    manager.patch(&format!("collection/tags/{public}"), json!({"private": true})).await.is(200);
    assert_eq!(anna.get("collection/tags").await.column("name"), [json!("A"), json!("below")]);
    assert_eq!(manager.get("collection/tags").await.at("/stats/total"), 5);
}

/// Whatever boris asks, his answers are the same whether anna has private tags or not.
#[spec("A090", "D-3", "R-145")]
async fn private_tags_of_others_leave_no_trace(server: Server) {
    let manager = server.role("manager", MANAGER).await;
    let (anna, boris) = (labeller(&server, "anna").await, labeller(&server, "boris").await);
    let article = manager.create("article", json!({"name": "A"})).await["id"].clone();
    let public = tag(&manager, json!({"name": "Public", "code": "public"})).await;
    let own = tag(&boris, json!({"name": "Own", "parent": public})).await;
    let secret = tag(&anna, json!({"name": "Secret", "code": "secret", "parent": public})).await;
    let below = tag(&anna, json!({"name": "Below", "parent": secret})).await;
    let all = json!({"type": "article", "item": article, "operation": "replace", "tags": [secret, below, public]});
    anna.post("app/tags.assign", all).await.is(200);
    let mut before = Vec::new();
    for present in [true, false] {
        if !present {
            anna.delete(&format!("collection/tags/{secret}?_cascade=1")).await.is(204);
        }
        let mut answers = Vec::new();
        let mut note = async |reply: testing::Reply| {
            assert!(!reply.text.contains("Secret") && !reply.text.contains("Below"), "{}", reply.text);
            answers.push((reply.request.clone(), reply.status, reply.text.clone(), reply.header("etag").to_owned()));
        };
        for id in [secret.as_str(), below.as_str(), "secret"] {
            let path = format!("collection/tags/{id}");
            note(boris.get(&path).await).await;
            note(boris.patch(&path, json!({"name": "X"})).await).await;
            note(boris.put(&path, json!({"name": "X"})).await).await;
            note(boris.delete(&format!("{path}?_cascade=1")).await).await;
            note(boris.get(&format!("collection/tags?parent={id}")).await).await;
            note(boris.get(&format!("collection/article?tags={id}")).await).await;
            note(boris.get(&format!("collection/article?tags={id},{public}&tagsMode=all")).await).await;
            note(boris.get(&format!("collection/article?tags={id},{public}")).await).await;
            note(boris.get(&format!("collection/article?tags={id}&includeTagDescendants=1")).await).await;
            note(boris.post("collection/tags", json!({"name": "X", "parent": id})).await).await;
            note(boris.patch(&format!("collection/tags/{own}"), json!({"parent": id})).await).await;
            for operation in ["add", "remove", "replace"] {
                let body = json!({"type": "article", "item": article, "operation": operation, "tags": [id]});
                note(boris.post("app/tags.assign", body).await).await;
            }
        }
        for path in [
            "collection/tags",
            "collection/tags?search=secret",
            "collection/tags?search=e",
            "collection/tags?perPage=1",
            &format!("collection/tags?parent={public}"),
            &format!("collection/tags/{public}"),
            &format!("collection/article?tags={public}&includeTagDescendants=1"),
            &format!("app/tags.object?type=article&item={article}"),
        ] {
            note(boris.get(path).await).await;
        }
        // Names and codes that anna has are free.
        for body in [json!({"name": "Secret", "parent": public}), json!({"name": "Below", "code": "secret"})] {
            let made = boris.post("collection/tags", body).await.is(201);
            boris.delete(&format!("collection/tags/{}", made.at("/id").as_str().unwrap())).await.is(204);
        }
        // Replacing keeps what boris does not see.
        let none = json!({"type": "article", "item": article, "operation": "replace", "tags": [own]});
        note(boris.post("app/tags.assign", none).await).await;
        if present {
            let kept = anna.get(&format!("app/tags.object?type=article&item={article}")).await.is(200).at("/tags");
            assert_eq!(kept, json!([below, secret]));
            let again = json!({"type": "article", "item": article, "operation": "replace", "tags": [public]});
            boris.post("app/tags.assign", again).await.is(200);
            before = answers;
        } else {
            assert_eq!(before, answers);
        }
    }
    // Unknown ids are answered alike.
    for (path, status) in
        [("collection/tags/ID", 404), ("collection/tags?parent=ID", 204), ("collection/article?tags=ID", 204)]
    {
        let of = async |id: &str| boris.get(&path.replace("ID", id)).await.is(status).text.clone();
        assert_eq!(of(&secret).await, of("absent").await);
    }
}

#[spec("D-9")]
async fn scopes_narrow_what_a_key_does_with_tags(server: Server) {
    let login = server.login("admin").await;
    let admin = server.admin();
    let article = admin.create("article", json!({"name": "A"})).await["id"].clone();
    let anna = labeller(&server, "anna").await;
    let secret = tag(&anna, json!({"name": "Secret"})).await;
    for (scopes, list, seen, create, filter, object, assign) in [
        ("*", 200, 200, 201, 204, 200, 200),
        ("tags", 200, 200, 201, 403, 403, 403),
        ("collection:tags:show", 200, 200, 403, 403, 403, 403),
        ("collection:article:show", 403, 403, 403, 403, 403, 403),
        ("tags,collection:article:show", 200, 200, 201, 204, 200, 403),
        ("tags,collection:article:edit", 200, 200, 201, 403, 403, 200),
        ("app:tags.object,collection:article:show", 403, 403, 403, 403, 200, 403),
        ("upload", 403, 403, 403, 403, 403, 403),
    ] {
        let form = [("user", login.user.as_str()), ("password", login.password.as_str()), ("permissions", scopes)];
        let made = server.client().post_form("auth", &form).await.is(200);
        let client = server.client().with("key", made.at("/authToken/keyString").as_str().unwrap());
        let assignment = json!({"type": "article", "item": article, "operation": "add", "tags": []});
        let answers = [
            client.get("collection/tags").await,
            client.get(&format!("collection/tags/{secret}")).await,
            client.post("collection/tags", json!({"name": scopes})).await,
            client.get("collection/article?tags=absent").await,
            client.get(&format!("app/tags.object?type=article&item={article}")).await,
            client.post("app/tags.assign", assignment).await,
        ];
        let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        assert_eq!(statuses, [list, seen, create, filter, object, assign], "{scopes}");
    }
}
