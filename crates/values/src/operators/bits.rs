//! Bits: PHP 8's operators on the 64 bits of integers, or on the bytes of two texts; null makes null.

use super::arithmetic::whole;
use super::{bare, secret};
use crate::joined_text::JoinedText;
use crate::value::{Text, Value};
use crate::{Fault, Result, Run};

/// `left & right`: the bits of both. Of two texts, of the shorter one's length.
pub fn bit_and(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    bitwise(run, "&", left, right, |left, right| left & right, |left, right| left & right)
}

/// `left | right`: the bits of either. Of two texts, of the longer one's length.
pub fn bit_or(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    bitwise(run, "|", left, right, |left, right| left | right, |left, right| left | right)
}

/// `left ^ right`: the bits that differ. Of two texts, of the shorter one's length.
pub fn bit_xor(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    bitwise(run, "^", left, right, |left, right| left ^ right, |left, right| left ^ right)
}

/// `left << right`: the bits moved towards the sign, where they are lost. Texts are numbers.
pub fn shift_left(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    whole(run, "<<", left, right, |left, right| shifted_left(left, right).ok_or_else(backwards))
}

/// `left >> right`: the bits moved away from the sign, which is kept. Texts are numbers.
pub fn shift_right(run: &mut Run<'_>, left: &Value, right: &Value) -> Result<Value> {
    whole(run, ">>", left, right, |left, right| shifted_right(left, right).ok_or_else(backwards))
}

/// The bits moved by any number of places from 0; none by a negative one.
pub fn shifted_left(bits: i64, places: i64) -> Option<i64> {
    let places = u32::try_from(places.min(64)).ok()?;
    Some(bits.checked_shl(places).unwrap_or(0))
}

/// The same in the other direction: beyond 63 places the sign alone is left.
pub fn shifted_right(bits: i64, places: i64) -> Option<i64> {
    let places = u32::try_from(places.min(63)).ok()?;
    Some(bits >> places)
}

fn backwards() -> Fault {
    Fault::new("negative_shift", "Bits cannot be moved by a negative number of places: use the other operator.")
}

fn bitwise(
    run: &mut Run<'_>,
    symbol: &str,
    left: &Value,
    right: &Value,
    of_integers: impl Fn(i64, i64) -> i64,
    of_bytes: impl Fn(u8, u8) -> u8,
) -> Result<Value> {
    if let (Value::Text(first), Value::Text(second)) = (bare(left), bare(right)) {
        if !run.is_written() && !run.is_former() {
            let message =
                format!("{symbol} combines the bits of integers, not of strings. To join strings, write a ~ b.");
            return Err(Fault::new("wrong_operand", message));
        }
        let longer = symbol == "|";
        let text = Value::Text(bytewise(run, first.as_bytes(), second.as_bytes(), longer, of_bytes)?);
        let is_secret = matches!(left, Value::Secret(_)) || matches!(right, Value::Secret(_));
        return Ok(if is_secret { secret(text) } else { text });
    }
    whole(run, symbol, left, right, |left, right| Ok(of_integers(left, right)))
}

/// The number of bytes that are made at a time.
const PIECE: usize = 64;

/// Two texts byte by byte, and the rest of the longer one where it is wanted.
fn bytewise(
    run: &mut Run<'_>,
    first: &[u8],
    second: &[u8],
    longer: bool,
    combine: impl Fn(u8, u8) -> u8,
) -> Result<Text> {
    let common = first.len().min(second.len());
    let rest = if first.len() > common { &first[common..] } else { &second[common..] };
    let rest = if longer { rest } else { &[] };
    // A text that grows is there three times while it moves.
    run.reserve(common + rest.len())?;
    run.hold(2 * (common + rest.len()))?;
    let mut text = JoinedText::default();
    for (first, second) in first[..common].chunks(PIECE).zip(second[..common].chunks(PIECE)) {
        let mut piece = [0; PIECE];
        for (made, (first, second)) in piece.iter_mut().zip(first.iter().zip(second)) {
            *made = combine(*first, *second);
        }
        text.push(&piece[..first.len()]);
    }
    text.push(rest);
    Ok(text.text())
}
