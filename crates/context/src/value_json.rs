//! Plain JSON to values of the language and back: for documents, parameters and answers.

use expression::convert::to_text;
use expression::value::{Array, ArrayKey, Object, Text, Value};
use expression::{Fault, HostProviders, Result};
use serde_json::{Map, Number, Value as Json};

/// The depth to which a value may nest that becomes JSON.
const DEEPEST: usize = 64;

/// The value of a JSON document: lists are arrays, objects are objects.
pub fn of_json(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::text(text),
        Json::Array(members) => Value::Array(members.iter().map(of_json).collect::<Array>()),
        Json::Object(members) => Value::Object(
            members.iter().map(|(name, member)| (Text::from(name.as_str()), of_json(member))).collect::<Object>(),
        ),
    }
}

/// The plain JSON of a value: resources are their ids, dates texts, a secret is refused.
pub fn to_json(value: &Value, providers: &dyn HostProviders) -> Result<Json> {
    below(value, providers, DEEPEST)
}

fn below(value: &Value, providers: &dyn HostProviders, depth: usize) -> Result<Json> {
    let depth = depth.checked_sub(1).ok_or_else(|| Fault::new("too_deep", "The value nests too deep for JSON."))?;
    Ok(match value {
        Value::Null => Json::Null,
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Int(number) => Json::from(*number),
        Value::Float(number) => match Number::from_f64(*number) {
            Some(number) => Json::Number(number),
            None => return Err(Fault::new("not_finite", "A number that is not finite has no JSON.")),
        },
        Value::Decimal(_) => {
            let text = to_text(value, providers)?.lossy().into_owned();
            // As output of pDecimal: a number, which JSON holds exactly in its digits.
            serde_json::from_str(&text).unwrap_or(Json::String(text))
        }
        Value::Resource(resource) => Json::from(resource.id()),
        Value::Array(array) if array.is_list() => {
            array.values().map(|member| below(member, providers, depth)).collect::<Result<_>>()?
        }
        Value::Array(array) => {
            let member = |(key, member): (ArrayKey, &Value)| {
                Ok((key.text().lossy().into_owned(), below(member, providers, depth)?))
            };
            Json::Object(array.iter().map(member).collect::<Result<Map<_, _>>>()?)
        }
        Value::Object(object) => {
            let member =
                |(name, member): (&Text, &Value)| Ok((name.lossy().into_owned(), below(member, providers, depth)?));
            Json::Object(object.iter().map(member).collect::<Result<Map<_, _>>>()?)
        }
        Value::Text(text) => match text.as_str() {
            Some(text) => Json::String(text.to_owned()),
            None => return Err(Fault::new("not_utf8", "Bytes that are no text have no JSON: encode them first.")),
        },
        Value::Secret(_) => return Err(secret()),
        Value::DateTime(_) => Json::String(to_text(value, providers)?.lossy().into_owned()),
        Value::Rows(_) => {
            let message = "The result of a query has no JSON: fetch its rows, as with dataQueryFetchAll().";
            return Err(Fault::new("wrong_kind", message));
        }
        other => return Err(Fault::new("wrong_kind", format!("{} has no JSON.", other.kind()))),
    })
}

/// The fault of a secret where it may not go.
pub fn secret() -> Fault {
    Fault::new("secret_refused", "A secret's value (***) may not go here.")
}
