//! `pBoolean`: true or false.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::json;
use crate::kinds::kind::Kind;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Name, Sql, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pBoolean",
    help: "True or false. Input may also be 1 or 0.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(BooleanKind),
};

#[derive(Debug)]
struct BooleanKind;

impl Kind for BooleanKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Boolean)
    }

    fn class(&self) -> KindClass {
        KindClass::Boolean
    }

    fn push_counted(&self, sql: &mut Sql, column: &Name) {
        sql.push("CASE WHEN ").name(column).push(" THEN 'true' ELSE 'false' END");
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Bool
    }

    fn takes(&self, _: LanguageKind) -> bool {
        true
    }

    fn sample(&self) -> Json {
        true.into()
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        // The contract itself writes flags as 1 ("login_expired = 1").
        match (input, input.as_i64()) {
            (Json::Bool(value), _) => Ok(Value::Boolean(*value)),
            (_, Some(value @ (0 | 1))) => Ok(Value::Boolean(value == 1)),
            _ => Err(ValueFault::new("not_boolean", "must be true or false")),
        }
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        Ok(Value::Boolean(expression::convert::to_bool(result.value)))
    }

    fn check(&self, _: &Value) -> Result<(), ValueFault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Boolean(value) => json::write_boolean(out, value),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "boolean"})
    }
}
