//! Pages, totals and orders.

use super::world::{World, people};
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeSet;

fn things(world: &World) {
    people(world);
    let rows: Vec<Json> = (1..=45)
        .map(|number: i64| {
            let mut row = json!({"text": format!("t{number}"), "count": number % 4, "owner": number % 3 + 1});
            if number % 5 == 0 {
                row["count"] = Json::Null;
            }
            if number % 7 == 0 {
                row["owner"] = Json::Null;
            }
            row
        })
        .collect();
    world.put("thing", &rows);
}

fn ids(page: &Json) -> Vec<i64> {
    page["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

#[spec("R-110", "R-111", "R-128", "D-17")]
async fn pages_have_their_size_and_the_total(world: World) {
    things(&world);
    let stats = |query: &[(&str, &str)]| world.list("thing", query).unwrap()["stats"].clone();
    assert_eq!(stats(&[]), json!({"page": 1, "itemsPerPage": 20, "fetched": 20, "total": 45}));
    assert_eq!(stats(&[("page", "3")]), json!({"page": 3, "itemsPerPage": 20, "fetched": 5, "total": 45}));
    assert_eq!(stats(&[("perPage", "900")]), json!({"page": 1, "itemsPerPage": 100, "fetched": 45, "total": 45}));
    assert_eq!(stats(&[("page", "4")])["fetched"], json!(0));
    assert_eq!(stats(&[("page", "9223372036854775807")])["fetched"], json!(0));
    let filtered = [("filters", r#"[{"property": "count", "type": "isNull"}]"#), ("perPage", "2")];
    assert_eq!(stats(&filtered), json!({"page": 1, "itemsPerPage": 2, "fetched": 2, "total": 9}));
}

#[spec("D-18", "R-112")]
async fn nulls_come_last_and_ids_break_ties(world: World) {
    people(&world);
    world
        .put("thing", &[json!({"count": 2}), json!({}), json!({"count": 1}), json!({"count": 2}), json!({"owner": 2})]);
    let by = |order: &str| world.list("thing", &[("orderBy", order)]).map(|page| ids(&page));
    assert_eq!(by("count").unwrap(), [3, 1, 4, 2, 5]);
    assert_eq!(by("-count").unwrap(), [2, 5, 1, 4, 3]);
    assert_eq!(by("-count,-id").unwrap(), [5, 2, 4, 1, 3]);
    assert_eq!(by("owner.chief.name,-id").unwrap(), [5, 4, 3, 2, 1]);
    assert_eq!(by("-owner.name").unwrap(), [1, 2, 3, 4, 5]);
    assert_eq!(ids(&world.list("thing", &[]).unwrap()), [2, 5, 1, 4, 3], "the type's own order");
    assert_eq!(ids(&world.list("thing", &[("orderDir", "desc")]).unwrap()), [5, 4, 3, 2, 1]);
    for unsortable in ["meta", "marks", "people", "people.name", "meta.a"] {
        assert_eq!(by(unsortable).unwrap_err(), format!("The property {unsortable:?} cannot be sorted by."));
    }
    assert_eq!(by(&["text"; 17].join(",")).unwrap_err(), "A list can be sorted by at most 16 properties.");
    assert_eq!(by("wage").unwrap_err(), "There is no property \"wage\".");
}

#[spec("D-18")]
async fn every_row_is_on_one_page(world: World) {
    things(&world);
    for order in ["count", "-count", "owner.country.name,-count", "-owner.name,count", "text", "flag", "-id"] {
        let mut seen = Vec::new();
        for page in 1.. {
            let page = world.list("thing", &[("orderBy", order), ("perPage", "7"), ("page", &page.to_string())]);
            let page = ids(&page.unwrap());
            if page.is_empty() {
                break;
            }
            seen.extend(page);
        }
        assert_eq!(seen.len(), 45, "{order}");
        assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), 45, "{order}");
    }
}

#[spec("D-18", "R-121")]
async fn a_walk_by_the_last_key_meets_each_row_once_while_others_come_and_go(world: World) {
    things(&world);
    for number in [5, 10, 15, 20, 25, 30, 35, 40, 45] {
        world.patch("thing", number, json!({"count": number % 2}));
    }
    let mut seen = Vec::new();
    let mut last: Option<(i64, i64)> = None;
    for round in 0.. {
        // After the last one seen, in the order of the list: a greater count, or the same and a greater id.
        let beyond = last.map_or(json!([]), |(count, id)| {
            json!([{"property": "*", "type": "or", "param": [
                {"property": "count", "type": "gt", "param": count},
                {"property": "*", "type": "and", "param": [
                    {"property": "count", "type": "eq", "param": count}, {"property": "id", "type": "gt", "param": id}]}]}])
        });
        let page = world.list("thing", &[("orderBy", "count"), ("perPage", "4"), ("filters", &beyond.to_string())]);
        let page = page.unwrap();
        let Some(row) = page["data"].as_array().unwrap().last() else { break };
        last = Some((row["count"].as_i64().unwrap(), row["id"].as_i64().unwrap()));
        seen.extend(ids(&page).into_iter().filter(|id| *id <= 45));
        world.put("thing", &[json!({"text": "new", "count": round % 4})]);
        world.delete("thing", ids(&page)[0]);
    }
    assert_eq!(seen.len(), 45);
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), 45);
}
