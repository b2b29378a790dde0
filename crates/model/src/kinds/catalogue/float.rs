//! `pFloat`: a binary floating point number.

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
    name: "pFloat",
    help: "A binary floating point number of 64 bits.",
    options: &[("min", "the smallest value"), ("max", "the largest value")],
    internal: false,
    build: |options, _| {
        let (least, most) = (options.float("min"), options.float("max"));
        if least.zip(most).is_some_and(|(least, most)| least > most) {
            options.fault("min", "min must not be above max.");
        }
        Box::new(FloatKind { least, most })
    },
};

#[derive(Debug)]
struct FloatKind {
    least: Option<f64>,
    most: Option<f64>,
}

impl Kind for FloatKind {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Float)
    }

    fn class(&self) -> KindClass {
        KindClass::Float
    }

    fn language_kind(&self) -> LanguageKind {
        LanguageKind::Float
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        let value = input.as_f64().filter(|value| value.is_finite());
        // Adding zero makes minus zero zero: a unique set would tell them apart on one engine alone.
        value.map(|value| Value::Float(value + 0.0)).ok_or_else(|| ValueFault::new("not_number", "must be a number"))
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        match result.float() {
            Some(number) if number.is_finite() => Ok(Value::Float(number)),
            Some(_) => Err(ValueFault::new("not_finite", "must be finite")),
            None => self.read(&result.scalar()?, result.context),
        }
    }

    fn check(&self, value: &Value) -> Result<(), ValueFault> {
        let Value::Float(value) = value else { return Ok(()) };
        match (self.least, self.most) {
            (Some(least), _) if *value < least => {
                Err(ValueFault::new("too_small", format!("must be at least {least}")))
            }
            (_, Some(most)) if *value > most => Err(ValueFault::new("too_large", format!("must be at most {most}"))),
            _ => Ok(()),
        }
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Float(value) => json::write_float(out, value),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        let mut schema = serde_json::json!({"type": "number", "format": "double"});
        if let Some(least) = self.least {
            schema["minimum"] = least.into();
        }
        if let Some(most) = self.most {
            schema["maximum"] = most.into();
        }
        schema
    }
}
