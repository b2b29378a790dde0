//! `plinth test` of files with mistakes.

use super::plinth;
use super::trials::{cases, folder, run};
use serde_json::{Value as Json, json};

/// Each file has one mistake, told with its place and what was perhaps meant, by `test` and `check` alike.
#[test]
fn mistakes_in_tests_have_their_place() {
    let case = |step: &str| cases(&format!("  - case: c\n    as: ann\n    steps:\n      - {step}\n"));
    let wrong = [
        ("cases: [\n".to_owned(), "yaml", 1, None),
        ("given: {}\n".to_owned(), "missing_key", 1, None),
        ("given: {compny: {}}\ncases: []\n".to_owned(), "unknown_type", 1, Some("company")),
        ("given:\n  company: {a: {nme: A}}\ncases: []\n".to_owned(), "unknown_property", 2, Some("name")),
        ("given:\n  company: {a: {name: [A]}}\ncases: []\n".to_owned(), "wrong_value", 2, None),
        (
            "given:\n  company: {a: {name: A}}\n  invoice: {a: {company: a}}\ncases: []\n".to_owned(),
            "duplicate_name",
            3,
            None,
        ),
        ("given:\n  invoice: {a: {company: b}}\ncases: []\n".to_owned(), "unknown_row", 2, None),
        ("given:\n  invoice: {a: {late: true}}\ncases: []\n".to_owned(), "calculated", 2, None),
        ("given:\n  user: {a: {password: secret secret}}\ncases: []\n".to_owned(), "password_in_file", 2, None),
        ("now: soon\ncases: []\n".to_owned(), "wrong_value", 1, None),
        (cases("  - {case: c, as: an, get: first}\n"), "unknown_user", 12, Some("ann")),
        (cases("  - {case: c, get: first}\n"), "missing_user", 12, None),
        (cases("  - {as: ann, get: first}\n"), "missing_key", 12, None),
        (case("{lst: invoice}"), "missing_key", 15, Some("list")),
        (case("{list: invoice, get: first}"), "two_steps", 15, None),
        (case("{list: invoice, shws: [first]}"), "unknown_key", 15, Some("shows")),
        (case("{list: invoice, shows: [frst]}"), "unknown_row", 15, Some("first")),
        (case("{list: invoice, shows: [acme]}"), "unknown_row", 15, None),
        (
            case("{list: invoice, filters: [{property: company, type: eq, param: {$row: acm}}]}"),
            "unknown_row",
            15,
            Some("acme"),
        ),
        (case("{get: first, shows: {nett: 1}}"), "unknown_property", 15, Some("net")),
        (case("{get: first, shows: {net.x: 1}}"), "no_relation", 15, None),
        (case("{get: first, omits: [nots]}"), "unknown_property", 15, Some("note")),
        (case("{get: first, status: 99}"), "wrong_value", 15, None),
        (case("{get: first, status: 404, shows: {net: 1}}"), "not_asked", 15, None),
        (case("{list: invoice, code: permission_missing, count: 0}"), "not_asked", 15, None),
        (case("{patch: first}"), "missing_key", 15, None),
        (case("{patch: first, with: {stats: new}}"), "unknown_property", 15, Some("status")),
        (case("{patch: first, with: {company: acm}}"), "unknown_row", 15, Some("acme")),
        (case("{query: neww}"), "unknown_query", 15, Some("new")),
        (case("{query: new, params: {a: 1}}"), "unknown_parameter", 15, None),
        (case("{canvas: sum}"), "unknown_canvas", 15, Some("sums")),
        (case("{expect: \"{=nett > 1}\", of: first}"), "unknown_property", 15, Some("net")),
        (case("{request: FETCH /api/v1/auth}"), "wrong_value", 15, None),
        (case("{steps: []}"), "missing_key", 15, None),
        (case("{ran: payd}"), "unknown_automation", 15, Some("paid")),
        (case("{ran: paid, state: dne}"), "wrong_value", 15, Some("done")),
        (case("{wait: a while}"), "wrong_value", 15, None),
        (case("{mail: {too: ann}}"), "unknown_key", 15, Some("to")),
        (case("{notification: {to: nobody}}"), "unknown_user", 15, None),
    ];
    for (text, code, line, suggestion) in wrong {
        let folder = folder(&[("a.yaml", &text)]);
        for command in ["check", "test"] {
            let ran = plinth(folder.path(), &[command, "acme", "--json"]);
            let json: Json =
                serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{text}: {}{}", ran.out, ran.err));
            let problems = json["problems"].as_array().unwrap_or_else(|| panic!("{text}: {json}"));
            assert_eq!((ran.code, problems.len()), (1, 1), "{text}: {problems:?}");
            assert_eq!(problems[0]["code"], code, "{text}: {problems:?}");
            assert_eq!(
                (&problems[0]["file"], &problems[0]["line"]),
                (&json!("tests/a.yaml"), &json!(line)),
                "{text}: {problems:?}"
            );
            assert_eq!(problems[0]["suggestion"], json!(suggestion), "{text}: {problems:?}");
        }
    }
}

#[test]
fn a_given_row_that_cannot_be_made_fails_its_file() {
    let text = "given:\n  company: {acme: {name: Acme}}\n  invoice:\n    first: {company: acme, net: -1}\n\
                cases:\n  - {case: c, expect: \"{=true}\"}\n";
    let ran = run(&[("a.yaml", text)], &[]);
    assert_eq!(ran.code, 1);
    let expected = "      tests/a.yaml:4:5  given: first\n        the row\n          expected  to be made\n          \
                    found     It is negative.\n";
    assert!(ran.out.contains(expected), "{}", ran.out);
}
