//! `pJson`: any JSON value but null, kept in compact form.

use super::*;

pub(super) const ENTRY: Entry = Entry {
    name: "pJson",
    help: "A JSON value of any shape.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(Document),
};

#[derive(Debug)]
struct Document;

impl Kind for Document {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> Storage {
        Storage::Column(ColumnType::Json)
    }

    fn class(&self) -> Class {
        Class::Json
    }

    fn read(&self, input: &Json, _: &Context<'_>) -> Result<Value, Fault> {
        if holds_nul(input) {
            return Err(Fault::new("text_nul", "must not hold the character NUL"));
        }
        Ok(Value::Text(input.to_string()))
    }

    fn check(&self, _: &Value) -> Result<(), Fault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &Context<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Text(text) => out.extend_from_slice(text.as_bytes()),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        serde_json::json!({})
    }
}

/// PostgreSQL can hold an escaped NUL but not look into a value that has one.
fn holds_nul(input: &Json) -> bool {
    match input {
        Json::String(text) => text.contains('\0'),
        Json::Array(members) => members.iter().any(holds_nul),
        Json::Object(members) => members.iter().any(|(key, member)| key.contains('\0') || holds_nul(member)),
        _ => false,
    }
}
