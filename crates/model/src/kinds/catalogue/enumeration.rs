//! `pEnum`: one of listed values.

use crate::kinds::choices::{ChoiceList, OPTIONS};
use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::json;
use crate::kinds::kind::{ChoiceOption, Kind};
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

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

    fn wanted_kind(&self) -> LanguageKind {
        LanguageKind::Text
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        self.choices.read(input)
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        self.read(&result.text()?, result.context)
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
