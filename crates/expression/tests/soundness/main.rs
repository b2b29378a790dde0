//! Soundness: random programs that the checker accepts never end in an error of types, on random models and rows, and
//! typed nodes agree with the general evaluator.
//!
//! `PLINTH_SOUNDNESS=1000000 cargo test -p expression --test soundness -- --nocapture` runs as many programs, from the
//! seed `PLINTH_SOUNDNESS_SEED` on. Each program has a seed of its own, which a failure names.

mod dates;
mod generator;
mod lists;
mod model;
mod random;
mod strict;

use expression::scope::{Scope, ValueKind};
use expression::{
    Diagnostic, HostProviders, LanguageRules, Program, Providers, Result, Run, RunLimits, Severity, Value,
};
use generator::Generator;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::Model;
use random::Random;
use strict::ReasonsByCode;

/// The number of programs of an ordinary run.
const PROGRAMS: u64 = 10_000;

/// The number of rows that an accepted program runs on; and one that was refused, to see whether that was needed.
const ROWS: [usize; 2] = [4, 1_000];

/// The most refused programs that are run: each takes as long as many accepted ones.
const REFUSED: u64 = 1_000;

/// The mistakes that are left to the run: limits, digits without end, dates beyond the years 1 to 9999. All others are
/// of types, or of null.
const LEFT: [&str; 5] = ["date_invalid", "decimal_too_large", "fuel_spent", "interval_too_long", "memory_spent"];

/// A row, and the value of each variable.
struct Place(Value, Value);

impl Place {
    fn draw(model: &Model, random: &mut Random) -> Self {
        Place(model.row(random), model::any(random))
    }
}

impl Providers for Place {
    fn lent_resource(&self) -> Option<&Value> {
        Some(&self.0)
    }

    fn local(&self, _: &str) -> Result<Value> {
        Ok(self.1.clone())
    }
}

impl HostProviders for Place {}

/// Runs a program on a row by the rules of a version.
fn evaluated_by(program: &Program, row: &Value, rules: LanguageRules) -> Result<Value, Diagnostic> {
    let mut random = |bytes: &mut [u8]| bytes.fill(0);
    let place = Place(row.clone(), Value::Null);
    let run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, &place, &mut random, RunLimits::default());
    program.evaluate(&mut run.by_rules(rules))
}

/// Runs a program on a row: the result, and the steps that it took.
fn evaluated(program: &Program, place: &Place) -> (Result<Value, Diagnostic>, u64) {
    let mut random = |bytes: &mut [u8]| bytes.fill(0);
    let limits = RunLimits::default();
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, place, &mut random, limits);
    let result = program.evaluate(&mut run);
    (result, limits.fuel - run.steps_left())
}

#[expect(clippy::disallowed_methods, reason = "a run at night is longer")]
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[derive(Default)]
struct Tally {
    accepted: u64,
    refused: u64,
    mistaken: u64,
    /// Those accepted that ask for a value of which nothing is known; and those whose part with such a value failed.
    any: u64,
    excused: u64,
    /// By code: programs that were refused for it alone and run, and what speaks for it.
    strict: ReasonsByCode,
    failures: Vec<String>,
}

#[test]
fn accepted_programs_never_end_in_an_error_of_types() {
    let (programs, first) = (setting("PLINTH_SOUNDNESS", PROGRAMS), setting("PLINTH_SOUNDNESS_SEED", 1));
    let start = std::time::Instant::now();
    let mut tally = Tally::default();
    for seed in first..first + programs {
        check(seed, &mut tally);
        if tally.failures.len() >= 20 {
            break;
        }
    }
    let Tally { accepted, refused, mistaken, any, excused, strict, failures } = tally;
    println!(
        "{accepted} accepted ({any} with values that are not known, of which {excused} failed there), {refused} refused, \
         {mistaken} with mistakes, {:.1?}",
        start.elapsed()
    );
    strict::print(&strict);
    assert!(accepted * 3 >= programs || !failures.is_empty(), "most programs are refused: {accepted} of {programs}");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

fn compiled(text: &str, scope: &Scope) -> Result<Program, Vec<Diagnostic>> {
    if text.contains("{=") { Program::template(text, scope) } else { Program::expression(text, scope) }
}

/// Draws a model, a program and rows, all of one seed.
fn check(seed: u64, tally: &mut Tally) {
    let mut random = Random::of(seed);
    let model = Model::draw(&mut random);
    let mut generator = Generator::of(&model, &mut random);
    let text = if seed.is_multiple_of(8) { generator.template() } else { generator.program() };
    let scope = model.scope();
    let (Ok(typed), Ok(general)) = (compiled(&text, &scope), compiled(&text, &scope.clone().without_typed_nodes()))
    else {
        tally.mistaken += 1;
        return;
    };
    let mut errors: Vec<&'static str> = Vec::new();
    for finding in typed.findings().iter().filter(|finding| finding.severity == Severity::Error) {
        if !errors.contains(&finding.diagnostic.code) {
            errors.push(finding.diagnostic.code);
        }
    }
    if let Some(code) = errors.first() {
        tally.refused += 1;
        if errors.len() == 1 && tally.refused <= REFUSED {
            let rows = strict::rows(&model, &mut random, ROWS[1]);
            let is_alarm =
                strict::judge(&text, [&typed, &general], &scope, &rows, tally.strict.entry(code).or_default());
            if is_alarm && setting("PLINTH_SOUNDNESS_ALARMS", 0) > 0 {
                println!("{code}: seed {seed}: {text}\n    {model}");
            }
        }
        return;
    }
    tally.accepted += 1;
    tally.any += u64::from(model.uses_any(&text));
    let mut is_excused = false;
    for _ in 0..ROWS[0] {
        let place = Place::draw(&model, &mut random);
        let (result, steps) = evaluated(&typed, &place);
        let (wanted, most) = evaluated(&general, &place);
        // A value that is not known before is checked at run time: the part that asks for it may fail, and no other.
        let may_fail = wanted.as_ref().is_err_and(|mistake| model.uses_any(part(&text, mistake)));
        is_excused |= may_fail;
        let fits = |()| if may_fail { Ok(()) } else { fits(&typed, &wanted) };
        if let Err(wrong) = agree(&result, &wanted).and_then(fits) {
            let row = shown(&place.0);
            return tally.failures.push(format!("seed {seed}: {text}\n  {wrong}\n  on {row}\n  {model}"));
        }
        if steps > most {
            return tally.failures.push(format!("seed {seed}: {text}: {steps} steps, not {most}"));
        }
    }
    tally.excused += u64::from(is_excused);
}

/// Returns what a mistake is about: the marked part; of a step from a value, or in a chain of map(), all before it, too.
fn part<'t>(text: &'t str, mistake: &Diagnostic) -> &'t str {
    let from = mistake.span.from;
    let is_step = text.get(..from).is_some_and(|before| before.ends_with(['.', '[', '\'']));
    text.get(if is_step { 0 } else { from }..mistake.span.to).unwrap_or(text)
}

/// Typed nodes give what the general evaluator gives.
fn agree(typed: &Result<Value, Diagnostic>, general: &Result<Value, Diagnostic>) -> Result<(), String> {
    let same = match (typed, general) {
        (Ok(one), Ok(other)) => shown(one) == shown(other),
        (Err(one), Err(other)) => one.code == other.code && one.span == other.span,
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("typed nodes give {typed:?}, the general evaluator {general:?}")) }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Object(object) => {
            let members = object.iter().map(|(name, value)| format!("{name}: {}", shown(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::DateTime(date) => format!("{} {}", date.seconds, date.micros),
        value => format!("{value:?}"),
    }
}

/// The result is of the type that the checker told.
fn fits(program: &Program, result: &Result<Value, Diagnostic>) -> Result<(), String> {
    let value = match result {
        Ok(value) => value,
        Err(mistake) if !LEFT.contains(&mistake.code) => return Err(format!("it fails: {mistake:?}")),
        Err(_) => return Ok(()),
    };
    let of = program.result();
    let kind = if of.kind == ValueKind::Any || of.told == ValueKind::Null { of.told } else { of.kind };
    let fits = match (kind.at_run_time(), value) {
        (ValueKind::Any, _) | (ValueKind::Null, Value::Null) => true,
        (_, Value::Null) => of.nullable,
        (ValueKind::Bool, Value::Bool(_)) | (ValueKind::Int, Value::Int(_)) => true,
        // Beyond 64 bits an integer is a float, as in PHP.
        (ValueKind::Int, Value::Float(_)) => true,
        (ValueKind::Float, Value::Int(_) | Value::Float(_) | Value::Decimal(_)) => true,
        (ValueKind::Decimal, Value::Decimal(_)) => true,
        // And so is what a decimal makes of it.
        (ValueKind::Decimal, Value::Float(number)) => number.abs() >= 2_f64.powi(63),
        (ValueKind::Text, Value::Text(_)) | (ValueKind::DateTime, Value::DateTime(_)) => true,
        (ValueKind::Array, Value::Array(_)) | (ValueKind::Interval, Value::Interval(_)) => true,
        _ => false,
    };
    if fits {
        Ok(())
    } else {
        Err(format!("the checker told {kind:?}, nullable: {}, and it gives {value:?}", of.nullable))
    }
}
