//! Conditions become SQL: bound values, and sub-queries for relations, which never multiply rows.

use super::condition::{Check, Condition, Direction, Place, Search, TextComparison, Tree};
use super::scalar_sql;
use super::select::row_alias;
use crate::kinds::{Class, Storage};
use crate::tables::ATTACHMENT;
use crate::types::Type;
use database::{ColumnType, Name, Sql, TextForm, Value};

/// How deep a hierarchy is searched: what has been tied into a ring must not keep us.
const MAX_TREE_DEPTH: i64 = 100;

/// How a relation is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// By a sub-query that stands alone, so that an engine may run it first and go in by an index.
    First,
    /// From each row: what it leads to is looked up.
    Each,
}

/// Appends the condition as a boolean.
pub(crate) fn push(sql: &mut Sql, condition: &Condition<'_>) {
    push_following(sql, condition, Follow::First);
}

/// The same for a statement that looks at row after row.
pub(super) fn push_for_each(sql: &mut Sql, condition: &Condition<'_>) {
    push_following(sql, condition, Follow::Each);
}

fn push_following(sql: &mut Sql, condition: &Condition<'_>, follow: Follow) {
    match condition {
        Condition::All(parts) => joined(sql, parts, (" AND ", "TRUE"), follow),
        Condition::Any(parts) => joined(sql, parts, (" OR ", "FALSE"), follow),
        Condition::Not(inner) => not(sql, inner, follow),
        Condition::Test(place, check) => test(sql, place, check),
        Condition::Related(place, inner) if follow == Follow::Each => leads(sql, place, inner),
        Condition::Related(place, inner) => related(sql, place, inner),
        Condition::Found(search) => found(sql, search),
        Condition::Tagged(tags) => tags.push(sql, &row_alias(0)),
        Condition::OneOf(scalar, column, values) => {
            sql.push("(");
            scalar_sql::push(sql, scalar);
            sql.push(")").any_of(*column, values.clone());
        }
        Condition::Compare(comparison, left, right) => scalar_sql::compare(sql, *comparison, left, right),
        Condition::Holds(scalar) => scalar_sql::push(sql, scalar),
        Condition::Given(scalar) => {
            sql.push("(");
            scalar_sql::push(sql, scalar);
            sql.push(") IS NOT NULL");
        }
    }
}

fn not(sql: &mut Sql, condition: &Condition<'_>, follow: Follow) {
    match condition {
        // An index finds nulls when they are asked for like this.
        Condition::Test(place, Check::Present) if !place.multiple() => {
            value(sql, place);
            sql.push(" IS NULL");
        }
        _ => {
            sql.push("(");
            push_following(sql, condition, follow);
            sql.push(") IS NOT TRUE");
        }
    }
}

fn joined(sql: &mut Sql, parts: &[Condition<'_>], (separator, none): (&str, &str), follow: Follow) {
    match parts {
        [] => {
            sql.push(none);
        }
        [only] => push_following(sql, only, follow),
        _ => {
            for (index, part) in parts.iter().enumerate() {
                sql.push(if index == 0 { "(" } else { separator });
                push_following(sql, part, follow);
            }
            sql.push(")");
        }
    }
}

/// The sub-query is not tied to the row outside, so that an engine may run it first and go in by an index.
fn related(sql: &mut Sql, place: &Place<'_>, inner: &Condition<'_>) {
    let target = place.property.kind.relation().map_or(0, |relation| relation.type_id);
    let table = Name::numbered("t", target);
    let (outside, inside) = (row_alias(place.level), row_alias(place.level + 1));
    match place.property.kind.storage() {
        Storage::Column(_) => {
            sql.column(&outside, &place.property.column).push(" IN (SELECT ").column(&inside, &ID);
            sql.push(" FROM ").table(&table).push(" AS ").name(&inside).push(" WHERE ");
        }
        Storage::Attachments => {
            sql.column(&outside, &ID).push(" IN (SELECT ").column(&inside, &OBJECT);
            sql.push(" FROM ").table(&ATTACHMENT).push(" AS ").name(&inside).push(" WHERE ");
            of_property(sql, place, &inside);
            sql.push(" AND ");
        }
        Storage::Links(_) => {
            let links = Name::numbered("l", place.level as i64 + 1);
            sql.column(&outside, &ID).push(" IN (SELECT ").column(&links, &OWNER);
            sql.push(" FROM ").table(&place.property.column).push(" AS ").name(&links);
            sql.push(" JOIN ").table(&table).push(" AS ").name(&inside);
            sql.push(" ON ").column(&inside, &ID).push(" = ").column(&links, &VALUE).push(" WHERE ");
        }
    }
    push(sql, inner);
    sql.push(")");
}

/// The same, tied to the row outside.
fn leads(sql: &mut Sql, place: &Place<'_>, inner: &Condition<'_>) {
    let target = place.property.kind.relation().map_or(0, |relation| relation.type_id);
    let table = Name::numbered("t", target);
    let (outside, inside) = (row_alias(place.level), row_alias(place.level + 1));
    sql.push("EXISTS (SELECT 1 FROM ");
    match place.property.kind.storage() {
        Storage::Column(_) => {
            sql.table(&table).push(" AS ").name(&inside).push(" WHERE ").column(&inside, &ID).push(" = ");
            sql.column(&outside, &place.property.column);
        }
        Storage::Attachments => {
            sql.table(&ATTACHMENT).push(" AS ").name(&inside).push(" WHERE ");
            of_property(sql, place, &inside);
            sql.push(" AND ").column(&inside, &OBJECT).push(" = ").column(&outside, &ID);
        }
        Storage::Links(_) => {
            let links = Name::numbered("l", place.level as i64 + 1);
            sql.table(&place.property.column).push(" AS ").name(&links).push(" JOIN ").table(&table);
            sql.push(" AS ").name(&inside).push(" ON ").column(&inside, &ID).push(" = ").column(&links, &VALUE);
            sql.push(" WHERE ").column(&links, &OWNER).push(" = ").column(&outside, &ID);
        }
    }
    sql.push(" AND ");
    push_for_each(sql, inner);
    sql.push(")");
}

/// The sub-query stands alone: an engine runs it first, and the rows are looked up by id.
fn found(sql: &mut Sql, search: &Search<'_>) {
    let columns: Vec<Name> = search.properties.iter().map(|property| property.column.clone()).collect();
    let index = Name::numbered("f", search.resource_type.id);
    sql.column(&row_alias(search.level), &ID).found_in(&index, &columns, &search.words);
}

fn test(sql: &mut Sql, place: &Place<'_>, check: &Check<'_>) {
    match check {
        Check::Present if place.multiple() => members(sql, place, |_, _| ()),
        Check::Present => {
            value(sql, place);
            sql.push(" IS NOT NULL");
        }
        Check::NotEmpty => {
            value(sql, place);
            let document = place.property.kind.class() == Class::Json && place.inside.is_none();
            // A document is kept as text and compared as such: what is empty has no spaces in it.
            if document {
                sql.push(" IS NOT NULL AND NOT (");
                sql.cast_text(|sql| value(sql, place)).push(" IN ('\"\"', '[]'))");
            } else {
                sql.push(" <> ''");
            }
        }
        Check::Compare(comparison, operand) => {
            value(sql, place);
            sql.push(comparison.operator()).bind_as(place.column_type(), operand.clone());
        }
        Check::ComparePlace(comparison, other) => {
            value(sql, place);
            sql.push(comparison.operator());
            value(sql, other);
        }
        Check::OneOf(values) => {
            value(sql, place);
            sql.any_of(place.column_type(), values.clone());
        }
        Check::Text(comparison, form, text) => text_test(sql, place, *comparison, *form, text),
        Check::AnyMember(values) => members(sql, place, |sql, links| {
            sql.push(" WHERE ").column(links, &VALUE);
            match values.as_slice() {
                [only] => _ = sql.push(" = ").bind_as(place.column_type(), only.clone()),
                _ => _ = sql.any_of(place.column_type(), values.clone()),
            }
        }),
        Check::AllMembers(values) if values.is_empty() => _ = sql.push("TRUE"),
        Check::AllMembers(values) => members(sql, place, |sql, links| {
            sql.push(" WHERE ").column(links, &VALUE).any_of(place.column_type(), values.clone());
            sql.push(" GROUP BY ").column(links, &OWNER).push(" HAVING COUNT(DISTINCT ").column(links, &VALUE);
            sql.push(") = ").bind_as(ColumnType::Integer, values.len() as i64);
        }),
        Check::MemberCount(comparison, number) => {
            count(sql, place);
            sql.push(comparison.operator()).bind_as(ColumnType::Integer, *number);
        }
        Check::InTree(direction, tree, id) => {
            value(sql, place);
            in_tree(sql, *direction, tree, *id);
        }
    }
}

/// Appends the value at a place, for one value.
pub(super) fn value(sql: &mut Sql, place: &Place<'_>) {
    let row = row_alias(place.level);
    match &place.inside {
        None => {
            sql.column(&row, &place.property.column);
        }
        Some((steps, json_type)) => {
            sql.json_at(|sql| _ = sql.column(&row, &place.property.column), steps, *json_type);
        }
    }
}

fn text_test(sql: &mut Sql, place: &Place<'_>, comparison: TextComparison, form: TextForm, text: &str) {
    if comparison == TextComparison::StartsWith && form == TextForm::Exact {
        return starts_with(sql, place, text);
    }
    let stored = |sql: &mut Sql| _ = sql.text_form(form, |sql| value(sql, place));
    let given = |sql: &mut Sql| _ = sql.bind_as(ColumnType::Text, text);
    match comparison {
        TextComparison::Equal => {
            stored(sql);
            sql.push(" = ");
            given(sql);
        }
        TextComparison::Contains => _ = sql.contains(stored, given),
        TextComparison::StartsWith => _ = sql.starts_with(stored, given),
        TextComparison::EndsWith => _ = sql.ends_with(stored, given),
        TextComparison::Like => _ = sql.like(stored, given),
    }
}

/// Texts are ordered by code point, so those with a beginning are a range, and an index serves.
fn starts_with(sql: &mut Sql, place: &Place<'_>, text: &str) {
    sql.push("(");
    value(sql, place);
    sql.push(" >= ").bind_as(ColumnType::Text, text);
    if let Some(after) = after_all_with(text) {
        sql.push(" AND ");
        value(sql, place);
        sql.push(" < ").bind_as(ColumnType::Text, after);
    }
    sql.push(")");
}

/// The least text that is greater than every text which begins so.
fn after_all_with(text: &str) -> Option<String> {
    let mut characters: Vec<char> = text.chars().collect();
    while let Some(last) = characters.pop() {
        // The range steps over the surrogates, which are no characters.
        if let Some(next) = (last..=char::MAX).nth(1) {
            characters.push(next);
            return Some(characters.into_iter().collect());
        }
    }
    None
}

/// `id IN (SELECT owner FROM links …)`.
fn members(sql: &mut Sql, place: &Place<'_>, which: impl FnOnce(&mut Sql, &Name)) {
    let links = Name::numbered("l", place.level as i64 + 1);
    if place.property.kind.files().is_some() {
        // Nothing is asked of a file but whether it is there.
        sql.column(&row_alias(place.level), &ID).push(" IN (SELECT ").column(&links, &OBJECT);
        sql.push(" FROM ").table(&ATTACHMENT).push(" AS ").name(&links).push(" WHERE ");
        of_property(sql, place, &links);
        sql.push(")");
        return;
    }
    sql.column(&row_alias(place.level), &ID).push(" IN (SELECT ").column(&links, &OWNER);
    sql.push(" FROM ").table(&place.property.column).push(" AS ").name(&links);
    which(sql, &links);
    sql.push(")");
}

/// `(SELECT COUNT(*) FROM links WHERE owner = id)`.
fn count(sql: &mut Sql, place: &Place<'_>) {
    let links = Name::numbered("l", place.level as i64 + 1);
    if place.property.kind.files().is_some() {
        sql.push("(SELECT COUNT(*) FROM ").table(&ATTACHMENT).push(" AS ").name(&links).push(" WHERE ");
        of_property(sql, place, &links);
        sql.push(" AND ").column(&links, &OBJECT).push(" = ").column(&row_alias(place.level), &ID).push(")");
        return;
    }
    sql.push("(SELECT COUNT(*) FROM ").table(&place.property.column).push(" AS ").name(&links);
    sql.push(" WHERE ").column(&links, &OWNER).push(" = ").column(&row_alias(place.level), &ID).push(")");
}

/// Whether a row of the table of files is one of the property's that a resource has.
fn of_property(sql: &mut Sql, place: &Place<'_>, files: &Name) {
    sql.column(files, &PROPERTY).push(" = ").bind_as(ColumnType::Integer, place.property.id);
    // A row without a resource would make what is asked for neither true nor false.
    sql.push(" AND ").column(files, &OBJECT).push(" IS NOT NULL");
}

/// ` IN (ids along the hierarchy)`, the start not among them unless a ring leads back to it.
fn in_tree(sql: &mut Sql, direction: Direction, tree: &Tree<'_>, id: i64) {
    let Tree { resource_type: Type { table, .. }, parent, guard } = tree;
    let row = if guard.is_some() { row_alias(Tree::LEVEL) } else { Name::fixed("x") };
    let parent = &parent.column;
    let guarded = |sql: &mut Sql| {
        if let Some(guard) = guard {
            sql.push(" AND ");
            push(sql, guard);
        }
    };
    // What a step gives, and what it is found by.
    let (found, by) = match direction {
        Direction::Down => (&ID, parent),
        Direction::Up => (parent, &ID),
    };
    sql.push(" IN (WITH RECURSIVE tree(id, depth) AS (SELECT ").column(&row, found).push(", 1 FROM ");
    sql.table(table).push(" AS ").name(&row).push(" WHERE ").column(&row, by).push(" = ");
    sql.bind_as(ColumnType::Integer, Value::Integer(id));
    guarded(sql);
    sql.push(" UNION SELECT ").column(&row, found).push(", tree.depth + 1 FROM tree JOIN ");
    sql.table(table).push(" AS ").name(&row).push(" ON ").column(&row, by).push(" = tree.id WHERE tree.depth < ");
    // Written out: the number is ours, and PostgreSQL would have to guess a parameter's type.
    sql.push(&MAX_TREE_DEPTH.to_string());
    guarded(sql);
    sql.push(") SELECT tree.id FROM tree WHERE tree.id IS NOT NULL)");
}

const ID: Name = Name::fixed("id");
const OBJECT: Name = Name::fixed("object");
const OWNER: Name = Name::fixed("owner");
const PROPERTY: Name = Name::fixed("property");
const VALUE: Name = Name::fixed("value");
