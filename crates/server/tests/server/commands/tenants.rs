//! What the program says of which tenants there are: at its start, and in the description of a tenant's API.

use crate::commands::program::Plinth;
use serde_json::{Value as Json, json};
use spec::spec;
use std::time::Duration;
use testing::Process;

const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until a server has logged a text.
async fn logged(server: &Process, text: &str) {
    let found = tokio::time::timeout(PATIENCE, async {
        while !server.logged().contains(text) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(found.await.is_ok(), "no {text:?} in {}", server.logged());
}

#[spec]
async fn a_start_without_a_tenant_says_which_command_makes_one(plinth: Plinth) {
    let server = plinth.start("serve");
    logged(&server, "There is no tenant yet: `plinth apply FOLDER` makes one").await;
    drop(server);
    plinth.run(&["tenant", "create", "acme"]).done();
    let (_, log) = plinth.start("serve").stop();
    assert!(!log.contains("There is no tenant yet"), "{log}");
}

#[spec]
async fn a_start_with_a_wrong_default_tenant_says_so(plinth: Plinth) {
    plinth.run(&["tenant", "create", "acme"]).done();
    let server = plinth.start_with("serve", &[("PLINTH_DEFAULT_TENANT", "acne")]);
    logged(&server, "default_tenant is acne, and there is no such tenant: requests that name none are 404.").await;
    server.client().get("collection/user").await.is(404);
    let (_, log) = plinth.start_with("serve", &[("PLINTH_DEFAULT_TENANT", "acme")]).stop();
    assert!(!log.contains("default_tenant is"), "{log}");
}

#[spec]
async fn the_description_of_an_api_names_the_tenant_where_there_are_several(plinth: Plinth) {
    let url = |tenant: &str| {
        let text = plinth.run(&["openapi", "--tenant", tenant]).done();
        serde_json::from_str::<Json>(&text).unwrap()["servers"][0]["url"].as_str().unwrap().to_owned()
    };
    plinth.run(&["tenant", "create", "acme"]).done();
    assert_eq!(url("acme"), "/");
    plinth.run(&["tenant", "create", "other"]).done();
    assert_eq!([url("acme"), url("other")], ["/t/acme", "/t/other"]);
}

/// A server goes on while the command line deletes its tenant and makes one of the same name.
#[spec("R-096")]
async fn a_tenant_that_another_process_deletes_and_makes_anew_is_another_one(plinth: Plinth) {
    plinth.file("acme/tenant.yaml", "tenant: acme\n");
    plinth.file("acme/types/note.yaml", "name: note\nproperties:\n  text: {kind: pString}\n");
    plinth.file("acme/roles/all.yaml", "role: all\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n");
    let make = || {
        plinth.run(&["apply", plinth.path("acme").to_str().unwrap()]).done();
        plinth.run(&["user", "create", "ann", "--role", "all"]).done();
        plinth.run(&["key", "create", "ann"]).done().trim().to_owned()
    };
    let mut old = make();
    let server = plinth.start("serve");
    for round in 0..3 {
        let before = server.client().with("key", &old);
        before.create("note", json!({"text": format!("of {round}")})).await;
        before.get("collection/note").await.is(200).says(&format!("of {round}"));
        plinth.run(&["tenant", "delete", "acme", "--now", "--yes"]).done();
        // There is nothing to read, and nothing of it comes back with the next of its name.
        let gone = before.get("collection/note").await;
        assert!([403, 404].contains(&gone.status), "{} {}", gone.status, gone.text);
        let new = make();
        // A server that knows that there is no tenant finds the next one within two seconds.
        let found = tokio::time::timeout(PATIENCE, async {
            while before.get("collection/note").await.status == 404 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        assert!(found.await.is_ok(), "the tenant of round {round} is not found");
        for request in [before.get("collection/note"), before.get("collection/note?_noCache=1")] {
            request.await.is(403).lacks("of ");
        }
        before.post("collection/note", json!({"text": "by the old key"})).await.is(403);
        let after = server.client().with("key", &new);
        after.get("collection/note").await.is(204);
        after.create("note", json!({"text": "new"})).await;
        assert_eq!(after.get("collection/note").await.is(200).column("text"), ["new"], "round {round}");
        old = new;
    }
    server.stop();
}

/// Types of a client come from a folder of files before it is applied, and from the tenant after.
#[spec("E-080")]
async fn types_of_a_client_are_those_of_the_files(plinth: Plinth) {
    plinth.file("acme/tenant.yaml", "tenant: acme\n");
    plinth.file(
        "acme/types/note.yaml",
        "name: note\nproperties:\n  text: {kind: pString, required: true}\n  state: {kind: pEnum, options: [new, old]}\n",
    );
    let folder = plinth.path("acme");
    let folder = folder.to_str().unwrap();
    let before = plinth.run(&["client", "typescript", folder]).done();
    for part in [
        "import * as plinth from \"plinth-client\";",
        "export type NoteState = \"new\" | \"old\";",
        "export interface NoteCreate {\n    text: string;\n    state?: NoteState | null;\n}",
        "    note: NoteType;",
    ] {
        assert!(before.contains(part), "{part}: {before}");
    }
    plinth.run(&["apply", folder]).done();
    let out = plinth.path("note.ts");
    plinth.run(&["client", "typescript", "--tenant", "acme", "--out", out.to_str().unwrap()]).done();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), before);
    let absent = plinth.run(&["client", "typescript", plinth.path("nosuch").to_str().unwrap()]);
    assert!(absent.code == 1 && absent.errors.contains("nosuch"), "{}", absent.errors);
}
