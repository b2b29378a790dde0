//! Tests of the texts that the grammar takes and of those that it refuses.

use super::{SyntaxKind, chain, expression};

fn refused(text: &str) -> &'static str {
    match expression(text) {
        Err(diagnostic) => diagnostic.code,
        Ok(syntax) => panic!("{text} was taken as {syntax:?}"),
    }
}

#[test]
fn ambiguous_mixes_are_refused() {
    for text in [
        "-2 ** 2",
        "2 ** -2 ** 2",
        "a ?? b + c",
        "a + b ?? c",
        "a ?? b == c",
        "a && b ?? c",
        "!a ?? b",
        "-a ?? b",
        "a ?? b ? c : d",
        "a < b < c",
        "a == b != c",
        "a in b in c",
        "1 + !a",
        "a == not b",
        "a & b == c",
        "a < b | c",
        "a in b & c",
        "!a & b",
        "a ^ not b",
        "a xor b || c",
        "a or b xor c",
        "a ?? b & c",
        "a xor b ?? c",
        "1 << !a",
    ] {
        assert_eq!(refused(text), "ambiguous", "{text}");
    }
}

#[test]
fn the_ways_to_write_them_are_taken() {
    for text in [
        "(-2) ** 2",
        "-(2 ** 2)",
        "2 ** -1",
        "2 ** 3 ** 2",
        "a ?? (b + c)",
        "(a ?? b) + c",
        "a ?? b ?? -1",
        "(a ?? b) ? c : d",
        "a ? b ?? c : d",
        "a < b && b < c",
        "1 + (!a)",
        "!a == b",
        "not a in b",
        "a not in [1, 2,]",
        "f(a, ...b, c: d,)",
        "a ?: b ? c : d",
        "(a & b) == c && !d",
        "a & (b == c) | (!d)",
        "a xor b && c == d",
        "(a xor b) or c",
        "a xor !b",
        "a & -b ^ c ** 2",
        "{xor: 1}.xor",
        "{a: 1, 'b c': 2, 3: 4, in: 5}.a",
        "x.f(1)[0].not.in",
        "/* a */ 1_000 + 1e3 /* b */",
        "f()",
        "1.f()",
        "\"\\u010d\\ud83d\\ude00\\n\"",
    ] {
        assert!(expression(text).is_ok(), "{text}: {:?}", expression(text));
    }
}

#[test]
fn mistakes_have_codes() {
    for (text, code) in [
        ("", "unexpected"),
        ("1 +", "unexpected"),
        ("1 2", "unexpected"),
        ("f(a: 1, 2)", "argument_order"),
        ("'a", "unterminated_string"),
        ("'\\q'", "bad_escape"),
        ("'\\ud83d'", "bad_escape"),
        ("'\\u00'", "bad_escape"),
        ("12ab", "bad_number"),
        ("1__0", "bad_number"),
        ("/* a", "unterminated_comment"),
        ("a = 1", "unexpected_character"),
        ("a @ b", "unexpected_character"),
        ("a |", "unexpected"),
        ("| a", "unexpected"),
        ("a <<< b", "unexpected"),
        ("a xor xor b", "unexpected"),
        ("~a", "unexpected"),
        (".5", "unexpected"),
        ("+1", "unexpected"),
        ("$", "unexpected"),
        ("a}", "unexpected"),
    ] {
        assert_eq!(refused(text), code, "{text}");
    }
}

#[test]
fn no_text_overflows_the_stack() {
    let deep = 100_000;
    for (open, close) in [("(", ")"), ("[", "]"), ("{a:", "}"), ("f(", ")"), ("-", ""), ("!", ""), ("1?1:", "")] {
        let text = format!("{}1{}", open.repeat(deep), close.repeat(deep));
        assert_eq!(refused(&text), "too_deep", "{open}");
    }
    for operator in ["**", "?:"] {
        let text = vec!["1"; deep].join(operator);
        assert_eq!(refused(&text), "too_deep", "{operator}");
    }
    for operator in ["+", "-", "*", "~", "&&", "||", " xor ", "&", "|", "^", "<<", ">>", "??", "."] {
        let text = vec!["a"; 50_000].join(operator);
        let syntax = expression(&text).unwrap();
        assert_eq!(syntax.height, 2, "{operator}");
    }
}

/// Each level goes through all ranks, and each rank is a call of its own.
#[test]
fn all_ranks_in_all_brackets_do_not_overflow_the_stack() {
    let level = "a ? b : a or b && c | d ^ e & (f == g ~ h << i + j * -k ** (";
    let close = "))".repeat(1_000);
    assert_eq!(refused(&format!("{}1{close}", level.repeat(1_000))), "too_deep");
}

#[test]
fn height_counts_beside_nesting() {
    // Each level adds two nodes: a sum and a product.
    let text = format!("{}1{}", "1+2*(".repeat(40), ")".repeat(40));
    assert_eq!(refused(&text), "too_deep");
    let text = format!("{}1{}", "(".repeat(63), ")".repeat(63));
    assert!(expression(&text).is_ok());
}

#[test]
fn chains_are_steps() {
    assert_eq!(chain("", 0).unwrap().len(), 0);
    assert_eq!(chain("product.name.upper()", 0).unwrap().len(), 3);
    assert_eq!(chain("getRaw(status)", 0).unwrap().len(), 1);
    assert_eq!(chain("[0].a", 0).unwrap().len(), 2);
    assert!(chain("a + b", 0).is_err());
    assert!(chain("'a'", 0).is_err());
}

#[test]
fn a_chain_of_one_operator_is_one_node() {
    let SyntaxKind::Chain(_, rest) = expression("1 + 2 - 3 + 4").unwrap().kind else { panic!("no chain") };
    assert_eq!(rest.len(), 3);
}
