//! References to rows that were not read yet, as the language sees them.

use crate::stored_resource::names;
use expression::value::{Array, Resource, Value};
use expression::{HostProviders, Result};
use model::types::Model;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

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

/// The resources that a relation refers to, read together.
pub fn references(model: &Arc<Model>, type_id: i64, ids: Vec<i64>) -> Value {
    let all = Arc::new(SiblingRows { ids, read: AtomicBool::new(false) });
    let refer = |id: &i64| {
        let (model, siblings, row) = (Arc::clone(model), Some(Arc::clone(&all)), Some(OnceLock::new()));
        Value::Resource(Arc::new(StoredReference { model, type_id, id: *id, siblings, row }))
    };
    Value::Array(all.ids.iter().map(refer).collect::<Array>())
}

/// The same for a value that is kept from transaction to transaction: each evaluation reads the row anew.
pub fn lasting_reference(model: &Arc<Model>, type_id: i64, id: i64) -> Value {
    Value::Resource(Arc::new(StoredReference { model: Arc::clone(model), type_id, id, siblings: None, row: None }))
}

impl std::fmt::Debug for StoredReference {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "type {} {}", self.type_id, self.id)
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
