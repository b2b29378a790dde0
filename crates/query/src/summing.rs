//! The parts that values of rollups are made of: what is asked of the database, and what is made of the answer.

use database::{ColumnType, Name, Sql, Value};
use model::kinds::RollupFunction;
use model::types::Property;
use std::cmp::Ordering;

/// Sums of whole numbers are made of two halves, which fit the engines' integers, and put together where there is room.
pub const HALF: i64 = 1_000_000_000;
/// The resources that are summed up.
pub const OTHERS: Name = Name::fixed("r0");
/// Members of lists, and the values behind least and greatest ones.
pub const VALUE: Name = Name::fixed("value");

/// Appends what the values of a group come to: how many there are, and their sum in halves or the extreme one.
pub fn push_values(sql: &mut Sql, function: RollupFunction, property: Option<&Property>) {
    let values = |sql: &mut Sql| match property {
        Some(property) => _ = sql.column(&OTHERS, &property.column),
        None => _ = sql.push("*"),
    };
    let part = |sql: &mut Sql, operator: &'static str| {
        sql.push(", CAST(COALESCE(SUM(");
        values(sql);
        sql.push(operator).literal(HALF).push("), 0) AS ").column_type(ColumnType::Integer).push(")");
    };
    match function {
        RollupFunction::Count | RollupFunction::Sum | RollupFunction::Average => {
            sql.push(", COUNT(");
            values(sql);
            sql.push(")");
            if function != RollupFunction::Count {
                part(sql, " / ");
                part(sql, " % ");
            }
        }
        RollupFunction::Least | RollupFunction::Greatest => {
            sql.push(", COUNT(");
            values(sql);
            sql.push(if function == RollupFunction::Least { "), MIN(" } else { "), MAX(" });
            values(sql);
            sql.push(")");
        }
    }
}

/// The average with so many places more than the total has (or fewer), rounded half away from zero.
pub fn average(total: i128, count: i128, places: i128) -> Option<i128> {
    let power = 10_i128.checked_pow(u32::try_from(places.unsigned_abs()).ok()?)?;
    let (above, below) =
        if places >= 0 { (total.checked_mul(power)?, count) } else { (total, count.checked_mul(power)?) };
    let rest = (above % below).abs();
    Some(above / below + if rest * 2 >= below { above.signum() } else { 0 })
}

/// The columns of the values behind least and greatest ones.
pub fn value_columns(column: ColumnType) -> [(Name, ColumnType); 4] {
    [
        (Name::fixed("property"), ColumnType::Integer),
        (Name::fixed("object"), ColumnType::Integer),
        (VALUE, column),
        (Name::fixed("other"), ColumnType::Integer),
    ]
}

/// The order of two values of one column.
pub fn order(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Integer(one), Value::Integer(other)) | (Value::Timestamp(one), Value::Timestamp(other)) => {
            one.cmp(other)
        }
        (Value::Float(one), Value::Float(other)) => one.partial_cmp(other).unwrap_or(Ordering::Equal),
        (Value::Date(one), Value::Date(other)) => one.cmp(other),
        (Value::Text(one), Value::Text(other)) => one.cmp(other),
        _ => Ordering::Equal,
    }
}
