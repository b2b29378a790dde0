//! Steps that write resources: by the same way as any write, in the name of the user who caused the run, with all
//! rights.

use super::{StepExpressions, StepOutcome, StepScene};
use crate::made_files::StepFiles;
use crate::progress::RunProgress;
use crate::template::of_fault;
use crate::values;
use context::stored_reference::reference;
use context::value_json::to_json;
use database::Tx;
use expression::Value;
use expression::convert::to_text;
use expression::scope::ValueKind;
use model::automation::{CreateStep, UpdateStep, ValueTemplate};
use model::error::{Error, Result};
use model::kinds::{ValueFault, ValueStorage, write_property};
use model::types::{Property, ResourceType};
use query::request::ItemRef;
use resources::Body;
use resources::expressions::{PlatformProviders, accept};
use serde_json::{Map, Value as Json, json};

/// Creates a resource.
pub(super) fn create(
    tx: &mut Tx<'_>,
    scene: &StepScene<'_>,
    progress: &mut RunProgress,
    create: &CreateStep,
) -> Result<StepOutcome> {
    let of = of_type(scene, create.type_id)?;
    let files = StepFiles::new(scene.kept, progress.position.to_string());
    let body = scene.ask(tx, progress, |asking| body(asking, of, &create.values, &files))?;
    if let Some(wanted) = files.missing() {
        return Ok(StepOutcome::Store(wanted));
    }
    let id = resources::create(tx, scene.context, &of.name, &body)?.id;
    if let Some(variable) = &create.variable {
        let value = values::encode(&reference(&scene.context.model, of.id, id)).map_err(|fault| of_fault(&fault))?;
        progress.memory.put_variable(variable, value);
    }
    Ok(StepOutcome::Next(result(of, id)))
}

/// Changes a resource.
pub(super) fn update(
    tx: &mut Tx<'_>,
    scene: &StepScene<'_>,
    progress: &RunProgress,
    update: &UpdateStep,
) -> Result<StepOutcome> {
    let of = of_type(scene, update.type_id)?;
    let files = StepFiles::new(scene.kept, progress.position.to_string());
    let (item, body) = scene.ask(tx, progress, |asking| {
        Ok((item(&asking.value(&update.item)?, of)?, body(asking, of, &update.values, &files)?))
    })?;
    if let Some(wanted) = files.missing() {
        return Ok(StepOutcome::Store(wanted));
    }
    let written = resources::patch(tx, scene.context, &of.name, &item, None, &body)?;
    Ok(StepOutcome::Next(result(of, written.id)))
}

/// Deletes a resource.
pub(super) fn delete(
    tx: &mut Tx<'_>,
    scene: &StepScene<'_>,
    progress: &RunProgress,
    type_id: i64,
    which: &ValueTemplate,
) -> Result<StepOutcome> {
    let of = of_type(scene, type_id)?;
    let (item, shown) = scene.ask(tx, progress, |asking| {
        let value = asking.value(which)?;
        Ok((item(&value, of)?, to_json(&value, &asking.providers).unwrap_or(Json::Null)))
    })?;
    resources::delete(tx, scene.context, &of.name, &item, None)?;
    Ok(StepOutcome::Next(json!({"type": of.name, "item": shown})))
}

fn of_type<'s>(scene: &'s StepScene<'_>, type_id: i64) -> Result<&'s ResourceType> {
    let found = scene.context.model.type_by_id(type_id).map(AsRef::as_ref);
    found.ok_or_else(|| Error::missing("collection_missing", "There is no such type any more."))
}

fn result(resource_type: &ResourceType, id: i64) -> Json {
    json!({"type": resource_type.name, "id": id})
}

/// Returns the resource that a value means.
fn item(value: &Value, resource_type: &ResourceType) -> Result<ItemRef> {
    match value {
        Value::Resource(resource) if resource.type_id() == resource_type.id => Ok(ItemRef::Id(resource.id())),
        Value::Int(id) => Ok(ItemRef::Id(*id)),
        Value::Text(text) => ItemRef::parse(&text.lossy()),
        other => {
            let message =
                format!("`item` is a resource of {}, its id or its UUID, not {}.", resource_type.name, other.kind());
            Err(Error::invalid("item_invalid", message))
        }
    }
}

/// Returns the body that a client would send.
fn body(
    asking: &StepExpressions<'_, '_>,
    resource_type: &ResourceType,
    values: &[(String, ValueTemplate)],
    files: &StepFiles<'_>,
) -> Result<Body> {
    let mut members = Map::new();
    for (name, template) in values {
        let value = match (template, resource_type.field(name)) {
            (ValueTemplate::Fixed(json), _) => json.clone(),
            (template, Some(property)) if matches!(property.kind.storage(), ValueStorage::Attachments) => {
                files.wire(resource_type, property, &asking.value(template)?, &asking.providers)?
            }
            (template, Some(property)) => wire(asking, property, &asking.value(template)?)?,
            // What adds to a value, or takes from it, is as wide as that.
            (template, None) => asking.json(template)?,
        };
        members.insert(name.clone(), value);
    }
    Ok(Body::plain(members))
}

/// A value as its property has it in bodies.
fn wire(asking: &StepExpressions<'_, '_>, property: &Property, value: &Value) -> Result<Json> {
    let kind = property.kind.as_ref();
    let providers = &asking.providers;
    if let (ValueKind::Decimal, Value::Decimal(_)) = (kind.language_kind(), value) {
        // All digits, which a number may lose on its way.
        return Ok(Json::String(to_text(value, providers).map_err(|fault| of_fault(&fault))?.lossy().into_owned()));
    }
    if let Some(relation) = kind.relation() {
        let several = !matches!(kind.storage(), ValueStorage::Column(_));
        let json = reference_to(providers, property, relation.type_id, value)?;
        return Ok(if several && !json.is_array() && !json.is_null() { json!([json]) } else { json });
    }
    let context = providers.request.value_context();
    let stored = accept(property, value, &context, providers)
        .map_err(|fault| Error::problems(vec![fault.of(&property.name, &property.title)]))?;
    let mut out = Vec::new();
    write_property(kind, &stored, &context, &mut out);
    serde_json::from_slice(&out).map_err(|error| Error::failed(format!("a value is no JSON: {error}")))
}

/// Returns the value of a relation, as bodies have it: resources of its type, or their ids or UUIDs.
fn reference_to(
    providers: &PlatformProviders<'_, '_>,
    property: &Property,
    wanted: i64,
    value: &Value,
) -> Result<Json> {
    match value {
        Value::Resource(resource) if resource.type_id() != wanted => {
            let fault = ValueFault::new("wrong_type", "must be a resource of the relation's type");
            Err(Error::problems(vec![fault.of(&property.name, &property.title)]))
        }
        Value::Array(members) => {
            let members = members.values().filter(|member| !member.is_null());
            members.map(|member| reference_to(providers, property, wanted, member)).collect()
        }
        Value::Rows(_) => {
            let fault = ValueFault::new("not_resource", "must be resources: fetch them, as with queryFetchObjects()");
            Err(Error::problems(vec![fault.of(&property.name, &property.title)]))
        }
        value => to_json(value, providers).map_err(|fault| of_fault(&fault)),
    }
}
