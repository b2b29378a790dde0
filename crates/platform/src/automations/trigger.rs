//! What a run begins with: the event, the resource as it was then, what changed of it, and who caused it.

use super::{shown, stored};
use crate::expressions::{StoredResource, of_json, reference};
use crate::kinds::{Context, Stored, write_property};
use crate::resources::shows_own;
use crate::types::{Model, Property, Type};
use crate::users::USER_TYPE;
use expression::Fault;
use expression::value::{Changes, Resource, Value};
use jiff::tz::TimeZone;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What caused a run.
#[derive(Clone, Debug, Default)]
pub struct Trigger {
    /// The event's name, `invoice.updated`.
    pub event: String,
    /// The resource's type, and its values then.
    pub(super) resource: Option<(i64, Map<String, Json>)>,
    /// The values of what changed, as they were before.
    pub(super) before: Option<Map<String, Json>>,
    /// The user who caused it.
    pub(super) user: Option<i64>,
    /// Further parameters, by the names that `trigger()` knows them by.
    pub parameters: Map<String, Json>,
}

/// What changed on a resource.
#[derive(Debug)]
struct Changed {
    of: Arc<Type>,
    values: BTreeMap<Arc<str>, (Value, Value)>,
}

impl Changes for Changed {
    fn of(&self, property: &str) -> expression::Result<Option<(Value, Value)>> {
        let field = self.of.field(property).filter(|field| field.is_virtual());
        if let Some(field) = field.filter(|field| !shows_own(&self.of, field.position)) {
            return Err(Fault::new("changes_unknown", shown::unknown(&field.name)));
        }
        Ok(self.values.get(property).cloned())
    }

    /// What is calculated to be shown follows from what changed, and is no change of its own.
    fn names(&self) -> Vec<Arc<str>> {
        let own = |name: &&Arc<str>| self.of.field(name).is_none_or(|field| !field.is_virtual());
        self.values.keys().filter(own).cloned().collect()
    }
}

impl Trigger {
    /// One with these parameters, about no resource.
    pub fn of(event: impl Into<String>, parameters: Map<String, Json>) -> Self {
        Trigger { event: event.into(), parameters, ..Trigger::default() }
    }

    /// The same about a resource.
    pub(super) fn about(self, of: &Type, values: &[Stored]) -> Self {
        Trigger { resource: Some((of.id, stored::encode(of, values))), ..self }
    }

    /// The same about what changed of the resource. System fields, which change with each write, are no changes.
    pub(super) fn changed(self, of: &Type, old: &[Stored], new: &[Stored]) -> Self {
        let differs = of.properties().iter().filter(|field| !field.kind.concealed() && !field.is_virtual());
        let differs = differs.filter(|field| old.get(field.position) != new.get(field.position));
        let before =
            differs.filter_map(|field| Some((stored::key(field), stored::encode_one(old.get(field.position)?))));
        Trigger { before: Some(before.collect()), ..self }
    }

    /// The same, caused by a user.
    pub(super) fn by(self, user: Option<i64>) -> Self {
        Trigger { user, ..self }
    }

    /// As it is written down.
    pub(super) fn encode(&self) -> Json {
        let (type_id, values) = match &self.resource {
            Some((type_id, values)) => (Json::from(*type_id), Json::Object(values.clone())),
            None => (Json::Null, Json::Null),
        };
        json!({
            "event": self.event, "type": type_id, "values": values, "before": self.before, "user": self.user,
            "parameters": self.parameters,
        })
    }

    /// What was written down.
    pub(super) fn decode(mut json: Json) -> Option<Self> {
        let mut object = |name: &str| match json[name].take() {
            Json::Object(members) => Some(members),
            _ => None,
        };
        let (values, before, parameters) = (object("values"), object("before"), object("parameters"));
        Some(Trigger {
            event: json["event"].as_str()?.to_owned(),
            resource: json["type"].as_i64().zip(values),
            before,
            user: json["user"].as_i64(),
            parameters: parameters.unwrap_or_default(),
        })
    }

    /// Type and id of the resource.
    pub(super) fn target(&self) -> Option<(i64, i64)> {
        let (type_id, values) = self.resource.as_ref()?;
        Some((*type_id, values.get("id")?.as_i64()?))
    }

    /// As administrators see it: the resource's values then, and those before of what changed, by name.
    pub(super) fn shown(&self, model: &Model, context: &Context<'_>) -> Json {
        let found = self.resource.as_ref().and_then(|(id, row)| Some((model.type_by_id(*id)?, row)));
        let named = |of: &Type, row: &Map<String, Json>| {
            let value = |field: &Property| {
                let stored = stored::decode_one(field, row.get(&stored::key(field))?)?;
                let mut out = Vec::new();
                write_property(field.kind.as_ref(), &stored, context, &mut out);
                Some((field.name.clone(), serde_json::from_slice(&out).ok()?))
            };
            let seen = of.fields.iter().filter(|field| !field.kind.concealed());
            Json::Object(seen.filter_map(value).collect())
        };
        json!({
            "event": self.event, "user": self.user, "parameters": self.parameters,
            "resource": found.map(|(of, row)| named(of, row)),
            "before": found.zip(self.before.as_ref()).map(|((of, _), before)| named(of, before)),
        })
    }

    /// The parameters that `trigger()` gives.
    pub(super) fn values(&self, model: &Arc<Model>) -> BTreeMap<String, Value> {
        let mut values: BTreeMap<String, Value> =
            self.parameters.iter().map(|(name, value)| (name.clone(), of_json(value))).collect();
        values.insert("event".to_owned(), Value::text(&self.event));
        values.insert("user".to_owned(), self.user.map_or(Value::Null, |user| reference(model, USER_TYPE, user)));
        let found = self.resource.as_ref().and_then(|(id, row)| Some((model.type_by_id(*id)?, row)));
        let Some((of, row)) = found else { return values };
        let zone = &model.settings.timezone;
        let new = stored::decode(of, row);
        if let Some(before) = &self.before {
            values.insert("changes".to_owned(), changes(model, of, &new, before, zone));
        }
        values.insert("resource".to_owned(), StoredResource::new(model, of, new, zone).into_value());
        values
    }
}

fn changes(model: &Arc<Model>, of: &Arc<Type>, new: &[Stored], before: &Map<String, Json>, zone: &TimeZone) -> Value {
    let old = shown::before(of, new, Some(before));
    let named = of.properties().iter().filter(|field| before.contains_key(&stored::key(field)));
    let names = named.map(|field| Arc::<str>::from(field.name.as_str()));
    let row = |values: Vec<Stored>| StoredResource::new(model, of, values, zone);
    let (old, new) = (row(old), row(new.to_vec()));
    let value = |row: &StoredResource, name: &str| row.property(name, &Nobody).ok().flatten().unwrap_or_default();
    let values = names.map(|name| (name.clone(), (value(&old, &name), value(&new, &name)))).collect();
    Value::Changes(Arc::new(Changed { of: Arc::clone(of), values }))
}

/// Whoever needs not be asked: a row at hand has its values itself.
struct Nobody;

impl expression::Providers for Nobody {}
