//! Resources as the acting user sees them: read by that user's own lists, when something of them is asked for.

use datetime::DateTime;
use expression::value::{Array, Resource, Value};
use expression::{HostProviders, Result};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::types::{FIRST_PROPERTY_ID, Model, ResourceType};
use model::user_columns::USER_TYPE;
use std::sync::Arc;

/// A resource of a query's result, or one that such a resource relates to.
pub(super) struct SeenResource {
    model: Arc<Model>,
    type_id: i64,
    id: i64,
    /// True for the acting user, whose built-in properties need no right.
    own: bool,
}

impl SeenResource {
    /// The resource as a value.
    pub(crate) fn value(model: &Arc<Model>, type_id: i64, id: i64) -> Value {
        Value::Resource(Arc::new(SeenResource { model: Arc::clone(model), type_id, id, own: false }))
    }

    /// The acting user as a value.
    pub(super) fn own(model: &Arc<Model>, id: i64) -> Value {
        let own = SeenResource { model: Arc::clone(model), type_id: USER_TYPE, id, own: true };
        Value::Resource(Arc::new(own))
    }

    fn resource_type(&self) -> Option<&Arc<ResourceType>> {
        self.model.type_by_id(self.type_id)
    }

    fn at(&self, position: Option<usize>, providers: &dyn HostProviders) -> Result<Option<Value>> {
        let field = self.resource_type().zip(position).and_then(|(of, position)| of.fields.get(position));
        field.map_or(Ok(None), |field| self.property(&field.name, providers))
    }
}

// A row may hold anything; what is logged of it is which one it is.
impl std::fmt::Debug for SeenResource {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "type {} {}", self.type_id, self.id)
    }
}

impl Resource for SeenResource {
    fn id(&self) -> i64 {
        self.id
    }

    fn type_id(&self) -> i64 {
        self.type_id
    }

    /// One that the user may not read is none; of a resource that the user does not see, all are null.
    fn property(&self, name: &str, providers: &dyn HostProviders) -> Result<Option<Value>> {
        let field = self.resource_type().and_then(|of| of.field(name));
        if self.own
            && field.is_none_or(|field| field.id < FIRST_PROPERTY_ID && field.kind.relation().is_none())
            && let Value::Resource(row) = providers.row(self.type_id, self.id)?
        {
            return row.property(name, providers);
        }
        match (name, providers.seen(self.type_id, self.id)?) {
            ("id", _) => Ok(Some(Value::Int(self.id))),
            (_, Value::Object(row)) => Ok(row.get(name).cloned()),
            _ => Ok(self.resource_type().and_then(|of| of.field(name)).map(|_| Value::Null)),
        }
    }

    fn raw(&self, name: &str, providers: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(self.property(name, providers)?.map(|value| stored(&value)))
    }

    fn names(&self) -> Vec<Arc<str>> {
        let fields = self.resource_type().into_iter().flat_map(|of| &of.fields);
        fields.filter(|field| !field.kind.concealed()).map(|field| field.name.as_str().into()).collect()
    }

    fn title(&self, providers: &dyn HostProviders) -> Result<Option<Value>> {
        self.at(self.resource_type().and_then(|of| of.title_property), providers)
    }

    fn code(&self, providers: &dyn HostProviders) -> Result<Option<Value>> {
        self.at(self.resource_type().and_then(|of| of.code_property), providers)
    }

    fn uuid(&self, providers: &dyn HostProviders) -> Result<Option<String>> {
        match self.property("uuid", providers)? {
            Some(Value::Text(uuid)) => Ok(Some(uuid.lossy().into_owned())),
            _ => Ok(None),
        }
    }
}

/// A value as it is stored: a resource's id, an instant's text in UTC.
fn stored(value: &Value) -> Value {
    match value {
        Value::Resource(resource) => Value::Int(resource.id()),
        Value::Array(members) => Value::Array(members.values().map(stored).collect::<Array>()),
        Value::DateTime(at) => match Timestamp::from_second(at.seconds) {
            Ok(instant) => {
                let text = datetime::format(&DateTime::of(instant, &TimeZone::UTC), b"Y-m-d H:i:s");
                Value::text(&String::from_utf8_lossy(&text))
            }
            Err(_) => Value::Null,
        },
        other => other.clone(),
    }
}
