//! `pMonth`: a calendar month, stored as its first day.

use crate::kinds::calendar::{TextScanner, day_of, days_of, days_since_epoch, write_two};
use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::json;
use crate::kinds::kind::Kind;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Name, Sql, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use jiff::Zoned;
use serde_json::Value as Json;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pMonth",
    help: "A calendar month, YYYY-MM. A day, a time or an offset after it is dropped.",
    options: &[],
    internal: false,
    build: |_, _| Box::new(MonthKind),
};

/// Returns true if a day stands behind a month, `-31`, and not an offset, `-02:00` or `-0200`.
fn day_follows(rest: &[u8]) -> bool {
    let Some(rest) = rest.strip_prefix(b"-") else { return false };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits == 2 && rest.get(digits) != Some(&b':')
}

#[derive(Debug)]
struct MonthKind;

impl Kind for MonthKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Date)
    }

    fn class(&self) -> KindClass {
        KindClass::Month
    }

    fn value_at(&self, instant: &Zoned) -> Option<Value> {
        Some(Value::Date(days_since_epoch(instant.date().first_of_month())))
    }

    fn push_readable(&self, sql: &mut Sql, _: ColumnType, row: &Name, column: &Name) {
        sql.readable_month(|sql| {
            sql.column(row, column);
        });
    }

    fn takes(&self, given: LanguageKind) -> bool {
        matches!(given, LanguageKind::DateTime | LanguageKind::Int | LanguageKind::Text)
    }

    fn sample(&self) -> Json {
        "2000-01".into()
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        let fault = || ValueFault::new("not_month", "must be a month such as 2026-11");
        let text = input.as_str().ok_or_else(fault)?.as_bytes();
        let (mut scan, mut whole) = (TextScanner(text), TextScanner(text));
        let (year, month) = scan.month().ok_or_else(fault)?;
        let dropped = match day_follows(scan.0) {
            true => whole.date().is_some() && whole.only_time_left(),
            false => scan.only_time_left(),
        };
        if !dropped {
            return Err(fault());
        }
        i32::try_from(days_of(year, month, 1)).map(Value::Date).map_err(|_| fault())
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        self.read(&result.moment(b"Y-m")?, result.context)
    }

    fn check(&self, _: &Value) -> Result<(), ValueFault> {
        Ok(())
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        let ValueRef::Date(days) = value else { return json::write_null(out) };
        let (year, month, _) = day_of(days.into());
        out.push(b'"');
        write_two(out, year / 100);
        write_two(out, year % 100);
        out.push(b'-');
        write_two(out, month);
        out.push(b'"');
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "pattern": "^\\d{4}-\\d{2}$"})
    }
}
