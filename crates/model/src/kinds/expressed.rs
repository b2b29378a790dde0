//! Results of expressions on their way into properties.

use super::value::{ValueContext, ValueFault};
use expression::convert::{to_float, to_text};
use expression::value::{Decimal, Value as LanguageValue};
use expression::{Fault, HostProviders};
use serde_json::Value as Json;

/// A result of an expression, with what its reading depends on.
#[derive(Clone, Copy)]
pub struct ExpressionResult<'r> {
    /// The result.
    pub value: &'r LanguageValue,
    /// The surroundings.
    pub context: &'r ValueContext<'r>,
    /// The providers of the expression: they know what resources are called.
    pub providers: &'r dyn HostProviders,
}

impl ExpressionResult<'_> {
    /// Returns the result as a text, whatever it is.
    pub(super) fn text(&self) -> Result<Json, ValueFault> {
        let text = to_text(self.value, self.providers).map_err(expression_fault)?;
        Ok(Json::String(text.lossy().into_owned()))
    }

    /// Returns the result as a text, where it is one value.
    pub(super) fn scalar(&self) -> Result<Json, ValueFault> {
        match self.value {
            LanguageValue::Array(_) | LanguageValue::Object(_) => {
                Err(ValueFault::new("wrong_kind", format!("cannot be {}", self.value.kind())))
            }
            _ => self.text(),
        }
    }

    /// Returns a moment as a text in this form, and anything else as what it is.
    pub(super) fn moment(&self, format: &[u8]) -> Result<Json, ValueFault> {
        match self.value {
            LanguageValue::DateTime(at) => {
                let text = datetime::format(at, format);
                Ok(Json::String(String::from_utf8_lossy(&text).into_owned()))
            }
            _ => self.scalar(),
        }
    }

    /// Returns a number, where the result is one.
    pub(super) fn float(&self) -> Option<f64> {
        match self.value {
            LanguageValue::Int(_) | LanguageValue::Float(_) | LanguageValue::Decimal(_) => Some(to_float(self.value)),
            _ => None,
        }
    }

    /// Returns a number in the smallest units of the scale, rounded half away from zero; none where the result is no
    /// number.
    pub(super) fn units(&self, scale: u8) -> Result<Option<i64>, ValueFault> {
        let range = || ValueFault::new("out_of_range", "is too large");
        let number = match self.value {
            LanguageValue::Int(number) => Decimal { mantissa: i128::from(*number), scale: 0 },
            LanguageValue::Float(number) => Decimal::of_float(*number).ok_or_else(range)?,
            LanguageValue::Decimal(number) => *number,
            _ => return Ok(None),
        };
        let power = |digits: u8| 10_i128.checked_pow(u32::from(digits)).ok_or_else(range);
        let mantissa = { number.mantissa };
        let units = if number.scale <= scale {
            mantissa.checked_mul(power(scale - number.scale)?).ok_or_else(range)?
        } else {
            let divisor = power(number.scale - scale)?;
            let rest = (mantissa % divisor).abs();
            mantissa / divisor + if rest * 2 >= divisor { mantissa.signum() } else { 0 }
        };
        i64::try_from(units).map(Some).map_err(|_| range())
    }

    /// Returns true unless the result is a number with a fraction.
    pub(super) fn is_whole(&self) -> bool {
        match self.value {
            LanguageValue::Float(number) => number.fract() == 0.0,
            LanguageValue::Decimal(number) => {
                let mantissa = number.mantissa;
                mantissa % 10_i128.pow(u32::from(number.scale)) == 0
            }
            _ => true,
        }
    }
}

/// The language's own words: a sentence of their own behind the property's title.
pub fn expression_fault(fault: Fault) -> ValueFault {
    ValueFault::new(fault.code, format!("cannot be calculated: {}", fault.message.trim_end_matches('.')))
}
