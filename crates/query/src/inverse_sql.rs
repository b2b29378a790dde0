//! SQL of inverses: rows of another type that refer to a row.

use crate::condition::{ValueComparison, ValuePlace};
use crate::row_alias::row_alias;
use database::{ColumnType, Name, Sql};
use model::kinds::InverseSource;

const ID: Name = Name::fixed("id");
const OWNER: Name = Name::fixed("owner");
const VALUE: Name = Name::fixed("value");

/// Appends `id IN (SELECT relation FROM … WHERE …`, up to a condition on the rows that refer. The sub-query is not tied
/// to the row outside, so that an engine may run it first.
pub(crate) fn owners(sql: &mut Sql, place: &ValuePlace<'_>, source: &InverseSource) {
    let (inside, links) = (row_alias(place.level + 1), links(place));
    sql.column(&row_alias(place.level), &ID).push(" IN (SELECT ");
    let [alias, column] = if source.through_links { [&links, &VALUE] } else { [&inside, &source.column] };
    sql.column(alias, column).push(" FROM ").table(&table(source)).push(" AS ").name(&inside);
    if source.through_links {
        sql.push(" JOIN ").table(&source.column).push(" AS ").name(&links);
        sql.push(" ON ").column(&links, &OWNER).push(" = ").column(&inside, &ID);
    }
    // A null among them would make what is not among them unknown.
    sql.push(" WHERE ").column(alias, column).push(" IS NOT NULL AND ");
}

/// Appends the table of the rows that refer.
pub fn from(sql: &mut Sql, source: &InverseSource, alias: &Name) {
    sql.table(&table(source)).push(" AS ").name(alias);
}

/// Appends the condition on a row that it refers to the row with an id.
pub fn refers(sql: &mut Sql, source: &InverseSource, alias: &Name, id: impl FnOnce(&mut Sql)) {
    if !source.through_links {
        sql.column(alias, &source.column).push(" = ");
        return id(sql);
    }
    let links = Name::fixed("links");
    sql.column(alias, &ID).push(" IN (SELECT ").column(&links, &OWNER).push(" FROM ").table(&source.column);
    sql.push(" AS ").name(&links).push(" WHERE ").column(&links, &VALUE).push(" = ");
    id(sql);
    sql.push(")");
}

/// Appends a comparison of the number of rows that refer with a number. The rows are counted in groups, without those
/// that nothing refers to: a comparison that holds of none is therefore asked by its opposite.
pub(crate) fn count(
    sql: &mut Sql,
    place: &ValuePlace<'_>,
    comparison: ValueComparison,
    number: i64,
    inner: impl FnOnce(&mut Sql),
) {
    let Some(source) = place.property.kind.inverse() else {
        sql.push("FALSE");
        return;
    };
    let (inside, links) = (row_alias(place.level + 1), links(place));
    let holds_of_none = comparison.holds_of_none(number);
    let asked = if holds_of_none { comparison.opposite() } else { comparison };
    sql.push(if holds_of_none { "(" } else { "" });
    owners(sql, place, source);
    inner(sql);
    sql.push(" GROUP BY ");
    if source.through_links {
        // A row that refers twice is one.
        sql.column(&links, &VALUE).push(" HAVING COUNT(DISTINCT ").column(&inside, &ID);
    } else {
        sql.column(&inside, &source.column).push(" HAVING COUNT(").column(&inside, &ID);
    }
    sql.push(")").push(asked.operator()).bind_as(ColumnType::Integer, number).push(")");
    sql.push(if holds_of_none { ") IS NOT TRUE" } else { "" });
}

/// The same, tied to the row: its own rows are counted.
pub(crate) fn count_at(
    sql: &mut Sql,
    place: &ValuePlace<'_>,
    comparison: ValueComparison,
    number: i64,
    inner: impl FnOnce(&mut Sql),
) {
    let Some(source) = place.property.kind.inverse() else {
        sql.push("FALSE");
        return;
    };
    let inside = row_alias(place.level + 1);
    sql.push("(SELECT COUNT(*) FROM ");
    from(sql, source, &inside);
    sql.push(" WHERE ");
    refers(sql, source, &inside, |sql| _ = sql.column(&row_alias(place.level), &ID));
    sql.push(" AND ");
    inner(sql);
    sql.push(")").push(comparison.operator()).bind_as(ColumnType::Integer, number);
}

fn table(source: &InverseSource) -> Name {
    Name::numbered("t", source.type_id)
}

/// The name of the links of the rows that refer to a place.
fn links(place: &ValuePlace<'_>) -> Name {
    Name::numbered("l", place.level as i64 + 1)
}
