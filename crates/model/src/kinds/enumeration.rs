//! `pEnum`: one of listed values.

use super::choices::{ChoiceList, OPTIONS};
use super::*;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pEnum",
    help: "One value of a list.",
    options: OPTIONS,
    internal: false,
    build: |options, _| Box::new(EnumerationKind { choices: ChoiceList::take(options) }),
};

#[derive(Debug)]
struct EnumerationKind {
    choices: ChoiceList,
}

impl Kind for EnumerationKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Text)
    }

    fn class(&self) -> KindClass {
        KindClass::Enumeration
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        self.choices.read(input)
    }

    fn check(&self, value: &Value) -> Result<(), ValueFault> {
        self.choices.check(value)
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Text(text) => json::write_string(out, text),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        self.choices.schema()
    }

    fn choices(&self) -> &[ChoiceOption] {
        &self.choices.0
    }
}
