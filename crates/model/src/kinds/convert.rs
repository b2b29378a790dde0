//! Changes of kind: from a stored value of the old kind to one of the new.

use super::class::{KindClass, ValueStorage};
use super::kind::Kind;
use super::plain::{read_plain, write_plain};
use super::property::{check_property, read_property, write_property};
use super::value::{StoredValue, ValueContext, ValueFault};
use database::Value;
use serde_json::Value as Json;

/// Returns true if values of one kind can become values of another at all. Single values may still not: see
/// [`convert`].
pub fn convertible(old: &dyn Kind, new: &dyn Kind) -> bool {
    use KindClass::{
        Boolean, Concealed, Date, DateTime, Decimal, Enumeration, Enumerations, File, Files, Float, Integer, Json,
    };
    use KindClass::{Month, Relation, Relations, Text, Time, Uuid};
    match (old.class(), new.class()) {
        // Files stay where they are; of several, none is the one that should.
        (File | Files, Files) | (File, File) => true,
        (File | Files, _) | (_, File | Files) => false,
        (Concealed, _) | (_, Concealed) => old.name() == new.name(),
        (Relation | Relations, Relation | Relations) => {
            old.relation().map(|relation| relation.type_id) == new.relation().map(|relation| relation.type_id)
        }
        (_, Relation | Relations) => false,
        (_, Json) | (Json, _) => true,
        (Relation, Integer | Text) => true,
        (Relation | Relations, _) => false,
        (Enumerations, Enumeration | Enumerations) | (Enumeration | Text, Enumerations) => true,
        (Enumerations, _) | (_, Enumerations) => false,
        (Text, _) | (_, Text) => true,
        (Integer | Decimal { .. } | Float, Integer | Decimal { .. } | Float | Boolean | Enumeration) => true,
        (Boolean, Integer | Decimal { .. } | Float | Boolean | Enumeration) => true,
        (Enumeration, Integer | Decimal { .. } | Float | Boolean | Enumeration) => true,
        (Date | Month | DateTime, Date | Month | DateTime) | (Time, Time) | (Uuid, Uuid) => true,
        _ => false,
    }
}

/// The value of the new kind that a value of the old one becomes. `context` holds the tenant's zone.
pub fn convert(
    old: &dyn Kind,
    new: &dyn Kind,
    value: &StoredValue,
    context: &ValueContext<'_>,
) -> Result<StoredValue, ValueFault> {
    if !convertible(old, new) {
        return Err(ValueFault::new("not_convertible", format!("cannot become a {}", new.name())));
    }
    let converted = match (value, new.storage()) {
        (value, ValueStorage::Attachments) => value.clone(),
        (StoredValue::One(Value::Null), ValueStorage::Column(_)) => StoredValue::One(Value::Null),
        (StoredValue::One(Value::Null), ValueStorage::Links(_)) => StoredValue::Many(Vec::new()),
        _ if new.is_document() && !old.is_document() => {
            let mut wire = Vec::new();
            write_property(old, value, context, &mut wire);
            StoredValue::One(Value::Text(String::from_utf8_lossy(&wire).into_owned()))
        }
        (StoredValue::One(document), _) if old.is_document() => from_document(new, document, context)?,
        (StoredValue::One(value), ValueStorage::Column(_)) => StoredValue::One(one(old, new, value, context)?),
        (StoredValue::One(value), ValueStorage::Links(_)) => StoredValue::Many(vec![one(old, new, value, context)?]),
        (StoredValue::Many(members), ValueStorage::Column(_)) => match members.as_slice() {
            [] => StoredValue::One(Value::Null),
            [member] => StoredValue::One(one(old, new, member, context)?),
            _ => return Err(ValueFault::new("several_values", format!("has {} members, not one", members.len()))),
        },
        (StoredValue::Many(members), ValueStorage::Links(_)) => {
            StoredValue::Many(members.iter().map(|member| one(old, new, member, context)).collect::<Result<_, _>>()?)
        }
    };
    // Archived options stay in rows that have them.
    if !new.is_choice() {
        check_property(new, &converted)?;
    }
    Ok(converted)
}

fn one(old: &dyn Kind, new: &dyn Kind, value: &Value, context: &ValueContext<'_>) -> Result<Value, ValueFault> {
    match (old.class(), new.class()) {
        (
            KindClass::Relation | KindClass::Relations,
            KindClass::Relation | KindClass::Relations | KindClass::Integer,
        ) => Ok(value.clone()),
        (KindClass::Concealed, _) | (KindClass::Month, KindClass::Date) => Ok(value.clone()),
        (KindClass::Month, KindClass::DateTime) => {
            let first = format!("{}-01", write_plain(old, value.as_ref(), context));
            read_plain(new, &first, context)
        }
        (KindClass::Boolean, KindClass::Integer | KindClass::Decimal { .. } | KindClass::Float) => {
            let number = Json::from(i64::from(*value == Value::Boolean(true)));
            new.read(&number, context)
        }
        (KindClass::Decimal { .. } | KindClass::Float, KindClass::Integer | KindClass::Boolean) => {
            let text = write_plain(old, value.as_ref(), context);
            // Zeros behind the point are no part of the number.
            let whole = text.split_once('.').filter(|(_, places)| places.bytes().all(|place| place == b'0'));
            read_plain(new, whole.map_or(text.as_str(), |(whole, _)| whole), context)
        }
        (KindClass::Float, KindClass::Decimal { .. }) => match value {
            Value::Float(number) => new.read(&Json::from(*number), context),
            _ => Err(ValueFault::new("not_decimal", "must be a decimal number such as 12.50")),
        },
        _ => read_plain(new, &write_plain(old, value.as_ref(), context), context),
    }
}

/// A document is taken as input for the new kind.
fn from_document(new: &dyn Kind, document: &Value, context: &ValueContext<'_>) -> Result<StoredValue, ValueFault> {
    let Value::Text(text) = document else { return read_property(new, &Json::Null, context) };
    let input = serde_json::from_str(text).map_err(|error| ValueFault::new("not_json", error.to_string()))?;
    read_property(new, &input, context)
}
