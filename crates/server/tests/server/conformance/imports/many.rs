//! Imports of many rows: jobs, which another node can take over.

use super::{Stock, parts, send};
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write as _;
use std::time::Duration;
use testing::{Client, Reply};

/// CSV of so many parts; each refers to the one before.
pub(super) fn csv(rows: usize, count: impl Fn(usize) -> i64) -> String {
    let mut csv = "code,count,above\n".to_owned();
    for row in 0..rows {
        let above = if row == 0 { String::new() } else { format!("p{:05}", row - 1) };
        writeln!(csv, "p{row:05},{},{above}", count(row)).unwrap();
    }
    csv
}

/// The job once it has ended.
pub(super) async fn ended(client: &Client, id: &Json) -> Json {
    for _ in 0..600 {
        let job = client.get(&format!("/api/ext/v1/job/{id}")).await.is(200).json();
        if ["done", "failed", "canceled"].iter().any(|state| job["state"] == *state) {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the job {id} does not end");
}

async fn total(client: &Client) -> i64 {
    client.get("/api/ext/v1/collection/part?perPage=1&_noCache=1").await.is(200).at("/stats/total").as_i64().unwrap()
}

#[spec("E-098")]
async fn many_rows_are_written_by_a_job(stock: Stock) {
    let _working = stock.server.work_jobs();
    for client in [&stock.admin, &stock.clerk] {
        let begun = send(client, "run=1", "text/csv", csv(2_500, |row| row as i64)).await.is(202);
        assert_eq!(
            [begun.at("/kind"), begun.at("/type"), begun.at("/total")],
            [json!("import"), json!("part"), json!(2_500)]
        );
        let done = ended(client, &begun.at("/id")).await;
        assert_eq!(
            [&done["state"], &done["done"], &done["result"]["created"]],
            [&json!("done"), &json!(2_500), &json!(2_500)],
            "{done}"
        );
        assert_eq!(total(&stock.admin).await, 2_500);
        let last =
            stock.admin.get("/api/ext/v1/collection/part?orderBy=-code&perPage=1&showFields=count,above.code").await;
        assert_eq!(last.at("/data/0/above/code"), "p02498");
        // The same once more, with a key: nothing differs.
        let again = send(&stock.admin, "run=1&mode=upsert", "text/csv", csv(2_500, |row| row as i64)).await.is(202);
        let again = ended(&stock.admin, &again.at("/id")).await;
        assert_eq!(again["result"]["unchanged"], 2_500, "{again}");
        let all = json!({"action": "delete", "all": true, "limit": 10_000, "atomic": true});
        let gone = stock.admin.post("/api/ext/v1/bulk/part", all).await.is(200);
        assert_eq!(gone.at("/changed"), 2_500, "{}", gone.text);
        assert_eq!(total(&stock.admin).await, 0);
    }
}

#[spec("E-097", "E-098")]
async fn a_job_with_problems_writes_nothing_unless_it_goes_on(stock: Stock) {
    let _working = stock.server.work_jobs();
    let wrong = |row: usize| if row % 1_000 == 7 { -1 } else { 1 };
    let begun = send(&stock.admin, "run=1", "text/csv", csv(2_500, wrong)).await.is(202);
    let failed = ended(&stock.admin, &begun.at("/id")).await;
    assert_eq!(
        [&failed["state"], &failed["failed"], &failed["result"]["created"]],
        [&json!("failed"), &json!(3), &json!(0)]
    );
    assert_eq!(failed["problems"][1]["line"], 1_009, "{failed}");
    assert_eq!(total(&stock.admin).await, 0);
    let problems = stock.admin.get(&format!("/api/ext/v1/job/{}/problems?format=csv", failed["id"])).await.is(200);
    let text = String::from_utf8(problems.bytes.to_vec()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "line,column,code,message,code,count,above");
    assert!(lines[2].starts_with("1009,count,") && lines[2].ends_with(",p01007,-1,p01006"), "{text}");
    assert_eq!(lines.len(), 4);
    let begun = send(&stock.admin, "run=1&keepGoing=1", "text/csv", csv(2_500, wrong)).await.is(202);
    let done = ended(&stock.admin, &begun.at("/id")).await;
    // A row behind one with a problem refers to nothing.
    assert_eq!(done["state"], "done");
    assert_eq!(total(&stock.admin).await, 2_500 - done["failed"].as_i64().unwrap());
    // Two rows with the same code are seen before anything is written.
    let double = format!("{}p00000,1,\n", csv(1_500, |_| 1)).replace("p0", "q0");
    let begun = send(&stock.admin, "run=1", "text/csv", double).await.is(202);
    let failed = ended(&stock.admin, &begun.at("/id")).await;
    assert_eq!(
        [&failed["state"], &failed["problems"][0]["code"]],
        [&json!("failed"), &json!("row_double")],
        "{failed}"
    );
    assert_eq!(failed["result"]["created"], 0);
}

#[spec("E-099")]
async fn another_node_goes_on_where_one_was_killed(stock: Stock) {
    let node = stock.server.node().await;
    let begun = send(&stock.admin, "run=1", "text/csv", csv(6_000, |row| row as i64)).await.is(202);
    let id = begun.at("/id");
    let path = format!("/api/ext/v1/job/{id}");
    let working = stock.server.work_jobs();
    let mut before = 0;
    while before == 0 {
        before = stock.admin.get(&path).await.is(200).at("/done").as_i64().unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(working);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let stopped = stock.admin.get(&path).await.is(200);
    let at = stopped.at("/done").as_i64().unwrap();
    assert_eq!([stopped.at("/state"), json!(at < 6_000)], [json!("running"), json!(true)], "{}", stopped.text);
    // A batch and its position are one commit.
    let rows = stock.admin.get("/api/ext/v1/export/part?format=jsonl&showFields=id").await.is(200);
    assert_eq!(
        rows.bytes.iter().filter(|byte| **byte == b'\n').count() as i64,
        at,
        "{}",
        stock.admin.get(&path).await.text
    );
    assert_eq!(total(&stock.admin).await, at);
    // Before the lease is over, nobody else takes it.
    let _working = node.work_jobs();
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(stock.admin.get(&path).await.at("/done"), at);
    stock.server.clock().advance(60);
    let done = ended(&node.admin(), &id).await;
    assert_eq!(
        [&done["state"], &done["done"], &done["result"]["created"]],
        [&json!("done"), &json!(6_000), &json!(6_000)],
        "{done}"
    );
    assert_eq!(total(&stock.admin).await, 6_000);
}

#[spec("E-099")]
async fn a_job_is_its_owners_who_may_end_it(stock: Stock) {
    let begun = send(&stock.clerk, "run=1", "text/csv", csv(3_000, |_| 1)).await.is(202);
    let path = format!("/api/ext/v1/job/{}", begun.at("/id"));
    let reader = stock.server.reader();
    reader.get(&path).await.is(404);
    reader.delete(&path).await.is(404);
    reader.get(&format!("{path}/problems")).await.is(404);
    assert_eq!(reader.get("/api/ext/v1/job").await.is(200).at("/items"), json!([]));
    for client in [&stock.clerk, &stock.admin] {
        assert_eq!(client.get("/api/ext/v1/job").await.is(200).at("/items/0/state"), "waiting");
    }
    stock.clerk.delete(&path).await.is(204);
    assert_eq!(stock.clerk.get(&path).await.is(200).at("/state"), "canceled");
    let _working = stock.server.work_jobs();
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(total(&stock.admin).await, 0);
    // A key that is revoked ends what it began.
    let key = stock.server.key("clerk").await;
    let clerk = stock.server.client().with("key", &key);
    drop(_working);
    let begun = send(&clerk, "run=1", "text/csv", csv(3_000, |_| 1)).await.is(202);
    stock.server.client().post_form("deauth", &[("key", &key)]).await.is(200);
    let _working = stock.server.work_jobs();
    let failed = ended(&stock.clerk, &begun.at("/id")).await;
    assert_eq!(
        [&failed["state"], &failed["result"]["error"]["code"]],
        [&json!("failed"), &json!("key_invalid")],
        "{failed}"
    );
    for _ in 0..20 {
        send(&stock.admin, "", "text/csv", "code\na\n").await.is(201);
    }
    let refused = send(&stock.admin, "", "text/csv", "code\na\n").await.is(409);
    assert_eq!(refused.at("/code"), "jobs_too_many");
    // After a day it is gone.
    stock.server.clock().advance(25 * 60 * 60);
    stock.server.sweep().await;
    assert_eq!(stock.admin.get("/api/ext/v1/job").await.is(200).at("/items"), json!([]));
}

#[spec("E-095", "E-098")]
async fn a_dry_run_and_a_transaction_of_many_rows(stock: Stock) {
    let _working = stock.server.work_jobs();
    let tried = send(&stock.admin, "run=1&dryRun=1", "text/csv", csv(1_500, |_| 1)).await.is(200);
    assert_eq!([tried.at("/state"), tried.at("/result/created")], [json!("done"), json!(1_500)], "{}", tried.text);
    assert_eq!(total(&stock.admin).await, 0);
    let at_once = send(&stock.admin, "run=1&atomic=1", "text/csv", csv(1_500, |_| 1)).await.is(200);
    assert_eq!([at_once.at("/atomic"), at_once.at("/result/created")], [json!(true), json!(1_500)]);
    let kept: Reply = send(&stock.admin, "", "text/csv", csv(11_000, |_| 1)).await.is(201);
    let path = format!("/api/ext/v1/import/{}/run", kept.at("/import"));
    assert_eq!(stock.admin.post(&path, json!({"atomic": true})).await.is(400).at("/code"), "rows_too_many");
    assert_eq!(parts(&stock.admin, "code").await.as_array().unwrap().len(), 1_000, "a page");
}

#[spec("E-095")]
async fn a_dry_run_judges_rules_of_up_to_ten_thousand_rows(stock: Stock) {
    let _working = stock.server.work_jobs();
    // The clerk does not see this part: only the write tells that its code is taken. All rows behind it refer to it.
    stock.admin.create("part", json!({"code": "p01500", "owner": "somebody"})).await;
    let tried = send(&stock.clerk, "run=1&dryRun=1", "text/csv", csv(2_500, |_| 1)).await.is(200);
    assert_eq!([tried.at("/state"), tried.at("/result/tried")], [json!("failed"), json!(true)], "{}", tried.text);
    assert_eq!([tried.at("/failed"), tried.at("/problems/0/line")], [json!(1_000), json!(1_502)], "{}", tried.text);
    assert_eq!(total(&stock.admin).await, 1);
    let begun = send(&stock.admin, "run=1&dryRun=1", "text/csv", csv(10_001, |_| 1)).await.is(202);
    let read = ended(&stock.admin, &begun.at("/id")).await;
    assert_eq!([&read["total"], &read["result"]["tried"]], [&json!(10_001), &json!(false)], "{read}");
    assert_eq!(total(&stock.admin).await, 1);
}

#[spec("E-095", "E-154")]
async fn a_trial_by_a_job_keeps_its_file_for_the_run(stock: Stock) {
    let _working = stock.server.work_jobs();
    let kept = send(&stock.admin, "", "text/csv", csv(10_001, |row| row as i64)).await.is(201);
    let (id, job) = (kept.at("/import"), format!("/api/ext/v1/job/{}", kept.at("/import")));
    let path = format!("/api/ext/v1/import/{id}/run");
    // A trial that fails leaves the file, and so does one that does not.
    let refused = stock.admin.post(&path, json!({"dryRun": true, "mapping": {"count": "nothing"}})).await.is(202);
    assert_eq!(refused.at("/dryRun"), true);
    let failed = ended(&stock.admin, &id).await;
    assert_eq!([&failed["state"], &failed["result"]["error"]["code"]], ["failed", "property_unknown"], "{failed}");
    stock.admin.post(&path, json!({"dryRun": true})).await.is(202);
    let tried = ended(&stock.admin, &id).await;
    assert_eq!([&tried["state"], &tried["result"]["tried"]], [&json!("done"), &json!(false)], "{tried}");
    // Others than its sender do not run it.
    stock.clerk.post(&path, json!({})).await.is(404);
    let begun = stock.admin.post(&path, json!({})).await.is(202);
    assert_eq!(
        [begun.at("/state"), begun.at("/done"), begun.at("/dryRun")],
        [json!("waiting"), json!(0), json!(false)]
    );
    let done = ended(&stock.admin, &id).await;
    assert_eq!([&done["state"], &done["result"]["created"]], [&json!("done"), &json!(10_001)], "{done}");
    assert_eq!(total(&stock.admin).await, 10_001);
    assert_eq!(stock.admin.post(&path, json!({})).await.is(409).at("/code"), "import_running");
    // One that is deleted is gone for good.
    let kept = send(&stock.admin, "run=1&dryRun=1", "text/csv", csv(10_001, |_| -1)).await.is(202).at("/id");
    assert_eq!(ended(&stock.admin, &kept).await["state"], "failed");
    stock.admin.delete(&format!("/api/ext/v1/job/{kept}")).await.is(204);
    let path = format!("/api/ext/v1/import/{kept}/run");
    assert_eq!(stock.admin.post(&path, json!({})).await.is(409).at("/code"), "import_running");
    // An import that was written stays as it is.
    stock.admin.delete(&job).await.is(204);
    assert_eq!(stock.admin.get(&job).await.is(200).at("/state"), "done");
}
