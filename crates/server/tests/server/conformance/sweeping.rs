//! What nobody needs goes when it is due, however often servers start.

use super::file_values::Album;
use super::tags::{MANAGER, tag};
use accounts::keys;
use database::Name;
use model::environment::Clock;
use serde_json::json;
use spec::spec;
use testing::Server;

async fn keys_of(server: &Server) -> usize {
    server.look(|tx, context| keys::list(tx, context, None)).await.len()
}

#[spec("D-8")]
async fn expired_keys_go_by_due_time(server: Server) {
    let login = server.login("editor").await;
    let before = keys_of(&server).await;
    let make = async |valid: &str| {
        let fields = [("user", login.user.as_str()), ("password", login.password.as_str()), ("valid", valid)];
        server.client().post_form("auth", &fields).await.is(200);
    };
    server.sweep().await;
    make("2026-11-20T13:10:00+01:00").await;
    make("2030-01-01").await;
    server.clock().advance(30 * 60);
    // Another server starts: it is not due yet, since the first one swept.
    server.node().await.sweep().await;
    assert_eq!(keys_of(&server).await, before + 2);
    server.clock().advance(31 * 60);
    server.node().await.sweep().await;
    assert_eq!(keys_of(&server).await, before + 1);
}

/// Returns the number of rows of one of the platform's tables.
async fn rows(server: &Server, table: &'static str) -> i64 {
    let count = server.look(move |tx, _| {
        let mut sql = tx.sql();
        sql.push("SELECT COUNT(*) FROM ").table(&Name::fixed(table));
        let mut count = 0;
        tx.query(&sql, &mut |row| {
            count = row.integer(0)?;
            Ok(())
        })?;
        Ok(count)
    });
    count.await
}

/// A table whose rows go when they are due, and the minutes for which they are kept.
const KEPT: [(&str, i64); 4] = [
    ("plinth_key", 120),
    ("plinth_notification", 365 * 24 * 60),
    ("plinth_attachment", 24 * 60),
    // A window of a quarter of an hour, and an hour.
    ("plinth_throttle", 75),
];

/// Makes a row of a table.
async fn make(server: &Server, table: &str) {
    let client = server.client();
    match table {
        "plinth_key" => {
            let valid = server.clock().now() + jiff::SignedDuration::from_mins(120);
            let login = server.login("editor").await;
            let valid = valid.to_string();
            let fields = [("user", login.user.as_str()), ("password", login.password.as_str()), ("valid", &valid)];
            client.post_form("auth", &fields).await.is(200);
        }
        "plinth_notification" => {
            let body = json!({"recipients": [{"customId": "crm-7"}], "title": "Old"});
            server.admin().post("/api/ext/v1/notifications", body).await.is(201);
        }
        "plinth_attachment" => drop(server.admin().promise("album/cover", "a.txt", b"hello").await),
        _ => {
            let fields = [("user", "nobody@acme.test"), ("password", "the wrong password")];
            client.post_form("auth", &fields).await.is(401);
        }
    }
}

#[spec("D-8", "R-150", "R-161")]
async fn each_sweep_goes_by_due_time_and_not_by_how_long_a_server_runs(Album(server): Album) {
    const MINUTE: i64 = 60;
    for (table, minutes) in KEPT {
        let before = rows(&server, table).await;
        make(&server, table).await;
        let made = rows(&server, table).await;
        assert!(made > before, "{table}");
        // A sweep just before it is due: nothing of it goes, nor within the hour behind, whichever servers start.
        server.clock().advance((minutes - 10) * MINUTE);
        server.node().await.sweep().await;
        assert_eq!(rows(&server, table).await, made, "{table}");
        for _ in 0..2 {
            server.clock().advance(20 * MINUTE);
            server.node().await.sweep().await;
            assert_eq!(rows(&server, table).await, made, "{table}: swept within the hour");
        }
        // Then it goes, at a server that just started.
        server.clock().advance(21 * MINUTE);
        server.node().await.sweep().await;
        assert_eq!(rows(&server, table).await, before, "{table}");
    }
}

#[spec("R-150")]
async fn notifications_without_an_expiry_are_kept_for_a_year(server: Server) {
    let send = async |title: &str| {
        let body = json!({"recipients": [{"customId": "crm-7"}], "title": title});
        server.admin().post("/api/ext/v1/notifications", body).await.is(201);
    };
    let titles = async || {
        let list = server.admin().get("collection/notifications?recipient_custom_id=crm-7").await;
        if list.status == 204 { 0 } else { list.at("/items").as_array().unwrap().len() }
    };
    send("Old").await;
    server.clock().advance(200 * 24 * 60 * 60);
    send("New").await;
    server.sweep().await;
    assert_eq!(titles().await, 2);
    server.clock().advance(165 * 24 * 60 * 60);
    server.sweep().await;
    assert_eq!(titles().await, 1);
}

#[spec("R-141", "R-147")]
async fn private_tags_go_with_their_owner(server: Server) {
    let manager = server.role("manager", MANAGER).await;
    let own = tag(&manager, json!({"name": "Mine", "private": true})).await;
    let below = tag(&manager, json!({"name": "Mine, too", "private": true, "parent": own})).await;
    let public = tag(&manager, json!({"name": "Ours"})).await;
    let admin = server.admin();
    let article = admin.create("article", json!({"name": "News"})).await;
    let assigned = json!({"type": "article", "item": article["id"], "operation": "add", "tags": [own, public]});
    manager.post("app/tags.assign", assigned).await.is(200);
    admin.delete(&format!("collection/user/{}", server.user("manager").await)).await.is(204);
    admin.get(&format!("collection/tags/{own}")).await.is(404);
    admin.get(&format!("collection/tags/{below}")).await.is(404);
    admin.get(&format!("collection/tags/{public}")).await.is(200);
    let left = admin.get(&format!("app/tags.object?type=article&item={}", article["id"])).await.is(200);
    assert_eq!(left.at("/tags"), json!([public]));
}

/// An earlier version kept them when it deleted their owner.
#[spec("R-141", "R-147")]
async fn private_tags_without_an_owner_are_swept(server: Server) {
    let manager = server.role("manager", MANAGER).await;
    let lost = tag(&manager, json!({"name": "Lost", "private": true})).await;
    let below = tag(&manager, json!({"name": "Lost, too", "private": true, "parent": lost})).await;
    let public = tag(&manager, json!({"name": "Ours"})).await;
    let admin = server.admin();
    let own = tag(&admin, json!({"name": "Mine", "private": true})).await;
    let article = admin.create("article", json!({"name": "News"})).await;
    let assigned = json!({"type": "article", "item": article["id"], "operation": "add", "tags": [lost, public]});
    manager.post("app/tags.assign", assigned).await.is(200);
    server
        .tamper(&format!("UPDATE %plinth_tag SET owner = 999999 WHERE owner = {}", server.user("manager").await))
        .await;
    server.sweep().await;
    for (tag, status) in [(&lost, 404), (&below, 404), (&public, 200), (&own, 200)] {
        admin.get(&format!("collection/tags/{tag}")).await.is(status);
    }
    let left = admin.get(&format!("app/tags.object?type=article&item={}", article["id"])).await.is(200);
    assert_eq!(left.at("/tags"), json!([public]));
}
