//! `plinth test`: cases that pass, cases that fail, files that are wrong.

use super::{Run, plinth};
use serde_json::{Value as Json, json};
use std::fs;
use tempfile::TempDir;

const INVOICE: &str = "name: invoice
properties:
  number:  {kind: pAutonumber, pattern: \"A-{##}\"}
  company: {kind: pRelation, type: company, required: true}
  status:  {kind: pEnum, options: [new, paid], default: new, required: true}
  net:     {kind: pDecimal, scale: 2, validate: [{rule: \"{=net >= 0}\", message: It is negative.}]}
  due:     {kind: pDateTime, default: \"{=strtotime('+2 days')}\"}
  note:    {kind: pString}
  meta:    {kind: pJson}
  late:    {kind: pCalculated, calculate: \"{=compareDates(due, '<')}\"}
";

const CLERK: &str = "role: clerk
system: [restApi, profile]
types:
  company: {show: true}
  invoice:
    show: {where: \"{=company.id == user('company.id')}\", fields: [\"*\", -note, -createdBy]}
    edit: {where: \"{=status == 'new'}\", check: \"{=true}\"}
    delete: false
";

const GIVEN: &str = "given:
  user:
    ann: {roles: [clerk], company: acme}
    boss: {name: The boss, roles: [admin]}
  invoice:
    first: {company: acme, net: 12.50, note: secret}
    other: {company: beta, net: 7}
  company:
    acme: {name: Acme}
    beta: {name: Beta}
";

/// A folder of a tenant with these tests.
pub(super) fn folder(tests: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let files = [
        (
            "tenant.yaml",
            "tenant: acme\ntimezone: Europe/Prague\nmail: {from: a@acme.example}\napi: {allowApiPasswordReset: true}\n",
        ),
        ("types/company.yaml", "name: company\nproperties:\n  name: {kind: pString, required: true}\n"),
        ("types/invoice.yaml", INVOICE),
        ("types/user.yaml", "name: user\nproperties:\n  company: {kind: pRelation, type: company}\n"),
        ("roles/clerk.yaml", CLERK),
        ("roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes:\n  \"*\": {show: true, edit: true}\n"),
        (
            "queries/new.yaml",
            "query: new\ntype: invoice\nfilters: [{property: status, type: eq, param: new}]\norderBy: -net\n",
        ),
        (
            "queries/states.yaml",
            "query: states\ntype: invoice\ngroupBy: status\nvalues: {invoices: count, net: {function: sum, property: net}}\n",
        ),
        (
            "automations/paid.yaml",
            "automation: paid\non: {event: invoice.updated, if: \"{=changedFrom('status', 'new') and status == 'paid'}\"}\n\
             do:\n  - notify: {to: \"{=trigger('user')}\", title: \"{=number} was paid\"}\n  \
             - mail: {to: boss@acme.example, subject: Paid, text: \"{=company.name}\"}\n",
        ),
        (
            "automations/grown.yaml",
            "automation: grown\non: {event: invoice.created}\ndo:\n  - set: {x: \"{=jsonDecode('{')}\"}\n",
        ),
        (
            "canvases/sums.yaml",
            "canvas: sums\nitems:\n  - {kind: number, title: New, query: new, value: \"{=dataQueryCount()}\"}\n",
        ),
    ];
    let tests = tests.iter().map(|(name, text)| (format!("tests/{name}"), *text));
    for (path, text) in files.into_iter().map(|(path, text)| (path.to_owned(), text)).chain(tests) {
        let path = folder.path().join("acme").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

pub(super) fn run(tests: &[(&str, &str)], arguments: &[&str]) -> Run {
    let folder = folder(tests);
    let ran = plinth(folder.path(), &[&["test", "acme"], arguments].concat());
    assert!(!folder.path().join("data").exists(), "tests use no data folder");
    ran
}

/// A case of these steps passes, or fails at the last one as said.
pub(super) fn cases(text: &str) -> String {
    format!("{GIVEN}cases:\n{text}")
}

#[test]
fn every_kind_of_step_passes_where_it_says_what_is() {
    let text = cases(
        "  - case: rows, rights and values
    as: ann
    steps:
      - {list: invoice, shows: [first]}
      - {as: boss, list: invoice, orderBy: -net, shows: [first, other]}
      - {as: boss, list: invoice, filters: [{property: company, type: eq, param: {$row: beta}}], shows: [other], excludes: [first]}
      - {as: boss, list: company, includes: [beta], count: 2, rows: [{name: Acme}, {name: Beta}]}
      - {get: first, shows: {net: 12.5, company: acme, company.name: Acme, version: 1, due: \"2026-01-17 12:00\", late: false}, omits: [note]}
      - {get: other, status: 404}
      - {patch: first, with: {net: -1}, status: 400, code: rule_broken, property: net, message: It is negative}
      - {patch: first, with: {net+=: 1}, shows: {net: 13.5, version: 2}, omits: [note, createdBy]}
      - {as: boss, patch: first, with: {meta: {a: 1, b: [2, {c: 3}]}}, shows: {meta: {b: [2, {c: 3}], a: 1}}}
      - {delete: first, code: permission_missing}
      - {create: invoice, with: {company: acme, net: 1}, name: second, shows: {number: A-03, status: new}}
      - {create: invoice, with: {company: beta, net: 1}, status: 201}
      - {list: invoice, shows: [second, first]}
      - {put: second, with: {company: acme, net: 2, status: paid}, shows: {status: paid, net: 2.00}}
      - {patch: second, with: {net: 3}, status: 403}
      - {stored: second, shows: {net: 2, createdBy: ann}}
      - {query: new, shows: [first]}
      - {as: boss, query: new, rows: [{net: 13.5}, {net: 7}, {net: 1}]}
      - {as: boss, query: states, count: 2, rows: [{status: new, invoices: 3, net: 21.5}, {status: paid, net: 2}]}
      - {canvas: sums, shows: {New: 1}}
      - {as: boss, delete: other}
      - {stored: other, exists: false}
  - case: messages
    as: boss
    steps:
      - {mail: {to: carol@acme.example}, count: 0}
      - {create: user, with: {user_id: carol@acme.example, user_name: Carol, roles: [clerk]}, name: carol}
      - {request: POST /api/v1/app/user.resetpassword, with: {user_id: carol@acme.example}, status: 200}
      - {mail: {to: carol@acme.example, subject: password, text: /reset}, count: 1}
      - {sms: {to: \"+420601000001\"}, count: 0}
      - {request: POST /api/ext/v1/notifications, with: {recipients: [{userId: {$row: ann}}], title: Invoice paid, level: success}, status: 201}
      - {notification: {to: ann, title: paid, level: success}, count: 1}
      - {notification: {to: boss}, count: 0}
      - {as: ann, request: GET /api/v1/app/user.current, shows: {user_id: ann, roles: [clerk]}}
  - case: automations
    as: ann
    steps:
      - {ran: paid, count: 0}
      - {ran: grown, state: waiting, count: 0}
      - {patch: first, with: {net: 3}}
      - {ran: paid, count: 0}
      - {patch: first, with: {status: paid}}
      - {ran: paid, count: 1}
      - {notification: {to: ann, title: A-01 was paid}}
      - {mail: {to: boss@acme.example, subject: Paid, text: Acme}, count: 1}
      - {create: invoice, with: {company: acme}}
      - {ran: grown, state: waiting}
      - {ran: grown, count: 0}
  - case: time and expressions
    steps:
      - {expect: \"{=company.name == 'Acme' and not late}\", of: first}
      - {expect: \"{=user('company.id') != null}\", as: ann}
      - wait: 2 days 1 hour
      - {expect: \"{=late}\", of: first}
      - until: 2026-01-20 08:00
      - {expect: \"{=date('Y-m-d H:i') == '2026-01-20 08:00'}\"}
  - {case: one step, as: boss, get: other, shows: {net: 7}}
",
    );
    let ran = run(&[("a.yaml", &text)], &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let (cases, summary) = ran.out.split_once("\n\n").unwrap();
    assert_eq!(
        cases,
        "tests/a.yaml\n  ✓ rows, rights and values\n  ✓ messages\n  ✓ automations\n  ✓ time and expressions\n  ✓ one step"
    );
    assert!(summary.starts_with("5 passed, 0 failed, in "), "{summary}");
}

#[test]
fn a_case_that_fails_says_where_what_was_expected_and_what_was_found() {
    let text = cases(
        "  - {case: good, as: boss, get: first}
  - case: bad
    as: ann
    steps:
      - get: first
        shows: {net: 99, company: beta, note: secret}
        omits: [status]
      - {get: nothing that is looked at any more, of: it}
"
        .replace("      - {get: nothing that is looked at any more, of: it}\n", "      - {list: invoice, shows: []}\n")
        .as_str(),
    );
    let ran = run(&[("a.yaml", &format!("test: Invoices\n{text}"))], &[]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let expected = "Invoices
  ✓ good
  ✗ bad
      tests/a.yaml:17:9  get: first
        net
          expected  99.00
          found     12.50
      tests/a.yaml:17:9  get: first
        company
          expected  beta
          found     acme
      tests/a.yaml:17:9  get: first
        note
          expected  \"secret\"
          found     nothing: the field is absent
      tests/a.yaml:17:9  get: first
        status
          expected  to be absent
          found     \"new\"
";
    assert!(ran.out.starts_with(expected), "{}", ran.out);
    assert!(ran.out.contains("\n\n1 passed, 1 failed, in "), "{}", ran.out);
}

/// Each step fails, with these words.
#[test]
fn steps_fail_for_what_they_say() {
    let steps = [
        ("{list: invoice, shows: [other]}", "the list", "other", "first"),
        ("{list: invoice, shows: []}", "the list", "nothing", "first"),
        ("{list: invoice, count: 2}", "count", "2", "1: first"),
        ("{list: invoice, includes: [other]}", "the list", "to have other", "first"),
        ("{list: invoice, excludes: [first]}", "the list", "not to have first", "first"),
        ("{list: invoice, rows: [{net: 1}]}", "rows[0].net", "1.00", "12.50"),
        ("{list: invoice, rows: []}", "rows", "0 of them", "1: first"),
        ("{list: invoice, status: 403}", "status", "403", "200"),
        ("{as: boss, query: new, shows: [other, first]}", "the list", "other, first", "first, other"),
        ("{as: boss, query: states, rows: [{status: new, invoices: 5}]}", "rows[0].invoices", "5", "2"),
        ("{as: boss, query: states, count: 4}", "count", "4", "1"),
        ("{get: other}", "status", "success", "404 item_missing: There is no such item."),
        (
            "{get: other, code: permission_missing}",
            "code",
            "permission_missing",
            "404 item_missing: There is no such item.",
        ),
        ("{get: first, message: no}", "message", "one with \"no\"", "200"),
        ("{patch: first, with: {net: -1}, status: 400, property: note}", "property", "note", "net"),
        ("{patch: first, with: {net: 1}, shows: {net: 2}}", "net", "2.00", "1.00"),
        ("{delete: first}", "status", "success", "403 permission_missing: "),
        ("{canvas: sums, shows: {New: 4}}", "New", "4", "1"),
        ("{canvas: sums, shows: {Old: 4}}", "Old", "4", "no such item; there are New"),
        ("{request: GET /api/v1/app/user.current, shows: {user_id: bob}}", "user_id", "\"bob\"", "\"ann\""),
        ("{request: GET /api/v1/app/user.current, shows: {no: 1}}", "no", "1", "nothing: it is absent"),
        ("{stored: first, exists: false}", "the row", "to be gone", "it is there"),
        ("{stored: first, shows: {createdBy: ann}}", "createdBy", "ann", "null"),
        ("{get: first, omits: [status]}", "status", "to be absent", "\"new\""),
        ("{get: first, omits: [note, version]}", "version", "to be absent", "1"),
        ("{patch: first, with: {net: 1}, omits: [id]}", "id", "to be absent", "1"),
        (
            "{as: boss, patch: ann, with: {login_expired: true}}, {expect: \"{=user('user_name') != 'ann'}\"}",
            "the expression",
            "to hold",
            "user_inactive: ",
        ),
        ("{expect: \"{=net}\", of: company}", "", "", ""),
        ("{expect: \"{=1 > 2}\"}", "the expression", "to hold", "false"),
        ("{expect: \"{=jsonDecode('{')}\"}", "the expression", "to hold", "json_invalid: at `jsonDecode('{')`: "),
        ("{until: 2020-01-01}", "until", "a moment that is to come after 2026-01-15T11:00:00Z", "2019-12-31T23:00:00Z"),
        ("{ran: paid}", "runs that are done", "at least one", "0; it did not run"),
        ("{mail: {to: ann@acme.example}}", "such messages", "at least one", "0; nothing was sent"),
        ("{notification: {to: ann}, count: 1}", "such messages", "1 of them", "0; nothing was sent"),
    ];
    let steps: Vec<_> = steps.into_iter().filter(|(_, what, ..)| !what.is_empty()).collect();
    let all = steps.iter().map(|(step, ..)| format!("  - {{case: c, as: ann, steps: [{step}]}}\n"));
    let ran = run(&[("a.yaml", &cases(&all.collect::<String>()))], &["--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""), "{}", ran.out);
    let json: Json = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["ok"], &json["passed"], &json["failed"]), (&json!(false), &json!(0), &json!(steps.len())));
    for ((step, what, expected, found), case) in steps.iter().zip(json["cases"].as_array().unwrap()) {
        let problems = case["problems"].as_array().unwrap();
        assert_eq!(problems.len(), 1, "{step}: {problems:?}");
        let problem = &problems[0];
        assert_eq!((&problem["what"], &problem["expected"]), (&json!(what), &json!(expected)), "{step}");
        assert!(problem["found"].as_str().unwrap().starts_with(found), "{step}: {problem}");
        assert_eq!((&case["passed"], &problem["line"]), (&json!(false), &case["line"]), "{step}");
    }
}

#[test]
fn cases_see_nothing_of_each_other() {
    let text = cases(
        "  - {case: one deletes, as: boss, delete: first}
  - {case: the other finds, as: boss, get: first, shows: {version: 1}}
  - {case: numbers begin anew, as: boss, create: invoice, with: {company: acme}, shows: {number: A-03}}
  - {case: as they did before, as: boss, create: invoice, with: {company: acme}, shows: {number: A-03}}
",
    );
    let ran = run(&[("a.yaml", &text)], &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn cases_are_chosen_by_their_title_or_file() {
    let one = cases("  - {case: apples, as: boss, get: first}\n  - {case: pears, as: boss, get: first}\n");
    let two = cases("  - {case: plums, as: boss, get: first, status: 404}\n");
    let tests = [("fruit.yaml", one.as_str()), ("stone.yaml", two.as_str())];
    let passed = |arguments: &[&str]| {
        let ran = run(&tests, &[&["--json"], arguments].concat());
        let json: Json = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
        (ran.code, json["cases"].as_array().unwrap().len())
    };
    assert_eq!(passed(&[]), (1, 3));
    assert_eq!(passed(&["--filter", "APPLES"]), (0, 1));
    assert_eq!(passed(&["--filter", "fruit"]), (0, 2));
    assert_eq!(passed(&["--filter", "pears", "--filter", "stone"]), (1, 2));
    let none = run(&tests, &["--filter", "nuts"]);
    assert_eq!((none.code, none.out.as_str()), (1, ""));
    assert_eq!(none.err, "plinth: No case has that text in its title or file.\nLeave out --filter to run all.\n");
    let none = run(&[], &[]);
    assert_eq!(
        (none.code, none.err.starts_with("plinth: There are no cases in acme/tests.")),
        (1, true),
        "{}",
        none.err
    );
}

#[test]
fn tests_are_checked_and_not_applied() {
    let folder = folder(&[("a.yaml", &cases("  - {case: c, as: ann, get: first}\n"))]);
    let run = |arguments: &[&str]| plinth(folder.path(), arguments);
    let checked = run(&["check", "acme"]);
    assert_eq!(
        checked.out, "The files of acme are valid: 3 types, 2 roles, 0 groups, 0 users, 1 case.\n",
        "{}",
        checked.err
    );
    // What is wrong with a test does not stand in the way of a change that has to be made.
    fs::write(folder.path().join("acme/tests/a.yaml"), "cases: nothing").unwrap();
    let applied = run(&["apply", "acme"]);
    assert_eq!(applied.code, 0, "{}", applied.err);
    assert!(!applied.out.contains("tests/"), "{}", applied.out);
    let planned = run(&["plan", "acme"]).out;
    assert!(planned.starts_with("Nothing to change.\n") && !planned.contains("tests/"), "{planned}");
    let pulled = run(&["pull", "--json", "acme"]);
    let json: Json = serde_json::from_str(&pulled.out).unwrap();
    assert_eq!(json["others"], json!([]));
    assert_eq!(fs::read_to_string(folder.path().join("acme/tests/a.yaml")).unwrap(), "cases: nothing");
    fs::write(folder.path().join("acme/tests/a.txt"), "").unwrap();
    let checked = run(&["check", "acme"]);
    assert!(checked.err.contains("Only files tests/<name>.yaml are read."), "{}", checked.err);
}

#[test]
fn the_shop_does_what_its_tests_say() {
    let shop = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/shop");
    let ran = plinth(TempDir::new().unwrap().path(), &["test", shop]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}
