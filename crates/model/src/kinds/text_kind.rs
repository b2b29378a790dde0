//! Common parts of all kinds that hold one text.

use super::autonumber_pattern::AutonumberPattern;
use super::class::{KindClass, ValueStorage};
use super::json;
use super::kind::Kind;
use super::value::{ValueContext, ValueFault};
use crate::kinds::expressed::ExpressionResult;
use database::{ColumnType, Value, ValueRef};
use serde_json::Value as Json;
use std::fmt::Debug;

/// A kind that holds one text. It is a [`Kind`] by this alone.
pub(super) trait TextKind: Debug + Send + Sync {
    /// [`Kind::name`].
    fn name(&self) -> &'static str;

    /// The stored form of a text: trimmed, in lower case, whatever the kind prescribes.
    fn normalize(&self, text: &str) -> String {
        text.to_owned()
    }

    /// [`Kind::check`].
    fn check(&self, text: &str) -> Result<(), ValueFault>;

    /// [`Kind::schema`].
    fn schema(&self) -> Json;

    /// [`Kind::class`].
    fn class(&self) -> KindClass {
        KindClass::Text
    }

    /// [`Kind::indexable`].
    fn indexable(&self) -> bool {
        !self.concealed()
    }

    /// [`Kind::concealed`].
    fn concealed(&self) -> bool {
        false
    }

    /// [`Kind::autonumber`].
    fn autonumber(&self) -> Option<&AutonumberPattern> {
        None
    }
}

impl<K: TextKind> Kind for K {
    fn name(&self) -> &'static str {
        TextKind::name(self)
    }

    fn storage(&self) -> ValueStorage {
        ValueStorage::Column(ColumnType::Text)
    }

    fn class(&self) -> KindClass {
        TextKind::class(self)
    }

    fn read(&self, input: &Json, _: &ValueContext<'_>) -> Result<Value, ValueFault> {
        text_of(input).map(|text| Value::Text(self.normalize(text)))
    }

    fn read_result(&self, result: &ExpressionResult<'_>) -> Result<Value, ValueFault> {
        let text = if TextKind::concealed(self) { result.scalar()? } else { result.text()? };
        Kind::read(self, &text, result.context)
    }

    fn check(&self, value: &Value) -> Result<(), ValueFault> {
        match value {
            Value::Text(text) => TextKind::check(self, text),
            _ => Ok(()),
        }
    }

    fn write(&self, value: ValueRef<'_>, _: &ValueContext<'_>, out: &mut Vec<u8>) {
        match value {
            ValueRef::Text(text) if !TextKind::concealed(self) => json::write_string(out, text),
            _ => json::write_null(out),
        }
    }

    fn schema(&self) -> Json {
        TextKind::schema(self)
    }

    fn indexable(&self) -> bool {
        TextKind::indexable(self)
    }

    fn concealed(&self) -> bool {
        TextKind::concealed(self)
    }

    fn autonumber(&self) -> Option<&AutonumberPattern> {
        TextKind::autonumber(self)
    }
}

/// The text of an input. NUL is refused: PostgreSQL cannot hold it.
pub(super) fn text_of(input: &Json) -> Result<&str, ValueFault> {
    let text = input.as_str().ok_or_else(|| ValueFault::new("not_text", "must be a text"))?;
    if text.contains('\0') {
        return Err(ValueFault::new("text_nul", "must not hold the character NUL"));
    }
    Ok(text)
}

/// Refuses a text that has more characters than `most`.
pub(super) fn check_length(text: &str, least: usize, most: usize) -> Result<(), ValueFault> {
    // A text has at most as many characters as bytes; most texts need no counting.
    if text.len() <= most && least == 0 {
        return Ok(());
    }
    let length = text.chars().count();
    let fault =
        |code, limit: String| ValueFault::new(code, limit.clone()).with_detail(format!("{limit}, not {length}"));
    match length {
        _ if length > most => Err(fault("too_long", format!("must have at most {most} characters"))),
        _ if length < least => Err(fault("too_short", format!("must have at least {least} characters"))),
        _ => Ok(()),
    }
}
