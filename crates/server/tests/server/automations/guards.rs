//! What stops loops and storms.

use crate::automations::runs::{caused, done, runs, waiting};

use serde_json::json;
use spec::spec;
use testing::{Engine, Server};

async fn with(engine: Engine, file: &str) -> Server {
    Server::with(engine, &[("automations/one.yaml", file)]).await
}

#[spec]
async fn runs_that_cause_one_another_end(engine: Engine) {
    let file = "automation: one\non: {event: article.updated}\ndo:\n  - update: {type: article, item: \"{=id}\", set: {\"views+=\": 1}}\n";
    let server = with(engine, file).await;
    let admin = server.admin();
    admin.create("article", json!({"name": "One", "views": 0})).await;
    admin.patch("collection/article/1", json!({"views": 1})).await.is(200);
    assert_eq!(server.run_automations().await, done(8));
    assert_eq!(admin.get("collection/article/1").await.is(200).at("/views"), json!(9));
    let runs = runs(&server).await;
    let depths: Vec<i64> = runs.iter().map(|run| run["depth"].as_i64().unwrap()).collect();
    assert_eq!(depths, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(runs[8]["state"], "failed");
    assert!(runs[8]["error"].as_str().unwrap().starts_with("More than 8 runs caused one another"), "{}", runs[8]);
}

#[spec]
async fn an_automation_has_a_rate_and_others_do_not_wait_for_it(engine: Engine) {
    let slow =
        "automation: slow\nrate: 2\non: {event: article.created}\ndo:\n  - create: {type: note, set: {text: slow}}\n";
    let fast = "automation: fast\non: {event: article.created}\ndo:\n  - create: {type: note, set: {text: fast}}\n";
    let server = Server::with(engine, &[("automations/slow.yaml", slow), ("automations/fast.yaml", fast)]).await;
    for index in 0..5 {
        server.admin().create("article", json!({"name": format!("n{index}")})).await;
    }
    assert_eq!(server.run_automations().await, done(7));
    assert_eq!(server.run_automations().await, done(0));
    server.clock().advance(61);
    assert_eq!(server.run_automations().await, done(2));
    server.clock().advance(61);
    assert_eq!(server.run_automations().await, done(1));
}

#[spec]
async fn a_storm_switches_an_automation_off(engine: Engine) {
    let file =
        "automation: one\nrate: 1\non: {event: article.created}\ndo:\n  - create: {type: note, set: {text: x}}\n";
    let server = with(engine, file).await;
    let admin = server.admin();
    for index in 0..12 {
        admin.create("article", json!({"name": format!("n{index}")})).await;
    }
    assert_eq!(server.run_automations().await, done(1));
    server.clock().advance(61);
    assert_eq!(server.run_automations().await, done(0), "what waits is left alone");
    admin.create("article", json!({"name": "more"})).await;
    assert_eq!(caused(&server).await.len(), 12, "its events cause nothing");
    let told = admin.get("collection/notifications").await.is(200).at("/items/0");
    assert_eq!([&told["title"], &told["level"]], ["The automation one was switched off", "error"]);
    assert_eq!(told["type"], "automation.disabled");
    let audit = admin.get("/api/ext/v1/audit?event=automation.disabled").await.is(200).at("/items");
    let details = json!({"automation": "one", "reason": "more than 10 runs were caused within a minute"});
    assert_eq!([&audit[0]["via"], &audit[0]["actorId"]], [&json!("platform"), &json!(null)]);
    assert_eq!((&audit[0]["details"], &audit[1]), (&details, &json!(null)), "once");
    server.elevated(|tx, context| automation::enable(tx, context, "one")).await.unwrap();
    assert_eq!(server.run_automations().await, done(1));
    assert_eq!(waiting(&server).await, 10);
    server.elevated(|tx, context| automation::disable(tx, context, "one", "for a test")).await.unwrap();
    server.clock().advance(61);
    assert_eq!(server.run_automations().await, done(0));
    let missing = server.elevated(|tx, context| automation::enable(tx, context, "two")).await.unwrap_err();
    assert_eq!(missing.code, "automation_missing");
}

#[spec("E-101")]
async fn a_job_of_many_rows_switches_no_automation_off(engine: Engine) {
    let file =
        "automation: one\nrate: 1\non: {event: article.updated}\ndo:\n  - create: {type: note, set: {text: x}}\n";
    let server = with(engine, file).await;
    let admin = server.admin();
    for part in (0..1_100).collect::<Vec<i64>>().chunks(100) {
        let create = |number: &i64| json!({"op": "create", "type": "article", "set": {"name": number.to_string()}});
        let operations: Vec<_> = part.iter().map(create).collect();
        admin.post("/api/ext/v1/batch", json!({"operations": operations, "return": "minimal"})).await.is(200);
    }
    let bulk = async |views: i64, more: serde_json::Value| {
        let filters = json!([{"property": "created", "type": "lt", "param": {"$now": "+1 minute"}}]);
        let mut body = json!({"action": "patch", "filters": filters, "set": {"views": views}, "limit": 2_000});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let job = admin.post("/api/ext/v1/bulk/article", body).await.is(202).at("/id");
        let _working = server.work_jobs();
        while admin.get(&format!("/api/ext/v1/job/{job}")).await.is(200).at("/state") != "done" {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    bulk(1, json!({"automations": false})).await;
    assert_eq!(caused(&server).await.len(), 0, "no run is caused");
    let skipped = admin.get("/api/ext/v1/audit?event=automations.skipped").await.is(200).at("/items");
    assert_eq!((&skipped[0]["details"], &skipped[1]), (&json!({"type": "article", "matched": 1_100}), &json!(null)));
    bulk(2, json!({})).await;
    assert_eq!(server.run_automations().await, done(1));
    assert!(waiting(&server).await > 0, "they wait for the rate");
    assert!(server.elevated(|tx, _| automation::disabled(tx)).await.unwrap().is_empty(), "nothing is switched off");
    let all = json!({"action": "patch", "all": true, "set": {"views": 3}, "automations": false});
    server.editor().post("/api/ext/v1/bulk/article", all).await.is(403);
    assert_eq!(admin.post("/api/ext/v1/bulk/article", json!({"action": "patch", "filters": [{"property": "created", "type": "lt", "param": {"$now": "-1 day"}}], "set": {"views": 3}})).await.is(200).at("/matched"), 0);
}

#[spec]
async fn a_run_goes_through_a_bounded_number_of_members(engine: Engine) {
    let file = "automation: one\non: {event: article.created}\ndo:\n  - forEach:\n      in: \"{=range(1, 60000)}\"\n      as: x\n      do:\n        - forEach: {in: \"{=range(1, 60000)}\", as: y, do: [{stop: true}]}\n";
    let server = with(engine, file).await;
    server.admin().create("article", json!({"name": "One"})).await;
    assert_eq!(server.run_automations().await.later, 1);
    let run = runs(&server).await.remove(0);
    assert_eq!(run["error"], "A run goes through at most 100000 members of lists.");
    assert_eq!(run["position"], "0.item.0.0");
}

const READER: &str = "role: viewer\nsystem: [restApi, notifications]\ntypes:\n  article: {show: {where: \"{=status == 'live'}\", fields: [name]}}\n";

#[spec("D-3")]
async fn an_event_tells_nobody_of_what_they_may_not_see(engine: Engine) {
    let file = "automation: one\non: {event: article.created}\ndo:\n  - notify: {to: \"{=owner}\", title: News, target: \"{=trigger('resource')}\"}\n";
    let server = with(engine, file).await;
    let viewer = server.role("viewer", READER).await;
    let id = server.user("viewer").await;
    for status in ["draft", "live"] {
        server.admin().create("article", json!({"name": status, "status": status, "owner": id})).await;
    }
    assert_eq!(server.run_automations().await, done(2));
    let items = viewer.get("collection/notifications").await.is(200).at("/items");
    let mut targets: Vec<_> = items.as_array().unwrap().iter().map(|item| item["target"]["objectId"].clone()).collect();
    targets.sort_by_key(|target| target.as_i64());
    assert_eq!(targets, [json!(null), json!(2)]);
}
