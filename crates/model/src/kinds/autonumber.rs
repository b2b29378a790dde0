//! `pAutonumber`: a number that the platform gives, such as `INV-2026-00042`.

use super::options::KindOptions;
use super::text_kind::TextKind;
use super::*;
use std::fmt::Write as _;

pub(super) const ENTRY: KindEntry = KindEntry {
    name: "pAutonumber",
    help: "A number that Plinth assigns to each new resource, without gaps, such as INV-2026-00042.",
    options: &[(
        "pattern",
        "a text with {YYYY}, {YY}, {MM}, {DD}, and one {#####} for the number with at least as many digits. The number restarts with each year, month or day of the pattern",
    )],
    internal: false,
    build: |options, _| Box::new(AutonumberPattern::take(options)),
};

/// The pattern of such numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutonumberPattern {
    parts: Vec<PatternPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternPart {
    Text(String),
    Year,
    ShortYear,
    Month,
    Day,
    Number(usize),
}

impl AutonumberPattern {
    fn take(options: &mut KindOptions) -> Self {
        let pattern = options.text("pattern").unwrap_or_else(|| "{#}".to_owned());
        let parts = parse(&pattern).unwrap_or_else(|message| {
            options.fault("pattern", message);
            Vec::new()
        });
        AutonumberPattern { parts }
    }

    /// Returns the period of the counter: numbers begin anew when it changes. Empty where the pattern names no date.
    pub fn period(&self, day: jiff::civil::Date) -> String {
        let has = |part: &PatternPart| self.parts.contains(part);
        match (
            has(&PatternPart::Year) || has(&PatternPart::ShortYear),
            has(&PatternPart::Month),
            has(&PatternPart::Day),
        ) {
            (_, _, true) => day.strftime("%Y-%m-%d").to_string(),
            (_, true, _) => day.strftime("%Y-%m").to_string(),
            (true, ..) => day.strftime("%Y").to_string(),
            _ => String::new(),
        }
    }

    /// The text of a number given on that day.
    pub fn format(&self, day: jiff::civil::Date, number: i64) -> String {
        let mut text = String::new();
        for part in &self.parts {
            let written = match part {
                PatternPart::Text(part) => text.write_str(part),
                PatternPart::Year => write!(text, "{:04}", day.year()),
                PatternPart::ShortYear => write!(text, "{:02}", day.year() % 100),
                PatternPart::Month => write!(text, "{:02}", day.month()),
                PatternPart::Day => write!(text, "{:02}", day.day()),
                PatternPart::Number(digits) => write!(text, "{number:0digits$}"),
            };
            written.expect("a String takes any text");
        }
        text
    }
}

impl TextKind for AutonumberPattern {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn check(&self, text: &str) -> Result<(), ValueFault> {
        text_kind::check_length(text, 1, 255)
    }

    fn schema(&self) -> Json {
        serde_json::json!({"type": "string", "readOnly": true})
    }

    fn autonumber(&self) -> Option<&AutonumberPattern> {
        Some(self)
    }
}

fn parse(pattern: &str) -> Result<Vec<PatternPart>, String> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some((text, tail)) = rest.split_once('{') {
        let (token, tail) = tail.split_once('}').ok_or_else(|| "pattern has a { without its }.".to_owned())?;
        if !text.is_empty() {
            parts.push(PatternPart::Text(text.to_owned()));
        }
        parts.push(match token {
            "YYYY" => PatternPart::Year,
            "YY" => PatternPart::ShortYear,
            "MM" => PatternPart::Month,
            "DD" => PatternPart::Day,
            digits if (1..=18).contains(&digits.len()) && digits.bytes().all(|byte| byte == b'#') => {
                PatternPart::Number(digits.len())
            }
            _ => {
                return Err(format!(
                    "pattern has {{{token}}}, which is none of {{YYYY}}, {{YY}}, {{MM}}, {{DD}}, {{#####}}."
                ));
            }
        });
        rest = tail;
    }
    if !rest.is_empty() {
        parts.push(PatternPart::Text(rest.to_owned()));
    }
    let has = |part: &PatternPart| parts.contains(part);
    let year = has(&PatternPart::Year) || has(&PatternPart::ShortYear);
    if parts.iter().filter(|part| matches!(part, PatternPart::Number(_))).count() != 1 {
        return Err("pattern must have one {#####}.".to_owned());
    }
    // Otherwise a number could come twice.
    if (has(&PatternPart::Day) && !has(&PatternPart::Month)) || (has(&PatternPart::Month) && !year) {
        return Err("pattern must name the month with a day, and the year with a month.".to_owned());
    }
    if pattern.len() > 200 || pattern.contains(char::is_control) {
        return Err("pattern must have at most 200 characters and no control characters.".to_owned());
    }
    Ok(parts)
}
