//! One failing expression in each place where expressions run: the answer names the place, the part of the expression,
//! the reason, and no value.

use crate::automations::runs::runs;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Reply, Server};

/// No JSON, and what no message may hold.
const MARK: &str = "topsecret";

const REASON: &str = "The text is not JSON: something is wrong";

const TYPE: &str = r#"
id: 70
name: case
properties:
  data:    {id: 700, kind: pText}
  mode:    {id: 701, kind: pString}
  first:   {id: 702, kind: pString, title: First, default: "{=mode == 'default' ? toString(jsonDecode(data ?? '1').a) : 'x'}"}
  made:    {id: 703, kind: pString, title: Made, calculate: "{=mode == 'calculate' ? toString(jsonDecode(data ?? '1').a) : 'x'}"}
  shown:   {id: 704, kind: pString, title: Shown, calculate: "{=toString(jsonDecode(data ?? '{}').a)}", stored: false}
  needed:  {id: 705, kind: pString, title: Needed, required: "{=mode == 'required' and jsonDecode(data ?? '1') == 1}"}
  checked: {id: 706, kind: pString, title: Checked, validate: [{rule: "{=mode != 'validate' or jsonDecode(data ?? '1') == 1}", message: Wrong}]}
  maybe:   {id: 707, kind: pString, title: Maybe, condition: "{=mode == 'condition' and jsonDecode(data ?? '1') == 1}"}
  per:     {id: 708, kind: pFloat, title: Per, calculate: "{=jsonDecode(text ?? '{}').a / jsonDecode(text ?? '{}').b}"}
  text:    {id: 709, kind: pText}
"#;

const FILES: [(&str, &str); 6] = [
    ("types/case.yaml", TYPE),
    (
        "queries/some.yaml",
        "query: some\ntype: case\nparams: {least: {kind: pInteger, default: \"{=jsonDecode(user('user_name')).a}\"}}\n\
         filters: [{property: id, type: gte, param: {$param: least}}]\n",
    ),
    (
        "canvases/board.yaml",
        "canvas: board\ntitle: Board\nitems:\n  \
         - {kind: number, title: Broken, value: \"{=1 + length(jsonDecode(user('user_name')))}\"}\n",
    ),
    (
        "canvases/other.yaml",
        "canvas: other\ntitle: Other\ntemplate: {unit: \"{=jsonDecode(user('user_name'))}\"}\nitems:\n  \
         - {kind: text, text: plain}\n",
    ),
    (
        "roles/clerk.yaml",
        "role: clerk\nsystem: [restApi]\ntypes:\n  case:\n    show: {where: \"{=mode === toString(jsonDecode(user('user_name')))}\"}\n    \
         create: {fields: [data], preset: {mode: \"{=toString(jsonDecode(user('user_name')))}\"}}\n",
    ),
    (
        "automations/one.yaml",
        "automation: one\non: {event: case.created, if: \"{=mode == 'automation'}\"}\ndo:\n  \
         - create: {type: case, set: {text: \"a {=jsonDecode(data ?? '1')}\"}}\n",
    ),
];

/// The message of an answer that says nothing of what may not be read.
fn message(reply: Reply) -> String {
    shortened(&reply.lacks(MARK).at("/message"))
}

/// A message without the place within the text that is not JSON.
fn shortened(message: &Json) -> String {
    let message = message.as_str().unwrap();
    message.split_once(" near byte ").map_or(message, |(before, _)| before).to_owned()
}

#[spec]
async fn each_place_names_itself_the_part_and_the_reason(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let part = "`jsonDecode(data ?? '1')`";
    for (mode, said) in [
        ("default", format!("First cannot be calculated at {part}: {REASON}")),
        ("calculate", format!("Made cannot be calculated at {part}: {REASON}")),
        ("required", format!("Needed cannot be checked, since its `required` fails at {part}: {REASON}")),
        ("validate", format!("Checked cannot be checked, since its `validate` fails at {part}: {REASON}")),
    ] {
        let mut body = json!({"data": MARK, "mode": mode, "checked": "x"});
        if mode == "default" {
            body["first"] = Json::Null;
            body.as_object_mut().unwrap().remove("first");
        }
        let refused = admin.post("collection/case", body).await.is(400);
        assert_eq!(refused.header("x-error-code"), "expression_failed", "{mode}");
        assert_eq!(message(refused), said);
    }
    // A condition that fails does not hold.
    let refused = admin.post("collection/case", json!({"data": MARK, "mode": "condition", "maybe": "x"})).await;
    assert_eq!(message(refused.is(400)), "Maybe does not apply here: that depends on Data, Mode.");
    // Nothing becomes a number that is none, and no divisor is 0 in silence.
    for (text, said) in [
        (
            r#"{"a": "12,50", "b": 2}"#,
            "/ wants numbers, and the string only begins with one. toInt() and toFloat() read the number that a string begins with; they read a point, not a comma",
        ),
        (r#"{"a": 1, "b": 0}"#, "Division by zero: test the divisor, b != 0 ? a / b : null"),
        (r#"{"a": [1], "b": 2}"#, "/ wants numbers, not an array. length(x) counts its items"),
    ] {
        let refused = admin.post("collection/case", json!({"text": text})).await.is(400);
        let part = "`jsonDecode(text ?? '{}').a / jsonDecode(text ?? '{}').b`";
        assert_eq!(message(refused), format!("Per cannot be calculated at {part}: {said}."));
    }
    // A virtual calculation is null, and the wrapped value says why.
    let case = admin.create("case", json!({"data": MARK})).await;
    let wrapped = admin.get(&format!("collection/case/{}?wrapFields=shown", case["id"])).await.is(200);
    let said = format!("Shown cannot be calculated at `jsonDecode(data ?? '{{}}')`: {REASON}");
    assert_eq!(shortened(&wrapped.at("/shown/error")), said, "{}", wrapped.text);
}

#[spec]
async fn places_beside_properties_name_themselves_too(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let user = admin.get("/api/ext/v1/query/some").await.is(400);
    let part = "`jsonDecode(user('user_name'))`";
    assert_eq!(message(user), format!("The default of the parameter least cannot be calculated: at {part}: {REASON}"));
    let board = admin.get("/api/ext/v1/canvas/board").await.is(200);
    assert_eq!(board.at("/items/0/title"), "Broken");
    assert_eq!(shortened(&board.at("/items/0/error/message")), format!("At {part}: {REASON}"));
    let other = admin.get("/api/ext/v1/canvas/other").await.is(400);
    assert_eq!(message(other), format!("The variable unit cannot be calculated: at {part}: {REASON}"));
    // A grant whose condition fails is for nothing; a preset that fails refuses the write.
    admin.create("case", json!({"data": "1"})).await;
    let clerk = server.role("clerk", FILES[4].1).await;
    assert_eq!(clerk.get("collection/case").await.status, 204);
    let refused = clerk.post("collection/case", json!({"data": "1"})).await.is(400);
    assert_eq!(message(refused), format!("Mode cannot be preset at {part}: {REASON}"));
    // A step of an automation.
    admin.create("case", json!({"data": MARK, "mode": "automation"})).await;
    server.run_automations().await;
    let runs = runs(&server).await;
    let error = runs[0]["log"].as_array().unwrap().last().unwrap()["error"].clone();
    assert_eq!(shortened(&error), format!("At `jsonDecode(data ?? '1')`: {REASON}"), "{runs:?}");
}
