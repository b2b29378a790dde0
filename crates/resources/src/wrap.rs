//! Values with what people need to know of them: `wrapFields` (D-20).

use super::fields::{Member, ValueWrapping};
use super::output::{WrittenRows, parse_files, parse_links};
use database::{ColumnType, Row, ValueRef};
use jiff::tz::TimeZone;
use model::display;
use model::kinds::{Kind, StoredValue, ValueContext, ValueStorage, json, write_instant};
use model::types::Property;

impl ValueWrapping<'_> {
    /// Writes one value.
    fn one(self, member: &Member<'_>, value: ValueRef<'_>, context: &ValueContext<'_>, out: &mut Vec<u8>) {
        let kind = member.property.kind.as_ref();
        out.extend_from_slice(b"{\"value\":");
        write_value(kind, value, context, out);
        out.extend_from_slice(b",\"display\":");
        display::write(kind, value, context, self.model, out);
        write_kind(out, kind);
        if member.expansion.is_some() {
            write_type(out, kind);
        }
        self.details(member, value, out);
        write_is_calculated(out, member.property);
        out.push(b'}');
    }

    /// Writes the members of a multi-valued property.
    fn many(self, member: &Member<'_>, values: &[ValueRef<'_>], context: &ValueContext<'_>, out: &mut Vec<u8>) {
        let kind = member.property.kind.as_ref();
        out.extend_from_slice(b"{\"value\":");
        write_array(out, values.iter(), |value, out| write_value(kind, *value, context, out));
        out.extend_from_slice(b",\"display\":");
        display::write_joined(out, values, |value, out| display::write(kind, *value, context, self.model, out));
        write_kind(out, kind);
        if member.expansion.is_some() {
            write_type(out, kind);
        }
        write_is_calculated(out, member.property);
        if kind.holds_files() {
            // Each of them has its name.
            return out.push(b'}');
        }
        out.extend_from_slice(b",\"items\":");
        write_array(out, values.iter(), |value, out| {
            out.extend_from_slice(b"{\"value\":");
            write_value(kind, *value, context, out);
            out.extend_from_slice(b",\"display\":");
            display::write(kind, *value, context, self.model, out);
            self.details(member, *value, out);
            out.push(b'}');
        });
        out.push(b'}');
    }

    /// Writes what one value has beside value, display and kind; of relations, what one without a value has.
    fn details(self, member: &Member<'_>, value: ValueRef<'_>, out: &mut Vec<u8>) {
        let kind = member.property.kind.as_ref();
        if kind.is_choice() {
            let chosen = |value| kind.choices().iter().find(|choice| choice.value == value);
            let color = match value {
                ValueRef::Text(value) => chosen(value).and_then(|choice| choice.color.as_deref()),
                _ => None,
            };
            out.extend_from_slice(b",\"color\":");
            match color {
                Some(color) => json::write_string(out, color),
                None => json::write_null(out),
            }
        } else if kind.is_instant() {
            out.extend_from_slice(b",\"utc\":");
            match value {
                ValueRef::Timestamp(instant) => write_utc(out, instant),
                _ => json::write_null(out),
            }
        } else if kind.is_relation() && member.expansion.is_some() {
            out.extend_from_slice(b",\"uuid\":null,\"url\":null");
        }
    }
}

impl WrittenRows {
    /// Writes a value of a row, wrapped.
    pub(super) fn wrapped(
        &mut self,
        row: &Row<'_>,
        index: usize,
        member: &Member<'_>,
        wrapping: ValueWrapping<'_>,
        context: &ValueContext<'_>,
    ) -> database::Result<()> {
        match member.property.kind.storage() {
            ValueStorage::Column(column) => match row.get(index, column)? {
                ValueRef::Integer(id) if member.expansion.is_some() => self.hole(index, false, vec![id]),
                value => wrapping.one(member, value, context, &mut self.bytes),
            },
            ValueStorage::Links(ColumnType::Integer) => {
                let ids: Vec<i64> = parse_links(row.text(index)?)?;
                if member.expansion.is_some() && !ids.is_empty() {
                    self.hole(index, true, ids);
                } else {
                    let values: Vec<ValueRef<'_>> = ids.into_iter().map(ValueRef::Integer).collect();
                    wrapping.many(member, &values, context, &mut self.bytes);
                }
            }
            ValueStorage::Attachments => {
                let files = parse_files(row.text(index)?)?;
                let values: Vec<ValueRef<'_>> = files.iter().map(|file| ValueRef::Text(file.get())).collect();
                if member.property.kind.holds_several() {
                    wrapping.many(member, &values, context, &mut self.bytes);
                } else {
                    let file = values.first().copied().unwrap_or(ValueRef::Null);
                    wrapping.one(member, file, context, &mut self.bytes);
                }
            }
            ValueStorage::Links(_) => {
                let texts: Vec<String> = parse_links(row.text(index)?)?;
                let values: Vec<ValueRef<'_>> = texts.iter().map(|text| ValueRef::Text(text)).collect();
                wrapping.many(member, &values, context, &mut self.bytes);
            }
        }
        Ok(())
    }
}

/// Writes a calculated value, wrapped, with what went wrong where there is none.
pub(super) fn write_calculated(
    out: &mut Vec<u8>,
    wrapping: ValueWrapping<'_>,
    member: &Member<'_>,
    stored: &StoredValue,
    error: Option<&str>,
    context: &ValueContext<'_>,
) {
    match stored {
        StoredValue::One(value) => wrapping.one(member, value.as_ref(), context, out),
        StoredValue::Many(members) => {
            let values: Vec<ValueRef<'_>> = members.iter().map(database::Value::as_ref).collect();
            wrapping.many(member, &values, context, out);
        }
    }
    if let Some(error) = error {
        out.pop();
        out.extend_from_slice(b",\"error\":");
        json::write_string(out, error);
        out.push(b'}');
    }
}

/// Says of a calculated property that it is one.
fn write_is_calculated(out: &mut Vec<u8>, property: &Property) {
    if property.calculated.is_some() {
        out.extend_from_slice(b",\"calculated\":true");
    }
}

fn write_value(kind: &dyn Kind, value: ValueRef<'_>, context: &ValueContext<'_>, out: &mut Vec<u8>) {
    match value {
        ValueRef::Null => json::write_null(out),
        value => kind.write(value, context, out),
    }
}

pub(super) fn write_kind(out: &mut Vec<u8>, kind: &dyn Kind) {
    out.extend_from_slice(b",\"kind\":");
    json::write_string(out, kind.name());
}

/// The type that a relation refers to.
pub(super) fn write_type(out: &mut Vec<u8>, kind: &dyn Kind) {
    if let Some(relation) = kind.relation() {
        out.extend_from_slice(b",\"typeId\":");
        json::write_integer(out, relation.type_id);
        out.extend_from_slice(b",\"type\":");
        json::write_string(out, relation.type_name);
    }
}

pub(super) fn write_array<T>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(T, &mut Vec<u8>),
) {
    out.push(b'[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write(item, out);
    }
    out.push(b']');
}

/// `2026-11-20T13:30:00Z`
fn write_utc(out: &mut Vec<u8>, instant: i64) {
    const OFFSET: usize = "+00:00".len();
    out.push(b'"');
    write_instant(out, instant, &TimeZone::UTC);
    out.truncate(out.len() - OFFSET);
    out.extend_from_slice(b"Z\"");
}
