//! Memory of a run, by name: its variables, and the values that its last request gave.
//!
//! A value is kept as it is written down, and as a value once an expression asks for it: a run may ask for the same
//! list in each of many steps. Large values lie apart from the rest, and are written when they change.

use super::run_values::{self, RunIdentity};
use super::values;
use context::request_context::RequestContext;
use context::value_json::of_json;
use database::Tx;
use expression::Value;
use model::error::Result;
use model::types::Model;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// From how many bytes on a value lies apart.
const LARGE: usize = 4_096;

/// Of which function a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NamePart {
    /// `var()`.
    Variable,
    /// `endpoint()`.
    Endpoint,
}

const PARTS: [(NamePart, &str); 2] = [(NamePart::Variable, "variables"), (NamePart::Endpoint, "endpoint")];

/// Values that a run knows. Copies share them.
#[derive(Clone, Debug, Default)]
pub(super) struct RunMemory(BTreeMap<(NamePart, String), MemoryEntry>);

#[derive(Clone, Debug)]
struct MemoryEntry {
    known: Arc<KnownValue>,
    /// The level at which the name lies apart, once a value of it did.
    level: Option<i64>,
    /// True if this value lies there.
    apart: bool,
}

/// A value as it is written down, and as it was made of that under a model.
#[derive(Debug)]
struct KnownValue {
    encoded: Json,
    decoded: Mutex<Option<(Arc<Model>, Value)>>,
}

impl KnownValue {
    fn of(encoded: Json) -> Arc<Self> {
        Arc::new(KnownValue { encoded, decoded: Mutex::default() })
    }

    fn value(&self, model: &Arc<Model>) -> Value {
        let mut decoded = self.decoded.lock().unwrap_or_else(PoisonError::into_inner);
        match &*decoded {
            Some((of, value)) if Arc::ptr_eq(of, model) => value.clone(),
            _ => decoded.insert((Arc::clone(model), values::decode(model, &self.encoded))).1.clone(),
        }
    }
}

impl RunMemory {
    /// Returns the values that were written down with the run; those that lie apart are still to be taken.
    pub(super) fn decode(json: &Json) -> Self {
        let mut memory = RunMemory::default();
        for (part, word) in PARTS {
            for (name, level) in json["apart"][word].as_object().into_iter().flatten() {
                let entry = MemoryEntry { known: KnownValue::of(Json::Null), level: level.as_i64(), apart: true };
                memory.0.insert((part, name.clone()), entry);
            }
            for (name, encoded) in json[word].as_object().into_iter().flatten() {
                memory.put(part, name, encoded.clone());
            }
        }
        memory
    }

    /// The members of what is written down with the run: all that does not lie apart, and the levels of what does, or
    /// did.
    pub(crate) fn encode(&self) -> Map<String, Json> {
        let mut apart = Map::new();
        let mut members = Map::new();
        for (part, word) in PARTS {
            let mine = || self.0.iter().filter(move |((of, _), _)| *of == part);
            let near = mine().filter(|(_, entry)| !entry.apart);
            let near = near.map(|((_, name), entry)| (name.clone(), entry.known.encoded.clone()));
            members.insert(word.to_owned(), Json::Object(near.collect()));
            let far = mine().filter_map(|((_, name), entry)| Some((name.clone(), json!(entry.level?))));
            apart.insert(word.to_owned(), Json::Object(far.collect()));
        }
        if self.is_apart() {
            members.insert("apart".to_owned(), Json::Object(apart));
        }
        members
    }

    /// Returns true if some of it lies apart, or did.
    pub(super) fn is_apart(&self) -> bool {
        self.0.values().any(|entry| entry.level.is_some())
    }

    /// Takes what lies apart; gives whether all of it could be read.
    pub(super) fn take(&mut self, rows: &mut run_values::ApartValues) -> bool {
        self.0.values_mut().filter(|entry| entry.apart).all(|entry| {
            let encoded = entry.level.and_then(|level| rows.remove(&level)).flatten();
            encoded.map(|encoded| entry.known = KnownValue::of(encoded)).is_some()
        })
    }

    /// Puts large values apart that are new.
    pub(super) fn keep_apart(&mut self, tx: &mut Tx<'_>, context: &RequestContext, run: RunIdentity<'_>) -> Result<()> {
        let mut lowest = self.0.values().filter_map(|entry| entry.level).min().unwrap_or_default();
        for entry in self.0.values_mut().filter(|entry| !entry.apart) {
            if entry.known.encoded.to_string().len() < LARGE {
                continue;
            }
            let level = *entry.level.get_or_insert_with(|| {
                lowest -= 1;
                lowest
            });
            run_values::keep(tx, context, run, level, &entry.known.encoded)?;
            entry.apart = true;
        }
        Ok(())
    }

    /// A value under a model; null where nothing is known by that name.
    pub(crate) fn value(&self, model: &Arc<Model>, part: NamePart, name: &str) -> Value {
        self.0.get(&(part, name.to_owned())).map(|entry| entry.known.value(model)).unwrap_or_default()
    }

    /// Gives a variable a value, as it is written down.
    pub(super) fn put_variable(&mut self, name: &str, encoded: Json) {
        self.put(NamePart::Variable, name, encoded);
    }

    /// Knows what a request gave: `status`, `headers`, `body`.
    pub(super) fn put_endpoint(&mut self, status: u16, headers: Map<String, Json>, body: Json) {
        let members = [("status", json!(status)), ("headers", Json::Object(headers)), ("body", body)];
        for (name, json) in members {
            self.put(NamePart::Endpoint, name, values::encode(&of_json(&json)).unwrap_or(Json::Null));
        }
    }

    fn put(&mut self, part: NamePart, name: &str, encoded: Json) {
        let key = (part, name.to_owned());
        let level = self.0.get(&key).and_then(|entry| entry.level);
        self.0.insert(key, MemoryEntry { known: KnownValue::of(encoded), level, apart: false });
    }
}
