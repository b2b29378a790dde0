//! Values as plain text: in cells of CSV, in addresses, and on the way from one kind to another.

use super::catalogue::lost_digits;
use super::class::KindClass;
use super::kind::Kind;
use super::value::{ValueContext, ValueFault};
use database::{Value, ValueRef};
use serde_json::Value as Json;

/// Reads one value from plain text: what [`write_plain`] writes, and the number, boolean or JSON that a text spells.
pub fn read_plain(kind: &dyn Kind, text: &str, context: &ValueContext<'_>) -> Result<Value, ValueFault> {
    let spelt = || text.trim().to_owned();
    let input = match kind.class() {
        KindClass::Integer => number(text).unwrap_or_else(|| Json::String(spelt())),
        KindClass::Float => match text.trim().parse::<f64>() {
            Ok(value) => Json::from(value),
            Err(_) => Json::String(spelt()),
        },
        KindClass::Boolean => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => Json::Bool(true),
            "false" | "0" => Json::Bool(false),
            _ => Json::String(spelt()),
        },
        KindClass::Relation | KindClass::Relations => number(text).unwrap_or_else(|| Json::String(spelt())),
        KindClass::Json if crate::json::imprecise(text.as_bytes()) => return Err(lost_digits()),
        KindClass::Json => {
            serde_json::from_str(text).map_err(|error| ValueFault::new("not_json", format!("must be JSON: {error}")))?
        }
        KindClass::Text | KindClass::Concealed => Json::String(text.to_owned()),
        _ => Json::String(spelt()),
    };
    kind.read(&input, context)
}

/// Writes one value as plain text: its wire form, without the quotes of a string.
pub fn write_plain(kind: &dyn Kind, value: ValueRef<'_>, context: &ValueContext<'_>) -> String {
    if let (ValueRef::Text(text), false) = (value, kind.concealed()) {
        return text.to_owned();
    }
    let mut wire = Vec::new();
    kind.write(value, context, &mut wire);
    // What is left is a number, a boolean or a string that needs no escapes.
    String::from_utf8_lossy(&wire).trim_matches('"').to_owned()
}

/// The whole number that a text spells.
fn number(text: &str) -> Option<Json> {
    text.trim().parse::<i64>().ok().map(Json::from)
}
