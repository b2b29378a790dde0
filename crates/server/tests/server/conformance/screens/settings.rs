//! Settings of the own user.

use model::table_names::USER_SETTING;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Server;

const SETTING: &str = "/api/ext/v1/setting";

fn path(name: &str) -> String {
    format!("{SETTING}/{name}")
}

#[spec("E-144")]
async fn a_setting_is_written_read_and_deleted(server: Server) {
    let admin = server.admin();
    assert_eq!(admin.get(SETTING).await.is(200).json(), json!({"data": []}));
    admin.get(&path("grid.article")).await.is(404).says("setting_missing");
    let value = json!({"columns": ["name", "views"], "density": "compact", "width": {"name": 120.5}});
    let written = admin.put(&path("grid.article"), value.clone()).await.is(204);
    let read = admin.get(&path("grid.article")).await.is(200);
    assert_eq!(read.json(), value);
    assert_eq!(read.header("etag"), written.header("etag"));
    admin.with("if-none-match", read.header("etag")).get(&path("grid.article")).await.is(304);
    // Any JSON is a setting.
    for (name, value) in [("a", json!(true)), ("b-1", json!("x")), ("c_2", json!([1, null])), ("z", Json::Null)] {
        admin.put(&path(name), value.clone()).await.is(204);
        assert_eq!(admin.get(&path(name)).await.is(200).json(), value);
    }
    let names = admin.get(SETTING).await.is(200);
    assert_eq!(names.column("name"), ["a", "b-1", "c_2", "grid.article", "z"]);
    admin.delete(&path("a")).await.is(204);
    admin.delete(&path("a")).await.is(404).says("setting_missing");
    // They are the user's own, and go with the user.
    let reader = server.reader();
    assert_eq!(reader.get(SETTING).await.is(200).json(), json!({"data": []}));
    reader.get(&path("grid.article")).await.is(404);
    reader.put(&path("grid.article"), json!(1)).await.is(204);
    assert_eq!(admin.get(&path("grid.article")).await.json(), value);
    let id = server.user("reader").await;
    admin.delete(&format!("collection/user/{id}")).await.is(204);
    let left = server.look(|tx, _| {
        let mut sql = tx.sql();
        sql.push("SELECT count(*) FROM ").table(&USER_SETTING).push(" WHERE content = ").bind("1");
        let mut count = 0;
        tx.query(&sql, &mut |row| {
            count = row.integer(0)?;
            Ok(())
        })?;
        Ok(count)
    });
    assert_eq!(left.await, 0);
}

#[spec("E-145")]
async fn writes_of_settings_have_preconditions_and_limits(server: Server) {
    let admin = server.admin();
    let any = admin.with("if-none-match", "*");
    let first = any.put(&path("a"), json!(1)).await.is(204).header("etag").to_owned();
    any.put(&path("a"), json!(2)).await.is(412).says("resource_changed");
    let matching = admin.with("if-match", &first);
    let second = matching.put(&path("a"), json!(2)).await.is(204).header("etag").to_owned();
    assert_ne!(first, second);
    matching.put(&path("a"), json!(3)).await.is(412).says("resource_changed");
    matching.delete(&path("a")).await.is(412).says("resource_changed");
    admin.with("if-match", "*").put(&path("none"), json!(3)).await.is(412);
    admin.with("if-none-match", "\"x\"").put(&path("a"), json!(3)).await.is(400).says("if_none_match_invalid");
    admin.with("if-match", &second).delete(&path("a")).await.is(204);
    let longest = "n".repeat(100);
    admin.put(&path(&longest), json!(1)).await.is(204);
    for name in [&"n".repeat(101), "Grid", "a%20b", "%C3%A9"] {
        admin.put(&path(name), json!(1)).await.is(400).says("setting_name_invalid");
    }
    // No path has a control character. The OpenAPI document tells this answer, too.
    admin.put(&path("a%0F"), json!(1)).await.is(404).says("not_found");
    let large = "x".repeat(64 * 1024 - 2);
    admin.put(&path("large"), json!(large)).await.is(204);
    admin.put(&path("large"), json!(format!("{large}x"))).await.is(413);
    admin.request("PUT", &path("bad")).body("application/json", "{").send().await.is(400).says("json_invalid");
    admin.request("PUT", &path("bad")).body("application/json", "").send().await.is(400).says("json_invalid");
    admin.put(&format!("{}?x=1", path("a")), json!(1)).await.is(400).says("parameter_unknown");
    // Two exist; 200 may.
    for number in 0..198 {
        admin.put(&path(&format!("s{number}")), json!(number)).await.is(204);
    }
    admin.put(&path("more"), json!(1)).await.is(409).says("settings_too_many");
    admin.put(&path("s1"), json!("again")).await.is(204);
    server.client().get(SETTING).await.is(403);
}
