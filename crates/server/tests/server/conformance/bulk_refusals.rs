//! Resources that refuse a bulk change: their problems, as far as the caller may know of them.

use serde_json::{Value as Json, json};
use spec::spec;
use std::time::Duration;
use testing::{Client, Engine, Server, Subject};

const BULK: &str = "/api/ext/v1/bulk/item";
const ITEM: &str = r#"
id: 60
name: item
properties:
  name: {id: 601, kind: pString, title: Name, maxLength: 8, unique: true}
  count: {id: 602, kind: pInteger, title: Count, max: 100, required: true}
  most: {id: 603, kind: pInteger, title: Most, required: true, validate: [{rule: "{=most >= count}", message: Most is below the count.}]}
  cost: {id: 604, kind: pInteger, title: Cost, required: true, validate: [{rule: "{=cost >= count}", message: Cost is below the count.}]}
  made: {id: 605, kind: pString, title: Made, calculate: "{=text == 'fail' ? toString(jsonDecode(hidden ?? '1').a) : 'x'}"}
  text: {id: 606, kind: pString, title: Text}
  hidden: {id: 607, kind: pText, title: Hidden}
"#;
const CLERK: &str = "\
role: clerk
system: [restApi]
types:
  item:
    show: {fields: [\"*\", \"-cost\", \"-hidden\"]}
    edit: {fields: [name, count, most, text]}
";

/// A tenant with items, an administrator, and a clerk who does not see their costs.
struct Items {
    server: Server,
    admin: Client,
    clerk: Client,
}

impl Subject for Items {
    async fn on(engine: Engine) -> Self {
        let server = Server::with(
            engine,
            &[
                ("types/item.yaml", ITEM),
                ("roles/clerk.yaml", CLERK),
                ("users/clerk.yaml", "user: clerk@acme.test\nname: Clerk\nroles: [clerk]\n"),
            ],
        )
        .await;
        let clerk = server.client().with("key", &server.key("clerk").await);
        Items { admin: server.admin(), clerk, server }
    }
}

fn patch(set: Json, more: Json) -> Json {
    let mut body = json!({"action": "patch", "all": true, "set": set});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// The rows that refused.
async fn refused(client: &Client, set: Json, more: Json) -> Json {
    client.post(BULK, patch(set, more)).await.is(200).at("/refused")
}

#[spec("E-167")]
async fn a_refused_row_names_its_properties(items: Items) {
    for (name, count, most) in [("a", 1, 50), ("b", 95, 99), ("c", 2, 3)] {
        items.admin.create("item", json!({"name": name, "count": count, "most": most, "cost": 1_000})).await;
    }
    let tried = json!({"dryRun": true});
    let told = refused(&items.clerk, json!({"count+=": 10, "text": "x"}), tried.clone()).await;
    let problem =
        |property: &str, code: &str, message: &str| json!({"property": property, "code": code, "message": message});
    let rows = json!([
        {"id": 2, "code": "too_large", "problems": [problem("count", "too_large", "Count must be at most 100.")]},
        {"id": 3, "code": "rule_broken", "problems": [problem("most", "rule_broken", "Most is below the count.")]},
    ]);
    assert_eq!(told, rows);
    // Several problems of a row, with the values that were given. Long ones are cut.
    let told = refused(&items.clerk, json!({"name": "n".repeat(100), "count": 101, "text": "x"}), tried.clone()).await;
    let first = told[0]["problems"].as_array().unwrap();
    assert_eq!((told.as_array().unwrap().len(), first.len()), (3, 2), "{told}");
    assert_eq!([&first[0]["property"], &first[0]["value"]], [&json!("name"), &json!(format!("{}…", "n".repeat(60)))]);
    assert_eq!([&first[1]["property"], &first[1]["value"]], ["count", "101"]);
    // One value for several rows: all but one lack what is unique.
    let told = refused(&items.clerk, json!({"name": "same"}), json!({"skip": true})).await;
    let unique =
        json!([{"property": "name", "code": "unique", "message": "Another Item has the same Name.", "value": "same"}]);
    assert_eq!([&told[0]["problems"], &told[1]["problems"]], [&unique, &unique]);
}

#[spec("E-167", "D-3")]
async fn a_refused_row_does_not_name_what_is_hidden(items: Items) {
    items.admin.create("item", json!({"name": "a", "count": 1, "most": 50, "cost": 10, "hidden": "none"})).await;
    let tried = json!({"dryRun": true});
    let hidden = refused(&items.clerk, json!({"count": 20, "text": "x"}), tried.clone()).await;
    assert_eq!(hidden, json!([{"id": 1, "code": "rule_broken", "problems": [{"code": "rule_broken"}]}]));
    let shown = refused(&items.admin, json!({"count": 20, "text": "x"}), tried.clone()).await;
    assert_eq!(shown[0]["problems"][0]["message"], "Cost is below the count.");
    // The expression of a calculation that fails names what is hidden.
    let failed = refused(&items.clerk, json!({"text": "fail"}), tried.clone()).await;
    let problem = json!({"property": "made", "code": "expression_failed"});
    assert_eq!(failed, json!([{"id": 1, "code": "expression_failed", "problems": [problem]}]));
    let failed = refused(&items.admin, json!({"text": "fail"}), tried.clone()).await;
    assert!(failed[0]["problems"][0]["message"].as_str().unwrap().contains("hidden"), "{failed}");
    // A name that the caller may not know is told as one that there is not.
    let [hidden, none] = [
        refused(&items.clerk, json!({"cost": 1}), tried.clone()).await,
        refused(&items.clerk, json!({"kost": 1}), tried).await,
    ];
    assert_eq!(hidden.to_string().replace("cost", "kost"), none.to_string());
    assert_eq!(none[0]["problems"][0]["property"], "kost");
}

#[spec("E-167", "E-100", "E-168")]
async fn a_job_names_the_properties_of_refused_rows(items: Items) {
    for part in 0..21 {
        let create = |row: i64| json!({"op": "create", "type": "item", "set": {"name": format!("{part}.{row}"), "count": row, "most": 500, "cost": 500}});
        let operations: Vec<Json> = (0..50).map(create).collect();
        items.admin.post("/api/ext/v1/batch", json!({"operations": operations, "return": "minimal"})).await.is(200);
    }
    let _working = items.server.work_jobs();
    let begun =
        items.clerk.post(BULK, patch(json!({"count+=": 52, "text": "x"}), json!({"limit": 5_000}))).await.is(202);
    let path = format!("/api/ext/v1/job/{}", begun.at("/id"));
    let mut job = begun.json();
    while job["state"] != "done" {
        assert!(["waiting", "running"].iter().any(|state| job["state"] == *state), "{job}");
        tokio::time::sleep(Duration::from_millis(20)).await;
        job = items.clerk.get(&path).await.is(200).json();
    }
    let result = &job["result"];
    assert_eq!(
        [&result["matched"], &result["changed"], &job["failed"], &result["problemCount"]],
        [1_050, 1_029, 21, 21]
    );
    let problems = job["problems"].as_array().unwrap();
    let expected = json!({"id": 50, "code": "too_large", "property": "count", "message": "Count must be at most 100."});
    assert_eq!((problems.len(), &problems[0]), (21, &expected));
    let list = items.clerk.get("/api/ext/v1/job").await.is(200);
    assert_eq!(list.at("/items/0/problems"), json!(problems[..20]));
    let file = items.clerk.get(&format!("{path}/problems?format=csv")).await.is(200);
    let text = String::from_utf8(file.bytes.to_vec()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!([lines[0], lines[1]], ["id,property,code,message", "50,count,too_large,Count must be at most 100."]);
    assert_eq!(lines.len(), 22);
}

/// A kept answer has no values.
#[spec("E-167")]
async fn a_repeated_answer_has_no_values(items: Items) {
    items.admin.create("item", json!({"name": "a", "count": 1, "most": 50, "cost": 50})).await;
    let named = items.clerk.with("idempotency-key", "once");
    let skip = || patch(json!({"count": 101}), json!({"skip": true}));
    let first = named.post(BULK, skip()).await.is(200);
    assert_eq!(first.at("/refused/0/problems/0/value"), "101");
    let second = named.post(BULK, skip()).await.is(200);
    assert_eq!(second.header("idempotency-replayed"), "true");
    assert_eq!(second.at("/refused"), json!([{"id": 1, "code": "too_large"}]));
}
