//! Where functions are: with their provider alone, refused before anything runs elsewhere.

use crate::place::{check, run, scope};
use expression::catalogue::{self, Availability};
use expression::scope::{AvailableProviders, Scope};
use expression::{NoProviders, Program, Run, RunLimits};
use spec::spec;

/// Each availability kind: the provider's functions are there with it alone, and ask it.
#[spec(plain, "R-321", "R-322", "R-324", "R-325", "R-326", "R-327", "R-328", "R-329")]
fn functions_of_a_provider_are_there_with_it_alone() {
    for availability in [
        Availability::Trigger,
        Availability::Endpoint,
        Availability::Local,
        Availability::Template,
        Availability::Environment,
        Availability::AppParameters,
        Availability::Secrets,
        Availability::DataQuery,
    ] {
        let all = [
            Availability::Context,
            Availability::Trigger,
            Availability::Endpoint,
            Availability::Local,
            Availability::Template,
            Availability::Environment,
            Availability::AppParameters,
            Availability::Secrets,
            Availability::DataQuery,
        ];
        let others = all.into_iter().filter(|other| *other != availability);
        let without = Scope::of(others.fold(AvailableProviders::default(), AvailableProviders::with));
        let with = match availability {
            // The example counts rows, which functions of the context do.
            Availability::DataQuery => AvailableProviders::default().with(Availability::Context),
            _ => AvailableProviders::default(),
        };
        let with = Scope::of(with.with(availability));
        let mut count = 0;
        for function in catalogue::all().filter(|function| function.availability == availability) {
            count += 1;
            let (text, value) = function.example;
            let mistakes = Program::expression(text, &without).unwrap_err();
            assert_eq!(mistakes[0].code, "provider_missing", "{text}");
            let program = Program::expression(text, &with).unwrap_or_else(|why| panic!("{text}: {why:?}"));
            let value: serde_json::Value = serde_json::from_str(value).unwrap();
            let result = run(&program, RunLimits::default()).unwrap();
            assert_eq!(expression::wire::encode(&result).unwrap(), value, "{text}");
            // Where the place turns out not to have it after all, the error says so.
            let mut random = |_: &mut [u8]| {};
            let now = jiff::Timestamp::UNIX_EPOCH;
            let mut bare = Run::new(now, jiff::tz::TimeZone::UTC, &NoProviders, &mut random, RunLimits::default());
            assert_eq!(program.evaluate(&mut bare).unwrap_err().code, "provider_missing", "{text}");
        }
        assert!(count > 0, "{availability:?}");
    }
}

/// Functions of the context are there with a resource as context alone.
#[spec(plain, "R-320")]
fn functions_of_the_context_are_there_with_a_resource_alone() {
    let without = Scope::default();
    let mut count = 0;
    for function in catalogue::all().filter(|function| function.availability == Availability::Context) {
        count += 1;
        let (text, _) = function.example;
        let mistakes = Program::expression(text, &without).unwrap_err();
        assert!(mistakes.iter().any(|mistake| mistake.code == "provider_missing"), "{text}");
        assert!(Program::expression(text, &scope()).is_ok(), "{text}");
    }
    assert!(count > 10);
}

/// `if`, `object` and `var` are called so.
#[spec(plain, "R-314")]
fn the_callable_names_are_called() {
    check("if(true, 1, 2)", "1");
    check("object({a: 1}, {b: 2})", r#"{"$object":[["a",1],["b",2]]}"#);
    check("var('a')", "\"local a\"");
}

/// Functions whose provider is absent, and names that are none, are refused before anything runs.
#[test]
fn absent_and_unknown_functions_are_one_kind_of_error() {
    for text in ["getSecret('a')", "trigger('a')", "nothing()", "ifElse(1, 2, 3)", "localVar('a')", "__proto__()"] {
        let mistakes = Program::expression(text, &Scope::default()).unwrap_err();
        assert!(matches!(mistakes[0].code, "unknown_function" | "provider_missing"), "{text}: {mistakes:?}");
        assert!(mistakes[0].span.to > 0, "{text}");
    }
}
