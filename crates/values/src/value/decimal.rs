//! Exact decimals: addition, subtraction and multiplication are exact, division keeps 28 digits.

use crate::{Fault, Result};
use std::cmp::Ordering;
use std::fmt;

/// An exact decimal: `mantissa` times 10 to the power of -`scale`.
// Packed to 8 bytes so that values stay small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(Rust, packed(8))]
pub struct Decimal {
    /// All digits.
    pub mantissa: i128,
    /// The number of digits behind the point; at most 28.
    pub scale: u8,
}

/// The most digits behind the point.
const MAX_SCALE: u32 = 28;

impl Decimal {
    /// Of a decimal literal or numeric text: `12`, `-1.50`, `.5`, `1e3`. None where it is no such text, has digits
    /// below 10^-28 or is beyond 128 bits.
    pub fn parse(text: &str) -> Option<Self> {
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let is_negative = number.starts_with('-');
        let number = number.strip_prefix(['-', '+']).unwrap_or(number);
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && part.is_empty() {
            return None;
        }
        let mut mantissa: i128 = 0;
        for digit in whole.bytes().chain(part.bytes()) {
            if !digit.is_ascii_digit() {
                return None;
            }
            mantissa = mantissa.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
        }
        let scale = i32::try_from(part.len()).ok()?.checked_sub(exponent)?;
        let mut decimal = if mantissa == 0 { (0, scale.clamp(0, 28)) } else { (mantissa, scale) };
        while decimal.1 > 28 && decimal.0 % 10 == 0 {
            decimal = (decimal.0 / 10, decimal.1 - 1);
        }
        if decimal.1 < 0 {
            decimal = (decimal.0.checked_mul(10_i128.checked_pow(decimal.1.unsigned_abs())?)?, 0);
        }
        let scale = u8::try_from(decimal.1).ok().filter(|scale| u32::from(*scale) <= MAX_SCALE)?;
        Some(Decimal { mantissa: if is_negative { -decimal.0 } else { decimal.0 }, scale })
    }

    /// Of a float, by its shortest written digits; none where it has none as a decimal.
    pub fn of_float(number: f64) -> Option<Self> {
        if number.is_finite() { Decimal::parse(&format!("{number:e}")) } else { None }
    }

    /// The nearest float.
    pub fn to_float(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// Without what stands behind the point; beyond 64 bits the nearest integer there is.
    pub fn truncated(self) -> i64 {
        let whole = self.mantissa / power(self.scale);
        i64::try_from(whole).unwrap_or(if whole < 0 { i64::MIN } else { i64::MAX })
    }

    /// Returns true if it is zero.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Result<Self> {
        let (left, right, scale) = self.aligned(other).ok_or_else(too_large)?;
        Ok(Decimal { mantissa: left.checked_add(right).ok_or_else(too_large)?, scale })
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Result<Self> {
        self.plus(other.negate()?)
    }

    /// The product. Digits below 10^-28 are rounded, half away from zero.
    pub fn multiply(self, other: Self) -> Result<Self> {
        // Zeros at the end would use up room in vain.
        let (left, right) = (self.stripped(), other.stripped());
        let mantissa = { left.mantissa }.checked_mul(right.mantissa).ok_or_else(too_large)?;
        let scale = left.scale + right.scale;
        let wanted = (self.scale + other.scale).min(MAX_SCALE as u8);
        if scale <= wanted {
            let padded = mantissa.checked_mul(power(wanted - scale));
            return Ok(padded.map_or(Decimal { mantissa, scale }, |mantissa| Decimal { mantissa, scale: wanted }));
        }
        let divisor = power(scale - wanted);
        let rest = mantissa % divisor;
        let up = if rest.abs() >= divisor - rest.abs() { mantissa.signum() } else { 0 };
        Ok(Decimal { mantissa: mantissa / divisor + up, scale: wanted })
    }

    /// The quotient, to 28 digits, the last rounded half away from zero.
    pub fn divide(self, other: Self) -> Result<Self> {
        if other.is_zero() {
            return Err(Fault::new("division_by_zero", crate::error::DIVISION_BY_ZERO));
        }
        let (left, right, _) = self.aligned(other).ok_or_else(too_large)?;
        let is_negative = (left < 0) != (right < 0);
        let (left, right) = (left.unsigned_abs(), right.unsigned_abs());
        let (mut quotient, mut rest, mut scale) = (left / right, left % right, 0);
        while rest != 0 && scale < MAX_SCALE as u8 && quotient < 10_u128.pow(MAX_SCALE - 1) {
            let next = rest.checked_mul(10).ok_or_else(too_large)?;
            quotient = quotient * 10 + next / right;
            rest = next % right;
            scale += 1;
        }
        if rest != 0 && rest >= right - rest {
            quotient += 1;
        }
        let mantissa = i128::try_from(quotient).map_err(|_| too_large())?;
        Ok(Decimal { mantissa: if is_negative { -mantissa } else { mantissa }, scale }.stripped())
    }

    /// The number with the other sign.
    pub fn negate(self) -> Result<Self> {
        Ok(Decimal { mantissa: { self.mantissa }.checked_neg().ok_or_else(too_large)?, scale: self.scale })
    }

    /// The order by value: 1.50 is 1.5.
    pub fn compare(self, other: Self) -> Ordering {
        match self.aligned(other) {
            Some((left, right, _)) => left.cmp(&right),
            // What cannot be aligned differs in its whole part.
            None => ({ self.mantissa } / power(self.scale)).cmp(&({ other.mantissa } / power(other.scale))),
        }
    }

    fn stripped(mut self) -> Self {
        while self.scale > 0 && self.mantissa % 10 == 0 {
            self = Decimal { mantissa: self.mantissa / 10, scale: self.scale - 1 };
        }
        self
    }

    fn aligned(self, other: Self) -> Option<(i128, i128, u8)> {
        let scale = self.scale.max(other.scale);
        let left = { self.mantissa }.checked_mul(power(scale - self.scale))?;
        let right = { other.mantissa }.checked_mul(power(scale - other.scale))?;
        Some((left, right, scale))
    }
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Self {
        Decimal { mantissa: i128::from(number), scale: 0 }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mantissa, divisor) = ({ self.mantissa }, power(self.scale).unsigned_abs());
        if mantissa < 0 {
            formatter.write_str("-")?;
        }
        let width = usize::from(self.scale);
        // Most are short, and to divide and write these costs a fraction.
        if let (Ok(mantissa), Ok(divisor)) = (u64::try_from(mantissa.unsigned_abs()), u64::try_from(divisor)) {
            write!(formatter, "{}", mantissa / divisor)?;
            return if width > 0 { write!(formatter, ".{:0width$}", mantissa % divisor) } else { Ok(()) };
        }
        write!(formatter, "{}", mantissa.unsigned_abs() / divisor)?;
        if width > 0 { write!(formatter, ".{:0width$}", mantissa.unsigned_abs() % divisor) } else { Ok(()) }
    }
}

/// PHP's cast of a float to an integer: what stands behind the point is dropped, beyond 64 bits it wraps.
pub fn truncate(number: f64) -> i64 {
    const WRAP: f64 = 18_446_744_073_709_551_616.0;
    if !number.is_finite() {
        return 0;
    }
    let whole = number.trunc();
    if whole.abs() < WRAP / 2.0 { whole as i64 } else { (whole % WRAP) as i128 as i64 }
}

fn power(digits: u8) -> i128 {
    10_i128.pow(u32::from(digits.min(38)))
}

fn too_large() -> Fault {
    Fault::new("decimal_too_large", "The decimal has more digits than 38: count with toFloat(), or round before.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).expect("a decimal")
    }

    #[test]
    fn arithmetic_is_exact() {
        assert_eq!(decimal("0.1").plus(decimal("0.20")).unwrap().to_string(), "0.30");
        assert_eq!(decimal("1").minus(decimal("0.9")).unwrap().to_string(), "0.1");
        assert_eq!(decimal("-1.5").multiply(decimal("2.50")).unwrap().to_string(), "-3.750");
        let largest = decimal("999999999999999999");
        assert_eq!(largest.multiply(largest).unwrap().to_string(), "999999999999999998000000000000000001");
        assert_eq!(decimal("1e-20").multiply(decimal("5e-9")).unwrap().to_string(), format!("0.{}1", "0".repeat(27)));
    }

    #[test]
    fn division_keeps_28_digits() {
        assert_eq!(decimal("1").divide(decimal("3")).unwrap().to_string(), format!("0.{}", "3".repeat(28)));
        assert_eq!(decimal("-20").divide(decimal("3")).unwrap().to_string(), format!("-6.{}7", "6".repeat(26)));
        assert_eq!(decimal("7.50").divide(decimal("2.5")).unwrap().to_string(), "3");
        assert_eq!(decimal("1").divide(decimal("0.00")).unwrap_err().code, "division_by_zero");
    }

    #[test]
    fn order_is_by_value() {
        assert_eq!(decimal("1.50").compare(decimal("1.5")), Ordering::Equal);
        assert_eq!(decimal("-1e30").compare(decimal("1e-28")), Ordering::Less);
        assert_eq!(Decimal::of_float(0.1).unwrap().compare(decimal("0.1")), Ordering::Equal);
        assert_eq!(Decimal::of_float(1e300), None);
    }

    #[test]
    fn casts_truncate_and_wrap() {
        assert_eq!((truncate(-1.9), truncate(1e19), truncate(f64::NAN)), (-1, -8_446_744_073_709_551_616, 0));
        assert_eq!((decimal("-1.9").truncated(), decimal("1e30").truncated()), (-1, i64::MAX));
        assert_eq!((decimal("1.5").to_float(), decimal(".5").to_string()), (1.5, "0.5".to_owned()));
    }
}
