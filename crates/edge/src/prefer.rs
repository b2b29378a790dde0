//! Preferences of a request: `Prefer` (RFC 7240).

use super::answer::{Answer, Problem};
use http::StatusCode;
use http::header::{HeaderMap, HeaderName, HeaderValue};

const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// The preferences that a request states. Of one that it states twice, the first counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    minimal: bool,
}

impl Preferences {
    /// Reads them. With `handling=strict`, a preference that is not kept refuses the request.
    pub fn read(headers: &HeaderMap) -> Result<Self, Problem> {
        let (mut minimal, mut strict, mut unknown) = (None, None, None);
        let lines = headers.get_all(PREFER).iter().map(|line| line.to_str().map_err(|_| unreadable()));
        for line in lines {
            for preference in line?.split(',').map(str::trim).filter(|preference| !preference.is_empty()) {
                match Self::normal(preference).as_str() {
                    "return=minimal" => _ = minimal.get_or_insert(true),
                    "return=representation" => _ = minimal.get_or_insert(false),
                    "handling=strict" => _ = strict.get_or_insert(true),
                    "handling=lenient" => _ = strict.get_or_insert(false),
                    _ => _ = unknown.get_or_insert_with(|| preference.to_owned()),
                }
            }
        }
        match unknown.filter(|_| strict == Some(true)) {
            Some(preference) => {
                let message = format!(
                    "The preference {preference:?} is not supported. There are return=minimal, return=representation, \
                     handling=strict and handling=lenient."
                );
                Err(Problem::invalid_at("Prefer", "preference_unknown", message))
            }
            None => Ok(Preferences { minimal: minimal == Some(true) }),
        }
    }

    /// Returns true if answers are to be short.
    pub fn is_minimal(self) -> bool {
        self.minimal
    }

    /// Says that an answer is short, where that is preferred.
    pub fn note(self, answer: Answer) -> Answer {
        if self.minimal { answer.with(PREFERENCE_APPLIED, HeaderValue::from_static("return=minimal")) } else { answer }
    }

    /// Leaves the body of a write's answer out, where that is preferred.
    pub fn apply(self, answer: Answer) -> Answer {
        if !self.minimal {
            return answer;
        }
        let status = if answer.status == StatusCode::OK { StatusCode::NO_CONTENT } else { answer.status };
        Answer { status, body: super::Outgoing::default(), ..answer }
            .with(PREFERENCE_APPLIED, HeaderValue::from_static("return=minimal"))
    }

    /// A preference without its parameters, blanks and quotes, in lower case.
    fn normal(preference: &str) -> String {
        let own = preference.split(';').next().unwrap_or_default();
        own.chars().filter(|letter| !letter.is_whitespace() && *letter != '"').collect::<String>().to_ascii_lowercase()
    }
}

fn unreadable() -> Problem {
    Problem::invalid_at("Prefer", "preference_invalid", "Prefer is not readable text.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{PREFER, Preferences};
    use http::header::{HeaderMap, HeaderValue};

    fn read(lines: &[&'static str]) -> Result<bool, &'static str> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(PREFER, HeaderValue::from_static(line));
        }
        Preferences::read(&headers).map(|found| found.minimal).map_err(|problem| problem.code)
    }

    #[test]
    fn the_first_of_two_counts_and_what_is_unknown_is_refused_when_it_is_to_be() {
        for (lines, expected) in [
            (&[][..], Ok(false)),
            (&["return=minimal"], Ok(true)),
            (&["respond-async, Return = \"Minimal\"; foo"], Ok(true)),
            (&["return=representation, return=minimal"], Ok(false)),
            (&["return=minimal", "return=representation"], Ok(true)),
            (&["wait=10"], Ok(false)),
            (&["handling=strict, return=minimal"], Ok(true)),
            (&["handling=lenient, handling=strict, wait=10"], Ok(false)),
            (&["wait=10", "handling=strict"], Err("preference_unknown")),
        ] {
            assert_eq!(read(lines), expected, "{lines:?}");
        }
    }
}
