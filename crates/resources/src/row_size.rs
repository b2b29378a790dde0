//! The limit of a resource's bytes.

use context::request_context::RequestContext;
use database::Value;
use model::error::{Error, Result};
use model::kinds::{StoredValue, ValueFault};
use model::types::ResourceType;

/// Refuses values that make a resource larger than one may be. One that is already larger may become smaller, or stay.
pub fn check<'v>(
    request: &RequestContext,
    of: &ResourceType,
    new: impl Iterator<Item = &'v StoredValue> + Clone,
    old: Option<&[StoredValue]>,
) -> Result<()> {
    let bytes: usize = new.clone().map(size).sum();
    if bytes <= request.row_bytes || old.is_some_and(|old| bytes <= old.iter().map(size).sum()) {
        return Ok(());
    }
    let largest = of.fields.iter().zip(new).max_by_key(|(_, value)| size(value));
    let message = format!("makes the resource {bytes} bytes large; it may have at most {}", request.row_bytes);
    let fault = ValueFault::new("row_too_large", message);
    let problems = largest.map(|(property, _)| fault.of(&property.name, &property.title));
    Err(Error::problems(problems.into_iter().collect()))
}

fn size(value: &StoredValue) -> usize {
    let one = |value: &Value| match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::Null => 0,
        _ => size_of::<i64>(),
    };
    match value {
        StoredValue::One(value) => one(value),
        StoredValue::Many(members) => members.iter().map(one).sum(),
    }
}
