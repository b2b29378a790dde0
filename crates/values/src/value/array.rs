//! PHP's array: an ordered map of integer and text keys, whose fast case is a plain list.

use super::key::{ArrayKey, KeyRef};
use super::{Object, Text, Value};
use crate::{Fault, Result};
use indexmap::IndexMap;
use std::sync::Arc;

/// An array. Cloning shares; what changes an array copies it first where it is shared.
#[derive(Debug, Clone)]
pub enum Array {
    /// Keys are 0 to n-1, in order.
    List(Arc<Vec<Value>>),
    /// Any keys.
    Map {
        /// The entries in order.
        entries: Arc<IndexMap<ArrayKey, Value>>,
        /// The next free integer key: [`NO_INTEGER`] before the first, none behind the last of 64 bits.
        next: Option<i64>,
    },
}

/// The value of `next` before there was an integer key; the first value appended gets 0.
pub const NO_INTEGER: i64 = i64::MIN;

impl Array {
    /// Returns the number of items.
    pub fn len(&self) -> usize {
        match self {
            Array::List(items) => items.len(),
            Array::Map { entries, .. } => entries.len(),
        }
    }

    /// Returns true if it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns true if the keys are 0 to n-1, in order.
    pub fn is_list(&self) -> bool {
        match self {
            Array::List(_) => true,
            Array::Map { entries, .. } => entries.keys().zip(0..).all(|(key, place)| *key == ArrayKey::Int(place)),
        }
    }

    /// The steps that reading all keys takes, beside one for each.
    pub fn key_steps(&self) -> u64 {
        match self {
            Array::List(_) => 0,
            Array::Map { entries, .. } => entries.keys().map(|key| key.borrowed().steps()).sum(),
        }
    }

    /// The item of a key.
    pub fn get(&self, key: KeyRef<'_>) -> Option<&Value> {
        match (self, key) {
            (Array::List(items), KeyRef::Int(place)) => items.get(usize::try_from(place).ok()?),
            (Array::List(_), KeyRef::Text(_)) => None,
            (Array::Map { entries, .. }, key) => entries.get(&key),
        }
    }

    /// The item of a key that is a text; `"5"` is 5.
    pub fn get_text(&self, key: &str) -> Option<&Value> {
        self.get(KeyRef::of(key.as_bytes()))
    }

    /// The item at a place, whatever its key is.
    pub fn at(&self, place: usize) -> Option<&Value> {
        match self {
            Array::List(items) => items.get(place),
            Array::Map { entries, .. } => entries.get_index(place).map(|(_, value)| value),
        }
    }

    /// The first item.
    pub fn first(&self) -> Option<&Value> {
        self.at(0)
    }

    /// The last item.
    pub fn last(&self) -> Option<&Value> {
        self.at(self.len().checked_sub(1)?)
    }

    /// Keys and items, in order.
    pub fn iter(&self) -> impl Iterator<Item = (ArrayKey, &Value)> {
        (0..self.len()).filter_map(|place| match self {
            Array::List(items) => Some((ArrayKey::Int(place as i64), items.get(place)?)),
            Array::Map { entries, .. } => entries.get_index(place).map(|(key, value)| (key.clone(), value)),
        })
    }

    /// The items, in order.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        (0..self.len()).filter_map(|place| self.at(place))
    }

    /// Sets the item of a key: in its place, or at the end.
    pub fn insert(&mut self, key: ArrayKey, value: Value) {
        if let Array::List(items) = self {
            if let ArrayKey::Int(number) = key
                && let Ok(place) = usize::try_from(number)
                && place <= items.len()
            {
                let items = Arc::make_mut(items);
                match items.get_mut(place) {
                    Some(item) => *item = value,
                    None => items.push(value),
                }
                return;
            }
            self.become_map();
        }
        if let Array::Map { entries, next } = self {
            if let (ArrayKey::Int(number), Some(free)) = (&key, *next)
                && *number >= free
            {
                *next = number.checked_add(1);
            }
            Arc::make_mut(entries).insert(key, value);
        }
    }

    /// Appends an item at the next integer key, unless the integers are used up.
    pub fn push(&mut self, value: Value) -> Result<()> {
        let key = match self {
            Array::List(items) => {
                Arc::make_mut(items).push(value);
                return Ok(());
            }
            Array::Map { next: Some(NO_INTEGER), .. } => 0,
            Array::Map { next: Some(key), .. } => *key,
            Array::Map { next: None, .. } => {
                let message = "The array's last key is the largest integer: nothing can be appended.";
                return Err(Fault::new("array_full", message));
            }
        };
        self.insert(ArrayKey::Int(key), value);
        Ok(())
    }

    /// Removes the last item; the other keys stay.
    pub fn pop(&mut self) -> Option<Value> {
        match self {
            Array::List(items) => Arc::make_mut(items).pop(),
            Array::Map { entries, next } => {
                let (key, value) = Arc::make_mut(entries).pop()?;
                let freed = next.unwrap_or(i64::MAX).checked_sub(1);
                match (key, next.is_none()) {
                    (ArrayKey::Int(i64::MAX), true) => *next = Some(i64::MAX),
                    (ArrayKey::Int(number), false) if freed == Some(number) => *next = freed,
                    _ => (),
                }
                Some(value)
            }
        }
    }

    /// Removes the first item; integer keys are counted anew from 0.
    pub fn shift(&mut self) -> Option<Value> {
        let first = self.first()?.clone();
        let mut rest = Array::default();
        self.iter().skip(1).for_each(|(key, value)| rest.append(key, value));
        *self = rest;
        Some(first)
    }

    /// Puts items before the first; integer keys are counted anew from 0.
    pub fn unshift(&mut self, values: &[Value]) {
        let mut all = Array::from(values.to_vec());
        self.iter().for_each(|(key, value)| all.append(key, value));
        *self = all;
    }

    /// Adds the entries of another after `array_merge`: texts overwrite in place, integer keys are appended. The
    /// array's own integer keys are expected to be counted from 0.
    pub fn merge(&mut self, other: &Array) {
        if let (Array::List(items), Array::List(others)) = (&mut *self, other) {
            Arc::make_mut(items).extend(others.iter().cloned());
            return;
        }
        other.iter().for_each(|(key, value)| self.append(key, value));
    }

    /// Adds the entries whose keys are not there yet: the `+` of arrays.
    pub fn extend_missing(&mut self, other: &Array) {
        for (key, value) in other.iter() {
            if self.get(key.borrowed()).is_none() {
                self.insert(key, value.clone());
            }
        }
    }

    /// The properties of an object; names that are integers are integer keys.
    pub fn of_object(object: &Object) -> Self {
        object.iter().map(|(name, value)| (ArrayKey::from(name.clone()), value.clone())).collect()
    }

    /// The items as properties of an object; integer keys become texts.
    pub fn to_object(&self) -> Object {
        self.iter().map(|(key, value)| (key.text(), value.clone())).collect()
    }

    fn append(&mut self, key: ArrayKey, value: &Value) {
        match key {
            ArrayKey::Text(_) => self.insert(key, value.clone()),
            // Integer keys are counted from 0 here, so that there is always a free one.
            ArrayKey::Int(_) => self.push(value.clone()).unwrap_or_default(),
        }
    }

    fn become_map(&mut self) {
        if let Array::List(items) = self {
            let next = if items.is_empty() { NO_INTEGER } else { items.len() as i64 };
            let entries = items.iter().cloned().zip(0..).map(|(value, place)| (ArrayKey::Int(place), value)).collect();
            *self = Array::Map { entries: Arc::new(entries), next: Some(next) };
        }
    }
}

impl Default for Array {
    fn default() -> Self {
        Array::List(Arc::default())
    }
}

impl From<Vec<Value>> for Array {
    fn from(items: Vec<Value>) -> Self {
        Array::List(Arc::new(items))
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(items: I) -> Self {
        Array::List(Arc::new(items.into_iter().collect()))
    }
}

/// The last item of a key wins, at the place of its first.
impl FromIterator<(ArrayKey, Value)> for Array {
    fn from_iter<I: IntoIterator<Item = (ArrayKey, Value)>>(entries: I) -> Self {
        let mut array = Array::default();
        for (key, value) in entries {
            array.insert(key, value);
        }
        array
    }
}

/// The last item of a name wins; names that are integers are integer keys.
impl FromIterator<(Text, Value)> for Array {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(entries: I) -> Self {
        entries.into_iter().map(|(name, value)| (ArrayKey::from(name), value)).collect()
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        super::depth::dismantle_array(self);
    }
}
