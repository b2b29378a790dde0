//! `pJson`: any JSON value but null, kept in compact form.

use super::shape::Shape;
use super::*;

pub(super) const ENTRY: Entry = Entry {
    name: "pJson",
    help: "A JSON value, of any shape or of the one that a schema describes.",
    options: &[(
        "schema",
        "what values must be like, in JSON Schema: type, enum, const, properties, required, additionalProperties, items, uniqueItems, pattern, limits, allOf, anyOf, not",
    )],
    internal: false,
    build: |options, _| Box::new(Document { schema: Shape::take(options) }),
};

#[derive(Debug)]
struct Document {
    /// The schema as the file has it, and ready to be checked.
    schema: Option<(Json, Shape)>,
}

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

    fn check(&self, value: &Value) -> Result<(), Fault> {
        let (Some((_, shape)), Value::Text(text)) = (&self.schema, value) else { return Ok(()) };
        let value = serde_json::from_str(text).map_err(|error| Fault::new("not_json", error.to_string()))?;
        shape.check(&value)
    }

    fn write(&self, value: ValueRef<'_>, _: &Context<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Text(text) => out.extend_from_slice(text.as_bytes()),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        self.schema.as_ref().map_or_else(|| serde_json::json!({}), |(schema, _)| schema.clone())
    }
}

/// The fault of a document with a number that would not be kept as it was written.
pub fn lost_digits() -> Fault {
    let message = "must not hold a number of more digits than 64 bits keep; give such numbers as texts";
    Fault::new("not_exact", message)
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
