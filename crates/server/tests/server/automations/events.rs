//! Which events there are, what automations are told of them, and that they are written with what causes them.

use crate::automations::runs::{caused, done, runs};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

/// An automation that notes what it was told.
fn noting(event: &str, condition: &str, text: &str) -> String {
    let condition = if condition.is_empty() { String::new() } else { format!("\n  if: \"{{={condition}}}\"") };
    let name = event.replace('.', "_");
    format!(
        "automation: on_{name}\non:\n  event: {event}{condition}\ndo:\n  - create: {{type: note, set: {{text: \"{text}\"}}}}\n"
    )
}

async fn told(server: &Server) -> Vec<Json> {
    // Runs are carried out side by side.
    let reply = server.admin().query("collection/note", &[("orderBy", "text"), ("showFields", "text")]).await;
    if reply.status == 204 { Vec::new() } else { reply.column("text") }
}

#[spec]
async fn resources_are_created_updated_and_deleted(engine: Engine) {
    let created = noting("article.created", "", "{=trigger('event')} {=name} {=user('user_id')}");
    let updated = noting(
        "article.updated",
        "hasChanged('status') && changedFrom('status', 'draft')",
        "{=trigger('resource').name} {=isOnlyChange('status') ? 'only' : 'also'} {=trigger('user').user_name}",
    );
    let deleted = noting("article.deleted", "views > 0", "gone: {=name} by {=author.name}");
    let files = [
        ("automations/created.yaml", created.as_str()),
        ("automations/updated.yaml", updated.as_str()),
        ("automations/deleted.yaml", deleted.as_str()),
    ];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    admin.create("person", json!({"name": "Ann"})).await;
    admin.create("article", json!({"name": "One", "views": 1, "author": 1})).await;
    admin.create("article", json!({"name": "Two"})).await;
    assert_eq!(server.run_automations().await, done(2));
    assert_eq!(told(&server).await, ["article.created One admin@acme.test", "article.created Two admin@acme.test"]);
    admin.patch("collection/article/1", json!({"status": "live", "views": 2})).await.is(200);
    admin.patch("collection/article/2", json!({"status": "live"})).await.is(200);
    admin.patch("collection/article/2", json!({"status": "live"})).await.is(200);
    admin.patch("collection/article/2", json!({"status": "draft"})).await.is(200);
    assert_eq!(server.run_automations().await, done(2));
    assert_eq!(told(&server).await[..2], ["One also Ada", "Two only Ada"]);
    admin.delete("collection/article/1").await.is(204);
    admin.delete("collection/article/2").await.is(204);
    assert_eq!(server.run_automations().await, done(1));
    assert_eq!(told(&server).await[4..], ["gone: One by Ann"]);
    let note = admin.query("collection/note/1", &[("showFields", "createdBy")]).await.at("/createdBy");
    assert_eq!(note, json!(server.user("admin").await), "it acts in the name of whoever caused it");
}

#[spec]
async fn an_event_is_written_with_what_causes_it_or_not_at_all(engine: Engine) {
    let created = noting("person.created", "", "{=name}");
    let server = Server::with(engine, &[("automations/created.yaml", created.as_str())]).await;
    let admin = server.admin();
    admin.create("person", json!({"name": "Ann", "code": "a"})).await;
    admin.post("collection/person", json!({"name": "Bob", "code": "a"})).await.is(409);
    assert_eq!(caused(&server).await, ["on_person_created by person.created"]);
}

#[spec]
async fn what_follows_from_a_deletion_is_an_event(engine: Engine) {
    let updated = noting("article.updated", "hasChanged('author')", "{=name} lost its author");
    let deleted = noting("note.deleted", "", "never");
    let files = [("automations/updated.yaml", updated.as_str()), ("automations/deleted.yaml", deleted.as_str())];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    admin.create("person", json!({"name": "Ann"})).await;
    admin.create("article", json!({"name": "One", "author": 1})).await;
    admin.create("note", json!({"text": "cascades", "article": 1})).await;
    admin.delete("collection/person/1").await.is(204);
    admin.delete("collection/article/1").await.is(204);
    let all = ["on_article_updated by article.updated", "on_note_deleted by note.deleted"];
    assert_eq!(caused(&server).await, all);
}

#[spec]
async fn tags_notifications_and_accounts_have_events(engine: Engine) {
    let all = [
        noting("article.tagged", "", "{=name}: {=join(',', trigger('tags'))}"),
        noting("article.untagged", "", "{=name} lost {=length(trigger('tags'))}"),
        noting("tag.created", "", "{=trigger('tag').name}"),
        noting("tag.updated", "", "{=trigger('tag').name}"),
        noting("tag.deleted", "", "{=trigger('tag').name}"),
        noting("notification.created", "", "{=trigger('notification').title}"),
    ];
    let names: Vec<String> = (0..all.len()).map(|index| format!("automations/a{index}.yaml")).collect();
    let files: Vec<_> = names.iter().map(String::as_str).zip(all.iter().map(String::as_str)).collect();
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    admin.create("article", json!({"name": "One"})).await;
    let tag = admin.post("collection/tags", json!({"name": "Hot"})).await.is(201).at("/id");
    let assign = |operation: &str| json!({"type": "article", "item": 1, "operation": operation, "tags": [tag]});
    admin.post("app/tags.assign", assign("add")).await.is(200);
    admin.post("app/tags.assign", assign("add")).await.is(200);
    admin.post("app/tags.assign", assign("remove")).await.is(200);
    let path = format!("collection/tags/{}", tag.as_str().unwrap());
    admin.patch(&path, json!({"name": "Cold"})).await.is(200);
    admin.delete(&path).await.is(204);
    let notification = json!({"title": "Hello", "recipients": [{"userId": server.user("reader").await}]});
    admin.post("/api/ext/v1/notifications", notification).await.is(201);
    assert_eq!(server.run_automations().await, done(6));
    let mut texts: Vec<String> = told(&server).await.iter().map(|text| text.as_str().unwrap().to_owned()).collect();
    texts.sort();
    let mut expected = [
        format!("One: {}", tag.as_str().unwrap()),
        "One lost 1".into(),
        "Hot".into(),
        "Cold".into(),
        "Cold".into(),
        "Hello".into(),
    ];
    expected.sort();
    assert_eq!(texts, expected);
}

#[spec]
async fn a_condition_that_fails_is_a_failed_run_and_no_failed_write(engine: Engine) {
    let created = noting("article.created", "1 / jsonDecode(views ~ '')", "never");
    let server = Server::with(engine, &[("automations/created.yaml", created.as_str())]).await;
    server.admin().create("article", json!({"name": "One", "views": 0})).await;
    assert_eq!(server.run_automations().await, done(0));
    let run = runs(&server).await.remove(0);
    assert_eq!(run["state"], "failed");
    assert!(run["error"].as_str().unwrap().starts_with("Its condition failed: "), "{run}");
}

#[spec]
async fn the_record_has_what_a_run_began_with_and_what_became_of_each_step(engine: Engine) {
    let updated = noting("article.updated", "", "{=name}");
    let server = Server::with(engine, &[("automations/updated.yaml", updated.as_str())]).await;
    let admin = server.admin();
    admin.create("article", json!({"name": "One", "price": 1.25, "released": "2026-01-31"})).await;
    admin.patch("collection/article/1", json!({"price": 2.5, "released": null})).await.is(200);
    server.run_automations().await;
    let run = runs(&server).await.remove(0);
    let found = |pointer: &str| run.pointer(pointer).cloned().unwrap_or_default();
    assert_eq!([found("/state"), found("/depth"), found("/objectId")], [json!("done"), json!(1), json!(1)]);
    assert_eq!([found("/trigger/resource/price"), found("/trigger/before/price")], [json!(2.5), json!(1.25)]);
    assert_eq!(
        [found("/trigger/resource/released"), found("/trigger/before/released")],
        [json!(null), json!("2026-01-31")]
    );
    let log = found("/log");
    assert_eq!([&log[0]["kind"], &log[0]["position"]], ["create", "0"]);
    assert_eq!(log[0]["result"], json!({"type": "note", "id": 1}));
    assert!(log[0]["started"].is_string() && log[0]["ended"].is_string(), "{log}");
}

#[spec]
async fn accounts_have_events(engine: Engine) {
    let registered = noting("user.registered", "", "registered {=user_id} by {=user('user_id')}");
    let activated = noting("user.activated", "", "activated {=trigger('resource').user_name}");
    let files =
        [("automations/registered.yaml", registered.as_str()), ("automations/activated.yaml", activated.as_str())];
    let server = Server::with(engine, &files).await;
    let clerk = server.role("clerk", "role: clerk\nsystem: [restApi, apiUserRegistration]\n").await;
    let body = json!({"user_id": "ann@example.com", "user_name": "Ann", "verify_account": {"mail_code": {}}});
    let answer = clerk.post("app/user.register", body).await.is(200).json();
    assert_eq!(server.run_automations().await, done(1));
    assert_eq!(told(&server).await, ["registered ann@example.com by clerk@acme.test"]);
    server.deliver().await;
    let text = server.mails().pop().unwrap().text;
    let mut digits = text.split(|letter: char| !letter.is_ascii_digit());
    let secret = digits.find(|digits| digits.len() == 6).unwrap();
    let (user, challenge) = (&answer["object"]["id"], &answer["challenge"]);
    let proof = json!({"userId": user, "challengeId": challenge, "method": "mail_code", "secret": secret});
    server.client().post("app/user.challenge", proof).await.is(200);
    assert_eq!(server.run_automations().await, done(1));
    assert_eq!(told(&server).await[0], "activated Ann");
}

#[spec]
async fn rows_of_an_import_are_events(engine: Engine) {
    let created = noting("person.created", "salary > 1", "new {=name}");
    let updated = noting("person.updated", "changedFrom('salary', 1)", "{=name} has more");
    let files = [("automations/created.yaml", created.as_str()), ("automations/updated.yaml", updated.as_str())];
    let server = Server::with(engine, &files).await;
    server.admin().create("person", json!({"name": "Ann", "code": "a", "salary": 1})).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    std::fs::write(&file, "code,name,salary\na,Ann,2\nb,Bob,3\nc,Cid,1\n").unwrap();
    let file = file.to_str().unwrap();
    let arguments = ["import", "person", file, "--key", "code", "--mode", "upsert"];
    let (succeeded, printed) = server.command(env!("CARGO_BIN_EXE_plinth"), &arguments).await;
    assert!(succeeded, "{printed}");
    // The command has the system's clock.
    server.clock().set("2200-01-01T00:00:00Z");
    assert_eq!(server.run_automations().await, done(2));
    let texts = server.elevated(|tx, context| {
        let of = context.model.type_named("note").unwrap();
        let mut sql = tx.sql();
        sql.push("SELECT p150 FROM ").table(&of.table).push(" ORDER BY p150");
        let mut texts = Vec::new();
        tx.query(&sql, &mut |row| {
            texts.push(row.text(0)?.to_owned());
            Ok(())
        })?;
        Ok(texts)
    });
    assert_eq!(texts.await.unwrap(), ["Ann has more", "new Bob"]);
}
