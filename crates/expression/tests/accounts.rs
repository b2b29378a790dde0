//! Evaluations that share their steps: one, and those that what it asks for leads to.

use expression::scope::AvailableProviders;
use expression::{Fault, HostProviders, Program, Providers, Result, Run, RunLimits, Scope, StepAccount, Value};
use jiff::Timestamp;
use jiff::tz::TimeZone;

const FUEL: u64 = 10_000;

/// A place where `appParameter(name)` evaluates the expression `name` out of the same account.
struct Within<'a> {
    account: &'a StepAccount,
}

impl Providers for Within<'_> {}

impl HostProviders for Within<'_> {
    fn app_parameter(&self, name: &str) -> Result<Value> {
        let value = evaluate(name, self).unwrap_or_default();
        match self.account.has_ended() {
            true => Err(Fault::new("fuel_spent", "Nothing is left.")),
            false => Ok(value),
        }
    }
}

fn evaluate(text: &str, place: &Within<'_>) -> std::result::Result<Value, &'static str> {
    let program =
        Program::expression(text, &Scope::of(AvailableProviders::ALL)).unwrap_or_else(|why| panic!("{text}: {why:?}"));
    let mut random = |_: &mut [u8]| {};
    let limits = RunLimits::default().with_fuel(FUEL);
    let mut run = Run::new(Timestamp::UNIX_EPOCH, TimeZone::UTC, place, &mut random, limits).paid_by(place.account);
    run.variables.insert("list".to_owned(), Value::Array((0..1_000).map(Value::Int).collect()));
    let value = program.evaluate(&mut run).map_err(|mistake| mistake.code);
    place.account.give_back(run.steps_left());
    value
}

/// The steps that an expression takes with all within it, and its value, a whole number.
fn taken(text: &str) -> (u64, std::result::Result<i64, &'static str>) {
    let account = StepAccount::new(FUEL);
    let place = Within { account: &account };
    let value = evaluate(text, &place).map(|value| if let Value::Int(number) = value { number } else { -1 });
    let mut left = 0;
    while account.take(1) {
        left += 1;
    }
    (FUEL - left, value)
}

/// An expression that goes through a thousand items so many times.
fn walks(times: usize) -> String {
    vec!["length(join('', $list))"; times].join(" + ")
}

/// The same, which asks for an expression that does.
fn asks(times: usize, within: usize) -> String {
    format!("{} + appParameter(\"{}\")", walks(times), walks(within))
}

#[test]
fn what_lies_within_is_paid_for_with_the_rest() {
    let (one, value) = taken(&walks(3));
    assert_eq!(value, Ok(3 * 2_890));
    let (other, _) = taken(&walks(4));
    let (both, value) = taken(&asks(3, 4));
    assert_eq!(value, Ok(7 * 2_890));
    assert!((one + other..one + other + 100).contains(&both), "{one} and {other} are {both}");
    // As much as there is, and not one more: what is drawn and not used is put back.
    assert!(taken(&walks(9)).1.is_ok());
    assert_eq!(taken(&walks(10)).1, Err("fuel_spent"));
    assert!(taken(&asks(4, 5)).1.is_ok());
    assert_eq!(taken(&asks(5, 5)).1, Err("fuel_spent"), "the outer one had the first half");
}

#[test]
fn what_takes_too_much_by_itself_fails_by_itself() {
    let greedy = "(appParameter('range(1, 99999)') ?? 5) + length($list)";
    let (steps, value) = taken(greedy);
    assert!(value == Ok(1_005) && steps < 1_000, "{steps}: {value:?}");
    // One that would have had enough ends all that share it.
    let late = format!("{} + (appParameter('length(range(1, 20000))') ?? 0) + length(join('', $list))", walks(6));
    assert_eq!(taken(&late).1, Err("fuel_spent"));
}
