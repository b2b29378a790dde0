//! `pDate`: a calendar day, which no time zone ever moves.

use crate::kinds::calendar::{TextScanner, days_since_epoch, write_date};
use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::json;
use crate::kinds::kind::Kind;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use jiff::Zoned;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pDate",
    help: "A calendar day, YYYY-MM-DD. A time or an offset after it is dropped.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(DateKind),
};

#[derive(Debug)]
struct DateKind;

impl Kind for DateKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Date)
    }

    fn class(&self) -> KindClass {
        KindClass::Date
    }

    fn value_at(&self, instant: &Zoned) -> Option<Value> {
        Some(Value::Date(days_since_epoch(instant.date())))
    }

    fn takes(&self, given: LanguageKind) -> bool {
        matches!(given, LanguageKind::DateTime | LanguageKind::Int | LanguageKind::Text)
    }

    fn sample(&self) -> Json {
        "2000-01-31".into()
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        let fault = || ValueFault::new("not_date", "must be a date such as 2026-11-20");
        let mut scan = TextScanner(input.as_str().ok_or_else(fault)?.as_bytes());
        let days = scan.date().filter(|_| scan.only_time_left()).ok_or_else(fault)?;
        i32::try_from(days).map(Value::Date).map_err(|_| fault())
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        self.read(&result.moment(b"Y-m-d")?, result.context)
    }

    fn check(&self, _: &Value) -> Result<(), ValueFault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        let ValueRef::Date(days) = value else { return json::write_null(out) };
        out.push(b'"');
        write_date(out, days.into());
        out.push(b'"');
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "format": "date"})
    }
}
