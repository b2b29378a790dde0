//! Exports as jobs: a file that is kept, at an address of its own.

use super::{SELLER, Shop, export, lines, text};
use database::{Sql, Value};
use model::table_names::JOB_PART;
use serde_json::{Value as Json, json};
use spec::spec;
use std::time::Duration;
use testing::{Client, Reply};

impl Shop {
    /// Has a job make a file for a client; gives the job once it has ended.
    pub(super) async fn exported(&self, client: &Client, parameters: &str) -> Json {
        let begun = client.post(&export(parameters), Json::Null).await.is(202);
        assert_eq!([begun.at("/kind"), begun.at("/type")], [json!("export"), json!("part")]);
        self.ended(client, &begun.at("/id")).await
    }

    pub(super) async fn ended(&self, client: &Client, id: &Json) -> Json {
        for _ in 0..400 {
            let job = client.get(&format!("/api/ext/v1/job/{id}")).await.is(200).json();
            if ["done", "failed"].iter().any(|state| job["state"] == *state) {
                return job;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the job {id} does not end");
    }

    /// Reads the file of a job, without a key.
    pub(super) async fn file(&self, job: &Json) -> Reply {
        self.server.client().get(&address(job)).await
    }

    pub(super) async fn seller(&self) -> Client {
        self.server.client().with("key", &self.server.key("seller").await)
    }

    /// The number of stored parts.
    pub(super) async fn parts(&self) -> i64 {
        let count = |tx: &mut database::Tx<'_>, _: &context::request_context::RequestContext| {
            let mut sql: Sql = tx.sql();
            sql.push("SELECT COUNT(*) FROM ").table(&JOB_PART).push(" WHERE kind = ").bind(Value::Integer(2));
            let mut parts = 0;
            tx.query(&sql, &mut |row| {
                parts = row.integer(0)?;
                Ok(())
            })?;
            Ok(parts)
        };
        self.server.look(count).await
    }
}

/// The path of a job's file.
pub(super) fn address(job: &Json) -> String {
    let url = job["result"]["url"].as_str().unwrap_or_else(|| panic!("{job}"));
    url[url.find("/api/").unwrap()..].to_owned()
}

#[spec("E-114")]
async fn a_job_makes_the_file_that_an_export_is(shop: Shop) {
    let _working = shop.server.work_jobs();
    let seller = shop.seller().await;
    for (client, rows) in [(&shop.admin, 3), (&seller, 2)] {
        for parameters in ["format=jsonl", "showFields=code,price&orderBy=-code&safe=1", "format=json"] {
            let direct = client.get(&export(parameters)).await.is(200);
            let job = shop.exported(client, parameters).await;
            let counts = [&job["state"], &job["done"], &job["total"], &job["result"]["rows"]];
            assert_eq!(counts, [&json!("done"), &json!(rows), &json!(rows), &json!(rows)], "{job}");
            let file = shop.file(&job).await.is(200);
            assert_eq!(file.bytes, direct.bytes, "{parameters}");
            for name in ["content-type", "content-disposition"] {
                assert_eq!(file.header(name), direct.header(name));
            }
            let packed = shop.server.client().with("Accept-Encoding", "gzip").get(&address(&job)).await.is(200);
            assert_eq!(packed.header("content-encoding"), "gzip");
            assert_eq!(packed.bytes[..2], [0x1f, 0x8b]);
        }
    }
    let book = shop.exported(&shop.admin, "format=xlsx").await;
    assert_eq!(shop.file(&book).await.is(200).bytes[..2], *b"PK");
    // Large ones, in several parts.
    shop.fill().await;
    let large = shop.exported(&shop.admin, "format=xlsx&showFields=code,text").await;
    assert_eq!([&large["state"], &large["result"]["error"]["code"]], ["failed", "sheet_too_large"], "{large}");
    let job = shop.exported(&shop.admin, "format=jsonl&showFields=code,text").await;
    assert_eq!(job["total"], 2_403);
    let file = shop.file(&job).await.is(200);
    assert_eq!(lines(&file), lines(&shop.admin.get(&export("format=jsonl&showFields=code,text")).await.is(200)));
}

#[spec("E-114")]
async fn a_file_is_for_who_holds_its_address(shop: Shop) {
    let working = shop.server.work_jobs();
    let seller = shop.seller().await;
    let job = shop.exported(&seller, "format=csv").await;
    let path = address(&job);
    for forged in [
        path.replacen("/export/", "/export/1", 1),
        path.replace("-", "-1"),
        "/api/ext/v1/export/1-99999999999-AAAAAAAAAAAAAAAAAAAAAA/part.csv".to_owned(),
        "/api/ext/v1/export/x/part.csv".to_owned(),
    ] {
        assert_eq!(shop.server.client().get(&forged).await.is(403).at("/code"), "link_invalid", "{forged}");
    }
    let other = shop.server.role("other", &SELLER.replace("seller", "other")).await;
    let id = &job["id"];
    other.get(&format!("/api/ext/v1/job/{id}")).await.is(404);
    other.delete(&format!("/api/ext/v1/job/{id}")).await.is(404);
    assert_eq!(shop.admin.get(&format!("/api/ext/v1/job/{id}")).await.is(200).at("/state"), "done");
    // Without the right to the type, its file is closed; with it, it is open again.
    shop.server.set_user("seller", json!({"roles": []})).await;
    assert_eq!(shop.file(&job).await.is(403).at("/code"), "link_invalid");
    shop.server.set_user("seller", json!({"roles": ["seller"]})).await;
    assert!(text(&shop.file(&job).await.is(200)).starts_with("id,"));
    // Who removes the job removes the file.
    assert_eq!(shop.parts().await, 1);
    seller.delete(&format!("/api/ext/v1/job/{id}")).await.is(204);
    assert_eq!(shop.file(&job).await.is(403).at("/code"), "link_invalid");
    assert_eq!(shop.parts().await, 0);
    drop(working);
}

#[spec("E-114")]
async fn a_job_of_an_export_is_refused_at_once(shop: Shop) {
    let seller = shop.seller().await;
    for parameters in ["showFields=secret", "orderBy=nothing", "format=pdf", "page=2", "nothing=1"] {
        seller.post(&export(parameters), Json::Null).await.is(400);
    }
    seller.post("/api/ext/v1/export/nothing", Json::Null).await.is(404);
    let named = seller.with("Idempotency-Key", "one export");
    let first = named.post(&export("format=csv"), Json::Null).await.is(202).at("/id");
    assert_eq!(named.post(&export("format=csv"), Json::Null).await.is(202).at("/id"), first);
    for _ in 1..10 {
        seller.post(&export("format=csv"), Json::Null).await.is(202);
    }
    assert_eq!(seller.post(&export("format=csv"), Json::Null).await.is(409).at("/code"), "exports_too_many");
    // The rights are those of the moment when it runs.
    shop.server.set_user("seller", json!({"roles": []})).await;
    let working = shop.server.work_jobs();
    let failed = shop.ended(&shop.admin, &first).await;
    assert_eq!(failed["state"], "failed", "{failed}");
    assert_eq!(failed["result"].get("url"), None);
    drop(working);
}
