//! The order of a write: required values are there before expressions run on them.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Reply, Server};

const ORDER: &str = r#"
id: 70
name: order
properties:
  code:  {id: 700, kind: pString, required: true}
  count: {id: 701, kind: pInteger, required: true, min: 1}
  first: {id: 702, kind: pString, required: true, default: "{=firstNChars(webalize(code), 1)}"}
  level: {id: 703, kind: pString, required: true, default: "{=count > 5 ? first : null}"}
  slug:  {id: 704, kind: pString, calculate: "{=webalize(code)}"}
  per:   {id: 705, kind: pFloat, calculate: "{=100 / count}"}
  note:  {id: 707, kind: pString, validate: [{rule: "{=webalize(code) != note}", message: It repeats the code.}]}
  paper: {id: 708, kind: pString, required: true, condition: "{=count > 90}"}
"#;

/// The problems of an answer: each property with its code.
fn problems(reply: Reply) -> Vec<(String, String)> {
    let errors = reply.is(400).json()["errors"].take();
    let text = |error: &Json, key: &str| error[key].as_str().unwrap().to_owned();
    errors.as_array().unwrap().iter().map(|error| (text(error, "property"), text(error, "code"))).collect()
}

fn missing(names: &[&str]) -> Vec<(String, String)> {
    names.iter().map(|name| ((*name).to_owned(), "required".to_owned())).collect()
}

#[spec]
async fn what_is_missing_is_said_before_expressions_run(engine: Engine) {
    let server = Server::with(engine, &[("types/order.yaml", ORDER)]).await;
    let admin = server.admin().with("accept", "application/problem+json, application/json");
    for (body, names) in [
        // Neither the default of `first` nor any calculation ends with an error of its own.
        (json!({}), &["code", "count"][..]),
        (json!({"count": 10}), &["code"]),
        (json!({"code": null, "count": 10}), &["code"]),
        (json!({"code": "a", "count": 10, "first": null}), &["first"]),
        // A default that is empty is as one that is missing.
        (json!({"code": "a", "count": 4}), &["level"]),
        // Requirements of a condition come after that, and rules last: nothing is said about the note.
        (json!({"code": "a", "count": 91, "level": "x", "note": "a"}), &["paper"]),
    ] {
        assert_eq!(problems(admin.post("collection/order", body.clone()).await), missing(names), "{body}");
    }
    let broken = admin.post("collection/order", json!({"code": "a", "count": 10, "note": "a"})).await;
    assert_eq!(problems(broken), [("note".to_owned(), "rule_broken".to_owned())]);
    let order = admin.create("order", json!({"code": "a", "count": 10})).await;
    assert_eq!([&order["first"], &order["level"], &order["slug"]], ["a", "a", "a"]);
    let path = format!("collection/order/{}", order["id"]);
    for (body, names) in [
        (json!({"code": null}), &["code"][..]),
        (json!({"first": null, "count": 3}), &["first"]),
        (json!({"level": null}), &["level"]),
        (json!({"count": 91, "note": "a"}), &["paper"]),
    ] {
        assert_eq!(problems(admin.patch(&path, body.clone()).await), missing(names), "{body}");
    }
    assert_eq!(problems(admin.put(&path, json!({"count": 10})).await), missing(&["code"]));
    assert_eq!(problems(admin.put(&path, json!({"code": "b", "count": 4})).await), missing(&["level"]));
    admin.put(&path, json!({"code": "b", "count": 10})).await.is(200);
    assert_eq!(admin.get(&path).await.is(200).at("/slug"), "b");
}
