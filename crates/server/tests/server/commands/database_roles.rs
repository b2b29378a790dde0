//! Two roles of PostgreSQL: commands own the tables, the server changes rows alone.

use super::program::Plinth;
use serde_json::json;
use spec::spec;
use tokio::task::block_in_place;

const TYPE: &str = "name: note\nproperties:\n  text: {kind: pString, searchable: true, index: true}\n  \
                    more: {kind: pInteger, default: 1}\n";
const TELL: &str = "automation: tell\non: {event: note.deleted}\ndo: [{stop: true}]\n";
const ROLE: &str = "role: all\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n";

/// An address as a role of its own.
fn of(url: &str, role: &str) -> Option<String> {
    Some(url.replacen("postgres@", &format!("{role}@"), 1))
}

#[spec("E-176")]
async fn a_server_serves_with_a_role_that_changes_rows_alone(mut plinth: Plinth) {
    if plinth.postgres.is_none() {
        // The statements can be had before the settings name the database.
        let sql = block_in_place(|| plinth.run(&["doctor", "--grants", "--json"])).json();
        assert!(sql["sql"].as_str().unwrap().contains("CREATE ROLE \"plinth_owner\" LOGIN;"), "{sql}");
        return;
    }
    let cluster = testing::postgres();
    let url = cluster.direct_database();
    let name = url.rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    // Roles are of the whole server; one has a name that needs quotes.
    let (owner, app) = (format!("owner'{name}%"), format!("app_{name}"));
    let grants = ["doctor", "--grants", "--owner", &owner, "--app", &app];
    let sql = block_in_place(|| plinth.run(&grants)).done();
    for _ in 0..2 {
        cluster.ask(&url, &sql);
    }

    let coded = owner.replace('%', "%25").replace('\'', "%27");
    plinth.postgres = of(&url, &coded);
    plinth.file("acme/tenant.yaml", "tenant: acme\n");
    plinth.file("acme/roles/all.yaml", ROLE);
    plinth.file("acme/types/note.yaml", TYPE);
    plinth.file("acme/automations/tell.yaml", TELL);
    let folder = plinth.path("acme").display().to_string();
    let key = block_in_place(|| {
        plinth.run(&["apply", &folder]).done();
        plinth.run(&["user", "create", "ann", "--role", "all"]).done();
        plinth.run(&["key", "create", "ann"]).done()
    });
    let owner_url = plinth.postgres.clone();
    plinth.postgres = of(&url, &app);
    let server = block_in_place(|| plinth.start("serve"));
    let client = server.client().with("key", key.trim());
    let id = client.create("note", json!({"text": "first"})).await["id"].as_i64().unwrap();
    client.patch(&format!("collection/note/{id}"), json!({"text": "second"})).await.is(200);
    let second = [("filters", r#"[{"property":"text","type":"eq","param":"second"}]"#)];
    assert_eq!(client.query("collection/note", &second).await.is(200).at("/stats/total"), 1);

    // What is switched off by the server is known to the other role.
    let automation = "/api/ext/v1/automation/tell";
    client.post(&format!("{automation}/disable"), json!({"reason": "a test"})).await.is(200);
    let listed = block_in_place(|| plinth.run(&["automation", "list"]).done());
    assert!(listed.contains("a test"), "{listed}");
    client.post(&format!("{automation}/enable"), json!({})).await.is(200);

    // A type that comes while the server runs, by the other role.
    plinth.file("acme/types/late.yaml", "name: late\nproperties:\n  text: {kind: pString}\n");
    plinth.postgres = owner_url;
    block_in_place(|| plinth.run(&["apply", &folder])).done();
    client.create("late", json!({"text": "new"})).await;
    client.delete(&format!("collection/note/{id}")).await.is(204);

    plinth.postgres = of(&url, &app);
    plinth.file("acme/types/later.yaml", "name: later\nproperties:\n  text: {kind: pString}\n");
    let refused = block_in_place(|| plinth.run(&["apply", &folder]));
    assert!(refused.code == 1 && refused.errors.contains("(42501)"), "{}", refused.errors);
    client.get("collection/later").await.is(404);
    plinth.file("beta/tenant.yaml", "tenant: beta\n");
    let beta = plinth.path("beta").display().to_string();
    let commands: [&[&str]; 5] = [
        &["apply", &folder],
        &["apply", &beta],
        &["tenant", "create", "beta"],
        &["tenant", "clone", "acme", "beta"],
        &["tenant", "delete", "acme"],
    ];
    for command in commands {
        let refused = block_in_place(|| plinth.run(command));
        assert!(refused.code == 1 && refused.errors.contains("(42501)"), "{command:?}: {}", refused.errors);
        let advice = "--postgres postgresql://plinth_owner@HOST/DATABASE. See \"Two roles\"";
        assert!(refused.errors.contains(advice), "{command:?}: {}", refused.errors);
    }
    let doctor = block_in_place(|| plinth.run(&["doctor"]));
    assert!(doctor.output.contains("changes rows alone"), "{}", doctor.output);
    client.get("collection/late").await.is(200);
}
