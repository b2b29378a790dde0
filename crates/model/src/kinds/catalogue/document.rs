//! `pJson`: any JSON value but null, kept in compact form.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::json;
use crate::kinds::kind::Kind;
use crate::kinds::shape::JsonShape;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pJson",
    help: "A JSON value of any shape, or of a schema's shape.",
    options: &[
        (
            "schema",
            "the shape of values, in JSON Schema: type, enum, const, properties, required, additionalProperties, items, uniqueItems, pattern, limits, allOf, anyOf, not",
        ),
        ("maxBytes", "the most bytes of a value as compact JSON; 1048576 by default, 8388608 at most"),
        ("maxMembers", "the most members of all arrays and objects of a value; 100000 by default, 1000000 at most"),
    ],
    internal: false,
    build: |options, _| {
        let most_bytes = options.integer("maxBytes", 1, 8 << 20).unwrap_or(1 << 20);
        let most_members = options.integer("maxMembers", 0, 1_000_000).unwrap_or(100_000);
        let schema = JsonShape::take(options);
        Box::new(DocumentKind {
            schema,
            most_bytes: most_bytes.cast_unsigned(),
            most_members: most_members.cast_unsigned(),
        })
    },
};

#[derive(Debug)]
struct DocumentKind {
    most_bytes: u64,
    most_members: u64,
    /// The schema as the file has it, and ready to be checked.
    schema: Option<(Json, JsonShape)>,
}

impl Kind for DocumentKind {
    fn name(&self) -> &'static str {
        ENTRY.name
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
        if holds_nul(input) {
            return Err(ValueFault::new("text_nul", "must not hold the character NUL"));
        }
        Ok(Value::Text(input.to_string()))
    }

    fn check(&self, value: &Value) -> Result<(), ValueFault> {
        let Value::Text(text) = value else { return Ok(()) };
        let bytes = text.len() as u64;
        if bytes > self.most_bytes {
            return Err(ValueFault::new(
                "too_large",
                format!("must have at most {} bytes as compact JSON", self.most_bytes),
            ));
        }
        // A member takes two bytes at least.
        if bytes > 2 * self.most_members && members(text) > self.most_members {
            let message = format!("must have at most {} members in its arrays and objects", self.most_members);
            return Err(ValueFault::new("too_many_members", message));
        }
        let Some((_, shape)) = &self.schema else { return Ok(()) };
        let value = serde_json::from_str(text).map_err(|error| ValueFault::new("not_json", error.to_string()))?;
        shape.check(&value)
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
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
pub fn lost_digits() -> ValueFault {
    let message = "must not hold a number of more digits than 64 bits keep; give such numbers as texts";
    ValueFault::new("not_exact", message)
}

/// The number of members of all arrays and objects of compact JSON: there is one behind each comma, and behind each
/// bracket that is not closed at once.
fn members(text: &str) -> u64 {
    let (mut members, mut inside, mut escaped) = (0, false, false);
    let following = text.bytes().skip(1).chain([b' ']);
    for (byte, next) in text.bytes().zip(following) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => inside = !inside,
            _ if inside => {}
            b',' => members += 1,
            b'[' | b'{' => members += u64::from(!matches!(next, b']' | b'}')),
            _ => {}
        }
    }
    members
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

#[cfg(test)]
mod tests {
    use super::members;

    #[test]
    fn members_are_counted_in_the_text() {
        for (value, expected) in [
            ("7", 0),
            ("[]", 0),
            ("{}", 0),
            ("[1]", 1),
            ("[[],{}]", 2),
            (r#"[1,[2,3],{"a":[4]}]"#, 7),
            (r#"{"a,[{":"b\",{\\","c":null}"#, 2),
        ] {
            assert_eq!(members(value), expected, "{value}");
        }
    }
}
