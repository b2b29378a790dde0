//! Values of the language as runs remember them from step to step.
//!
//! A resource is remembered as which one it is, and read when something of it is asked for. A secret is never
//! remembered.

use context::stored_reference::lasting_reference;
use expression::value::{Array, ArrayKey, Object, Text, Value};
use expression::{Fault, Result, wire};
use model::types::Model;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The depth to which a value may nest.
const DEEPEST: usize = 64;

/// The value, to be written down.
pub(super) fn encode(value: &Value) -> Result<Json> {
    write(value, DEEPEST)
}

/// The value again. What stands for none is null.
pub(super) fn decode(model: &Arc<Model>, json: &Json) -> Value {
    read(model, json).unwrap_or_default()
}

fn write(value: &Value, depth: usize) -> Result<Json> {
    let depth = depth.checked_sub(1).ok_or_else(|| Fault::new("too_deep", "The value nests too deep to be kept."))?;
    Ok(match value {
        Value::Secret(_) => {
            let message = "A secret's value (***) is not kept in a variable: call getSecret() where it is needed.";
            return Err(Fault::new("secret_refused", message));
        }
        Value::Changes(_) | Value::Rows(_) => {
            let message = format!("{} cannot be kept in a variable.", capital(value.kind()));
            return Err(Fault::new("wrong_kind", message));
        }
        Value::Resource(resource) => json!({"r": [resource.type_id(), resource.id()]}),
        Value::Array(array) if array.is_list() => {
            json!({"l": array.values().map(|member| write(member, depth)).collect::<Result<Vec<_>>>()?})
        }
        Value::Array(array) => {
            let pair =
                |(key, member): (ArrayKey, &Value)| Ok(json!([wire::encode(&key.value())?, write(member, depth)?]));
            json!({"m": array.iter().map(pair).collect::<Result<Vec<_>>>()?})
        }
        Value::Object(object) => {
            let pair = |(name, member): (&Text, &Value)| {
                Ok(json!([wire::encode(&Value::Text(name.clone()))?, write(member, depth)?]))
            };
            json!({"o": object.iter().map(pair).collect::<Result<Vec<_>>>()?})
        }
        leaf => json!({"v": wire::encode(leaf)?}),
    })
}

fn read(model: &Arc<Model>, json: &Json) -> Option<Value> {
    let (kind, content) = json.as_object()?.iter().next()?;
    let pairs = || {
        let pair = |pair: &Json| Some((wire::decode(pair.get(0)?).ok()?, read(model, pair.get(1)?)?));
        content.as_array()?.iter().map(pair).collect::<Option<Vec<(Value, Value)>>>()
    };
    Some(match kind.as_str() {
        "v" => wire::decode(content).ok()?,
        "r" => lasting_reference(model, content.get(0)?.as_i64()?, content.get(1)?.as_i64()?),
        "l" => {
            let members: Option<Vec<Value>> = content.as_array()?.iter().map(|member| read(model, member)).collect();
            Value::Array(members?.into_iter().collect::<Array>())
        }
        "m" => {
            let entry = |(key, value)| Some((ArrayKey::of(&key).ok()?, value));
            Value::Array(pairs()?.into_iter().map(entry).collect::<Option<Vec<_>>>()?.into_iter().collect::<Array>())
        }
        "o" => {
            let entry = |(name, value)| match name {
                Value::Text(name) => Some((name, value)),
                _ => None,
            };
            Value::Object(pairs()?.into_iter().map(entry).collect::<Option<Vec<_>>>()?.into_iter().collect::<Object>())
        }
        _ => return None,
    })
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
