//! Expressions of properties as their file has them: `default`, `calculate`, `condition`, `required`, `validate`.

use super::diagnostic::FilePosition;
use super::section::{FileProblems, FileSection};
use super::yaml::{YamlContent, YamlNode};
use model::kinds::CALCULATED;
use model::types::CalculationTime;

/// The beginning of an expression.
const OPEN: &str = "{=";

/// A text with an expression, and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct RuleDraft {
    pub(crate) text: String,
    pub(crate) position: FilePosition,
}

/// The expressions of a property.
#[derive(Debug, Clone, Default)]
pub(crate) struct RuleDrafts {
    pub(crate) default: Option<RuleDraft>,
    pub(crate) calculate: Option<RuleDraft>,
    pub(crate) stored: Option<bool>,
    pub(crate) condition: Option<RuleDraft>,
    pub(crate) required: Option<RuleDraft>,
    /// Condition of the resources that a rollup counts; the kind's own option, which is only looked at.
    pub(crate) filter: Option<RuleDraft>,
    /// Each with its message, where it has one.
    pub(crate) validate: Vec<(RuleDraft, Option<String>)>,
}

impl RuleDrafts {
    /// Reads the keys that hold expressions. `default` and `required` without one are left to be read as values.
    pub(crate) fn read(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Self {
        let peek = |key: &str| {
            let entry = section.mapping.entries.iter().find(|entry| entry.key == key)?;
            let text = entry.value.text().filter(|text| text.contains(OPEN))?;
            Some(RuleDraft { text: text.to_owned(), position: entry.value.position })
        };
        let (default, required, filter) = (peek("default"), peek("required"), peek("where"));
        if required.is_some() {
            // It is known, though it is no boolean.
            section.take("required", problems);
        }
        let mut taken = |key: &'static str| {
            let entry = section.take(key, problems)?;
            let text = section.text_of(entry, problems)?;
            expression(section, key, &entry.value, &text, problems)
        };
        let (calculate, condition) = (taken("calculate"), taken("condition"));
        let stored = section.boolean("stored", problems);
        let validate = validate(section, problems);
        RuleDrafts { default, calculate, stored, condition, required, filter, validate }
    }

    /// Returns the way in which a property of a kind is calculated, where it is. A pCalculated is virtual unless it
    /// says otherwise, others are stored unless they do.
    pub(crate) fn calculated(&self, kind: &str) -> Option<CalculationTime> {
        self.calculate.as_ref()?;
        let stored = self.stored.unwrap_or(kind != CALCULATED);
        Some(if stored { CalculationTime::Stored } else { CalculationTime::Virtual })
    }
}

fn validate(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Vec<(RuleDraft, Option<String>)> {
    let Some(entry) = section.take("validate", problems) else { return Vec::new() };
    let YamlContent::Sequence(members) = &entry.value.content else {
        let message = "validate must be a list: [{rule: \"{=net >= 0}\", message: The amount is negative}].";
        problems.push(section.problem(entry.value.position, "validate", "wrong_value", message));
        return Vec::new();
    };
    let mut rules = Vec::with_capacity(members.len());
    for member in members {
        let Some(mut rule) = FileSection::open(section.file, section.key("validate"), member, problems) else {
            continue;
        };
        let text = rule.require("rule", problems).and_then(|entry| {
            let text = rule.text_of(entry, problems)?;
            expression(&rule, "rule", &entry.value, &text, problems)
        });
        let message = rule.text("message", problems);
        rule.finish(problems);
        rules.extend(text.map(|text| (text, message)));
    }
    rules
}

/// The text of a key that must hold an expression.
fn expression(
    section: &FileSection<'_>,
    key: &str,
    node: &YamlNode,
    text: &str,
    problems: &mut FileProblems,
) -> Option<RuleDraft> {
    if text.contains(OPEN) {
        return Some(RuleDraft { text: text.to_owned(), position: node.position });
    }
    let message = format!("{key} must be an expression: \"{{={text}}}\".");
    problems.push(section.problem(node.position, key, "no_expression", &message));
    None
}
