//! Answers without secrets: neither in clear nor as the other side may have written them.
//!
//! A text is searched as it stands, and as it reads without the escapes of JSON, addresses, XML and folded lines, two
//! of them within one another. What is found there is taken out of the text itself. Of base64 a part of a longer text
//! is found as well, in any of its three alignments. Hexadecimal digits are found in one case, and letters composed and
//! decomposed. All of it takes time in proportion to the text.

use super::escapes::{self, TextReading};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use base64ct::{Base64Unpadded, Base64UrlUnpadded, Encoding};
use model::error::{Error, Result};
use model::json;
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;

/// Texts that are shorter are no secrets that an answer is searched for.
const SHORT: usize = 8;

/// Stands where a secret was.
const HIDDEN: &str = "***";

/// The most escapes that are read within one another.
const DEPTH: usize = 2;

/// A redactor, which finds some secrets.
pub struct Redactor {
    /// None where there is nothing to be found.
    found: Option<AhoCorasick>,
    /// True if one of them has spaces, which forms write as `+`.
    spaced: bool,
}

impl Redactor {
    /// Finds texts, and the words of them.
    pub fn new(secrets: &[String]) -> Result<Self> {
        let words =
            secrets.iter().flat_map(|secret| secret.split(|letter: char| letter.is_whitespace() || letter == ':'));
        let plain = words.chain(secrets.iter().map(String::as_str)).filter(|text| text.len() >= SHORT);
        let mut patterns = BTreeSet::new();
        for text in plain {
            let forms = BTreeSet::from([text.to_owned(), text.nfc().collect(), text.nfd().collect()]);
            patterns.extend(forms.iter().flat_map(|form| written(form)));
        }
        let is_empty = patterns.is_empty();
        let spaced = patterns.iter().any(|pattern| pattern.contains(&b' '));
        // A full table of states would take some 500 bytes for each byte of a secret.
        let automaton = || AhoCorasick::builder().kind(Some(AhoCorasickKind::ContiguousNFA)).build(patterns);
        let found = (!is_empty).then(automaton).transpose();
        // Nothing is asked of others whose answer could not be cleared.
        let found =
            found.map_err(|_| Error::invalid("http_secrets", "The request has too many or too long secrets."))?;
        Ok(Redactor { found, spaced })
    }

    /// The text with asterisks in the place of secrets.
    pub fn text(&self, text: &str) -> String {
        let mut hidden = Vec::new();
        self.search(&TextReading::of(text.as_bytes()), DEPTH, &mut hidden);
        let (mut cleared, mut end) = (String::with_capacity(text.len()), 0);
        for range in joined(hidden) {
            cleared.push_str(text.get(end..range.start).unwrap_or_default());
            cleared.push_str(HIDDEN);
            end = range.end;
        }
        cleared.push_str(text.get(end..).unwrap_or_default());
        cleared
    }

    /// The body of an answer: JSON where it is some, or else a text.
    pub fn body(&self, body: &[u8]) -> Json {
        let text = String::from_utf8_lossy(body);
        let json = serde_json::from_str(&self.without_numbers(&text));
        json.map_or_else(|_| Json::String(self.text(&text)), |json| self.json(json))
    }

    /// JSON with asterisks in the place of numbers that a secret is a part of, as they are written: a parsed document
    /// has lost digits of long ones.
    fn without_numbers<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let Some(found) = &self.found else { return Cow::Borrowed(text) };
        let (mut cleared, mut end) = (String::new(), 0);
        json::numbers(text.as_bytes(), &mut |range| {
            let number = &text[range.clone()];
            if found.is_match(number) || json::plain(number).is_some_and(|plain| found.is_match(&plain)) {
                cleared.push_str(&text[end..range.start]);
                cleared.push_str(&format!("\"{HIDDEN}\""));
                end = range.end;
            }
        });
        if end == 0 {
            return Cow::Borrowed(text);
        }
        cleared.push_str(&text[end..]);
        Cow::Owned(cleared)
    }

    /// The document with asterisks in the place of secrets, of numbers as well as of texts.
    fn json(&self, json: Json) -> Json {
        match json {
            Json::String(text) => Json::String(self.text(&text)),
            Json::Array(members) => members.into_iter().map(|member| self.json(member)).collect(),
            Json::Object(members) => {
                let members = members.into_iter().map(|(name, member)| (self.text(&name), self.json(member)));
                Json::Object(members.collect::<Map<_, _>>())
            }
            Json::Number(number) => {
                let text = number.to_string();
                let cleared = self.text(&text);
                if cleared == text { Json::Number(number) } else { Json::String(cleared) }
            }
            plain => plain,
        }
    }

    /// Adds where secrets lie in the text that is read, by its own bytes.
    fn search(&self, reading: &TextReading<'_>, depth: usize, hidden: &mut Vec<Range<usize>>) {
        let Some(found) = &self.found else { return };
        let matches = found.find_overlapping_iter(&*reading.bytes);
        hidden.extend(matches.map(|found| reading.within(found.start()..found.end())));
        if depth > 0 {
            for read in escapes::all(self.spaced) {
                if let Some(inner) = reading.read(read) {
                    self.search(&inner, depth - 1, hidden);
                }
            }
        }
    }
}

/// The ranges in order, those that touch as one.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => joined.push(range),
        }
    }
    joined
}

/// The text as others write it.
fn written(text: &str) -> Vec<Vec<u8>> {
    let hexadecimal = |digits: &[u8; 16]| {
        let digit = |number: u8| digits[usize::from(number)];
        text.bytes().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    };
    // Names of headers are in lower case.
    let mut written = vec![text.as_bytes().to_vec(), text.to_ascii_lowercase().into_bytes()];
    written.extend([hexadecimal(b"0123456789abcdef"), hexadecimal(b"0123456789ABCDEF")]);
    written.extend(latin(text));
    written.extend(base64(text.as_bytes()));
    written
}

/// The text as it is read where the other side sends it in Latin-1.
fn latin(text: &str) -> Option<Vec<u8>> {
    let bytes: Vec<u8> = text.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect::<Option<_>>()?;
    (!text.is_ascii()).then(|| String::from_utf8_lossy(&bytes).into_owned().into_bytes())
}

/// Returns the base64 of bytes, wherever in a longer text they begin: the letters that are made of nothing else.
fn base64(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let cut = |before: usize, text: String| {
        let (from, to) = ((8 * before).div_ceil(6), 8 * (before + bytes.len()) / 6);
        text.into_bytes().get(from..to).map(<[u8]>::to_vec)
    };
    let of = move |before: usize| {
        let whole = [&[0; 2][..before], bytes].concat();
        [cut(before, Base64Unpadded::encode_string(&whole)), cut(before, Base64UrlUnpadded::encode_string(&whole))]
    };
    (0..3).flat_map(of).flatten()
}

#[cfg(test)]
mod tests {
    use super::Redactor;
    use serde_json::json;

    const SECRET: &str = "p/ä\"s\\wörd&<secret>";

    fn cleared(text: &str) -> String {
        Redactor::new(&[SECRET.to_owned()]).unwrap().text(text)
    }

    #[test]
    fn escapes_hide_nothing() {
        let units = |letter: char| letter.encode_utf16(&mut [0; 2]).to_vec();
        let json = |letter| units(letter).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
        let upper = |letter| units(letter).iter().map(|unit| format!("\\u{unit:04X}")).collect::<String>();
        let percent = |letter: char| letter.to_string().bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
        let shouted = |letter: char| letter.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let entity = |letter: char| format!("&#{};", u32::from(letter));
        let hex = |letter: char| format!("&#X{:x};", u32::from(letter));
        let all: [&dyn Fn(char) -> String; 6] = [&json, &upper, &percent, &shouted, &entity, &hex];
        for write in all {
            assert_eq!(cleared(&format!("<{}>", SECRET.chars().map(write).collect::<String>())), "<***>");
            // Some letters alone, as each side chooses.
            let some =
                |letter: char| if "\\\"&<>".contains(letter) || letter > 'r' { write(letter) } else { letter.into() };
            assert_eq!(cleared(&SECRET.chars().map(some).collect::<String>()), "***");
        }
        let quoted = serde_json::to_string(SECRET).unwrap();
        assert_eq!(cleared(&quoted), "\"***\"");
        assert_eq!(cleared(&quoted.replace('/', "\\/")), "\"***\"");
        // JSON in JSON, and JSON in an address.
        assert_eq!(cleared(&serde_json::to_string(&quoted).unwrap()), "\"\\\"***\\\"\"");
        let address: String = quoted.bytes().map(|byte| format!("%{byte:02x}")).collect();
        assert_eq!(cleared(&address), "%22***%22");
        assert_eq!(cleared("p/ä&quot;s\\wörd&amp;&lt;secret&gt;"), "***");
    }

    #[test]
    fn hexadecimal_digits_and_decomposed_letters_hide_nothing() {
        use unicode_normalization::UnicodeNormalization;
        let decomposed: String = SECRET.nfd().collect();
        assert_eq!(cleared(&format!("<{decomposed}>")), "<***>");
        assert_eq!(Redactor::new(std::slice::from_ref(&decomposed)).unwrap().text(SECRET), "***");
        for text in [SECRET, &decomposed] {
            let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(cleared(&format!("0a{digits}0d")), "0a***0d");
            assert_eq!(cleared(&digits.to_uppercase()), "***");
        }
        let digits = Redactor::new(&["12345678".to_owned()]).unwrap();
        assert_eq!(digits.body(b"[3132333435363738, 12]"), json!(["***", 12]));
    }

    #[test]
    fn base64_hides_nothing() {
        use base64ct::{Base64, Base64Url, Encoding};
        for before in ["", "x", "xy", "xyz"] {
            for after in ["", "z", "zz"] {
                let whole = format!("{before}{SECRET}{after}");
                for encoded in [Base64::encode_string(whole.as_bytes()), Base64Url::encode_string(whole.as_bytes())] {
                    for text in [encoded.clone(), encoded.trim_end_matches('=').to_owned(), encoded.replace('/', "%2f")]
                    {
                        let cleared = cleared(&text);
                        assert!(cleared.contains("***") && cleared.len() < 16, "{text}: {cleared}");
                    }
                    let (first, second) = encoded.split_at(10);
                    let cleared = cleared(&format!("{first}\r\n{second}"));
                    assert!(cleared.contains("***") && cleared.len() < 16, "{cleared}");
                }
            }
        }
    }

    #[test]
    fn documents_are_cleared_when_they_are_read() {
        let secrets = [SECRET, "Bearer 987654321012", "efghijkl abcdefgh"].map(str::to_owned);
        let redactor = Redactor::new(&secrets).unwrap();
        let body = json!({SECRET: [SECRET, {"a": format!("-{SECRET}-")}], "n": 987_654, "m": 987_654_321_012_u64});
        let cleared = json!({"***": ["***", {"a": "-***-"}], "n": 987_654, "m": "***"});
        assert_eq!(redactor.body(body.to_string().replace('/', "\\/").as_bytes()), cleared);
        // What overlaps goes whole; forms write spaces in a way of their own.
        assert_eq!(redactor.text("abcdefghefghijkl abcdefgh"), "***");
        assert_eq!(redactor.text("q=efghijkl+abcdefgh&r=1"), "q=***&r=1");
        assert_eq!(Redactor::new(&["tür-schlüssel".to_owned()]).unwrap().body(b"t\xfcr-schl\xfcssel!"), "***!");
        assert_eq!(Redactor::new(&["short".to_owned()]).unwrap().text("short"), "short");
    }

    #[test]
    fn numbers_are_cleared_as_they_are_written() {
        let redactor = Redactor::new(&["98765432109876543210".to_owned(), "1234567890.50".to_owned()]).unwrap();
        for number in ["98765432109876543210", "-1987654321098765432107.5", "9.8765432109876543210e19", "1234567890.50"]
        {
            assert_eq!(redactor.body(format!("[1, {number}]").as_bytes()), json!([1, "***"]), "{number}");
            assert_eq!(redactor.body(format!(" {{\"a\\\"5\":{number}}}").as_bytes()), json!({"a\"5": "***"}));
            assert_eq!(redactor.body(number.as_bytes()), json!("***"));
        }
        // In a text it is a part of that, and what is no JSON stays a text.
        assert_eq!(
            redactor.body(b"{\"a\": \"n 98765432109876543210\", \"b\": 1.5e3}"),
            json!({"a": "n ***", "b": 1500.0})
        );
        assert_eq!(redactor.body(b"is 98765432109876543210"), json!("is ***"));
    }
}
