//! Objects that are written out: all their keys are known.

use super::TypedNode;
use crate::scope::{ResourceShape, ValueKind, ValueType};
use crate::value::Value;
use std::sync::Arc;

/// The keys of an object, with the types of their values.
#[derive(Debug)]
pub(super) struct WrittenObject(pub(super) Vec<(Arc<str>, ValueType)>);

impl ResourceShape for WrittenObject {
    fn name(&self) -> &str {
        "object"
    }

    fn property(&self, name: &str) -> Option<ValueType> {
        self.0.iter().find(|(key, _)| &**key == name).map(|(_, of)| of.clone())
    }

    fn names(&self) -> Vec<Arc<str>> {
        self.0.iter().map(|(key, _)| key.clone()).collect()
    }
}

/// Returns the type of a member that a key chooses, where the keys of the object are known: `{CZ: 0.21}[country]`. It
/// may be null if the key may be none of them.
pub(super) fn indexed(of: &ValueType, key: &TypedNode) -> Option<ValueType> {
    let shape = of.shape.as_ref().filter(|_| of.kind == ValueKind::Object)?;
    let chosen: Vec<Arc<str>> = match (key.node.constant(), &key.of.options) {
        (Some(Value::Text(name)), _) => vec![Arc::from(&*name.lossy())],
        (_, Some(options)) => options.to_vec(),
        _ => shape.names(),
    };
    let is_known = matches!(key.node.constant(), Some(Value::Text(_))) || key.of.options.is_some();
    let found: Vec<ValueType> = chosen.iter().filter_map(|name| shape.property(name)).collect();
    let may_miss = !is_known || found.len() < chosen.len() || key.of.nullable || of.nullable;
    let joined = found.iter().skip(1).fold(found.first()?.clone(), |all, one| all.joined(one));
    let nullable = joined.nullable || may_miss;
    Some(joined.or_null(nullable))
}
