//! The model as a caller may see it: types with their properties and limits, queries and canvases, as JSON.

use super::metadata;
use context::actor::Allowed;
use context::request_context::RequestContext;
use model::canvas::Canvas;
use model::query::{ParameterDefault, QueryDefinition, QueryParameter};
use model::types::{Property, ResourceAction, ResourceType, tables};
use query::path::TypeAccess;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// Members of a kind's schema that are limits, and their names in the description.
const LIMITS: [(&str, &str); 5] = [
    ("minLength", "minLength"),
    ("maxLength", "maxLength"),
    ("pattern", "pattern"),
    ("minimum", "min"),
    ("maximum", "max"),
];

/// Describes what the caller may see. `may_run` says which queries the caller may run.
pub fn describe_model(context: &RequestContext, may_run: &dyn Fn(&QueryDefinition) -> bool) -> Json {
    let model = &*context.model;
    let types: Vec<Json> = model.types.iter().filter_map(|of| describe_type(context, of)).collect();
    let queries = model.queries.values().filter(|query| may_run(query));
    let queries: Vec<Json> = queries.map(|query| describe_query(context, query)).collect();
    let canvases = model.canvases.values().filter(|canvas| shows_canvas(context, canvas));
    let canvases: Vec<Json> = canvases.map(|canvas| describe_canvas(context, canvas)).collect();
    json!({"types": types, "queries": queries, "canvases": canvases})
}

/// Describes a type; none where the caller may not read it.
fn describe_type(context: &RequestContext, of: &Arc<ResourceType>) -> Option<Json> {
    let allowed = context.actor.allowed_type(of, ResourceAction::Show).ok()?;
    let access = TypeAccess::new(context, allowed.clone());
    let properties = of.fields.iter().filter(|property| is_shown(&allowed, property));
    let properties: Vec<Json> = properties.map(|property| describe_property(&access, of, property)).collect();
    let named = |position: Option<usize>| {
        position.map(|position| &of.fields[position]).filter(|property| is_shown(&allowed, property)).map(name)
    };
    let grant = context.actor.grant(of.id);
    let inverses: Vec<Json> =
        access.inverses(&allowed).filter_map(|inverse| describe_inverse(&access, inverse)).collect();
    Some(json!({
        "id": of.id,
        "name": of.name,
        "title": of.title,
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
        "properties": properties,
    }))
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

/// Describes a property: its metadata and the limits of its kind.
fn describe_property<'m>(access: &TypeAccess<'m>, of: &'m Arc<ResourceType>, property: &Property) -> Json {
    let mut told = metadata::describe(access, of, property);
    told["indexed"] = is_indexed(of, property).into();
    told["searchable"] = property.searchable.into();
    told["conditional"] = property.conditional.into();
    told["writeOnce"] = property.write_once.into();
    if let (Some(relation), Some(shown)) = (property.kind.relation(), told.get_mut("relation")) {
        shown["filtered"] = (!relation.filter.is_empty()).into();
    }
    if let Some(told) = told.as_object_mut() {
        add_limits(property, told);
    }
    told
}

/// Returns true if an index serves filters and sorts by the property alone.
fn is_indexed(of: &ResourceType, property: &Property) -> bool {
    let leads = |set: &Vec<usize>| set.first() == Some(&property.position);
    let stored = property.index || property.unique || property.kind.relation().is_some();
    let built_in = property.id == 0 && ["id", "uuid"].contains(&property.name.as_str());
    let linked = tables::links_of(of, property).is_some();
    !property.is_virtual()
        && (built_in
            || linked
            || stored && property.id != 0
            || of.unique.iter().any(leads)
            || of.indexes.iter().any(leads))
}

/// Adds the limits of a property's values.
fn add_limits(property: &Property, told: &mut Map<String, Json>) {
    let kind = property.kind.as_ref();
    let schema = kind.schema();
    if kind.is_document() {
        // A document has a schema of its own instead of limits.
        if schema.as_object().is_some_and(|schema| !schema.is_empty()) {
            told.insert("schema".to_owned(), schema);
        }
        return;
    }
    let numeric = kind.is_number();
    for (member, limit) in LIMITS {
        // The pattern of a number is that of its text.
        if let Some(value) = schema.get(member).filter(|_| member != "pattern" || !numeric) {
            told.insert(limit.to_owned(), value.clone());
        }
    }
    if let Some(scale) = kind.scale() {
        told.insert("scale".to_owned(), scale.into());
    }
    if let Some(files) = kind.files() {
        told.insert("maxSize".to_owned(), files.max_size.into());
        told.insert("maxFiles".to_owned(), files.max_files.into());
        told.insert("accept".to_owned(), files.accept.clone().into());
    }
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

fn describe_parameters(context: &RequestContext, parameters: &[QueryParameter]) -> Vec<Json> {
    parameters.iter().map(|parameter| describe_parameter(context, parameter)).collect()
}

fn describe_parameter(context: &RequestContext, parameter: &QueryParameter) -> Json {
    let kind = parameter.kind.as_ref();
    let default = match &parameter.default {
        Some(ParameterDefault::Fixed(value)) => Some(value),
        // An expression gives it, for each request.
        Some(ParameterDefault::Expression(_)) | None => None,
    };
    let mut told = json!({
        "name": parameter.name,
        "title": parameter.title,
        "description": parameter.description,
        "kind": kind.name(),
        "multiple": parameter.multiple(),
        "required": parameter.required,
        "default": default,
    });
    let options = metadata::options(&context.model, kind);
    if !options.is_empty() {
        told["options"] = options.into();
    }
    let target = kind.relation().and_then(|relation| context.model.type_by_id(relation.type_id));
    if let Some(target) = target.filter(|of| context.actor.allowed_type(of, ResourceAction::Show).is_ok()) {
        told["relation"] = json!({"typeId": target.id, "type": target.name, "title": target.title});
    }
    told
}
