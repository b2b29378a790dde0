//! Metadata of fields: `propsMeta` (D-20).

use super::fields::{self, Selection};
use super::{output, writable};
use context::request_context::RequestContext;
use model::error::{Error, Result};
use model::kinds::{Kind, abilities};
use model::parameters::SomeFields;
use model::types::{
    FIRST_PROPERTY, MetadataKey, Model, Property, ResourceAction, ResourceType, SystemPermission, TypeMetadata,
    TypeRules,
};
use query::filters;
use query::path::TypeAccess;
use query::request::FieldsRequest;
use serde_json::{Value as Json, json};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The metadata that a request asks for, as a JSON object with a member for each field, named by the dotted path to
/// it; none where it asks for none.
pub(super) fn of<'m>(
    access: &TypeAccess<'m>,
    selection: &Selection<'m>,
    asked: Option<&SomeFields>,
) -> Result<Option<Vec<u8>>> {
    let Some(asked) = asked else { return Ok(None) };
    let mut telling = MetadataWriter { access, told: HashMap::new(), known: HashSet::new(), out: vec![b'{'] };
    for name in &asked.named {
        let (hops, property) = fields::resolve(access, name)?;
        if property.kind.inverse().is_some() {
            let message = format!("The property {name:?} is the other end of a relation, which has no metadata.");
            return Err(Error::invalid("property_unsuitable", message));
        }
        let owner = hops.last().map_or(&access.allowed, |hop| &hop.target);
        telling.field(owner.resource_type, name, property)?;
    }
    if asked.all {
        telling.all(selection, "")?;
    }
    telling.out.push(b'}');
    Ok(Some(telling.out))
}

/// The member of a resource that its metadata is.
pub(super) const MEMBER: &str = "_propsMeta";

/// Returns true if metadata that a body gives is what the caller is told of the type.
pub(super) fn is(request: &RequestContext, of: &Arc<ResourceType>, given: &Json) -> Result<bool> {
    let (Json::Object(given), Ok(allowed)) = (given, request.actor.allowed_type(of, ResourceAction::Show)) else {
        return Ok(false);
    };
    let access = TypeAccess::new(request, allowed);
    let asked = SomeFields { all: false, named: given.keys().cloned().collect() };
    let selection = Selection::new(&access, &FieldsRequest::default())?;
    let told = match self::of(&access, &selection, Some(&asked)) {
        Ok(told) => told.unwrap_or_default(),
        Err(_) => return Ok(false),
    };
    let told: Json = serde_json::from_slice(&told).map_err(|error| Error::failed(error.to_string()))?;
    Ok(told.as_object() == Some(given))
}

/// The resource with its metadata in it.
pub(super) fn beside(mut resource: Vec<u8>, metadata: Option<Vec<u8>>) -> Vec<u8> {
    let Some(metadata) = metadata else { return resource };
    resource.pop();
    if resource.len() > 1 {
        resource.push(b',');
    }
    resource.push(b'"');
    resource.extend_from_slice(MEMBER.as_bytes());
    resource.extend_from_slice(b"\":");
    resource.extend_from_slice(&metadata);
    resource.push(b'}');
    resource
}

/// The object while it is written.
struct MetadataWriter<'t, 'm> {
    access: &'t TypeAccess<'m>,
    told: HashMap<i64, Arc<TypeMetadata>>,
    known: HashSet<String>,
    out: Vec<u8>,
}

impl<'m> MetadataWriter<'_, 'm> {
    /// Tells of all fields that are shown.
    fn all(&mut self, selection: &Selection<'m>, prefix: &str) -> Result<()> {
        for member in &selection.members {
            let path = format!("{prefix}{}", member.property.name);
            self.field(selection.resource_type, &path, member.property)?;
            if let Some(inner) = &member.expansion {
                self.all(inner, &format!("{path}."))?;
            }
        }
        for rows in selection.related.rows.iter() {
            self.all(&rows.selection, &format!("{prefix}{}.", rows.inverse.name))?;
        }
        Ok(())
    }

    fn field(&mut self, owner: &'m Arc<ResourceType>, path: &str, property: &Property) -> Result<()> {
        if !self.known.insert(path.to_owned()) {
            return Ok(());
        }
        let told = self.told.entry(owner.id).or_insert_with(|| of_type(self.access, owner));
        if self.out.len() > 1 {
            self.out.push(b',');
        }
        // Names are made of letters, digits and underscores.
        self.out.push(b'"');
        self.out.extend_from_slice(path.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.out.extend_from_slice(&told.bytes[told.places[property.position].clone()]);
        output::refuse_more(self.out.len())
    }
}

/// Returns the metadata of a type that the caller may see.
fn of_type<'m>(access: &TypeAccess<'m>, resource_type: &'m Arc<ResourceType>) -> Arc<TypeMetadata> {
    let targets = resource_type.fields.iter().filter_map(|property| property.kind.relation());
    let types = std::iter::once(resource_type.id).chain(targets.map(|relation| relation.type_id));
    let key = MetadataKey {
        type_id: resource_type.id,
        admin: access.actor.require(SystemPermission::Admin).is_ok(),
        grants: types.map(|id| access.actor.grant(id)).collect(),
    };
    access.model.metadata.get_or_make(key, || {
        let (mut bytes, mut places) = (Vec::new(), Vec::with_capacity(resource_type.fields.len()));
        for property in &resource_type.fields {
            let start = bytes.len();
            bytes.extend_from_slice(describe(access, resource_type, property).to_string().as_bytes());
            places.push(start..bytes.len());
        }
        TypeMetadata { bytes, places }
    })
}

/// Describes a property of a type as the caller may see it.
pub fn describe<'m>(access: &TypeAccess<'m>, of: &'m Arc<ResourceType>, property: &Property) -> Json {
    let kind = property.kind.as_ref();
    let read_only = writable::read_only(property);
    let write = may_write(access, of, property, ResourceAction::Edit);
    let own = property.position >= FIRST_PROPERTY;
    let mut told = json!({
        "id": own.then_some(property.id),
        "identifier": property.name,
        "title": property.title,
        "kind": kind.name(),
        "multiple": kind.holds_several(),
        "required": property.required,
        "unique": property.unique || property.position == 0,
        "readOnly": read_only,
        "calculated": property.calculated.is_some(),
        "default": default_of(of, property),
        "description": property.description,
    });
    let options = options(access.model, kind);
    if !options.is_empty() {
        told["options"] = options.into();
    }
    if let (Some(relation), Some(target)) = (kind.relation(), access.follow(property)) {
        let title = &target.resource_type.title;
        told["relation"] = json!({"typeId": relation.type_id, "type": relation.type_name, "title": title});
    }
    told["sortable"] = (abilities(kind.class()).sortable && !property.is_virtual()).into();
    told["filterTypes"] = match access.actor.allowed_type(of, ResourceAction::Show) {
        Ok(allowed) => filters::taken(&access.at(allowed), property).into(),
        Err(_) => json!([]),
    };
    told["write"] = write.into();
    told
}

/// Returns true if the caller may give the property a value by an action.
pub fn may_write(access: &TypeAccess<'_>, of: &Arc<ResourceType>, property: &Property, action: ResourceAction) -> bool {
    let allowed = access.actor.allowed_type(of, action);
    allowed.is_ok_and(|allowed| !writable::read_only(property) && writable::writable(access.actor, &allowed, property))
}

/// The default: a value, or the expression that gives it.
fn default_of(of: &ResourceType, property: &Property) -> Option<Json> {
    let expressed =
        || TypeRules::about(&of.rules().defaults, property.position).map(|rule| Json::from(rule.text.clone()));
    property.default.clone().or_else(expressed)
}

/// The values that may be chosen; of a group, all groups.
pub fn options(model: &Model, kind: &dyn Kind) -> Vec<Json> {
    let choices = kind.choices();
    if kind.is_choice() && !kind.holds_several() && choices.is_empty() {
        let groups = model.groups.values();
        return groups.map(|group| option(&group.name, &group.title, None, false)).collect();
    }
    choices
        .iter()
        .map(|choice| option(&choice.value, &choice.title, choice.color.as_deref(), choice.archived))
        .collect()
}

fn option(value: &str, title: &str, color: Option<&str>, archived: bool) -> Json {
    json!({"value": value, "title": title, "color": color, "archived": archived})
}
