//! `+=` and `+==` (D-23, R-135 to R-138), and changes of kind.

use super::{kind, zone};
use jiff::Timestamp;
use model::kinds;
use model::kinds::{PatchOperator, ValueContext};
use serde_json::Value as Json;
use spec::spec;

/// Adds to a value in wire form; gives the sum, or the fault's code.
fn add(name: &str, options: &str, old: &str, operator: &str, operand: &str) -> String {
    let (kind, zone) = (kind(name, options), zone("UTC"));
    let context = ValueContext { zone: &zone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    let json = |text: &str| serde_json::from_str::<Json>(text).unwrap();
    let operator = PatchOperator::split(operator).1.unwrap();
    let old = kinds::accept(&*kind, &json(old), &context).unwrap();
    let sum = kinds::operand(&*kind, operator, &json(operand), &context)
        .and_then(|operand| kinds::combine(&*kind, operator, &old, operand, &context));
    match sum {
        Ok(sum) => {
            let mut out = Vec::new();
            kinds::write_property(&*kind, &sum, &context, &mut out);
            String::from_utf8(out).unwrap()
        }
        Err(fault) => format!("!{}", fault.code),
    }
}

#[test]
fn operators_stand_behind_names() {
    assert_eq!(PatchOperator::split("views+="), ("views", Some(PatchOperator::Add)));
    assert_eq!(PatchOperator::split("tags+=="), ("tags", Some(PatchOperator::AddMissing)));
    assert_eq!(PatchOperator::split("views"), ("views", None));
}

#[spec(plain, "R-136", "D-23")]
fn numbers_are_added() {
    assert_eq!(add("pInteger", "{}", "40", "+=", "2"), "42");
    assert_eq!(add("pInteger", "{}", "40", "+=", "-2"), "38");
    assert_eq!(add("pInteger", "{}", "null", "+=", "2"), "2");
    assert_eq!(add("pInteger", "{}", "9223372036854775807", "+=", "1"), "!out_of_range");
    assert_eq!(add("pInteger", r#"{"max": 10}"#, "9", "+=", "2"), "!too_large");
    assert_eq!(add("pInteger", r#"{"min": 0}"#, "9", "+=", "-2"), "7");
    assert_eq!(add("pInteger", "{}", "1", "+=", r#""9007199254740993""#), "9007199254740994");
    assert_eq!(add("pInteger", "{}", "1", "+=", r#""2""#), "!not_integer");
    assert_eq!(add("pInteger", "{}", "1", "+=", "null"), "!not_number");
    assert_eq!(add("pInteger", "{}", "1", "+==", "2"), "!not_addable");
    assert_eq!(add("pDecimal", r#"{"scale": 2}"#, "0.10", "+=", "0.2"), "0.30");
    assert_eq!(add("pFloat", "{}", "1.5", "+=", "1"), "2.5");
    assert_eq!(add("pFloat", "{}", "1.7e308", "+=", "1.7e308"), "!out_of_range");
}

#[spec(plain, "R-135", "D-23")]
fn texts_are_appended() {
    assert_eq!(add("pText", "{}", r#""a""#, "+=", r#"" b""#), r#""a b""#);
    assert_eq!(add("pText", r#"{"trim": true}"#, r#""a""#, "+=", r#"" b ""#), r#""a b""#);
    assert_eq!(add("pString", "{}", "null", "+=", r#""b""#), r#""b""#);
    assert_eq!(add("pString", r#"{"maxLength": 2}"#, r#""ab""#, "+=", r#""c""#), "!too_long");
    assert_eq!(add("pString", "{}", r#""a""#, "+=", "1"), "!not_text");
}

#[spec(plain, "R-137", "R-138", "D-23")]
fn arrays_are_merged() {
    let options = r#"{"options": ["a", "b", "c"]}"#;
    assert_eq!(add("pEnums", options, r#"["a"]"#, "+=", r#"["b","a"]"#), r#"["a","b","a"]"#);
    assert_eq!(add("pEnums", options, r#"["a"]"#, "+==", r#"["b","a","b"]"#), r#"["a","b"]"#);
    assert_eq!(add("pEnums", options, "null", "+=", r#"["b"]"#), r#"["b"]"#);
    assert_eq!(add("pEnums", options, r#"["a"]"#, "+=", r#""b""#), "!not_array");
    assert_eq!(add("pEnums", options, r#"["a"]"#, "+=", r#"["x"]"#), "!not_option");
    assert_eq!(add("pRelations", r#"{"type": "city"}"#, "[1,2]", "+==", "[2,3]"), "[1,2,3]");
    assert_eq!(add("pJson", "{}", r#"[1,{"a":1}]"#, "+==", r#"[{"a":1},2]"#), r#"[1,{"a":1},2]"#);
    assert_eq!(add("pJson", "{}", r#"{"a":1}"#, "+=", "[1]"), "!not_array");
}

#[test]
fn other_kinds_are_not_added_to() {
    assert_eq!(add("pDate", "{}", r#""2026-01-01""#, "+=", "1"), "!not_addable");
    assert_eq!(add("pBoolean", "{}", "true", "+=", "true"), "!not_addable");
    assert_eq!(add("pEnum", r#"{"options": ["a"]}"#, r#""a""#, "+=", r#""a""#), "!not_addable");
    assert_eq!(add("pRelation", r#"{"type": "city"}"#, "1", "+=", "1"), "!not_addable");
}

/// Converts a value in wire form between kinds given as `pDecimal {"scale": 2}`; gives it in wire form, or
/// the fault's code.
fn converted(old: &str, new: &str, value: &str) -> String {
    let zone = zone("Europe/Prague");
    let context = ValueContext { zone: &zone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    let [old, new] = [old, new].map(|text| {
        let (name, options) = text.split_once(' ').unwrap_or((text, "{}"));
        kind(name, options)
    });
    let stored = kinds::accept(&*old, &serde_json::from_str(value).unwrap(), &context).unwrap();
    match kinds::convert(&*old, &*new, &stored, &context) {
        Ok(stored) => {
            let mut out = Vec::new();
            kinds::write_property(&*new, &stored, &context, &mut out);
            String::from_utf8(out).unwrap()
        }
        Err(fault) => format!("!{}", fault.code),
    }
}

#[test]
fn kinds_change() {
    let choices = r#"pEnum {"options": {"a": null, "7": null, "old": {"archived": true}}}"#;
    let several = choices.replace("pEnum", "pEnums");
    for (old, new, value, expected) in [
        ("pInteger", "pDecimal", "5", "5.00"),
        ("pInteger", "pFloat", "5", "5.0"),
        ("pInteger", "pString", "5", r#""5""#),
        ("pInteger", "pBoolean", "1", "true"),
        ("pInteger", "pBoolean", "2", "!not_boolean"),
        ("pInteger", choices, "7", r#""7""#),
        ("pDecimal", "pInteger", "5", "5"),
        ("pDecimal", "pInteger", "5.5", "!not_integer"),
        ("pDecimal", "pFloat", "5.5", "5.5"),
        ("pDecimal", r#"pDecimal {"scale": 4}"#, "5.5", "5.5000"),
        (r#"pDecimal {"scale": 4}"#, "pDecimal", r#""5.5001""#, "!too_many_places"),
        ("pFloat", "pInteger", "5", "5"),
        ("pFloat", "pDecimal", "0.1", "0.10"),
        ("pFloat", "pString", "1e21", r#""1e21""#),
        ("pBoolean", "pInteger", "true", "1"),
        ("pBoolean", "pString", "false", r#""false""#),
        ("pString", "pInteger", r#"" 5 ""#, "5"),
        ("pString", "pInteger", r#""five""#, "!not_integer"),
        ("pString", "pFloat", r#""NaN""#, "!not_number"),
        ("pString", "pFloat", r#""inf""#, "!not_number"),
        ("pString", "pDate", r#""2026-11-20""#, r#""2026-11-20""#),
        ("pString", "pDateTime", r#""2026-11-20 10:00:00""#, r#""2026-11-20T10:00:00+01:00""#),
        ("pString", "pText", r#""a""#, r#""a""#),
        ("pText", r#"pString {"maxLength": 2}"#, r#""abc""#, "!too_long"),
        ("pString", "pEmail", r#""x""#, "!not_email"),
        ("pString", choices, r#""old""#, r#""old""#),
        ("pString", choices, r#""b""#, "!not_option"),
        ("pString", &several, r#""a""#, r#"["a"]"#),
        ("pString", "pRelation {\"type\": \"city\"}", r#""1""#, "!not_convertible"),
        ("pDate", "pDateTime", r#""2026-07-20""#, r#""2026-07-20T00:00:00+02:00""#),
        ("pDate", "pMonth", r#""2026-07-20""#, r#""2026-07""#),
        ("pMonth", "pDate", r#""2026-07""#, r#""2026-07-01""#),
        ("pMonth", "pDateTime", r#""2026-07""#, r#""2026-07-01T00:00:00+02:00""#),
        ("pDateTime", "pDate", r#""2026-07-20T23:30:00Z""#, r#""2026-07-21""#),
        ("pDateTime", "pString", r#""2026-07-20T23:30:00Z""#, r#""2026-07-21T01:30:00+02:00""#),
        ("pDate", "pInteger", r#""2026-07-20""#, "!not_convertible"),
        (choices, &several, r#""a""#, r#"["a"]"#),
        (&several, choices, r#"["a"]"#, r#""a""#),
        (&several, choices, "[]", "null"),
        (&several, choices, r#"["a","7"]"#, "!several_values"),
        (&several, "pJson", r#"["a","7"]"#, r#"["a","7"]"#),
        (choices, "pString", r#""a""#, r#""a""#),
        (r#"pRelation {"type": "city"}"#, r#"pRelations {"type": "city"}"#, "5", "[5]"),
        (r#"pRelations {"type": "city"}"#, r#"pRelation {"type": "city"}"#, "[5]", "5"),
        (r#"pRelation {"type": "city"}"#, r#"pRelation {"type": "country"}"#, "5", "!not_convertible"),
        (r#"pRelation {"type": "city"}"#, "pInteger", "5", "5"),
        ("pDateTime", "pJson", r#""2026-07-20T23:30:00Z""#, r#""2026-07-21T01:30:00+02:00""#),
        ("pJson", "pInteger", "5", "5"),
        ("pJson", "pString", r#"{"a":1}"#, "!not_text"),
        ("pPassword", "pString", r#""correct horse""#, "!not_convertible"),
        ("pString", "pPassword", r#""correct horse""#, "!not_convertible"),
        ("pInteger", "pString", "null", "null"),
        ("pString", &several, "null", "[]"),
    ] {
        assert_eq!(converted(old, new, value), expected, "{value} from {old} to {new}");
    }
}
