//! Trigger of a run: the event, the resource as it was then, what changed of it, and who caused it.

use super::{row_encoding, virtual_values};
use context::stored_reference::reference;
use context::stored_resource::StoredResource;
use context::value_json::of_json;
use expression::Fault;
use expression::value::{Resource, ResourceChanges, Value};
use model::automation::{AutomationSchedule, AutomationTrigger, IncomingHook};
use model::kinds::{StoredValue, ValueContext, write_property};
use model::types::{Model, Property, ResourceType};
use model::user_columns::USER_TYPE;
use resources::shows_own;
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};
use traces::TraceParent;

/// Cause of a run.
#[derive(Clone, Debug, Default)]
pub struct Trigger {
    /// The event's name, `invoice.updated`.
    pub event: String,
    /// The resource's type, and its values then.
    pub resource: Option<(i64, Map<String, Json>)>,
    /// The values of what changed, as they were before.
    pub(super) before: Option<Map<String, Json>>,
    /// The user who caused it.
    pub(super) user: Option<i64>,
    /// Further parameters, by the names that `trigger()` knows them by.
    pub parameters: Map<String, Json>,
    /// The span of the request that caused it, where traces are made.
    pub(super) span: Option<TraceParent>,
    /// The same as values, made when a step first asks: each step of a run asks.
    given: OnceLock<BTreeMap<String, Value>>,
    rows: OnceLock<TriggerRows>,
}

/// The resource as it was then, of a type as it is now, and as it was before.
#[derive(Clone, Debug)]
struct TriggerRows {
    of: Arc<ResourceType>,
    new: Arc<Vec<StoredValue>>,
    old: Option<Arc<Vec<StoredValue>>>,
}

/// Changes of a resource.
struct ChangedRow {
    of: Arc<ResourceType>,
    names: BTreeSet<Arc<str>>,
    old: StoredResource,
    new: StoredResource,
}

impl fmt::Debug for ChangedRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "changes of {:?}", self.names)
    }
}

impl ResourceChanges for ChangedRow {
    fn of(&self, property: &str) -> expression::Result<Option<(Value, Value)>> {
        let field = self.of.field(property).filter(|field| field.is_virtual());
        if let Some(field) = field.filter(|field| !shows_own(&self.of, field.position)) {
            return Err(Fault::new("changes_unknown", virtual_values::unknown(&field.name)));
        }
        let value =
            |row: &StoredResource| row.property(property, &expression::NoProviders).ok().flatten().unwrap_or_default();
        Ok(self.names.contains(property).then(|| (value(&self.old), value(&self.new))))
    }

    /// Returns the properties that changed. A value calculated to be shown follows from others, and is no change of its
    /// own.
    fn names(&self) -> Vec<Arc<str>> {
        let own = |name: &&Arc<str>| self.of.field(name).is_none_or(|field| !field.is_virtual());
        self.names.iter().filter(own).cloned().collect()
    }
}

impl Trigger {
    /// One with these parameters, about no resource.
    pub fn of(event: impl Into<String>, parameters: Map<String, Json>) -> Self {
        Trigger { event: event.into(), parameters, ..Trigger::default() }
    }

    /// The same about a resource.
    pub(super) fn about(self, resource_type: &ResourceType, values: &[StoredValue]) -> Self {
        Trigger {
            resource: Some((resource_type.id, row_encoding::encode(resource_type, values))),
            rows: OnceLock::new(),
            ..self
        }
    }

    /// The same about what changed of the resource. System fields, which change with each write, are no changes.
    pub(super) fn changed(self, resource_type: &ResourceType, old: &[StoredValue], new: &[StoredValue]) -> Self {
        let differs = resource_type.properties().iter().filter(|field| !field.kind.concealed() && !field.is_virtual());
        let differs = differs.filter(|field| old.get(field.position) != new.get(field.position));
        let before = differs
            .filter_map(|field| Some((row_encoding::key(field), row_encoding::encode_one(old.get(field.position)?))));
        Trigger { before: Some(before.collect()), rows: OnceLock::new(), ..self }
    }

    /// The same, caused by a user.
    pub(super) fn by(self, user: Option<i64>) -> Self {
        Trigger { user, ..self }
    }

    /// Forgets what its rows are as values: they are others now.
    pub(super) fn rows_changed(&mut self) {
        self.rows = OnceLock::new();
    }

    /// Returns true where `on` is what caused the run. Types are known by their ids: their names may have changed since.
    pub(super) fn caused_by(&self, on: &AutomationTrigger, model: &Model) -> bool {
        let about = self.target().map(|(type_id, _)| type_id);
        match on {
            AutomationTrigger::Event(event) => match event.type_id() {
                Some(_) => about == event.type_id() && word(&self.event) == word(&event.name(model)),
                None => about.is_none() && self.event == event.name(model),
            },
            AutomationTrigger::Schedule(_) => about.is_none() && self.event == AutomationSchedule::EVENT,
            AutomationTrigger::Hook(_) => about.is_none() && self.event.starts_with(IncomingHook::EVENT),
        }
    }

    /// As it is written down.
    pub fn encode(&self) -> Json {
        let (type_id, values) = match &self.resource {
            Some((type_id, values)) => (Json::from(*type_id), Json::Object(values.clone())),
            None => (Json::Null, Json::Null),
        };
        let mut json = json!({
            "event": self.event, "type": type_id, "values": values, "before": self.before, "user": self.user,
            "parameters": self.parameters,
        });
        if let Some(span) = self.span {
            json["span"] = span.text().into();
        }
        json
    }

    /// Returns the trigger that was written down.
    pub fn decode(mut json: Json) -> Option<Self> {
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
            span: json["span"].as_str().and_then(|span| TraceParent::parse(span.as_bytes())),
            given: OnceLock::new(),
            rows: OnceLock::new(),
        })
    }

    /// Type and id of the resource.
    pub fn target(&self) -> Option<(i64, i64)> {
        let (type_id, values) = self.resource.as_ref()?;
        Some((*type_id, values.get("id")?.as_i64()?))
    }

    /// As administrators see it: the resource's values then, and those before of what changed, by name.
    pub(super) fn shown(&self, model: &Model, context: &ValueContext<'_>) -> Json {
        let found = self.resource.as_ref().and_then(|(id, row)| Some((model.type_by_id(*id)?, row)));
        let named = |of: &ResourceType, row: &Map<String, Json>| {
            let value = |field: &Property| {
                let stored = row_encoding::decode_one(field, row.get(&row_encoding::key(field))?)?;
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
    pub fn values(&self, model: &Arc<Model>) -> BTreeMap<String, Value> {
        let given = || self.parameters.iter().map(|(name, value)| (name.clone(), of_json(value))).collect();
        let mut values = self.given.get_or_init(given).clone();
        values.insert("event".to_owned(), Value::text(&self.event));
        values.insert("user".to_owned(), self.user.map_or(Value::Null, |user| reference(model, USER_TYPE, user)));
        let found = self.resource.as_ref().and_then(|(id, row)| Some((model.type_by_id(*id)?, row)));
        let Some((of, row)) = found else { return values };
        let zone = &model.settings.timezone;
        let rows = self.rows(of, row);
        let resource = |values: &Arc<Vec<StoredValue>>| StoredResource::new(model, of, Arc::clone(values), zone);
        if let (Some(before), Some(old)) = (&self.before, &rows.old) {
            let named = of.properties().iter().filter(|field| before.contains_key(&row_encoding::key(field)));
            let names = named.map(|field| Arc::from(field.name.as_str())).collect();
            let changed = ChangedRow { of: Arc::clone(of), names, old: resource(old), new: resource(&rows.new) };
            values.insert("changes".to_owned(), Value::Changes(Arc::new(changed)));
        }
        values.insert("resource".to_owned(), resource(&rows.new).into_value());
        values
    }

    /// The rows of the resource. They are made once for a run, unless its type becomes another meanwhile.
    fn rows(&self, resource_type: &Arc<ResourceType>, row: &Map<String, Json>) -> TriggerRows {
        let make = || {
            let new = row_encoding::decode(resource_type, row);
            let old =
                self.before.as_ref().map(|before| Arc::new(virtual_values::before(resource_type, &new, Some(before))));
            TriggerRows { of: Arc::clone(resource_type), new: Arc::new(new), old }
        };
        let known = self.rows.get_or_init(make);
        if Arc::ptr_eq(&known.of, resource_type) { known.clone() } else { make() }
    }
}

/// Returns what happened, of an event's name: `updated`.
fn word(event: &str) -> &str {
    event.rsplit_once('.').map_or(event, |(_, word)| word)
}
