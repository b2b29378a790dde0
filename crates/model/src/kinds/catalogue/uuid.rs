//! `uuid`: the identifier that every resource has beside its id.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::json;
use crate::kinds::kind::Kind;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Value, ValueRef};
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "uuid",
    help: "A 128-bit identifier.",
    options: &[],
    internal: true,
    build: |_, _| Box::new(UuidKind),
};

#[derive(Debug)]
struct UuidKind;

impl Kind for UuidKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Uuid)
    }

    fn class(&self) -> KindClass {
        KindClass::Uuid
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        let value = input.as_str().and_then(uuid_of);
        value.map(Value::Uuid).ok_or_else(|| ValueFault::new("not_uuid", "must be a UUID"))
    }

    fn check(&self, _: &Value) -> Result<(), ValueFault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Uuid(value) => json::write_uuid(out, &value),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "format": "uuid"})
    }
}

/// The identifier that a text of 32 hexadecimal digits with hyphens in their places stands for.
pub fn uuid_of(text: &str) -> Option<[u8; 16]> {
    // Braces, URNs and forms without hyphens are left to others: one identifier, one text.
    (text.len() == 36).then(|| ::uuid::Uuid::try_parse(text).ok()).flatten().map(::uuid::Uuid::into_bytes)
}
