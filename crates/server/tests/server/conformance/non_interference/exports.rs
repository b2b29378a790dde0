//! Exports of callers with random rights: they are the caller's own pages, row by row.

use super::callers::{Caller, callers};
use super::filters;
use super::requests::{path, with};
use super::tenant::{KINDS, Kind, Tenant};
use serde_json::{Map, Value as Json, json};
use spec::spec;
use testing::Choices;

/// Times that all rights are drawn anew, and requests of each.
const DEALS: usize = 4;
const REQUESTS: usize = 60;
/// Rows of a page.
const PAGE: usize = 7;

/// Parameters that lists and exports share.
fn parameters(choices: &mut Choices, tenant: &Tenant, caller: &Caller, of: &Kind) -> Map<String, Json> {
    let mut parameters = Map::new();
    for name in ["showFields", "hideFields", "wrapFields", "orderBy"] {
        if choices.once_in(if name == "showFields" { 2 } else { 4 }) {
            let names: Vec<String> =
                (0..1 + choices.below(3)).map(|_| path(choices, tenant, caller, of, 2).0).collect();
            parameters.insert(name.to_owned(), json!(names.join(",")));
        }
    }
    if choices.once_in(2) {
        parameters.insert("filters".into(), filters::filters(choices, tenant, caller, of));
    }
    if choices.once_in(5) {
        parameters.insert("tags".into(), json!(choices.of(&tenant.tags).id));
    }
    parameters
}

/// The rows of all pages; none where the list refuses what is asked.
async fn pages(caller: &Caller, of: &Kind, parameters: &Map<String, Json>) -> Option<Vec<Json>> {
    let mut rows = Vec::new();
    for page in 1.. {
        let mut parameters = parameters.clone();
        parameters.insert("perPage".into(), json!(PAGE));
        parameters.insert("page".into(), json!(page));
        let reply = caller.client.get(&with(&format!("collection/{}", of.name), &parameters)).await;
        match reply.status {
            200 => rows.extend(reply.at("/data").as_array().unwrap().clone()),
            204 => break,
            _ => return None,
        }
    }
    Some(rows)
}

#[spec("E-093", "D-3")]
async fn an_export_is_what_the_callers_pages_come_to(mut tenant: Tenant) {
    let seed = super::seed(20_261_122);
    let choices = &mut Choices::new(seed);
    super::fill(choices, &mut tenant).await;
    let (mut compared, mut found) = (0, 0);
    for deal in 0..DEALS {
        let callers = callers(choices, &tenant.server).await;
        for request in 0..REQUESTS {
            let (caller, of) = (choices.of(&callers), choices.of(&KINDS));
            let mut parameters = parameters(choices, &tenant, caller, of);
            let expected = pages(caller, of, &parameters).await;
            parameters.insert("format".into(), json!("jsonl"));
            let reply = caller.client.get(&with(&format!("/api/ext/v1/export/{}", of.name), &parameters)).await;
            let place = format!("seed {seed}, deal {deal}, request {request}: {} asks {parameters:?}", caller.name);
            let Some(expected) = expected else {
                assert!(reply.status >= 400, "{place}: an export that no list has");
                continue;
            };
            let text = String::from_utf8(reply.is(200).bytes.to_vec()).unwrap();
            let rows: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(rows, expected, "{place}");
            compared += 1;
            found += rows.len();
        }
    }
    println!("{compared} exports had {found} rows");
    assert!(compared > DEALS * REQUESTS / 4, "only {compared} exports were compared");
}
