//! Resources as the language sees them: rows as they are stored.

use crate::stored_reference::{reference, references};
use crate::values::{of_stored, raw};
use database::Value as Cell;
use expression::value::{Resource, Value};
use expression::{HostProviders, Result};
use jiff::tz::TimeZone;
use model::kinds::StoredValue;
use model::types::{Model, Property, ResourceType};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A row: the values of all fields of its type, by position.
#[derive(Clone)]
pub struct StoredResource {
    model: Arc<Model>,
    resource_type: Arc<ResourceType>,
    values: Arc<Vec<StoredValue>>,
    /// The zone that instants are shown in.
    zone: TimeZone,
}

impl StoredResource {
    /// A row of a type, given in a zone.
    pub fn new(
        model: &Arc<Model>,
        resource_type: &Arc<ResourceType>,
        values: impl Into<Arc<Vec<StoredValue>>>,
        zone: &TimeZone,
    ) -> Self {
        StoredResource {
            model: model.clone(),
            resource_type: resource_type.clone(),
            values: values.into(),
            zone: zone.clone(),
        }
    }

    /// Makes it another row of the same type. Who holds it keeps what it was.
    pub fn put(this: &mut Arc<Self>, values: Arc<Vec<StoredValue>>) {
        Arc::make_mut(this).values = values;
    }

    /// Its values, to be changed. Who holds it keeps what it was.
    pub fn values_mut(this: &mut Arc<Self>) -> &mut Vec<StoredValue> {
        Arc::make_mut(&mut Arc::make_mut(this).values)
    }

    /// The same as a value.
    pub fn into_value(self) -> Value {
        Value::Resource(Arc::new(self))
    }

    fn stored(&self, name: &str) -> Option<(&Property, &StoredValue)> {
        let property = self.resource_type.field(name).filter(|property| !property.kind.concealed())?;
        Some((property, self.values.get(property.position)?))
    }

    fn at(&self, position: Option<usize>) -> Option<Value> {
        let position = position?;
        let (property, stored) = (self.resource_type.fields.get(position)?, self.values.get(position)?);
        (!property.kind.concealed()).then(|| self.value(property, stored))
    }

    fn value(&self, property: &Property, stored: &StoredValue) -> Value {
        let Some(relation) = property.kind.relation() else {
            return of_stored(property.kind.as_ref(), stored, &self.zone);
        };
        match stored {
            StoredValue::One(Cell::Integer(id)) => reference(&self.model, relation.type_id, *id),
            StoredValue::One(_) => Value::Null,
            StoredValue::Many(_) => references(&self.model, relation.type_id, self.ids(property).collect()),
        }
    }

    /// The resources that refer to this one, by the name of an inverse.
    fn inverse(&self, name: &str, providers: &dyn HostProviders) -> Result<Option<Value>> {
        match self.model.inverses.named(self.resource_type.id, name) {
            Some(_) => providers.inverse(self.resource_type.id, self.id(), name).map(Some),
            None => Ok(None),
        }
    }

    /// The ids that a relation of the resource refers to.
    pub fn ids(&self, property: &Property) -> impl Iterator<Item = i64> {
        let members = match self.values.get(property.position) {
            Some(StoredValue::One(cell)) => std::slice::from_ref(cell),
            Some(StoredValue::Many(members)) => members,
            None => &[],
        };
        members.iter().filter_map(|cell| match cell {
            Cell::Integer(id) => Some(*id),
            _ => None,
        })
    }
}

// A row may hold anything; what is logged of it is which one it is.
impl std::fmt::Debug for StoredResource {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.resource_type.name, self.id())
    }
}

impl Resource for StoredResource {
    /// The id; 0 where the resource is about to be created.
    fn id(&self) -> i64 {
        match self.values.first() {
            Some(StoredValue::One(Cell::Integer(id))) => *id,
            _ => 0,
        }
    }

    fn type_id(&self) -> i64 {
        self.resource_type.id
    }

    fn property(&self, name: &str, providers: &dyn HostProviders) -> Result<Option<Value>> {
        match self.stored(name) {
            Some((property, stored)) => Ok(Some(self.value(property, stored))),
            None => self.inverse(name, providers),
        }
    }

    fn property_near(&self, name: &str, near: &AtomicU64, providers: &dyn HostProviders) -> Result<Option<Value>> {
        // Whatever lies there, a field of that name is the one.
        let known = self.resource_type.fields.get(near.load(Relaxed) as usize);
        let property = match known.filter(|property| property.name == name) {
            Some(property) => property,
            None => {
                let Some(property) = self.resource_type.field(name) else { return self.inverse(name, providers) };
                near.store(property.position as u64, Relaxed);
                property
            }
        };
        Ok(self.at(Some(property.position)))
    }

    fn raw(&self, name: &str, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(self.stored(name).map(|(property, stored)| raw(property.kind.as_ref(), stored)))
    }

    fn names(&self) -> Vec<Arc<str>> {
        names(&self.resource_type)
    }

    fn title(&self, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(self.at(self.resource_type.title_property))
    }

    fn code(&self, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(self.at(self.resource_type.code_property))
    }

    fn uuid(&self, providers: &dyn HostProviders) -> Result<Option<String>> {
        match self.property("uuid", providers)? {
            Some(Value::Text(uuid)) => Ok(Some(uuid.lossy().into_owned())),
            _ => Ok(None),
        }
    }
}

/// The names of the fields that may be seen.
pub(crate) fn names(resource_type: &ResourceType) -> Vec<Arc<str>> {
    let seen = resource_type.fields.iter().filter(|field| !field.kind.concealed());
    seen.map(|field| field.name.as_str().into()).collect()
}
