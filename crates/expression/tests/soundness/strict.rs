//! "Not too strict": what becomes of a refused program on many rows, and what its remedy makes of it.

use crate::{evaluated_by, model::Model, random::Random, shown};
use expression::scope::Scope;
use expression::{Finding, LanguageRules, Program, Severity, Value};
use std::collections::BTreeMap;

/// The reasons for a refusal; one without any is an alarm.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Reasons {
    /// Programs that were refused for one code alone.
    pub(crate) programs: u64,
    /// Those that fail on some row.
    failed: u64,
    /// Those whose value differs from that of their remedy on some row.
    remedied: u64,
    /// Those whose value is another one by the rules of version 1.
    former: u64,
    /// Those whose marked comparison or sum has one value on all rows: it asks or counts nothing.
    constant: u64,
    /// Those that never come to the marked part, or give the same whatever it is: only a generator writes such.
    idle: u64,
    /// Those for whose refusal nothing speaks.
    pub(crate) alarms: u64,
}

/// Counts of refused programs, by code.
pub(crate) type ReasonsByCode = BTreeMap<&'static str, Reasons>;

/// Looks at a program that was refused for one code alone.
pub(crate) fn judge(text: &str, programs: [&Program; 2], scope: &Scope, rows: &[Value], reasons: &mut Reasons) -> bool {
    let [typed, general] = programs;
    let errors = || typed.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let values: Vec<_> = rows.iter().map(|row| evaluated_by(general, row, LanguageRules::V2)).collect();
    reasons.programs += 1;
    if values.iter().any(Result::is_err) {
        reasons.failed += 1;
        return false;
    }
    let differs = |program: &Program, rules: LanguageRules| {
        rows.iter().zip(&values).any(|(row, value)| match (evaluated_by(program, row, rules), value) {
            (Ok(one), Ok(other)) => shown(&one) != shown(other),
            _ => true,
        })
    };
    if remedied(text, scope).is_some_and(|program| differs(&program, LanguageRules::V2)) {
        reasons.remedied += 1;
    } else if differs(general, LanguageRules::V1) {
        reasons.former += 1;
    } else if errors().any(|finding| is_constant(text, finding, scope, rows)) {
        reasons.constant += 1;
    } else if errors().any(|finding| is_idle(text, finding, scope, rows, &values)) {
        reasons.idle += 1;
    } else {
        reasons.alarms += 1;
        return true;
    }
    false
}

/// The program after the first remedy of each error, as often as that leads on; none where errors are left.
fn remedied(text: &str, scope: &Scope) -> Option<Program> {
    let mut text = text.to_owned();
    for _ in 0..5 {
        let program = Program::expression(&text, scope).ok()?;
        let mut errors = program.findings().iter().filter(|finding| finding.severity == Severity::Error).peekable();
        if errors.peek().is_none() {
            return Some(program);
        }
        let fix = errors.find_map(|finding| finding.fixes.first())?.clone();
        text.replace_range(fix.span.from..fix.span.to, &fix.text);
    }
    None
}

/// Returns true if the part that a finding is about has the same value on all rows on which it has one.
fn is_constant(text: &str, finding: &Finding, scope: &Scope, rows: &[Value]) -> bool {
    let spans = finding.further.iter().map(|(span, _)| *span).chain([finding.diagnostic.span]);
    spans.filter_map(|span| Program::expression(&text[span.from..span.to], scope).ok()).any(|part| {
        let values = rows.iter().map(|row| evaluated_by(&part, row, LanguageRules::V2));
        let mut values: Vec<String> = values.filter_map(|value| value.ok().map(|value| shown(&value))).collect();
        values.sort_unstable();
        values.dedup();
        values.len() == 1
    })
}

/// Returns true if a part in the place of the marked one is never run, or changes no value.
fn is_idle(
    text: &str,
    finding: &Finding,
    scope: &Scope,
    rows: &[Value],
    values: &[expression::Result<Value, expression::Diagnostic>],
) -> bool {
    let spans = finding.further.iter().map(|(span, _)| *span).chain([finding.diagnostic.span]);
    let same = |text: &str| {
        let Ok(program) = Program::expression(text, scope) else { return false };
        rows.iter().zip(values).all(|(row, value)| match (evaluated_by(&program, row, LanguageRules::V2), value) {
            (Ok(one), Ok(other)) => shown(&one) == shown(other),
            _ => false,
        })
    };
    let other = |span: expression::Span, part: &str| format!("{}{part}{}", &text[..span.from], &text[span.to..]);
    spans.into_iter().any(|span| same(&other(span, "jsonDecode('x')")) || same(&other(span, "(null)")))
}

/// Draws rows of a model.
pub(crate) fn rows(model: &Model, random: &mut Random, count: usize) -> Vec<Value> {
    (0..count).map(|_| model.row(random)).collect()
}

/// Prints the counts.
pub(crate) fn print(reasons: &ReasonsByCode) {
    println!("Refused for one code alone: programs, then what speaks for the refusal");
    println!("  code                 programs  fails  remedy differs  rules 1 differ  always the same   idle  nothing");
    for (code, Reasons { programs, failed, remedied, former, constant, idle, alarms }) in reasons {
        println!("  {code:<22}{programs:>7}{failed:>7}{remedied:>16}{former:>16}{constant:>17}{idle:>7}{alarms:>9}");
    }
}
