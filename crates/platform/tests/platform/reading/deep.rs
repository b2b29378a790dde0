//! Pages far down long lists: each has the rows that the order says, whatever the order, the filter and the caller.

use super::world::{World, pairs};
use accounts::users;
use context::caller_key::CallerKey;
use platform::tenants;
use platform::tenants::Settings;
use query::read_query::ReadQuery;
use query::request::ListRequest;
use serde_json::{Value as Json, json};
use spec::spec;
use std::cmp::Ordering;
use testing::{Choices, Engine, Subject};
use tokio::task::block_in_place;

const FILES: &[(&str, &str)] = &[
    ("tenant.yaml", "tenant: acme\napi: {maxPageLength: 2000}\n"),
    ("roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes:\n  \"*\": {show: true, edit: true}\n"),
    (
        "roles/part.yaml",
        "role: part\nsystem: [restApi]\ntypes:\n  thing:\n    show:\n      - {where: \"{=flag}\"}\n      \
         - {where: \"{=count > 5}\", fields: [code, count, state]}\n",
    ),
    ("users/ada.yaml", "user: ada@acme.test\nname: Ada\nroles: [admin]\n"),
    ("users/pat.yaml", "user: pat@acme.test\nname: Pat\nroles: [part]\n"),
    (
        "types/thing.yaml",
        "id: 10\nname: thing\norderBy: -views\nindexes: [[state, views], [flag, count]]\nproperties:\n  \
         code:  {id: 100, kind: pInteger, unique: true}\n  \
         count: {id: 101, kind: pInteger, index: true}\n  \
         views: {id: 102, kind: pInteger, index: true, required: true}\n  \
         state: {id: 103, kind: pEnum, index: true, options: {new: {}, open: {}, old: {}, Zed: {}}}\n  \
         flag:  {id: 104, kind: pBoolean, index: true}\n  \
         text:  {id: 105, kind: pString, index: true}\n  \
         price: {id: 106, kind: pDecimal, index: true}\n  \
         ratio: {id: 107, kind: pFloat, index: true}\n  \
         day:   {id: 108, kind: pDate, index: true}\n  \
         above: {id: 109, kind: pRelation, type: thing, index: true}\n  \
         plain: {id: 110, kind: pInteger}\n",
    ),
];
/// The rows that are made, more than a list needs to be long.
const ROWS: i64 = 8_000;
const KEYS: [&str; 11] = ["code", "count", "views", "state", "flag", "text", "price", "ratio", "day", "above", "plain"];

/// A tenant with many rows, as they are in memory.
struct Many {
    world: World,
    rows: Vec<Json>,
    ada: CallerKey,
    pat: CallerKey,
}

impl Subject for Many {
    async fn on(engine: Engine) -> Self {
        block_in_place(|| make(engine))
    }
}

fn make(engine: Engine) -> Many {
    let world = World::set(engine, FILES, Settings::default());
    let mut choices = Choices::new(18);
    let mut rows: Vec<Json> = (1..=ROWS).map(|id| row(&mut choices, id)).collect();
    for some in rows.chunks(2_000) {
        world.put("thing", some);
    }
    // Gaps among the ids, and values that moved.
    for _ in 0..40 {
        let at = choices.below(rows.len());
        let id = rows[at]["id"].as_i64().unwrap();
        if choices.once_in(2) {
            let is_above = |row: &Json| row["above"] == id;
            if !rows.iter().any(is_above) {
                world.delete("thing", id);
                rows.remove(at);
            }
        } else {
            let change = json!({"state": "new", "views": choices.below(50), "flag": null});
            world.patch("thing", id, change.clone());
            for (name, value) in change.as_object().unwrap() {
                rows[at][name] = value.clone();
            }
        }
    }
    let key = |login: &'static str| {
        let made = world.tenant.write_as_administrator(|tx, context| users::create_key(tx, context, login, None));
        CallerKey::parse(&made.unwrap().text.unwrap()).unwrap()
    };
    let (ada, pat) = (key("ada@acme.test"), key("pat@acme.test"));
    Many { world, rows, ada, pat }
}

/// A row with values of few kinds, of many, and without some.
fn row(choices: &mut Choices, id: i64) -> Json {
    let mut row = json!({
        "id": id, "code": ROWS * 2 - id, "count": choices.below(12), "views": choices.below(ROWS as usize / 2),
        "state": choices.of(&["new", "open", "open", "open", "open", "open", "open", "open", "old", "Zed"]), "flag": !choices.once_in(4),
        "text": format!("{}{}", choices.of(&["a", "B", "č", "Z", "z", ""]).repeat(2), choices.below(700)),
        "price": choices.below(900) as f64 / 4.0, "ratio": choices.below(3_000) as f64 / 8.0 - 100.0,
        "day": format!("20{:02}-{:02}-{:02}", choices.below(60), 1 + choices.below(12), 1 + choices.below(28)),
        "above": 1 + choices.below(9), "plain": choices.below(40),
    });
    for name in ["code", "count", "state", "flag", "text", "price", "ratio", "day", "above", "plain"] {
        if choices.once_in(9) || name == "above" && id < 20 {
            row[name] = Json::Null;
        }
    }
    row
}

/// The order of two values, with nulls last.
fn compare(one: &Json, other: &Json) -> Ordering {
    match (one, other) {
        (Json::Null, Json::Null) => Ordering::Equal,
        (Json::Null, _) => Ordering::Greater,
        (_, Json::Null) => Ordering::Less,
        (Json::String(one), Json::String(other)) => one.cmp(other),
        (Json::Bool(one), Json::Bool(other)) => one.cmp(other),
        (one, other) => one.as_f64().unwrap().total_cmp(&other.as_f64().unwrap()),
    }
}

impl Many {
    /// The ids that a list has, worked out here.
    fn expected(&self, order: &[(&str, bool)], holds: &dyn Fn(&Json) -> bool) -> Vec<i64> {
        let mut rows: Vec<&Json> = self.rows.iter().filter(|row| holds(row)).collect();
        rows.sort_by(|one, other| {
            let by = |(name, descending): &(&str, bool)| {
                let order = compare(&one[*name], &other[*name]);
                if *descending { order.reverse() } else { order }
            };
            order.iter().map(by).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        rows.into_iter().map(|row| row["id"].as_i64().unwrap()).collect()
    }

    /// The ids of a page, and the total.
    async fn page(&self, key: Option<&CallerKey>, query: &[(&str, &str)], fresh: bool) -> (Vec<i64>, i64) {
        let page = match key {
            None => self.world.list("thing", query).unwrap(),
            Some(key) => {
                let request = ListRequest::parse(&pairs(query), None).unwrap();
                let question = ReadQuery::List { collection: "thing".into(), request };
                let answer = tenants::answer(&self.world.tenant, key, question, fresh).await.unwrap();
                // The contract has no body for an empty list.
                let Some(body) = answer.body.whole().filter(|body| !body.is_empty()) else { return (Vec::new(), -1) };
                serde_json::from_slice(body).unwrap()
            }
        };
        let ids = page["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect();
        (ids, page["stats"]["total"].as_i64().unwrap())
    }
}

/// A random order: its keys, of which the last is the id.
fn order(choices: &mut Choices) -> Vec<(&'static str, bool)> {
    let mut order: Vec<(&str, bool)> = Vec::new();
    for _ in 0..*choices.of(&[0, 1, 1, 1, 1, 1, 2]) {
        let key = *choices.of(&KEYS);
        if order.iter().all(|(other, _)| *other != key) {
            order.push((key, choices.once_in(2)));
        }
    }
    order.push(("id", choices.once_in(3)));
    order
}

#[spec("D-18", "R-112")]
async fn pages_far_down_have_the_rows_that_the_order_says(many: Many) {
    type Holds = fn(&Json) -> bool;
    let filters: [(&str, Holds); 7] = [
        ("[]", |_| true),
        ("[]", |_| true),
        ("[]", |_| true),
        (r#"[{"property": "state", "type": "eq", "param": "open"}]"#, |row| row["state"] == "open"),
        (r#"[{"property": "flag", "type": "eq", "param": true}]"#, |row| row["flag"] == true),
        (r#"[{"property": "state", "type": "in", "param": ["open", "new"]}]"#, |row| {
            row["state"] == "open" || row["state"] == "new"
        }),
        (r#"[{"property": "plain", "type": "gte", "param": 1}]"#, |row| row["plain"].as_i64() >= Some(1)),
    ];
    let shown: Holds = |row| row["flag"] == true || row["count"].as_i64() > Some(5);
    let mut choices = Choices::new(50);
    // Orders that an index has but for the direction of equal values come for certain, with and without a filter. So do those
    // of two keys that an index has.
    let certain: [(&[&str], usize); 10] = [
        (&["views"], 0),
        (&["views"], 3),
        (&["count"], 4),
        (&["state"], 0),
        (&["count"], 0),
        (&["day"], 0),
        (&["code"], 0),
        (&["state", "views"], 0),
        (&["flag", "count"], 0),
        (&["flag", "count"], 3),
    ];
    for round in 0..70 {
        let mut order = order(&mut choices);
        let mut filter = *choices.of(&filters);
        if let Some((names, place)) = certain.get(round / 2) {
            let is_turned = round % 2 == 0;
            order = names.iter().map(|name| (*name, is_turned)).collect();
            order.push(("id", !is_turned));
            filter = filters[*place];
        }
        let (filter, holds) = filter;
        let names: Vec<String> =
            order.iter().map(|(name, descending)| format!("{}{name}", if *descending { "-" } else { "" })).collect();
        let names = names.join(",");
        // A caller who does not see all sorts by what every row shows.
        let is_part = round % 6 == 5
            && round >= 2 * certain.len()
            && order.iter().all(|(name, _)| ["id", "code", "count", "state"].contains(name));
        let sees = |row: &Json| holds(row) && (!is_part || shown(row));
        if is_part && (filter.contains("flag") || filter.contains("plain")) {
            continue;
        }
        let ids = many.expected(&order, &sees);
        let per_page = *choices.of(&[1, 7, 25, 100, 500, 1_500]);
        let last = ids.len().div_ceil(per_page);
        for _ in 0..6 {
            let page = match choices.below(6) {
                0 => last.max(1),
                1 => last + 1,
                2 => 1 + 1_000 / per_page,
                3 => 1,
                _ => 1 + choices.below(last.max(1)),
            };
            let start = (page - 1) * per_page;
            let wanted: &[i64] = ids.get(start..ids.len().min(start + per_page)).unwrap_or_default();
            let (page_text, per_page) = (page.to_string(), per_page.to_string());
            let query = [
                ("orderBy", names.as_str()),
                ("filters", filter),
                ("page", &page_text),
                ("perPage", &per_page),
                ("showFields", "id"),
            ];
            let key = if is_part { &many.pat } else { &many.ada };
            let fresh = choices.once_in(2);
            for (key, fresh) in [(Some(key), fresh), (Some(key), false), (None, false)] {
                if key.is_none() && is_part {
                    continue;
                }
                let (found, total) = many.page(key, &query, fresh).await;
                assert!(found == wanted, "{names} {filter} {page} of {per_page}: {found:?} instead of {wanted:?}");
                assert!(total == ids.len() as i64 || wanted.is_empty() && total == -1, "{names} {filter}: {total}");
            }
        }
    }
}
