//! The value of an expression as the value of a property: read and checked as the kind does with input.

use crate::empty_of;
use context::value_json::to_json;
use database::Value as Cell;
use expression::convert::to_text;
use expression::value::{Decimal, Value};
use expression::{HostProviders, convert};
use model::kinds;
use model::kinds::{Kind, KindClass, StoredValue, ValueContext, ValueFault, ValueStorage};
use model::types::Property;
use serde_json::Value as Json;

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
    let text = || to_text(value, providers).map(|text| text.lossy().into_owned()).map_err(of_language);
    match (kind.class(), value) {
        (_, Value::Secret(_)) => Err(secret()),
        (KindClass::Decimal { scale }, Value::Int(_) | Value::Float(_) | Value::Decimal(_)) => decimal(value, scale),
        (KindClass::Integer, Value::Int(number)) => Ok(Cell::Integer(*number)),
        (KindClass::Integer, Value::Decimal(_) | Value::Float(_)) => match decimal(value, 0)? {
            whole if is_whole(value) => Ok(whole),
            _ => Err(ValueFault::new("not_integer", "must be a whole number")),
        },
        (KindClass::Float, Value::Int(_) | Value::Float(_) | Value::Decimal(_)) => {
            let number = convert::to_float(value);
            if number.is_finite() {
                Ok(Cell::Float(number))
            } else {
                Err(ValueFault::new("not_finite", "must be finite"))
            }
        }
        (KindClass::Boolean, value) => Ok(Cell::Boolean(convert::to_bool(value))),
        (KindClass::Relation | KindClass::Relations, Value::Resource(resource)) => {
            let wanted = kind.relation().map_or(0, |relation| relation.type_id);
            if resource.type_id() == wanted {
                return Ok(Cell::Integer(resource.id()));
            }
            Err(ValueFault::new("wrong_type", "must be a resource of the relation's type"))
        }
        (KindClass::DateTime, Value::DateTime(at)) => {
            Ok(Cell::Timestamp(at.seconds.saturating_mul(1000).saturating_add(i64::from(at.micros / 1000))))
        }
        // Unix seconds, as time() and strtotime() give them.
        (KindClass::DateTime, Value::Int(seconds)) => Ok(Cell::Timestamp(seconds.saturating_mul(1000))),
        (KindClass::Date | KindClass::Month | KindClass::Time, Value::DateTime(at)) => {
            let format: &[u8] = match kind.class() {
                KindClass::Date => b"Y-m-d",
                KindClass::Month => b"Y-m",
                _ => b"H:i:s",
            };
            let text = expression::datetime::format(at, format);
            kind.read(&Json::String(String::from_utf8_lossy(&text).into_owned()), context)
        }
        (KindClass::Json, Value::Int(number)) => Ok(Cell::Text(number.to_string())),
        (KindClass::Json, Value::Decimal(number)) if is_short(*number) => Ok(Cell::Text(number_text(*number))),
        (KindClass::Json, value) => {
            let json = to_json(value, providers).map_err(of_language)?;
            kind.read(&json, context)
        }
        (KindClass::Text | KindClass::Enumeration | KindClass::Enumerations, _) => {
            kind.read(&Json::String(text()?), context)
        }
        (KindClass::Relation | KindClass::Relations, _) => Err(ValueFault::new("not_resource", "must be a resource")),
        (_, value) => kind.read(
            &Json::String(match value {
                Value::Array(_) | Value::Object(_) => {
                    return Err(ValueFault::new("wrong_kind", format!("cannot be {}", value.kind())));
                }
                _ => text()?,
            }),
            context,
        ),
    }
}

/// The number in the smallest units of the scale, rounded half away from zero.
fn decimal(value: &Value, scale: u8) -> Result<Cell, ValueFault> {
    let range = || ValueFault::new("out_of_range", "is too large");
    let number = match value {
        Value::Int(number) => Decimal { mantissa: i128::from(*number), scale: 0 },
        Value::Float(number) => Decimal::of_float(*number).ok_or_else(range)?,
        Value::Decimal(number) => *number,
        _ => return Err(ValueFault::new("not_number", "must be a number")),
    };
    let power = |digits: u8| 10_i128.checked_pow(u32::from(digits)).ok_or_else(range);
    let mantissa = { number.mantissa };
    let units = if number.scale <= scale {
        mantissa.checked_mul(power(scale - number.scale)?).ok_or_else(range)?
    } else {
        let divisor = power(number.scale - scale)?;
        let rest = (mantissa % divisor).abs();
        mantissa / divisor + if rest * 2 >= divisor { mantissa.signum() } else { 0 }
    };
    i64::try_from(units).map(Cell::Integer).map_err(|_| range())
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

fn is_whole(value: &Value) -> bool {
    match value {
        Value::Float(number) => number.fract() == 0.0,
        Value::Decimal(number) => {
            let mantissa = number.mantissa;
            mantissa % 10_i128.pow(u32::from(number.scale)) == 0
        }
        _ => true,
    }
}

/// The language's own words: a sentence of their own behind the property's title.
fn of_language(fault: expression::Fault) -> ValueFault {
    ValueFault::new(fault.code, format!("cannot be calculated: {}", fault.message.trim_end_matches('.')))
}

fn secret() -> ValueFault {
    ValueFault::new("secret_refused", "cannot hold a secret's value (***)")
}
