//! `&`, `|`, `^`, `<<`, `>>` and `xor`: how tightly they bind, what they take, what they refuse.

use crate::place::{check, evaluate, run, scope};
use expression::value::Value;
use expression::{Program, RunLimits};

#[test]
fn operators_of_bits_bind_as_in_php() {
    for (text, expected) in [
        ("6 & 3", "2"),
        ("6 | 3", "7"),
        ("6 ^ 3", "5"),
        ("1 | 2 ^ 3 & 2", "1"),
        ("4 & 6 ^ 1 | 8", "13"),
        ("1 << 2 + 3", "32"),
        ("2 * 3 << 1", "12"),
        ("1 << 2 << 3", "32"),
        ("256 >> 2 >> 1", "32"),
        ("'a' ~ 1 << 2", "\"a4\""),
        ("1 << 2 < 5", "true"),
        ("6 & 3 || false", "true"),
        ("price & 4 && count | 4", "true"),
        ("(price & 4) == 4", "true"),
        ("-1 & 255", "255"),
        ("5 ^ -1", "-6"),
        ("2 ** 3 | 1", "9"),
        ("price & 4 ? 'on' : 'off'", "\"on\""),
    ] {
        check(text, expected);
    }
}

#[test]
fn xor_stands_between_or_and_and() {
    for (text, expected) in [
        ("true xor false", "true"),
        ("true xor true", "false"),
        ("true xor true xor true", "true"),
        ("true xor true && false", "true"),
        ("nothing xor price", "true"),
        ("1 xor 'a' ? 1 : 2", "2"),
        ("price > 1 xor count > 1", "false"),
        ("!price xor count", "true"),
        ("if(price xor nothing, 1, 2)", "1"),
    ] {
        check(text, expected);
    }
}

#[test]
fn bits_beyond_the_edges_are_phps() {
    for (text, expected) in [
        ("1 << 63", "-9223372036854775808"),
        ("1 << 64", "0"),
        ("3 << 63", "-9223372036854775808"),
        ("-1 >> 63", "-1"),
        ("-1 >> 64", "-1"),
        ("1 >> 64", "0"),
        ("1 << 9223372036854775807", "0"),
        ("1e20 << 1", "-2914184810805067776"),
        ("'99999999999999999999' | 0", "9223372036854775807"),
        ("-1.9 | 0", "-1"),
        ("' 12 ' & 8", "8"),
        ("true | 2", "3"),
        ("'12' | '3'", "\"32\""),
        ("'abc' & 'b'", "\"`\""),
        ("'abc' ^ '   '", "\"ABC\""),
        ("'' | 'abc'", "\"abc\""),
        ("'' ^ 'abc'", "\"\""),
        ("nothing & 1", "null"),
        ("'a' | nothing", "null"),
        ("nothing << -1", "null"),
    ] {
        check(text, expected);
    }
    // Pieces are put together in order, and the rest of the longer text stays.
    let (long, longer) = ("a".repeat(200), "b".repeat(300));
    check(&format!("('{long}' | '{longer}') == '{}{}'", "c".repeat(200), "b".repeat(100)), "true");
    check(&format!("('{longer}' & '{long}') == '{}'", "`".repeat(200)), "true");
}

#[test]
fn what_has_no_bits_is_refused() {
    for (text, code) in [
        ("1 << -1", "negative_shift"),
        ("price >> -1", "negative_shift"),
        ("price & name", "wrong_operand"),
        ("name << 1", "wrong_operand"),
        ("lines & 1", "wrong_operand"),
        ("customer | 1", "wrong_operand"),
    ] {
        assert_eq!(evaluate(text).map_err(|mistake| mistake.code).map(drop), Err(code), "{text}");
    }
    for (text, code, part) in [
        ("1 & 'a'", "wrong_operand", "1 & 'a'"),
        ("price | 'x' | 'y'", "wrong_operand", "'x'"),
        ("'a' << 1", "wrong_operand", "'a'"),
        ("[1] & 1", "wrong_operand", "[1]"),
        ("{a: 1} | 1", "wrong_operand", "{a: 1}"),
        ("price > 1 & count > 2", "ambiguous", "price > 1"),
    ] {
        let mistakes = Program::expression(text, &scope()).expect_err("the expression is wrong");
        assert_eq!((mistakes[0].code, &text[mistakes[0].span.from..mistakes[0].span.to]), (code, part), "{text}");
    }
}

#[test]
fn mistakes_say_what_was_probably_meant() {
    for (text, advice) in [
        ("price > 1 & count > 2", "`a && b`"),
        ("price > 1 | count > 2", "`a || b`"),
        ("!price ^ 2", "`a xor b`"),
        ("name | upper", "`a.upper()`"),
        ("~price", "`a ^ -1`"),
        ("true xor false or true", "`(a || b) xor c`"),
    ] {
        let mistakes = Program::expression(text, &scope()).expect_err("the expression is wrong");
        assert!(mistakes[0].message.contains(advice), "{text}: {}", mistakes[0].message);
    }
    let mistake = evaluate("price & name").expect_err("a name is no number");
    assert!(mistake.message.contains("a && b"), "{mistake}");
}

#[test]
fn bits_of_secrets_are_secret() {
    for text in [
        "length(getSecret('a')) ^ 1",
        "1 | length(getSecret('a'))",
        "getSecret('a') xor true",
        "true xor getSecret('a')",
    ] {
        let value = evaluate(text).expect("it has a value");
        assert!(matches!(value, Value::Secret(_)), "{text}: {value:?}");
    }
    let mistake = evaluate("getSecret('a') & 1").expect_err("it is no number");
    assert!(!mistake.message.contains("hidden"), "{mistake}");
}

#[test]
fn bits_of_constants_are_known_when_compiled() {
    for (text, expected) in [("1 << 4 | 1", Some(17)), ("6 & 3", Some(2)), ("1 << -1", None), ("price | 1", None)] {
        let program = Program::expression(text, &scope()).expect("the expression is right");
        let found = program.constant().map(|value| matches!(value, Value::Int(number) if Some(*number) == expected));
        assert_eq!(found, expected.map(|_| true), "{text}");
    }
    let program = Program::expression("price | price | price", &scope()).expect("the expression is right");
    let limits = RunLimits::default().with_fuel(2);
    assert_eq!(run(&program, limits).expect_err("it takes more").code, "fuel_spent");
}
