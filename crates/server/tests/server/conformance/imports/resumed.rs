//! Imports that stopped, and go on; imports that are undone by a bulk write of what they created.

use super::many::{csv, ended};
use super::{Stock, parts, send};
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write as _;
use testing::{Client, Reply};

const FEW: &str = "code,count\na,1\nb,2\nc,3\n";

async fn total(client: &Client) -> Json {
    client.get("/api/ext/v1/collection/part?perPage=1&_noCache=1").await.is(200).at("/stats/total")
}

async fn resume(client: &Client, id: &Json, members: Json) -> Reply {
    let mut body = json!({"resume": true});
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    client.post(&format!("/api/ext/v1/import/{id}/run"), body).await
}

/// Deletes what an import created.
async fn undo(client: &Client, id: &Json, members: Json) -> Reply {
    let mut body = json!({"action": "delete", "imported": id, "limit": 5_000});
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    client.post("/api/ext/v1/bulk/part", body).await
}

#[spec("E-171")]
async fn an_import_that_stopped_goes_on(stock: Stock) {
    let working = stock.server.work_jobs();
    // The check before does not see that another resource has the code of a row.
    stock.admin.create("part", json!({"code": "p01100"})).await;
    let id = send(&stock.admin, "run=1", "text/csv", csv(1_200, |_| 1)).await.is(202).at("/id");
    let stopped = ended(&stock.admin, &id).await;
    let done = stopped["done"].as_i64().unwrap();
    assert_eq!([&stopped["state"], &stopped["resumable"]], [&json!("failed"), &json!(true)], "{stopped}");
    assert!((1..=1_100).contains(&done), "{stopped}");
    assert_eq!(total(&stock.admin).await, done + 1);

    // From the start, rows would be there twice; and what was asked for stays.
    let path = format!("/api/ext/v1/import/{id}/run");
    stock.admin.post(&path, json!({"keepGoing": true})).await.is(409).says("import_stopped");
    let refused = resume(&stock.admin, &id, json!({"mode": "upsert"})).await.is(400);
    assert_eq!(refused.at("/errors/0/property"), "mode");
    stock.admin.post(&path, json!({"resume": 1})).await.is(400);
    resume(&stock.clerk, &id, json!({})).await.is(404);

    // Nothing has changed: it stops again, no later than before.
    resume(&stock.admin, &id, json!({})).await.is(202);
    let again = ended(&stock.admin, &id).await;
    assert_eq!([&again["state"], &again["failed"]], [&json!("failed"), &json!(1)], "{again}");
    assert!((done..=1_100).contains(&again["done"].as_i64().unwrap()), "{again}");
    assert_eq!(again["result"]["problemCount"], 1, "{again}");

    resume(&stock.admin, &id, json!({"keepGoing": true})).await.is(202);
    let whole = ended(&stock.admin, &id).await;
    assert_eq!([&whole["state"], &whole["resumable"]], [&json!("done"), &json!(false)], "{whole}");
    assert_eq!([&whole["done"], &whole["failed"], &whole["result"]["created"]], [1_200, 1, 1_199], "{whole}");
    assert_eq!(whole["problems"].as_array().unwrap().len(), 1, "{whole}");
    assert_eq!(whole["problems"][0]["line"], 1_102, "{whole}");
    assert_eq!(total(&stock.admin).await, 1_200);
    resume(&stock.admin, &id, json!({})).await.is(409).says("import_not_stopped");

    // A count that is not expected is that of the resources, and not of all that were ever created.
    let few = json!({"action": "delete", "imported": id, "limit": 5,
        "filters": [{"property": "code", "type": "startsWith", "param": "p0000"}]});
    stock.admin.post("/api/ext/v1/bulk/part", few).await.is(409).says("find 10 resources");

    // What it created goes, in batches: not what was there before.
    let begun = undo(&stock.admin, &id, json!({"expect": 1_199})).await.is(202);
    assert_eq!([begun.at("/action"), begun.at("/own")], [json!("delete"), json!(true)]);
    assert_eq!(ended(&stock.admin, &begun.at("/id")).await["state"], "done");
    assert_eq!(parts(&stock.admin, "code").await, json!([{"code": "p01100"}]));
    drop(working);
}

/// A run that passes over rows with problems goes on to do so, and tells those of before its stop.
#[spec("E-171")]
async fn rows_that_were_passed_over_stay_told(stock: Stock) {
    let key = stock.server.key("clerk").await;
    let clerk = stock.server.client().with("key", &key);
    let mut file = "code,count\n".to_owned();
    for row in 0..6_000 {
        writeln!(file, "p{row},{}", if row == 2 || row == 5_900 { -1 } else { 1 }).unwrap();
    }
    let id = send(&clerk, "run=1&keepGoing=1", "text/csv", file).await.is(202).at("/id");
    let path = format!("/api/ext/v1/job/{id}");
    let working = stock.server.work_jobs();
    while stock.clerk.get(&path).await.is(200).at("/result/created").as_i64().unwrap_or(0) == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    drop(working);
    stock.server.client().post_form("deauth", &[("key", &key)]).await.is(200);
    stock.server.clock().advance(60);
    let _working = stock.server.work_jobs();
    let stopped = ended(&stock.clerk, &id).await;
    assert_eq!(stopped["result"]["error"]["code"], "key_invalid", "{stopped}");
    assert_eq!([&stopped["resumable"], &stopped["failed"]], [&json!(true), &json!(1)], "{stopped}");
    resume(&stock.clerk, &id, json!({})).await.is(202);
    let whole = ended(&stock.clerk, &id).await;
    assert_eq!([&whole["done"], &whole["failed"], &whole["result"]["created"]], [6_000, 2, 5_998], "{whole}");
    assert_eq!([&whole["problems"][0]["line"], &whole["problems"][1]["line"]], [4, 5_902], "{whole}");
}

#[spec("E-172", "E-099")]
async fn what_an_import_created_is_deleted_by_its_id(stock: Stock) {
    stock.admin.create("part", json!({"code": "b"})).await;
    let kept = send(&stock.admin, "", "text/csv", FEW).await.is(201).at("/import");
    // Nothing is imported yet.
    undo(&stock.admin, &kept, json!({})).await.is(404).says("job_missing");
    let run = format!("/api/ext/v1/import/{kept}/run");
    stock.admin.post(&run, json!({"dryRun": true})).await.is(200);
    let done = stock.admin.post(&run, json!({"mode": "upsert", "key": "code"})).await.is(200);
    assert_eq!([done.at("/result/created"), done.at("/result/updated")], [2, 1]);

    // Others do not see the import; the caller's rights and conditions hold.
    undo(&stock.clerk, &kept, json!({})).await.is(404).says("job_missing");
    let of_maker = json!({"action": "delete", "imported": kept});
    stock.admin.post("/api/ext/v1/bulk/maker", of_maker).await.is(404).says("job_missing");
    undo(&stock.admin, &json!("1"), json!({})).await.is(400);
    undo(&stock.admin, &kept, json!({"all": true})).await.is(400);
    let tried = undo(&stock.admin, &kept, json!({"dryRun": true})).await.is(200);
    assert_eq!([tried.at("/matched"), tried.at("/deleted/part")], [2, 2]);
    let filters = json!([{"property": "count", "type": "eq", "param": 3}]);
    let one = undo(&stock.admin, &kept, json!({"filters": filters})).await.is(200);
    assert_eq!([one.at("/matched"), one.at("/changed")], [1, 1]);
    let set = json!({"action": "patch", "imported": kept, "set": {"name": "new"}});
    assert_eq!(stock.admin.post("/api/ext/v1/bulk/part", set).await.is(200).at("/changed"), 1);
    assert_eq!(
        parts(&stock.admin, "code,name").await,
        json!([{"code": "a", "name": "new"}, {"code": "b", "name": null}])
    );
    assert_eq!(undo(&stock.admin, &kept, json!({"expect": 1})).await.is(200).at("/changed"), 1);
    assert_eq!(undo(&stock.admin, &kept, json!({})).await.is(200).at("/matched"), 0);
    assert_eq!(parts(&stock.admin, "code,count").await, json!([{"code": "b", "count": 2}]));
}

#[spec("E-172", "E-099")]
async fn an_import_that_runs_is_not_undone(stock: Stock) {
    let id = send(&stock.clerk, "run=1", "text/csv", csv(1_500, |_| 1)).await.is(202).at("/id");
    undo(&stock.admin, &id, json!({})).await.is(409).says("import_running");
    // An administrator sees it, as another user's.
    let list = stock.admin.get("/api/ext/v1/job").await.is(200);
    assert_eq!([list.at("/items/0/id"), list.at("/items/0/own")], [id.clone(), json!(false)]);
    let _working = stock.server.work_jobs();
    assert_eq!(ended(&stock.clerk, &id).await["own"], true);
    let begun = undo(&stock.admin, &id, json!({})).await.is(202).at("/id");
    assert_eq!(ended(&stock.admin, &begun).await["result"]["changed"], 1_500);
    assert_eq!(total(&stock.admin).await, 0);
}
