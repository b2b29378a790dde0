//! A span of another process, as the header `traceparent` of W3C Trace Context names it.

/// The characters of the header in the version that we know.
const LENGTH: usize = 55;

/// A span that something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceParent {
    pub(crate) trace: u128,
    pub(crate) span: u64,
    /// True if it is kept, as far as its process knows.
    pub(crate) sampled: bool,
}

impl TraceParent {
    /// Reads the header; nothing where it breaks a rule. A later version may have more behind a further hyphen.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let (known, rest) = text.split_at_checked(LENGTH)?;
        if [2, 35, 52].iter().any(|place| known[*place] != b'-') {
            return None;
        }
        let version = hexadecimal(&known[..2])?;
        let has_end = match version {
            0 => rest.is_empty(),
            255 => false,
            _ => rest.first().is_none_or(|next| *next == b'-'),
        };
        let trace = hexadecimal(&known[3..35])?;
        let span = u64::try_from(hexadecimal(&known[36..52])?).ok()?;
        let flags = hexadecimal(&known[53..])?;
        (has_end && trace != 0 && span != 0).then_some(TraceParent { trace, span, sampled: flags & 1 == 1 })
    }

    /// Returns the header.
    pub fn text(&self) -> String {
        format!("00-{:032x}-{:016x}-{:02x}", self.trace, self.span, u8::from(self.sampled))
    }
}

/// Reads digits, in lower case alone as the rules want them.
fn hexadecimal(digits: &[u8]) -> Option<u128> {
    digits.iter().try_fold(0, |number, digit| {
        let digit = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            _ => return None,
        };
        Some(number << 4 | u128::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::TraceParent;

    const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_header_that_keeps_the_rules_is_read() {
        let parent = TraceParent::parse(GOOD.as_bytes()).unwrap();
        assert_eq!((parent.text().as_str(), parent.sampled), (GOOD, true));
        let later = format!("cc{}-what-comes", &GOOD[2..]);
        assert_eq!(TraceParent::parse(later.as_bytes()), Some(parent));
        for (flags, sampled) in [("00", false), ("02", false), ("03", true), ("ff", true)] {
            let parent = TraceParent::parse(format!("{}{flags}", &GOOD[..53]).as_bytes()).unwrap();
            assert_eq!(parent.sampled, sampled, "{flags}");
        }
    }

    #[test]
    fn a_header_that_breaks_a_rule_is_none() {
        let zero_trace = GOOD.replace("4bf92f3577b34da6a3ce929d0e0e4736", &"0".repeat(32));
        let zero_span = GOOD.replace("00f067aa0ba902b7", &"0".repeat(16));
        let long = format!("{GOOD}-more");
        let glued = format!("cc{}more", &GOOD[2..]);
        let forbidden = format!("ff{}", &GOOD[2..]);
        let wrong: [&str; 13] = [
            "",
            "00",
            "00-",
            &GOOD[..54],
            &GOOD.to_uppercase(),
            &GOOD.replace('-', "_"),
            &GOOD.replace('4', "g"),
            &format!(" {GOOD}"),
            &zero_trace,
            &zero_span,
            &long,
            &glued,
            &forbidden,
        ];
        for text in wrong {
            assert_eq!(TraceParent::parse(text.as_bytes()), None, "{text}");
        }
        // Any byte in any place gives a parent or none, and never more.
        for place in 0..GOOD.len() {
            for byte in 0..=255 {
                let mut text = GOOD.as_bytes().to_vec();
                text[place] = byte;
                if let Some(parent) = TraceParent::parse(&text) {
                    assert_eq!(parent.text().len(), GOOD.len());
                }
            }
        }
    }
}
