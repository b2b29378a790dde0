//! Checks of groups that files ask for, with the place of each fault, and the columns that their answers have.

use crate::cell::{self, ColumnForm};
use crate::columns::{PlannedKey, PlannedValue};
use crate::having::{Having, HavingColumns};
use crate::plan::{self, AggregatePlan};
use model::error::{Error, Result};
use model::groups::{AggregateFunction, GroupKey, GroupValue};
use model::kinds::{ValueContext, nearest};
use query::aggregate_request::AggregateRequest;
use query::filters;
use query::path::TypeAccess;
use query::relation_filter::{self, FilterFault};
use serde_json::Value as Json;

/// A column of groups.
pub struct GroupColumn<'m> {
    /// Its name in the answer.
    pub name: String,
    /// True for a key, false for a value.
    pub is_key: bool,
    /// The form of its values.
    pub form: ColumnForm<'m>,
    /// True if it may be null.
    pub nullable: bool,
}

/// Returns the columns of groups, keys first, as far as the caller may ask for them.
pub fn columns<'m>(access: &TypeAccess<'m>, asked: &AggregateRequest) -> Result<Vec<GroupColumn<'m>>> {
    let plan = AggregatePlan::new(access, asked, None)?;
    let keys = plan.keys.iter().map(|key| GroupColumn {
        name: key.name.clone(),
        is_key: true,
        form: cell::key_form(key),
        nullable: key.several.is_some() || key.path.nullable(),
    });
    let values = plan.values.iter().map(|value| GroupColumn {
        name: value.name.clone(),
        is_key: false,
        form: cell::value_form(value),
        nullable: may_be_null(value),
    });
    Ok(keys.chain(values).collect())
}

/// A sum of floats may be too large for one.
fn may_be_null(value: &PlannedValue<'_>) -> bool {
    match value.function {
        AggregateFunction::Count | AggregateFunction::CountDistinct => false,
        AggregateFunction::Sum => cell::is_float(value),
        AggregateFunction::Average | AggregateFunction::Least | AggregateFunction::Greatest => true,
    }
}

/// Returns what is wrong with groups, each fault with its place: the names of a request's parameters and members.
pub fn faults(access: &TypeAccess<'_>, asked: &AggregateRequest) -> Vec<FilterFault> {
    let Err(refusal) = AggregatePlan::new(access, asked, None) else { return Vec::new() };
    let context = access.value_context();
    let mut found = of_filters(access, &asked.filters, &context, &["filters"]);
    let mut keys = Vec::new();
    for (index, key) in asked.keys.iter().enumerate() {
        match plan::plan_key(access, key) {
            Ok(key) => keys.push(key),
            Err(error) => found.push(key_fault(access, index, key, error)),
        }
    }
    let mut values = Vec::new();
    for value in &asked.values {
        match plan::plan_value(access, &context, value, &mut false) {
            Ok(value) => values.push(value),
            Err(error) => found.extend(value_faults(access, value, &context, error)),
        }
    }
    if found.is_empty() {
        found = of_columns(&keys, &values, asked, &context);
    }
    // Relations may be too many only together.
    if found.is_empty() { vec![fault(&[], refusal, None)] } else { found }
}

fn fault(path: &[&str], error: Error, suggestion: Option<String>) -> FilterFault {
    FilterFault { path: path.iter().map(|&step| step.to_owned()).collect(), error, suggestion }
}

fn of_filters(access: &TypeAccess<'_>, given: &[Json], context: &ValueContext<'_>, place: &[&str]) -> Vec<FilterFault> {
    let Err(error) = filters::parse(access, given, context) else { return Vec::new() };
    let faults = relation_filter::faults(access, given, context, error).into_iter();
    let below = |fault: FilterFault| {
        let path = place.iter().map(|&step| step.to_owned()).chain(fault.path).collect();
        FilterFault { path, ..fault }
    };
    faults.map(below).collect()
}

fn key_fault(access: &TypeAccess<'_>, index: usize, key: &GroupKey, error: Error) -> FilterFault {
    let place = ["groupBy", &index.to_string()];
    let whole = GroupKey { by: None, ..key.clone() };
    match error.code {
        "property_unknown" => fault(&[place[0], place[1], "property"], error, access.nearest(&key.property)),
        _ if key.by.is_some() && plan::plan_key(access, &whole).is_ok() => {
            fault(&[place[0], place[1], "by"], error, None)
        }
        _ => fault(&[place[0], place[1], "property"], error, None),
    }
}

fn value_faults(
    access: &TypeAccess<'_>,
    value: &GroupValue,
    context: &ValueContext<'_>,
    error: Error,
) -> Vec<FilterFault> {
    let place = ["values", &value.name];
    let found = of_filters(access, &value.filters, context, &[place[0], place[1], "filters"]);
    if !found.is_empty() {
        return found;
    }
    let unknown = Some(error.code).filter(|code| *code == "property_unknown").and(value.property.as_deref());
    let suggestion = unknown.and_then(|name| access.nearest(name));
    vec![fault(&[place[0], place[1], "property"], error, suggestion)]
}

/// Returns faults of what names keys and values, or compares with them.
fn of_columns(
    keys: &[PlannedKey<'_>],
    values: &[PlannedValue<'_>],
    asked: &AggregateRequest,
    context: &ValueContext<'_>,
) -> Vec<FilterFault> {
    let names: Vec<&str> =
        keys.iter().map(|key| &key.name[..]).chain(values.iter().map(|value| &value.name[..])).collect();
    let forms = cell::forms(keys, values);
    let columns = HavingColumns { names: &names, forms: &forms, context };
    let mut found = of_having(&columns, &asked.having, &["having".to_owned()]);
    for (index, key) in asked.order_by.iter().enumerate() {
        if let Err(error) = plan::order(&names, keys.len(), std::slice::from_ref(key)) {
            let suggestion = nearest(&key.0, names.iter().copied()).map(str::to_owned);
            found.push(fault(&["orderBy", &index.to_string()], error, suggestion));
        }
    }
    if let Some(error) = asked.fill.then(|| plan::check_fill(keys).err()).flatten() {
        found.push(fault(&["fill"], error, None));
    }
    found
}

/// The innermost conditions on groups that are wrong by themselves.
fn of_having(columns: &HavingColumns<'_>, conditions: &[Json], path: &[String]) -> Vec<FilterFault> {
    let mut found = Vec::new();
    for (index, condition) in conditions.iter().enumerate() {
        let Err(error) = Having::parse(columns, std::slice::from_ref(condition)) else { continue };
        let path = [path, &[index.to_string()]].concat();
        let text = |member: &str| condition.get(member).and_then(Json::as_str).unwrap_or_default();
        let name = text("property");
        if let ("*", Some(Json::Array(inner))) = (name, condition.get("param")) {
            let within = of_having(columns, inner, &[&path[..], &["param".to_owned()]].concat());
            if !within.is_empty() {
                found.extend(within);
                continue;
            }
        }
        let unknown = error.code == "property_unknown";
        let suggestion = unknown.then(|| nearest(name, columns.names.iter().copied()).map(str::to_owned)).flatten();
        let member = if unknown { "property" } else { "param" };
        found.push(FilterFault { path: [path, vec![member.to_owned()]].concat(), error, suggestion });
    }
    found
}
