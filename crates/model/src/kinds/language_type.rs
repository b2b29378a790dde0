//! The types that the language gives to values of kinds: what is known of a property's value before there is one.

use super::{Kind, KindClass, ValueStorage};
use database::Value;
use expression::scope::{ValueKind, ValueType};
use std::sync::Arc;

/// Returns the type of a value of a kind without a relation; of several, an array.
pub(crate) fn language_type(kind: &dyn Kind) -> ValueType {
    let options = || kind.choices().iter().map(|option| option.value.as_str().into()).collect::<Arc<[Arc<str>]>>();
    let several = !matches!(kind.storage(), ValueStorage::Column(_));
    match kind.class() {
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

/// Returns true if the kind refuses 0.
pub(crate) fn never_zero(kind: &dyn Kind) -> bool {
    let zero = match kind.class() {
        KindClass::Integer | KindClass::Decimal { .. } => Value::Integer(0),
        KindClass::Float => Value::Float(0.0),
        _ => return false,
    };
    kind.check(&zero).is_err()
}
