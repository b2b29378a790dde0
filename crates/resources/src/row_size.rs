//! The limit of a resource's bytes.

use context::call::Call;
use database::Value;
use model::error::{Error, Result};
use model::kinds::{Fault, Stored};
use model::types::Type;

/// Refuses values that make a resource larger than one may be. One that is already larger may become smaller, or stay.
pub fn check<'v>(
    call: &Call,
    of: &Type,
    new: impl Iterator<Item = &'v Stored> + Clone,
    old: Option<&[Stored]>,
) -> Result<()> {
    let bytes: usize = new.clone().map(size).sum();
    if bytes <= call.row_bytes || old.is_some_and(|old| bytes <= old.iter().map(size).sum()) {
        return Ok(());
    }
    let largest = of.fields.iter().zip(new).max_by_key(|(_, value)| size(value));
    let message = format!("makes the resource {bytes} bytes large; it may have at most {}", call.row_bytes);
    let fault = Fault::new("row_too_large", message);
    let problems = largest.map(|(property, _)| fault.of(&property.name, &property.title));
    Err(Error::problems(problems.into_iter().collect()))
}

fn size(value: &Stored) -> usize {
    let one = |value: &Value| match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::Null => 0,
        _ => size_of::<i64>(),
    };
    match value {
        Stored::One(value) => one(value),
        Stored::Many(members) => members.iter().map(one).sum(),
    }
}
