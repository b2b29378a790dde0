//! Lengths, pattern and trimming, which `pString` and `pText` share.

use super::options::KindOptions;
use super::text_kind::check_length;
use super::value::ValueFault;
use regex::{Regex, RegexBuilder};
use serde_json::Value as Json;

/// A pattern may compile to this many bytes: it is a tenant's text.
const PATTERN_SIZE: usize = 1 << 20;

/// Texts up to this many characters fit an index of PostgreSQL (2,704 bytes) whatever they are made of.
const INDEXABLE: usize = 600;

/// The options, and what they do; the same for both kinds.
pub(super) const OPTIONS: &[(&str, &str)] = &[
    ("minLength", "the fewest characters, 0 by default"),
    ("maxLength", "the most characters"),
    ("pattern", "a regular expression that the whole text must match"),
    ("trim", "true removes white space at both ends"),
];

/// The requirements for a text.
#[derive(Debug)]
pub(super) struct TextLimits {
    least: usize,
    most: usize,
    pattern: Option<(String, Regex)>,
    trim: bool,
}

impl TextLimits {
    /// Takes the options; `most` is the default of `maxLength`, `ceiling` the highest that can be asked for.
    pub(super) fn take(options: &mut KindOptions, most: i64, ceiling: i64) -> Self {
        let least = options.integer("minLength", 0, ceiling).unwrap_or(0);
        let most = options.integer("maxLength", 1, ceiling).unwrap_or(most);
        if least > most {
            options.fault("minLength", "minLength must not be above maxLength.");
        }
        TextLimits {
            least: usize::try_from(least).unwrap_or(0),
            most: usize::try_from(most).unwrap_or(usize::MAX),
            pattern: options.text("pattern").and_then(|pattern| compile(options, pattern)),
            trim: options.boolean("trim"),
        }
    }

    pub(super) fn normalize(&self, text: &str) -> String {
        if self.trim { text.trim().to_owned() } else { text.to_owned() }
    }

    pub(super) fn check(&self, text: &str) -> Result<(), ValueFault> {
        check_length(text, self.least, self.most)?;
        match &self.pattern {
            Some((pattern, regex)) if !regex.is_match(text) => {
                Err(ValueFault::new("pattern_mismatch", format!("must match the pattern {pattern}")))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn indexable(&self) -> bool {
        self.most <= INDEXABLE
    }

    pub(super) fn schema(&self) -> Json {
        let mut schema = serde_json::json!({"type": "string", "maxLength": self.most});
        if self.least > 0 {
            schema["minLength"] = self.least.into();
        }
        if let Some((pattern, _)) = &self.pattern {
            schema["pattern"] = format!("^(?:{pattern})$").into();
        }
        schema
    }
}

fn compile(options: &mut KindOptions, pattern: String) -> Option<(String, Regex)> {
    // The pattern must be one by itself too: `a)|(b` would escape the anchors.
    let whole = format!("\\A(?:{pattern})\\z");
    match RegexBuilder::new(&whole).size_limit(PATTERN_SIZE).dfa_size_limit(PATTERN_SIZE).build() {
        Ok(regex) if Regex::new(&pattern).is_ok() => Some((pattern, regex)),
        Ok(_) => {
            options.fault("pattern", "pattern is not a regular expression: its parentheses do not match.");
            None
        }
        Err(regex::Error::CompiledTooBig(_)) => {
            options.fault("pattern", "pattern is too large.");
            None
        }
        Err(error) => {
            options.fault("pattern", format!("pattern is not a regular expression: {error}"));
            None
        }
    }
}
