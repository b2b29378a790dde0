//! The value of an expression as the value of a property: read and checked as the kind does with input.

use crate::empty_of;
use context::value_json::to_json;
use database::Value as Cell;
use expression::HostProviders;
use expression::value::{Decimal, Value};
use model::kinds;
use model::kinds::{ExpressionResult, Kind, StoredValue, ValueContext, ValueFault, ValueStorage, expression_fault};
use model::types::Property;

/// Makes of an expression's value the stored value of a property, or says why it cannot. Decimals are rounded to the
/// property's scale; a secret is never taken. What is said of the value tells nothing of it: it may be made of what the
/// caller may not read.
pub fn accept(
    property: &Property,
    value: &Value,
    context: &ValueContext<'_>,
    providers: &dyn HostProviders,
) -> Result<StoredValue, ValueFault> {
    stored(property, value, context, providers).map_err(ValueFault::general)
}

fn stored(
    property: &Property,
    value: &Value,
    context: &ValueContext<'_>,
    providers: &dyn HostProviders,
) -> Result<StoredValue, ValueFault> {
    let kind = property.kind.as_ref();
    let stored = match (kind.storage(), value) {
        (_, Value::Secret(_)) => return Err(secret()),
        (_, Value::Null) => return Ok(empty_of(property)),
        (ValueStorage::Column(_), value) => StoredValue::One(cell(kind, value, context, providers)?),
        (ValueStorage::Links(_), Value::Array(array)) => {
            let members = array.values().filter(|member| !member.is_null());
            StoredValue::Many(members.map(|member| cell(kind, member, context, providers)).collect::<Result<_, _>>()?)
        }
        (ValueStorage::Links(_), value) => StoredValue::Many(vec![cell(kind, value, context, providers)?]),
        (ValueStorage::Attachments, _) => return Err(ValueFault::new("wrong_kind", "takes no values of expressions")),
    };
    kinds::check_property(kind, &stored)?;
    Ok(stored)
}

/// The same for one value of a kind, or one member of several; it is not checked against the options yet.
pub(crate) fn cell(
    kind: &dyn Kind,
    value: &Value,
    context: &ValueContext<'_>,
    providers: &dyn HostProviders,
) -> Result<Cell, ValueFault> {
    match value {
        Value::Secret(_) => Err(secret()),
        value if kind.is_document() => document(kind, value, context, providers),
        value => kind.read_result(&ExpressionResult { value, context, providers }),
    }
}

/// A value as a JSON document.
fn document(
    kind: &dyn Kind,
    value: &Value,
    context: &ValueContext<'_>,
    providers: &dyn HostProviders,
) -> Result<Cell, ValueFault> {
    match value {
        Value::Int(number) => Ok(Cell::Text(number.to_string())),
        Value::Decimal(number) if is_short(*number) => Ok(Cell::Text(number_text(*number))),
        value => kind.read(&to_json(value, providers).map_err(expression_fault)?, context),
    }
}

/// Returns true if a JSON number carries it exactly.
fn is_short(number: Decimal) -> bool {
    { number.mantissa }.unsigned_abs() < 1_000_000_000_000_000
}

/// A short decimal as JSON shows numbers, without a document that is made of it first.
fn number_text(number: Decimal) -> String {
    let mut text = number.to_string();
    if number.scale > 0 {
        let digits = text.trim_end_matches('0').len();
        text.truncate(digits);
        text.push_str(if text.ends_with('.') { "0" } else { "" });
    }
    text
}

fn secret() -> ValueFault {
    ValueFault::new("secret_refused", "cannot hold a secret's value (***)")
}
