//! Bulk writes: one change of all resources that filters find.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply, Server};
use tokio::task::JoinSet;

const BULK: &str = "/api/ext/v1/bulk/article";

async fn articles(admin: &Client, count: usize) {
    for part in (0..count).collect::<Vec<_>>().chunks(50) {
        let create = |number: &usize| json!({"op": "create", "type": "article", "set": {"name": format!("{number}"), "views": number}});
        let operations: Vec<Json> = part.iter().map(create).collect();
        admin.post("/api/ext/v1/batch", json!({"operations": operations, "return": "minimal"})).await.is(200);
    }
}

fn below(views: i64) -> Json {
    json!([{"property": "views", "type": "lt", "param": views}])
}

fn counts(reply: &Reply) -> [Json; 2] {
    [reply.at("/matched"), reply.at("/changed")]
}

#[spec("E-060")]
async fn all_that_filters_find_is_changed(server: Server) {
    let admin = server.admin();
    articles(&admin, 20).await;
    let set = json!({"status": "live", "_add": {"views": 100}});
    let reply = admin.post(BULK, json!({"action": "patch", "filters": below(5), "set": set})).await.is(200);
    assert_eq!(reply.json(), json!({"matched": 5, "changed": 5, "refused": []}));
    let live = json!({"filters": [{"property": "status", "type": "eq", "param": "live"}]});
    let live = admin.post("/api/ext/v1/collection/article/search", live).await.is(200);
    assert_eq!(live.column("views"), [100, 101, 102, 103, 104]);
    let tag = admin.post("collection/tags", json!({"name": "t"})).await.is(201).at("/id");
    let tagging = json!({"action": "tag", "filters": below(8), "operation": "add", "tags": [tag]});
    assert_eq!(counts(&admin.post(BULK, tagging).await.is(200)), [3, 3]);
    let tagged = admin.get(&format!("/api/ext/v1/collection/article?tags={}", tag.as_str().unwrap())).await;
    assert_eq!(tagged.at("/stats/total"), 3);
    admin.create("note", json!({"text": "n", "article": 6})).await;
    let delete = json!({"action": "delete", "filters": below(8), "dryRun": true});
    let tried = admin.post(BULK, delete.clone()).await.is(200);
    assert_eq!((counts(&tried), tried.at("/deleted")), ([json!(3), json!(3)], json!({"article": 3, "note": 1})));
    assert_eq!(admin.get("collection/article").await.at("/stats/total"), 20);
    assert_eq!(counts(&admin.post(BULK, json!({"action": "delete", "filters": below(8)})).await.is(200)), [3, 3]);
    assert_eq!(admin.get("collection/article").await.at("/stats/total"), 17);
    admin.get("/api/ext/v1/collection/note").await.is(200).says("\"total\":0");
    assert_eq!(counts(&admin.post(BULK, json!({"action": "delete", "all": true})).await.is(200)), [17, 17]);
    for (body, code) in [
        (json!({"action": "delete"}), "required"),
        (json!({"action": "delete", "filters": []}), "required"),
        (json!({"action": "delete", "filters": below(1), "all": true}), "all_filtered"),
        (json!({"action": "drop", "all": true}), "word_unknown"),
        (json!({"action": "delete", "all": true, "set": {}}), "property_unknown"),
        (json!({"action": "patch", "all": true}), "required"),
        (json!({"action": "delete", "all": true, "limit": 100_001}), "limit_too_large"),
        (json!({"action": "delete", "all": true, "limit": 10_001, "atomic": true}), "limit_too_large"),
        (json!({"action": "delete", "all": true, "expect": -1}), "not_integer"),
        (json!({"action": "delete", "tagged": []}), "not_array"),
        (json!({"action": "delete", "tagged": [1]}), "not_array"),
        (json!({"action": "delete", "tagged": ["1"], "tagsMode": "one"}), "word_unknown"),
        (json!({"action": "delete", "tagged": ["1"], "all": true}), "all_filtered"),
        (
            json!({"action": "delete", "filters": [{"property": "nothing", "type": "eq", "param": 1}]}),
            "property_unknown",
        ),
    ] {
        assert_eq!(admin.post(BULK, body.clone()).await.is(400).at("/code"), code, "{body}");
    }
    admin.post("/api/ext/v1/bulk/nothing", json!({"action": "delete", "all": true})).await.is(404);
}

/// The job of a bulk write once it is done.
async fn done(admin: &Client, begun: &Reply) -> Json {
    let path = format!("/api/ext/v1/job/{}", begun.at("/id"));
    let mut job = begun.json();
    while job["state"] != "done" {
        assert!(["waiting", "running"].iter().any(|state| job["state"] == *state), "{job}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        job = admin.get(&path).await.is(200).json();
    }
    job
}

#[spec("E-060")]
async fn tags_say_which_resources_are_changed(server: Server) {
    let admin = server.admin();
    articles(&admin, 1_010).await;
    let _working = server.work_jobs();
    let mut both = Vec::new();
    for (name, most) in [("a", 1_005), ("b", 3)] {
        let tag = admin.post("collection/tags", json!({"name": name})).await.is(201).at("/id");
        let add = json!({"action": "tag", "filters": below(most), "operation": "add", "tags": [tag], "limit": 2_000, "atomic": true});
        assert_eq!(admin.post(BULK, add).await.is(200).at("/changed"), most);
        both.push(tag);
    }
    let patch = |more: Json| {
        let mut body = json!({"action": "patch", "set": {"body": "tagged"}});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let tried = admin.post(BULK, patch(json!({"tagged": [both[1]], "dryRun": true}))).await.is(200);
    assert_eq!(counts(&tried), [3, 3]);
    let both = json!({"tagged": both, "tagsMode": "all", "filters": below(2)});
    assert_eq!(counts(&admin.post(BULK, patch(both.clone())).await.is(200)), [2, 2]);
    assert_eq!(admin.post(BULK, patch(json!({"tagged": ["999"]}))).await.is(200).at("/matched"), 0);
    // Beyond a thousand they are changed by a job, which asks for the tags again.
    let all = json!({"tagged": both["tagged"], "limit": 2_000, "expect": 1_005});
    let begun = admin.post(BULK, patch(all)).await.is(202);
    assert_eq!(done(&admin, &begun).await["result"]["changed"], 1_005);
    let written = json!({"filters": [{"property": "body", "type": "eq", "param": "tagged"}]});
    let written = admin.post("/api/ext/v1/collection/article/search", written).await.is(200);
    assert_eq!(written.at("/stats/total"), 1_005);
}

#[spec("E-061")]
async fn a_number_or_a_digest_says_what_is_meant(server: Server) {
    let admin = server.admin();
    articles(&admin, 6).await;
    let patch = |more: Json| {
        let mut body = json!({"action": "patch", "filters": below(4), "set": {"body": "x"}});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    for more in [json!({"expect": 3}), json!({"limit": 3}), json!({"expect": 5, "dryRun": true})] {
        admin.post(BULK, patch(more)).await.is(409).says("count_unexpected").says("find 4 resources");
    }
    admin.post(BULK, patch(json!({"limit": 3}))).await.says("more than the limit of 3. Send \\\"limit\\\"");
    admin.post(BULK, patch(json!({"expect": 3}))).await.says("and the request expects 3");
    let tried = admin.post(BULK, patch(json!({"expect": 4, "dryRun": true}))).await.is(200);
    assert_eq!(admin.get("collection/article/1").await.at("/body"), Json::Null);
    let digest = tried.at("/digest");
    admin.patch("collection/article/2", json!({"name": "changed"})).await.is(200);
    admin.post(BULK, patch(json!({"digest": digest}))).await.is(409).says("digest_differs");
    let digest = admin.post(BULK, patch(json!({"dryRun": true}))).await.is(200).at("/digest");
    assert_eq!(counts(&admin.post(BULK, patch(json!({"digest": digest}))).await.is(200)), [4, 4]);
    assert_eq!(admin.get("collection/article/1").await.at("/body"), "x");
    // A name makes it happen once.
    let named = admin.with("idempotency-key", "b");
    let add = json!({"action": "patch", "all": true, "set": {"views+=": 1}});
    let first = named.post(BULK, add.clone()).await.is(200);
    let second = named.post(BULK, add).await.is(200);
    assert_eq!((first.text.as_str(), second.header("idempotency-replayed")), (second.text.as_str(), "true"));
    assert_eq!(admin.get("collection/article/1").await.at("/views"), 1);
}

const EDITOR: &str = r#"
role: editor
system: [restApi]
types:
  article:
    show: {where: "{=views < 10}", fields: ["*", "-cost"]}
    edit: {where: "{=views < 8}", fields: [name, body], check: "{=name != 'no'}"}
  note: {show: {where: "{=text != 'hidden'}"}}
"#;

#[spec("E-060", "D-3")]
async fn a_caller_changes_what_it_sees_and_may_change(engine: Engine) {
    let server = Server::with(engine, &[("roles/editor.yaml", EDITOR)]).await;
    let (admin, editor) = (server.admin(), server.editor());
    articles(&admin, 12).await;
    let all = |more: Json| {
        let mut body = json!({"action": "patch", "all": true, "set": {"body": "x"}});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    let refused = editor.post(BULK, all(json!({}))).await.is(403);
    let alone = editor.patch("/api/ext/v1/collection/article/9", json!({"body": "x"})).await.is(403);
    assert_eq!(refused.at("/detail"), format!("article/9: {}", alone.at("/detail").as_str().unwrap()));
    assert_eq!(refused.at("/code"), alone.at("/code"));
    assert_eq!(admin.get("collection/article/1").await.at("/body"), Json::Null);
    let skipped = editor.post(BULK, all(json!({"skip": true}))).await.is(200);
    let code = alone.at("/code");
    let why = json!([{"code": code, "message": alone.at("/detail")}]);
    let left = json!([{"id": 9, "code": code, "problems": why}, {"id": 10, "code": code, "problems": why}]);
    assert_eq!((counts(&skipped), skipped.at("/refused")), ([json!(10), json!(8)], left));
    // A filter by what is not shown is one by nothing.
    let by = |name: &str| json!({"action": "patch", "filters": [{"property": name, "type": "eq", "param": 1}], "set": {"body": "y"}});
    let (hidden, nothing) = (editor.post(BULK, by("cost")).await.is(400), editor.post(BULK, by("kost")).await.is(400));
    assert_eq!(hidden.at("/code"), nothing.at("/code"));
    editor.post(BULK, all(json!({"set": {"name": "no"}}))).await.is(403).says("check_failed");
    editor.post(BULK, all(json!({"set": {"cost": 1}}))).await.is(400).says("property_unknown");
    editor.post(BULK, json!({"action": "delete", "all": true})).await.is(403);
    // A digest leaves out all that the caller does not see.
    let digest = async || editor.post(BULK, all(json!({"dryRun": true, "skip": true}))).await.is(200).at("/digest");
    let before = digest().await;
    admin.patch("collection/article/1", json!({"cost": 5})).await.is(200);
    admin.patch("collection/article/12", json!({"name": "z"})).await.is(200);
    assert_eq!(digest().await, before);
    let deleting = EDITOR.replace("    edit:", "    delete: true\n    edit:");
    server.change(&[("roles/editor.yaml", &deleting)]).await;
    for text in ["seen", "hidden"] {
        admin.create("note", json!({"text": text, "article": 1})).await;
    }
    let first = json!({"action": "delete", "filters": below(1), "dryRun": true});
    assert_eq!(editor.post(BULK, first).await.is(200).at("/deleted"), json!({"article": 1, "note": 1}));
}

/// Others take resources out of the filter, and put some in, at the same time.
#[spec("E-061")]
async fn no_race_widens_a_bulk_write(server: Server) {
    let admin = server.admin();
    articles(&admin, 30).await;
    let mut tasks = JoinSet::new();
    for id in 1..=30 {
        let client = admin.clone();
        tasks.spawn(async move { client.patch(&format!("collection/article/{id}"), json!({"status": "old"})).await });
        if id % 5 == 0 {
            let (client, draft) = (admin.clone(), json!([{"property": "status", "type": "eq", "param": "draft"}]));
            let body = json!({"action": "patch", "filters": draft, "set": {"body+=": "x", "rating": 1}});
            tasks.spawn(async move { client.post(BULK, body).await });
        }
    }
    while let Some(reply) = tasks.join_next().await {
        reply.unwrap().is(200);
    }
    let page = admin.get("collection/article?perPage=100&showFields=status,version").await.is(200);
    assert!(page.column("status").iter().all(|status| status == "old"), "{}", page.text);
}

#[spec("E-060")]
async fn a_thousand_resources_are_one_transaction(server: Server) {
    let admin = server.admin();
    articles(&admin, 1_000).await;
    let reply = admin.post(BULK, json!({"action": "patch", "all": true, "set": {"views+=": 1}})).await.is(200);
    assert_eq!(counts(&reply), [1_000, 1_000]);
    articles(&admin, 1).await;
    admin.post(BULK, json!({"action": "delete", "all": true})).await.is(409).says("find 1001 resources");
    let more = json!({"action": "delete", "all": true, "atomic": true, "limit": 10_000});
    assert_eq!(counts(&admin.post(BULK, more).await.is(200)), [1_001, 1_001]);
}

#[spec("E-100")]
async fn many_resources_are_changed_by_a_job(server: Server) {
    let admin = server.admin();
    articles(&admin, 1_400).await;
    let _working = server.work_jobs();
    let patch = |more: Json| {
        let mut body = json!({"action": "patch", "filters": below(1_300), "set": {"_add": {"views": 10_000}}});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    };
    assert_eq!(admin.post(BULK, patch(json!({}))).await.is(409).at("/code"), "count_unexpected");
    for wrong in [json!({"limit": 5_000, "expect": 1_299}), json!({"limit": 5_000, "digest": "x"})] {
        admin.post(BULK, patch(wrong)).await.is(409);
    }
    let tried = admin.post(BULK, patch(json!({"limit": 5_000, "dryRun": true}))).await.is(200);
    assert_eq!(counts(&tried), [json!(1_300), json!(1_300)]);
    let right = json!({"limit": 5_000, "expect": 1_300, "digest": tried.at("/digest")});
    let named = admin.with("idempotency-key", "once");
    let begun = named.post(BULK, patch(right.clone())).await.is(202);
    assert_eq!(
        [begun.at("/kind"), begun.at("/total"), begun.at("/atomic")],
        [json!("bulk"), json!(1_300), json!(false)]
    );
    let again = named.post(BULK, patch(right)).await.is(202);
    assert_eq!((again.at("/id"), again.header("idempotency-replayed")), (begun.at("/id"), "true"));
    let job = done(&admin, &begun).await;
    assert_eq!([&job["done"], &job["result"]["matched"], &job["result"]["changed"]], [1_300, 1_300, 1_300]);
    let changed = json!({"filters": [{"property": "views", "type": "gte", "param": 10_000}], "perPage": 1});
    let changed = admin.post("/api/ext/v1/collection/article/search", changed).await.is(200);
    assert_eq!(changed.at("/stats/total"), 1_300);
}
