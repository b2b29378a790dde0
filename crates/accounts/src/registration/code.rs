//! The codes that people type: how long, and of which characters.

use expression::charlist;
use model::environment::Random;
use std::borrow::Cow;

/// The lengths that a code may have.
const LENGTHS: std::ops::RangeInclusive<i64> = 4..=64;
/// The least number of codes that there must be. With 5 tries for each of 11 secrets, guessing one of so few succeeds
/// in a case of 180. Of a million, as by default, it succeeds in one of 18,000.
const LEAST: f64 = 10_000.0;

/// The form of a code: its length and its characters, of which there are at least two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CodeShape {
    length: usize,
    /// The pattern as it was given, in the random-generation format of the expression library.
    charlist: String,
}

/// A fault of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeFault {
    Length,
    Charlist,
    Few,
}

impl CodeShape {
    /// Reads a shape; 6 digits where nothing is given.
    pub(super) fn parse(length: Option<i64>, charlist: Option<&str>) -> Result<Self, CodeFault> {
        let length = length.unwrap_or(6);
        let charlist = charlist.unwrap_or("0-9");
        if !LENGTHS.contains(&length) {
            return Err(CodeFault::Length);
        }
        // What cannot be typed, or is lost where lines are trimmed, is no part of a code.
        let alphabet = charlist::alphabet(charlist.as_bytes());
        let typed = alphabet.len() >= 2 && alphabet.iter().all(u8::is_ascii_graphic);
        if charlist.len() > 100 || !typed || runs_backwards(charlist.as_bytes()) {
            return Err(CodeFault::Charlist);
        }
        let length = usize::try_from(length).map_err(|_| CodeFault::Length)?;
        if (alphabet.len() as f64).powf(length as f64) < LEAST {
            return Err(CodeFault::Few);
        }
        Ok(CodeShape { length, charlist: charlist.to_owned() })
    }

    /// Reads a shape as it is stored. What was taken once stays what it was.
    pub(super) fn of_stored(length: Option<i64>, charlist: Option<&str>) -> Option<Self> {
        let (length, charlist) = (usize::try_from(length?).ok()?, charlist?);
        let drawn = charlist::alphabet(charlist.as_bytes()).len() >= 2;
        drawn.then(|| CodeShape { length, charlist: charlist.to_owned() })
    }

    /// Returns a code as it was generated, out of one that was typed: letters of the other case stand for those of the
    /// alphabet where that has letters of one case alone.
    pub(super) fn as_generated<'c>(&self, typed: &'c str) -> Cow<'c, str> {
        let alphabet = charlist::alphabet(self.charlist.as_bytes());
        match (alphabet.iter().any(u8::is_ascii_uppercase), alphabet.iter().any(u8::is_ascii_lowercase)) {
            (true, false) => typed.to_ascii_uppercase().into(),
            (false, true) => typed.to_ascii_lowercase().into(),
            _ => typed.into(),
        }
    }

    /// A new code: each of its characters as likely as any other.
    pub(crate) fn generate(&self, random: &dyn Random) -> String {
        let alphabet = charlist::alphabet(self.charlist.as_bytes());
        let drawn = charlist::draw(&mut |bytes| random.fill(bytes), &alphabet, self.length);
        drawn.into_iter().map(char::from).collect()
    }

    /// The length, as it is stored.
    pub(crate) fn length(&self) -> i64 {
        i64::try_from(self.length).unwrap_or(i64::MAX)
    }

    /// The pattern, as it is stored.
    pub(super) fn charlist(&self) -> &str {
        &self.charlist
    }
}

/// Returns true if a range of a pattern begins behind its end, as `z-a`. Parts are read as [`charlist::alphabet`] reads
/// them.
fn runs_backwards(pattern: &[u8]) -> bool {
    match pattern {
        [first, b'-', last, behind @ ..] => first > last || runs_backwards(behind),
        [_, behind @ ..] => runs_backwards(behind),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{CodeFault, CodeShape};
    use model::environment::Random;
    use spec::spec;
    use std::sync::Mutex;

    /// SplitMix64: even enough for the tests of chi-square that it passes in the literature, and the same in every run.
    struct Seeded(Mutex<u64>);

    impl Random for Seeded {
        fn fill(&self, bytes: &mut [u8]) {
            let mut state = self.0.lock().unwrap();
            for part in bytes.chunks_mut(8) {
                *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                part.copy_from_slice(&(mixed ^ (mixed >> 31)).to_be_bytes()[..part.len()]);
            }
        }
    }

    #[test]
    fn shapes_have_bounds() {
        let shape = |length, charlist| CodeShape::parse(length, charlist).map(|shape| shape.length);
        assert_eq!(shape(None, None), Ok(6));
        assert_eq!(shape(Some(4), None), Ok(4));
        assert_eq!(shape(Some(64), Some("0-9A-Z")), Ok(64));
        assert_eq!(shape(Some(14), Some("01")), Ok(14));
        for length in [-1, 0, 3, 65, i64::MAX] {
            assert_eq!(shape(Some(length), None), Err(CodeFault::Length), "{length}");
        }
        let long = "0-9".repeat(40);
        let backwards = ["z-a", "9-0", "0-9z-a", "a-zZ-A", "--!"];
        for charlist in
            ["", "0", "aaaa", "0-9 ", "0-9\n", "a-z\0", "!-\u{ff}", "á-ž", &long].into_iter().chain(backwards)
        {
            assert_eq!(shape(None, Some(charlist)), Err(CodeFault::Charlist), "{charlist:?}");
        }
        assert_eq!(shape(Some(13), Some("01")), Err(CodeFault::Few));
    }

    #[test]
    fn codes_are_of_their_characters() {
        let random = Seeded(Mutex::new(0));
        for (charlist, length) in [("0-9", 6), ("0-9A-Z", 8), ("a-zA-Z0-9", 12), ("0-9-", 6), ("abc-", 10)] {
            let code = CodeShape::parse(Some(length), Some(charlist)).unwrap().generate(&random);
            let alphabet = expression::charlist::alphabet(charlist.as_bytes());
            assert_eq!(code.len(), usize::try_from(length).unwrap());
            assert!(code.bytes().all(|byte| alphabet.contains(&byte)), "{code} of {charlist}");
        }
    }

    #[test]
    fn letters_of_one_case_may_be_typed_in_the_other() {
        for (charlist, typed, expected) in [
            ("0-9A-Z", "ab12cd", "AB12CD"),
            ("a-z0-9", "AB12cd", "ab12cd"),
            ("a-zA-Z", "Ab", "Ab"),
            ("0-9", "12ab", "12ab"),
            ("!-@a-f", "@AB", "@ab"),
        ] {
            let shape = CodeShape::parse(Some(14), Some(charlist)).unwrap();
            assert_eq!(shape.as_generated(typed), expected, "{charlist}");
        }
        // Of what was stored when ranges could run backwards.
        assert_eq!(CodeShape::of_stored(Some(6), Some("Z-A")).unwrap().as_generated("ab"), "AB");
    }

    /// A million codes: every digit at every place is as frequent as any other, and so is every pair of neighbours.
    /// The bounds are the values of chi-square that chance exceeds once in a thousand.
    #[spec(plain, "A063")]
    fn a_million_codes_are_spread_evenly() {
        const CODES: usize = 1_000_000;
        let random = Seeded(Mutex::new(0));
        let shape = CodeShape::parse(None, None).unwrap();
        let (mut single, mut pairs) = ([[0_u32; 10]; 6], [[0_u32; 100]; 5]);
        for _ in 0..CODES {
            let code = shape.generate(&random).into_bytes();
            let mut before = 0;
            for (place, character) in code.into_iter().enumerate() {
                let digit = usize::from(character - b'0');
                single[place][digit] += 1;
                if place > 0 {
                    pairs[place - 1][before * 10 + digit] += 1;
                }
                before = digit;
            }
        }
        let chi_square = |counts: &[u32]| {
            let expected = CODES as f64 / counts.len() as f64;
            counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum::<f64>()
        };
        for (place, counts) in single.iter().enumerate() {
            assert!(chi_square(counts) < 27.877, "digits at {place}: {}", chi_square(counts));
        }
        for (place, counts) in pairs.iter().enumerate() {
            assert!(chi_square(counts) < 148.230, "pairs at {place}: {}", chi_square(counts));
        }
    }
}
