//! Cells of groups: how they are read, compared and written.

use crate::buckets::Buckets;
use crate::columns::{PlannedKey, PlannedValue};
use database::{ColumnType, Row, Value, ValueRef};
use model::groups::{AggregateFunction, DatePart};
use model::kinds::{ValueContext, ValueStorage, json};
use model::types::Property;
use query::summing::{HALF, average};
use std::cmp::Ordering;

/// Digits behind the point that an average has beside those of its values.
const AVERAGE_DIGITS: u8 = 6;
/// The scale of large floats, so that no sum is too large for an engine.
pub(crate) const FLOAT_SCALE: f64 = 1.0 / (1_u64 << 32) as f64;

/// A key or a value of one group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// Nothing.
    Null,
    /// A value of a property.
    Value(Value),
    /// A whole number of units.
    Exact(i128),
    /// A sum or an average of floats.
    Float(f64),
}

/// The form of a column of groups.
#[derive(Clone, Copy)]
pub enum ColumnForm<'m> {
    /// Values of a property.
    Property(&'m Property),
    /// Numbers of periods, which have labels.
    Period(DatePart),
    /// Exact numbers with so many digits behind the point.
    Exact {
        /// The digits behind the point.
        scale: u8,
        /// True if zeros at the end are left out.
        trimmed: bool,
    },
    /// Floats.
    Float,
}

/// Returns the forms of all columns, keys first.
pub(crate) fn forms<'m>(keys: &[PlannedKey<'m>], values: &[PlannedValue<'m>]) -> Vec<ColumnForm<'m>> {
    keys.iter().map(key_form).chain(values.iter().map(value_form)).collect()
}

pub(crate) fn key_form<'m>(key: &PlannedKey<'m>) -> ColumnForm<'m> {
    match key.calendar {
        None => ColumnForm::Property(key.property()),
        Some(calendar) if calendar.part.repeats() => ColumnForm::Exact { scale: 0, trimmed: false },
        Some(calendar) => ColumnForm::Period(calendar.part),
    }
}

pub(crate) fn value_form<'m>(value: &PlannedValue<'m>) -> ColumnForm<'m> {
    match (value.function, value.path.as_ref().map(|path| path.property)) {
        (AggregateFunction::Least | AggregateFunction::Greatest, Some(property)) => ColumnForm::Property(property),
        (AggregateFunction::Sum | AggregateFunction::Average, Some(_)) if is_float(value) => ColumnForm::Float,
        (AggregateFunction::Sum, Some(property)) => ColumnForm::Exact { scale: scale_of(property), trimmed: false },
        (AggregateFunction::Average, Some(property)) => {
            ColumnForm::Exact { scale: scale_of(property) + AVERAGE_DIGITS, trimmed: true }
        }
        _ => ColumnForm::Exact { scale: 0, trimmed: false },
    }
}

fn scale_of(property: &Property) -> u8 {
    property.kind.scale().unwrap_or(0)
}

/// Returns the type of a property's column, or of its members.
pub(crate) fn column_type(property: &Property) -> ColumnType {
    match property.kind.storage() {
        ValueStorage::Column(column) | ValueStorage::Links(column) => column,
        ValueStorage::Attachments => ColumnType::Text,
    }
}

/// The value of a group without rows.
pub(crate) fn empty(function: AggregateFunction, float: bool) -> Cell {
    match function {
        AggregateFunction::Sum if float => Cell::Float(0.0),
        AggregateFunction::Count | AggregateFunction::CountDistinct | AggregateFunction::Sum => Cell::Exact(0),
        AggregateFunction::Average | AggregateFunction::Least | AggregateFunction::Greatest => Cell::Null,
    }
}

/// Reads the cells of a group, keys first.
pub(crate) fn read(keys: &[PlannedKey<'_>], values: &[PlannedValue<'_>], row: &Row<'_>) -> database::Result<Vec<Cell>> {
    let mut cells = Vec::with_capacity(keys.len() + values.len());
    let mut place = 0;
    for key in keys {
        cells.push(match key.calendar {
            Some(_) => number(row, place)?.map_or(Cell::Null, |number| Cell::Exact(number.into())),
            None => property(row, place, key.property())?,
        });
        place += 1;
    }
    for value in values {
        let columns = columns(value);
        cells.push(read_value(value, row, place)?);
        place += columns;
    }
    Ok(cells)
}

/// The number of columns of a statement that a value is made of.
pub(crate) fn columns(value: &PlannedValue<'_>) -> usize {
    match (value.function, is_float(value)) {
        (AggregateFunction::Sum, _) => 2,
        (AggregateFunction::Average, _) => 3,
        _ => 1,
    }
}

/// Returns true if the values are floats.
pub(crate) fn is_float(value: &PlannedValue<'_>) -> bool {
    value.path.as_ref().is_some_and(|path| column_type(path.property) == ColumnType::Float)
}

fn read_value(value: &PlannedValue<'_>, row: &Row<'_>, place: usize) -> database::Result<Cell> {
    let Some(of) = value.path.as_ref().map(|path| path.property) else {
        return Ok(Cell::Exact(row.integer(place)?.into()));
    };
    let whole = |place: usize| number(row, place).map(|number| i128::from(number.unwrap_or(0)));
    Ok(match (value.function, is_float(value)) {
        (AggregateFunction::Count | AggregateFunction::CountDistinct, _) => Cell::Exact(row.integer(place)?.into()),
        (AggregateFunction::Least | AggregateFunction::Greatest, _) => property(row, place, of)?,
        (AggregateFunction::Sum, true) => Cell::Float(float_sum(row, place, 1.0)?),
        (AggregateFunction::Average, true) => match whole(place + 2)? {
            0 => Cell::Null,
            count => Cell::Float(float_sum(row, place, count as f64)?),
        },
        (AggregateFunction::Sum, false) => Cell::Exact(whole(place)? * i128::from(HALF) + whole(place + 1)?),
        (AggregateFunction::Average, false) => {
            let (total, count) = (whole(place)? * i128::from(HALF) + whole(place + 1)?, whole(place + 2)?);
            exact_average(total, count)
        }
    })
}

/// The average of numbers that come to a total.
pub(crate) fn average_of(total: i128, count: i64) -> Cell {
    exact_average(total, count.into())
}

fn exact_average(total: i128, count: i128) -> Cell {
    let average = (count > 0).then(|| average(total, count, AVERAGE_DIGITS.into())).flatten();
    average.map_or(Cell::Null, Cell::Exact)
}

fn number(row: &Row<'_>, place: usize) -> database::Result<Option<i64>> {
    if row.is_null(place)? { Ok(None) } else { row.integer(place).map(Some) }
}

/// Reads a sum of floats, divided by a number before it leaves their range.
fn float_sum(row: &Row<'_>, place: usize, divisor: f64) -> database::Result<f64> {
    let sum = |place: usize| match row.get(place, ColumnType::Float) {
        Ok(ValueRef::Float(sum)) => Ok(sum),
        Ok(_) => Ok(0.0),
        Err(error) => Err(error),
    };
    // Large ones were scaled, so that no sum is too large for an engine.
    Ok(sum(place)? / divisor + sum(place + 1)? / divisor / FLOAT_SCALE)
}

pub(crate) fn property(row: &Row<'_>, place: usize, property: &Property) -> database::Result<Cell> {
    Ok(match row.get(place, column_type(property))? {
        ValueRef::Null => Cell::Null,
        ValueRef::Boolean(value) => Cell::Value(Value::Boolean(value)),
        ValueRef::Integer(value) => Cell::Value(Value::Integer(value)),
        ValueRef::Float(value) => Cell::Value(Value::Float(value)),
        ValueRef::Text(value) => Cell::Value(Value::Text(value.to_owned())),
        ValueRef::Bytes(value) => Cell::Value(Value::Bytes(value.to_vec())),
        ValueRef::Uuid(value) => Cell::Value(Value::Uuid(value)),
        ValueRef::Date(value) => Cell::Value(Value::Date(value)),
        ValueRef::Timestamp(value) => Cell::Value(Value::Timestamp(value)),
    })
}

impl Cell {
    /// The memory that its text takes.
    pub(crate) fn text_bytes(&self) -> usize {
        match self {
            Cell::Value(Value::Text(text)) => text.len(),
            _ => 0,
        }
    }

    /// Writes the cell as JSON.
    pub(crate) fn write(
        &self,
        form: &ColumnForm<'_>,
        buckets: &Buckets,
        context: &ValueContext<'_>,
        out: &mut Vec<u8>,
    ) {
        match (self, form) {
            (Cell::Value(value), ColumnForm::Property(property)) => property.kind.write(value.as_ref(), context, out),
            (Cell::Exact(number), ColumnForm::Period(_)) => {
                let label = i64::try_from(*number).ok().and_then(|number| buckets.label(number));
                match label {
                    Some(label) => json::write_string(out, label),
                    None => json::write_null(out),
                }
            }
            (Cell::Exact(units), ColumnForm::Exact { scale, trimmed }) => {
                let is_long = *scale > 0 || units.unsigned_abs() > json::EXACT_IN_FLOATS.into();
                json::write_number(out, context.texts && is_long, |out| write_exact(*units, *scale, *trimmed, out));
            }
            (Cell::Float(number), _) if number.is_finite() => {
                out.extend_from_slice(serde_json::Value::from(*number).to_string().as_bytes());
            }
            _ => json::write_null(out),
        }
    }
}

/// Writes units of the last digit behind the point; trimmed, without zeros at the end.
fn write_exact(units: i128, scale: u8, trimmed: bool, out: &mut Vec<u8>) {
    let digits = format!("{:0width$}", units.unsigned_abs(), width = usize::from(scale) + 1);
    let (whole, part) = digits.split_at(digits.len() - usize::from(scale));
    let part = if trimmed { part.trim_end_matches('0') } else { part };
    if units < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(whole.as_bytes());
    if !part.is_empty() {
        out.push(b'.');
        out.extend_from_slice(part.as_bytes());
    }
}

/// Returns the order of two cells of a column; nothing comes behind everything, as in lists.
pub(crate) fn order(one: &Cell, other: &Cell) -> Ordering {
    match (one, other) {
        (Cell::Null, Cell::Null) => Ordering::Equal,
        (Cell::Null, _) => Ordering::Greater,
        (_, Cell::Null) => Ordering::Less,
        (Cell::Exact(one), Cell::Exact(other)) => one.cmp(other),
        (Cell::Float(one), Cell::Float(other)) => one.total_cmp(other),
        (Cell::Value(Value::Boolean(one)), Cell::Value(Value::Boolean(other))) => one.cmp(other),
        (Cell::Value(Value::Uuid(one)), Cell::Value(Value::Uuid(other))) => one.cmp(other),
        (Cell::Value(one), Cell::Value(other)) => query::summing::order(one, other),
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use super::write_exact;

    fn written(units: i128, scale: u8, trimmed: bool) -> String {
        let mut out = Vec::new();
        write_exact(units, scale, trimmed, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn exact_numbers_keep_all_their_digits() {
        assert_eq!(written(0, 0, false), "0");
        assert_eq!(written(-5, 2, false), "-0.05");
        assert_eq!(written(12_340, 3, false), "12.340");
        assert_eq!(written(3_333_333, 6, true), "3.333333");
        assert_eq!(written(-3_500_000, 6, true), "-3.5");
        assert_eq!(written(4_000_000, 6, true), "4");
        assert_eq!(written(i128::from(i64::MAX) * 1_000, 2, false), "92233720368547758070.00");
    }
}
