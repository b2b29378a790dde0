//! `uuid`: the identifier that every resource has beside its id.

use super::*;

pub(super) const ENTRY: Entry = Entry {
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

    fn storage(&self) -> Storage {
        Storage::Column(ColumnType::Uuid)
    }

    fn class(&self) -> Class {
        Class::Uuid
    }

    fn read(&self, input: &Json, _: &Context<'_>) -> Result<Value, Fault> {
        let value = input.as_str().and_then(uuid_of);
        value.map(Value::Uuid).ok_or_else(|| Fault::new("not_uuid", "must be a UUID"))
    }

    fn check(&self, _: &Value) -> Result<(), Fault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &Context<'_>, out: &mut Vec<u8>) {
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
