//! Expressions of properties as their file has them: `default`, `calculate`, `condition`, `required`, `validate`.

use super::diagnostic::{Diagnostic, FilePosition, WARNING};
use super::section::{FileProblems, FileSection};
use super::yaml::{YamlContent, YamlNode};
use model::kinds::CALCULATED;
use model::types::CalculationTime;

/// The beginning of an expression.
const OPEN: &str = "{=";
/// The code of an expression without braces. The property is read as if it had them.
const NO_EXPRESSION: &str = "no_expression";

/// A text with an expression, and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct RuleDraft {
    pub(crate) text: String,
    pub(crate) position: FilePosition,
    /// True if the file has it without its braces, which was told: what else is wrong with it is not.
    pub(crate) is_bare: bool,
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

/// Returns true if the types are what their files say, beside expressions without braces: mistakes of what rests on them
/// are none of theirs.
pub(crate) fn has_types(problems: &[Diagnostic]) -> bool {
    problems.iter().all(|problem| !problem.file.starts_with("types/") || problem.code == NO_EXPRESSION)
}

impl RuleDrafts {
    /// Reads the keys that hold expressions. `default` and `required` without one are left to be read as values.
    pub(crate) fn read(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Self {
        let peek = |key: &str| {
            let entry = section.mapping.entries.iter().find(|entry| entry.key == key)?;
            let text = entry.value.text().filter(|text| text.contains(OPEN))?;
            Some(RuleDraft { text: text.to_owned(), position: entry.value.position, is_bare: false })
        };
        problems.warn(formula(section));
        let (default, required, filter) = (peek("default"), peek("required"), peek("where"));
        if required.is_some() {
            // It is known, though it is no boolean.
            section.take("required", problems);
        }
        let mut taken = |key: &'static str| {
            let entry = section.take(key, problems)?;
            let text = section.text_of(entry, problems)?;
            Some(expression(section, key, &entry.value, &text, problems))
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

/// A default that begins like a formula of a spreadsheet: it is a text.
fn formula(section: &FileSection<'_>) -> Option<Diagnostic> {
    let entry = section.mapping.entries.iter().find(|entry| entry.key == "default")?;
    let text = entry.value.text().filter(|text| text.len() > 1 && text.starts_with('=') && !text.contains(OPEN))?;
    let message =
        format!("This is a text, and no formula. An expression is \"{OPEN}{}}}\".", text.trim_start_matches('='));
    let problem = section.problem(entry.value.position, "default", "formula_as_text", &message);
    Some(Diagnostic { severity: WARNING, ..problem })
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
            Some(expression(&rule, "rule", &entry.value, &text, problems))
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
) -> RuleDraft {
    if text.contains(OPEN) {
        return RuleDraft { text: text.to_owned(), position: node.position, is_bare: false };
    }
    let meant = format!("{OPEN}{}}}", text.trim_start_matches('='));
    let message = format!("{key} must be an expression: \"{meant}\".");
    problems.push(section.problem(node.position, key, NO_EXPRESSION, &message));
    RuleDraft { text: meant, position: node.position, is_bare: true }
}
