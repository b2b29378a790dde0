//! The option `schema` of `pJson`: a part of JSON Schema that every value can be checked against in bounded time.

use super::options::KindOptions;
use super::value::ValueFault;
use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value as Json};
use std::collections::HashSet;

/// Schemas may be nested this deep.
const DEPTH: usize = 32;

/// Keywords that say nothing about which values are valid.
const NOTES: [&str; 9] =
    ["$schema", "$id", "$comment", "title", "description", "default", "examples", "format", "deprecated"];

/// The requirements for a JSON value.
#[derive(Debug, Default)]
pub(super) struct JsonShape {
    rules: Vec<SchemaRule>,
}

/// The values of an `enum`. A document may have a hundred thousand members, so texts are looked up.
#[derive(Debug)]
struct ValueSet {
    /// All of them, in the order of the schema.
    listed: Vec<Json>,
    texts: HashSet<String>,
    /// Those that are no texts.
    others: Vec<Json>,
}

impl ValueSet {
    fn of(listed: Vec<Json>) -> Self {
        let texts = listed.iter().filter_map(Json::as_str).map(str::to_owned).collect();
        let others = listed.iter().filter(|value| !value.is_string()).cloned().collect();
        ValueSet { listed, texts, others }
    }

    fn contains(&self, value: &Json) -> bool {
        match value {
            Json::String(text) => self.texts.contains(text),
            value => self.others.contains(value),
        }
    }
}

/// A keyword of a schema, ready to be checked. Each concerns values of its own type and passes others.
#[derive(Debug)]
enum SchemaRule {
    Types(Vec<String>),
    OneOf(ValueSet),
    Limits {
        keyword: &'static str,
        limit: f64,
    },
    Pattern(String, Regex),
    Properties(Vec<(String, JsonShape)>),
    Required(Vec<String>),
    /// The requirements for other properties than the known ones; none may be there where it is empty.
    Additional(HashSet<String>, Option<JsonShape>),
    Items(JsonShape),
    UniqueItems,
    All(Vec<JsonShape>),
    Any(Vec<JsonShape>),
    Not(JsonShape),
}

/// Keywords that compare a number with a limit: the number itself, a length, or a count.
const LIMITS: [&str; 10] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

impl JsonShape {
    /// Takes the option `schema`.
    pub(super) fn take(options: &mut KindOptions) -> Option<(Json, Self)> {
        let schema = options.take("schema")?;
        match compile(&schema, 0) {
            Ok(shape) => Some((schema, shape)),
            Err(message) => {
                options.fault("schema", message);
                None
            }
        }
    }

    /// Checks a value; the message names the place in it.
    pub(super) fn check(&self, value: &Json) -> Result<(), ValueFault> {
        // The place in a value is told by names that are in it.
        let fault = ValueFault::new("schema_mismatch", "must match its schema");
        self.at(value, "").map_err(|message| fault.with_detail(message))
    }

    fn at(&self, value: &Json, place: &str) -> Result<(), String> {
        self.rules.iter().try_for_each(|rule| rule.at(value, place))
    }
}

impl SchemaRule {
    fn at(&self, value: &Json, place: &str) -> Result<(), String> {
        let must = |holds: bool, what: &dyn Fn() -> String| match (holds, place) {
            (true, _) => Ok(()),
            (false, "") => Err(format!("must {}", what())),
            (false, place) => Err(format!("must {} at {place}", what())),
        };
        match (self, value) {
            (SchemaRule::Types(types), _) => {
                must(types.iter().any(|of| is_of(value, of)), &|| format!("be of type {}", types.join(" or ")))
            }
            (SchemaRule::OneOf(values), _) => must(values.contains(value), &|| {
                format!("be one of {}", values.listed.iter().map(Json::to_string).collect::<Vec<_>>().join(", "))
            }),
            (SchemaRule::Limits { keyword, limit }, _) => {
                must(measure(keyword, value).is_none_or(|size| within(keyword, size, *limit)), &|| {
                    format!("keep to {keyword} {limit}")
                })
            }
            (SchemaRule::Pattern(pattern, regex), Json::String(text)) => {
                must(regex.is_match(text), &|| format!("match the pattern {pattern}"))
            }
            (SchemaRule::Properties(shapes), Json::Object(members)) => shapes.iter().try_for_each(|(name, shape)| {
                members.get(name).map_or(Ok(()), |member| shape.at(member, &format!("{place}/{name}")))
            }),
            (SchemaRule::Required(names), Json::Object(members)) => names
                .iter()
                .try_for_each(|name| must(members.contains_key(name), &|| format!("have the property {name:?}"))),
            (SchemaRule::Additional(known, shape), Json::Object(members)) => members
                .iter()
                .filter(|(name, _)| !known.contains(name.as_str()))
                .try_for_each(|(name, member)| match shape {
                    Some(shape) => shape.at(member, &format!("{place}/{name}")),
                    None => must(false, &|| format!("not have the property {name:?}")),
                }),
            (SchemaRule::Items(shape), Json::Array(items)) => {
                (0..).zip(items).try_for_each(|(index, item): (usize, _)| shape.at(item, &format!("{place}/{index}")))
            }
            (SchemaRule::UniqueItems, Json::Array(items)) => {
                let texts: HashSet<String> = items.iter().map(Json::to_string).collect();
                must(texts.len() == items.len(), &|| "have no item twice".to_owned())
            }
            (SchemaRule::All(shapes), _) => shapes.iter().try_for_each(|shape| shape.at(value, place)),
            (SchemaRule::Any(shapes), _) => must(shapes.iter().any(|shape| shape.at(value, place).is_ok()), &|| {
                "be like one of the schema's alternatives".to_owned()
            }),
            (SchemaRule::Not(shape), _) => must(shape.at(value, place).is_err(), &|| "not be like that".to_owned()),
            _ => Ok(()),
        }
    }
}

fn is_of(value: &Json, name: &str) -> bool {
    match value {
        Json::Null => name == "null",
        Json::Bool(_) => name == "boolean",
        Json::Number(number) => {
            let whole = number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|value| value.fract() == 0.0);
            name == "number" || (name == "integer" && whole)
        }
        Json::String(_) => name == "string",
        Json::Array(_) => name == "array",
        Json::Object(_) => name == "object",
    }
}

/// Returns the number that a keyword compares; none where the value is of another type.
fn measure(keyword: &str, value: &Json) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "no text or array has so many members")]
    let count = |count: usize| count as f64;
    match (keyword, value) {
        ("minLength" | "maxLength", Json::String(text)) => Some(count(text.chars().count())),
        ("minItems" | "maxItems", Json::Array(items)) => Some(count(items.len())),
        ("minProperties" | "maxProperties", Json::Object(members)) => Some(count(members.len())),
        ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", Json::Number(number)) => number.as_f64(),
        _ => None,
    }
}

fn within(keyword: &str, size: f64, limit: f64) -> bool {
    match keyword {
        "exclusiveMinimum" => size > limit,
        "exclusiveMaximum" => size < limit,
        _ if keyword.starts_with("min") => size >= limit,
        _ => size <= limit,
    }
}

fn compile(schema: &Json, depth: usize) -> Result<JsonShape, String> {
    let Json::Object(keywords) = schema else {
        return Err("schema must be a JSON Schema, an object.".to_owned());
    };
    if depth > DEPTH {
        return Err(format!("schema is nested deeper than {DEPTH}."));
    }
    let mut shape = JsonShape::default();
    for (keyword, given) in keywords.iter().filter(|(keyword, _)| !NOTES.contains(&keyword.as_str())) {
        let rule = rule(keyword, given, keywords, depth)?;
        shape.rules.push(rule.ok_or_else(|| format!("schema: {keyword} is not valid, or not supported."))?);
    }
    Ok(shape)
}

/// The rule of a keyword; none where it is unknown or its value is not valid.
fn rule(keyword: &str, given: &Json, all: &Map<String, Json>, depth: usize) -> Result<Option<SchemaRule>, String> {
    let shapes = |given: &Json| match given.as_array() {
        Some(schemas) if !schemas.is_empty() => {
            schemas.iter().map(|schema| compile(schema, depth + 1)).collect::<Result<Vec<_>, _>>().map(Some)
        }
        _ => Ok(None),
    };
    if let Some(keyword) = LIMITS.iter().find(|limit| **limit == keyword) {
        return Ok(given.as_f64().map(|limit| SchemaRule::Limits { keyword, limit }));
    }
    Ok(match (keyword, given) {
        ("type", Json::String(name)) => types(vec![name.clone()]),
        ("type", Json::Array(_)) => texts(given).and_then(types),
        ("enum", Json::Array(values)) if !values.is_empty() => Some(SchemaRule::OneOf(ValueSet::of(values.clone()))),
        ("const", value) => Some(SchemaRule::OneOf(ValueSet::of(vec![value.clone()]))),
        ("pattern", Json::String(pattern)) => {
            let regex = RegexBuilder::new(pattern).size_limit(1 << 20).build();
            regex.ok().map(|regex| SchemaRule::Pattern(pattern.clone(), regex))
        }
        ("properties", Json::Object(schemas)) => {
            let shapes = schemas.iter().map(|(name, schema)| Ok((name.clone(), compile(schema, depth + 1)?)));
            Some(SchemaRule::Properties(shapes.collect::<Result<_, String>>()?))
        }
        ("required", _) => texts(given).map(SchemaRule::Required),
        ("additionalProperties", Json::Bool(true)) => Some(SchemaRule::All(Vec::new())),
        ("additionalProperties", _) => {
            let known = all.get("properties").and_then(Json::as_object);
            let known = known.map(|known| known.keys().cloned().collect()).unwrap_or_default();
            let shape = if *given == Json::Bool(false) { None } else { Some(compile(given, depth + 1)?) };
            Some(SchemaRule::Additional(known, shape))
        }
        ("items", Json::Object(_)) => Some(SchemaRule::Items(compile(given, depth + 1)?)),
        ("uniqueItems", Json::Bool(unique)) => {
            Some(if *unique { SchemaRule::UniqueItems } else { SchemaRule::All(Vec::new()) })
        }
        ("allOf", _) => shapes(given)?.map(SchemaRule::All),
        ("anyOf", _) => shapes(given)?.map(SchemaRule::Any),
        ("not", Json::Object(_)) => Some(SchemaRule::Not(compile(given, depth + 1)?)),
        _ => None,
    })
}

fn types(names: Vec<String>) -> Option<SchemaRule> {
    let known = ["null", "boolean", "integer", "number", "string", "array", "object"];
    names.iter().all(|name| known.contains(&name.as_str())).then_some(SchemaRule::Types(names))
}

fn texts(given: &Json) -> Option<Vec<String>> {
    given.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}
