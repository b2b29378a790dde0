//! What administrators see of automations and their runs, and do with them: over HTTP and at the command line.

use crate::automations::runs::done;

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, File, Server};

const AUTOMATIONS: &str = "/api/ext/v1/automation";
const RUNS: &str = "/api/ext/v1/automation-run";

const FILES: [File<'static>; 3] = [
    (
        "automations/named.yaml",
        "automation: named\ntitle: Named people\non: {event: person.created}\ndo:\n  - create: {type: note, set: {text: \"{=jsonDecode(name) ~ ''}\"}}\n",
    ),
    ("automations/nightly.yaml", "automation: nightly\non: {schedule: '0 2 * * *'}\ndo: [{stop: true}]\n"),
    ("automations/orders.yaml", "automation: orders\non: {hook: orders}\nrate: 10\ndo: [{stop: true}]\n"),
];

#[spec]
async fn automations_are_listed_with_what_they_wait_for(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let all = server.admin().get(AUTOMATIONS).await.is(200).at("/items");
    assert_eq!(
        all[1],
        json!({
            "automation": "nightly", "title": "Nightly", "description": "", "event": null, "schedule": "0 2 * * *",
            "hook": null, "rate": 600, "next": "2026-11-21T02:00:00+01:00", "enabled": true, "reason": null,
        })
    );
    assert_eq!((&all[0]["event"], &all[0]["title"]), (&json!("person.created"), &json!("Named people")));
    assert_eq!((&all[2]["hook"], &all[2]["rate"], &all[2]["next"]), (&json!("orders"), &json!(10), &Json::Null));
    let off = server.admin().post(&format!("{AUTOMATIONS}/named/disable"), json!({})).await.is(200).json();
    assert_eq!(off, json!({"automation": "named", "enabled": false}));
    let named = server.admin().get(AUTOMATIONS).await.at("/items/0");
    assert_eq!((&named["enabled"], &named["reason"]), (&json!(false), &json!("an administrator switched it off")));
    server.admin().create("person", json!({"name": "1"})).await;
    assert_eq!(server.admin().get(RUNS).await.at("/items"), json!([]));
    server.admin().post(&format!("{AUTOMATIONS}/named/enable"), json!({})).await.is(200);
    server.admin().post(&format!("{AUTOMATIONS}/nobody/enable"), json!({})).await.is(404);
    server.admin().create("person", json!({"name": "2"})).await;
    assert_eq!(server.run_automations().await, done(1));
}

#[spec]
async fn runs_are_listed_shown_and_tried_again(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    for name in ["7", "Ann", "8"] {
        admin.create("person", json!({"name": name})).await;
    }
    assert_eq!((server.run_automations().await.done, server.run_automations().await.later), (2, 0));
    let first = admin.get(&format!("{RUNS}?limit=2")).await.is(200).json();
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = admin.get(&format!("{RUNS}?limit=2&cursor={cursor}")).await.is(200).json();
    let names = |page: &Json| page["items"].as_array().unwrap().len();
    assert_eq!((names(&first), names(&second), &second["hasMore"]), (2, 1, &json!(false)));
    let waiting = admin.get(&format!("{RUNS}?state=waiting&automation=named")).await.is(200).at("/items/0");
    assert_eq!((&waiting["tries"], &waiting["event"]), (&json!(1), &json!("person.created")));
    let path = format!("{RUNS}/{}", waiting["id"]);
    let run = admin.get(&path).await.is(200).json();
    assert_eq!((&run["trigger"]["resource"]["name"], &run["log"][0]["kind"]), (&json!("Ann"), &json!("create")));
    assert!(run["log"][0]["error"].is_string(), "{run}");
    admin.post(&format!("{path}/retry"), json!({})).await.is(200);
    assert_eq!(server.run_automations().await.later, 1, "it is due at once");
    let ended = admin.get(&format!("{RUNS}?state=done")).await.at("/items/0/id");
    admin.post(&format!("{RUNS}/{ended}/retry"), json!({})).await.is(409);
    for wrong in ["state=gone", "limit=0", "limit=1001", "cursor=x", "other=1"] {
        admin.get(&format!("{RUNS}?{wrong}")).await.is(400);
    }
    admin.get(&format!("{RUNS}/x")).await.is(400);
    admin.get(&format!("{RUNS}/999")).await.is(404);
    admin.post(&format!("{RUNS}/999/retry"), json!({})).await.is(404);
}

#[spec]
async fn switching_is_in_the_audit_log(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    for switch in ["disable", "disable", "enable", "enable"] {
        admin.post(&format!("{AUTOMATIONS}/named/{switch}"), json!({})).await.is(200);
    }
    let (succeeded, printed) = server
        .command(env!("CARGO_BIN_EXE_plinth"), &["automation", "disable", "nightly", "--reason", "the ERP is moved"])
        .await;
    assert!(succeeded, "{printed}");
    // What is undone is not in it, nor what it was to tell of.
    let undone = server.elevated(|tx, context| {
        automation::disable(tx, context, "orders", "for a test")?;
        Err::<(), _>(model::error::Error::invalid("undone", "It is undone."))
    });
    assert_eq!(undone.await.unwrap_err().code, "undone");
    assert_eq!(admin.get(AUTOMATIONS).await.is(200).at("/items/2/enabled"), true);
    let told = admin.get("/api/ext/v1/audit?event=automation.disabled,automation.enabled").await.is(200).at("/items");
    let told: Vec<[&Json; 4]> = told
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .map(|item| ["event", "actor", "via", "details"].map(|name| &item[name]))
        .collect();
    let (disabled, enabled) = (json!("automation.disabled"), json!("automation.enabled"));
    let (ada, nobody, api, command) = (json!("admin@acme.test"), Json::Null, json!("api"), json!("command"));
    let first = json!({"automation": "named", "reason": "an administrator switched it off"});
    let last = json!({"automation": "nightly", "reason": "the ERP is moved"});
    assert_eq!(
        told,
        [
            [&disabled, &ada, &api, &first],
            [&enabled, &ada, &api, &json!({"automation": "named"})],
            [&disabled, &nobody, &command, &last],
        ],
        "each change once"
    );
    let (held, printed) = server.command(env!("CARGO_BIN_EXE_plinth"), &["audit", "verify"]).await;
    assert!(held, "{printed}");
}

#[spec("D-2")]
async fn what_a_body_says_is_heard_or_refused(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let disable = format!("{AUTOMATIONS}/named/disable");
    admin.post(&disable, json!({"reason": "The ERP is moved."})).await.is(200);
    assert_eq!(admin.get(AUTOMATIONS).await.at("/items/0/reason"), "The ERP is moved.");
    for wrong in
        [json!({"reason": 5}), json!({"reason": "a".repeat(1_001)}), json!({"reason": "a\0"}), json!({"why": "x"})]
    {
        admin.post(&disable, wrong).await.is(400);
    }
    assert_eq!(admin.get(AUTOMATIONS).await.at("/items/0/reason"), "The ERP is moved.", "nothing was changed");
    admin.post(&format!("{AUTOMATIONS}/named/enable"), json!({"reason": "x"})).await.is(400);
    admin.post(&format!("{AUTOMATIONS}/named/enable"), json!({})).await.is(200);
    admin.create("person", json!({"name": "Ann"})).await;
    assert_eq!(server.run_automations().await.later, 1);
    let retry = format!("{RUNS}/{}/retry", admin.get(RUNS).await.at("/items/0/id"));
    let refused = admin.post(&retry, json!({"from_start": true})).await.is(400).json();
    assert_eq!(refused["message"], "There is no parameter \"from_start\". Did you mean \"fromStart\"?");
    admin.post(&format!("{retry}?fromStart=1"), json!({"fromStart": true})).await.is(400);
    let again = admin.post(&retry, json!({"fromStart": true})).await.is(200).json();
    assert_eq!((&again["tries"], &again["error"]), (&json!(0), &Json::Null), "it is as before its first step");
    admin.post("/api/ext/v1/outbox/1/retry", json!({"now": true})).await.is(400);
}

#[spec]
async fn nobody_else_sees_them(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    for client in [server.editor(), server.client()] {
        for path in [AUTOMATIONS, RUNS, &format!("{RUNS}/1")] {
            client.get(path).await.is(403);
        }
        for path in ["named/disable", "named/enable"] {
            client.post(&format!("{AUTOMATIONS}/{path}"), json!({})).await.is(403);
        }
        client.post(&format!("{RUNS}/1/retry"), json!({})).await.is(403);
    }
}

#[spec]
async fn the_command_line_does_the_same(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let plinth = async |arguments: &[&str]| {
        let (succeeded, printed) = server.command(env!("CARGO_BIN_EXE_plinth"), arguments).await;
        assert!(succeeded, "{arguments:?}: {printed}");
        printed
    };
    let listed = plinth(&["automation", "list"]).await;
    assert!(listed.starts_with("automation  state    trigger "), "{listed}");
    let nightly = |line: &&str| line.starts_with("nightly     enabled  schedule 0 2 * * *  ");
    assert_eq!(listed.lines().filter(nightly).count(), 1, "{listed}");
    server.admin().create("person", json!({"name": "Ann"})).await;
    server.run_automations().await;
    let listed: Json = serde_json::from_str(&plinth(&["automation", "runs", "named", "--json"]).await).unwrap();
    let id = listed["items"][0]["id"].to_string();
    let shown = plinth(&["automation", "show", &id]).await;
    assert!(shown.contains("automation named\n") && shown.contains("create   failed: "), "{shown}");
    assert_eq!(plinth(&["automation", "retry", &id]).await, format!("run {id} is due now\n"));
    assert_eq!(plinth(&["automation", "retry", "--all"]).await, "0 runs are due now\n");
    assert_eq!(plinth(&["automation", "runs", "--state", "done"]).await, "There are no such runs.\n");
    let off = plinth(&["automation", "disable", "named", "--reason", "the ERP is moved"]).await;
    assert_eq!(off, "named is switched off\n");
    let listed = plinth(&["automation", "list"]).await;
    let named = |line: &&str| {
        line.starts_with("named       disabled  event person.created ") && line.ends_with("  the ERP is moved")
    };
    assert_eq!(listed.lines().filter(named).count(), 1, "{listed}");
    server.admin().create("person", json!({"name": "Bob"})).await;
    let listed: Json = serde_json::from_str(&plinth(&["automation", "runs", "--json"]).await).unwrap();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1, "the server knows at once");
    assert_eq!(plinth(&["automation", "enable", "named"]).await, "named is switched on\n");
    let (succeeded, printed) = server.command(env!("CARGO_BIN_EXE_plinth"), &["automation", "disable", "nobody"]).await;
    assert!(!succeeded && printed.contains("There is no automation \"nobody\"."), "{printed}");
    assert_eq!(plinth(&["automation", "runs", "nightly"]).await, "There are no such runs.\n");
    let (succeeded, printed) = server.command(env!("CARGO_BIN_EXE_plinth"), &["automation", "runs", "nobody"]).await;
    assert!(!succeeded && printed.contains("There is no automation \"nobody\"."), "{printed}");

    // Once it has failed for good, all that failed goes on, or all of one automation.
    let mut failed = 0;
    for _ in 0..20 {
        server.clock().advance(24 * 60 * 60);
        failed += server.run_automations().await.failed;
    }
    assert_eq!(failed, 1);
    let all = ["automation", "retry", "--all", "--automation"];
    assert_eq!(plinth(&[&all[..], &["orders"]].concat()).await, "0 runs are due now\n");
    assert_eq!(plinth(&[&all[..], &["named"]].concat()).await, "1 runs are due now\n");
    assert_eq!(server.run_automations().await.later, 1, "it is tried again");
}
