//! The model as a caller may see it: types with their properties and limits, queries and canvases, as JSON.

mod derived_values;
mod limits;
mod parameters;
mod properties;

use crate::queries::DescribedQuery;
use context::actor::Allowed;
use context::request_context::RequestContext;
use model::canvas::Canvas;
use model::query::QueryDefinition;
use model::types::{FormSection, Property, ResourceAction, ResourceType};
use model::user_columns::USER_TYPE;
use parameters::describe_parameters;
use properties::describe_property;
use query::path::TypeAccess;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The reader of the description.
pub struct ModelReader<'r> {
    /// The caller's rights, and the model.
    pub context: &'r RequestContext,
    /// The titles of built-in fields in the reader's language, by name; none where the language has no other.
    pub titles: &'r dyn Fn(&str) -> Option<String>,
}

/// Describes what the caller may see.
pub fn describe_model(reader: &ModelReader<'_>) -> Json {
    let (context, model) = (reader.context, &*reader.context.model);
    let rights = |of: &Arc<ResourceType>| context.actor.grant(of.id);
    let types: Vec<Json> = model.types.iter().filter_map(|of| describe_type(reader, of)).collect();
    let may_run = |query: &&Arc<QueryDefinition>| DescribedQuery::new(model, query, &rights).is_some();
    let queries = model.queries.values().filter(may_run);
    let queries: Vec<Json> = queries.map(|query| describe_query(context, query)).collect();
    let canvases = model.canvases.values().filter(|canvas| shows_canvas(context, canvas));
    let canvases: Vec<Json> = canvases.map(|canvas| describe_canvas(context, canvas)).collect();
    json!({"types": types, "queries": queries, "canvases": canvases})
}

/// Describes a type; none where the caller may not read it.
fn describe_type(reader: &ModelReader<'_>, of: &Arc<ResourceType>) -> Option<Json> {
    let context = reader.context;
    let allowed = context.actor.allowed_type(of, ResourceAction::Show).ok()?;
    let access = TypeAccess::new(context, allowed.clone());
    let properties = of.fields.iter().filter(|property| is_shown(&allowed, property));
    let properties: Vec<Json> = properties.map(|property| describe_property(reader, &access, property)).collect();
    let named = |position: Option<usize>| {
        position.map(|position| &of.fields[position]).filter(|property| is_shown(&allowed, property)).map(name)
    };
    let grant = context.actor.grant(of.id);
    let inverses: Vec<Json> =
        access.inverses(&allowed).filter_map(|inverse| describe_inverse(&access, inverse)).collect();
    Some(json!({
        "id": of.id,
        "name": of.name,
        "title": type_title(reader, of),
        "description": of.description,
        "titleProperty": named(of.title_property),
        "codeProperty": named(of.code_property),
        "parentProperty": named(of.parent_property),
        "orderBy": order_of(&allowed, of),
        "searchable": of.fields.iter().any(|property| property.searchable && is_shown(&allowed, property)),
        "logReads": of.log_reads,
        "actions": {"create": grant.create.is_some(), "update": grant.edit.is_some(), "delete": grant.delete},
        "unique": unique_sets(&allowed, of),
        "inverses": inverses,
        "sections": sections(&allowed, of),
        "properties": properties,
    }))
}

/// Returns the title of a type. That of users is ours where their file gives no other.
fn type_title(reader: &ModelReader<'_>, of: &ResourceType) -> String {
    let ours = (of.id == USER_TYPE && of.title == "User").then(|| (reader.titles)("user")).flatten();
    ours.unwrap_or_else(|| of.title.clone())
}

/// Returns the sections of forms with the properties that the caller may read. One without any is left out.
fn sections(allowed: &Allowed<'_>, of: &ResourceType) -> Vec<Json> {
    let section = |section: &FormSection| {
        let properties = section.properties.iter().map(|position| &of.fields[*position]);
        let names: Vec<&str> = properties.filter(|property| is_shown(allowed, property)).map(name).collect();
        (!names.is_empty()).then(|| json!({"title": section.title, "properties": names}))
    };
    of.sections.iter().filter_map(section).collect()
}

/// Returns true if the caller may read the property.
fn is_shown(allowed: &Allowed<'_>, property: &Property) -> bool {
    allowed.readable.contains(property) && !property.kind.concealed()
}

fn name(property: &Property) -> &str {
    &property.name
}

/// The type's own order, as `orderBy` takes it; none where the caller may not read one of its keys, since lists then
/// have the order of ids.
fn order_of(allowed: &Allowed<'_>, of: &ResourceType) -> Option<String> {
    let key = |(position, descending): &(usize, bool)| {
        let property = &of.fields[*position];
        let sign = if *descending { "-" } else { "" };
        is_shown(allowed, property).then(|| format!("{sign}{}", property.name))
    };
    let keys: Vec<String> = of.order_by.iter().map(key).collect::<Option<_>>()?;
    (!keys.is_empty()).then(|| keys.join(","))
}

/// The sets of properties whose values no two resources share, as far as the caller may read all of a set.
fn unique_sets<'m>(allowed: &Allowed<'_>, of: &'m ResourceType) -> Vec<Vec<&'m str>> {
    let names = |set: &Vec<usize>| {
        let properties = set.iter().map(|position| &of.fields[*position]);
        properties.map(|property| is_shown(allowed, property).then(|| name(property))).collect::<Option<Vec<_>>>()
    };
    of.unique.iter().filter_map(names).collect()
}

/// Describes the other end of a relation that the caller may follow.
fn describe_inverse(access: &TypeAccess<'_>, inverse: &Property) -> Option<Json> {
    let source = inverse.kind.inverse()?;
    let holder = access.model.type_by_id(source.type_id)?;
    Some(json!({
        "name": inverse.name,
        "title": inverse.title,
        "type": holder.name,
        "property": holder.fields[source.position].name,
        "multiple": inverse.kind.holds_several(),
    }))
}

fn describe_query(context: &RequestContext, query: &QueryDefinition) -> Json {
    let of = context.model.type_by_id(query.type_id);
    json!({
        "name": query.name,
        "title": query.title,
        "description": query.description,
        "type": of.map(|of| of.name.as_str()),
        "groups": query.groups.is_some(),
        "parameters": describe_parameters(context, &query.parameters),
    })
}

fn describe_canvas(context: &RequestContext, canvas: &Canvas) -> Json {
    json!({
        "name": canvas.name,
        "title": canvas.title,
        "description": canvas.description,
        "parameters": describe_parameters(context, &canvas.parameters),
    })
}

/// Returns true if the caller may read a type that an item of the canvas lists, or the canvas lists none.
fn shows_canvas(context: &RequestContext, canvas: &Canvas) -> bool {
    let model = &context.model;
    let queried = canvas.items.iter().filter_map(|item| item.query.as_ref());
    let mut types =
        queried.filter_map(|query| model.queries.get(query)).filter_map(|query| model.type_by_id(query.type_id));
    let shown = |of: &Arc<ResourceType>| context.actor.allowed_type(of, ResourceAction::Show).is_ok();
    match types.next() {
        None => true,
        Some(first) => shown(first) || types.any(shown),
    }
}
