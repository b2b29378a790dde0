//! Values in filters, read by the property's kind.

use crate::condition::{Condition, ValueCheck, ValueComparison, ValuePlace};
use crate::path::TypeAccess;
use database::Value;
use model::error::{Error, Result};
use model::kinds::{ValueContext, ValueFault};
use model::types::Property;
use serde_json::Value as Json;

/// A value in wire form. One of the wrong shape is refused; it never just matches nothing.
pub(super) fn value_of(property: &Property, input: &Json, context: &ValueContext<'_>) -> Result<Value> {
    if input.is_null() {
        return Err(refused(property, ValueFault::new("null", "cannot be null here")));
    }
    let value = property.kind.read(input, context).map_err(|fault| refused(property, fault))?;
    match &value {
        // Neither engine stores it, and one refuses to compare with it.
        Value::Text(text) if text.contains('\0') => {
            Err(refused(property, ValueFault::new("text_nul", "cannot hold the character NUL")))
        }
        _ => Ok(value),
    }
}

/// Returns true if the property has a value that is written as text, in a path: a string where the kind takes one, else
/// the number or word that it spells.
pub fn has_value<'m>(
    access: &TypeAccess<'m>,
    property: &'m Property,
    text: &str,
    context: &ValueContext<'_>,
) -> Result<Condition<'m>> {
    if property.is_virtual() {
        return Err(crate::filters::subject::unstored(&property.name));
    }
    let unsuitable = || {
        let message = format!("The property {:?} does not support get-by.", property.name);
        Error::invalid("property_unsuitable", message)
    };
    let kind = &property.kind;
    if kind.is_document() || kind.concealed() || kind.holds_files() {
        return Err(unsuitable());
    }
    let place = ValuePlace { level: 0, property, inside: None };
    let is = |value| ValueCheck::Compare(ValueComparison::Equal, value);
    Ok(match value_of_text(property, text, context)? {
        uuid @ Value::Uuid(_) if property.kind.relation().is_some() => {
            // Who may not see the related resources cannot ask for their uuids either.
            let target = access.follow(property).ok_or_else(unsuitable)?;
            let uuid_place = ValuePlace { level: 1, property: &target.resource_type.fields[1], inside: None };
            access.related(&access.allowed, place, &target, Condition::Test(uuid_place, is(uuid)))
        }
        value if place.multiple() => access.test(&access.allowed, place, ValueCheck::AnyMember(vec![value])),
        value => access.test(&access.allowed, place, is(value)),
    })
}

fn value_of_text(property: &Property, text: &str, context: &ValueContext<'_>) -> Result<Value> {
    let spelt: Option<Json> = serde_json::from_str(text).ok();
    let as_text = value_of(property, &Json::String(text.to_owned()), context);
    match (as_text, spelt) {
        (Err(_), Some(json @ (Json::Number(_) | Json::Bool(_)))) => value_of(property, &json, context),
        (read, _) => read,
    }
}

fn refused(property: &Property, fault: ValueFault) -> Error {
    Error::problems(vec![fault.of(&property.name, &property.title)])
}
