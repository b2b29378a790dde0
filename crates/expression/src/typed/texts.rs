//! Texts: joined where they are, compared as bytes. A long result is for the general node.

use super::logic::TypedCondition;
use super::numbers::ScalarNode;
use super::places::ValuePlace;
use super::{BoolNode, TypedRow};
use crate::Run;
use crate::value::{Decimal, Value};
use arrayvec::ArrayString;
use std::fmt::Write;
use values::compare;
use values::size::BLOCK;

/// The longest text that a typed node joins, in bytes.
pub(super) const LONGEST: usize = 63;

/// The longest text that lies where it is made and holds no memory, in bytes.
const SHORT: usize = 24;

/// A text under way.
#[derive(Default)]
pub(super) struct TextBuffer(ArrayString<LONGEST>);

impl TextBuffer {
    #[inline]
    fn push(&mut self, part: &str) -> Option<()> {
        self.0.try_push_str(part).ok()
    }

    #[inline]
    fn push_value(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::Text(text) => self.push(text.as_str()?),
            Value::Int(number) => self.push_number(*number),
            Value::Decimal(number) => write!(self, "{number}").ok(),
            Value::Null | Value::Bool(false) => Some(()),
            Value::Bool(true) => self.push("1"),
            _ => None,
        }
    }

    /// Writes the digits from the last one on.
    fn push_number(&mut self, number: i64) -> Option<()> {
        let (mut digits, mut place, mut rest) = ([0; 20], 20, number.unsigned_abs());
        loop {
            place -= 1;
            digits[place] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if number < 0 {
            place -= 1;
            digits[place] = b'-';
        }
        self.push(std::str::from_utf8(&digits[place..]).ok()?)
    }

    /// Returns the text, paid for. None where supplies are short: the general node says of what.
    #[inline]
    pub(super) fn paid(&self, steps: u64, run: &mut Run<'_>) -> Option<&str> {
        let text = self.taken(steps, run)?;
        run.hold(if text.len() <= SHORT { 0 } else { text.len() + BLOCK / 2 }).ok()?;
        Some(text)
    }

    /// The same of a template, of which so many bytes are written in the program: it holds twice what is put in.
    pub(super) fn paid_parts(&self, steps: u64, written: usize, run: &mut Run<'_>) -> Option<&str> {
        let text = self.taken(steps, run)?;
        run.hold(2 * text.len().saturating_sub(written)).ok()?;
        Some(text)
    }

    #[inline]
    fn taken(&self, steps: u64, run: &mut Run<'_>) -> Option<&str> {
        // The general node holds three times the parts while it joins them.
        (run.memory_left() >= 3 * LONGEST && run.take(steps)).then_some(self.0.as_str())
    }
}

impl Write for TextBuffer {
    fn write_str(&mut self, part: &str) -> std::fmt::Result {
        self.push(part).ok_or(std::fmt::Error)
    }
}

/// A part of a text.
#[derive(Debug)]
pub(super) enum TextPart {
    Place(ValuePlace),
    Int(Box<dyn ScalarNode<i64>>),
    Decimal(Box<dyn ScalarNode<Decimal>>),
    Bool(TypedCondition),
}

/// `a ~ b ~ c`.
#[derive(Debug)]
pub(crate) struct TextNode(pub(super) Vec<TextPart>);

impl TextNode {
    #[inline]
    pub(super) fn write(&self, row: &TypedRow<'_>, buffer: &mut TextBuffer) -> Option<()> {
        for part in &self.0 {
            match part {
                TextPart::Place(place) => place.look(row, |value| buffer.push_value(value))?,
                TextPart::Int(node) => {
                    if let Some(number) = node.number(row)? {
                        buffer.push_value(&Value::Int(number))?;
                    }
                }
                TextPart::Decimal(node) => {
                    if let Some(number) = node.number(row)? {
                        buffer.push_value(&Value::Decimal(number))?;
                    }
                }
                TextPart::Bool(node) => buffer.push_value(&Value::Bool(node.decide(row)?))?,
            }
        }
        Some(())
    }
}

/// `name == title`, of any two texts; as written where the operator is `===`.
#[derive(Debug)]
pub(super) struct TextTest {
    pub(super) places: [ValuePlace; 2],
    pub(super) as_written: bool,
    pub(super) negated: bool,
}

impl BoolNode for TextTest {
    fn decide(&self, row: &TypedRow<'_>) -> Option<bool> {
        let [left, right] = &self.places;
        let same = left.look(row, |left| {
            right.look(row, |right| match (left, right) {
                (Value::Text(left), Value::Text(right)) => {
                    row.count(left.len().min(right.len()) as u64 / 64);
                    Some(if self.as_written { left == right } else { compare::same_texts(left, right) })
                }
                (Value::Null, Value::Null) => Some(true),
                (Value::Null, Value::Text(_)) | (Value::Text(_), Value::Null) => Some(false),
                _ => None,
            })
        })?;
        Some(same != self.negated)
    }
}
