//! Attacks by those who may import: what one key, one row or one request may take, and what two do at once.

use super::many::{csv, ended};
use super::{Stock, parts, run, send};
use database::{Sql, Value};
use model::table_names::JOB_PART;
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write as _;
use testing::{Client, Reply};

/// The text of a file.
fn text(reply: &Reply) -> String {
    String::from_utf8(reply.bytes.to_vec()).unwrap()
}

/// The path of the run of a file that is kept.
async fn kept(client: &Client, csv: String) -> String {
    let shown = send(client, "", "text/csv", csv).await.is(201);
    format!("/api/ext/v1/import/{}/run", shown.at("/import"))
}

#[spec("E-097")]
async fn a_row_with_many_problems_is_kept_in_some_bytes(stock: Stock) {
    let _working = stock.server.work_jobs();
    let mut wide = json!({"code": "a"});
    for member in 0..500 {
        wide[format!("member{member}")] = "x".repeat(1_000).into();
    }
    let mut lines = format!("{wide}\n");
    (0..1_100).for_each(|row| writeln!(lines, "{{\"code\": \"p{row}\"}}").unwrap());
    let begun = send(&stock.admin, "run=1&keepGoing=1", "application/jsonl", lines).await.is(202);
    let done = ended(&stock.admin, &begun.at("/id")).await;
    assert_eq!([&done["failed"], &done["result"]["problemCount"]], [&json!(1), &json!(500)], "{done}");
    let path = format!("/api/ext/v1/job/{}/problems", done["id"]);
    let problems = stock.admin.get(&path).await.is(200);
    assert!((100_000..10_000_000).contains(&problems.bytes.len()), "{} bytes", problems.bytes.len());
    assert_eq!(text(&problems).lines().count(), 501);
}

#[spec("E-097", "E-091")]
async fn rows_with_problems_can_be_read_by_a_spreadsheet(stock: Stock) {
    let _working = stock.server.work_jobs();
    let mut rows = csv(1_200, |_| 1);
    rows.push_str("=1+1,-1,\n");
    let begun = send(&stock.admin, "run=1", "text/csv", rows).await.is(202);
    let failed = ended(&stock.admin, &begun.at("/id")).await;
    let path = format!("/api/ext/v1/job/{}/problems?format=csv", failed["id"]);
    for (safe, cells) in [("0", ",=1+1,-1,"), ("1", ",'=1+1,'-1,")] {
        let told = text(&stock.admin.get(&format!("{path}&safe={safe}")).await.is(200));
        assert!(told.contains(cells), "{told}");
    }
    stock.admin.get(&format!("{path}&safe=2")).await.is(400);
}

#[spec("E-095")]
async fn a_file_is_run_once_whoever_asks_at_the_same_time(stock: Stock) {
    for _ in 0..5 {
        // Nothing of a maker is required or unique: a second run would write all of them again.
        let rows = format!("open\n{}", "true\n".repeat(300));
        let shown = stock.admin.request("POST", "/api/ext/v1/import/maker").body("text/csv", rows).send().await.is(201);
        let path = format!("/api/ext/v1/import/{}/run", shown.at("/import"));
        let run = || stock.admin.post(&path, json!({}));
        let (one, other, third) = tokio::join!(run(), run(), run());
        let mut statuses = [one.status, other.status, third.status];
        statuses.sort_unstable();
        assert_eq!(
            statuses.iter().filter(|status| **status == 200).count(),
            1,
            "{} {} {}",
            one.text,
            other.text,
            third.text
        );
        let all = json!({"action": "delete", "filters": [{"property": "code", "type": "isNull"}], "limit": 1_000});
        assert_eq!(stock.admin.post("/api/ext/v1/bulk/maker", all).await.is(200).at("/changed"), 300);
    }
}

#[spec("E-096", "E-099", "D-9")]
async fn a_file_is_its_owners_and_its_rows_are_written_by_the_key_that_says_so(stock: Stock) {
    // An administrator sees it, and does not import it in another's name.
    let path = kept(&stock.clerk, "code,name\na,One\n".to_owned()).await;
    assert_eq!(stock.admin.post(&path, json!({})).await.is(403).at("/code"), "import_of_other");
    stock.clerk.post(&path, json!({})).await.is(200).says("\"created\":1");
    // A key that may less than the one that sent the file does not borrow its rights.
    let login = stock.server.login("clerk").await;
    let scoped = async |scope: &str| {
        let form = [("user", login.user.as_str()), ("password", login.password.as_str()), ("permissions", scope)];
        let made = stock.server.client().post_form("auth", &form).await.is(200);
        stock.server.client().with("key", made.at("/authToken/keyString").as_str().unwrap())
    };
    let (edits, shows, other) = (
        scoped("collection:part:edit").await,
        scoped("collection:part:show").await,
        scoped("collection:maker:show").await,
    );
    let path = kept(&stock.clerk, csv(1_500, |_| 1)).await;
    let job = path.replace("import", "job").replace("/run", "");
    for client in [&edits, &shows, &other] {
        let status = client.post(&path, json!({})).await.status;
        assert!([403, 404].contains(&status), "{status}");
    }
    for client in [&shows, &other] {
        client.get(&job).await.is(404);
        client.get(&format!("{job}/problems")).await.is(404);
        client.delete(&job).await.is(404);
        assert_eq!(client.get("/api/ext/v1/job").await.is(200).at("/items"), json!([]));
    }
    edits.get(&job).await.is(200);
    assert_eq!(stock.clerk.get(&job).await.is(200).at("/state"), "uploaded");
}

#[spec("E-099")]
async fn a_file_that_did_not_come_whole_is_not_imported(stock: Stock) {
    let path = kept(&stock.admin, csv(20_000, |row| row as i64)).await;
    stock
        .server
        .elevated(|tx, _| {
            let mut sql: Sql = tx.sql();
            sql.push("DELETE FROM ").table(&JOB_PART).push(" WHERE id = (SELECT MAX(id) FROM ").table(&JOB_PART);
            sql.push(") AND kind = ").bind(Value::Integer(0));
            Ok(tx.execute(&sql).map(drop)?)
        })
        .await
        .unwrap();
    let _working = stock.server.work_jobs();
    let begun = stock.admin.post(&path, json!({"mode": "create"})).await.is(202);
    let failed = ended(&stock.admin, &begun.at("/id")).await;
    assert_eq!(failed["result"]["error"]["code"], "file_unreadable", "{failed}");
    assert_eq!(parts(&stock.admin, "code").await, json!([]));
}

#[spec("E-099")]
async fn a_job_ends_where_its_caller_may_not_any_more_and_its_type_is_gone(stock: Stock) {
    let begun = send(&stock.clerk, "run=1", "text/csv", csv(1_500, |_| 1)).await.is(202);
    stock.server.set_user("clerk", json!({"roles": []})).await;
    let working = stock.server.work_jobs();
    let failed = ended(&stock.admin, &begun.at("/id")).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    assert_eq!(parts(&stock.admin, "code").await, json!([]));
    drop(working);
}

#[spec("E-095")]
async fn numbers_of_json_are_exact(stock: Stock) {
    let rows = "[{\"code\": \"a\", \"price\": 1234567890123456.78}, {\"code\": \"b\", \"price\": 0.30}]";
    send(&stock.admin, "run=1", "application/json", rows).await.is(200).says("\"created\":2");
    let lines = "{\"code\": \"c\", \"price\": 1234567890123456.79}\n";
    send(&stock.admin, "run=1", "application/jsonl", lines).await.is(200).says("\"created\":1");
    stock.admin.create("part", json!({"code": "d", "price": "1234567890123456.79"})).await;
    let read = stock.admin.get("/api/ext/v1/export/part?format=csv&showFields=code,price&hideFields=id,uuid").await;
    let read = text(&read.is(200));
    let read: Vec<&str> = read.lines().skip(1).collect();
    assert_eq!(read, ["a,1234567890123456.78", "b,0.30", "c,1234567890123456.79", "d,1234567890123456.79"]);
}

#[spec("E-095")]
async fn what_other_programs_write_is_taken(stock: Stock) {
    let mark = "\u{feff}";
    send(&stock.admin, "run=1", "application/json", format!("{mark}[{{\"code\": \"a\"}}]"))
        .await
        .is(200)
        .says("\"done\":1");
    send(&stock.admin, "run=1", "application/jsonl", format!("{mark}{{\"code\": \"b\"}}\r\n"))
        .await
        .is(200)
        .says("\"done\":1");
    // A spreadsheet's columns without names are left out.
    let csv = format!("{mark}code,name,,\r\nc,One,,\r\nd,Two,,x\r\n");
    assert_eq!(run(&stock.admin, "", &csv).await["done"], 2);
    assert_eq!(run(&stock.admin, "", "code,name\n").await["done"], 0);
    let told = send(&stock.admin, "run=1", "text/csv", "code;name\nx;y\n").await.is(400);
    assert_eq!(told.at("/code"), "delimiter");
    told.says("delimiter=%3B").lacks("--");
    assert_eq!(run(&stock.admin, "delimiter=%3B", "code;name\ne;y\n").await["done"], 1);
    for delimiter in ["%22", "%0A", "%0D", "%00", "a", "1", "%C3%A9", ";;", ""] {
        let refused =
            send(&stock.admin, &format!("run=1&delimiter={delimiter}"), "text/csv", "code\nx\n").await.is(400);
        assert_eq!(refused.at("/errors/0/property"), "delimiter");
    }
    let codes: Vec<Json> =
        parts(&stock.admin, "code").await.as_array().unwrap().iter().map(|row| row["code"].clone()).collect();
    assert_eq!(codes, ["a", "b", "c", "d", "e"]);
}

#[spec("E-095")]
async fn two_columns_do_not_give_one_property(stock: Stock) {
    for (header, mapping) in
        [("code,maker,maker.code", "{}"), ("code,a,name", "{\"a\": \"name\"}"), ("code,code", "{}")]
    {
        let body = format!("{header}\nx,1,1\n");
        let path = format!(
            "run=1&mapping={}",
            mapping.replace('"', "%22").replace('{', "%7B").replace('}', "%7D").replace(' ', "")
        );
        let refused = send(&stock.admin, &path, "text/csv", body).await.is(400);
        assert_eq!(refused.at("/code"), "column_twice", "{header}");
    }
    let row = "{\"code\": \"x\", \"maker\": 1, \"maker.code\": \"bob\"}\n";
    let refused = send(&stock.admin, "run=1", "application/jsonl", row).await.is(200);
    assert_eq!(refused.at("/problems/0/code"), "column_twice");
    // The preview proposes each property once.
    let shown = send(&stock.admin, "", "text/csv", "code,Name,name,maker.id,maker.code\nx,a,b,1,ada\n").await.is(201);
    let proposed: Vec<Json> =
        shown.at("/columns").as_array().unwrap().iter().map(|column| column["property"].clone()).collect();
    assert_eq!(json!(proposed), json!(["code", "name", null, "maker.id", null]));
}

#[spec("E-095")]
async fn many_files_at_once_are_all_taken(stock: Stock) {
    let csv: String = (0..200).fold("code,name\n".to_owned(), |csv, row| format!("{csv}c{row},{}\n", "x".repeat(100)));
    let sent = (0..32).map(|_| send(&stock.admin, "run=1&dryRun=1", "text/csv", csv.clone()));
    for reply in futures_util::future::join_all(sent).await {
        reply.is(200).says("\"done\":0");
    }
}

#[spec("E-096")]
async fn a_row_that_finds_nothing_has_one_problem(stock: Stock) {
    let refused = run(&stock.admin, "mode=update&key=id", "id,name\n99,x\n").await;
    assert_eq!(
        (&refused["problems"][0]["code"], &refused["result"]["problemCount"]),
        (&json!("row_missing"), &json!(1))
    );
}

#[spec("E-095")]
async fn characters_that_databases_do_not_have_are_no_failure(stock: Stock) {
    let posted = stock.admin.post("/api/ext/v1/collection/part", json!({"code": "n", "name": "a\u{0}b"})).await;
    let done = run(&stock.admin, "", "code,name\nm,a\u{0}b\n").await;
    assert_eq!(done["state"] == "done", posted.status < 300, "{done} {}", posted.text);
    for (parameters, rows) in [
        ("mode=update", "code,name\na\u{0}b,x\n"),
        ("mode=upsert", "code,count\na\u{0}b,-1\n"),
        ("", "code,maker\nz,a\u{0}b\n"),
        ("", "code,maker.code\nz,a\u{0}b\n"),
        ("", "code,labels\nz,a\u{0}b\n"),
        ("", "code,maker\nz,99999999999999999999\n"),
        ("", "code,count\nz,9223372036854775808\n"),
        ("mode=update&key=uuid", "uuid,name\n00000000-0000-0000-0000-000000000000,x\n"),
    ] {
        assert_eq!(run(&stock.admin, parameters, rows).await["state"], "failed", "{rows:?}");
    }
    let lines = "{\"code\": \"\\ud800\"}\n{\"code\": \"a\\u0000\", \"maker\": {\"code\": \"\\u0000\"}}\n";
    assert_eq!(send(&stock.admin, "run=1", "application/jsonl", lines).await.is(200).at("/failed"), 2);
}
