//! Changes of kind: from a stored value of the old kind to one of the new.

use super::*;

/// Returns true if values of one kind can become values of another at all. Single values may still not: see
/// [`convert`].
pub fn convertible(old: &dyn Kind, new: &dyn Kind) -> bool {
    use Class::{
        Boolean, Concealed, Date, DateTime, Decimal, Enumeration, Enumerations, File, Files, Float, Integer, Json,
    };
    use Class::{Month, Relation, Relations, Text, Time, Uuid};
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
pub fn convert(old: &dyn Kind, new: &dyn Kind, value: &Stored, context: &Context<'_>) -> Result<Stored, Fault> {
    if !convertible(old, new) {
        return Err(Fault::new("not_convertible", format!("cannot become a {}", new.name())));
    }
    let converted = match (value, new.storage()) {
        (value, Storage::Attachments) => value.clone(),
        (Stored::One(Value::Null), Storage::Column(_)) => Stored::One(Value::Null),
        (Stored::One(Value::Null), Storage::Links(_)) => Stored::Many(Vec::new()),
        _ if new.class() == Class::Json && old.class() != Class::Json => {
            let mut wire = Vec::new();
            write_property(old, value, context, &mut wire);
            Stored::One(Value::Text(String::from_utf8_lossy(&wire).into_owned()))
        }
        (Stored::One(document), _) if old.class() == Class::Json => from_document(new, document, context)?,
        (Stored::One(value), Storage::Column(_)) => Stored::One(one(old, new, value, context)?),
        (Stored::One(value), Storage::Links(_)) => Stored::Many(vec![one(old, new, value, context)?]),
        (Stored::Many(members), Storage::Column(_)) => match members.as_slice() {
            [] => Stored::One(Value::Null),
            [member] => Stored::One(one(old, new, member, context)?),
            _ => return Err(Fault::new("several_values", format!("has {} members, not one", members.len()))),
        },
        (Stored::Many(members), Storage::Links(_)) => {
            Stored::Many(members.iter().map(|member| one(old, new, member, context)).collect::<Result<_, _>>()?)
        }
    };
    // Archived options stay in rows that have them.
    if !matches!(new.class(), Class::Enumeration | Class::Enumerations) {
        check_property(new, &converted)?;
    }
    Ok(converted)
}

fn one(old: &dyn Kind, new: &dyn Kind, value: &Value, context: &Context<'_>) -> Result<Value, Fault> {
    match (old.class(), new.class()) {
        (Class::Relation | Class::Relations, Class::Relation | Class::Relations | Class::Integer) => Ok(value.clone()),
        (Class::Concealed, _) | (Class::Month, Class::Date) => Ok(value.clone()),
        (Class::Month, Class::DateTime) => {
            let first = format!("{}-01", write_plain(old, value.as_ref(), context));
            read_plain(new, &first, context)
        }
        (Class::Boolean, Class::Integer | Class::Decimal { .. } | Class::Float) => {
            let number = Json::from(i64::from(*value == Value::Boolean(true)));
            new.read(&number, context)
        }
        (Class::Decimal { .. } | Class::Float, Class::Integer | Class::Boolean) => {
            let text = write_plain(old, value.as_ref(), context);
            // Zeros behind the point are no part of the number.
            let whole = text.split_once('.').filter(|(_, places)| places.bytes().all(|place| place == b'0'));
            read_plain(new, whole.map_or(text.as_str(), |(whole, _)| whole), context)
        }
        (Class::Float, Class::Decimal { .. }) => match value {
            Value::Float(number) => new.read(&Json::from(*number), context),
            _ => Err(Fault::new("not_decimal", "must be a decimal number such as 12.50")),
        },
        _ => read_plain(new, &write_plain(old, value.as_ref(), context), context),
    }
}

/// A document is taken as input for the new kind.
fn from_document(new: &dyn Kind, document: &Value, context: &Context<'_>) -> Result<Stored, Fault> {
    let Value::Text(text) = document else { return read_property(new, &Json::Null, context) };
    let input = serde_json::from_str(text).map_err(|error| Fault::new("not_json", error.to_string()))?;
    read_property(new, &input, context)
}
