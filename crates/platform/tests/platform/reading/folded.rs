//! Texts without regard to case and diacritics: each row's text is folded at most once, however many texts it is compared with.

use super::world::{World, pairs};
use context::request_context::RequestContext;
use database::Tx;
use query::request::ListRequest;
use serde_json::{Value as Json, json};
use spec::spec;
use tokio::task::block_in_place;

const ROWS: usize = 500;

/// The folds in the statements of a list, for the total and for the rows; and the list's effort.
fn cost(world: &World, filters: &Json) -> ([usize; 2], i64) {
    let filters = filters.to_string();
    let request = ListRequest::parse(&pairs(&[("filters", &filters), ("orderBy", "id")]), None).unwrap();
    let job = |tx: &mut Tx<'_>, call: &RequestContext| {
        let statements = resources::list::statements(tx, call, "thing", &request)?;
        let folds = statements.map(|sql| ["plinth_fold(", "normalize("].map(|fold| sql.text().matches(fold).count()));
        // The engine counts what one transaction did.
        tx.snapshot()?;
        let before = tx.effort()?;
        resources::list(tx, call, "thing", &request)?;
        Ok((folds.map(|folds| folds.iter().sum()), tx.effort()? - before))
    };
    block_in_place(|| world.tenant.read_as_administrator(job)).unwrap()
}

#[spec]
async fn a_text_is_folded_once_for_all_that_it_is_compared_with(world: World) {
    let rows: Vec<Json> = (0..ROWS).map(|row| json!({"text": format!("Žluťoučký kůň {row}")})).collect();
    world.put("thing", &rows);
    let contains =
        |row: usize| json!({"property": "text", "type": "contains", "param": format!("KUN {row}x"), "fold": true});
    let any =
        |count: usize| json!([{"property": "*", "type": "or", "param": Vec::from_iter((0..count).map(contains))}]);
    let (one, effort_of_one) = cost(&world, &any(1));
    let (many, effort_of_many) = cost(&world, &any(99));
    // PostgreSQL looks for them by patterns, and folds nothing.
    assert!(one.into_iter().chain(many).all(|folds| folds <= 1), "folds of a row: {one:?} and {many:?}");
    // Each row is read once for the total and once for the page, and each comparison more is a few instructions of SQLite.
    let comparisons = 2 * ROWS as i64 * 98;
    assert!(effort_of_one >= 2 * ROWS as i64, "{effort_of_one} for one");
    assert!(effort_of_many <= effort_of_one + 8 * comparisons, "{effort_of_many} for 99, {effort_of_one} for one");
}
