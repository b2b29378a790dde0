//! Queries and their rows: those that an expression runs, and the one that the place is about.

use super::arguments;
use super::rows::{optional, required, row};
use crate::catalogue::{Availability, FunctionEntry, FunctionParameter};
use crate::compare;
use crate::convert::to_array;
use crate::evaluate::property;
use crate::value::{Array, QueryRows, Value};
use crate::{Fault, HostProviders, Result, Run};
use std::cmp::Ordering;
use std::sync::Arc;
use values::size::size;

const RESULTS: FunctionParameter = required("resultSet", "query result set");

pub(crate) const FUNCTIONS: &[FunctionEntry] = &[
    row("getDataQuery", &[], "mixed", "Returns the current query.", data_query)
        .of_data_query()
        .example("queryCount(getDataQuery())", "2"),
    row(
        "dataQueryFetch",
        &[optional("property", "string", "null")],
        "mixed or null",
        "Returns a property of the first row of the current query.",
        data_fetch,
    )
    .of_data_query()
    .example("dataQueryFetch('place.city')", "\"Brno\""),
    row(
        "dataQueryFetchObject",
        &[],
        "object or null",
        "Returns the first resource of the current query.",
        data_fetch_object,
    )
    .of_data_query()
    .example("dataQueryFetchObject().name", "\"Ann\""),
    row(
        "dataQueryFetchAll",
        &[optional("path", "string", "null")],
        "array or null",
        "Returns all rows of the current query, or the values of a path in each.",
        data_fetch_all,
    )
    .of_data_query()
    .example("dataQueryFetchAll('id')", "[1,2]"),
    row("dataQueryCount", &[], "int or null", "Counts the rows of the current query.", data_count)
        .of_data_query()
        .example("dataQueryCount()", "2"),
    row(
        "dataQueryMin",
        &[required("property", "string")],
        "mixed or null",
        "Returns the least value of a property in the current query.",
        data_minimum,
    )
    .of_data_query()
    .example("dataQueryMin('id')", "1"),
    row(
        "dataQueryMax",
        &[required("property", "string")],
        "mixed or null",
        "Returns the greatest value of a property in the current query.",
        data_maximum,
    )
    .of_data_query()
    .example("dataQueryMax('id')", "2"),
    row(
        "query",
        &[required("query", "string"), optional("params", "array", "[]")],
        "query result set",
        "Runs a query by its name.",
        query,
    )
    .needs(Availability::Context)
    .example("queryCount(query('places'))", "2"),
    row("queryCount", &[RESULTS], "int", "Counts the rows of a result.", query_count)
        .needs(Availability::Context)
        .example("queryCount(query('places'))", "2"),
    row(
        "queryFetchRow",
        &[RESULTS, optional("property", "string", "null")],
        "mixed",
        "Returns the first row of a result, or one property of it.",
        query_row,
    )
    .needs(Availability::Context)
    .example("queryFetchRow(query('places'), 'id')", "1"),
    row(
        "queryFetchObject",
        &[RESULTS, optional("cache", "boolean", "true")],
        "object or null",
        "Returns the first resource of a result.",
        query_object,
    )
    .needs(Availability::Context)
    .example("queryFetchObject(query('places')).name", "\"Ann\""),
    row(
        "queryFetchRows",
        &[RESULTS, optional("path", "string", "null")],
        "array",
        "Returns all rows of a result, or the values of a path in each.",
        query_rows,
    )
    .needs(Availability::Context)
    .example("queryFetchRows(query('places'), 'place.city')", "[\"Brno\",\"Brno\"]"),
    row("queryFetchObjects", &[RESULTS], "array", "Returns all resources of a result.", query_objects)
        .needs(Availability::Context)
        .example("length(queryFetchObjects(query('places')))", "2"),
];

impl FunctionEntry {
    const fn of_data_query(self) -> Self {
        self.needs(Availability::DataQuery)
    }
}

/// The value at a dotted path of properties, a text that is data; the value itself without one.
pub(super) fn at_path(run: &mut Run<'_>, value: &Value, path: Option<&Value>) -> Result<Value> {
    let path = match path {
        None | Some(Value::Null) => return Ok(value.clone()),
        Some(Value::Text(path)) => path.lossy().into_owned(),
        Some(other) => return Err(Fault::new("wrong_kind", format!("A path is a text, not {}.", other.kind()))),
    };
    run.charge(path.len() as u64)?;
    // The key of a group may be called by a path, and so may a total.
    if let Value::Object(object) = value
        && let Some(member) = object.get(&path)
    {
        return Ok(member.clone());
    }
    let mut value = value.clone();
    for name in path.split('.').filter(|name| !name.is_empty()) {
        value = property(&value, name, run.providers)?.into_owned();
    }
    Ok(value)
}

fn results(value: &Value) -> Result<Arc<dyn QueryRows>> {
    match value {
        Value::Rows(rows) => Ok(rows.clone()),
        other => Err(Fault::new("wrong_kind", format!("A query result set is wanted, not {}.", other.kind()))),
    }
}

fn current(run: &Run<'_>) -> Result<Arc<dyn QueryRows>> {
    results(&run.providers.data_query()?)
}

fn first_row(run: &mut Run<'_>, rows: &dyn QueryRows, path: Option<&Value>) -> Result<Value> {
    let row = rows.row(0, run.providers)?.unwrap_or_default();
    at_path(run, &row, path)
}

/// A function that takes a row, or a resource, at a place.
type RowGetter = fn(&dyn QueryRows, usize, &dyn HostProviders) -> Result<Option<Value>>;

/// All rows, or all resources.
fn all(run: &mut Run<'_>, rows: &dyn QueryRows, path: Option<&Value>, take: RowGetter) -> Result<Value> {
    let mut values = Vec::new();
    while let Some(row) = take(rows, values.len(), run.providers)? {
        run.charge(1)?;
        run.reserve(3 * size_of::<Value>() + size(&row, run.limits.memory))?;
        if values.len() == run.limits.items {
            run.items(values.len() + 1)?;
        }
        values.push(at_path(run, &row, path)?);
    }
    Ok(Value::Array(Array::List(Arc::new(values))))
}

/// The value of a property that is furthest in one direction; nulls do not count.
fn extreme(run: &mut Run<'_>, arguments: &[Value], direction: Ordering) -> Result<Value> {
    let rows = current(run)?;
    let mut found = Value::Null;
    let mut index = 0;
    while let Some(row) = rows.row(index, run.providers)? {
        run.charge(1)?;
        let value = at_path(run, &row, Some(arguments::at(arguments, 0)?))?;
        let further = found.is_null() || compare::compare(run, &value, &found)? == Some(direction);
        if !value.is_null() && further {
            found = value;
        }
        index += 1;
    }
    Ok(found)
}

fn data_query(run: &mut Run<'_>, _: &[Value]) -> Result<Value> {
    run.providers.data_query()
}

fn data_fetch(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let rows = current(run)?;
    let row = first_row(run, rows.as_ref(), arguments.first())?;
    match (arguments.first(), &row) {
        // One value without a property's name: the first column's.
        (None | Some(Value::Null), Value::Object(object)) => Ok(object.at(0).cloned().unwrap_or_default()),
        _ => Ok(row),
    }
}

fn data_fetch_object(run: &mut Run<'_>, _: &[Value]) -> Result<Value> {
    Ok(current(run)?.resource(0, run.providers)?.unwrap_or_default())
}

fn data_fetch_all(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let rows = current(run)?;
    all(run, rows.as_ref(), arguments.first(), |rows, index, providers| rows.row(index, providers))
}

fn data_count(run: &mut Run<'_>, _: &[Value]) -> Result<Value> {
    current(run)?.count().map(Value::Int)
}

fn data_minimum(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    extreme(run, arguments, Ordering::Less)
}

fn data_maximum(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    extreme(run, arguments, Ordering::Greater)
}

fn query(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let name = arguments::text(run, arguments, 0)?;
    let empty = Value::Array(Array::default());
    let parameters = to_array(run, arguments.get(1).unwrap_or(&empty))?;
    run.take_query()?;
    run.providers.query(&name.lossy(), &parameters)
}

fn query_count(_: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    results(arguments::at(arguments, 0)?)?.count().map(Value::Int)
}

fn query_row(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let rows = results(arguments::at(arguments, 0)?)?;
    first_row(run, rows.as_ref(), arguments.get(1))
}

fn query_object(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    Ok(results(arguments::at(arguments, 0)?)?.resource(0, run.providers)?.unwrap_or_default())
}

fn query_rows(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let rows = results(arguments::at(arguments, 0)?)?;
    all(run, rows.as_ref(), arguments.get(1), |rows, index, providers| rows.row(index, providers))
}

fn query_objects(run: &mut Run<'_>, arguments: &[Value]) -> Result<Value> {
    let rows = results(arguments::at(arguments, 0)?)?;
    all(run, rows.as_ref(), None, |rows, index, providers| rows.resource(index, providers))
}
