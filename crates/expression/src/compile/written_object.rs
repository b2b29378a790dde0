//! Objects that are written out: all their keys are known.

use super::TypedNode;
use crate::value::Value;
use indexmap::IndexMap;
use std::sync::Arc;
use values::types::{ResourceShape, ValueKind, ValueType};

/// The name of all such types. No type of resources has it: theirs are their own.
const NAME: &str = "{…}";

/// The keys of an object, with the types of their values.
#[derive(Debug)]
pub(crate) struct WrittenObject(Vec<(Arc<str>, ValueType)>);

impl WrittenObject {
    /// The type of an object of such members.
    pub(super) fn type_of(members: Vec<(Arc<str>, ValueType)>) -> ValueType {
        ValueType { shape: Some(Arc::new(WrittenObject(members))), ..ValueType::of(ValueKind::Object) }
    }

    /// Returns the type of objects that are put together: the last of a name wins. None where a part is not known.
    pub(crate) fn merged<'t>(parts: impl Iterator<Item = &'t ValueType>) -> Option<ValueType> {
        let mut members: IndexMap<Arc<str>, ValueType> = IndexMap::new();
        for part in parts {
            let shape = part.shape.as_ref().filter(|_| part.known() == ValueKind::Object && !part.nullable)?;
            // Others may have members beyond those that are known; of several objects one may lack a member.
            if shape.name() != NAME || shape.choices().is_some_and(|choices| choices.len() > 1) {
                return None;
            }
            members.extend(shape.names().into_iter().filter_map(|name| Some((name.clone(), shape.property(&name)?))));
        }
        Some(Self::type_of(members.into_iter().collect()).chosen())
    }
}

impl ResourceShape for WrittenObject {
    fn name(&self) -> &str {
        NAME
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
