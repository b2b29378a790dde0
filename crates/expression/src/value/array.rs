//! PHP's array: an ordered map of integer and text keys, whose fast case is a plain list.

use super::{Text, Value};
use indexmap::IndexMap;
use std::sync::Arc;

/// A key. Canonical decimal texts within 64 bits are integers (`"5"`, not `"05"`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// An integer.
    Int(i64),
    /// Any other text.
    Text(Text),
}

/// An array. Cloning shares.
#[derive(Debug, Clone)]
pub enum Array {
    /// Keys are 0 to n-1, in order.
    List(Arc<Vec<Value>>),
    /// Any keys; `next` is the key that an appended value gets, none where it would be beyond 64 bits.
    Map {
        /// The entries in order.
        entries: Arc<IndexMap<Key, Value>>,
        /// The next free integer key.
        next: Option<i64>,
    },
}
