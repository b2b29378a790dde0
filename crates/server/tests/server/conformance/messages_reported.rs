//! Messages about expressions that failed: in imports, explanations, `plinth eval`, and steps of runs.

use crate::conformance::messages::{CLERK, MARK, calls};
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use testing::{Engine, Server};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");

/// The most rows of which an import tells.
const AT_ONCE: usize = 20;

const TYPE: &str = "id: 90\nname: case\ntitle: Case\ncodeProperty: code\nproperties:\n  \
                    hidden: {id: 900, kind: pJson}\n  open: {id: 901, kind: pString}\n  \
                    code: {id: 902, kind: pInteger, unique: true}\n  secret: {id: 903, kind: pText}\n  \
                    count: {id: 904, kind: pInteger}\n  day: {id: 905, kind: pDate}\n  \
                    state: {id: 906, kind: pEnum, options: [a, b]}\n  short: {id: 907, kind: pString, maxLength: 3}\n  \
                    other: {id: 908, kind: pRelation, type: case}\n";

/// Returns the texts of all messages within a document.
fn messages<'j>(within: &'j Json, found: &mut Vec<&'j str>) {
    match within {
        Json::Array(members) => members.iter().for_each(|member| messages(member, found)),
        Json::Object(members) => {
            found.extend(members.get("message").and_then(Json::as_str));
            members.values().for_each(|member| messages(member, found));
        }
        _ => {}
    }
}

#[spec("D-3", "R-133")]
async fn reports_of_imports_tell_nothing(engine: Engine) {
    let calls = calls();
    let mut text = TYPE.to_owned();
    for (index, call) in calls.iter().enumerate() {
        let rule = format!("kind: pString, validate: [{{rule: \"{{=[{call}] != [1]}}\", message: Wrong}}]");
        let _ = writeln!(text, "  p{index}: {{id: {}, {rule}}}", 1_000 + index);
    }
    let server = Server::with(engine, &[("types/case.yaml", &text)]).await;
    let folder = tempfile::tempdir().unwrap();
    let (file, mut told) = (folder.path().join("cases.jsonl"), String::new());
    let admin = server.admin();
    for code in 0..AT_ONCE {
        admin.create("case", json!({"code": code, "hidden": MARK})).await;
    }
    let numbers: Vec<usize> = (0..calls.len()).collect();
    for some in numbers.chunks(AT_ONCE) {
        let line = |(code, index): (usize, &usize)| json!({"code": code, format!("p{index}"): "x"}).to_string();
        let lines: Vec<String> = some.iter().enumerate().map(line).collect();
        std::fs::write(&file, lines.join("\n")).unwrap();
        let mut arguments = vec!["import", "case", "--mode", "update", file.to_str().unwrap()];
        if some[0] == 0 {
            arguments.push("--json");
        }
        told += &server.command(PLINTH, &arguments).await.1;
    }
    assert!(told.matches("cannot be checked").count() > 10, "{told}");
    assert!(told.contains("not a date"), "{told}");
    assert!(!told.contains("topsecret"), "{told}");
}

#[spec("D-3", "D-12")]
async fn explanations_and_refusals_of_grants_tell_nothing(engine: Engine) {
    const USER: &str = "name: user\nproperties:\n  hidden: {id: 300, kind: pText}\n";
    let server = Server::with(engine, &[("types/case.yaml", TYPE), ("types/user.yaml", USER)]).await;
    let (admin, clerk) = (server.admin(), server.role("clerk", CLERK).await);
    admin.create("case", json!({"hidden": MARK})).await;
    server.set_user("clerk", json!({"hidden": MARK})).await;
    let mut told = Vec::new();
    for call in [
        "formatDate(HIDDEN, 'Y') === open",
        "compareDates(HIDDEN, '<') or open == 'q'",
        "toString(jsonDecode(HIDDEN)) === open",
    ] {
        let check = call.replace("HIDDEN", "user().hidden");
        let role = format!(
            "role: clerk\nsystem: [restApi]\ntypes:\n  case:\n    show: {{fields: [open]}}\n    \
             edit: {{fields: [open], check: \"{{={check}}}\"}}\n"
        );
        server.change(&[("roles/clerk.yaml", &role)]).await;
        let asked = json!({"user": "clerk@acme.test", "type": "case", "item": 1, "set": {"open": "x"}});
        let explained = admin.post("/api/ext/v1/explain", asked).await.is(200).json();
        let mut found = Vec::new();
        messages(&explained, &mut found);
        told.extend(found.into_iter().map(str::to_owned));
        let refused = clerk.patch("collection/case/1", json!({"open": "x"})).await;
        assert!(refused.status >= 400, "{}", refused.text);
        told.push(refused.lacks("topsecret").text);
    }
    assert!(told.iter().any(|message| message.contains("not a date")), "{told:?}");
    assert!(told.iter().any(|message| message.contains("not JSON")), "{told:?}");
    assert!(told.iter().all(|message| !message.contains("topsecret")), "{told:?}");
}

/// Errors of `plinth eval` go into logs of whoever runs it.
#[test]
fn errors_of_evaluations_at_the_command_line_tell_nothing() {
    let line = |call: &String| json!({"expr": format!("[1, {call}] and null"), "resource": {"hidden": MARK}});
    let lines: String = calls().iter().map(|call| line(call).to_string() + "\n").collect();
    let mut eval = Command::new(PLINTH);
    let eval = eval.args(["eval", "--jsonl"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut eval = eval.spawn().unwrap();
    let mut input = eval.stdin.take().unwrap();
    let writing = std::thread::spawn(move || input.write_all(lines.as_bytes()).unwrap());
    let output = eval.wait_with_output().unwrap();
    writing.join().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(said.lines().count(), calls().len(), "{said}");
    assert!(said.matches("\"error\"").count() > 10 && said.contains("not a date"), "{said}");
    assert!(!said.contains("topsecret"), "{said}");
}

/// Steps that fail for what they are given, one way or another.
const STEPS: [(&str, &str); 18] = [
    ("if", "if: \"{=formatDate(secret, 'Y') == 1}\"\n    then: []"),
    ("create", "create: {type: case, set: {open: \"{=formatDate(secret, 'Y')}\"}}"),
    ("integer", "create: {type: case, set: {count: \"{=[secret][0]}\"}}"),
    ("date", "create: {type: case, set: {day: \"{=[secret][0]}\"}}"),
    ("option", "create: {type: case, set: {state: \"{=[secret][0]}\"}}"),
    ("length", "create: {type: case, set: {short: \"{=secret}\"}}"),
    ("relation", "create: {type: case, set: {other: \"{=[secret][0]}\"}}"),
    ("update", "update: {type: case, item: \"{=[secret][0]}\", set: {open: x}}"),
    ("set", "update: {type: case, item: 1, set: {count: \"{=[secret][0]}\"}}"),
    ("delete", "delete: {type: case, item: \"{=[secret][0]}\"}"),
    ("notify", "notify: {to: \"{=[secret][0]}\", title: x}"),
    ("level", "notify: {to: 1, title: x, level: \"{=[secret][0]}\"}"),
    ("mail", "mail: {to: \"{=[secret][0]}\", subject: x, text: x}"),
    ("subject", "mail: {to: a@b.test, subject: \"{=formatDate(secret, 'Y')}\", text: x}"),
    ("address", "http: {url: \"{=secret}\"}"),
    (
        "header",
        "http: {url: \"http://localhost/\", headers: {Authorization: \"{=secret ~ jsonDecode('\\\"\\\\n\\\"')}\"}}",
    ),
    ("list", "forEach: {in: \"{=[secret][0]}\", as: one, do: []}"),
    ("stop", "stop: \"{=formatDate(secret, 'Y')}\""),
];

#[spec("D-3", "A126")]
async fn runs_tell_nothing_whatever_step_failed(engine: Engine) {
    let files: Vec<(String, String)> = STEPS
        .iter()
        .map(|(name, step)| {
            let text = format!("automation: {name}\non: {{event: case.updated}}\ndo:\n  - {step}\n");
            (format!("automations/{name}.yaml"), text)
        })
        .collect();
    let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let files: Vec<_> = [("types/case.yaml", TYPE)].into_iter().chain(files).collect();
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    admin.create("case", json!({"secret": MARK})).await;
    admin.patch("collection/case/1", json!({"open": "y"})).await.is(200);
    server.run_automations().await;
    let runs = admin.get("/api/ext/v1/automation-run?limit=100").await.is(200).lacks("topsecret").at("/items");
    let runs = runs.as_array().unwrap();
    assert_eq!(runs.len(), STEPS.len());
    for run in runs {
        let one = admin.get(&format!("/api/ext/v1/automation-run/{}", run["id"])).await.is(200).json();
        let said = json!([one["error"], one["log"]]).to_string();
        assert!(!said.contains("topsecret"), "{said}");
        let failed = one["log"].as_array().unwrap().iter().any(|step| !step["error"].is_null());
        assert!(failed || !one["error"].is_null(), "{} did not fail: {one}", one["automation"]);
    }
    admin.get("/api/ext/v1/outbox").await.lacks("topsecret");
}
