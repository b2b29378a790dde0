//! Stored values as values of the language. Dates, months and times are texts, as answers show them; an instant is a
//! datetime in the display zone.

use crate::value_json::of_json;
use database::Value as Cell;
use datetime::{DateTime, DateZone};
use expression::Value;
use expression::value::{Array, Decimal, Object, Text};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::file_member::FileMember;
use model::kinds::{Kind, KindClass, StoredValue};
use std::sync::Arc;

/// The value of a property that is no relation.
pub fn of_stored(kind: &dyn Kind, stored: &StoredValue, zone: &TimeZone) -> Value {
    match (kind.class(), stored) {
        (KindClass::File, StoredValue::Many(files)) => {
            files.first().map_or(Value::Null, |file| of_cell(kind, file, zone))
        }
        (_, StoredValue::One(cell)) => of_cell(kind, cell, zone),
        (_, StoredValue::Many(members)) => {
            Value::Array(members.iter().map(|member| of_cell(kind, member, zone)).collect::<Array>())
        }
    }
}

/// The value as it is stored: a relation's id, an instant's text in UTC.
pub fn raw(kind: &dyn Kind, stored: &StoredValue) -> Value {
    let one = |cell: &Cell| match (kind.class(), cell) {
        (KindClass::DateTime, Cell::Timestamp(instant)) => {
            let text = model::kinds::instant_text(*instant, &TimeZone::UTC);
            // As PHP writes it: toUtc() gives the same.
            Value::text(&text.get(..19).unwrap_or_default().replace('T', " "))
        }
        (KindClass::Relation | KindClass::Relations, Cell::Integer(id)) => Value::Int(*id),
        (_, cell) => of_cell(kind, cell, &TimeZone::UTC),
    };
    match (kind.class(), stored) {
        (KindClass::File, StoredValue::Many(files)) => files.first().map_or(Value::Null, one),
        (_, StoredValue::One(cell)) => one(cell),
        (_, StoredValue::Many(members)) => Value::Array(members.iter().map(one).collect::<Array>()),
    }
}

fn of_cell(kind: &dyn Kind, cell: &Cell, zone: &TimeZone) -> Value {
    match (kind.class(), cell) {
        (_, Cell::Null) | (KindClass::Concealed, _) => Value::Null,
        (KindClass::Decimal { scale }, Cell::Integer(units)) => {
            Value::Decimal(Decimal { mantissa: i128::from(*units), scale })
        }
        (KindClass::Json, Cell::Text(text)) => {
            serde_json::from_str(text).map_or(Value::Null, |document| of_json(&document))
        }
        (KindClass::File | KindClass::Files, Cell::Text(_)) => {
            FileMember::of(cell).map_or(Value::Null, |member| file(&member))
        }
        (_, Cell::Boolean(flag)) => Value::Bool(*flag),
        (_, Cell::Integer(number)) => Value::Int(*number),
        (_, Cell::Float(number)) => Value::Float(*number),
        (_, Cell::Text(text)) => Value::text(text),
        (_, Cell::Timestamp(instant)) => {
            let (seconds, millis) = (instant.div_euclid(1_000), instant.rem_euclid(1_000));
            let micros = u32::try_from(millis * 1_000).unwrap_or_default();
            Value::DateTime(Arc::new(DateTime { seconds, micros, zone: DateZone::of(zone) }))
        }
        (_, Cell::Date(_) | Cell::Uuid(_)) => {
            let context = model::kinds::ValueContext { zone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
            Value::text(&model::kinds::write_plain(kind, cell.as_ref(), &context))
        }
        (_, Cell::Bytes(bytes)) => Value::Text(Text::of_bytes(bytes)),
    }
}

fn file(member: &FileMember) -> Value {
    let properties = [
        ("name", Value::text(&member.1)),
        ("title", Value::text(&member.2)),
        ("size", Value::Int(member.3)),
        ("mime", Value::text(&member.4)),
        ("hash", Value::text(&member.5)),
    ];
    Value::Object(properties.into_iter().map(|(name, value)| (Text::from(name), value)).collect::<Object>())
}
