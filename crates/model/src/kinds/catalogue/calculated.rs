//! `pCalculated`: whatever an expression gives, as a JSON value. Without `stored: true` it is calculated when it is
//! shown.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::json;
use crate::kinds::kind::Kind;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

/// The kind's name.
pub const NAME: &str = "pCalculated";

pub(super) const ENTRY: KindEntry = KindEntry {
    name: NAME,
    help: "The value of the expression `calculate`, of any kind. It is calculated on each read, or with `stored: true` on each write of a value that it depends on.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(CalculatedKind),
};

#[derive(Debug)]
struct CalculatedKind;

impl Kind for CalculatedKind {
    fn name(&self) -> &'static str {
        NAME
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Json)
    }

    fn class(&self) -> KindClass {
        KindClass::Json
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Any
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        let text = input.to_string();
        // As a text of JSON has it: engines cannot look into the character itself.
        if text.contains("\\u0000") {
            return Err(ValueFault::new("text_nul", "must not hold the character NUL"));
        }
        Ok(Value::Text(text))
    }

    fn check(&self, _: &Value) -> Result<(), ValueFault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Text(text) => out.extend_from_slice(text.as_bytes()),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        serde_json::json!({})
    }
}
