//! Rights on notifications.

use super::notifications::{LIST, integration, recipient, send, send_one, titles};
use serde_json::{Value, json};
use spec::spec;
use testing::Server;

#[spec("R-155", "R-247", "R-248", "D-9")]
async fn who_may_see_notifications(server: Server) {
    let (ann, user) = recipient(&server, "ann").await;
    let portal = integration(&server).await;
    let own = send_one(&server, user, "Own").await;
    let custom = send(&server, json!([{"customId": "crm-7"}, {"customId": "crm 8"}]), "Custom").await;
    assert_eq!(titles(&ann, "").await, ["Own"]);
    ann.get(&format!("{LIST}?recipient_custom_id=crm-7")).await.is(403).says("getNotificationsPerCustomId");
    ann.get(&format!("{LIST}/{}", custom[0])).await.is(404);
    portal.get(LIST).await.is(400).says("recipient_custom_id");
    let list = portal.get(&format!("{LIST}?recipient_custom_id=crm-7")).await.is(200);
    assert_eq!(list.at("/items/0/id"), custom[0]);
    assert_eq!(titles(&portal, "recipient_custom_id=crm%208").await, ["Custom"]);
    assert_eq!(titles(&portal, "recipient_custom_id=crm").await, [] as [&str; 0]);
    portal.get(&format!("{LIST}/{own}")).await.is(404);
    portal.patch(&format!("{LIST}/{own}"), json!({"read": true})).await.is(404);
    portal.get(&format!("{LIST}/{}", custom[0])).await.is(200);
    // One by id may be asked for as the list is.
    portal.get(&format!("{LIST}/{}?recipient_custom_id=crm-7", custom[0])).await.is(200);
    portal.get(&format!("{LIST}/{}?recipient_custom_id=crm-7", custom[1])).await.is(404);
    portal.get(&format!("{LIST}/{}?recipient_custom_id=", custom[0])).await.is(400);
    ann.get(&format!("{LIST}/{own}?recipient_custom_id=crm-7")).await.is(403);
    assert_eq!(portal.patch(&format!("{LIST}/{}", custom[0]), json!({"read": true})).await.is(200).at("/read"), true);
    assert_eq!(titles(&portal, "recipient_custom_id=crm-7&unread_only=true").await, [] as [&str; 0]);
    // Without either there is nothing; the reader has neither.
    for request in [LIST.to_owned(), format!("{LIST}/{own}"), format!("{LIST}?recipient_custom_id=crm-7")] {
        server.reader().get(&request).await.is(403);
        server.client().get(&request).await.is(403);
    }
    server.reader().patch(&format!("{LIST}/{own}"), json!({"read": true})).await.is(403);
    // A key can have less than its owner.
    let login = server.login("ann").await;
    let key = |scope: &str| {
        let fields =
            [("user", login.user.clone()), ("password", login.password.clone()), ("permissions", scope.to_owned())];
        let client = server.client();
        async move {
            let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            client.post_form("auth", &fields).await.is(200).at("/authToken/keyString").as_str().unwrap().to_owned()
        }
    };
    let shows = server.client().with("key", &key("collection:notifications:show").await);
    shows.get(LIST).await.is(200);
    shows.patch(&format!("{LIST}/{own}"), json!({"read": true})).await.is(403);
    let edits = server.client().with("key", &key("collection:*:edit").await);
    edits.get(LIST).await.is(403);
    edits.patch(&format!("{LIST}/{own}"), json!({"read": true})).await.is(200);
    server.client().with("key", &key("collection:article:show").await).get(LIST).await.is(403);
    // With the user go the notifications.
    server.admin().delete(&format!("collection/user/{user}")).await.is(204);
    let other = recipient(&server, "bea").await.0;
    other.get(LIST).await.is(204);
}

#[spec("A094")]
async fn nothing_leads_to_the_notifications_of_others(server: Server) {
    let (ann, user) = recipient(&server, "ann").await;
    let (bob, other) = recipient(&server, "bob").await;
    for title in ["A", "B", "C"] {
        send(&server, json!([{"userId": user}, {"userId": other}]), title).await;
    }
    let ids: Vec<Value> =
        ann.get(LIST).await.at("/items").as_array().unwrap().iter().map(|of| of["id"].clone()).collect();
    let foreign = bob.get(&format!("{LIST}/{}", ids[0])).await.is(404).text;
    assert_eq!(bob.get(&format!("{LIST}/999999")).await.is(404).text, foreign);
    for body in [json!({"read": true}), json!({"archive": true})] {
        bob.patch(&format!("{LIST}/{}", ids[0]), body).await.is(404);
    }
    assert_eq!(ann.get(&format!("{LIST}/{}", ids[0])).await.at("/read"), false);
    bob.get(&format!("{LIST}?recipient_custom_id=a")).await.is(403);
    ann.patch(&format!("{LIST}/{}", ids[0]), json!({"read": false})).await.is(400);
    ann.patch(&format!("{LIST}/{}", ids[0]), json!({"read": true, "archive": true})).await.is(400);
    for limit in ["0", "1000000000"] {
        ann.get(&format!("{LIST}?limit={limit}")).await.is(400);
    }
    let cursor = ann.get(&format!("{LIST}?limit=1")).await.at("/nextCursor").as_str().unwrap().to_owned();
    assert_eq!(titles(&ann, &format!("limit=1&cursor={cursor}")).await, ["B"]);
    let refused = bob.get(&format!("{LIST}?limit=1&cursor={cursor}")).await.is(400).text;
    // It is good for its own list alone.
    for parameters in ["limit=2", "limit=1&unread_only=true", "limit=1&_archived=1", "limit=1&after=1", ""] {
        assert_eq!(ann.get(&format!("{LIST}?{parameters}&cursor={cursor}")).await.is(400).text, refused);
    }
    for place in [0, 9, 20, cursor.len() - 1] {
        let mut flipped = cursor.clone().into_bytes();
        flipped[place] = if flipped[place] == b'A' { b'B' } else { b'A' };
        let flipped = String::from_utf8(flipped).unwrap();
        ann.get(&format!("{LIST}?limit=1&cursor={flipped}")).await.is(400);
    }
    for cursor in ["", "a", "%00", "%C5%BE", &format!("{cursor}="), &cursor[..20]] {
        ann.get(&format!("{LIST}?limit=1&cursor={cursor}")).await.is(400);
    }
    let away = server.tenant("other").await;
    let stranger = recipient(&away, "ann").await.0;
    stranger.get(&format!("{LIST}?limit=1&cursor={cursor}")).await.is(400);
}

#[spec]
async fn administrators_make_notifications(server: Server) {
    let (ann, user) = recipient(&server, "ann").await;
    let admin = server.admin();
    let path = "/api/ext/v1/notifications";
    let whole = json!({"recipients": [{"userId": user}], "title": "A"});
    ann.post(path, whole.clone()).await.is(403).says("admin");
    server.client().post(path, whole.clone()).await.is(403);
    admin.get(path).await.is(405);
    let many: Vec<Value> = (0..1_001).map(|number| json!({"customId": format!("c{number}")})).collect();
    let actions: Vec<Value> = (0..6).map(|_| json!({"label": "a", "url": "/a"})).collect();
    for (name, value) in [
        ("recipients", json!(null)),
        ("recipients", json!([])),
        ("recipients", json!([{"userId": 999_999}])),
        ("recipients", json!([{"userId": user}, {"userId": 999_999}])),
        ("recipients", json!([{"userId": user.to_string()}])),
        ("recipients", json!([{"userId": user, "customId": "a"}])),
        ("recipients", json!([{"customId": ""}])),
        ("recipients", json!([{"customId": "a\u{0}"}])),
        ("recipients", json!([{"customId": "a".repeat(256)}])),
        ("recipients", json!([{}])),
        ("recipients", json!(many)),
        ("title", json!("")),
        ("title", json!("a".repeat(256))),
        ("title", json!("a\nb")),
        ("title", json!(7)),
        ("type", json!("a b")),
        ("type", json!("")),
        ("level", json!("fatal")),
        ("body", json!("a".repeat(10_001))),
        ("body", json!("a\u{0}")),
        ("expiresAt", json!("2026-11-20T12:00:00Z")),
        ("expiresAt", json!("soon")),
        ("target", json!({"type": "article"})),
        ("target", json!({"type": "article", "item": 999_999})),
        ("target", json!({"type": "absent", "item": 1})),
        ("target", json!({"url": "javascript:alert(1)"})),
        ("target", json!({"url": "//evil.example"})),
        ("target", json!({"url": "/a\\b"})),
        ("target", json!({"url": 7})),
        ("target", json!({})),
        ("actions", json!(actions)),
        ("actions", json!([{"label": "", "url": "/a"}])),
        ("actions", json!([{"label": "a", "url": "data:text/html,a"}])),
        ("actions", json!([{"label": "a"}])),
        ("data", json!([])),
        ("data", json!({"a": "b".repeat(16_400)})),
        ("data", json!({"a": {"b\u{0}": 1}})),
        ("absent", json!(1)),
    ] {
        let mut body = whole.clone();
        body[name] = value;
        admin.post(path, body).await.is(400).says(name);
    }
    admin
        .request("POST", path)
        .body("application/json", r#"{"data":{"a":1.00000000000000000001}}"#)
        .send()
        .await
        .is(400);
    ann.get(LIST).await.is(204);
    // As many as there may be, at once; all or none.
    let most: Vec<Value> = many.into_iter().take(1_000).collect();
    assert_eq!(send(&server, json!(most), "Many").await.len(), 1_000);
}
