//! All mistakes of a formula at once, with the formula that is accepted.

use expression::example_place::scope;
use expression::scope::{Scope, ValueKind, ValueType};
use expression::{Diagnostic, Program};
use model::correction::complete;
use std::collections::HashMap;

fn complete_in(text: &str, scope: &Scope) -> Vec<Diagnostic> {
    match Program::template(text, scope) {
        Ok(program) => panic!("{text} was taken: {program:?}"),
        Err(mistakes) => complete(text, scope, mistakes),
    }
}

/// Asserts the parts that are marked, and the corrected text.
#[track_caller]
fn corrected(text: &str, parts: &[&str], corrected: Option<&str>) {
    let found = complete_in(text, &scope());
    let marked: Vec<&str> = found.iter().map(|mistake| &text[mistake.span.from..mistake.span.to]).collect();
    assert_eq!(marked, parts, "{text}: {found:#?}");
    let last = found.last().expect("there is a mistake");
    assert_eq!(last.corrected.as_deref(), corrected, "{text}");
    assert!(found.iter().rev().skip(1).all(|mistake| mistake.corrected.is_none()), "{text}: {found:#?}");
}

#[test]
fn mistakes_of_syntax_do_not_hide_others() {
    corrected(
        "{=IF(status=\"paid\"; 0; LEN(name))}",
        &["IF", "=", ";", "LEN(name)"],
        Some("{=if(status==\"paid\", 0, length(name))}"),
    );
    corrected("{=price <> 1 AND count = 2}", &["<>", "AND", "="], Some("{=price != 1 and count == 2}"));
    corrected("a {=price = 1} b {=pric}", &["=", "pric"], Some("a {=price == 1} b {=price}"));
}

#[test]
fn functions_within_one_another_are_replaced() {
    corrected(
        "{=IF(OR(ISBLANK(name), count=0), 0, price/count)}",
        &["IF", "OR(ISBLANK(name), count=0)", "ISBLANK(name)", "="],
        Some("{=if(((name == null) or (count==0)), 0, price/count)}"),
    );
    corrected("{=UPPER(LEFT(name, 2))}", &["UPPER", "LEFT(name, 2)"], Some("{=upper(firstNChars(name, 2))}"));
}

#[test]
fn errors_of_types_are_corrected_too() {
    corrected("{=UPPER(name) & status}", &["UPPER"], Some("{=upper(name) ~ status}"));
}

#[test]
fn names_in_quotes_keep_them() {
    let names = HashMap::from([("env", HashMap::from([("CITY".to_owned(), ValueType::of(ValueKind::Text))]))]);
    let scope = scope().with_parameters(names);
    let found = complete_in("{=env('CITI') <> 'a'}", &scope);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert_eq!(found[1].corrected.as_deref(), Some("{=env('CITY') != 'a'}"));
}

#[test]
fn one_mistake_has_its_suggestion_alone() {
    corrected("{=price <> 1}", &["<>"], None);
    corrected("{=pric}", &["pric"], None);
}

#[test]
fn nothing_is_corrected_that_is_refused_again() {
    corrected("{=price = 1 and ROUNDUP(price, 2) > 3}", &["=", "ROUNDUP(price, 2)"], None);
    corrected("{=price = 1 and }", &["=", ""], None);
    let long = format!("{{={}price = 1}}", "price + ".repeat(400));
    assert_eq!(complete_in(&long, &scope()).len(), 1);
}

#[test]
fn a_suggestion_serves_the_place() {
    let wanted = scope().wanting(ValueKind::Decimal);
    let text = "{=IF(count=0, '', price/count)}";
    let found = complete_in(text, &wanted);
    let last = found.last().expect("there is a mistake");
    assert_eq!(last.corrected.as_deref(), Some("{=if(count==0, null, price/count)}"));
}
