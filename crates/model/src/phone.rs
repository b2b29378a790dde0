//! The phone number that codes are sent to, in the form of E.164.

/// A number with its country, `+` and 7 to 15 digits, without what people put between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhoneNumber(String);

/// Numbers that cost their caller more, so that whoever gets a share of that would have us send there: North America's
/// and the international service of premium rates.
const PREMIUM: [&str; 2] = ["+1900", "+979"];

impl PhoneNumber {
    /// Reads a number.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: String = text.chars().filter(|character| !" -./()".contains(*character)).collect();
        let rest = digits.strip_prefix('+')?;
        let valid = (7..=15).contains(&rest.len())
            && !rest.starts_with('0')
            && rest.bytes().all(|digit| digit.is_ascii_digit())
            && !PREMIUM.iter().any(|premium| digits.starts_with(premium));
        valid.then_some(PhoneNumber(digits))
    }

    /// The number.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::PhoneNumber;

    #[test]
    fn only_numbers_of_the_world_are_read() {
        for (text, expected) in [
            ("+420601234567", Some("+420601234567")),
            ("+420 601 234-567", Some("+420601234567")),
            ("+1 (212) 555.0100", Some("+12125550100")),
            ("+123456789012345", Some("+123456789012345")),
            ("", None),
            ("+", None),
            ("601234567", None),
            ("00420601234567", None),
            ("+0420601234567", None),
            ("++420601234567", None),
            ("+123456", None),
            ("+1234567890123456", None),
            ("+1234567890123456789012345678901234567890", None),
            ("+420601234567;ext=5", None),
            ("+420601234567x5", None),
            ("+420601234567\n", None),
            ("+٤٢٠601234567", None),
            ("+19005550100", None),
            ("+1 900 555 0100", None),
            ("+979123456789", None),
        ] {
            assert_eq!(PhoneNumber::parse(text).as_ref().map(PhoneNumber::as_str), expected, "{text:?}");
        }
    }
}
