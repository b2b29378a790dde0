//! Conditions on groups, over their keys and values as the answer shows them.

use super::plan::unknown;
use model::error::{Error, Result};
use serde_json::{Map, Value as Json};
use std::cmp::Ordering;

/// The most conditions of a request in all.
const MAX_CONDITIONS: usize = 100;
/// The most arrays of conditions that may stand inside one another.
const MAX_LEVELS: usize = 5;
/// The names of comparisons.
const NAMES: &str = "eq, neq, lt, lte, gt, gte, between, in, notIn, isNull, isNotNull";

/// A condition on a group.
#[derive(Debug)]
pub(super) enum Having {
    All(Vec<Having>),
    Any(Vec<Having>),
    Not(Box<Having>),
    Test(usize, Comparison),
}

#[derive(Debug)]
pub(super) enum Comparison {
    Equal(Json),
    Order(fn(Ordering) -> bool, Json),
    OneOf(Vec<Json>),
    Null,
}

impl Having {
    /// Reads the conditions of a request, all of which must hold. Columns are found by their names.
    pub(super) fn parse(names: &[&str], conditions: &[Json]) -> Result<Self> {
        let mut read = 0;
        array(names, conditions, 1, &mut read).map(Having::All)
    }

    /// Returns true if there is none.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Having::All(parts) if parts.is_empty())
    }

    /// Returns true if the condition holds for a group whose columns are written by a function.
    pub(super) fn holds(&self, write: &dyn Fn(usize, &mut Vec<u8>)) -> bool {
        match self {
            Having::All(parts) => parts.iter().all(|part| part.holds(write)),
            Having::Any(parts) => parts.iter().any(|part| part.holds(write)),
            Having::Not(part) => !part.holds(write),
            Having::Test(column, comparison) => {
                let mut written = Vec::new();
                write(*column, &mut written);
                comparison.holds(std::str::from_utf8(&written).unwrap_or("null"))
            }
        }
    }
}

impl Comparison {
    fn holds(&self, written: &str) -> bool {
        match self {
            Comparison::Equal(param) => compare(written, param) == Some(Ordering::Equal),
            Comparison::Order(takes, param) => compare(written, param).is_some_and(takes),
            Comparison::OneOf(params) => params.iter().any(|param| compare(written, param) == Some(Ordering::Equal)),
            Comparison::Null => written == "null",
        }
    }
}

fn array(names: &[&str], conditions: &[Json], depth: usize, read: &mut usize) -> Result<Vec<Having>> {
    if depth > MAX_LEVELS {
        return Err(invalid(format!("takes arrays nested {MAX_LEVELS} levels deep at most")));
    }
    conditions.iter().map(|condition| one(names, condition, depth, read)).collect()
}

fn one(names: &[&str], condition: &Json, depth: usize, read: &mut usize) -> Result<Having> {
    *read += 1;
    if *read > MAX_CONDITIONS {
        return Err(invalid(format!("takes at most {MAX_CONDITIONS} conditions")));
    }
    let members = condition.as_object().ok_or_else(|| invalid("needs objects".into()))?;
    if let Some(name) = members.keys().find(|name| !["property", "type", "param"].contains(&name.as_str())) {
        return Err(invalid(format!("has no member {name:?} in its conditions")));
    }
    let [name, comparison] = ["property", "type"].map(|member| members.get(member).and_then(Json::as_str));
    let (Some(name), Some(comparison)) = (name, comparison) else {
        return Err(invalid("needs \"property\" and \"type\" in each condition".into()));
    };
    if name == "*" {
        let parts = match members.get("param") {
            Some(Json::Array(parts)) if !parts.is_empty() => array(names, parts, depth + 1, read)?,
            _ => return Err(invalid(format!("needs an array of conditions for {comparison:?}"))),
        };
        return match comparison {
            "and" => Ok(Having::All(parts)),
            "or" => Ok(Having::Any(parts)),
            "not" => Ok(Having::Not(Box::new(Having::All(parts)))),
            _ => Err(invalid(format!("has no group {comparison:?}; there are and, or, not"))),
        };
    }
    let column = names.iter().position(|known| *known == name).ok_or_else(|| unknown(names, name))?;
    test(column, comparison, members)
}

fn test(column: usize, comparison: &str, members: &Map<String, Json>) -> Result<Having> {
    let param = || match members.get("param") {
        Some(param @ (Json::String(_) | Json::Number(_) | Json::Bool(_))) => Ok(param.clone()),
        _ => Err(invalid(format!("needs a text, a number, true or false as param of {comparison}"))),
    };
    let several = || match members.get("param") {
        Some(Json::Array(params))
            if params.len() <= 1_000 && !params.iter().any(|param| param.is_array() || param.is_object()) =>
        {
            Ok(params.clone())
        }
        _ => Err(invalid(format!("needs an array of at most 1000 values as param of {comparison}"))),
    };
    let test = |comparison| Having::Test(column, comparison);
    let not = |comparison| Having::Not(Box::new(Having::Test(column, comparison)));
    let null = members.get("param").is_some_and(Json::is_null);
    Ok(match comparison {
        "eq" if null => test(Comparison::Null),
        "neq" if null => not(Comparison::Null),
        "eq" => test(Comparison::Equal(param()?)),
        "neq" => not(Comparison::Equal(param()?)),
        "lt" => test(Comparison::Order(Ordering::is_lt, param()?)),
        "lte" => test(Comparison::Order(Ordering::is_le, param()?)),
        "gt" => test(Comparison::Order(Ordering::is_gt, param()?)),
        "gte" => test(Comparison::Order(Ordering::is_ge, param()?)),
        "between" => match &several()?[..] {
            [from, to] if !from.is_null() && !to.is_null() => Having::All(vec![
                test(Comparison::Order(Ordering::is_ge, from.clone())),
                test(Comparison::Order(Ordering::is_le, to.clone())),
            ]),
            _ => return Err(invalid("needs [from, to] as param of between".into())),
        },
        "in" => test(Comparison::OneOf(several()?)),
        "notIn" => not(Comparison::OneOf(several()?)),
        "isNull" => test(Comparison::Null),
        "isNotNull" => not(Comparison::Null),
        _ => return Err(invalid(format!("has no type {comparison:?}; there are {NAMES}"))),
    })
}

/// Compares what was written with a parameter; none where they are not of one sort.
fn compare(written: &str, param: &Json) -> Option<Ordering> {
    match param {
        Json::Null => (written == "null").then_some(Ordering::Equal),
        Json::Bool(param) => written.parse::<bool>().ok().map(|written| written.cmp(param)),
        Json::Number(param) => compare_numbers(written, &param.to_string()),
        Json::String(param) => serde_json::from_str::<String>(written).ok().map(|written| written.as_str().cmp(param)),
        _ => None,
    }
}

/// Compares numbers by their digits; as floats where one of them has an exponent or too many digits.
fn compare_numbers(one: &str, other: &str) -> Option<Ordering> {
    if let (Some(one), Some(other)) = (units(one), units(other)) {
        return Some(one.cmp(&other));
    }
    one.parse::<f64>().ok()?.partial_cmp(&other.parse::<f64>().ok()?)
}

/// Returns a number as a multiple of 10 to the power of -18.
fn units(text: &str) -> Option<i128> {
    const DIGITS: usize = 18;
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > DIGITS || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let units: i128 = format!("{whole}{part}").parse().ok()?;
    units.checked_mul(10_i128.pow(u32::try_from(DIGITS - part.len()).ok()?))
}

fn invalid(what: String) -> Error {
    Error::invalid("parameter_invalid", format!("The parameter having {what}."))
}
