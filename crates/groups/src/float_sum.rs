//! Exact sums of floats: the same in whichever order numbers come and go, rounded once when somebody looks.

use num_bigint::BigInt;
use std::ops::AddAssign;

/// The bits of a float's fraction.
const FRACTION: u64 = 52;
/// The exponent that infinities have.
const INFINITE: u64 = 0x7ff;

/// A sum of floats, as a multiple of the smallest float above zero (2 to the power of -1074), of which each is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FloatSum(BigInt);

impl FloatSum {
    /// Adds a finite number, or takes it away.
    pub fn add(&mut self, number: f64, came: bool) {
        let bits = number.to_bits();
        let (exponent, fraction) = ((bits >> FRACTION) & INFINITE, bits & ((1 << FRACTION) - 1));
        let units = match exponent {
            0 => BigInt::from(fraction),
            exponent => BigInt::from(fraction | (1 << FRACTION)) << (exponent - 1),
        };
        if number.is_sign_positive() == came {
            self.0 += units;
        } else {
            self.0 -= units;
        }
    }

    /// Returns the nearest float, the even one of two; infinity where none is as large.
    pub fn rounded(&self) -> f64 {
        let units = self.0.magnitude();
        let above = units.bits().saturating_sub(FRACTION + 1);
        let mut kept = (units >> above).iter_u64_digits().next().unwrap_or(0);
        if above > 0 {
            let half_or_more = units.bit(above - 1);
            let beyond_half = units.trailing_zeros().is_some_and(|zeros| zeros < above - 1);
            kept += u64::from(half_or_more && (beyond_half || kept & 1 == 1));
        }
        // What is carried beyond the fraction makes the next exponent.
        let magnitude = match (above << FRACTION) + kept {
            bits if bits >= INFINITE << FRACTION => f64::INFINITY,
            bits => f64::from_bits(bits),
        };
        if self.0.sign() == num_bigint::Sign::Minus { -magnitude } else { magnitude }
    }

    /// Returns the sum as a text without blanks, in hexadecimal digits and a number of zeros behind them.
    pub fn text(&self) -> String {
        let digits = self.0.to_str_radix(16);
        let kept = digits.trim_end_matches('0');
        match kept {
            "" | "-" => "0".to_owned(),
            kept => format!("{kept}x{}", digits.len() - kept.len()),
        }
    }

    /// Returns the sum that a text stands for.
    pub fn read(text: &str) -> Option<Self> {
        let (digits, zeros) = text.split_once('x').unwrap_or((text, "0"));
        let digits = BigInt::parse_bytes(digits.as_bytes(), 16)?;
        // No sum of floats is longer.
        let zeros = zeros.parse::<u64>().ok().filter(|zeros| *zeros < 1_024)?;
        Some(FloatSum(digits << (4 * zeros)))
    }
}

impl AddAssign<&FloatSum> for FloatSum {
    fn add_assign(&mut self, other: &FloatSum) {
        self.0 += &other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::FloatSum;

    fn sum(numbers: &[f64]) -> FloatSum {
        let mut sum = FloatSum::default();
        numbers.iter().for_each(|number| sum.add(*number, true));
        sum
    }

    #[test]
    fn one_number_is_itself() {
        let numbers = [0.0, 1.0, -1.5, 0.1, 1e-310, -5e-324, 2.225_073_858_507_201e-308, f64::MIN_POSITIVE];
        for number in numbers.into_iter().chain([f64::MAX, f64::MIN, 1e16, 123_456.789, -1e-9]) {
            let sum = sum(&[number]);
            assert_eq!(sum.rounded(), number);
            assert_eq!(FloatSum::read(&sum.text()), Some(sum));
        }
    }

    #[test]
    fn two_numbers_are_rounded_as_the_machine_does() {
        let numbers =
            [1.0, f64::EPSILON, f64::EPSILON / 2.0, 1.0 + f64::EPSILON, 0.1, 0.2, 1e16, 3.0, 5e-324, 9e307, 1.7e308];
        for one in numbers {
            for other in numbers.into_iter().chain(numbers.map(|number| -number)) {
                assert_eq!(sum(&[one, other]).rounded(), one + other, "{one} + {other}");
            }
        }
    }

    #[test]
    fn what_comes_and_goes_leaves_nothing() {
        let mut sum = sum(&[1e300, 1.0, -1e300, 1e-300, 1.0]);
        assert_eq!(sum.rounded(), 2.0);
        for (number, came) in [(1.0, false), (1e-300, false), (0.3, true), (1.0, false), (0.3, false)] {
            sum.add(number, came);
        }
        assert_eq!((sum.rounded(), sum.text().as_str()), (0.0, "0"));
        assert_eq!(FloatSum::read("0"), Some(FloatSum::default()));
        assert_eq!([FloatSum::read(""), FloatSum::read("1x99999")], [None, None]);
    }
}
