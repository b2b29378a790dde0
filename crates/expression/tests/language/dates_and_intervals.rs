//! Dates and intervals in `+` and `-`, their members and order; and the points in which versions of rules differ.

#![expect(clippy::unwrap_used, reason = "a test fails where what it needs is not there")]

use expression::scope::{AvailableProviders, Scope};
use expression::value::Value;
use expression::{LanguageRules, NoProviders, Program, Run, RunLimits, wire};
use jiff::Timestamp;
use jiff::tz::{TimeZone, TimeZoneDatabase};

/// The JSON of a value by rules of a version, or the code of the error. The zone is that of Prague.
fn by_rules(text: &str, rules: LanguageRules, variables: &[(&str, Value)]) -> String {
    let program = Program::expression(text, &Scope::of(AvailableProviders::default()));
    let program = match program {
        Ok(program) => program,
        Err(mistakes) => return format!("refused {}", mistakes[0].code),
    };
    let zone: TimeZone = TimeZoneDatabase::bundled().get("Europe/Prague").unwrap();
    let mut random = |bytes: &mut [u8]| bytes.fill(0);
    let now = Timestamp::from_second(1_796_385_600).unwrap();
    let mut run = Run::new(now, zone, &NoProviders, &mut random, RunLimits::default()).by_rules(rules);
    run.variables.extend(variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    match program.evaluate(&mut run) {
        Ok(value) => wire::encode(&value).unwrap().to_string(),
        Err(mistake) => format!("error {}", mistake.code),
    }
}

fn moment(wall: &str) -> Value {
    wire::decode(&serde_json::json!({ "$datetime": { "wall": wall, "tz": "Europe/Prague" } })).unwrap()
}

fn variables() -> Vec<(&'static str, Value)> {
    vec![
        ("due", "2026-11-20".into()),
        ("issued", "2026-11-02".into()),
        ("end", "2026-01-31".into()),
        ("month", "2026-11".into()),
        ("time", "14:30".into()),
        ("terms", Value::Int(14)),
        ("opened", moment("2026-11-20 08:00:00")),
        ("closed", moment("2026-11-21 09:30:00")),
        // The clocks go forward on the 29th.
        ("spring", moment("2026-03-28 12:00:00")),
        ("apples", "5 apples".into()),
        ("five", "5".into()),
        ("german", "20.11.2026".into()),
    ]
}

#[test]
fn dates_are_counted_with() {
    for (text, wanted) in [
        ("14.days.days", "14"),
        ("$due + 5.days", r#""2026-11-25""#),
        ("$due - 3.weeks", r#""2026-10-30""#),
        ("5.days + $due", r#""2026-11-25""#),
        ("$issued + $terms.days", r#""2026-11-16""#),
        ("$issued + $nothing.days", "null"),
        ("$nothing + 5.days", "null"),
        ("$end + 1.months", r#""2026-02-28""#),
        ("$end + 1.months + 1.days", r#""2026-03-01""#),
        ("$end - 1.years", r#""2025-01-31""#),
        ("$due + -(5.days)", r#""2026-11-15""#),
        ("$month + 2.months", r#""2027-01""#),
        ("$time + 45.minutes", r#""15:15""#),
        ("$time - 15.hours", r#""23:30""#),
        ("$due - $issued", "18"),
        ("$issued - $due", "-18"),
        ("'2026-12-24' - '2026-11-20'", "34"),
        ("formatDate($opened + 4.hours, 'Y-m-d H:i')", r#""2026-11-20 12:00""#),
        ("formatDate($opened - 1.months, 'Y-m-d H:i')", r#""2026-10-20 08:00""#),
        // A day keeps the time of the clock, hours pass.
        ("formatDate($spring + 1.days, 'Y-m-d H:i')", r#""2026-03-29 12:00""#),
        ("formatDate($spring + 24.hours, 'Y-m-d H:i')", r#""2026-03-29 13:00""#),
        ("formatDate('2026-11-20 08:00' + 30.minutes, 'H:i')", r#""08:30""#),
        ("($closed - $opened).totalHours", "25.5"),
        ("($opened - $closed).totalMinutes", r#"{"$float":"-1530.0"}"#),
        ("($closed - $opened).totalSeconds", "91800"),
        ("($closed - $opened).days", "1"),
        ("($spring + 1.days - $spring).totalHours", r#"{"$float":"23.0"}"#),
        ("36.hours.totalDays", "1.5"),
        ("formatDate($closed - $opened, '%a days, %h hours')", r#""1 days, 1 hours""#),
        ("formatDate(14.days, '%a days')", r#""14 days""#),
        ("$closed - $opened > 25.hours", "true"),
        ("$closed - $opened < 1.days", "false"),
        ("1.weeks == 7.days", "true"),
        ("1.months == 1.months", "true"),
        ("1.months == 30.days", "false"),
        ("$opened < 1.5e9", "false"),
    ] {
        assert_eq!(by_rules(text, LanguageRules::V2, &variables()), wanted, "{text}");
    }
}

#[test]
fn unlike_kinds_fail() {
    for (text, wanted) in [
        ("$due + 5", "error wrong_operand"),
        ("$due + 4.hours", "error wrong_interval"),
        ("$month + 1.days", "error wrong_interval"),
        ("$time + 1.days", "error wrong_interval"),
        ("$german + 1.days", "error wrong_operand"),
        ("$due - $opened", "error wrong_operand"),
        ("$due - $month", "error wrong_operand"),
        ("$due + $issued", "error wrong_operand"),
        ("5.days - $due", "error wrong_operand"),
        ("5.days + 3.days", "error wrong_operand"),
        ("5.days * 2", "error wrong_operand"),
        ("$opened + 5", "error wrong_operand"),
        ("$apples * 2", "error wrong_operand"),
        ("$apples % 2", "error wrong_operand"),
        ("$apples & 1", "error wrong_operand"),
        ("$apples & $five", "error wrong_operand"),
        ("$due + 9999.years", "error date_invalid"),
        ("1.months < 2.months", "error wrong_operand"),
        ("1.months.totalDays", "error no_total"),
        ("14.days > 5", "error wrong_operand"),
        ("9223372036854775807.weeks", "error interval_too_long"),
        ("14.dyas", "refused no_properties"),
        ("1.5.days", "refused no_properties"),
        ("14.days.totalDay", "refused unknown_property"),
        ("$five + 1", "6"),
        ("'a' & 'b'", r#""`""#),
    ] {
        assert_eq!(by_rules(text, LanguageRules::V2, &variables()), wanted, "{text}");
    }
}

/// An error names what was found, and what to write; never the value.
#[test]
fn errors_say_what_to_write() {
    for (text, wanted) in [
        (
            "$apples + 1",
            "+ wants numbers, and the string only begins with one. toInt() and toFloat() read the number that a string \
             begins with; they read a point, not a comma.",
        ),
        (
            "$due + 5",
            "+ wants numbers, and the string only begins with one. It is a date, which takes an interval: date + 5.days.",
        ),
        ("$opened + 5", "+ wants numbers, not a datetime. A datetime takes an interval: date + 4.hours."),
        ("$due + 4.hours", "A date takes days, weeks, months and years, and no hours."),
        ("14.days > 5", "An interval is not a number: its days are interval.days, its hours interval.totalHours."),
    ] {
        let program = Program::expression(text, &Scope::of(AvailableProviders::default())).unwrap();
        let mut random = |bytes: &mut [u8]| bytes.fill(0);
        let now = Timestamp::UNIX_EPOCH;
        let mut run = Run::new(now, TimeZone::UTC, &NoProviders, &mut random, RunLimits::default());
        run.variables.extend(variables().into_iter().map(|(name, value)| (name.to_owned(), value)));
        assert_eq!(program.evaluate(&mut run).unwrap_err().message, wanted, "{text}");
    }
}

/// The points in which the versions differ: by the rules of 1, and of 2.
#[test]
fn versions_of_rules_differ_in_these_points() {
    let now = r#""2026""#;
    for (text, former, newest) in [
        ("$apples + 1", "6", "error wrong_operand"),
        ("'5 apples' + 1", "6", "error wrong_operand"),
        ("$due - $issued", "0", "18"),
        ("'2026-12-24' - '2026-11-20'", "0", "34"),
        ("$due + 5", "2031", "error wrong_operand"),
        ("upper($nothing)", "error argument_type", r#""""#),
        ("lower(null)", "error argument_type", r#""""#),
        ("firstUpper(null)", "error argument_type", r#""""#),
        ("firstLower(null)", "error argument_type", r#""""#),
        ("trim(null)", "error argument_type", r#""""#),
        ("webalize(null)", "error argument_type", "error argument_type"),
        ("formatDate($nothing, 'Y')", now, r#""""#),
        ("dateDiff($nothing, $nothing) == null", "false", "true"),
        ("$opened < 5", "true", "false"),
        ("$opened == 1", "true", "false"),
        ("1795158000 == $opened", "false", "true"),
        ("$apples & $five", r#""5""#, "error wrong_operand"),
        ("dateDiff($issued, $due) > dateDiff($due, $due)", "false", "true"),
        ("dateDiff($issued, $due) > 5", "false", "error wrong_operand"),
        // Intervals are new, so that both versions have them.
        ("$due + 5.days", r#""2026-11-25""#, r#""2026-11-25""#),
        ("$closed - $opened > 25.hours", "false", "true"),
    ] {
        let found = [LanguageRules::V1, LanguageRules::V2].map(|rules| by_rules(text, rules, &variables()));
        assert_eq!(found, [former.to_owned(), newest.to_owned()], "{text}");
    }
}
