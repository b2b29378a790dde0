//! The numbers of rows by what a relation refers to: they are there as long as something does.

use super::setup::Setup;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::{ColumnType, Name, Tx};
use query::aggregate_request::AggregateRequest;
use resources::Body;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Subject};

const PLACE: &str = "id: 40\nname: place\nproperties:\n  name: {id: 400, kind: pString}\n";
const VISIT: &str = "id: 41\nname: visit\nproperties:\n  \
                     place: {id: 410, kind: pRelation, type: place, onDelete: setNull, index: true}\n  \
                     next:  {id: 411, kind: pRelation, type: visit, onDelete: cascade, index: true}\n  \
                     plain: {id: 412, kind: pRelation, type: place, onDelete: setNull}\n";

/// Three places, and visits 1 to 3 of the first, which lead to one another, and 4 of the second.
async fn visits(setup: &Setup) -> CallerKey {
    setup.apply(&[("types/place.yaml", PLACE), ("types/visit.yaml", VISIT)]).await;
    let key = setup.key("admin").await;
    for _ in 0..3 {
        setup.create(&key, "place", json!({})).await.unwrap();
    }
    for (place, next) in [(1, json!(null)), (1, json!(1)), (1, json!(2)), (2, json!(null))] {
        setup.create(&key, "visit", json!({"place": place, "next": next, "plain": place})).await.unwrap();
    }
    key
}

/// Property, value, number: those of all slots, or their sums.
fn numbers(setup: &Setup, sums: bool) -> Vec<(i64, String, i64)> {
    let mut numbers = Vec::new();
    let read = setup.tenant.store().read_blocking(|tx| {
        let mut sql = tx.sql();
        sql.push("SELECT property, value, ").push(if sums { "CAST(SUM(rows) AS " } else { "CAST(MAX(rows) AS " });
        sql.column_type(ColumnType::Integer).push(") FROM ").table(&Name::fixed("plinth_tally"));
        sql.push(" WHERE property >= 410 GROUP BY property, value");
        sql.push(if sums { " HAVING SUM(rows) <> 0" } else { "" }).push(" ORDER BY property, value");
        tx.query(&sql, &mut |row| {
            numbers.push((row.integer(0)?, row.text(1)?.to_owned(), row.integer(2)?));
            Ok(())
        })
    });
    let read: database::Result<()> = read;
    read.unwrap();
    numbers
}

fn expected(numbers: &[(i64, &str, i64)]) -> Vec<(i64, String, i64)> {
    numbers.iter().map(|(property, value, rows)| (*property, (*value).to_owned(), *rows)).collect()
}

#[spec("R-025")]
async fn they_follow_what_refers(setup: Setup) {
    let key = visits(&setup).await;
    let start = [(410, "1", 3), (410, "2", 1), (411, "1", 1), (411, "2", 1)];
    assert_eq!(numbers(&setup, true), expected(&start));
    setup.patch(&key, "visit", 4, json!({"place": 3})).await.unwrap();
    setup.replace(&key, "visit", 3, json!({"place": 1})).await.unwrap();
    assert_eq!(numbers(&setup, true), expected(&[(410, "1", 3), (410, "3", 1), (411, "1", 1)]));
    // Visit 1 takes with it visit 2.
    setup.delete(&key, "visit", 1).await.unwrap();
    assert_eq!(numbers(&setup, true), expected(&[(410, "1", 1), (410, "3", 1)]));
    setup.delete(&key, "place", 1).await.unwrap();
    assert_eq!(numbers(&setup, true), expected(&[(410, "3", 1)]));
}

#[spec("R-025")]
async fn a_resource_that_goes_takes_its_numbers_with_it(setup: Setup) {
    let key = visits(&setup).await;
    setup.delete(&key, "place", 1).await.unwrap();
    setup.delete(&key, "visit", 1).await.unwrap();
    let left = numbers(&setup, false);
    assert!(left.iter().all(|(property, value, _)| *property == 410 && value == "2"), "{left:?}");
    assert_eq!(numbers(&setup, true), expected(&[(410, "2", 1)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn with_one_slot_what_nothing_refers_to_has_no_number() {
    let setup = Setup::on(Engine::Sqlite).await;
    let key = visits(&setup).await;
    setup.patch(&key, "visit", 4, json!({"place": null})).await.unwrap();
    setup.patch(&key, "visit", 3, json!({"next": 1})).await.unwrap();
    assert_eq!(numbers(&setup, false), expected(&[(410, "1", 3), (411, "1", 2)]));
    for visit in [3, 2] {
        setup.delete(&key, "visit", visit).await.unwrap();
    }
    assert_eq!(numbers(&setup, false), expected(&[(410, "1", 1)]));
}

/// The groups of visits by a key, and how many there are.
fn groups(tx: &mut Tx<'_>, context: &RequestContext, key: &str) -> Json {
    let body = json!({"groupBy": [key], "totals": true});
    let asked = AggregateRequest::parse(&[], body.as_object()).unwrap();
    let answer = resources::aggregate_answer(tx, context, "visit", &asked, false).unwrap();
    let answer: Json = serde_json::from_slice(&answer.body.into_whole().unwrap()).unwrap();
    json!([answer["data"], answer["totals"]["count"]])
}

/// Without its rows, the table has nothing to count; the numbers are as they were.
#[spec("E-130")]
async fn groups_are_read_without_the_table(setup: Setup) {
    visits(&setup).await;
    let by =
        |key: &'static str| setup.tenant.read_as_administrator(|tx, context| Ok(groups(tx, context, key))).unwrap();
    tokio::task::block_in_place(|| {
        let places = json!([[{"place": 1, "count": 3}, {"place": 2, "count": 1}], 4]);
        let next = json!([[{"next": 1, "count": 1}, {"next": 2, "count": 1}, {"next": null, "count": 2}], 4]);
        let plain = json!([[{"plain": 1, "count": 3}, {"plain": 2, "count": 1}], 4]);
        assert_eq!([by("place"), by("next"), by("plain")], [places.clone(), next.clone(), plain]);
        let emptied = setup.tenant.write_as_administrator(|tx, _| {
            let mut sql = tx.sql();
            sql.push("DELETE FROM ").table(&Name::fixed("t41"));
            Ok(tx.execute(&sql)?)
        });
        emptied.unwrap();
        assert_eq!([by("place"), by("next")], [places, next]);
        assert_eq!(by("plain"), json!([[], 4]), "without an index of its own, the table is read");
    });
}

/// A transaction sees its own writes in the groups; others see them once they are committed.
#[spec("E-130")]
async fn groups_are_those_of_the_transaction(setup: Setup) {
    visits(&setup).await;
    let elsewhere = || setup.tenant.read_as_administrator(|tx, context| Ok(groups(tx, context, "place"))).unwrap();
    let before = json!([[{"place": 1, "count": 3}, {"place": 2, "count": 1}], 4]);
    let after = json!([[{"place": 1, "count": 3}, {"place": 2, "count": 1}, {"place": 3, "count": 1}, {"place": null, "count": 1}], 6]);
    tokio::task::block_in_place(|| {
        let write = |tx: &mut Tx<'_>, context: &RequestContext| {
            for place in [json!(3), Json::Null] {
                let body = json!({"place": place, "plain": place});
                resources::create(tx, context, "visit", &Body::plain(body.as_object().unwrap().clone()))?;
            }
            assert_eq!(groups(tx, context, "place"), after);
            assert_eq!(elsewhere(), before);
            Ok(())
        };
        setup.tenant.write_as_administrator(write).unwrap();
        assert_eq!(elsewhere(), after);
    });
}
