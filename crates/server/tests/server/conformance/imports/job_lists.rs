//! Problems of jobs: a list has few of each, the answer of one job many, and its file all that are kept.

use super::many::{csv, ended};
use super::{Stock, send};
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write as _;

/// CSV of so many parts that are all refused.
fn wrong(rows: usize) -> String {
    (0..rows).fold("code,count\n".to_owned(), |csv, row| format!("{csv}p{row},-1\n"))
}

fn lines(problems: &Json) -> Vec<u64> {
    problems.as_array().unwrap().iter().map(|problem| problem["line"].as_u64().unwrap()).collect()
}

#[spec("E-168")]
async fn a_list_has_the_first_problems_of_each_job(stock: Stock) {
    let _working = stock.server.work_jobs();
    let begun = send(&stock.admin, "run=1", "text/csv", wrong(1_200)).await.is(202);
    let failed = ended(&stock.admin, &begun.at("/id")).await;
    assert_eq!([&failed["failed"], &failed["result"]["problemCount"]], [1_200, 1_200], "{failed}");
    assert_eq!(lines(&failed["problems"]), (2..1_002).collect::<Vec<_>>());
    let last = json!({"line": 1_001, "column": "count", "code": "too_small", "message": "Count must be at least 0, not \"-1\".", "value": "-1"});
    assert_eq!(failed["problems"][999], last);
    let list = stock.admin.get("/api/ext/v1/job").await.is(200);
    assert_eq!(lines(&list.at("/items/0/problems")), (2..22).collect::<Vec<_>>());
    assert_eq!(list.at("/items/0/result/problemCount"), 1_200);
    // A kept file that is written at once keeps its problems, too.
    let kept = send(&stock.admin, "", "text/csv", wrong(50)).await.is(201).at("/import");
    stock.admin.post(&format!("/api/ext/v1/import/{kept}/run"), json!({"keepGoing": true})).await.is(200);
    let path = format!("/api/ext/v1/job/{kept}");
    assert_eq!(lines(&stock.admin.get(&path).await.is(200).at("/problems")).len(), 50);
    let file = stock.admin.get(&format!("{path}/problems")).await.is(200);
    assert_eq!(String::from_utf8(file.bytes.to_vec()).unwrap().lines().count(), 51);
}

/// A list does not grow with what is sent: names, values and messages are cut.
#[spec("E-168", "E-152")]
async fn a_list_of_jobs_is_small_whatever_is_sent(stock: Stock) {
    let name = |row: usize| format!("{}{row}", "\u{1}".repeat(1_000));
    let mut rows = String::new();
    (0..30).for_each(|row| writeln!(rows, "{}", json!({"code": format!("c{row}"), (name(row)): 1})).unwrap());
    for _ in 0..5 {
        let kept = send(&stock.admin, "", "application/jsonl", rows.as_str()).await.is(201).at("/import");
        stock.admin.post(&format!("/api/ext/v1/import/{kept}/run"), json!({"keepGoing": true})).await.is(200);
    }
    let mapping = json!({("a".repeat(100_000)): "code", "code": "code"});
    let header = format!("{},code\n", "a".repeat(100_000));
    let _working = stock.server.work_jobs();
    let kept = send(&stock.admin, "", "text/csv", header + &"1,2\n".repeat(1_001)).await.is(201).at("/import");
    stock.admin.post(&format!("/api/ext/v1/import/{kept}/run"), json!({"mapping": mapping})).await.is(202);
    let failed = ended(&stock.admin, &kept).await;
    assert_eq!(failed["result"]["error"]["code"], "column_twice", "{failed}");
    let parts = send(&stock.admin, "run=1", "text/csv", csv(1_001, |_| 1)).await.is(202).at("/id");
    assert_eq!(ended(&stock.admin, &parts).await["state"], "done");
    let set = json!({("😀".repeat(600)): "\u{1}".repeat(1_000)});
    let bulk = json!({"action": "patch", "all": true, "limit": 5_000, "set": set});
    let bulk = stock.admin.post("/api/ext/v1/bulk/part", bulk).await.is(202).at("/id");
    assert_eq!(ended(&stock.admin, &bulk).await["failed"], 1_001);
    let list = stock.admin.get("/api/ext/v1/job").await.is(200);
    let jobs = list.at("/items");
    let sizes: Vec<usize> = jobs.as_array().unwrap().iter().map(|job| job.to_string().len()).collect();
    assert_eq!([0, 3].map(|job| jobs[job]["problems"].as_array().unwrap().len()), [20, 20]);
    assert!(sizes.iter().all(|size| *size < 70_000), "{sizes:?} bytes");
}
