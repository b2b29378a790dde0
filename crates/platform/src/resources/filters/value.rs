//! Values in filters, read by the property's kind.

use crate::error::{Error, Result};
use crate::kinds::{Class, Context, Fault};
use crate::types::Property;
use database::Value;
use serde_json::Value as Json;

/// A value in wire form. One of the wrong shape is refused; it never just matches nothing.
pub(super) fn value_of(property: &Property, input: &Json, context: &Context<'_>) -> Result<Value> {
    if input.is_null() {
        return Err(refused(property, Fault::new("null", "cannot be null here")));
    }
    let value = property.kind.read(input, context).map_err(|fault| refused(property, fault))?;
    match &value {
        // Neither engine stores it, and one refuses to compare with it.
        Value::Text(text) if text.contains('\0') => {
            Err(refused(property, Fault::new("text_nul", "cannot hold the character NUL")))
        }
        _ => Ok(value),
    }
}

/// A value as text, from a path: as a string where the kind takes one, else as the number or word that it spells.
pub(crate) fn value_of_text(property: &Property, text: &str, context: &Context<'_>) -> Result<Value> {
    if matches!(property.kind.class(), Class::Json | Class::Concealed) {
        let message = format!("No resource can be got by the property {:?}.", property.name);
        return Err(Error::invalid("property_unsuitable", message));
    }
    let spelt: Option<Json> = serde_json::from_str(text).ok();
    let as_text = value_of(property, &Json::String(text.to_owned()), context);
    match (as_text, spelt) {
        (Err(_), Some(json @ (Json::Number(_) | Json::Bool(_)))) => value_of(property, &json, context),
        (read, _) => read,
    }
}

fn refused(property: &Property, fault: Fault) -> Error {
    Error::problems(vec![fault.of(&property.name, &property.title)])
}
