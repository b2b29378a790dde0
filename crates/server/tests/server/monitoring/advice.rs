//! `plinth advise`: indexes for the slow statements of a log.

use crate::commands::many::platform;
use crate::commands::program::Plinth;
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write as _;
use tokio::task::block_in_place;

const ROWS: u32 = 60_000;
const TYPE: &str = "name: city
id: 10
properties:
  name: {id: 101, kind: pString, required: true}
  state: {id: 102, kind: pEnum, options: [a, b, c]}
  size: {id: 103, kind: pInteger}
  day: {id: 104, kind: pDate}
  code: {id: 105, kind: pInteger, index: true}
  part: {id: 106, kind: pRelation, type: city}
  map: {id: 107, kind: pFile}
";

/// Makes a tenant with cities; gives the key of an administrator.
fn fill(plinth: &Plinth) -> String {
    plinth.file("acme/tenant.yaml", "tenant: acme\n");
    plinth.file("acme/roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n");
    apply(plinth, TYPE);
    plinth.run(&["user", "create", "ann", "--role", "admin"]).done();
    let mut rows = "name,state,size,day,code\n".to_owned();
    for row in 0..ROWS {
        let (state, day) = (["a", "b", "c"][row as usize % 3], 1 + row % 28);
        writeln!(rows, "City {row},{state},{},2026-01-{day:02},{row}", row % 5_000).unwrap();
    }
    let rows = plinth.file("cities.csv", rows);
    plinth.run(&["import", "city", &rows]).done();
    plinth.run(&["key", "create", "ann"]).done()
}

fn apply(plinth: &Plinth, city: &str) {
    let file = plinth.file("acme/types/city.yaml", city);
    plinth.run(&["apply", file.strip_suffix("/types/city.yaml").unwrap()]).done();
}

/// Asks a server for lists that need indexes and others that do not; returns its log.
async fn slow_log(plinth: &Plinth, key: &str) -> String {
    let settings = [("PLINTH_LOG_SLOW", "1ms"), ("PLINTH_LOG_ACCESS", "false")];
    let server = block_in_place(|| plinth.start_with("serve", &settings));
    let client = server.client().with("key", key.trim()).at_contract();
    let filter = |property: &str, way: &str, value: Json| {
        json!([{"property": property, "type": way, "param": value}]).to_string()
    };
    for round in 1..=8_u32 {
        let page = round.to_string();
        let state = filter("state", "eq", json!(["a", "b", "c"][round as usize % 3]));
        for parameters in [
            vec![("filters", filter("size", "eq", json!(round * 7)))],
            vec![("filters", state), ("orderBy", "day".to_owned()), ("page", page.clone())],
            vec![("orderBy", "name".to_owned()), ("page", page.clone())],
            vec![("filters", filter("code", "eq", json!(round)))],
            vec![("filters", filter("part", "eq", json!(round)))],
            vec![("filters", filter("name", "contains", json!(format!("y {round}")))), ("page", page)],
        ] {
            let parameters: Vec<(&str, &str)> =
                parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let reply = client.query("collection/city", &parameters).await;
            assert!(reply.status < 300, "{:?}", reply.bytes);
        }
    }
    block_in_place(|| server.stop()).1
}

/// Returns the lines that are proposed, with their places.
fn proposed(plinth: &Plinth, log: &str) -> Vec<Json> {
    let items = plinth.run(&["advise", log, "--json"]).json()["items"].take();
    let mut items = items.as_array().unwrap().clone();
    items.sort_by_key(|item| item["properties"].to_string());
    items
}

/// Returns the plan that the database has now for the statement of an item.
fn plan(plinth: &Plinth, item: &Json) -> String {
    let tenant = platform(plinth).open("acme").unwrap();
    tenant.store().plan_blocking(item["statement"].as_str().unwrap()).unwrap().join("\n")
}

#[spec("E-195")]
async fn indexes_are_proposed_for_slow_statements_until_they_are_there(plinth: Plinth) {
    let engine = if plinth.postgres.is_some() { "postgres" } else { "sqlite" };
    let key = block_in_place(|| fill(&plinth));
    let log = slow_log(&plinth, &key).await;
    // The plan is one for any value, not for none.
    assert!(log.contains("\"plan\"") && !log.contains("One-Time Filter"), "{log}");
    let path = plinth.file("plinth.log", &log);
    let items = block_in_place(|| proposed(&plinth, &path));
    let lines: Vec<(&str, &str)> =
        items.iter().map(|item| (item["at"].as_str().unwrap(), item["line"].as_str().unwrap())).collect();
    let expected =
        [("properties.name", "index: true"), ("properties.size", "index: true"), ("", "indexes: [[state, day]]")];
    assert_eq!(lines, expected, "{items:#?}");
    for item in &items {
        assert_eq!((&item["tenant"], &item["type"]), (&json!("acme"), &json!("city")));
        assert!(item["seen"].as_u64().unwrap() >= 1, "{item}");
        assert!(item["totalMs"].as_f64().unwrap() >= item["worstMs"].as_f64().unwrap(), "{item}");
        assert!(item["worstMs"].as_f64().unwrap() >= 1.0, "{item}");
        let plan = block_in_place(|| plan(&plinth, item));
        assert!(plan.contains(if engine == "postgres" { "Seq Scan on" } else { "SCAN r0" }), "{plan}");
    }
    // For people, out of a pipe whose lines have something before them.
    let piped: String = log.lines().map(|line| format!("plinth-1  | {line}\n")).collect();
    let told = block_in_place(|| plinth.run_with(&["advise"], piped.as_bytes()).done());
    assert!(told.contains("advise city: index: true, at properties.size"), "{told}");
    assert!(told.contains("size is one of some values") && told.contains("statement"), "{told}");
    assert!(told.contains("state is one of some values, in the order of day"), "{told}");

    // With the lines in the file, the same log gives no advice, and statements go by the indexes.
    let indexed = TYPE
        .replace("id: 10\n", "id: 10\nindexes: [[state, day]]\n")
        .replace("required: true", "required: true, index: true")
        .replace("id: 103, kind: pInteger", "id: 103, kind: pInteger, index: true");
    block_in_place(|| apply(&plinth, &indexed));
    assert_eq!(block_in_place(|| proposed(&plinth, &path)), [] as [Json; 0]);
    for item in &items {
        let plan = block_in_place(|| plan(&plinth, item));
        let properties = item["properties"].as_array().unwrap();
        let index = match properties[0].as_str().unwrap() {
            "name" => "p101_id",
            "size" => "p103_id",
            _ => "p102_p104_id",
        };
        assert!(plan.contains(index), "{index}: {plan}");
    }
    let log = slow_log(&plinth, &key).await;
    let path = plinth.file("later.log", &log);
    assert_eq!(block_in_place(|| proposed(&plinth, &path)), [] as [Json; 0], "{log}");
}

#[spec("E-195")]
async fn a_log_is_judged_and_not_trusted(plinth: Plinth) {
    block_in_place(|| {
        plinth.file("acme/tenant.yaml", "tenant: acme\n");
        apply(&plinth, TYPE);
        let schema = if plinth.postgres.is_some() { "\"plinth_acme\"." } else { "" };
        let line = |fields: Json| format!("{fields}\n");
        let statement = |id: &str, statement: &str| {
            line(json!({"target": "slow", "id": id, "ms": 300.0, "rows": 1, "statement": statement}))
        };
        let request = |id: &str, tenant: &str| {
            line(json!({"target": "slow", "id": id, "ms": 400.0, "tenant": tenant, "route": "/", "jobs": 1}))
        };
        let mut log = "{\"target\": \"slow\", \"id\"\nno JSON\n".to_owned();
        log += &request("1", "acme");
        log += &request("2", "gone");
        for text in [
            "SELECT r0.id FROM t10 AS r0 WHERE r0.p103 = 1;DROP TABLE plinth_meta",
            "SELECT r0.id FROM t10 AS r0 WHERE r0.p103 = 1; DROP TABLE plinth_meta",
            "SELECT r0.id FROM t10 AS r0 WHERE r0.p103 = 'a\\'';DROP TABLE plinth_meta --",
            "SELECT r0.id FROM t99 AS r0 WHERE r0.p103 = 1",
            "SELECT r0.id FROM t10 AS r0 WHERE r0.p999 = 1",
            "SELECT ((((",
            "",
        ] {
            let text = &text.replace("FROM ", &format!("FROM {schema}")).replace("TABLE ", &format!("TABLE {schema}"));
            log += &statement("1", text);
            log += &statement("2", text);
            log += &statement("unknown", text);
        }
        let ran = plinth.run_with(&["advise"], log.as_bytes());
        assert!(ran.errors.contains("statements of gone, which is no tenant here"), "{}", ran.errors);
        let told = ran.done();
        // One is whole up to a semicolon with a space behind it: statements of a round trip stand so.
        assert_eq!(told.matches("advise city: index: true, at properties.size").count(), 1, "{told}");
        let nope = plinth.run_with(&["advise", "--tenant", "nope"], log.as_bytes());
        assert!(nope.code == 1 && nope.errors.contains("There is no tenant nope."), "{}", nope.errors);
        plinth.run(&["tenant", "create", "idle"]).done();
        let idle = plinth.run_with(&["advise", "--tenant", "idle"], log.as_bytes()).done();
        assert!(idle.contains("The log has no slow statement of the tenant idle."), "{idle}");
        plinth.run(&["check", plinth.path("acme").to_str().unwrap()]).done();
        assert!(plinth.run(&["plan", plinth.path("acme").to_str().unwrap()]).done().contains("Nothing to change"));
        for text in ["10:00 INFO slow: a statement of it", ""] {
            let ran = plinth.run_with(&["advise"], text.as_bytes());
            assert_eq!(ran.code != 0, !text.is_empty(), "{}{}", ran.output, ran.errors);
        }
    });
}
