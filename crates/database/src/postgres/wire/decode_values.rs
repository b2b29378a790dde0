//! Values as they come from the server.

use super::encode_values::{EPOCH_DAYS, EPOCH_MILLISECONDS};
use crate::{ColumnType, Error, Result, ValueRef};
use std::ops::Range;
use tokio_postgres::types::Type;

/// The values of a row.
pub(crate) struct RowFields<'r> {
    pub(crate) columns: &'r [Type],
    pub(crate) places: &'r [Option<Range<usize>>],
    pub(crate) body: &'r [u8],
}

/// The value in a column of a row.
pub(crate) fn value<'r>(row: &'r RowFields<'r>, index: usize, column: ColumnType) -> Result<ValueRef<'r>> {
    let Some(raw) = raw(row, index)? else { return Ok(ValueRef::Null) };
    let of = &row.columns[index];
    decode(of, raw, column).ok_or_else(|| Error::Corrupt(format!("column {index} holds {of} for {column:?}")))
}

/// Returns true if a column of a row is null.
pub(crate) fn is_null(row: &RowFields<'_>, index: usize) -> Result<bool> {
    Ok(raw(row, index)?.is_none())
}

fn raw<'r>(row: &RowFields<'r>, index: usize) -> Result<Option<&'r [u8]>> {
    let place = row.places.get(index).ok_or_else(|| Error::Failed(format!("a row has no column {index}")))?;
    Ok(place.clone().map(|place| &row.body[place]))
}

fn decode<'r>(of: &Type, raw: &'r [u8], column: ColumnType) -> Option<ValueRef<'r>> {
    Some(match column {
        ColumnType::Integer => ValueRef::Integer(integer(of, raw)?),
        ColumnType::Text | ColumnType::Json => ValueRef::Text(text(of, raw)?),
        ColumnType::Boolean if *of == Type::BOOL => ValueRef::Boolean(raw.first()? != &0),
        ColumnType::Float => ValueRef::Float(float(of, raw)?),
        ColumnType::Timestamp if *of == Type::TIMESTAMPTZ || *of == Type::TIMESTAMP => ValueRef::Timestamp(
            i64::from_be_bytes(raw.try_into().ok()?).div_euclid(1000).checked_add(EPOCH_MILLISECONDS)?,
        ),
        ColumnType::Date if *of == Type::DATE => {
            ValueRef::Date(i32::from_be_bytes(raw.try_into().ok()?).checked_add(EPOCH_DAYS)?)
        }
        ColumnType::Bytes if *of == Type::BYTEA => ValueRef::Bytes(raw),
        ColumnType::Uuid if *of == Type::UUID => ValueRef::Uuid(raw.try_into().ok()?),
        _ => return None,
    })
}

fn integer(of: &Type, raw: &[u8]) -> Option<i64> {
    match *of {
        Type::INT8 => Some(i64::from_be_bytes(raw.try_into().ok()?)),
        Type::INT4 => Some(i64::from(i32::from_be_bytes(raw.try_into().ok()?))),
        Type::INT2 => Some(i64::from(i16::from_be_bytes(raw.try_into().ok()?))),
        // What `sum` of a bigint gives.
        Type::NUMERIC => numeric(raw)?.parse().ok(),
        _ => None,
    }
}

fn float(of: &Type, raw: &[u8]) -> Option<f64> {
    match *of {
        Type::FLOAT8 => Some(f64::from_be_bytes(raw.try_into().ok()?)),
        Type::FLOAT4 => Some(f64::from(f32::from_be_bytes(raw.try_into().ok()?))),
        Type::NUMERIC => numeric(raw)?.parse().ok(),
        #[expect(clippy::cast_precision_loss, reason = "a float was asked for")]
        _ => integer(of, raw).map(|whole| whole as f64),
    }
}

fn text<'r>(of: &Type, raw: &'r [u8]) -> Option<&'r str> {
    let bytes = match *of {
        Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::UNKNOWN | Type::JSON => raw,
        Type::JSONB => raw.get(1..)?,
        _ => return None,
    };
    std::str::from_utf8(bytes).ok()
}

/// A decimal number's text, without needless zeros behind the point.
fn numeric(raw: &[u8]) -> Option<String> {
    let mut parts = raw.chunks_exact(2).map(|pair| i16::from_be_bytes([pair[0], pair[1]]));
    let (groups, weight, sign, _scale) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    if sign != 0 && sign != 0x4000 {
        // Not a number, or an infinity.
        return None;
    }
    let digits: Vec<i16> = parts.take(usize::try_from(groups).ok()?).collect();
    if digits.len() != usize::try_from(groups).ok()? || digits.iter().any(|group| !(0..10_000).contains(group)) {
        return None;
    }
    // The sums of two of them are no 16-bit integers.
    let (groups, weight) = (i32::from(groups), i32::from(weight));
    let group = |at: i32| usize::try_from(weight - at).ok().and_then(|place| digits.get(place)).copied().unwrap_or(0);
    let whole: String = (0..=weight.max(0)).rev().map(|at| format!("{:04}", group(at))).collect();
    let fraction: String = (0..groups - weight - 1).map(|at| format!("{:04}", group(-1 - at))).collect();
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let mut text = if sign == 0 { String::new() } else { "-".to_owned() };
    text.push_str(if whole.is_empty() { "0" } else { whole });
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    Some(text)
}
