//! Other ends of relations, random requests and against a reference: they are what the caller's own pages of the type
//! that refers come to.

use super::callers::{Caller, callers};
use super::filters;
use super::requests::{Ask, path};
use super::tenant::{Kind, NUMBERS, Shape, Tenant, kind};
use serde_json::{Map, Value as Json, json};
use spec::spec;
use std::collections::BTreeMap;
use testing::{Choices, Client};

/// Times that all rights are drawn anew, and requests of each.
const DEALS: usize = 4;
const REQUESTS: usize = 60;

/// A relation and its other end.
pub(super) struct Inverse {
    /// The type that shows it.
    pub(super) of: &'static str,
    pub(super) name: &'static str,
    /// The type that refers, and its relation.
    pub(super) holder: &'static str,
    pub(super) relation: &'static str,
}

/// All of them, as the types have them.
pub(super) const INVERSES: [Inverse; 6] = [
    Inverse { of: "writer", name: "stories", holder: "story", relation: "author" },
    Inverse { of: "writer", name: "reads", holder: "story", relation: "readers" },
    Inverse { of: "user", name: "owned", holder: "story", relation: "owner" },
    Inverse { of: "story", name: "below", holder: "story", relation: "above" },
    Inverse { of: "place", name: "homes", holder: "writer", relation: "home" },
    Inverse { of: "writer", name: "staff", holder: "writer", relation: "chief" },
];

/// A list with inverses, of whatever comes to mind.
pub(super) fn request(choices: &mut Choices, tenant: &Tenant, caller: &Caller) -> Ask {
    let inverse = choices.of(&INVERSES);
    let holder = kind(inverse.holder);
    let (field, shape) = path(choices, tenant, caller, holder, 1);
    let total = match shape {
        Some(Shape::Number) => format!("{}.{}.{field}", inverse.name, choices.of(&["$sum", "$avg", "$min", "$max"])),
        _ => format!("{}.$count", inverse.name),
    };
    let mut body = Map::new();
    body.insert("showFields".into(), json!(["id", total, format!("{}.{field}", inverse.name)]));
    let mut options = json!({"filters": filters::filters(choices, tenant, caller, holder)});
    if choices.once_in(2) {
        options["limit"] = json!(1 + choices.below(2));
        options["orderBy"] = json!(path(choices, tenant, caller, holder, 0).0);
    }
    if choices.once_in(2) {
        body.insert("_related".into(), json!({inverse.name: options}));
    }
    if choices.once_in(2) {
        body.insert("orderBy".into(), json!([format!("-{total}"), "id"]));
    }
    if choices.once_in(2) {
        body.insert("filters".into(), json!([filter(choices, tenant, caller, inverse, holder)]));
    }
    Ask::search(format!("collection/{}", inverse.of), Json::Object(body))
}

/// A filter by what refers.
fn filter(choices: &mut Choices, tenant: &Tenant, caller: &Caller, inverse: &Inverse, holder: &Kind) -> Json {
    let name = inverse.name;
    match choices.below(4) {
        0 => {
            let comparison = choices.of(&["eq", "neq", "lt", "lte", "gt", "gte"]);
            json!({"property": name, "type": "size", "param": {*comparison: choices.below(3)}})
        }
        1 => {
            json!({"property": name, "type": choices.of(&["anyOf", "noneOf", "allOf"]), "param": [tenant.row(choices, inverse.holder)]})
        }
        2 => {
            let inner = filters::filters(choices, tenant, caller, holder);
            json!({"property": name, "type": choices.of(&["some", "none", "every"]), "param": inner})
        }
        _ => {
            let (field, shape) = path(choices, tenant, caller, holder, 1);
            filters::leaf(choices, tenant, &format!("{name}.{field}"), shape)
        }
    }
}

#[spec("E-074", "D-3")]
async fn inverses_are_what_the_callers_pages_come_to(mut tenant: Tenant) {
    let seed = super::seed(20_261_122);
    let choices = &mut Choices::new(seed);
    super::fill(choices, &mut tenant).await;
    let (mut compared, mut members) = (0, 0);
    for deal in 0..DEALS {
        let callers = callers(choices, &tenant.server).await;
        for request in 0..REQUESTS {
            let caller = choices.of(&callers);
            let inverse = choices.of(&INVERSES);
            let filters = match choices.once_in(2) {
                true => filters::filters(choices, &tenant, caller, kind(inverse.holder)),
                false => json!([]),
            };
            let place = format!(
                "seed {seed}, deal {deal}, request {request}: {} of {} by {filters}",
                caller.name, inverse.name
            );
            let Some(owned) = referring(inverse, &caller.client, &filters).await else {
                refused(inverse, &caller.client, &filters, &place).await;
                continue;
            };
            let Some(rows) = rows(&caller.client, inverse.of, json!({"showFields": ["id"]})).await else { continue };
            let size = choices.below(NUMBERS);
            let shown = shown(inverse, &caller.client, &filters).await;
            let sized = json!({"filters": [{"property": inverse.name, "type": "size", "param": {"gte": size}}], "showFields": ["id"]});
            let some = json!({"filters": [{"property": inverse.name, "type": "some", "param": filters}], "showFields": ["id"]});
            let all = referring(inverse, &caller.client, &json!([])).await.unwrap();
            let of = |owned: &BTreeMap<i64, Vec<i64>>, id: &i64| owned.get(id).cloned().unwrap_or_default();
            for row in &rows {
                let id = row["id"].as_i64().unwrap();
                assert_eq!(shown[&id], of(&owned, &id), "{place}: {id}");
                members += shown[&id].len();
            }
            let ids = |rows: Vec<Json>| -> Vec<i64> { rows.iter().map(|row| row["id"].as_i64().unwrap()).collect() };
            let all_ids = ids(rows);
            let found = ids(self::rows(&caller.client, inverse.of, sized).await.unwrap());
            let expected: Vec<i64> = all_ids.iter().copied().filter(|id| of(&all, id).len() >= size).collect();
            assert_eq!(found, expected, "{place}: size of at least {size}");
            let found = ids(self::rows(&caller.client, inverse.of, some).await.unwrap());
            let expected: Vec<i64> = all_ids.iter().copied().filter(|id| !of(&owned, id).is_empty()).collect();
            assert_eq!(found, expected, "{place}: some");
            compared += 1;
        }
    }
    println!("{compared} requests had {members} members");
    assert!(compared > DEALS * REQUESTS / 4, "only {compared} requests were compared");
    assert!(members > compared, "only {members} members were seen");
}

/// The ids of what refers, by what is referred to, out of the caller's own pages; none where these are refused.
async fn referring(inverse: &Inverse, client: &Client, filters: &Json) -> Option<BTreeMap<i64, Vec<i64>>> {
    let body = json!({"showFields": ["id", inverse.relation], "filters": filters});
    let mut owned: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for row in rows(client, inverse.holder, body).await? {
        let id = row["id"].as_i64().unwrap();
        let value = &row[inverse.relation];
        let owners = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
        for owner in owners.iter().filter_map(Json::as_i64) {
            let members = owned.entry(owner).or_default();
            // A member that is there twice refers once.
            if !members.contains(&id) {
                members.push(id);
            }
        }
    }
    Some(owned)
}

/// The same out of one page with the inverse, whose count and objects agree.
async fn shown(inverse: &Inverse, client: &Client, filters: &Json) -> BTreeMap<i64, Vec<i64>> {
    let (name, count) = (inverse.name, format!("{}.$count", inverse.name));
    let related = json!({name: {"filters": filters, "orderBy": "id", "limit": 500}});
    let ids = rows(client, inverse.of, json!({"showFields": [name, count], "_related": related})).await.unwrap();
    let objects = json!({"showFields": [format!("{name}.id")], "_related": related});
    let objects = rows(client, inverse.of, objects).await.unwrap();
    let members = |row: &Json| -> Vec<i64> { row[name].as_array().unwrap().iter().filter_map(Json::as_i64).collect() };
    for (row, object) in ids.iter().zip(&objects) {
        let found: Vec<i64> = object[name].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect();
        assert_eq!((found, row[&count].as_u64()), (members(row), Some(members(row).len() as u64)), "{row} {object}");
    }
    ids.iter().map(|row| (row["id"].as_i64().unwrap(), members(row))).collect()
}

/// What the caller's pages refuse is refused behind the inverse, too.
async fn refused(inverse: &Inverse, client: &Client, filters: &Json, place: &str) {
    let body = json!({"showFields": [inverse.name], "_related": {inverse.name: {"filters": filters}}});
    assert!(rows(client, inverse.of, body).await.is_none(), "{place}");
}

/// All rows of a list in the order of their ids; none where it is refused.
async fn rows(client: &Client, of: &str, mut body: Json) -> Option<Vec<Json>> {
    body["perPage"] = json!(500);
    body["orderBy"] = json!("id");
    let reply = client.search(&format!("collection/{of}"), body).await;
    match reply.status {
        200 => Some(reply.at("/data").as_array().unwrap().clone()),
        204 => Some(Vec::new()),
        _ => None,
    }
}
