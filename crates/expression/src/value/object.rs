//! Objects: ordered properties. Those made by one expression share the list of their names.

use super::{Text, Value};
use indexmap::IndexMap;
use std::sync::Arc;

/// An object. Cloning shares.
#[derive(Debug, Clone, Default)]
pub struct Object(pub Arc<IndexMap<Text, Value>>);
