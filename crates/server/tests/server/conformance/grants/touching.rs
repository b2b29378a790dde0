//! What lies around resources: tags, files, notifications, caches, descriptions.

use super::{Office, found, ids};
use serde_json::{Value as Json, json};
use spec::spec;

#[spec("D-3", "D-13")]
async fn tags_are_those_of_rows_that_are_seen(Office { admin, clerk, .. }: Office) {
    let tag = admin.create("tags", json!({"name": "Hot"})).await["id"].as_str().unwrap().to_owned();
    for item in [1, 2, 3] {
        let body = json!({"type": "invoice", "item": item, "operation": "add", "tags": [&tag]});
        admin.post("app/tags.assign", body).await.is(200);
    }
    let usage = format!("collection/tags/{tag}?showFields=usage");
    assert_eq!(admin.get(&usage).await.is(200).at("/usage"), 3);
    assert_eq!(clerk.get(&usage).await.is(200).at("/usage"), 2);
    assert_eq!(ids(&admin, &[("tags", &tag)]).await, [1, 2, 3]);
    assert_eq!(ids(&clerk, &[("tags", &tag)]).await, [1, 3]);
    let of = |item: i64| format!("app/tags.object?type=invoice&item={item}");
    clerk.get(&of(1)).await.is(200).says(&tag);
    assert_eq!(clerk.get(&of(2)).await.is(404).text, clerk.get(&of(99)).await.is(404).text);
    let assign = |item: i64| json!({"type": "invoice", "item": item, "operation": "remove", "tags": [&tag]});
    clerk.post("app/tags.assign", assign(1)).await.is(403);
    let missing = clerk.post("app/tags.assign", assign(99)).await.is(404).text;
    assert_eq!(clerk.post("app/tags.assign", assign(2)).await.is(404).text, missing);
    clerk.post("app/tags.assign", assign(3)).await.is(200);
    assert_eq!(admin.get(&usage).await.at("/usage"), 2);
}

#[spec("D-3", "D-13")]
async fn files_are_those_of_rows_that_show_them(Office { server, admin, clerk, user }: Office) {
    for item in [1, 2, 3] {
        let promise = admin.promise("invoice/paper", "a.txt", b"hello").await;
        admin.patch(&format!("collection/invoice/{item}"), json!({"paper": promise})).await.is(200);
    }
    let named = |item: i64| format!("/api/ext/v1/file/invoice/{item}/paper/a.txt");
    assert_eq!(clerk.get(&named(3)).await.is(200).bytes, "hello");
    // Seen without its paper, not seen, not there: the same.
    let missing = clerk.get(&named(99)).await.is(404).text;
    assert_eq!(clerk.get(&named(1)).await.is(404).text, missing);
    assert_eq!(clerk.get(&named(2)).await.is(404).text, missing);
    assert_eq!(found(&clerk, "paper.name", "eq", json!("a.txt")).await, [3]);
    assert_eq!(found(&clerk, "paper", "isNull", Json::Null).await, [1, 4, 5]);
    // A signed address serves as long as its user sees the row.
    let url = clerk.get("collection/invoice/3").await.at("/paper/url").as_str().unwrap().to_owned();
    assert_eq!(server.client().get(&url).await.is(200).bytes, "hello");
    admin.patch("collection/invoice/3", json!({"owner": null, "state": "open"})).await.is(200);
    server.client().get(&url).await.is(403);
    admin.patch("collection/invoice/3", json!({"state": "paid"})).await.is(200);
    server.client().get(&url).await.is(403);
    admin.patch("collection/invoice/3", json!({"owner": user})).await.is(200);
    server.client().get(&url).await.is(200);
}

#[spec("D-3")]
async fn a_notification_tells_of_rows_that_are_seen(Office { admin, clerk, user, .. }: Office) {
    for item in [1, 2] {
        let body =
            json!({"title": "Look", "recipients": [{"userId": user}], "target": {"type": "invoice", "item": item}});
        admin.post("/api/ext/v1/notifications", body).await.is(201);
    }
    let list = clerk.get("collection/notifications").await.is(200).json();
    let items = list["items"].as_array().unwrap();
    assert_eq!((&items[0]["target"], &items[1]["target"]["objectId"]), (&Json::Null, &json!(1)));
    let one = format!("collection/notifications/{}", items[0]["id"]);
    assert_eq!(clerk.get(&one).await.is(200).at("/target"), Json::Null);
    admin.patch("collection/invoice/2", json!({"state": "open"})).await.is(200);
    assert_eq!(clerk.get(&one).await.is(200).at("/target/objectId"), 2);
}

#[spec("D-28", "D-12")]
async fn answers_that_are_kept_follow_what_the_grants_look_at(Office { server, admin, .. }: Office) {
    let role = "role: kin\nsystem: [restApi]\ntypes:\n  company: {show: {fields: [name]}}\n  \
                invoice: {show: {where: \"{=customer.open == true}\"}}\n";
    let kin = server.role("kin", role).await;
    for _ in 0..3 {
        assert_eq!(ids(&kin, &[("orderBy", "-amount")]).await, [1]);
    }
    // The list's own type is as it was: what it rests on is the other one, which is not even shown.
    admin.patch("collection/company/2", json!({"open": true})).await.is(200);
    assert_eq!(ids(&kin, &[("orderBy", "-amount")]).await, [4, 3, 2, 1]);
    let etag = kin.get("collection/invoice").await.is(200).header("etag").to_owned();
    let again = || kin.request("GET", "collection/invoice").header("if-none-match", &etag).send();
    again().await.is(304);
    admin.patch("collection/company/2", json!({"open": false})).await.is(200);
    again().await.is(200);
    assert_eq!(ids(&kin, &[]).await, [1]);
}

#[spec("D-3")]
async fn what_stands_against_a_deletion_is_not_told_of_rows_that_may_not_be_seen(Office { server, admin, .. }: Office) {
    let restrict =
        super::INVOICE.replace("type: company, onDelete: setNull}\n\x20 owner", "type: company}\n\x20 owner");
    server
        .change(&[(
            "types/invoice.yaml",
            &restrict.replace(
                "partners: {id: 615, kind: pRelations, type: company, onDelete: setNull}",
                "partners: {id: 615, kind: pRelations, type: company, title: Partners}",
            ),
        )])
        .await;
    let role = "role: remover\nsystem: [restApi]\ntypes:\n  company: {show: true, edit: true}\n  \
                invoice: {show: {where: \"{=state == 'paid'}\"}}\n";
    let remover = server.role("remover", role).await;
    admin.delete("collection/company/1").await.is(409).says("Partners");
    remover.delete("collection/company/1").await.is(409).lacks("Partners").says("something refers to it");
}
