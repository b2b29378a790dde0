//! `pRelations`: several resources of a type.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::kind::{Kind, RelationTarget};
use crate::kinds::reference::{OPTIONS, TypeReference};
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pRelations",
    help: "Several resources of a type, in order: an array.",
    options: OPTIONS,
    internal: false,
    build: |options, targets| Box::new(RelationsKind { reference: TypeReference::take(options, targets) }),
};

#[derive(Debug)]
struct RelationsKind {
    reference: TypeReference,
}

impl Kind for RelationsKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Links(ColumnType::Integer)
    }

    fn class(&self) -> KindClass {
        KindClass::Relations
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Array
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        self.reference.read(input)
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        self.reference.read_result(result)
    }

    fn check(&self, _: &Value) -> Result<(), ValueFault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        TypeReference::write(value, out);
    }

    fn schema(&self) -> Json {
        self.reference.schema()
    }

    fn relation(&self) -> Option<RelationTarget<'_>> {
        Some(self.reference.relation())
    }
}
