//! The filters of a query with the values of its parameters in them.

use serde_json::{Map, Value as Json};

/// The key of an object that stands for a parameter's value.
const PARAMETER: &str = "$param";

/// Types of filters whose param is a list of filters.
const OF_FILTERS: [&str; 6] = ["and", "or", "not", "some", "none", "every"];

/// Types of filters with two ends, one of which may be open.
const OF_ENDS: [&str; 2] = ["between", "notBetween"];

/// The filters with values in the places of parameters. A filter that needs the value of a parameter which has none is
/// left out; so is a group of which nothing is left. An end of a range without a value is open.
pub fn fill(filters: &[Json], value: &dyn Fn(&str) -> Option<Json>) -> Vec<Json> {
    filters.iter().filter_map(|filter| filled(filter, value)).collect()
}

fn filled(filter: &Json, value: &dyn Fn(&str) -> Option<Json>) -> Option<Json> {
    let (Some(members), Some(param)) = (filter.as_object(), filter.get("param")) else { return Some(filter.clone()) };
    let named = |names: &[&str]| filter.get("type").and_then(Json::as_str).is_some_and(|name| names.contains(&name));
    let param = match param {
        Json::Array(inner) if named(&OF_FILTERS) && inner.iter().all(Json::is_object) => {
            let kept = fill(inner, value);
            if kept.is_empty() && !inner.is_empty() {
                return None;
            }
            Json::Array(kept)
        }
        Json::Array(ends) if named(&OF_ENDS) && mentions(param) => {
            let ends: Vec<Json> = ends.iter().map(|end| replaced(end, value).unwrap_or(Json::Null)).collect();
            if ends.iter().all(Json::is_null) {
                return None;
            }
            Json::Array(ends)
        }
        param => replaced(param, value)?,
    };
    let mut members = members.clone();
    members.insert("param".to_owned(), param);
    Some(Json::Object(members))
}

/// A value with those of parameters in it; none where one of them has none.
fn replaced(json: &Json, value: &dyn Fn(&str) -> Option<Json>) -> Option<Json> {
    Some(match json {
        Json::Array(members) => {
            Json::Array(members.iter().map(|member| replaced(member, value)).collect::<Option<_>>()?)
        }
        Json::Object(members) => match parameter(members) {
            Some(name) => value(name)?,
            None => {
                let members = members.iter().map(|(key, member)| Some((key.clone(), replaced(member, value)?)));
                Json::Object(members.collect::<Option<Map<_, _>>>()?)
            }
        },
        other => other.clone(),
    })
}

fn mentions(json: &Json) -> bool {
    let mut found = false;
    places(json, &mut Vec::new(), &mut |_, _| found = true);
    found
}

fn parameter(members: &Map<String, Json>) -> Option<&str> {
    members.get(PARAMETER).filter(|_| members.len() == 1)?.as_str()
}

/// Calls back with each parameter that is mentioned and where, as keys and indexes.
pub fn places(json: &Json, path: &mut Vec<String>, found: &mut dyn FnMut(&[String], &str)) {
    let mut within = |key: String, member: &Json| {
        path.push(key);
        places(member, path, found);
        path.pop();
    };
    match json {
        Json::Array(members) => {
            members.iter().enumerate().for_each(|(index, member)| within(index.to_string(), member));
        }
        Json::Object(members) => match parameter(members) {
            Some(name) => found(path, name),
            None => members.iter().for_each(|(key, member)| within(key.clone(), member)),
        },
        _ => {}
    }
}
