//! The columns of a query's groups, as far as a caller's rights go, and the schema of their page.

use super::Rights;
use super::answers::DecimalForm;
use super::extended::schemas::{is_always_there, may_be_null};
use super::literal::json;
use super::responses::schema;
use super::schemas::{is_readable, nullable};
use model::groups::{AggregateFunction, GroupKey, GroupValue, QueryGroups};
use model::types::{FIRST_PROPERTY, Model, Property, ResourceType};
use serde_json::{Map, Value};

/// A column of groups.
pub(crate) struct QueryColumn<'m> {
    pub(crate) name: &'m str,
    pub(crate) is_key: bool,
    pub(crate) values: ColumnValues<'m>,
    pub(crate) nullable: bool,
}

/// The values of a column.
pub(crate) enum ColumnValues<'m> {
    /// Those of a property, which is of that type; of one with several values, the members.
    Property(&'m ResourceType, &'m Property),
    /// Labels of periods.
    Label,
    /// Whole numbers, none of which is large.
    Integer,
    /// Sums of whole numbers.
    Sum,
    /// Decimals, or averages of whole numbers.
    Decimal,
    /// Floats.
    Float,
}

/// A property behind relations.
struct FoundProperty<'m> {
    resource_type: &'m ResourceType,
    property: &'m Property,
    nullable: bool,
}

/// Returns the columns, keys first; none where the caller may not ask for one of them.
pub(crate) fn columns<'m>(
    model: &'m Model,
    of: &'m ResourceType,
    groups: &'m QueryGroups,
    rights: &Rights<'_>,
) -> Option<Vec<QueryColumn<'m>>> {
    let keys = groups.keys.iter().map(|key| key_column(model, of, key, rights));
    let values = groups.values.iter().map(|value| value_column(model, of, value, rights));
    keys.chain(values).collect()
}

fn key_column<'m>(
    model: &'m Model,
    of: &'m ResourceType,
    key: &'m GroupKey,
    rights: &Rights<'_>,
) -> Option<QueryColumn<'m>> {
    let FoundProperty { resource_type, property, nullable } = find(model, of, &key.property, rights)?;
    let values = match key.by {
        None => ColumnValues::Property(resource_type, property),
        Some(part) if part.repeats() => ColumnValues::Integer,
        Some(_) => ColumnValues::Label,
    };
    Some(QueryColumn { name: &key.name, is_key: true, values, nullable: nullable || key.each })
}

fn value_column<'m>(
    model: &'m Model,
    of: &'m ResourceType,
    value: &'m GroupValue,
    rights: &Rights<'_>,
) -> Option<QueryColumn<'m>> {
    let found = value.property.as_ref().map(|name| find(model, of, name, rights).ok_or(())).transpose().ok()?;
    let is_exact = found.as_ref().is_none_or(|found| found.property.kind.schema()["type"] == "integer");
    let is_float = found.as_ref().is_some_and(|found| !is_exact && found.property.kind.scale().is_none());
    let (values, nullable) = match (value.function, found) {
        (AggregateFunction::Least | AggregateFunction::Greatest, Some(found)) => {
            (ColumnValues::Property(found.resource_type, found.property), true)
        }
        (AggregateFunction::Average, _) if is_float => (ColumnValues::Float, true),
        (AggregateFunction::Average, _) => (ColumnValues::Decimal, true),
        (AggregateFunction::Sum, _) if is_float => (ColumnValues::Float, true),
        (AggregateFunction::Sum, _) if !is_exact => (ColumnValues::Decimal, false),
        (AggregateFunction::Sum, _) => (ColumnValues::Sum, false),
        _ => (ColumnValues::Integer, false),
    };
    Some(QueryColumn { name: &value.name, is_key: false, values, nullable })
}

/// The property at the end of a path that the caller reads.
fn find<'m>(model: &'m Model, of: &'m ResourceType, path: &str, rights: &Rights<'_>) -> Option<FoundProperty<'m>> {
    let mut resource_type = model.type_by_id(of.id)?;
    let mut names = path.split('.').peekable();
    let mut is_behind = false;
    loop {
        let grant = rights(resource_type);
        let name = names.next()?;
        let property = match resource_type.field(name) {
            Some(property) => {
                Some(property).filter(|property| grant.show.as_ref().is_some_and(|show| is_readable(property, show)))?
            }
            None => inverse(model, resource_type, name, rights)?,
        };
        if names.peek().is_none() {
            let nullable =
                is_behind || may_be_null(resource_type, property) || !is_always_there(resource_type, &grant, property);
            return Some(FoundProperty { resource_type, property, nullable });
        }
        resource_type = model.type_by_id(property.kind.relation()?.type_id)?;
        is_behind = true;
    }
}

/// The other end of a relation that the caller reads.
fn inverse<'m>(model: &'m Model, of: &ResourceType, name: &str, rights: &Rights<'_>) -> Option<&'m Property> {
    let inverse = model.inverses.named(of.id, name)?;
    let source = inverse.kind.inverse()?;
    let referring = model.type_by_id(source.type_id)?;
    let is_read = is_readable(&referring.fields[source.position], rights(referring).show.as_ref()?);
    is_read.then_some(inverse)
}

/// The schema of a page of groups.
pub(crate) fn page(columns: &[QueryColumn<'_>], has_totals: bool, decimals: DecimalForm) -> Value {
    let totals = columns.iter().filter(|column| !column.is_key);
    let mut page = json!({
        "type": "object", "required": ["stats", "data"],
        "properties": {"stats": schema("Stats"), "data": {"type": "array", "items": object(columns.iter(), decimals)}},
    });
    if has_totals {
        page["properties"]["totals"] = object(totals, decimals);
        page["required"] = json!(["stats", "data", "totals"]);
    }
    page
}

fn object<'c, 'm: 'c>(columns: impl Iterator<Item = &'c QueryColumn<'m>>, decimals: DecimalForm) -> Value {
    let properties: Map<String, Value> =
        columns.map(|column| (column.name.to_owned(), values(column, decimals))).collect();
    let required: Vec<String> = properties.keys().cloned().collect();
    json!({"type": "object", "required": required, "properties": properties})
}

fn values(column: &QueryColumn<'_>, decimals: DecimalForm) -> Value {
    let values = match column.values {
        ColumnValues::Property(_, property) if property.kind.is_relation() => {
            json!({"type": "integer", "format": "int64"})
        }
        ColumnValues::Property(_, property) if property.position < FIRST_PROPERTY => property.kind.schema(),
        ColumnValues::Property(_, property) => decimals.value(property.kind.as_ref()),
        ColumnValues::Label => json!({"type": "string"}),
        ColumnValues::Integer => json!({"type": "integer"}),
        ColumnValues::Sum => decimals.integer(),
        ColumnValues::Decimal => decimals.decimal(),
        ColumnValues::Float => json!({"type": "number"}),
    };
    if column.nullable { nullable(values) } else { values }
}
