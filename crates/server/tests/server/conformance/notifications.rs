//! Notifications: who gets which, in pages that miss nothing, and what becomes of them.

use serde_json::{Value, json};
use spec::spec;
use std::collections::BTreeMap;
use testing::{Choices, Client, Server};

const OWN: &str = "system: [restApi, notifications]\ntypes: {article: {show: true}}\n";

pub(super) const LIST: &str = "collection/notifications";

/// A user who may have notifications.
pub(super) async fn recipient(server: &Server, name: &str) -> (Client, i64) {
    let client = server.role(name, &format!("role: {name}\n{OWN}")).await;
    (client, server.user(name).await)
}

/// An integration that reads the notifications of custom ids, and has none of its own.
pub(super) async fn integration(server: &Server) -> Client {
    server.role("portal", "role: portal\nsystem: [restApi, getNotificationsPerCustomId]\n").await
}

/// Makes a notification for each recipient; gives their ids.
pub(super) async fn send(server: &Server, recipients: Value, title: &str) -> Vec<i64> {
    let made =
        server.admin().post("/api/ext/v1/notifications", json!({"recipients": recipients, "title": title})).await;
    made.is(201).at("/items").as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect()
}

pub(super) async fn send_one(server: &Server, user: i64, title: &str) -> i64 {
    send(server, json!([{"userId": user}]), title).await[0]
}

pub(super) async fn titles(client: &Client, parameters: &str) -> Vec<String> {
    let list = client.get(&format!("{LIST}?{parameters}")).await;
    if list.status == 204 {
        return Vec::new();
    }
    let items = list.is(200).at("/items");
    items.as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

#[spec("R-006", "R-027", "R-028", "R-029", "R-038", "R-157", "D-1")]
async fn a_notification_is_read_as_it_was_made(server: Server) {
    let (ann, user) = recipient(&server, "ann").await;
    let article = server.admin().create("article", json!({"name": "News"})).await;
    let body = json!({
        "recipients": [{"userId": user}, {"customId": "crm-7"}, {"userId": user}], "type": "article.published",
        "title": "News is out", "body": "Read it\nnow", "level": "success", "expiresAt": "2026-12-01 08:00:00",
        "target": {"type": "article", "item": article["id"], "url": "/articles/news"},
        "actions": [{"label": "Open", "url": "https://example.com/a?b=c"}], "data": {"views": 3, "deep": [null, {"a": 1.5}]},
    });
    let made = server.admin().post("/api/ext/v1/notifications", body).await.is(201).json();
    let items = made["items"].as_array().unwrap();
    // Who is named twice gets one.
    assert_eq!(items.len(), 2, "{made}");
    assert_eq!(items[0]["recipient"], json!({"userId": user, "customId": null}));
    assert_eq!(items[1]["recipient"], json!({"userId": null, "customId": "crm-7"}));
    let admin = server.user("admin").await;
    let name = server.admin().get(&format!("collection/user/{admin}")).await.at("/user_name");
    let expected = json!({
        "id": items[0]["id"], "uuid": items[0]["uuid"], "type": "article.published", "title": "News is out",
        "body": "Read it\nnow", "level": "success", "read": false, "readAt": null, "archived": false,
        "archivedAt": null, "created": "2026-11-20T13:00:00+01:00", "expiresAt": "2026-12-01T08:00:00+01:00",
        "actor": {"id": admin, "title": name}, "recipient": {"userId": user, "customId": null},
        "target": {
            "typeId": 10, "type": "article", "objectId": article["id"], "uuid": article["uuid"], "url": "/articles/news",
        },
        "actions": [{"label": "Open", "url": "https://example.com/a?b=c"}],
        "data": {"views": 3, "deep": [null, {"a": 1.5}]},
    });
    let list = ann.get(LIST).await.is(200).json();
    assert_eq!(list.to_string(), json!({"items": [expected], "nextCursor": null, "hasMore": false}).to_string());
    for item in ["id", "uuid"] {
        let item = items[0][item].to_string();
        let one = ann.get(&format!("{LIST}/{}", item.trim_matches('"'))).await.is(200).text;
        assert_eq!(one, expected.to_string());
    }
    // What is left out has its default; a target stays hidden from whoever may not read its type.
    let bare = send_one(&server, server.user("reader").await, "Bare").await;
    server.change(&[("roles/reader.yaml", "role: reader\nsystem: [restApi, notifications]\n")]).await;
    let bare = server.reader().get(&format!("{LIST}/{bare}")).await.is(200).json();
    for (name, value) in [
        ("type", json!("message")),
        ("body", json!(null)),
        ("level", json!("info")),
        ("expiresAt", json!(null)),
        ("target", json!(null)),
        ("actions", json!([])),
        ("data", json!(null)),
    ] {
        assert_eq!(bare[name], value, "{name}");
    }
    let reader = server.user("reader").await;
    for (url, expected) in [(json!(null), json!(null)), (json!("/a"), json!("/a"))] {
        let target = json!({"type": "article", "item": article["uuid"], "url": url});
        let body = json!({"recipients": [{"userId": reader}], "title": "Hidden", "target": target});
        server.admin().post("/api/ext/v1/notifications", body).await.is(201);
        let seen = server.reader().get(&format!("{LIST}?limit=1")).await.is(200).at("/items/0/target");
        assert_eq!(
            (seen.pointer("/url").unwrap_or(&json!(null)), seen.get("type")),
            match expected.is_null() {
                true => (&json!(null), None),
                false => (&expected, Some(&json!(null))),
            }
        );
    }
}

#[spec("R-150", "R-151", "R-152", "R-153", "R-154", "R-156", "R-294")]
async fn notifications_are_listed(server: Server) {
    let (ann, user) = recipient(&server, "ann").await;
    assert_eq!(ann.get(LIST).await.is(204).text, "");
    let mut ids = Vec::new();
    for number in 0..27 {
        ids.push(send_one(&server, user, &format!("N{number}")).await);
        server.clock().advance(60);
    }
    let list = ann.get(LIST).await.is(200);
    assert_eq!(list.json().as_object().unwrap().keys().collect::<Vec<_>>(), ["items", "nextCursor", "hasMore"]);
    let newest: Vec<String> = (2..27).rev().map(|number| format!("N{number}")).collect();
    assert_eq!(titles(&ann, "").await, newest);
    assert_eq!(list.at("/hasMore"), true);
    let cursor = list.at("/nextCursor").as_str().unwrap().to_owned();
    let last = ann.get(&format!("{LIST}?cursor={cursor}")).await.is(200);
    assert_eq!((last.at("/hasMore"), last.at("/nextCursor")), (json!(false), json!(null)));
    assert_eq!(titles(&ann, &format!("cursor={cursor}")).await, ["N1", "N0"]);
    assert_eq!(titles(&ann, &format!("limit=25&unread_only=false&_archived=0&cursor={cursor}")).await, ["N1", "N0"]);
    assert_eq!(titles(&ann, "limit=100").await.len(), 27);
    let exact = ann.get(&format!("{LIST}?limit=27")).await.is(200);
    assert_eq!((exact.at("/hasMore"), exact.at("/nextCursor")), (json!(false), json!(null)));
    ann.patch(&format!("{LIST}/{}", ids[26]), json!({"read": true})).await.is(200);
    ann.patch(&format!("{LIST}/{}", ids[25]), json!({"archive": true})).await.is(200);
    assert_eq!(titles(&ann, "limit=2").await, ["N26", "N24"]);
    assert_eq!(titles(&ann, "limit=2&unread_only=true").await, ["N24", "N23"]);
    assert_eq!(titles(&ann, "limit=2&_archived=1").await, ["N26", "N25"]);
    assert_eq!(titles(&ann, "limit=2&_archived=1&unread_only=true").await, ["N25", "N24"]);
    // Only newer ones, for those who poll.
    assert_eq!(titles(&ann, &format!("after={}", ids[24])).await, ["N26"]);
    assert_eq!(titles(&ann, &format!("after={}", ids[26])).await, [] as [&str; 0]);
    assert_eq!(titles(&ann, "after=99999999999999999999").await, [] as [&str; 0]);
    for instant in ["2026-11-20 13:23:00", "2026-11-20T12:23:00Z", "2026-11-20T13:23:30%2B01:00"] {
        assert_eq!(titles(&ann, &format!("after={instant}").replace(' ', "%20")).await, ["N26", "N24"], "{instant}");
    }
    let page = ann.get(&format!("{LIST}?after={}&limit=1", ids[23])).await.is(200);
    assert_eq!(page.at("/items/0/title"), "N26");
    let cursor = page.at("/nextCursor").as_str().unwrap().to_owned();
    assert_eq!(titles(&ann, &format!("after={}&limit=1&cursor={cursor}", ids[23])).await, ["N24"]);
    for parameters in [
        "limit=0",
        "limit=101",
        "limit=1000000000",
        "limit=-1",
        "limit=x",
        "limit=",
        "after=",
        "after=yesterday",
        "after=-1",
        "unread_only=1",
        "unread_only=TRUE",
        "_archived=x",
        "page=1",
        "filters=[]",
        "limit=1&limit=2",
        "recipient_custom_id=",
    ] {
        ann.get(&format!("{LIST}?{parameters}")).await.is(400);
    }
    // What has expired is not there any more.
    let body = json!({"recipients": [{"userId": user}], "title": "Short", "expiresAt": "2026-11-20T12:30:00Z"});
    let short = server.admin().post("/api/ext/v1/notifications", body).await.is(201).at("/items/0/id");
    assert_eq!(titles(&ann, "limit=1").await, ["Short"]);
    server.clock().set("2026-11-20T12:30:00Z");
    assert_eq!(titles(&ann, "limit=1").await, ["N26"]);
    ann.get(&format!("{LIST}/{short}")).await.is(404);
    ann.patch(&format!("{LIST}/{short}"), json!({"read": true})).await.is(404);
}

#[spec("R-067", "R-068", "R-158", "R-159")]
async fn notifications_are_read_and_archived(server: Server) {
    let (ann, user) = recipient(&server, "ann").await;
    let id = send_one(&server, user, "A").await;
    let path = format!("{LIST}/{id}");
    server.clock().advance(60);
    let read = ann.patch(&path, json!({"read": true})).await.is(200);
    assert_eq!((read.at("/read"), read.at("/readAt")), (json!(true), json!("2026-11-20T13:01:00+01:00")));
    assert_eq!(ann.get(&path).await.is(200).text, read.text);
    // Again, and nothing changes.
    server.clock().advance(60);
    assert_eq!(ann.patch(&path, json!({"read": true})).await.is(200).text, read.text);
    for moment in ["2026-11-20T13:03:00+01:00"; 2] {
        server.clock().advance(60);
        let answer = ann.patch(&path, json!({"archive": true})).await.is(200);
        assert_eq!(answer.text, r#"{"message":"Notification archived."}"#);
        let archived = ann.get(&path).await.is(200);
        assert_eq!((archived.at("/archived"), archived.at("/archivedAt")), (json!(true), json!(moment)));
        assert_eq!(archived.at("/readAt"), read.at("/readAt"));
    }
    ann.get(LIST).await.is(204);
    // An unread one can be archived, and an archived one read.
    let id = send_one(&server, user, "B").await;
    let path = format!("{LIST}/{id}");
    ann.patch(&path, json!({"archive": true})).await.is(200);
    assert_eq!(ann.patch(&path, json!({"read": true})).await.is(200).at("/archived"), true);
    for body in [
        json!({}),
        json!({"read": false}),
        json!({"archive": false}),
        json!({"read": 1}),
        json!({"read": "true"}),
        json!({"read": null}),
        json!({"read": true, "archive": true}),
        json!({"read": true, "title": "C"}),
        json!({"title": "C"}),
        json!([]),
    ] {
        ann.patch(&path, body).await.is(400);
    }
    ann.patch(&format!("{path}?a=1"), json!({"read": true})).await.is(400);
    for absent in ["0", "999999", "a", "00000000-0000-4000-8000-000000000000", "-1", "99999999999999999999"] {
        ann.get(&format!("{LIST}/{absent}")).await.is(404);
        ann.patch(&format!("{LIST}/{absent}"), json!({"read": true})).await.is(404);
    }
}

#[spec("R-160")]
async fn notifications_take_no_other_methods(server: Server) {
    let (ann, user) = recipient(&server, "ann").await;
    let item = format!("{LIST}/{}", send_one(&server, user, "A").await);
    for (path, allow) in [(LIST, "GET, HEAD, OPTIONS"), (item.as_str(), "GET, HEAD, PATCH, OPTIONS")] {
        for method in ["POST", "PUT", "DELETE"] {
            let refused = ann.request(method, path).json(&json!({"title": "A"})).send().await.is(405);
            assert_eq!(refused.header("allow"), allow, "{method} {path}");
        }
        assert_eq!(ann.request("OPTIONS", path).send().await.is(204).header("allow"), allow);
        assert_eq!(ann.request("HEAD", path).send().await.is(200).text, "");
    }
    for method in ["SEARCH", "PATCH"] {
        let refused = ann.request(method, LIST).json(&json!({})).send().await.is(405);
        assert_eq!(refused.header("allow"), "GET, HEAD, OPTIONS");
    }
    ann.request("SEARCH", &item).json(&json!({})).send().await.is(400);
    ann.get(&format!("{LIST}/get-by/title/A")).await.is(404);
    assert_eq!(titles(&ann, "").await, ["A"]);
}

/// Whatever comes and is archived while somebody pages: what was there from the start and stays is visited exactly
/// once, nothing is visited twice, and all comes newest first.
#[spec("R-154")]
async fn paging_visits_each_once(server: Server) {
    let (ann, user) = recipient(&server, "ann").await;
    for seed in 0..6 {
        let mut choices = Choices::new(seed);
        let mut archived: BTreeMap<i64, bool> = BTreeMap::new();
        for number in 0..12 + choices.below(10) {
            archived.insert(send_one(&server, user, &format!("N{number}")).await, false);
            // Some have the same moment.
            server.clock().advance(i64::from(choices.once_in(2)));
        }
        let limit = 1 + choices.below(4);
        let filter = ["", "&unread_only=true"][choices.below(2)];
        let (mut visited, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = ann.get(&format!("{LIST}?limit={limit}{filter}{cursor}")).await;
            if page.status == 204 {
                break;
            }
            let page = page.is(200).json();
            visited.extend(page["items"].as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()));
            assert_eq!(page["hasMore"], !page["nextCursor"].is_null());
            let Some(next) = page["nextCursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
            if choices.below(2) == 0 {
                send_one(&server, user, "New").await;
            }
            let victim = choices.below(archived.len());
            let (id, gone) = archived.iter_mut().nth(victim).unwrap();
            ann.patch(&format!("{LIST}/{id}"), json!({"archive": true})).await.is(200);
            *gone |= !visited.contains(id);
        }
        assert!(visited.windows(2).all(|pair| pair[0] > pair[1]), "{visited:?}");
        for (id, gone) in &archived {
            assert!(*gone || visited.contains(id), "{id} is missing: seed {seed}, limit {limit}, {visited:?}");
        }
        assert!(visited.iter().all(|id| archived.contains_key(id)), "{visited:?}");
        while let Some(rest) = Some(ann.get(&format!("{LIST}?limit=100")).await).filter(|rest| rest.status == 200) {
            for item in rest.at("/items").as_array().unwrap() {
                ann.patch(&format!("{LIST}/{}", item["id"]), json!({"archive": true})).await.is(200);
            }
        }
    }
}
