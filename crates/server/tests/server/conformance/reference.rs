//! Random filters give the rows that a plain evaluation of them in memory gives, on either engine.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Choices, Server};

const NUMBERS: [i64; 6] = [-2, -1, 0, 1, 2, 3];
const TEXTS: [&str; 8] = ["", "a", "ab", "Ab", "b%", "b_", "\\b", "žlutý"];
const DAYS: [&str; 4] = ["2025-12-31", "2026-01-01", "2026-11-20", "2026-11-21"];
const LABELS: [&str; 3] = ["red", "green", "blue"];
const CODES: [&str; 3] = ["p0", "p1", "p2"];

fn maybe(choices: &mut Choices, value: impl FnOnce(&mut Choices) -> Json) -> Json {
    if choices.below(4) == 0 { Json::Null } else { value(choices) }
}

/// A row of articles; `author` is the code of a person here.
fn row(choices: &mut Choices, number: usize) -> Json {
    let labels: Vec<&str> = LABELS.into_iter().filter(|_| choices.below(2) == 0).collect();
    json!({
        "name": format!("row {number}"),
        "views": maybe(choices, |choices| json!(choices.of(&NUMBERS))),
        "rating": maybe(choices, |choices| json!(*choices.of(&NUMBERS) as f64 / 2.0)),
        "body": maybe(choices, |choices| json!(choices.of(&TEXTS))),
        "active": maybe(choices, |choices| json!(choices.below(2) == 0)),
        "released": maybe(choices, |choices| json!(choices.of(&DAYS))),
        "labels": labels,
        "author": maybe(choices, |choices| json!(choices.of(&CODES))),
    })
}

/// A random filter at most so many levels deep.
fn filter(choices: &mut Choices, levels: usize) -> Json {
    if levels > 1 && choices.below(3) == 0 {
        let count = 1 + choices.below(3);
        let members: Vec<Json> = (0..count).map(|_| filter(choices, levels - 1)).collect();
        return json!({"property": "*", "type": choices.of(&["and", "or", "not"]), "param": members});
    }
    let (property, values): (&str, Vec<Json>) = match choices.below(7) {
        0 => ("views", NUMBERS.iter().map(|number| json!(number)).collect()),
        1 => ("rating", NUMBERS.iter().map(|number| json!(*number as f64 / 2.0)).collect()),
        2 => ("body", TEXTS.iter().map(|text| json!(text)).collect()),
        3 => ("active", vec![json!(true), json!(false)]),
        4 => ("released", DAYS.iter().map(|day| json!(day)).collect()),
        5 => ("author.code", CODES.iter().map(|code| json!(code)).collect()),
        _ => ("labels", LABELS.iter().map(|label| json!(label)).collect()),
    };
    let several =
        |choices: &mut Choices| -> Vec<Json> { (0..choices.below(4)).map(|_| choices.of(&values).clone()).collect() };
    if property == "labels" {
        return match choices.below(5) {
            0 => json!({"property": property, "type": "size", "param": choices.below(4)}),
            1 => json!({"property": property, "type": choices.of(&["isEmpty", "isNotEmpty"])}),
            _ => {
                json!({"property": property, "type": choices.of(&["anyOf", "allOf", "noneOf"]), "param": several(choices)})
            }
        };
    }
    let value = choices.of(&values).clone();
    match choices.below(6) {
        0 => json!({"property": property, "type": choices.of(&["isNull", "isNotNull"])}),
        1 => json!({"property": property, "type": choices.of(&["in", "notIn"]), "param": several(choices)}),
        2 if property == "body" => {
            let types = ["contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith"];
            json!({"property": property, "type": choices.of(&types), "param": value})
        }
        3 if property != "active" => {
            json!({"property": property, "type": choices.of(&["lt", "lte", "gt", "gte"]), "param": value})
        }
        4 if property != "active" => {
            let to = choices.of(&values).clone();
            json!({"property": property, "type": "between", "param": [value, to]})
        }
        5 => json!({"property": property, "type": choices.of(&["eq", "neq"]), "param": Json::Null}),
        _ => json!({"property": property, "type": choices.of(&["eq", "neq"]), "param": value}),
    }
}

/// Whether a row passes a filter: the decisions' table, word by word.
fn passes(row: &Json, filter: &Json) -> bool {
    let param = &filter["param"];
    let members = || param.as_array().unwrap();
    let property = filter["property"].as_str().unwrap();
    let value = &row[property.strip_suffix(".code").unwrap_or(property)];
    let texts = || value.as_str().zip(param.as_str());
    match filter["type"].as_str().unwrap() {
        "and" => members().iter().all(|member| passes(row, member)),
        "or" => members().iter().any(|member| passes(row, member)),
        "not" => !members().iter().all(|member| passes(row, member)),
        "eq" => same(value, param),
        "neq" => !same(value, param),
        "in" => members().iter().any(|member| same(value, member)),
        "notIn" => !members().iter().any(|member| same(value, member)),
        "isNull" => value.is_null(),
        "isNotNull" => !value.is_null(),
        "isEmpty" => value.as_array().unwrap().is_empty(),
        "isNotEmpty" => !value.as_array().unwrap().is_empty(),
        "lt" => less(value, param),
        "lte" => less(value, param) || (!value.is_null() && same(value, param)),
        "gt" => less(param, value),
        "gte" => less(param, value) || (!value.is_null() && same(value, param)),
        "between" => !value.is_null() && !less(value, &param[0]) && !less(&param[1], value),
        "contains" => texts().is_some_and(|(text, part)| text.contains(part)),
        "notContains" => !texts().is_some_and(|(text, part)| text.contains(part)),
        "startsWith" => texts().is_some_and(|(text, part)| text.starts_with(part)),
        "notStartsWith" => !texts().is_some_and(|(text, part)| text.starts_with(part)),
        "endsWith" => texts().is_some_and(|(text, part)| text.ends_with(part)),
        "notEndsWith" => !texts().is_some_and(|(text, part)| text.ends_with(part)),
        "anyOf" => members().iter().any(|member| value.as_array().unwrap().contains(member)),
        "allOf" => members().iter().all(|member| value.as_array().unwrap().contains(member)),
        "noneOf" => !members().iter().any(|member| value.as_array().unwrap().contains(member)),
        "size" => json!(value.as_array().unwrap().len()) == *param,
        other => panic!("{other}"),
    }
}

fn same(left: &Json, right: &Json) -> bool {
    left == right || left.as_f64().is_some_and(|number| Some(number) == right.as_f64())
}

/// Null is neither less nor more than anything. UTF-8 sorts as its code points do.
fn less(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Number(left), Json::Number(right)) => left.as_f64() < right.as_f64(),
        (Json::String(left), Json::String(right)) => left < right,
        _ => false,
    }
}

#[spec("R-121", "R-124", "R-126", "D-3")]
async fn random_filters_agree_with_a_plain_evaluation(server: Server) {
    let admin = server.admin();
    let mut choices = Choices::new(20_261_120);
    let mut people = json!({});
    for code in CODES {
        people[code] = admin.create("person", json!({"name": code, "code": code})).await["id"].clone();
    }
    let rows: Vec<Json> = (0..40).map(|number| row(&mut choices, number)).collect();
    for row in &rows {
        let mut body = row.clone();
        body["author"] = row["author"].as_str().map_or(Json::Null, |code| people[code].clone());
        admin.create("article", body).await;
    }
    for _ in 0..250 {
        let filters: Vec<Json> = (0..1 + choices.below(2)).map(|_| filter(&mut choices, 3)).collect();
        let matching = rows.iter().filter(|row| filters.iter().all(|filter| passes(row, filter)));
        let expected: Vec<Json> = matching.map(|row| row["name"].clone()).collect();
        let body = json!({"filters": filters, "orderBy": "id", "showFields": "name", "perPage": 100});
        let reply = admin.search("collection/article", body).await;
        assert!([200, 204].contains(&reply.status), "{filters:?}: {}", reply.text);
        assert_eq!(reply.column("name"), expected, "{}", json!(filters));
        if reply.status == 200 {
            assert_eq!(reply.at("/stats/total"), expected.len());
        }
    }
}
