//! `pTime`: a time of day without a day or a zone.

use crate::kinds::calendar::{TextScanner, write_time};
use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::json;
use crate::kinds::kind::Kind;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pTime",
    help: "A time of day, HH:MM or HH:MM:SS.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(TimeKind),
};

#[derive(Debug)]
struct TimeKind;

impl Kind for TimeKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Text)
    }

    fn class(&self) -> KindClass {
        KindClass::Time
    }

    fn takes(&self, given: LanguageKind) -> bool {
        matches!(given, LanguageKind::DateTime | LanguageKind::Int | LanguageKind::Text)
    }

    fn sample(&self) -> Json {
        "12:00:00".into()
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        let fault = || ValueFault::new("not_time", "must be a time of day such as 14:30 or 14:30:00");
        let mut scan = TextScanner(input.as_str().ok_or_else(fault)?.as_bytes());
        let (seconds, _) = scan.time().filter(|_| scan.0.is_empty()).ok_or_else(fault)?;
        let mut text = Vec::with_capacity(8);
        write_time(&mut text, seconds);
        Ok(Value::Text(String::from_utf8_lossy(&text).into_owned()))
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        self.read(&result.moment(b"H:i:s")?, result.context)
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
        serde_json::json!({"type": "string", "pattern": "^\\d{2}:\\d{2}(:\\d{2})?$"})
    }
}
