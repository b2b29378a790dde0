//! `pGroup`: the name of a group of users.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::kind::Kind;
use crate::kinds::options::nearest;
use crate::kinds::value::{ValueContext, ValueFault};
use crate::kinds::{json, text_kind};
use database::{ColumnType, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;
use std::collections::BTreeSet;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pGroup",
    help: "A group of users, by its name.",
    options: &[],
    internal: false,
    build: |_, targets| Box::new(GroupKind { names: targets.groups.clone() }),
};

#[derive(Debug)]
struct GroupKind {
    names: BTreeSet<String>,
}

impl Kind for GroupKind {
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
        let text = text_kind::text_of(input)?;
        if self.names.contains(text) {
            return Ok(Value::Text(text.to_owned()));
        }
        let near = nearest(text, self.names.iter().map(String::as_str));
        let fault = ValueFault::new("not_group", "must be the name of a group");
        Err(match near {
            Some(name) => fault.with_detail(format!("must be the name of a group; did you mean {name}")),
            None => fault,
        })
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        self.read(&result.text()?, result.context)
    }

    fn check(&self, _: &Value) -> Result<(), ValueFault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Text(text) => json::write_string(out, text),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "enum": self.names})
    }
}
