//! What the specification says of the library as a whole: where functions are called, and what values there are.

use crate::place::{check, run, scope};
use expression::catalogue;
use expression::scope::{AvailableProviders, Scope};
use expression::{Program, RunLimits};
use spec::spec;

#[spec(plain, "R-302")]
fn functions_are_called_inside_the_delimiters_alone() {
    let program = Program::template("upper('a') {=upper('a')}", &scope()).expect("the template is right");
    let value = run(&program, RunLimits::default()).expect("it has a value");
    assert_eq!(expression::wire::encode(&value).expect("it is a text"), "upper('a') A");
    assert_eq!(catalogue::all().count(), 104);
}

/// Global variables have no function in the specification's catalogue; the name is kept for them.
#[spec(plain, "R-323")]
fn global_variables_have_no_function() {
    for scope in [Scope::default(), Scope::of(AvailableProviders::ALL), scope()] {
        let mistakes = Program::expression("globalVar('a')", &scope).expect_err("it is no function");
        assert_eq!(mistakes[0].code, "unknown_function");
    }
    assert!(catalogue::all().all(|function| function.name != "globalVar"));
}

/// What the specification does not show is an error that says so, never a guess.
#[spec(plain, "R-317")]
fn a_function_without_its_provider_or_with_wrong_arguments_is_a_mistake() {
    for (text, scope, expected) in [
        ("trigger('a')", Scope::default(), "provider_missing"),
        ("upper()", Scope::default(), "missing_argument"),
        ("upper('a', 'b')", Scope::default(), "too_many_arguments"),
        ("upper(['a'])", Scope::default(), "wrong_kind"),
    ] {
        let mistakes = Program::expression(text, &scope).expect_err("the expression is wrong");
        assert_eq!(mistakes[0].code, expected, "{text}");
        assert!(mistakes[0].span.to > mistakes[0].span.from, "{text}");
    }
}

/// Each kind of value comes from somewhere and goes somewhere.
#[spec(plain, "R-311", "R-312")]
fn every_kind_of_value_is_there() {
    for (kind, text, expected) in [
        ("mixed", "nothing ?? 'a'", r#""a""#),
        ("boolean", "startsWith('ab', 'a')", "true"),
        ("string", "upper('a')", r#""A""#),
        ("int", "length('abc')", "3"),
        ("float", "1 / 4", "0.25"),
        ("number", "price * 1.5", r#"{"$float":"30.0"}"#),
        ("array", "explode(',', 'a,b')", r#"["a","b"]"#),
        ("object", "object({a: 1}).a", "1"),
        ("ActiveResource", "customer.name", r#""Ann""#),
        ("changes object", "hasChanged(trigger('changes'), 'status')", "true"),
        ("date interval", "dateDiff('2024-01-01', '2024-03-02').m", "2"),
        ("simple file object", "fileFromData('content', 'a.txt').toApiArray().file", r#""a.txt""#),
        ("query result set", "dataQueryCount()", "2"),
    ] {
        println!("{kind}");
        check(text, expected);
    }
}
