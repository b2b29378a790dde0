//! The types that the language gives to values of kinds: what is known of a property's value before there is one.

use super::{Kind, KindClass, RollupFunction, ValueStorage};
use database::Value;
use expression::scope::{ResourceShape, ValueKind, ValueType};
use std::sync::Arc;

/// Returns the type of a value of a kind without a relation; of several, an array.
pub(crate) fn language_type(kind: &dyn Kind) -> ValueType {
    let options = || kind.choices().iter().map(|option| option.value.as_str().into()).collect::<Arc<[Arc<str>]>>();
    let several = !matches!(kind.storage(), ValueStorage::Column(_));
    match kind.class() {
        KindClass::File => {
            let mut file = ValueType::of(ValueKind::Object);
            file.shape = Some(Arc::new(FileShape));
            file
        }
        KindClass::Enumerations if several => ValueType::array(ValueKind::Text),
        KindClass::Files if several => ValueType::array(ValueKind::File),
        _ if several => ValueType::array(ValueKind::Any),
        KindClass::Date => ValueType::of(ValueKind::Date),
        KindClass::Month => ValueType::of(ValueKind::Month),
        KindClass::Time => ValueType::of(ValueKind::Time),
        KindClass::Enumeration if !kind.choices().is_empty() => ValueType::option(options()),
        _ => ValueType::of(kind.language_kind()),
    }
}

/// The members of a stored file.
#[derive(Debug)]
struct FileShape;

impl ResourceShape for FileShape {
    fn name(&self) -> &str {
        "pFile"
    }

    fn property(&self, name: &str) -> Option<ValueType> {
        Some(ValueType::of(match name {
            "name" | "title" | "mime" | "hash" => ValueKind::Text,
            "size" => ValueKind::Int,
            _ => return None,
        }))
    }

    fn names(&self) -> Vec<Arc<str>> {
        ["name", "title", "size", "mime", "hash"].map(Arc::from).to_vec()
    }
}

/// Returns true if the kind refuses 0.
pub(crate) fn never_zero(kind: &dyn Kind) -> bool {
    let zero = match kind.class() {
        KindClass::Integer | KindClass::Decimal { .. } => Value::Integer(0),
        KindClass::Float => Value::Float(0.0),
        _ => return false,
    };
    kind.check(&zero).is_err()
}

/// Returns the whole number that the values of a kind are never below, where that is 0 or 1.
pub(crate) fn least(kind: &dyn Kind) -> Option<i64> {
    let counts = || kind.rollup().is_some_and(|rollup| rollup.function == RollupFunction::Count);
    let refuses = |value: Value| kind.check(&value).is_err();
    match kind.class() {
        _ if counts() => Some(0),
        KindClass::Integer if refuses(Value::Integer(-1)) => Some(i64::from(refuses(Value::Integer(0)))),
        KindClass::Float if refuses(Value::Float(-f64::MIN_POSITIVE)) => Some(0),
        KindClass::Decimal { .. } if refuses(Value::Integer(-1)) => Some(0),
        _ => None,
    }
}
