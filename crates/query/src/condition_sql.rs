//! Conditions become SQL: bound values, and sub-queries for relations, which never multiply rows.

use crate::condition::{Condition, TextSearch, TreeDirection, TypeTree, ValueCheck, ValueComparison, ValuePlace};
use crate::inverse_sql;
use crate::row_alias::row_alias;
use crate::scalar_sql;
use crate::text_sql::{push_alike, text_test};
use database::{ColumnType, Name, SearchSpec, Sql, Value};
use model::kinds::ValueStorage;
use model::table_names::ATTACHMENT;
use model::types::{ResourceType, tables};

/// The depth to which a hierarchy is searched: what has been tied into a ring must not keep us.
const MAX_TREE_DEPTH: i64 = 100;

/// The form of SQL that follows a relation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RelationSql {
    /// By a sub-query that stands alone, so that an engine may run it first and go in by an index.
    First,
    /// The same, where a full text index finds a good part of all rows.
    Joined,
    /// From each row: what it leads to is looked up.
    Each,
}

/// Appends the condition as a boolean.
pub fn push(sql: &mut Sql, condition: &Condition<'_>) {
    push_following(sql, condition, RelationSql::First);
}

/// The same where a full text index that is asked beside other things finds a good part of all rows.
pub fn push_joined(sql: &mut Sql, condition: &Condition<'_>) {
    push_following(sql, condition, RelationSql::Joined);
}

/// The same for a statement that looks at row after row.
pub fn push_for_each(sql: &mut Sql, condition: &Condition<'_>) {
    push_following(sql, condition, RelationSql::Each);
}

fn push_following(sql: &mut Sql, condition: &Condition<'_>, follow: RelationSql) {
    match condition {
        Condition::All(parts) => joined(sql, parts, " AND ", follow),
        Condition::Any(parts) => joined(sql, parts, " OR ", follow),
        Condition::Not(inner) => not(sql, inner, follow),
        Condition::Test(place, check) => test(sql, place, check),
        Condition::Related(place, inner) if follow == RelationSql::Each => leads(sql, place, inner),
        Condition::Related(place, inner) => related(sql, place, inner),
        Condition::RelatedCount(place, inner, comparison, number) if follow == RelationSql::Each => {
            inverse_sql::count_at(sql, place, *comparison, *number, |sql| push_for_each(sql, inner));
        }
        Condition::RelatedCount(place, inner, comparison, number) => {
            inverse_sql::count(sql, place, *comparison, *number, |sql| push_following(sql, inner, follow));
        }
        Condition::Found(search) if follow == RelationSql::Each => found_at(sql, search),
        Condition::Found(search) => found(sql, search, follow == RelationSql::Joined),
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

fn not(sql: &mut Sql, condition: &Condition<'_>, follow: RelationSql) {
    match condition {
        // An index finds nulls when they are asked for like this.
        Condition::Test(place, ValueCheck::Present) if !place.multiple() => {
            value(sql, place);
            sql.push(" IS NULL");
        }
        // If each row has a value, the opposite of a comparison is one, and an index serves it.
        Condition::Test(place, ValueCheck::Compare(comparison, operand)) if is_opposable(place, *comparison) => {
            test(sql, place, &ValueCheck::Compare(comparison.opposite(), operand.clone()));
        }
        Condition::Compare(comparison, left, right)
            if matches!(comparison, ValueComparison::Equal | ValueComparison::NotEqual)
                && left.is_always_given()
                && right.is_always_given() =>
        {
            scalar_sql::compare(sql, comparison.opposite(), left, right);
        }
        _ => {
            sql.push("(");
            push_following(sql, condition, follow);
            sql.push(") IS NOT TRUE");
        }
    }
}

/// Returns true if a comparison with what is stored has an opposite: of floats, some have no order.
fn is_opposable(place: &ValuePlace<'_>, comparison: ValueComparison) -> bool {
    let is_ordered = place.column_type() != ColumnType::Float
        || matches!(comparison, ValueComparison::Equal | ValueComparison::NotEqual);
    is_ordered && place.is_always_given()
}

/// Writes conditions with AND or OR between them.
fn joined(sql: &mut Sql, parts: &[Condition<'_>], separator: &'static str, follow: RelationSql) {
    match parts {
        [] => {
            sql.push(if separator == " AND " { "TRUE" } else { "FALSE" });
        }
        [only] => push_following(sql, only, follow),
        _ => {
            let mut shared: Vec<usize> = Vec::new();
            let mut before = "(";
            for (index, part) in parts.iter().enumerate() {
                if shared.contains(&index) {
                    continue;
                }
                sql.push(before);
                before = separator;
                match push_alike(sql, parts, index, separator) {
                    Some(written) => shared.extend(written),
                    None => push_following(sql, part, follow),
                }
            }
            sql.push(")");
        }
    }
}

/// The sub-query is not tied to the row outside, so that an engine may run it first and go in by an index.
fn related(sql: &mut Sql, place: &ValuePlace<'_>, inner: &Condition<'_>) {
    let target = place.property.kind.relation().map_or(0, |relation| relation.type_id);
    let table = Name::numbered("t", target);
    let (outside, inside) = (row_alias(place.level), row_alias(place.level + 1));
    if let Some(source) = place.property.kind.inverse() {
        inverse_sql::owners(sql, place, source);
        push(sql, inner);
        sql.push(")");
        return;
    }
    match place.property.kind.storage() {
        ValueStorage::Column(_) => {
            sql.column(&outside, &place.property.column).push(" IN (SELECT ").column(&inside, &ID);
            sql.push(" FROM ").table(&table).push(" AS ").name(&inside).push(" WHERE ");
        }
        ValueStorage::Attachments => {
            sql.column(&outside, &ID).push(" IN (SELECT ").column(&inside, &OBJECT);
            sql.push(" FROM ").table(&ATTACHMENT).push(" AS ").name(&inside).push(" WHERE ");
            of_property(sql, place, &inside);
            sql.push(" AND ");
        }
        ValueStorage::Links(_) => {
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
fn leads(sql: &mut Sql, place: &ValuePlace<'_>, inner: &Condition<'_>) {
    let target = place.property.kind.relation().map_or(0, |relation| relation.type_id);
    let table = Name::numbered("t", target);
    let (outside, inside) = (row_alias(place.level), row_alias(place.level + 1));
    sql.push("EXISTS (SELECT 1 FROM ");
    if let Some(source) = place.property.kind.inverse() {
        inverse_sql::from(sql, source, &inside);
        sql.push(" WHERE ");
        inverse_sql::refers(sql, source, &inside, |sql| _ = sql.column(&outside, &ID));
        sql.push(" AND ");
        push_for_each(sql, inner);
        sql.push(")");
        return;
    }
    match place.property.kind.storage() {
        ValueStorage::Column(_) => {
            sql.table(&table).push(" AS ").name(&inside).push(" WHERE ").column(&inside, &ID).push(" = ");
            sql.column(&outside, &place.property.column);
        }
        ValueStorage::Attachments => {
            sql.table(&ATTACHMENT).push(" AS ").name(&inside).push(" WHERE ");
            of_property(sql, place, &inside);
            sql.push(" AND ").column(&inside, &OBJECT).push(" = ").column(&outside, &ID);
        }
        ValueStorage::Links(_) => {
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
fn found(sql: &mut Sql, search: &TextSearch<'_>, joined: bool) {
    let (index, columns) = index_of(search);
    let sql = sql.column(&row_alias(search.level), &ID);
    match joined {
        true => sql.found_often_in(&index, &columns, &search.words),
        false => sql.found_in(&index, &columns, &search.words),
    };
}

/// The same, tied to the row.
fn found_at(sql: &mut Sql, search: &TextSearch<'_>) {
    let (index, columns) = index_of(search);
    let id = |sql: &mut Sql| _ = sql.column(&row_alias(search.level), &ID);
    sql.found_at(id, &index, &columns, &search.words);
}

/// A full text index and the columns that are searched in it.
pub fn index_of(search: &TextSearch<'_>) -> (SearchSpec, Vec<Name>) {
    let columns = search.properties.iter().map(|property| property.column.clone()).collect();
    (tables::search_of(search.resource_type), columns)
}

fn test(sql: &mut Sql, place: &ValuePlace<'_>, check: &ValueCheck<'_>) {
    match check {
        ValueCheck::Present if place.multiple() => members(sql, place, |_, _| ()),
        ValueCheck::Present => {
            value(sql, place);
            sql.push(" IS NOT NULL");
        }
        ValueCheck::NotEmpty => {
            value(sql, place);
            let document = place.property.kind.is_document() && place.inside.is_none();
            // A document is kept as text and compared as such: what is empty has no spaces in it.
            if document {
                sql.push(" IS NOT NULL AND NOT (");
                sql.cast_text(|sql| value(sql, place)).push(" IN ('\"\"', '[]'))");
            } else {
                sql.push(" <> ''");
            }
        }
        ValueCheck::Compare(comparison, operand) => {
            value(sql, place);
            sql.push(comparison.operator()).bind_as(place.column_type(), operand.clone());
        }
        ValueCheck::ComparePlace(comparison, other) => {
            value(sql, place);
            sql.push(comparison.operator());
            value(sql, other);
        }
        ValueCheck::OneOf(values) => {
            value(sql, place);
            sql.any_of(place.column_type(), values.clone());
        }
        ValueCheck::Text(comparison, form, text) => text_test(sql, place, *comparison, *form, text),
        ValueCheck::AnyMember(values) => members(sql, place, |sql, links| {
            sql.push(" WHERE ").column(links, &VALUE);
            match values.as_slice() {
                [only] => _ = sql.push(" = ").bind_as(place.column_type(), only.clone()),
                _ => _ = sql.any_of(place.column_type(), values.clone()),
            }
        }),
        ValueCheck::AllMembers(values) if values.is_empty() => _ = sql.push("TRUE"),
        ValueCheck::AllMembers(values) => members(sql, place, |sql, links| {
            sql.push(" WHERE ").column(links, &VALUE).any_of(place.column_type(), values.clone());
            sql.push(" GROUP BY ").column(links, &OWNER).push(" HAVING COUNT(DISTINCT ").column(links, &VALUE);
            sql.push(") = ").bind_as(ColumnType::Integer, values.len() as i64);
        }),
        ValueCheck::MemberCount(comparison, number) => {
            count(sql, place);
            sql.push(comparison.operator()).bind_as(ColumnType::Integer, *number);
        }
        ValueCheck::InTree(direction, tree, id) => {
            value(sql, place);
            in_tree(sql, *direction, tree, *id);
        }
    }
}

/// Appends the value at a place, for one value.
pub fn value(sql: &mut Sql, place: &ValuePlace<'_>) {
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

/// `id IN (SELECT owner FROM links …)`.
fn members(sql: &mut Sql, place: &ValuePlace<'_>, which: impl FnOnce(&mut Sql, &Name)) {
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
fn count(sql: &mut Sql, place: &ValuePlace<'_>) {
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

/// Returns true if a row of the table of files is one of the property's that a resource has.
fn of_property(sql: &mut Sql, place: &ValuePlace<'_>, files: &Name) {
    sql.column(files, &PROPERTY).push(" = ").bind_as(ColumnType::Integer, place.property.id);
    // A row without a resource would make what is asked for neither true nor false.
    sql.push(" AND ").column(files, &OBJECT).push(" IS NOT NULL");
}

/// ` IN (ids along the hierarchy)`, the start not among them unless a ring leads back to it.
fn in_tree(sql: &mut Sql, direction: TreeDirection, tree: &TypeTree<'_>, id: i64) {
    let TypeTree { resource_type: ResourceType { table, .. }, parent, guard } = tree;
    let row = if guard.is_some() { row_alias(TypeTree::LEVEL) } else { Name::fixed("x") };
    let parent = &parent.column;
    let guarded = |sql: &mut Sql| {
        if let Some(guard) = guard {
            sql.push(" AND ");
            push(sql, guard);
        }
    };
    // What a step gives, and what it is found by.
    let (found, by) = match direction {
        TreeDirection::Down => (&ID, parent),
        TreeDirection::Up => (parent, &ID),
    };
    sql.push(" IN (WITH RECURSIVE tree(id, depth) AS (SELECT ").column(&row, found).push(", 1 FROM ");
    sql.table(table).push(" AS ").name(&row).push(" WHERE ").column(&row, by).push(" = ");
    sql.bind_as(ColumnType::Integer, Value::Integer(id));
    guarded(sql);
    sql.push(" UNION SELECT ").column(&row, found).push(", tree.depth + 1 FROM tree JOIN ");
    sql.table(table).push(" AS ").name(&row).push(" ON ").column(&row, by).push(" = tree.id WHERE tree.depth < ");
    // Written out: the number is ours, and PostgreSQL would have to guess a parameter's type.
    sql.literal(MAX_TREE_DEPTH);
    guarded(sql);
    sql.push(") SELECT tree.id FROM tree WHERE tree.id IS NOT NULL)");
}

const ID: Name = Name::fixed("id");
const OBJECT: Name = Name::fixed("object");
const OWNER: Name = Name::fixed("owner");
const PROPERTY: Name = Name::fixed("property");
const VALUE: Name = Name::fixed("value");
