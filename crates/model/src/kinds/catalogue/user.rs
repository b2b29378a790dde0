//! `pUser`: a user.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::kind::{Kind, RelationTarget};
use crate::kinds::reference::{INVERSE_OPTION, ON_DELETE, TypeReference};
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Name, Sql, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pUser",
    help: "A user: the id, or the uuid on input.",
    options: &[ON_DELETE, INVERSE_OPTION],
    internal: false,
    build: |options, _| Box::new(UserKind { reference: TypeReference::to_user(options) }),
};

#[derive(Debug)]
struct UserKind {
    reference: TypeReference,
}

impl Kind for UserKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Integer)
    }

    fn class(&self) -> KindClass {
        KindClass::Relation
    }

    fn push_counted(&self, sql: &mut Sql, column: &Name) {
        TypeReference::push_counted(sql, column);
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Any
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
