//! Scalars become SQL.

use crate::condition::{ValueComparison, ValuePlace};
use crate::condition_sql;
use crate::condition_sql::value;
use crate::pushdown::{CountingWidth, counting_width};
use crate::row_alias::row_alias;
use crate::scalar::{Scalar, ScalarOperation};
use database::{ColumnType, Name, Sql};

/// The characters that `trim()` of the expression language takes away.
const BLANKS: &str = " \t\n\r\u{b}\u{a0}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\
                      \u{2009}\u{200a}\u{200b}\u{2028}\u{3000}";

const ID: Name = Name::fixed("id");

/// Appends the value.
pub fn push(sql: &mut Sql, scalar: &Scalar<'_>) {
    match scalar {
        Scalar::Place(hops, place) => at(sql, hops, &|sql| value(sql, place)),
        Scalar::Value(ColumnType::Text, text) => _ = sql.bind_text(text.clone()),
        Scalar::Value(column, value) => _ = sql.bind_as(*column, value.clone()),
        Scalar::Truth(condition) => {
            sql.push("((");
            condition_sql::push(sql, condition);
            sql.push(") IS TRUE)");
        }
        Scalar::Choice(condition, then, otherwise) => {
            sql.push("(CASE WHEN ");
            condition_sql::push(sql, condition);
            sql.push(" THEN ");
            push(sql, then);
            sql.push(" ELSE ");
            push(sql, otherwise);
            sql.push(" END)");
        }
        Scalar::First(parts) => listed(sql, "COALESCE(", parts),
        Scalar::Count(hops, place) => count(sql, hops, place),
        Scalar::Apply(operation, parts) => apply(sql, *operation, parts),
    }
}

/// Appends how two values compare. Texts compare by code point, whatever they were made of.
pub fn compare(sql: &mut Sql, comparison: ValueComparison, left: &Scalar<'_>, right: &Scalar<'_>) {
    sql.push("(");
    push(sql, left);
    sql.push(comparison.operator());
    push(sql, right);
    sql.push(")");
}

/// Rows are looked up from the innermost out: each relation has one row.
fn at(sql: &mut Sql, hops: &[ValuePlace<'_>], inner: &dyn Fn(&mut Sql)) {
    let Some((last, before)) = hops.split_last() else { return inner(sql) };
    let row = row_alias(last.level + 1);
    let target = last.property.kind.relation().map_or(0, |relation| relation.type_id);
    sql.push("(SELECT ");
    inner(sql);
    sql.push(" FROM ").table(&Name::numbered("t", target)).push(" AS ").name(&row).push(" WHERE ");
    sql.column(&row, &ID).push(" = ");
    at(sql, before, &|sql| value(sql, last));
    sql.push(")");
}

fn apply(sql: &mut Sql, operation: ScalarOperation, parts: &[Scalar<'_>]) {
    let part = |index: usize| move |sql: &mut Sql| parts.get(index).into_iter().for_each(|part| push(sql, part));
    let mut counted = |operator: &'static str| {
        sql.push("(");
        match counting_width(operation, parts) {
            CountingWidth::Plain => part(0)(sql),
            CountingWidth::Long => _ = sql.long(part(0)),
            CountingWidth::Wide => _ = sql.counted(part(0)),
        }
        sql.push(operator);
        part(1)(sql);
        sql.push(")");
    };
    match operation {
        ScalarOperation::Add => counted(" + "),
        ScalarOperation::Subtract => counted(" - "),
        ScalarOperation::Multiply => counted(" * "),
        ScalarOperation::Remainder => counted(" % "),
        ScalarOperation::FloatAdd => between(sql, " + ", part(0), part(1)),
        ScalarOperation::FloatSubtract => between(sql, " - ", part(0), part(1)),
        ScalarOperation::FloatMultiply => between(sql, " * ", part(0), part(1)),
        ScalarOperation::FloatDivide => between(sql, " / ", part(0), |sql| {
            sql.push("NULLIF(");
            part(1)(sql);
            sql.push(", 0)");
        }),
        ScalarOperation::Truncate => _ = sql.truncated(part(0)),
        ScalarOperation::Whole(scale) => _ = sql.whole(scale, part(0)),
        ScalarOperation::Float => _ = sql.float(part(0)),
        ScalarOperation::Join => between(sql, " || ", part(0), part(1)),
        ScalarOperation::Lower => _ = sql.lower(part(0)),
        ScalarOperation::Upper => _ = sql.upper(part(0)),
        ScalarOperation::Trim => _ = sql.trim(part(0), BLANKS),
        ScalarOperation::Length => listed(sql, "length(", parts),
        ScalarOperation::First(count) => _ = sql.first_characters(part(0), count),
        ScalarOperation::Last(count) => _ = sql.last_characters(part(0), count),
        ScalarOperation::Contains => _ = sql.contains(part(0), part(1)),
        ScalarOperation::StartsWith => _ = sql.starts_with(part(0), part(1)),
        ScalarOperation::EndsWith => _ = sql.ends_with(part(0), part(1)),
        ScalarOperation::IntegerText => _ = sql.cast_text(part(0)),
        ScalarOperation::DecimalText(scale) => _ = sql.decimal_text(scale, part(0)),
        ScalarOperation::DateText => _ = sql.date_text(part(0)),
        ScalarOperation::DayNumber => _ = sql.day_number(part(0)),
        ScalarOperation::NumberedDay => _ = sql.numbered_day(part(0)),
        ScalarOperation::InstantNumber => _ = sql.instant_number(part(0)),
        ScalarOperation::MonthsOn => _ = sql.months_on(part(0), part(1)),
    }
}

fn between(sql: &mut Sql, operator: &'static str, one: impl Fn(&mut Sql), other: impl Fn(&mut Sql)) {
    sql.push("(");
    one(sql);
    sql.push(operator);
    other(sql);
    sql.push(")");
}

/// `(SELECT COUNT(*) FROM links WHERE owner = …)`
fn count(sql: &mut Sql, hops: &[ValuePlace<'_>], place: &ValuePlace<'_>) {
    let links = Name::numbered("l", place.level as i64 + 1);
    sql.push("(SELECT COUNT(*) FROM ").table(&place.property.column).push(" AS ").name(&links).push(" WHERE ");
    sql.column(&links, &Name::fixed("owner")).push(" = ");
    match hops.split_last() {
        Some((last, before)) => at(sql, before, &|sql| value(sql, last)),
        None => _ = sql.column(&row_alias(place.level), &ID),
    }
    sql.push(")");
}

fn listed(sql: &mut Sql, before: &'static str, parts: &[Scalar<'_>]) {
    for (index, part) in parts.iter().enumerate() {
        sql.push(if index == 0 { before } else { ", " });
        push(sql, part);
    }
    sql.push(")");
}
