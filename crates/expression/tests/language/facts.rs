//! What a program rests on.

use crate::place::scope;
use expression::scope::{ResourceShape, ValueKind, ValueType};
use expression::{Program, ProgramFacts};
use std::sync::Arc;

/// An invoice: a number, a customer with a country, lines with a product; each knows the others' types.
#[derive(Debug)]
struct Of(&'static str);

impl ResourceShape for Of {
    fn name(&self) -> &str {
        self.0
    }
    fn property(&self, name: &str) -> Option<ValueType> {
        Some(match (self.0, name) {
            ("invoice", "lines") => ValueType::resources(Arc::new(Of("line"))),
            ("invoice", "customer") => ValueType::resource(Arc::new(Of("customer"))),
            ("invoice", "due") => ValueKind::DateTime.into(),
            ("invoice", "net") => ValueKind::Decimal.into(),
            ("invoice", "data") => ValueKind::Any.into(),
            ("line", "product") => ValueType::resource(Arc::new(Of("product"))),
            ("line", "count") => ValueKind::Int.into(),
            (_, "name") => ValueKind::Text.into(),
            _ => return None,
        })
    }
    fn names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
}

fn facts(text: &str) -> ProgramFacts {
    let scope = scope().with_context(Some(Arc::new(Of("invoice"))));
    Program::expression(text, &scope).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}")).facts().clone()
}

fn paths(text: &str) -> Vec<String> {
    facts(text).paths.iter().map(|path| path.join(".")).collect()
}

#[test]
fn paths_are_those_that_values_are_taken_from() {
    assert_eq!(paths("net * 2"), ["net"]);
    assert_eq!(paths("customer.name"), ["customer", "customer.name"]);
    assert_eq!(paths("data.a.b[net]"), ["data", "net"]);
    let along = ["lines", "lines.product", "lines.product.name"];
    assert_eq!(paths("map(lines, 'product.name')"), along);
    assert_eq!(paths("lines.map({n: 'product.name'})"), along);
    assert_eq!(paths("lines[0].product.name"), along);
    assert_eq!(paths("if(customer, net, null)"), ["customer", "net"]);
}

#[test]
fn a_resource_that_is_used_as_a_value_counts_with_all_that_it_has() {
    assert_eq!(paths("customer ~ ''"), ["customer", "customer.*"]);
    assert_eq!(paths("customer == 'ACME'"), ["customer", "customer.*"]);
    assert_eq!(paths("customer == 7 and customer != null"), ["customer"]);
    assert_eq!(paths("length(lines)"), ["lines"]);
    assert_eq!(paths("map(lines)"), ["lines", "lines.*"]);
    assert!(facts("arrayFirstValue(lines).count").loose);
    assert!(!facts("lines[0].count").loose);
    assert!(facts("getTitle()").whole && !facts("getTitle(customer)").whole);
}

#[test]
fn the_present_and_the_user_are_seen() {
    for text in [
        "today()",
        "time()",
        "date('Y')",
        "strtotime('+1 day')",
        "compareDates(due, '<')",
        "compareDates(due, '<', 'tomorrow')",
        "due < 'now'",
        "dateDiff('now', due)",
        "formatDate('monday', 'Y')",
    ] {
        assert!(facts(text).present, "{text}");
    }
    for text in ["formatDate(due, 'Y')", "compareDates(due, '<', '2026-01-31')", "due < '2026-01-31 10:00'", "net > 1"]
    {
        assert!(!facts(text).present, "{text}");
    }
    assert!(facts("user('name')").personal() && facts("random(4)").personal() && !facts("net").personal());
}

#[test]
fn chains_of_map_are_checked_against_the_type_of_the_items() {
    let scope = scope().with_context(Some(Arc::new(Of("invoice"))));
    for text in ["map(lines, 'counts')", "lines.map('product.titel')", "lines[0].counts"] {
        let mistakes = Program::expression(text, &scope).expect_err(text);
        assert_eq!(mistakes[0].code, "unknown_property", "{text}");
    }
}

#[test]
fn names_are_those_of_all_that_may_be_taken() {
    let names = |text: &str| (facts(text).names.into_iter().collect::<Vec<_>>().join(" "), facts(text).unnamed);
    let written = |names: &str| (names.to_owned(), false);
    let open = |names: &str| (names.to_owned(), true);
    assert_eq!(names("customer.name ~ user().label"), written("customer label name"));
    assert_eq!(names("map(lines, 'product.name')"), written("lines name product"));
    assert_eq!(names("user().all.map('b.c')"), open("all b c"));
    assert_eq!(names("customer['label']"), written("customer label"));
    assert_eq!(names("lines[0].name"), written("lines name"));
    assert_eq!(names("customer[net]"), open("customer net"));
    assert_eq!(names("export(customer)"), open("customer"));
    assert_eq!(names("map(customer, 'name')"), open("customer name"));
    let asked = |text: &str| {
        let asked = facts(text).changes.into_iter().next().map(|asked| (asked.property, asked.previous));
        asked.map(|(property, previous)| (property.unwrap_or_default(), previous.unwrap_or_default()))
    };
    let found = |property: &str, previous: &str| Some((property.to_owned(), previous.to_owned()));
    assert_eq!(asked("changedFrom('net', 'a')"), found("net", "a"));
    assert_eq!(asked("changedFrom(trigger('changes'), 'net', 'a')"), found("net", "a"));
    assert_eq!(asked("trigger('changes').changedFrom('net', previousValue: 'a')"), found("net", "a"));
    assert_eq!(asked("trigger('changes').hasChanged(data)"), found("", ""));
    assert_eq!(asked("hasChanged(trigger('changes'))"), None);
}
