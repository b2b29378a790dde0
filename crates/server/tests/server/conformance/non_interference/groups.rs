//! Groups, random ones and against a reference: they are what the caller's own pages of the list come to.

use super::callers::{Caller, callers};
use super::filters;
use super::inverses::{INVERSES, Inverse};
use super::requests::{Ask, path};
use super::tenant::{KINDS, Kind, Shape, Tenant, kind};
use serde_json::{Map, Value as Json, json};
use spec::spec;
use std::collections::BTreeMap;
use testing::{Choices, Client};

/// Times that all rights are drawn anew, and requests of each.
const DEALS: usize = 4;
const REQUESTS: usize = 60;
/// Queries whenever rights are drawn.
const QUERIES: usize = 6;

/// A key: a property, one behind relations, or one behind what refers.
fn key(choices: &mut Choices, tenant: &Tenant, caller: &Caller, of: &Kind) -> (String, Option<Shape>) {
    let (before, from) = match of.properties.iter().find(|(_, shape)| matches!(shape, Shape::One(_))) {
        Some((name, Shape::One(to))) if choices.once_in(3) => (format!("{name}."), *to),
        _ => (String::new(), of.name),
    };
    let inverses: Vec<&Inverse> = INVERSES.iter().filter(|inverse| inverse.of == from).collect();
    if inverses.is_empty() || choices.once_in(2) {
        return path(choices, tenant, caller, of, 2);
    }
    let inverse = choices.of(&inverses);
    if choices.once_in(4) {
        return (format!("{before}{}", inverse.name), Some(Shape::Many(inverse.holder)));
    }
    let (rest, shape) = path(choices, tenant, caller, kind(inverse.holder), 1);
    (format!("{before}{}.{rest}", inverse.name), shape)
}

/// Returns true if a row may have several values of a key.
fn is_several(name: &str, shape: Option<Shape>) -> bool {
    let many = |name: &str| name == "readers" || INVERSES.iter().any(|inverse| inverse.name == name);
    matches!(shape, Some(Shape::Options | Shape::Many(_))) || name.split('.').any(many)
}

/// A request for groups of whatever comes to mind.
pub(super) fn request(choices: &mut Choices, tenant: &Tenant, caller: &Caller, of: &Kind) -> Ask {
    let mut body = Map::new();
    let keys: Vec<Json> = (0..1 + choices.below(2))
        .map(|number| {
            let (property, shape) = key(choices, tenant, caller, of);
            let each = is_several(&property, shape);
            json!({"property": property, "as": format!("k{number}"), "each": each})
        })
        .collect();
    body.insert("groupBy".into(), json!(keys));
    let (property, _) = path(choices, tenant, caller, of, 2);
    let function = choices.of(&["sum", "min", "max", "avg", "count", "countDistinct"]);
    let counted = filters::filters(choices, tenant, caller, of);
    let values = json!({
        "rows": "count", "value": {"function": function, "property": property},
        "some": {"function": "count", "filters": counted},
    });
    body.insert("values".into(), values);
    body.insert("totals".into(), json!(choices.once_in(2)));
    if choices.once_in(2) {
        body.insert("filters".into(), filters::filters(choices, tenant, caller, of));
    }
    if choices.once_in(3) {
        body.insert("having".into(), json!([{"property": "rows", "type": "gte", "param": 2}]));
        body.insert("orderBy".into(), json!(["-value"]));
    }
    Ask::search(format!("/api/ext/v1/aggregate/{}", of.name), Json::Object(body))
}

#[spec("E-012", "D-3")]
async fn groups_are_what_the_callers_pages_come_to(mut tenant: Tenant) {
    let seed = super::seed(20_261_122);
    let choices = &mut Choices::new(seed);
    super::fill(choices, &mut tenant).await;
    let (mut compared, mut groups) = (0, 0);
    for deal in 0..DEALS {
        let callers = callers(choices, &tenant.server).await;
        for request in 0..REQUESTS {
            let caller = choices.of(&callers);
            let of = choices.of(&KINDS);
            let Some(plan) = Plan::draw(choices, &tenant, caller, of) else { continue };
            let Some(expected) = plan.reference(&caller.client).await else { continue };
            let reply = caller.client.search(&format!("/api/ext/v1/aggregate/{}", of.name), plan.body()).await;
            let found = reply.is(200).at("/data");
            let mut found: Vec<String> = found.as_array().unwrap().iter().map(Json::to_string).collect();
            found.sort();
            assert_eq!(
                found,
                expected,
                "seed {seed}, deal {deal}, request {request}: {} of {} sees {:?}: {}",
                caller.name,
                of.name,
                caller.sees,
                plan.body()
            );
            compared += 1;
            groups += found.len();
        }
    }
    println!("{compared} requests had {groups} groups");
    assert!(compared > DEALS * REQUESTS / 4, "only {compared} requests were compared");
}

/// Queries with groups, each asked by each caller: they are what groups of the collection are, which the test above
/// compares with pages; what is refused there is refused here.
#[spec("E-120", "D-3")]
async fn queries_are_the_groups_that_they_ask_for(mut tenant: Tenant) {
    let seed = super::seed(20_261_122);
    let choices = &mut Choices::new(seed);
    super::fill(choices, &mut tenant).await;
    let (mut compared, mut groups, mut refused) = (0, 0, 0);
    for deal in 0..DEALS {
        let callers = callers(choices, &tenant.server).await;
        let mut plans = Vec::new();
        while plans.len() < QUERIES {
            let (caller, of) = (choices.of(&callers), choices.of(&KINDS));
            let Some(plan) = Plan::draw(choices, &tenant, caller, of) else { continue };
            // A file is checked with all rights.
            let asked = tenant.admin.search(&format!("/api/ext/v1/aggregate/{}", plan.of), plan.body()).await;
            if asked.status == 200 {
                plans.push(plan);
            }
        }
        let files: Vec<(String, String)> = plans
            .iter()
            .enumerate()
            .map(|(number, plan)| (format!("queries/q{number}.yaml"), plan.file(number)))
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        tenant.server.change(&files).await;
        for (number, plan) in plans.iter().enumerate() {
            for caller in &callers {
                let asked = caller.client.search(&format!("/api/ext/v1/aggregate/{}", plan.of), plan.body()).await;
                let found = caller.client.get(&format!("/api/ext/v1/query/q{number}")).await;
                let place = format!("seed {seed}, deal {deal}, {} asks {}", caller.name, plan.body());
                if asked.status == 200 {
                    assert_eq!((found.status, &found.text), (200, &asked.text), "{place}");
                    groups += asked.at("/data").as_array().map_or(0, Vec::len);
                    compared += 1;
                } else {
                    assert_eq!(found.status, 403, "{place}: {}", found.text);
                    refused += 1;
                }
                if let Some(expected) = plan.reference(&caller.client).await {
                    let found = found.is(200).at("/data");
                    let mut found: Vec<String> = found.as_array().unwrap().iter().map(Json::to_string).collect();
                    found.sort();
                    assert_eq!(found, expected, "{place}");
                }
            }
        }
    }
    println!("{compared} answers of queries had {groups} groups, {refused} were refused");
    assert!(compared > DEALS * QUERIES * 2, "only {compared} answers were compared");
}

/// A request whose answer can be worked out of lists.
struct Plan {
    of: &'static str,
    keys: Vec<(String, bool)>,
    number: Option<String>,
    filters: Json,
    /// The filters of a value.
    counted: Option<Json>,
}

impl Plan {
    fn draw(choices: &mut Choices, tenant: &Tenant, caller: &Caller, of: &'static Kind) -> Option<Plan> {
        let mut keys = Vec::new();
        for _ in 0..1 + choices.below(2) {
            let (name, shape) = key(choices, tenant, caller, of);
            let takes = !matches!(
                shape,
                None | Some(Shape::Document | Shape::File | Shape::Roles | Shape::Made | Shape::Fixed)
            );
            if takes && keys.iter().all(|(known, _)| *known != name) {
                let each = is_several(&name, shape);
                keys.push((name, each));
            }
        }
        // Numbers of rows alone, by what writes count.
        if of.name == "story" && choices.once_in(4) {
            let keys = vec![((*choices.of(&["state", "author"])).to_owned(), false)];
            return Some(Plan { of: of.name, keys, number: None, filters: json!([]), counted: None });
        }
        let (number, shape) = path(choices, tenant, caller, of, 1);
        let number = (shape == Some(Shape::Number) && !number.starts_with("readers")).then_some(number);
        let filters = if choices.once_in(2) { filters::filters(choices, tenant, caller, of) } else { json!([]) };
        let counted = filters::filters(choices, tenant, caller, of);
        (!keys.is_empty()).then_some(Plan { of: of.name, keys, number, filters, counted: Some(counted) })
    }

    fn body(&self) -> Json {
        let keys: Vec<Json> =
            self.keys.iter().map(|(name, each)| json!({"property": name, "as": name, "each": each})).collect();
        let mut values = json!({"rows": "count"});
        if let Some(filters) = &self.counted {
            values["some"] = json!({"function": "count", "filters": filters});
        }
        for function in ["count", "countDistinct", "sum", "avg", "min", "max"] {
            if let Some(number) = &self.number {
                values[function] = json!({"function": function, "property": number});
            }
        }
        json!({"groupBy": keys, "filters": self.filters, "values": values, "perPage": 10_000})
    }

    /// The same as the file of a query. JSON is YAML.
    fn file(&self, number: usize) -> String {
        let body = self.body();
        let keys = ["groupBy", "filters", "values", "perPage"];
        let keys: String = keys.iter().map(|key| format!("{key}: {}\n", body[key])).collect();
        format!("query: q{number}\ntype: {}\n{keys}", self.of)
    }

    /// The groups, worked out of the caller's own lists; none where a list refuses what is asked.
    async fn reference(&self, client: &Client) -> Option<Vec<String>> {
        let names: Vec<&String> = self.keys.iter().map(|(name, _)| name).chain(&self.number).collect();
        let mut values: Vec<BTreeMap<i64, Vec<Json>>> = Vec::new();
        // One by one: what stands in the place of a relation would hide its id.
        for name in &names {
            let rows = self.rows(client, name, &[&self.filters]).await?;
            let members = |row: &Json| -> Vec<Json> { members(row, Some(name)).into_values().collect() };
            values.push(rows.iter().map(|row| (row["id"].as_i64().unwrap(), members(row))).collect());
        }
        let filters: Vec<&Json> = std::iter::once(&self.filters).chain(&self.counted).collect();
        let counted = self.rows(client, "id", &filters).await?;
        let counted: Vec<i64> = counted.iter().map(|row| row["id"].as_i64().unwrap()).collect();
        let mut groups: BTreeMap<String, Vec<(i64, Json)>> = BTreeMap::new();
        for id in values[0].keys() {
            let number = self.number.as_ref().map_or(Json::Null, |_| values[names.len() - 1][id][0].clone());
            let mut keys = vec![Map::new()];
            for (index, (name, _)) in self.keys.iter().enumerate() {
                let members = &values[index][id];
                let with = |key: &Map<String, Json>, member: &Json| {
                    let mut key = key.clone();
                    key.insert(name.clone(), member.clone());
                    key
                };
                keys = keys.iter().flat_map(|key| members.iter().map(move |member| with(key, member))).collect();
            }
            for key in keys {
                groups.entry(Json::Object(key).to_string()).or_default().push((*id, number.clone()));
            }
        }
        let mut written: Vec<String> = groups.iter().map(|(key, rows)| self.group(key, rows, &counted)).collect();
        written.sort();
        Some(written)
    }

    fn group(&self, key: &str, rows: &[(i64, Json)], counted: &[i64]) -> String {
        let mut group: Map<String, Json> = serde_json::from_str(key).unwrap();
        group.insert("rows".into(), rows.len().into());
        if self.counted.is_some() {
            group.insert("some".into(), rows.iter().filter(|(id, _)| counted.contains(id)).count().into());
        }
        if self.number.is_some() {
            let numbers: Vec<i64> = rows.iter().filter_map(|(_, number)| number.as_i64()).collect();
            let mut different = numbers.clone();
            different.sort_unstable();
            different.dedup();
            let (sum, count) = (numbers.iter().sum::<i64>(), numbers.len() as i64);
            group.insert("count".into(), count.into());
            group.insert("countDistinct".into(), different.len().into());
            group.insert("sum".into(), sum.into());
            let millionths = (sum * 2_000_000 + count).checked_div(2 * count);
            let average = millionths.map_or(Json::Null, |units| match units % 1_000_000 {
                0 => json!(units / 1_000_000),
                _ => json!(units as f64 / 1e6),
            });
            group.insert("avg".into(), average);
            group.insert("min".into(), json!(different.first()));
            group.insert("max".into(), json!(different.last()));
        }
        Json::Object(group).to_string()
    }

    async fn rows(&self, client: &Client, field: &str, filters: &[&Json]) -> Option<Vec<Json>> {
        let filters: Vec<Json> = filters.iter().flat_map(|filters| filters.as_array().unwrap().clone()).collect();
        let body = json!({"showFields": [field], "filters": filters, "perPage": 500});
        let reply = client.search(&format!("collection/{}", self.of), body).await;
        match reply.status {
            200 => Some(reply.at("/data").as_array().unwrap().clone()),
            204 => Some(Vec::new()),
            _ => None,
        }
    }
}

/// The different values that a path leads to from a value, by how they are written: nothing where it leads nowhere.
fn members(value: &Json, path: Option<&str>) -> BTreeMap<String, Json> {
    match (value, path) {
        (Json::Array(members), _) if !members.is_empty() => {
            members.iter().flat_map(|member| self::members(member, path)).collect()
        }
        (Json::Array(_), _) => members(&Json::Null, None),
        (value, None) => {
            BTreeMap::from([(value.as_str().map_or_else(|| value.to_string(), str::to_owned), value.clone())])
        }
        (value, Some(path)) => {
            let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
            members(&value[name], rest)
        }
    }
}
