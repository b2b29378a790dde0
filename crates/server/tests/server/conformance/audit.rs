//! The audit log: what is in it, who reads it, and that nobody changes it unseen.

use serde_json::{Value, json};
use spec::spec;
use testing::Server;

const LOG: &str = "/api/ext/v1/audit";

/// The events after so many rows, oldest first.
async fn since(server: &Server, rows: i64) -> Vec<Value> {
    let items = server.admin().get(&format!("{LOG}?limit=1000")).await.is(200).at("/items");
    let new = items.as_array().unwrap().iter().rev().filter(|item| item["id"].as_i64().unwrap() > rows);
    new.cloned().collect()
}

/// How many rows there are: their numbers have no gaps.
async fn rows(server: &Server) -> i64 {
    let verified = server.audited(None).await;
    assert_eq!(verified["broken"], json!(null));
    verified["rows"].as_i64().unwrap()
}

/// What happened to whom, by whom, and the details.
fn told(items: &[Value]) -> Vec<(&str, Option<i64>, Option<i64>, Value)> {
    let told = |item: &Value| (item["subjectId"].as_i64(), item["actorId"].as_i64(), item["details"].clone());
    let row = |item| {
        let (subject, actor, details) = told(item);
        (item["event"].as_str().unwrap(), subject, actor, details)
    };
    items.iter().map(row).collect()
}

#[spec]
async fn keys_that_come_and_go_are_written_down(server: Server) {
    let login = server.login("editor").await;
    let before = rows(&server).await;
    let form = [("user", login.user.as_str()), ("password", &login.password), ("valid", "2027-01-01T00:00:00Z")];
    let made = server.client().post_form("auth", &form).await.is(200).at("/authToken");
    let (key, editor) = (made["id"].as_i64().unwrap(), server.user("editor").await);
    server.client().post_form("auth", &[("user", &login.user), ("password", "a wrong password")]).await.is(401);
    server.client().post_form("deauth", &[("key", made["keyString"].as_str().unwrap())]).await.is(200);
    server.client().post_form("deauth", &[("key", made["keyString"].as_str().unwrap())]).await.is(404);
    server.key("reader").await;

    let events = since(&server, before).await;
    let reader = server.user("reader").await;
    let scopes = json!(["*"]);
    let signed = json!({"key": key, "origin": "signIn", "permissions": scopes, "validTo": "2027-01-01T00:00:00+00:00"});
    let minted =
        json!({"key": key + 1, "origin": "command", "permissions": scopes, "validTo": events[2]["details"]["validTo"]});
    assert_eq!(
        told(&events),
        [
            ("key.created", Some(editor), Some(editor), signed),
            ("key.revoked", Some(editor), Some(editor), json!({"keys": [key]})),
            ("key.created", Some(reader), None, minted),
        ]
    );
    let sources = events.iter().map(|event| json!([event["via"], event["address"], event["keyId"]]));
    assert_eq!(
        Value::from_iter(sources),
        json!([["api", "127.0.0.1", null], ["api", "127.0.0.1", key], ["command", null, null]])
    );
    // Neither keys nor passwords are in it.
    let text = server.admin().get(LOG).await.is(200).text;
    assert!(!text.contains("plk_") && !text.contains(&login.password) && !text.contains("argon2"), "{text}");
}

#[spec]
async fn changes_of_users_are_written_down(server: Server) {
    let before = rows(&server).await;
    let (admin, acting) = (server.admin(), server.user("admin").await);
    let user = json!({"user_id": "new@acme.test", "user_name": "New", "roles": ["reader"]});
    let made = admin.create("user", user).await;
    let (id, path) = (made["id"].as_i64().unwrap(), format!("collection/user/{}", made["id"]));
    admin.patch(&path, json!({"user_name": "Newer", "timezone": "Europe/Prague"})).await.is(200);
    admin.patch(&path, json!({"roles+==": ["editor"], "user_group": "red"})).await.is(200);
    admin.patch(&path, json!({"login_expired": true, "valid_to": "2027-01-01T00:00:00Z"})).await.is(200);
    admin.patch(&path, json!({"user_id": "other@acme.test", "password": "a long new password"})).await.is(200);
    admin.patch(&path, json!({"login_expired": true, "roles": ["reader", "editor"]})).await.is(200);
    // What is refused never happened.
    admin.patch(&path, json!({"roles": ["absent"]})).await.is(400);
    admin.patch(&path, json!({"roles": ["reader"], "user_id": "admin@acme.test"})).await.is(409);
    server.editor().patch(&path, json!({"roles": ["admin"]})).await.is(403);
    admin.delete(&path).await.is(204);

    let events = since(&server, before).await;
    let group = events[2]["details"]["group"][1].clone();
    let of = |name, details| (name, Some(id), Some(acting), details);
    assert_eq!(
        told(&events),
        [
            of("user.created", json!({"roles": ["reader"]})),
            of("roles.changed", json!({"roles": [["reader"], ["reader", "editor"]]})),
            of("group.changed", json!({"group": [null, group]})),
            of(
                "state.changed",
                json!({"blocked": [events[3]["details"]["blocked"][0], true], "validTo": [null, "2027-01-01T00:00:00Z"]})
            ),
            of("login.changed", json!({})),
            of("password.changed", json!({})),
            of("user.deleted", json!({})),
        ]
    );
    assert!(events.iter().all(|event| event["via"] == "api" && event["keyId"].is_i64()));
    assert_eq!((&events[0]["subject"], &events[0]["actor"]), (&json!(null), &json!("admin@acme.test")));
}

#[spec]
async fn a_deletion_ends_keys_and_a_file_makes_users(server: Server) {
    let before = rows(&server).await;
    let guard = server.role("guard", "role: guard\nsystem: [restApi, profile]\n").await;
    guard.get("app/user.current").await.is(200);
    let id = server.user("guard").await;
    server.change(&[("users/guard.yaml", "user: guard@acme.test\nname: guard\nroles: [reader, guard]\n")]).await;
    server.admin().delete(&format!("collection/user/{id}")).await.is(204);
    let events = since(&server, before).await;
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "configuration.applied",
            "user.created",
            "key.created",
            "configuration.applied",
            "roles.changed",
            "user.deleted",
            "key.revoked"
        ]
    );
    assert_eq!(events[0]["details"], json!({"files": ["roles/guard.yaml", "users/guard.yaml"]}));
    assert_eq!((&events[1]["details"], &events[1]["subjectId"]), (&json!({"roles": ["guard"]}), &json!(id)));
    assert_eq!(events[4]["details"], json!({"roles": [["guard"], ["reader", "guard"]]}));
    assert_eq!(events[6]["details"], json!({"keys": [events[2]["details"]["key"]]}));
}

#[spec]
async fn the_audit_log_is_read_by_administrators(server: Server) {
    let first = rows(&server).await;
    server.clock().advance(3_600);
    let (admin, editor) = (server.admin(), server.user("editor").await);
    for roles in [json!(["reader"]), json!(["editor"]), json!(["editor", "reader"])] {
        server.set_user("editor", json!({"roles": roles})).await;
    }
    server.clock().advance(3_600);
    server.set_user("reader", json!({"login_expired": true})).await;
    let acting = server.user("admin").await;
    let items = async |parameters: &str| {
        let page = admin.get(&format!("{LOG}?{parameters}")).await.is(200);
        page.at("/items").as_array().unwrap().clone()
    };
    let all = items("").await;
    assert_eq!(all.len() as i64, first + 4);
    assert_eq!(all[0]["at"], "2026-11-20T15:00:00+01:00");
    for (parameters, count) in [
        ("event=roles.changed", 3),
        ("event=roles.changed,state.changed", 4),
        ("event=session.begun", 0),
        (&format!("event=roles.changed&subject={editor}"), 3),
        ("event=roles.changed&subject=editor@acme.test", 3),
        ("subject=reader@acme.test&event=state.changed", 1),
        ("actor=admin@acme.test", 4),
        (&format!("actor={acting}"), 4),
        ("actor=999999", 0),
        ("from=2026-11-20T13:00:00Z&to=2026-11-20T14:00:00Z", 3),
        ("from=2026-11-20%2014:00:00", 4),
        ("to=2026-11-20", 0),
    ] {
        assert_eq!(items(parameters).await.len(), count, "{parameters}");
    }
    // Pages visit each once, newest first, while the log grows.
    let (mut visited, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = admin.get(&format!("{LOG}?limit=2&subject={editor}{cursor}")).await.is(200).json();
        visited.extend(page["items"].as_array().unwrap().iter().cloned());
        server.key("editor").await;
        let Some(next) = page["nextCursor"].as_str() else { break };
        assert_eq!(page["hasMore"], true);
        cursor = format!("&cursor={next}");
    }
    assert_eq!(visited, all.iter().filter(|item| item["subjectId"] == editor).cloned().collect::<Vec<_>>());
    let foreign = admin.get(&format!("{LOG}?limit=2")).await.is(200).at("/nextCursor");
    for parameters in [
        "limit=0",
        "limit=1001",
        "event=absent",
        "event=",
        "actor=absent",
        "subject=absent",
        "from=x",
        "a=1",
        "cursor=a",
        &format!("limit=2&subject={editor}&cursor={}", foreign.as_str().unwrap()),
    ] {
        admin.get(&format!("{LOG}?{parameters}")).await.is(400);
    }
    for client in [server.editor(), server.client()] {
        client.get(LOG).await.is(403);
    }
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        admin.request(method, LOG).send().await.is(405);
    }
}

#[spec]
async fn without_its_row_nothing_happens(server: Server) {
    let login = server.login("editor").await;
    let key = server.key("editor").await;
    server.tamper("DROP TABLE %plinth_audit").await;
    server.client().post_form("auth", &[("user", &login.user), ("password", &login.password)]).await.is(500);
    server.client().post_form("deauth", &[("key", &key)]).await.is(500);
    server.client().with("key", &key).get("collection/article").await.is(204);
    let path = format!("collection/user/{}", login.id);
    server.admin().patch(&path, json!({"roles": ["admin"]})).await.is(500);
    assert_eq!(server.admin().get(&path).await.is(200).at("/roles"), json!(["editor"]));
    // What concerns no rights goes on.
    server.admin().patch(&path, json!({"user_name": "Edith"})).await.is(200);
    server.admin().create("note", json!({"text": "A"})).await;
}

#[spec]
async fn parallel_writers_on_two_nodes_make_one_chain(server: Server) {
    let node = server.node().await;
    let before = rows(&server).await;
    let (reader, guest) = (server.user("reader").await, server.user("guest").await);
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..40 {
        let writer = [&server, &node][number % 2].clone();
        writers.spawn(async move {
            match number % 4 {
                0 | 1 => drop(writer.key("editor").await),
                _ => {
                    let user = [reader, guest][number / 4 % 2];
                    let state = json!({"valid_to": format!("2027-01-01T00:00:{number:02}Z")});
                    writer.admin().patch(&format!("collection/user/{user}"), state).await.is(200);
                }
            }
        });
    }
    writers.join_all().await;
    assert_eq!(rows(&server).await, before + 40);
    assert_eq!(node.audited(None).await, server.audited(None).await);
}

#[spec]
async fn whoever_has_the_database_alone_breaks_the_chain(server: Server) {
    let end = rows(&server).await;
    let whole = server.audited(None).await;
    let last = whole["last"].as_str().unwrap();
    assert!(last.starts_with(&format!("{end}:")) && end > 8, "{last}");
    let broken = async |row: i64, fault: &str| {
        let verified = server.audited(None).await;
        assert_eq!(verified["broken"], json!({"row": row, "fault": fault}));
        assert_eq!(verified["rows"], row - 1);
    };
    // Changed and put back, column by column.
    for (change, back) in [
        ("actor = 77", "actor = NULL"),
        ("subject = 77 + subject", "subject = subject - 77"),
        ("key = 3", "key = NULL"),
        ("event = 'user.deleted'", "event = 'key.created'"),
        ("via = 'api'", "via = 'command'"),
        ("address = '192.0.2.1'", "address = NULL"),
        ("details = REPLACE(details, 'command', 'signIn')", "details = REPLACE(details, 'signIn', 'command')"),
    ] {
        server.tamper(&format!("UPDATE %plinth_audit SET {change} WHERE id = {end}")).await;
        broken(end, "changed").await;
        server.tamper(&format!("UPDATE %plinth_audit SET {back} WHERE id = {end}")).await;
        assert_eq!(server.audited(None).await, whole, "{back}");
    }
    let at = server.admin().get(&format!("{LOG}?limit=1")).await.is(200).at("/items/0/at");
    assert_eq!(at, "2026-11-20T13:00:00+01:00");

    // Written by somebody without the key, in the form that a server without a key would use.
    server.tamper(&format!("UPDATE %plinth_audit SET sealed = FALSE WHERE id = {end}")).await;
    broken(end, "changed").await;
    server.tamper(&format!("UPDATE %plinth_audit SET sealed = TRUE WHERE id = {end}")).await;
    // Rows that were copied, exchanged, taken out at the end, in the middle, at the beginning.
    let columns = "moment, event, subject, actor, key, via, address, details, sealed, digest";
    let copy = format!(
        "INSERT INTO %plinth_audit (id, {columns}) SELECT id + 1, {columns} FROM %plinth_audit WHERE id = {end}"
    );
    server.tamper(&copy).await;
    broken(end + 1, "added").await;
    server.tamper(&format!("DELETE FROM %plinth_audit WHERE id = {}", end + 1)).await;
    server.tamper("UPDATE %plinth_audit SET id = 9999 WHERE id = 4").await;
    server.tamper("UPDATE %plinth_audit SET id = 4 WHERE id = 5").await;
    server.tamper("UPDATE %plinth_audit SET id = 5 WHERE id = 9999").await;
    broken(4, "changed").await;
    server.tamper("DELETE FROM %plinth_audit WHERE id = 4").await;
    broken(4, "missing").await;
    server.tamper("DELETE FROM %plinth_audit WHERE id < 6").await;
    broken(1, "missing").await;
    server.tamper(&format!("DELETE FROM %plinth_audit WHERE id = {end}")).await;
    // From a row on whose digest was kept elsewhere, the rest is still proved; the row that is missing shows.
    let seventh = server.admin().get(LOG).await.is(200).at("/items");
    let seventh = seventh.as_array().unwrap().iter().find(|item| item["id"] == 7).unwrap().clone();
    let anchor = format!("7:{}", seventh["digest"].as_str().unwrap());
    assert_eq!(server.audited(Some(&anchor)).await["broken"], json!({"row": end, "fault": "missing"}));
    let wrong = format!("7:{}", "0".repeat(64));
    assert_eq!(server.audited(Some(&wrong)).await["broken"], json!({"row": 7, "fault": "changed"}));
}

/// Of an older state of the whole database, the log itself cannot tell: a digest that was kept elsewhere does.
#[spec]
async fn rows_that_are_cut_off_with_the_head_show_against_a_digest_kept_elsewhere(server: Server) {
    let kept = server.audited(None).await["last"].as_str().unwrap().to_owned();
    let end = rows(&server).await;
    let before = server.admin().get(&format!("{LOG}?limit=2")).await.is(200).at("/items/1/digest");
    server.tamper(&format!("DELETE FROM %plinth_audit WHERE id = {end}")).await;
    let head = format!("{} {}", end - 1, before.as_str().unwrap());
    server.tamper(&format!("UPDATE %plinth_meta SET content = '{head}' WHERE name = 'audit'")).await;
    assert_eq!(server.audited(None).await["broken"], json!(null));
    assert_eq!(server.audited(Some(&kept)).await["broken"], json!({"row": end, "fault": "missing"}));
}

/// With another master key, people still get in; what was written meanwhile is not taken for the tenant's own.
#[spec]
async fn rows_of_a_server_with_another_key_are_told_apart(server: Server) {
    let end = rows(&server).await;
    let fact = "UPDATE %plinth_meta SET content = CONCAT(content, 'x') WHERE name = 'vault'";
    server.tamper(fact).await;
    server.change(&[("roles/new.yaml", "role: new\nsystem: [restApi]\n")]).await;
    server.key("editor").await;
    let fact = "UPDATE %plinth_meta SET content = REPLACE(content, 'x', '') WHERE name = 'vault'";
    server.tamper(fact).await;
    server.change(&[("roles/newer.yaml", "role: newer\nsystem: [restApi]\n")]).await;
    let verified = server.audited(None).await;
    assert_eq!((&verified["rows"], &verified["broken"]), (&json!(end), &json!({"row": end + 1, "fault": "unsealed"})));
    // From the last of them on, the chain is the tenant's again.
    let digest = since(&server, end + 1).await[0]["digest"].as_str().unwrap().to_owned();
    let after = server.audited(Some(&format!("{}:{digest}", end + 2))).await;
    assert_eq!((&after["rows"], &after["broken"]), (&json!(1), &json!(null)));
}
