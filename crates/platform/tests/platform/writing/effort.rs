//! The work of a child's write, counted by the engine: as much beside few siblings as beside thousands, and a small
//! multiple of that of a write without a rollup.

use super::setup::Setup;
use super::statements::{ACCOUNT, ENTRY};
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use query::request::ItemRef;
use resources::Body;
use serde_json::{Value as Json, json};
use spec::spec;
use std::sync::Arc;
use transfer::import;
use transfer::import::ImportOptions;

const FEW: usize = 10;
const MANY: usize = 5_000;
/// Rows or instructions that two writes alike may differ by.
const DEPTH: i64 = 8;
/// The most that a write with a rollup takes, in writes without.
const MOST: i64 = 3;

/// A parent with one rollup, a parent without any, and a child of each.
pub(super) const TYPES: [(&str, &str); 6] = [
    ("types/account.yaml", ACCOUNT),
    ("types/entry.yaml", ENTRY),
    (
        "types/jar.yaml",
        "id: 77\nname: jar\nproperties:\n  sum: {id: 770, kind: pRollup, relation: coin.jar, function: sum, property: amount}\n",
    ),
    (
        "types/coin.yaml",
        "id: 78\nname: coin\nproperties:\n  jar: {id: 780, kind: pRelation, type: jar}\n  amount: {id: 781, kind: pInteger}\n",
    ),
    ("types/pot.yaml", "id: 79\nname: pot\nproperties:\n  name: {id: 790, kind: pString}\n"),
    (
        "types/chip.yaml",
        "id: 80\nname: chip\nproperties:\n  pot: {id: 800, kind: pRelation, type: pot}\n  amount: {id: 801, kind: pInteger}\n",
    ),
];

/// Imports children of a new parent, with the amounts from one on; gives the parent's id.
async fn family(setup: &Setup, key: &CallerKey, (parent, child): (&'static str, &'static str), count: usize) -> i64 {
    let id = setup.create(key, parent, json!({})).await.unwrap().id;
    let tenant = Arc::clone(&setup.tenant);
    let imported = tokio::task::spawn_blocking(move || {
        import::import(&tenant, child, ImportOptions::default(), |import| {
            (1..=count).try_for_each(|amount| {
                let row = json!({parent: id, "amount": amount});
                import.object(amount as u64, row.as_object().unwrap())
            })
        })
    });
    assert!(imported.await.unwrap().unwrap().kept);
    id
}

/// Returns the effort of a write, when the statements are known: the second of two alike.
async fn effort(
    setup: &Setup,
    key: &CallerKey,
    mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<()> + Send + 'static,
) -> i64 {
    let counted = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let before = tx.effort()?;
        job(tx, context)?;
        Ok(tx.effort()? - before)
    };
    setup.tenant.write(key, counted).await.unwrap()
}

fn body(members: &Json) -> Body {
    Body::plain(members.as_object().unwrap().clone())
}

/// The efforts of writes to a child of so many: a new one, one in the middle, the new greatest, one that is the greatest
/// no more, and its deletion.
async fn efforts(
    setup: &Setup,
    key: &CallerKey,
    (parent, child): (&'static str, &'static str),
    count: usize,
) -> Vec<i64> {
    let of = family(setup, key, (parent, child), count).await;
    let made = setup.create(key, child, json!({parent: of, "amount": 5})).await.unwrap().id;
    let mut efforts = Vec::new();
    let given = body(&json!({parent: of, "amount": 5}));
    efforts.push(effort(setup, key, move |tx, context| resources::create(tx, context, child, &given).map(drop)).await);
    for amount in [6, 1_000_000, 7] {
        let given = body(&json!({"amount": amount}));
        let patch = move |tx: &mut Tx<'_>, context: &RequestContext| {
            resources::patch(tx, context, child, &ItemRef::Id(made), None, &given).map(drop)
        };
        efforts.push(effort(setup, key, patch).await);
    }
    let delete = move |tx: &mut Tx<'_>, context: &RequestContext| {
        resources::delete(tx, context, child, &ItemRef::Id(made), None)
    };
    efforts.push(effort(setup, key, delete).await);
    efforts
}

#[spec]
async fn a_child_of_thousands_is_written_like_a_child_of_few(setup: Setup) {
    setup.apply(&TYPES).await;
    let key = setup.key("admin").await;
    let mut of = Vec::new();
    for names in [("account", "entry"), ("jar", "coin"), ("pot", "chip")] {
        let few = efforts(&setup, &key, names, FEW).await;
        let many = efforts(&setup, &key, names, MANY).await;
        // Trees of PostgreSQL are a page deeper here and there; a look at all siblings costs thousands.
        let near = few.iter().zip(&many).all(|(few, many)| (few - many).abs() <= DEPTH);
        assert!(near, "{names:?}: {few:?} of {FEW}, {many:?} of {MANY}");
        of.push(many);
    }
    // The sum is read and written with its row, and the parent is read and written: three rows in the place of one.
    let [_, summed, plain] = &of[..] else { panic!("{of:?}") };
    let bounded = summed.iter().zip(plain).all(|(summed, plain)| *summed <= MOST * plain + DEPTH);
    assert!(bounded, "{summed:?} with a rollup, {plain:?} without");
}
