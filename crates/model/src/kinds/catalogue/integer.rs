//! `pInteger`: a whole number of 64 bits.

use crate::kinds::class::{KindClass, ValueStorage};
use crate::kinds::entry::KindEntry;
use crate::kinds::expressed::ExpressionResult;
use crate::kinds::json;
use crate::kinds::kind::Kind;
use crate::kinds::value::{ValueContext, ValueFault};
use database::{ColumnType, Value, ValueRef};
use expression::scope::ValueKind as LanguageKind;
use serde_json::Value as Json;
use std::num::IntErrorKind;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pInteger",
    help: "A whole number of 64 bits. Input beyond 2^53 may be a text of digits.",
    options: &[("min", "the smallest value"), ("max", "the largest value")],
    internal: false,
    build: |options, _| {
        let least = options.integer("min", i64::MIN, i64::MAX);
        let most = options.integer("max", i64::MIN, i64::MAX);
        if least.zip(most).is_some_and(|(least, most)| least > most) {
            options.fault("min", "min must not be above max.");
        }
        Box::new(IntegerKind { least, most })
    },
};

#[derive(Debug)]
struct IntegerKind {
    least: Option<i64>,
    most: Option<i64>,
}

impl Kind for IntegerKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Integer)
    }

    fn class(&self) -> KindClass {
        KindClass::Integer
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Int
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        match input {
            Json::String(text) => integer_of_text(text),
            _ => integer_of(input),
        }
        .map(Value::Integer)
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        match result.units(0)? {
            Some(number) if result.is_whole() => Ok(Value::Integer(number)),
            Some(_) => Err(not_integer()),
            // A text that an expression gives is no number, whatever it spells.
            None => integer_of(&result.scalar()?).map(Value::Integer),
        }
    }

    fn check(&self, value: &Value) -> Result<(), ValueFault> {
        let Value::Integer(value) = value else { return Ok(()) };
        match (self.least, self.most) {
            (Some(least), _) if *value < least => {
                Err(ValueFault::new("too_small", format!("must be at least {least}")))
            }
            (_, Some(most)) if *value > most => Err(ValueFault::new("too_large", format!("must be at most {most}"))),
            _ => Ok(()),
        }
    }

    fn write(&self, value: ValueRef<'_>, context: &ValueContext<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Integer(value) => {
                let as_text = context.texts && value.unsigned_abs() > json::EXACT_IN_FLOATS;
                json::write_number(out, as_text, |out| json::write_integer(out, value));
            }
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        let mut schema = serde_json::json!({"type": "integer", "format": "int64"});
        if let Some(least) = self.least {
            schema["minimum"] = least.into();
        }
        if let Some(most) = self.most {
            schema["maximum"] = most.into();
        }
        schema
    }
}

/// The greatest whole number that every client reads exactly, 2^53 - 1. Answers to `_decimals=text` have those beyond it
/// as texts (E-123).
const EXACT: u64 = (1 << 53) - 1;

/// The whole number that a text spells as answers to `_decimals=text` do: beyond what clients read exactly, in digits
/// alone, without zeros before them. A smaller one is a number, and no text.
fn integer_of_text(text: &str) -> Result<i64, ValueFault> {
    match text.parse::<i64>() {
        Ok(number) if number.unsigned_abs() > EXACT && number.to_string() == text => Ok(number),
        Err(error) if matches!(error.kind(), IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => {
            Err(out_of_range())
        }
        _ => Err(not_integer()),
    }
}

/// The whole number of an input; `2.0` is one, `2.5` and `"2"` are not.
pub(in crate::kinds) fn integer_of(input: &Json) -> Result<i64, ValueFault> {
    /// Above it, neighbouring whole numbers share one binary form.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    const WRITTEN_OUT: &str = "must be written in digits alone, without point or exponent, beyond 9007199254740992";
    let Json::Number(number) = input else { return Err(not_integer()) };
    if let Some(value) = number.as_i64() {
        return Ok(value);
    }
    match number.as_f64() {
        Some(value) if value.fract() != 0.0 => Err(not_integer()),
        #[expect(clippy::cast_possible_truncation, reason = "the guard keeps to what a float holds exactly")]
        Some(value) if number.is_f64() && value.abs() <= EXACT => Ok(value as i64),
        // In the range of 64 bits, but the number may have been another one as it was written.
        Some(value) if number.is_f64() && value.abs() < -(i64::MIN as f64) => {
            Err(ValueFault::new("not_exact", WRITTEN_OUT))
        }
        _ => Err(out_of_range()),
    }
}

fn not_integer() -> ValueFault {
    ValueFault::new("not_integer", "must be a whole number")
}

fn out_of_range() -> ValueFault {
    ValueFault::new("out_of_range", "must fit in 64 bits")
}
