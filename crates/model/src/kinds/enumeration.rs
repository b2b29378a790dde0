//! `pEnum`: one of listed values.

use super::choices::{Choices, OPTIONS};
use super::*;

pub(super) const ENTRY: Entry = Entry {
    name: "pEnum",
    help: "One of listed values.",
    options: OPTIONS,
    internal: false,
    build: |options, _| Box::new(EnumerationKind { choices: Choices::take(options) }),
};

#[derive(Debug)]
struct EnumerationKind {
    choices: Choices,
}

impl Kind for EnumerationKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> Storage {
        Storage::Column(ColumnType::Text)
    }

    fn class(&self) -> Class {
        Class::Enumeration
    }

    fn read(&self, input: &Json, _: &Context<'_>) -> Result<Value, Fault> {
        self.choices.read(input)
    }

    fn check(&self, value: &Value) -> Result<(), Fault> {
        self.choices.check(value)
    }

    fn write(&self, value: ValueRef<'_>, _: &Context<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Text(text) => json::write_string(out, text),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        self.choices.schema()
    }

    fn choices(&self) -> &[Choice] {
        &self.choices.0
    }
}
