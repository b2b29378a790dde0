//! Totals: the rows of a list are counted once for its pages in all orders, until a write of its type.

use super::world::{World, pairs};
use context::request_context::RequestContext;
use database::Tx;
use query::request::ListRequest;
use serde_json::{Value as Json, json};
use spec::spec;
use tenant::cache::Parts;
use tokio::task::block_in_place;

const ROWS: i64 = 4_000;
/// The least that counting takes, in rows of PostgreSQL or instructions of SQLite: half of all rows match.
const COUNTING: i64 = ROWS / 2 * 9 / 10;

/// The effort of a list of things, and its total.
fn list(world: &World, query: &[(&str, &str)]) -> (i64, i64) {
    let request = ListRequest::parse(&pairs(&[query, &[("perPage", "5")]].concat()), None).unwrap();
    let tenant = &world.tenant;
    let job = |tx: &mut Tx<'_>, call: &RequestContext| {
        // The engine counts what one transaction did.
        tx.snapshot()?;
        let before = tx.effort()?;
        let configuration = call.epochs.configuration;
        let parts = Parts { cache: tenant.cache(), tenant: tenant.shared_name(), configuration };
        let answer = resources::list_answer(tx, call, "thing", &request, Some(&parts))?;
        let effort = tx.effort()? - before;
        let list: Json = serde_json::from_slice(&answer.body.into_whole()?).unwrap();
        Ok((effort, list["stats"]["total"].as_i64().unwrap()))
    };
    block_in_place(|| tenant.read_as_administrator(job)).unwrap()
}

#[spec("D-28")]
async fn a_total_is_counted_once_until_a_write(world: World) {
    let row = |number: i64| match number % 2 {
        0 => json!({"text": format!("common {number}")}),
        _ => json!({"text": format!("seldom {number}")}),
    };
    world.put("thing", &Vec::from_iter((0..ROWS).map(row)));
    for (condition, before) in [
        (json!({"property": "text", "type": "contains", "param": "common"}), ROWS / 2),
        (json!({"property": "*", "type": "search", "param": "common"}), ROWS / 2 + 2),
    ] {
        let filters = json!([condition]).to_string();
        // No order has an index, and of none are rows remembered: all that differs is the total.
        let by = |order: &str| list(&world, &[("filters", &filters), ("orderBy", order)]);
        let (first, again) = (by("ratio"), by("price"));
        world.put("country", &[json!({"name": "Elsewhere"})]);
        let still = by("limit");
        assert_eq!([first.1, again.1, still.1], [before; 3], "{condition}");
        for known in [again, still] {
            assert!(first.0 - known.0 >= COUNTING, "{condition}: {known:?} is as much as {first:?}");
        }
        for more in 1..=2 {
            world.put("thing", &[row(0)]);
            let (anew, again) = (by("day"), by("until"));
            assert_eq!([anew.1, again.1], [before + more; 2], "{condition}");
            assert!(anew.0 - again.0 >= COUNTING, "{condition}: {again:?} is as much as {anew:?}");
        }
    }
}
