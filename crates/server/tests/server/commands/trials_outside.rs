//! `plinth test` and what is around a tenant: schedules while time passes, others who are asked, others who call.

use super::{Run, plinth};
use serde_json::{Value as Json, json};
use std::fs;
use std::net::TcpListener;
use tempfile::TempDir;

const ERP: &str = "automation: erp
on: {event: order.created}
do:
  - http:
      url: \"{=env('ERP')}/orders/{=number}?all\"
      headers: {Authorization: \"Bearer {=getSecret('erp')}\", X-Shop: Plinth}
      body: {number: \"{=number}\", lines: [1, 2]}
  - update: {type: order, item: \"{=id}\", set: {reference: \"{=endpoint('body').reference} {=endpoint('headers')['x-by']}\"}}
";

/// Runs the tests of a folder whose time zone has summer time, with one file of tests.
fn run_in(folder: &TempDir, erp: &str, tests: &str, arguments: &[&str]) -> Run {
    let schedule = |name: &str, when: &str| {
        let text = format!(
            "automation: {name}\non: {{schedule: \"{when}\"}}\ndo:\n  - create: {{type: note, set: {{text: \"{name} {{=trigger('scheduled')}} {{=date('H:i')}}\"}}}}\n"
        );
        (format!("automations/{name}.yaml"), text)
    };
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let files = [
        file("tenant.yaml", "tenant: acme\ntimezone: Europe/Prague\n"),
        file("env.yaml", &format!("ERP: {erp}\n")),
        file("types/note.yaml", "name: note\nproperties:\n  text: {kind: pString}\n"),
        file(
            "types/order.yaml",
            "name: order\nproperties:\n  number: {kind: pString, required: true}\n  reference: {kind: pString}\n",
        ),
        file("roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes:\n  \"*\": {show: true, edit: true}\n"),
        file("users/ann.yaml", "user: ann\nname: Ann\nroles: [admin]\n"),
        file("automations/erp.yaml", ERP),
        file(
            "automations/shop.yaml",
            "automation: shop\non: {hook: orders, secret: shop}\ndo:\n  - create: {type: note, set: {text: \"{=trigger('body').text} \
             {=trigger('headers')['x-by'] ?? 'nobody'}\"}}\n",
        ),
        schedule("nightly", "30 2 * * *"),
        schedule("hourly", "0 * * * *"),
        schedule("yearly", "0 0 1 1 *"),
        file("tests/a.yaml", tests),
    ];
    for (path, text) in files {
        let path = folder.path().join("acme").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    plinth(folder.path(), &[&["test", "acme"], arguments].concat())
}

fn run(tests: &str) -> Run {
    run_in(&TempDir::new().unwrap(), "https://erp.example.com", tests, &[])
}

fn passes(tests: &str) {
    let ran = run(tests);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}{}", ran.out, ran.err);
}

#[test]
fn schedules_fall_due_while_time_passes() {
    passes(
        "now: 2026-03-27 12:00
cases:
  - case: each day once, also on the day whose clocks leave the hour out
    as: ann
    steps:
      - {ran: nightly, count: 0}
      - until: 2026-03-28 02:29
      - {ran: nightly, count: 0}
      - until: 2026-03-28 02:30
      - {ran: nightly, count: 1}
      - wait: 23 hours 29 minutes
      - {ran: nightly, count: 1}
      - wait: 1 minute
      - {ran: nightly, count: 2}
      - wait: 3 hours
      - {ran: nightly, count: 2}
      - list: note
        filters: [{property: text, type: contains, param: nightly}]
        orderBy: id
        rows: [{text: \"nightly 2026-03-28T02:30:00+01:00 02:30\"}, {text: \"nightly 2026-03-29T03:00:00+02:00 03:00\"}]
  - case: each hour, of days of 24, 23 and 24
    as: ann
    steps:
      - wait: 3 days
      - {ran: hourly, count: 71}
      - {list: note, filters: [{property: text, type: contains, param: \"hourly 2026-03-29T03:00:00+02:00 03:00\"}], count: 1}
      - {list: note, filters: [{property: text, type: contains, param: \"T02:00:00\"}], count: 2}
  - case: what does not come is not made up for
    steps:
      - {ran: yearly, count: 0}
      - {ran: yearly, state: waiting, count: 0}
",
    );
}

#[test]
fn the_hour_that_comes_twice_has_its_schedule_once() {
    passes(
        "now: 2026-10-24 12:00
cases:
  - case: autumn
    as: ann
    steps:
      - until: 2026-10-25 12:00
      - {ran: nightly, count: 1}
      - {ran: hourly, count: 25}
      - {list: note, filters: [{property: text, type: contains, param: \"nightly 2026-10-25T02:30:00+02:00\"}], count: 1}
",
    );
}

#[test]
fn requests_are_answered_as_a_test_says() {
    passes(
        "secrets: {erp: a token of the test}
answers:
  - {url: \"https://erp.example.com/*\", headers: {X-By: file}, body: {reference: R-1}}
cases:
  - case: by the file
    as: ann
    steps:
      - {http: {}, count: 0}
      - {create: order, with: {number: A-1}, name: made}
      - {get: made, shows: {reference: R-1 file}}
      - {http: {method: POST, url: \"https://ERP.example.com/orders/A-1?all\", headers: {Authorization: a token of, x-shop: Plinth}, body: {lines: [1, 2]}}, count: 1}
      - {http: {method: GET}, count: 0}
      - {http: {url: \"https://erp.example.com/orders\"}, count: 0}
      - {http: {headers: {Authorization: another}}, count: 0}
      - {http: {body: {lines: [1]}}, count: 0}
  - case: by a step, and again once the other side is back
    as: ann
    steps:
      - answer: {method: POST, status: 503}
      - {create: order, with: {number: A-1}, name: made}
      - {ran: erp, count: 0}
      - {ran: erp, state: waiting}
      - {http: {}, count: 1}
      - answer: {url: \"https://erp.example.com/orders/A-1*\", status: 201, headers: {x-by: step}, body: {reference: R-2}}
      - wait: 30 seconds
      - {http: {}, count: 1}
      - wait: 1 minute
      - {http: {url: \"https://*/orders/*\", headers: {idempotency-key: \"-\"}}, count: 2}
      - {ran: erp, count: 1}
      - {get: made, shows: {reference: R-2 step}}
  - case: a side that stays away is given up
    as: ann
    steps:
      - answer: {status: 500, body: no}
      - {create: order, with: {number: A-1}}
      - wait: 5 days
      - {http: {}, count: 10}
      - {ran: erp, state: failed, count: 1}
",
    );
}

#[test]
fn hooks_are_called_as_others_call_them() {
    passes(
        "given:
  order:
    first: {number: A-1}
cases:
  - case: rightly signed
    as: ann
    steps:
      - {hook: orders, with: {text: hello}, headers: {X-By: Bob}, status: 202}
      - {ran: shop, count: 1}
      - {list: note, rows: [{text: hello Bob}]}
      - {hook: orders, with: {text: hello}, code: hook_repeated, status: 409}
      - wait: 1 second
      - {hook: orders, with: {text: hello}}
      - {hook: orders, with: [1, 2], status: 202}
      - {hook: orders, with: {text: {$row: first}}}
      - {list: note, filters: [{property: text, type: eq, param: 1 nobody}], count: 1}
  - case: wrongly signed
    steps:
      - {hook: orders, with: {text: hello}, signature: invalid, status: 403, code: signature_invalid}
      - {hook: orders, with: {text: hello}, signature: expired, code: signature_expired, message: five minutes}
      - {ran: shop, count: 0}
      - {hook: orders, with: {text: hello}, signature: valid}
      - {ran: shop, count: 1}
",
    );
}

/// Each step fails, with these words.
#[test]
fn steps_about_others_fail_for_what_they_say() {
    let to = "https://erp.example.com/orders/A-1?all";
    let steps = [
        (
            "{create: order, with: {number: A-1}}",
            "a request",
            format!("an answer to POST {to}"),
            format!("none: give one before this step, with - answer: {{url: \"{to}\", status: 200}}"),
        ),
        ("{http: {}}", "such requests", "at least one".to_owned(), "0; nothing was sent".to_owned()),
        (
            "{hook: orders, with: {}, signature: invalid}",
            "status",
            "success".to_owned(),
            "403 signature_invalid: The signature is not that of this hook.".to_owned(),
        ),
        ("{hook: orders, with: {}, status: 403}", "status", "403".to_owned(), "202".to_owned()),
    ];
    let all = steps.iter().map(|(step, ..)| format!("  - {{case: c, as: ann, steps: [{step}]}}\n"));
    let text = format!("secrets: {{erp: x}}\ncases:\n{}", all.collect::<String>());
    let folder = TempDir::new().unwrap();
    let ran = run_in(&folder, "https://erp.example.com", &text, &["--json"]);
    let json: Json = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    for ((step, what, expected, found), case) in steps.iter().zip(json["cases"].as_array().unwrap()) {
        let problems = case["problems"].as_array().unwrap();
        assert_eq!(problems.len(), 1, "{step}: {problems:?}");
        assert_eq!((&problems[0]["what"], &problems[0]["expected"]), (&json!(what), &json!(expected)), "{step}");
        assert!(problems[0]["found"].as_str().unwrap().starts_with(found), "{step}: {}", problems[0]);
    }
    assert_eq!((ran.code, &json["failed"]), (1, &json!(steps.len())));
}

#[test]
fn time_that_passes_has_an_end() {
    let folder = TempDir::new().unwrap();
    let files = [
        ("tenant.yaml", "tenant: acme\n"),
        ("automations/minutes.yaml", "automation: minutes\non: {schedule: \"* * * * *\"}\ndo: [{stop: true}]\n"),
        (
            "tests/a.yaml",
            "cases:\n  - {case: c, wait: 2 years}\n  - case: d\n    steps: [{wait: 2 hours}, {ran: minutes, state: stopped, count: 120}]\n",
        ),
    ];
    for (path, text) in files {
        let path = folder.path().join("acme").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let ran = plinth(folder.path(), &["test", "acme"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("expected  at most 1000 moments at which something is due\n"), "{}", ran.out);
    assert!(ran.out.contains("more: they have come by 2026-01-16T04:40:00Z. Let less time pass"), "{}", ran.out);
    assert!(ran.out.contains("1 passed, 1 failed"), "{}", ran.out);
}

/// The address is one at which somebody listens: nothing comes, whether or not there is an answer.
#[test]
fn nothing_goes_over_the_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let text = "secrets: {erp: x}
cases:
  - {case: without an answer, as: ann, create: order, with: {number: A-1}}
  - case: with one
    as: ann
    steps:
      - answer: {body: {reference: R-1}, headers: {x-by: me}}
      - {create: order, with: {number: A-1}, name: made}
      - {get: made, shows: {reference: R-1 me}}
";
    let ran = run_in(&TempDir::new().unwrap(), &address, text, &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains(&format!("an answer to POST {address}/orders/A-1?all")), "{}", ran.out);
    assert!(ran.out.contains("1 passed, 1 failed"), "{}", ran.out);
    let came = listener.accept().map(drop).map_err(|error| error.kind());
    assert_eq!(came, Err(std::io::ErrorKind::WouldBlock));
}

/// Each file has one mistake, told with its place and what was perhaps meant.
#[test]
fn mistakes_about_others_have_their_place() {
    let case = |step: &str| format!("cases:\n  - case: c\n    steps:\n      - {step}\n");
    let wrong = [
        (case("{hook: ordrs, with: {}}"), "unknown_hook", 4, Some("orders")),
        (case("{hok: orders, with: {}}"), "missing_key", 4, Some("hook")),
        (case("{hook: orders}"), "missing_key", 4, None),
        (case("{hook: orders, with: {}, signature: wrong}"), "wrong_value", 4, None),
        (case("{hook: orders, with: {}, signature: vald}"), "wrong_value", 4, Some("valid")),
        (case("{hook: orders, with: {}, shows: {run: 1}}"), "unknown_key", 4, None),
        (case("{hook: orders, with: {a: {$row: first}}}"), "unknown_row", 4, None),
        (case("{answer: {url: /paid}}"), "wrong_value", 4, None),
        (case("{answer: {sttus: 200}}"), "unknown_key", 4, Some("status")),
        (case("{answer: {status: 99}}"), "wrong_value", 4, None),
        (case("{answer: {method: PSOT}}"), "wrong_value", 4, Some("POST")),
        (case("{answer: {}, count: 1}"), "unknown_key", 4, None),
        (case("{http: {url: \"ftp://erp.example.com\"}}"), "wrong_value", 4, None),
        (case("{http: {headers: {\"a b\": c}}}"), "wrong_value", 4, None),
        (case("{http: {status: 200}}"), "unknown_key", 4, None),
        (format!("answers: {{}}\n{}", case("{http: {}}")), "wrong_value", 1, None),
        (format!("answers: [{{boddy: x}}]\n{}", case("{http: {}}")), "unknown_key", 1, Some("body")),
        (format!("answer: []\n{}", case("{http: {}}")), "unknown_key", 1, Some("answers")),
        (format!("secrets: {{\"a b\": x}}\n{}", case("{http: {}}")), "wrong_value", 1, None),
        (format!("secrets: {{a: \"\"}}\n{}", case("{http: {}}")), "wrong_value", 1, None),
    ];
    let folder = TempDir::new().unwrap();
    for (text, code, line, suggestion) in wrong {
        let ran = run_in(&folder, "https://erp.example.com", &text, &["--json"]);
        let json: Json = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{text}: {}{}", ran.out, ran.err));
        let problems = json["problems"].as_array().unwrap_or_else(|| panic!("{text}: {json}"));
        assert_eq!((ran.code, problems.len()), (1, 1), "{text}: {problems:?}");
        let (code, line) = (json!(code), json!(line));
        assert_eq!((&problems[0]["code"], &problems[0]["line"]), (&code, &line), "{text}: {problems:?}");
        assert_eq!(problems[0]["suggestion"], json!(suggestion), "{text}: {problems:?}");
    }
}
