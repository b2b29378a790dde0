//! Finds rows by id, uuid or code: a query for all that a batch asks for, never one for each row.

use crate::error::{Error, Result};
use crate::kinds::{Class, Storage};
use crate::types::{Property, Type};
use database::{ColumnType, Tx, Value, ValueRef};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// So many rows are remembered by a lookup; then it begins anew, so that memory does not grow with the file.
const REMEMBERED: usize = 200_000;

/// All lookups of an import.
#[derive(Default)]
pub(super) struct Lookups<'m>(Vec<Lookup<'m>>);

/// Finds rows of a type by one of its fields.
struct Lookup<'m> {
    of: &'m Type,
    by: &'m Property,
    found: HashMap<Key, i64>,
    /// What is asked for and not known.
    wanted: HashSet<Key>,
}

/// A value that rows are found by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Number(i64),
    Text(String),
    Uuid([u8; 16]),
}

impl Key {
    /// The key of a value; there is none of nulls and of what is never a code.
    pub(super) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(number) | Value::Timestamp(number) => Some(Key::Number(*number)),
            Value::Date(days) => Some(Key::Number((*days).into())),
            Value::Text(text) => Some(Key::Text(text.clone())),
            Value::Uuid(uuid) => Some(Key::Uuid(*uuid)),
            _ => None,
        }
    }

    fn value(&self, column: ColumnType) -> Value {
        match (self, column) {
            (Key::Number(number), ColumnType::Date) => i32::try_from(*number).map_or(Value::Null, Value::Date),
            (Key::Number(number), ColumnType::Timestamp) => Value::Timestamp(*number),
            (Key::Number(number), _) => Value::Integer(*number),
            (Key::Text(text), _) => Value::Text(text.clone()),
            (Key::Uuid(uuid), _) => Value::Uuid(*uuid),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Number(number) => number.fmt(formatter),
            Key::Text(text) => write!(formatter, "{text:?}"),
            Key::Uuid(uuid) => uuid::Uuid::from_bytes(*uuid).fmt(formatter),
        }
    }
}

impl<'m> Lookups<'m> {
    /// The place of the lookup of a type's rows by a field, which is made where it is not there.
    pub(super) fn by(&mut self, of: &'m Type, by: &'m Property) -> Result<usize> {
        if let Some(place) = self.0.iter().position(|known| known.of.id == of.id && known.by.position == by.position) {
            return Ok(place);
        }
        if !(by.unique || by.name == "id") || !matches!(by.kind.storage(), Storage::Column(_)) {
            let message = format!("A {} cannot be found by {:?}, which is not unique.", of.name, by.name);
            return Err(Error::invalid("not_unique", message));
        }
        if matches!(by.kind.class(), Class::Float | Class::Boolean | Class::Json | Class::Concealed) {
            let message = format!("A {} cannot be found by {:?}, a {}.", of.name, by.name, by.kind.name());
            return Err(Error::invalid("no_key", message));
        }
        self.0.push(Lookup { of, by, found: HashMap::new(), wanted: HashSet::new() });
        Ok(self.0.len() - 1)
    }

    /// The field that a lookup goes by, and the type whose rows it finds.
    pub(super) fn field(&self, place: usize) -> (&'m Property, &'m Type) {
        (self.0[place].by, self.0[place].of)
    }

    /// The id of the row, where it is known.
    pub(super) fn id(&self, place: usize, key: &Key) -> Option<i64> {
        self.0[place].found.get(key).copied()
    }

    /// Notes that a row is asked for.
    pub(super) fn want(&mut self, place: usize, key: &Key) {
        let lookup = &mut self.0[place];
        if !lookup.found.contains_key(key) {
            lookup.wanted.insert(key.clone());
        }
    }

    /// Finds all that was asked for.
    pub(super) fn find(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        for lookup in &mut self.0 {
            lookup.find(tx)?;
        }
        Ok(())
    }

    /// Notes a new row of a type, so that rows behind it can refer to it.
    pub(super) fn learn<'v>(&mut self, of: &Type, id: i64, value: impl Fn(&Property) -> Option<&'v Value>) {
        for lookup in self.0.iter_mut().filter(|lookup| lookup.of.id == of.id) {
            let key = if lookup.by.name == "id" { Some(Key::Number(id)) } else { None };
            if let Some(key) = key.or_else(|| value(lookup.by).and_then(Key::of)) {
                lookup.found.insert(key, id);
            }
        }
    }

    /// Whether rows of the type are looked for, so that they are worth noting.
    pub(super) fn concern(&self, of: &Type) -> bool {
        self.0.iter().any(|lookup| lookup.of.id == of.id)
    }
}

impl Lookup<'_> {
    fn find(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        if self.wanted.is_empty() {
            return Ok(());
        }
        if self.found.len() > REMEMBERED {
            self.found.clear();
        }
        let Storage::Column(column) = self.by.kind.storage() else { return Ok(()) };
        let values = self.wanted.drain().map(|key| key.value(column)).collect();
        let mut sql = tx.sql();
        sql.push("SELECT id, ").name(&self.by.column).push(" FROM ").table(&self.of.table).push(" WHERE ");
        sql.name(&self.by.column).any_of(column, values);
        let found = &mut self.found;
        tx.query(&sql, &mut |row| {
            let id = row.integer(0)?;
            let value: ValueRef<'_> = row.get(1, column)?;
            if let Some(key) = Key::of(&value.to_value()) {
                found.insert(key, id);
            }
            Ok(())
        })?;
        Ok(())
    }
}
