//! Texts that values are put into, and steps from values that have no members.

use super::Operand;
use crate::compile::Compiler;
use crate::error::{Diagnostic, Span, capital};
use crate::finding::{Finding, Severity};
use crate::parser::{PathStep, SyntaxKind, SyntaxNode};
use crate::value::Value;
use datetime::IntervalUnit;
use values::types::{ValueKind, ValueType};

/// The members of a file.
const FILE_MEMBERS: [&str; 10] = ["name", "title", "size", "mime", "hash", "created", "url", "width", "height", "data"];

/// Returns true for members that an interval of months or years lacks.
fn has_no_total(name: &str) -> bool {
    name == "days" || name.starts_with("total")
}

/// Returns the letter of formats that writes a part of a date.
fn date_letter(name: &str) -> Option<char> {
    let letters = [("year", 'Y'), ("month", 'n'), ("day", 'j'), ("hour", 'G'), ("minute", 'i'), ("date", 'Y')];
    letters.iter().find(|(part, _)| name.eq_ignore_ascii_case(part)).map(|(_, letter)| *letter)
}

/// Says of a date that it has no members.
fn date_part(name: &str, subject: &str) -> String {
    let letter = date_letter(name).unwrap_or('Y');
    format!("{subject} has no member `{name}`: `formatDate(x, '{letter}')` writes a part of it.")
}

impl Compiler<'_> {
    /// Checks a value that is put into a template.
    pub(crate) fn check_part(&mut self, of: &ValueType, syntax: &SyntaxNode) {
        self.check_joined(&Operand { constant: None, of, syntax });
    }

    /// Checks an operand of `~`.
    pub(super) fn check_joined(&mut self, operand: &Operand<'_>) {
        let span = operand.syntax.span;
        let source = self.source(operand.syntax);
        let grouped = self.grouped(operand.syntax);
        let no_text = |kind: &ValueKind| {
            matches!(kind, ValueKind::Array | ValueKind::Interval | ValueKind::Object | ValueKind::Resource)
        };
        if operand.of.unlike.iter().any(|kind| no_text(&kind)) {
            self.check_unlike(operand, "a text takes single values");
            return;
        }
        let (message, remedy) = match operand.kind() {
            ValueKind::Bool if operand.constant.is_none() => {
                let remedy = format!("({grouped} ? 'yes' : 'no')");
                let message = format!("In a text a boolean is `1` or nothing: `{remedy}`.");
                let finding = Finding::new(Severity::Warning, "boolean_in_text", span, message);
                return self.find(finding.fixed(span, remedy));
            }
            ValueKind::Array if operand.of.member().known() == ValueKind::Resource => {
                let remedy = format!("join(', ', map({source}, 'getTitle()'))");
                (format!("A list of resources is not a text: `{remedy}` joins their titles."), Some(remedy))
            }
            ValueKind::Array => {
                let remedy = format!("join(', ', {source})");
                (format!("An array is not a text: `{remedy}`."), Some(remedy))
            }
            ValueKind::Interval => {
                let (remedy, _) = self.interval_number(operand.syntax);
                (format!("An interval is not a text: `{remedy}` is its number."), Some(remedy))
            }
            ValueKind::Resource => {
                let remedy = match operand.of.nullable {
                    true => format!("({grouped} != null ? getTitle({source}) : '')"),
                    false => format!("getTitle({source})"),
                };
                (format!("A resource is not a text: `{remedy}`, or one of its properties."), Some(remedy))
            }
            ValueKind::Changes => {
                ("Changes are not a text: `hasChanged('status')` asks about one property.".to_owned(), None)
            }
            kind @ (ValueKind::Object | ValueKind::Rows) => {
                (format!("{} is not a text: write one of its members.", capital(kind.words())), None)
            }
            _ => return,
        };
        let mut finding = Finding::new(Severity::Error, "no_text", span, message);
        if let Some(remedy) = remedy {
            finding = finding.fixed(span, remedy);
        }
        self.find(finding);
    }

    /// Checks a step from a value: changes have no members, nor have dates and texts places to look at.
    pub(crate) fn check_step(&mut self, step: &PathStep, of: &ValueType) {
        let span = match step {
            PathStep::Property(_, span) => *span,
            PathStep::Index(key) => key.span,
            PathStep::Call(_) => return,
        };
        match (of.known(), step) {
            (ValueKind::Changes, _) => {
                let property = match step {
                    PathStep::Property(name, _) => name.as_str(),
                    _ => "status",
                };
                let message =
                    format!("Changes have no members: `hasChanged('{property}')`, or `changedFrom('{property}', …)`.");
                self.error("no_members", span, message);
            }
            (kind, PathStep::Index(_)) if kind.is_scalar() || kind.is_date() => {
                let message = format!("{} has no members.", capital(kind.words()));
                self.error("no_members", span, message);
            }
            (ValueKind::DateTime, PathStep::Property(name, _)) => {
                let (message, letter) = (date_part(name, "A datetime"), date_letter(name));
                let finding = Finding::new(Severity::Error, "no_members", span, message);
                self.find(finding.fixed(span, format!("formatDate('{}')", letter.unwrap_or('Y'))));
            }
            (ValueKind::Interval, PathStep::Property(name, _)) if of.units.of_months() && has_no_total(name) => {
                let message = format!(
                    "Months differ in length, so an interval of months has no {name}: of two dates, \
                     `dateDiff(a, b).days` counts the days."
                );
                self.error("no_members", span, message);
            }
            (ValueKind::File, PathStep::Property(name, _)) if !FILE_MEMBERS.contains(&name.as_str()) => {
                let message =
                    format!("A file has no member `{name}`, but `name`, `title`, `size`, `mime`, `created` and `url`.");
                self.error("no_members", span, message);
            }
            (ValueKind::Resource, PathStep::Index(key)) if matches!(key.kind, SyntaxKind::Literal(Value::Int(_))) => {
                let message = "A resource is not a list: a dot takes a property by its name, `customer.name`.";
                self.error("no_members", span, message.to_owned());
            }
            // A mistake says so if the kind is known for certain.
            (ValueKind::Int, PathStep::Property(name, _)) if IntervalUnit::of(name).is_some() => {}
            (kind, PathStep::Property(..)) if of.kind == ValueKind::Any && kind.is_scalar() => {
                let message = format!("{} has no members.", capital(kind.words()));
                self.error("no_members", span, message);
            }
            (ValueKind::Array, step) => self.check_item(step, span, of),
            (_, step) => {
                let has_unit = |kind: ValueKind| {
                    kind == ValueKind::Int
                        && matches!(step, PathStep::Property(name, _) if IntervalUnit::of(name).is_some())
                };
                let single = |kind: &ValueKind| (kind.is_scalar() || kind.is_date()) && !has_unit(*kind);
                if let Some(kind) = of.unlike.iter().find(single) {
                    let message = format!("In one of the branches this is {}, which has no members.", kind.words());
                    self.error("no_members", span, message);
                }
            }
        }
    }

    /// Checks a step from a list: its items have numbers, and no names.
    fn check_item(&mut self, step: &PathStep, span: Span, of: &ValueType) {
        let name = match step {
            PathStep::Property(name, _) if of.items.is_none() => name.as_str(),
            PathStep::Index(key) => match &key.kind {
                SyntaxKind::Literal(Value::Text(name)) => name.as_str().unwrap_or_default(),
                _ => return,
            },
            _ => return,
        };
        // Of an array whose items are not known, names may be keys.
        if !of.knows_items() || name.parse::<i64>().is_ok() {
            return;
        }
        let is_length = ["length", "count", "size"].contains(&name);
        let message = match is_length {
            true => "An array has no properties. Write `length(x)`.".to_owned(),
            false => format!("An array has no member `{name}`: its items do, `x[0]`, or `map(x, '{name}')` for all."),
        };
        let finding = Finding::new(Severity::Error, "no_members", span, message);
        let is_fixed = is_length && matches!(step, PathStep::Property(..));
        self.find(if is_fixed { finding.fixed(span, "length()") } else { finding });
    }

    /// Gives the mistake of a name behind a text and a dot with blanks around it the sign that joins texts.
    pub(crate) fn joined_by_dot(&self, mut mistake: Diagnostic, of: &ValueType) -> Diagnostic {
        let span = mistake.span;
        let before = self.text.get(..span.from).and_then(|before| before.trim_end().strip_suffix('.'));
        let Some(before) =
            before.filter(|before| of.known() == ValueKind::Text && before.ends_with(char::is_whitespace))
        else {
            return mistake;
        };
        if let Some(name) = self.text.get(span.from..span.to).filter(|_| mistake.suggestion.is_none()) {
            mistake.span.from = before.len();
            mistake.suggestion = Some(format!("~ {name}"));
        }
        mistake
    }

    /// Returns the type of what stands in brackets: of a resource, the property whose name is written there.
    pub(crate) fn index_type(&mut self, of: &ValueType, key: &SyntaxNode) -> ValueType {
        match &key.kind {
            SyntaxKind::Literal(Value::Text(name)) if of.shape.is_some() => {
                let checked = crate::check::property(of, &name.lossy(), key.span);
                checked.unwrap_or_else(|mistake| self.found(mistake, |near| format!("'{near}'")))
            }
            _ => of.item(),
        }
    }

    /// Finds what was a mistake elsewhere: stored files have it. The text writes the name that may have been meant.
    fn found(&mut self, mistake: Diagnostic, text: impl Fn(&str) -> String) -> ValueType {
        let mut finding = Finding::new(Severity::Error, mistake.code, mistake.span, mistake.message);
        if let Some(near) = mistake.suggestion {
            finding.diagnostic.message.push_str(&format!(" Did you mean `{near}`?"));
            finding = finding.fixed(mistake.span, text(&near));
        }
        self.find(finding);
        ValueType::default()
    }

    /// Returns the type that was checked of a member: of a value that a test chose, a mistake is a finding.
    pub(crate) fn known_of(&mut self, of: &ValueType, checked: Result<ValueType, Diagnostic>) -> ValueType {
        match checked {
            Err(mistake) if of.shape.as_ref().is_some_and(|shape| shape.choices().is_some()) => {
                self.found(mistake, str::to_owned)
            }
            checked => self.known(checked),
        }
    }

    /// Checks an index of an array that is written out.
    pub(crate) fn check_index(&mut self, array: &SyntaxNode, key: &SyntaxNode) {
        if let (SyntaxKind::Array(items), SyntaxKind::Literal(Value::Int(place))) = (&array.kind, &key.kind)
            && usize::try_from(*place).map_or(true, |place| place >= items.len())
        {
            let Span { from, to } = key.span;
            let message = format!("The array has {} items, the first with the index 0: this gives null.", items.len());
            self.warning("beyond_array", Span { from, to }, message);
        }
    }
}
