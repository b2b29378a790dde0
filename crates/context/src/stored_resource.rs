//! Resources as the language sees them: rows as they are stored, and references to rows that were not read yet.

use crate::values::{of_stored, raw};
use database::Value as Cell;
use expression::value::{Array, Resource, Value};
use expression::{HostProviders, Result};
use jiff::tz::TimeZone;
use model::kinds::StoredValue;
use model::types::{Model, Property, ResourceType};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

/// A row: the values of all fields of its type, by position.
#[derive(Clone)]
pub struct StoredResource {
    model: Arc<Model>,
    resource_type: Arc<ResourceType>,
    values: Arc<Vec<StoredValue>>,
    /// The zone that instants are shown in.
    zone: TimeZone,
}

/// A resource that a relation refers to. Its row is read when something of it is asked for.
struct StoredReference {
    model: Arc<Model>,
    type_id: i64,
    id: i64,
    siblings: Option<Arc<SiblingRows>>,
    /// The row that was read; none of a reference that outlives who reads it.
    row: Option<OnceLock<Option<Arc<dyn Resource>>>>,
}

/// All that a relation refers to: they are read together, when the first of them is.
struct SiblingRows {
    ids: Vec<i64>,
    read: AtomicBool,
}

/// A resource by type and id, read when something of it is asked for.
pub fn reference(model: &Arc<Model>, type_id: i64, id: i64) -> Value {
    let (model, row) = (Arc::clone(model), Some(OnceLock::new()));
    Value::Resource(Arc::new(StoredReference { model, type_id, id, siblings: None, row }))
}

/// The same for a value that is kept from transaction to transaction: each evaluation reads the row anew.
pub fn lasting_reference(model: &Arc<Model>, type_id: i64, id: i64) -> Value {
    Value::Resource(Arc::new(StoredReference { model: Arc::clone(model), type_id, id, siblings: None, row: None }))
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
        let refer = |siblings: Option<Arc<SiblingRows>>, id: i64| -> Value {
            let (model, row) = (self.model.clone(), Some(OnceLock::new()));
            Value::Resource(Arc::new(StoredReference { model, type_id: relation.type_id, id, siblings, row }))
        };
        match stored {
            StoredValue::One(Cell::Integer(id)) => refer(None, *id),
            StoredValue::One(_) => Value::Null,
            StoredValue::Many(_) => {
                let all = Arc::new(SiblingRows { ids: self.ids(property).collect(), read: AtomicBool::new(false) });
                Value::Array(all.ids.iter().map(|id| refer(Some(all.clone()), *id)).collect::<Array>())
            }
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

impl std::fmt::Debug for StoredReference {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "type {} {}", self.type_id, self.id)
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

    fn property(&self, name: &str, _: &dyn HostProviders) -> Result<Option<Value>> {
        Ok(self.stored(name).map(|(property, stored)| self.value(property, stored)))
    }

    fn property_near(&self, name: &str, near: &AtomicU64, _: &dyn HostProviders) -> Result<Option<Value>> {
        // Whatever lies there, a field of that name is the one.
        let known = self.resource_type.fields.get(near.load(Relaxed) as usize);
        let property = match known.filter(|property| property.name == name) {
            Some(property) => property,
            None => {
                let Some(property) = self.resource_type.field(name) else { return Ok(None) };
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

impl StoredReference {
    /// The row; none where it is gone.
    fn row(&self, providers: &dyn HostProviders) -> Result<Option<Arc<dyn Resource>>> {
        if let Some(row) = self.row.as_ref().and_then(OnceLock::get) {
            return Ok(row.clone());
        }
        if let Some(siblings) = self.siblings.as_ref().filter(|siblings| !siblings.read.load(Relaxed)) {
            providers.rows(self.type_id, &siblings.ids)?;
            siblings.read.store(true, Relaxed);
        }
        let row = match providers.row(self.type_id, self.id)? {
            Value::Resource(row) => Some(row),
            _ => None,
        };
        if let Some(known) = &self.row {
            let _ = known.set(row.clone());
        }
        Ok(row)
    }
}

impl Resource for StoredReference {
    fn id(&self) -> i64 {
        self.id
    }

    fn type_id(&self) -> i64 {
        self.type_id
    }

    fn property(&self, name: &str, providers: &dyn HostProviders) -> Result<Option<Value>> {
        if name == "id" {
            // It is known without a look at the row.
            return Ok(Some(Value::Int(self.id)));
        }
        self.row(providers)?.map_or(Ok(None), |row| row.property(name, providers))
    }

    fn property_near(&self, name: &str, near: &AtomicU64, providers: &dyn HostProviders) -> Result<Option<Value>> {
        if name == "id" {
            return Ok(Some(Value::Int(self.id)));
        }
        self.row(providers)?.map_or(Ok(None), |row| row.property_near(name, near, providers))
    }

    fn raw(&self, name: &str, providers: &dyn HostProviders) -> Result<Option<Value>> {
        self.row(providers)?.map_or(Ok(None), |row| row.raw(name, providers))
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.model.type_by_id(self.type_id).map(|of| names(of)).unwrap_or_default()
    }

    fn title(&self, providers: &dyn HostProviders) -> Result<Option<Value>> {
        self.row(providers)?.map_or(Ok(None), |row| row.title(providers))
    }

    fn code(&self, providers: &dyn HostProviders) -> Result<Option<Value>> {
        self.row(providers)?.map_or(Ok(None), |row| row.code(providers))
    }

    fn uuid(&self, providers: &dyn HostProviders) -> Result<Option<String>> {
        self.row(providers)?.map_or(Ok(None), |row| row.uuid(providers))
    }
}

fn names(resource_type: &ResourceType) -> Vec<Arc<str>> {
    let seen = resource_type.fields.iter().filter(|field| !field.kind.concealed());
    seen.map(|field| field.name.as_str().into()).collect()
}
