//! Exports as jobs under attack: limits at once, rights that end, links of others, files that stay.

use super::jobs::address;
use super::{Shop, export, text};
use http::Method;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};
use tokio::task::JoinSet;

/// Seconds of a day, for which a file is kept.
const DAY: i64 = 24 * 60 * 60;

#[spec("E-114")]
async fn requests_at_once_begin_no_more_exports_than_others(shop: Shop) {
    let seller = shop.seller().await;
    let mut tasks = JoinSet::new();
    for _ in 0..30 {
        let seller = seller.clone();
        tasks.spawn(async move { seller.post(&export("format=csv"), Json::Null).await.status });
    }
    let statuses = tasks.join_all().await;
    let begun = statuses.iter().filter(|status| **status == 202).count();
    assert_eq!((begun, statuses.len()), (10, 30), "{statuses:?}");
}

/// A file that takes too long is given up: else its job would begin anew for a day, and keep others waiting.
#[spec("E-114")]
async fn an_export_that_takes_too_long_fails(engine: Engine) {
    let mut slow = "name: slow\nproperties:\n  code: {kind: pInteger, required: true}\n".to_owned();
    for number in 0..40 {
        let calculate = format!("{{=length(range(code, code + {}))}}", 15_000 + number);
        slow += &format!("  size{number}: {{kind: pInteger, stored: false, calculate: \"{calculate}\"}}\n");
    }
    let server = Server::with(engine, &[("types/slow.yaml", &slow)]).await;
    let key = server.key("admin").await;
    for _ in 0..80 {
        let create = |code: i32| json!({"op": "create", "type": "slow", "set": {"code": code}});
        let operations: Vec<Json> = (0..10).map(create).collect();
        let body = json!({"operations": operations, "return": "minimal"});
        server.admin().post("/api/ext/v1/batch", body).await.is(200);
    }
    let process = server.process(env!("CARGO_BIN_EXE_plinth"), &[("PLINTH_LIMITS_JOB_TIME", "1s")]).await;
    let admin = process.client().with("key", &key);
    let shop = Shop { server, admin: admin.clone() };
    let begun = admin.post("/api/ext/v1/export/slow", Json::Null).await.is(202);
    let failed = shop.ended(&admin, &begun.at("/id")).await;
    assert_eq!([&failed["state"], &failed["result"]["error"]["code"]], ["failed", "timeout"], "{failed}");
    // The next one is not kept waiting.
    let begun = admin.post("/api/ext/v1/export/slow?showFields=code", Json::Null).await.is(202);
    let done = shop.ended(&admin, &begun.at("/id")).await;
    assert_eq!(done["state"], "done", "{done}");
}

/// An address needs no key: only who exported the file is told it.
#[spec("E-114")]
async fn only_the_owner_is_told_the_address(shop: Shop) {
    let _working = shop.server.work_jobs();
    let seller = shop.seller().await;
    let job = shop.exported(&seller, "format=csv").await;
    let path = format!("/api/ext/v1/job/{}", job["id"]);
    assert_eq!(seller.get(&path).await.is(200).at("/result/url"), job["result"]["url"]);
    let seen = shop.admin.get(&path).await.is(200);
    assert_eq!((seen.at("/state"), seen.at("/result/rows")), (json!("done"), json!(2)));
    seen.lacks("/export/");
    shop.admin.get("/api/ext/v1/job").await.is(200).lacks("/export/");
    // An administrator may still end it.
    shop.admin.delete(&path).await.is(204);
    assert_eq!((shop.file(&job).await.status, shop.parts().await), (403, 0));
}

#[spec("E-114")]
async fn a_file_ends_with_its_key_and_its_day(shop: Shop) {
    let _working = shop.server.work_jobs();
    let key = shop.server.key("seller").await;
    let seller = shop.server.client().with("key", &key);
    let (job, other) = (shop.exported(&seller, "format=csv").await, shop.exported(&shop.admin, "format=csv").await);
    // Rows are those of the run: what changes later is not in the file.
    shop.admin.patch("collection/part/1", json!({"sold": false})).await.is(200);
    assert!(text(&shop.file(&job).await.is(200)).contains("=1+1"));
    // Another tenant's addresses open nothing here, nor ours there.
    let elsewhere = shop.server.tenant("other").await;
    assert_eq!(elsewhere.client().get(&address(&job)).await.status, 403);
    // A key that is gone takes its files with it.
    shop.server.client().post_form("deauth", &[("key", &key)]).await.is(200);
    assert_eq!(shop.file(&job).await.is(403).at("/code"), "link_invalid");
    shop.file(&other).await.is(200);
    shop.server.clock().advance(DAY + 1);
    assert_eq!(shop.file(&other).await.is(403).at("/code"), "link_invalid");
    shop.admin.get(&format!("/api/ext/v1/job/{}", other["id"])).await.is(404);
    while shop.parts().await > 0 {
        shop.server.sweep().await;
    }
}

#[spec("E-114")]
async fn a_job_that_was_ended_leaves_no_file(shop: Shop) {
    let seller = shop.seller().await;
    let begun = seller.post(&export("format=csv"), Json::Null).await.is(202);
    let path = format!("/api/ext/v1/job/{}", begun.at("/id"));
    seller.delete(&path).await.is(204);
    let _working = shop.server.work_jobs();
    shop.exported(&seller, "format=csv").await;
    let ended = seller.get(&path).await.is(200);
    assert_eq!((ended.at("/state"), ended.at("/result")), (json!("canceled"), json!({})));
    assert_eq!(shop.parts().await, 1);
}

#[spec("E-114")]
async fn a_name_in_an_address_is_a_name(shop: Shop) {
    let _working = shop.server.work_jobs();
    let job = shop.exported(&shop.admin, "format=csv").await;
    let (path, client) = (address(&job), shop.server.client());
    let folder = path.rsplit_once('/').unwrap().0;
    for (name, told) in [
        ("a%22%3B%20filename%3D%22b.exe", "afilenameb.exe"),
        ("a%0D%0ASet-Cookie:%20x", "aSet-Cookiex"),
        ("%2E%2E%2Fa.csv", "..a.csv"),
        ("%C4%8D.csv", ".csv"),
    ] {
        let file = client.get(&format!("{folder}/{name}")).await;
        if file.status == 200 {
            assert_eq!(file.header("content-disposition"), format!("attachment; filename=\"{told}\""), "{name}");
            assert_eq!(file.header("set-cookie"), "");
        }
        assert!([200, 400, 404].contains(&file.status), "{name}: {}", file.status);
    }
    let whole = client.get(&path).await.is(200);
    assert_eq!(whole.header("cache-control"), "private, no-store");
    assert_eq!(whole.header("x-content-type-options"), "nosniff");
    // HEAD has the head alone; a range is not served, so all comes.
    let head = client.request(Method::HEAD.as_str(), &path).send().await.is(200);
    assert_eq!((head.bytes.len(), head.header("content-type")), (0, whole.header("content-type")));
    let ranged = client.with("range", "bytes=1-3").get(&path).await.is(200);
    assert_eq!(ranged.bytes, whole.bytes);
    for method in ["POST", "PUT", "DELETE"] {
        client.request(method, &path).send().await.is(405);
    }
    client.get(&format!("{path}?key=x")).await.is(400);
}
