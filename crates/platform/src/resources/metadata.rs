//! What there is to know of fields: `propsMeta` (D-20).

use super::fields::{self, Selection};
use super::path::Access;
use super::{SomeFields, accept, filters, output};
use crate::error::Result;
use crate::kinds::{Class, Storage, abilities};
use crate::types::{Action, FIRST_PROPERTY, Property, Rules, SystemPermission, Type, TypeGrant};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde_json::{Value as Json, json};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Bytes that the metadata of a tenant's types may take.
const BYTES: u64 = 4 << 20;

/// What was told of types already: the same for all who have the same rights, as long as the model stands.
#[derive(Default)]
pub(crate) struct Told(OnceLock<Cache<Reader, Arc<OfType>, Size>>);

/// Whom the metadata of a type is for.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Reader {
    type_id: i64,
    /// Whether what decides about the rights of users may be changed.
    admin: bool,
    /// The rights on the type, and on those that it refers to.
    grants: Vec<TypeGrant>,
}

/// The metadata of each field of a type, by position, as JSON. Whether a field may be read is seen when it is asked for.
struct OfType {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

#[derive(Clone)]
struct Size;

impl Weighter<Reader, Arc<OfType>> for Size {
    fn weight(&self, reader: &Reader, told: &Arc<OfType>) -> u64 {
        (told.bytes.len()
            + told.places.len() * size_of::<Range<usize>>()
            + reader.grants.len() * size_of::<TypeGrant>()) as u64
    }
}

impl std::fmt::Debug for Told {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Told")
    }
}

/// The metadata that a request asks for, as a JSON object with a member for each field, named by the dotted path to
/// it; none where it asks for none.
pub(super) fn of<'m>(
    access: &Access<'m>,
    selection: &Selection<'m>,
    asked: Option<&SomeFields>,
) -> Result<Option<Vec<u8>>> {
    let Some(asked) = asked else { return Ok(None) };
    let mut telling = Telling { access, told: HashMap::new(), known: HashSet::new(), out: vec![b'{'] };
    for name in &asked.named {
        let (hops, property) = fields::resolve(access, name)?;
        let owner = hops.last().map_or(&access.allowed, |hop| &hop.target);
        telling.field(owner.resource_type, name, property)?;
    }
    if asked.all {
        telling.all(selection, "")?;
    }
    telling.out.push(b'}');
    Ok(Some(telling.out))
}

/// The resource with its metadata in it.
pub(super) fn beside(mut resource: Vec<u8>, metadata: Option<Vec<u8>>) -> Vec<u8> {
    let Some(metadata) = metadata else { return resource };
    resource.pop();
    if resource.len() > 1 {
        resource.push(b',');
    }
    resource.extend_from_slice(b"\"_propsMeta\":");
    resource.extend_from_slice(&metadata);
    resource.push(b'}');
    resource
}

/// The object while it is written.
struct Telling<'t, 'm> {
    access: &'t Access<'m>,
    told: HashMap<i64, Arc<OfType>>,
    known: HashSet<String>,
    out: Vec<u8>,
}

impl<'m> Telling<'_, 'm> {
    /// Tells of all fields that are shown.
    fn all(&mut self, selection: &Selection<'m>, prefix: &str) -> Result<()> {
        for member in &selection.members {
            let path = format!("{prefix}{}", member.property.name);
            self.field(selection.resource_type, &path, member.property)?;
            if let Some(inner) = &member.expansion {
                self.all(inner, &format!("{path}."))?;
            }
        }
        Ok(())
    }

    fn field(&mut self, owner: &'m Arc<Type>, path: &str, property: &Property) -> Result<()> {
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

/// The metadata of a type that the caller may see.
fn of_type<'m>(access: &Access<'m>, of: &'m Arc<Type>) -> Arc<OfType> {
    let told = access.model.told.0.get_or_init(|| Cache::with_weighter(16, BYTES, Size));
    let reader = Reader::new(access, of);
    if let Some(known) = told.get(&reader) {
        return known;
    }
    let mut bytes = Vec::new();
    let mut places = Vec::with_capacity(of.fields.len());
    for property in &of.fields {
        let start = bytes.len();
        bytes.extend_from_slice(describe(access, of, property).to_string().as_bytes());
        places.push(start..bytes.len());
    }
    let made = Arc::new(OfType { bytes, places });
    told.insert(reader, Arc::clone(&made));
    made
}

impl Reader {
    fn new(access: &Access<'_>, of: &Type) -> Self {
        let targets = of.fields.iter().filter_map(|property| property.kind.relation()).map(|relation| relation.type_id);
        Reader {
            type_id: of.id,
            admin: access.actor.require(SystemPermission::Admin).is_ok(),
            grants: std::iter::once(of.id).chain(targets).map(|id| access.actor.grant(id)).collect(),
        }
    }
}

fn describe<'m>(access: &Access<'m>, of: &'m Arc<Type>, property: &Property) -> Json {
    let kind = property.kind.as_ref();
    let read_only = accept::read_only(property);
    let edit = access.actor.allowed_type(of, Action::Edit);
    let write = edit.is_ok_and(|edit| !read_only && accept::writable(access.actor, &edit, property));
    let own = property.position >= FIRST_PROPERTY;
    let mut told = json!({
        "id": own.then_some(property.id),
        "identifier": property.name,
        "title": property.title,
        "kind": kind.name(),
        "multiple": matches!(kind.storage(), Storage::Links(_)) || kind.class() == Class::Files,
        "required": property.required,
        "unique": property.unique || property.position == 0,
        "readOnly": read_only,
        "calculated": property.calculated.is_some(),
        "default": default_of(of, property),
        "description": property.description,
    });
    let options = options(access, property);
    if !options.is_empty() {
        told["options"] = options.into();
    }
    if let (Some(relation), Some(target)) = (kind.relation(), access.follow(property)) {
        let title = &target.resource_type.title;
        told["relation"] = json!({"typeId": relation.type_id, "type": relation.type_name, "title": title});
    }
    told["sortable"] = (abilities(kind.class()).sortable && !property.is_virtual()).into();
    told["filterTypes"] = match access.actor.allowed_type(of, Action::Show) {
        Ok(allowed) => filters::taken(&access.at(allowed), property).into(),
        Err(_) => json!([]),
    };
    told["write"] = write.into();
    told
}

/// The default: a value, or the expression that gives it.
fn default_of(of: &Type, property: &Property) -> Option<Json> {
    let expressed = || Rules::about(&of.rules().defaults, property.position).map(|rule| Json::from(rule.text.clone()));
    property.default.clone().or_else(expressed)
}

/// The values that may be chosen; of a group, all groups.
fn options(access: &Access<'_>, property: &Property) -> Vec<Json> {
    let choices = property.kind.choices();
    if property.kind.class() == Class::Enumeration && choices.is_empty() {
        let groups = access.model.groups.values();
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
