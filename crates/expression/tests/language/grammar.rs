//! The language around the functions: grammar, paths, templates, checks, limits, secrets.

use crate::place::{check, evaluate, run, scope};
use expression::scope::{AvailableProviders, Scope, ValueKind, ValueType};
use expression::{Program, RunLimits, Value};
use spec::spec;
use std::collections::HashMap;

/// The code of what is wrong with an expression, and what is suggested.
fn refused(text: &str) -> (&'static str, Option<String>) {
    match Program::expression(text, &scope()) {
        Ok(program) => panic!("{text} was taken: {program:?}"),
        Err(mistakes) => (mistakes[0].code, mistakes[0].suggestion.clone()),
    }
}

#[spec(plain, "R-318")]
fn operators_and_paths() {
    for (text, expected) in [
        ("1 + 2 * 3 - 4", "3"),
        ("2 ** 3 ** 2", "512"),
        ("-price", "-20"),
        ("price * count > 50 && status == 'done'", "true"),
        ("!status == 'done'", "false"),
        ("status in ['draft', 'done']", "true"),
        ("status not in ['draft', 'done']", "false"),
        ("'a' ~ 1 ~ null ~ true", "\"a11\""),
        ("customer.country.code", "\"CZ\""),
        ("customer.country.missing.code ?? 1", "1"),
        ("nothing.a.b['c']", "null"),
        ("nothing ?? 'else'", "\"else\""),
        ("nothing ?: 'else'", "\"else\""),
        ("nothing < 1 || nothing > 1", "false"),
        ("nothing == null", "true"),
        ("nothing ? 1 : 2", "2"),
        ("lines[0].product.name", "\"pen\""),
        ("lines[1]['count']", "3"),
        ("lines[9].a", "null"),
        ("{a: {b: [1, 2]}}.a.b[1]", "2"),
        ("id", "42"),
        ("uuid", "\"uuid-42\""),
        ("$x", "\"local x\""),
        ("/* why */ 1_000", "1000"),
    ] {
        check(text, expected);
    }
}

#[test]
fn calls() {
    for (text, expected) in [
        ("upper('a')", "\"A\""),
        ("name.upper().firstLower()", "\"oRDER\""),
        ("explode(limit: 2, string: 'a,b,c', separator: ',')", "[\"a\",\"b,c\"]"),
        ("explode(...[',', 'a,b'])", "[\"a\",\"b\"]"),
        ("explode(',', ...{string: 'a,b,c', limit: 2})", "[\"a\",\"b,c\"]"),
        ("'a,b'.contains(',')", "true"),
        ("getRaw(customer)", "7"),
        ("getRaw('customer')", "7"),
        ("getRaw(customer.name)", "\"Ann\""),
        ("customer.getRaw(name)", "\"Ann\""),
    ] {
        check(text, expected);
    }
}

#[test]
fn map_takes_chains_and_mappings() {
    for (text, expected) in [
        ("map(lines, 'product.name.upper()')", r#"["PEN","INK"]"#),
        (
            "map(lines, {name: 'product.name', n: 'count'})",
            r#"[{"$object":[["name","pen"],["n",2]]},{"$object":[["name","ink"],["n",3]]}]"#,
        ),
        ("map(lines, ['count', 'product.name'])", r#"[[2,"pen"],[3,"ink"]]"#),
        ("map([1, 2])", "[1,2]"),
        ("map([1, 2], '')", "[1,2]"),
        ("map({a: 'x', b: 'y'}, 'upper()')", r#"{"$map":[["a","X"],["b","Y"]]}"#),
        ("map([], 'a')", "[]"),
        ("map(null, 'a')", "[]"),
        ("lines.map('getRaw(count)')", "[2,3]"),
        ("map(iterable: lines, transform: 'firstNChars')", "[null,null]"),
        ("map(query('places'), 'place.city')", r#"["Brno","Brno"]"#),
        ("map([user()], 'country.code')", r#"["CZ"]"#),
        ("map(lines, {deep: {name: 'product.name'}})[1].deep.name", "\"ink\""),
    ] {
        check(text, expected);
    }
    assert_eq!(refused("map(lines, name)").0, "chain_not_literal");
    assert_eq!(refused("map(lines, 'a +')").0, "unexpected");
    assert_eq!(refused("map(lines, 'uper()')"), ("unknown_function", Some("upper".to_string())));
    let mistakes = Program::expression("map(lines, 'a.uper()')", &scope()).unwrap_err();
    assert_eq!((mistakes[0].span.from, mistakes[0].span.to), (14, 18));
}

#[spec(plain, "R-310", "R-315")]
fn mistakes_are_found_before_anything_runs() {
    for (text, code, suggestion) in [
        ("uper('a')", "unknown_function", Some("upper")),
        ("ifElse(1, 2, 3)", "unknown_function", Some("if")),
        ("objectMerge()", "unknown_function", Some("object")),
        ("localVar('a')", "unknown_function", Some("var")),
        ("date_add()", "unknown_function", None),
        ("upper()", "missing_argument", None),
        ("upper('a', 'b')", "too_many_arguments", None),
        ("upper(strng: 'a')", "unknown_argument", Some("string")),
        ("upper('a', string: 'b')", "repeated_argument", None),
        ("upper(['a'])", "wrong_kind", None),
        ("pricee + 1", "unknown_property", Some("price")),
        ("customer.nam", "unknown_property", Some("name")),
        ("getRaw(customer.nam)", "unknown_property", Some("name")),
        ("name.a", "no_properties", None),
        ("price + 'a'", "wrong_operand", Some("price ~ 'a'")),
        ("{a: 1} * 2", "wrong_operand", None),
        ("{a: 1, a: 2}", "repeated_key", None),
    ] {
        assert_eq!(refused(text), (code, suggestion.map(str::to_string)), "{text}");
    }
}

#[test]
fn parameters_of_the_place_are_known() {
    let order = scope().context.map(ValueType::resource).unwrap();
    let known = HashMap::from([("order".to_string(), order)]);
    let scope = Scope::of(AvailableProviders::ALL).with_parameters(HashMap::from([("trigger", known)]));
    assert!(Program::expression("trigger('order').customer.name", &scope).is_ok());
    for (text, code, suggestion) in
        [("trigger('oder')", "unknown_parameter", "order"), ("trigger('order').pric", "unknown_property", "price")]
    {
        let mistakes = Program::expression(text, &scope).unwrap_err();
        assert_eq!((mistakes[0].code, mistakes[0].suggestion.as_deref()), (code, Some(suggestion)), "{text}");
    }
}

#[test]
fn several_mistakes_are_told_at_once() {
    let mistakes = Program::expression("uper(nam) + loer(x)", &scope()).unwrap_err();
    let codes: Vec<_> = mistakes.iter().map(|mistake| mistake.code).collect();
    assert_eq!(codes, ["unknown_function", "unknown_property", "unknown_function", "unknown_property"]);
}

#[spec(plain, "R-316")]
fn what_the_place_does_not_have_is_refused() {
    let scope = Scope::default();
    for text in [
        "trigger('a')",
        "getSecret('a')",
        "user()",
        "name",
        "getDataQuery()",
        "hasChanged('a')",
        "[1].map('env(\"A\")')",
    ] {
        let mistakes = Program::expression(text, &scope).unwrap_err();
        assert_eq!(mistakes[0].code, "provider_missing", "{text}");
    }
}

#[test]
fn the_result_is_of_the_wanted_kind() {
    let wants = |wants| scope().wanting(wants);
    for (text, kind) in [("{=1 + 1}", ValueKind::Bool), ("a {=1}", ValueKind::Array), ("{=[1]}", ValueKind::Text)] {
        assert_eq!(Program::template(text, &wants(kind)).unwrap_err()[0].code, "wrong_result", "{text}");
    }
    for (text, kind) in
        [("{=price > 1}", ValueKind::Bool), ("{=get(price)}", ValueKind::Bool), ("{=price}", ValueKind::Float)]
    {
        assert!(Program::template(text, &wants(kind)).is_ok(), "{text}");
    }
}

#[test]
fn templates() {
    for (text, expected) in [
        ("plain", "plain"),
        ("", ""),
        ("a {=price + 1} b{=name}", "a 21 border"),
        ("\\{=no} {=1}", "{=no} 1"),
        ("{={a: 1}.a}{=''}", "1"),
        ("{='}'} }", "} }"),
    ] {
        let program = Program::template(text, &scope()).unwrap();
        let value = run(&program, RunLimits::default()).unwrap();
        assert!(matches!(&value, Value::Text(text) if text.as_str() == Some(expected)), "{text}: {value:?}");
    }
    let lone = Program::template("{=price}", &scope()).unwrap();
    assert!(matches!(run(&lone, RunLimits::default()), Ok(Value::Int(20))));
    for (text, code) in [("{=1", "unterminated_part"), ("{=}", "unexpected"), ("{=1 2}", "unexpected")] {
        assert_eq!(Program::template(text, &scope()).unwrap_err()[0].code, code, "{text}");
    }
}

#[test]
fn constants_are_folded() {
    let constant = |text: &str| Program::expression(text, &scope()).unwrap().constant().cloned();
    assert!(matches!(constant("1 + 2 * upper('a').length()"), Some(Value::Int(3))));
    assert!(constant("price + 1").is_none());
    assert!(constant("1 / 0").is_none());
    assert!(constant("random()").is_none());
}

#[test]
fn limits_hold() {
    let text = vec!["1"; 4_900].join("+");
    assert!(evaluate(&text).is_ok());
    let text = vec!["1"; 5_100].join("+");
    assert_eq!(refused(&text).0, "too_long");
    let program = Program::expression("price + price + price + price", &scope()).unwrap();
    let limits = RunLimits::default().with_fuel(3);
    assert_eq!(run(&program, limits).unwrap_err().code, "fuel_spent");
    let limits = RunLimits::default().with_memory(10);
    let program = Program::expression("name ~ name ~ name", &scope()).unwrap();
    assert_eq!(run(&program, limits).unwrap_err().code, "memory_spent");
}

#[test]
fn chains_in_chains_are_bounded() {
    let nest = |levels: usize| {
        let mut chain = "a".to_string();
        for _ in 0..levels {
            let escaped = chain.replace('\\', "\\\\").replace('\'', "\\'");
            chain = format!("map('{escaped}')");
        }
        format!("[1].{chain}")
    };
    assert!(Program::expression(&nest(4), &scope()).is_ok());
    assert_eq!(refused(&nest(5)).0, "too_deep");
}

#[test]
fn the_highest_trees_run() {
    let wrap = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(60), close.repeat(60));
    for (open, close) in [("[", "]"), ("{a:", "}"), ("get(", ")"), ("-", ""), ("!", ""), ("if(price,", ",1)")] {
        let text = wrap(open, "price", close);
        assert!(evaluate(&text).is_ok(), "{text}: {:?}", evaluate(&text));
    }
    let inner = wrap("get(", "1", ")");
    let chain = format!("transformLiteral({inner})");
    assert!(evaluate(&format!("map([1], '{chain}')")).is_ok());
}

#[test]
fn faults_have_the_place_of_the_call() {
    let mistake = evaluate("1 ~ query('none')").unwrap_err();
    assert_eq!((mistake.code, mistake.span.from, mistake.span.to), ("unknown_query", 4, 17));
    let mistake = evaluate("customer.country.code.deeper").unwrap_err();
    assert_eq!(mistake.code, "no_properties");
    assert!(mistake.message.starts_with("A string has no properties."), "{mistake:?}");
    let mistake = evaluate("'' ~ jsonDecode('{\"a\": 1}')").unwrap_err();
    assert_eq!(mistake.message, "An object has no text: take one of its properties, or jsonEncode() it.");
    let mistake = evaluate("price / (count - 3)").unwrap_err();
    assert_eq!((mistake.span.from, mistake.span.to), (0, 19));
}

#[test]
fn secrets_taint_whatever_is_made_of_them() {
    for text in [
        "getSecret('a')",
        "getSecret('a') ~ 'b'",
        "upper(getSecret('a'))",
        "getSecret('a').md5()",
        "getSecret('a') == 'hidden a'",
        "!getSecret('a')",
        "getSecret('a') && true",
        "getSecret('a') ? 1 : 2",
        "if(getSecret('a'), 1, 2)",
        "getSecret('a') ?? 1",
        "nothing ?? getSecret('a')",
        "[1, getSecret('a')]",
        "[1, getSecret('a')][0]",
        "{a: getSecret('a')}.a",
        "concat([1, getSecret('a')])",
        "jsonEncode({a: {b: getSecret('a')}})",
        "map([1], 'transformLiteral(getSecret(\"a\"))')",
        "map([getSecret('a')], 'upper()')",
        "concat([setVar('x', getSecret('a')), $x])",
        "[setVar('x', getSecret('a')), $x][1]",
        "upper(...[getSecret('a')])",
        "lines[getSecret('a')]",
    ] {
        let value = evaluate(text).unwrap();
        assert!(matches!(value, Value::Secret(_)), "{text}: {value:?}");
        assert_eq!(format!("{value:?}"), "Secret(***)");
    }
    let program = Program::template("a {=getSecret('a')}", &scope()).unwrap();
    assert!(matches!(run(&program, RunLimits::default()), Ok(Value::Secret(_))));
    let mistake = evaluate("getSecret('a') + 1").unwrap_err();
    assert!(!mistake.message.contains("hidden"), "{mistake}");
}

#[test]
fn programs_are_shared_by_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    let program = Program::expression("price + 1", &Scope::of(AvailableProviders::ALL)).unwrap();
    shared(&program);
}

#[test]
fn mistakes_within_mappings_have_their_place() {
    for (text, part) in [
        ("map(['x'], 'get().jsonDecode()')", "jsonDecode"),
        ("map([['x']], {a: 'get()', b: \"map('jsonDecode()')\"})", "jsonDecode"),
        ("[[['x']]].map('map(\"map(\\'jsonDecode()\\')\")')", "map(\"map(\\'jsonDecode()\\')\")"),
        ("map(['x'], 'json\\u0044ecode()')", "'json\\u0044ecode()'"),
    ] {
        let mistake = evaluate(text).unwrap_err();
        assert!(mistake.span.to > mistake.span.from, "{text}: {mistake:?}");
        assert!(text[mistake.span.from..mistake.span.to].contains(part), "{text}: {mistake:?}");
    }
    let text = "{=map(['x'], {a: 'jsonDecode()'})}";
    let mistake = run(&Program::template(text, &scope()).unwrap(), RunLimits::default()).unwrap_err();
    assert_eq!(&text[mistake.span.from..mistake.span.to], "jsonDecode");
    let text = "map([1], {a: '', b: ''})";
    let limits = RunLimits::default().with_items(1);
    let mistake = run(&Program::expression(text, &scope()).unwrap(), limits).unwrap_err();
    assert_eq!((mistake.code, &text[mistake.span.from..mistake.span.to]), ("array_too_long", "{a: '', b: ''}"));
}

#[test]
fn the_short_form_of_changes_takes_the_default_previous_value() {
    check("changedFrom('status')", "false");
    check("changedFrom('status', 'draft')", "true");
    check("changedFrom(trigger('changes'), 'status')", "false");
    let mistakes = Program::expression("changedFrom(trigger('changes'))", &scope()).unwrap_err();
    assert_eq!(mistakes[0].code, "missing_argument");
}
