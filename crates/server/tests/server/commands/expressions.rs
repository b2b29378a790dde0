//! `plinth eval` and `plinth reference`, and the pages about expressions.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

const GUIDE: &str = include_str!("../../../../../docs/expressions.md");
const BEGINNING: &str = include_str!("../../../../../docs/expressions-in-ten-minutes.md");
const FUNCTIONS: &str = include_str!("../../../../../docs/functions.md");

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
    command.env_clear().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// What was printed, as JSON.
#[track_caller]
fn printed(arguments: &[&str]) -> Json {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The error of a run that failed.
#[track_caller]
fn failed(arguments: &[&str]) -> Json {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    serde_json::from_slice::<Json>(&output.stderr).unwrap()["error"].clone()
}

/// What each line gives.
fn stream(lines: impl IntoIterator<Item = String>) -> Vec<Json> {
    let mut child = command(&["eval", "--jsonl"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<_> = lines.into_iter().collect();
    let writer = std::thread::spawn(move || lines.iter().for_each(|line| writeln!(input, "{line}").unwrap()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_expression_is_evaluated() {
    assert_eq!(printed(&["eval", r#"{=upper(name) ~ "!"}"#, "--resource", r#"{"name":"ann"}"#]), "ANN!");
    assert_eq!(printed(&["eval", "Dear {=name}", "--resource", r#"{"name":"ann"}"#]), "Dear ann");
    assert_eq!(printed(&["eval", "$x + var('x')", "--vars", r#"{"x":1}"#]), 2);
    assert_eq!(
        printed(&["eval", "$x", "--vars", r#"{"$map": [["x", {"$decimal": "1.50"}]]}"#]),
        json!({"$decimal": "1.50"})
    );
    assert_eq!(printed(&["eval", "$x", "--vars", "[]"]), Json::Null);
    assert_eq!(failed(&["eval", "$x", "--vars", "3"])["code"], "wrong_value");
    assert_eq!(printed(&["eval", "-1"]), -1);
    let given = ["eval", "trigger('a') ~ env('b') ~ env('none')", "--trigger", r#"{"a":"t"}"#, "--env", r#"{"b":"e"}"#];
    assert_eq!(printed(&given), "te");
    for now in ["2026-01-31T10:00:00Z", "1769853600", "2026-01-31T11:00:00", "2026-01-31T05:00:00-05:00"] {
        let value = printed(&["eval", "date('c')", "--tz", "Europe/Prague", "--now", now]);
        assert_eq!(value, "2026-01-31T11:00:00+01:00", "{now}");
    }
    assert_eq!(printed(&["eval", "date('P')", "--tz", "+02:30"]), "+02:30");
}

#[test]
fn a_resource_that_is_given_is_one() {
    let resource = r#"{"id": 42, "type": "order", "title": "Lamp", "code": "L1", "customer": {"name": "Ann"}}"#;
    for (expression, value) in [
        ("getTitle()", json!("Lamp")),
        ("objectShowLink()", json!("/order/42/show")),
        ("objectCreateLink()", json!("/order/create")),
        ("objectActionLink(action: 'approve')", json!("/order/42/approve")),
        ("id ~ code ~ customer.name ~ missing", json!("42L1Ann")),
        ("getRaw(code)", json!("L1")),
        ("export(properties: ['code'])", json!({"$map": [["code", "L1"]]})),
    ] {
        assert_eq!(printed(&["eval", expression, "--resource", resource]), value, "{expression}");
    }
    assert_eq!(printed(&["eval", "getTitle()", "--resource", r#"{"name": "Ann"}"#]), "Ann");
    assert_eq!(printed(&["eval", "[id, getTitle()]", "--resource", "{}"]), json!([null, null]));
    let line = json!({"expr": "getTitle()", "resource": {"$object": [["title", "Lamp"]]}}).to_string();
    assert_eq!(stream([line]), [json!({"value": "Lamp"})]);
}

#[test]
fn a_line_that_is_too_long_does_not_end_the_stream() {
    let lines = [r#"{"expr": "1"}"#.to_owned(), "x".repeat(16 * 1024 * 1024 + 1), r#"{"expr": "2"}"#.to_owned()];
    let answers = stream(lines);
    assert_eq!((&answers[0], &answers[2]), (&json!({"value": 1}), &json!({"value": 2})));
    assert_eq!(answers[1]["error"]["code"], "line_too_long");
    assert!(answers[1]["error"]["message"].as_str().unwrap().starts_with("Line 2 "));
    assert_eq!(answers.len(), 3);
}

#[test]
fn suggestions_are_the_same_in_lines() {
    let error = failed(&["eval", "upr(1)"]);
    assert_eq!(error["corrected"], Json::Null, "{error}");
    assert_eq!(error["suggestion"], "upper");
    assert_eq!(stream([r#"{"expr": "upr(1)"}"#.to_owned()]), [json!({"error": error})]);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let error = failed(&["eval", "IF(UPPER('a') = 'A'; 1; 2)"]);
    assert_eq!(error["corrected"], "if(upper('a') == 'A', 1, 2)", "{error}");
    let error = failed(&["eval", "a {=1 <> 2} {=upr('b')}"]);
    assert_eq!(error["corrected"], "a {=1 != 2} {=upper('b')}", "{error}");
    let error = failed(&["eval", "1 + upr('a')"]);
    assert_eq!(error["code"], "unknown_function");
    assert_eq!(error["span"], json!([4, 7]));
    assert_eq!(failed(&["eval", "ok {=1 / 0}", "--json"])["code"], "division_by_zero");
    assert_eq!(failed(&["eval", "name"])["code"], "provider_missing");
    assert_eq!(failed(&["eval", "1", "--tz", "Europe/Prag"])["code"], "unknown_zone");
    assert_eq!(failed(&["eval", "1", "--now", "soon"])["code"], "wrong_now");
    assert_eq!(run(&["eval"]).status.code(), Some(2));
    let output = run(&["eval", "1", "--resource", "{"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--resource"));
}

#[test]
fn lines_are_answered_in_order() {
    let line = |number: i64| match number % 4 {
        0 => json!({"expr": "$n + 1", "vars": {"n": number}}).to_string(),
        1 => json!({"id": number, "expr": "{=name}", "resource": {"name": {"$float": "1.0"}}}).to_string(),
        2 => json!({"expr": "{=1 / 0}"}).to_string(),
        _ => "no object".to_owned(),
    };
    let answers = stream((0..4_000).map(line));
    assert_eq!(answers.len(), 4_000);
    for (number, answer) in (0..).zip(&answers) {
        match number % 4 {
            0 => assert_eq!(*answer, json!({"value": number + 1})),
            1 => assert_eq!(*answer, json!({"value": {"$float": "1.0"}})),
            2 => assert_eq!(answer["error"]["code"], "division_by_zero"),
            _ => assert_eq!(answer["error"]["code"], "wrong_line"),
        }
    }
}

#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    let mut child = command(&["eval", "--jsonl"]).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for number in 0..3 {
        writeln!(input, r#"{{"expr": "{number} + 1"}}"#).unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(answer, format!("{{\"value\":{}}}\n", number + 1));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// The fenced blocks of a language, in order.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let start = format!("\n```{language}\n");
    page.split(&start).skip(1).map(|rest| rest.split_once("```").unwrap().0).collect()
}

#[test]
fn the_examples_of_the_pages_hold() {
    hold(GUIDE, 50);
    hold(BEGINNING, 15);
}

/// Evaluates the examples of a page, at least so many, in its place.
#[track_caller]
fn hold(page: &str, least: usize) {
    let place: Json = serde_json::from_str(blocks(page, "json")[0]).unwrap();
    let mut examples = Vec::new();
    for block in blocks(page, "expression") {
        let lines: Vec<_> = block.lines().collect();
        for pair in lines.chunks(2) {
            let [expression, result] = pair else { panic!("{block}") };
            examples.push((*expression, result.strip_prefix("=> ").unwrap()));
        }
    }
    assert!(examples.len() >= least, "{} examples", examples.len());
    let line = |(expression, _): &(&str, &str)| {
        let mut line = place.clone();
        line["expr"] = Json::from(*expression);
        line.to_string()
    };
    let answers = stream(examples.iter().map(line));
    for ((expression, result), answer) in examples.iter().zip(&answers) {
        match result.strip_prefix("error ") {
            Some(code) => assert_eq!(answer["error"]["code"], code, "{expression}: {answer}"),
            None => {
                let value: Json = serde_json::from_str(result).unwrap();
                assert_eq!(*answer, json!({ "value": value }), "{expression}");
            }
        }
    }
}

#[test]
fn the_page_of_functions_is_up_to_date() {
    let page = String::from_utf8(run(&["reference", "--format", "markdown"]).stdout).unwrap();
    assert!(page == FUNCTIONS, "plinth reference --format markdown > docs/functions.md");
}

/// Each example by the command that stands beside it, and in its place by its name.
#[test]
fn each_example_of_the_page_gives_its_value() {
    let sections: Vec<&str> = FUNCTIONS.split("\n## ").skip(1).collect();
    assert!(sections.len() >= 104, "{} functions", sections.len());
    let mut alone = Vec::new();
    for section in sections {
        let name = section.lines().next().unwrap();
        let [block] = blocks(section, "text")[..] else { panic!("{name} has one example") };
        let (expression, value) = block.trim().split_once("\n=> ").unwrap();
        let value: Json = serde_json::from_str(value).unwrap();
        assert_eq!(printed(&["eval", "--example", name]), value, "{name}");
        if !section.contains(&format!("`plinth eval --example {name}` runs it.")) {
            alone.push((expression, value));
        }
    }
    assert!(alone.len() > 60, "{} examples need no place", alone.len());
    let answers = stream(alone.iter().map(|(expression, _)| json!({"expr": expression}).to_string()));
    for ((expression, value), answer) in alone.iter().zip(&answers) {
        assert_eq!(*answer, json!({"value": value}), "{expression}");
    }
    assert_eq!(printed(&["eval", "--example", "customer.name ~ ' ' ~ status"]), "Ann done");
    let refused = run(&["eval", "--example", "status", "--now", "0"]);
    assert_eq!(refused.status.code(), Some(2), "the place has its own present");
}

#[test]
fn a_function_is_described() {
    let text = String::from_utf8(run(&["reference", "explode"]).stdout).unwrap();
    assert!(text.starts_with("explode(separator, string, limit = "), "{text}");
    let described = printed(&["reference", "explode", "--format", "json"]);
    assert_eq!(described["parameters"][0]["name"], "separator");
    assert_eq!(described["availability"], "always");
    let all = printed(&["reference", "--format", "json"]);
    let names: Vec<_> = all.as_array().unwrap().iter().map(|function| function["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"map") && names.contains(&"getSecret"));
    let list = String::from_utf8(run(&["reference"]).stdout).unwrap();
    assert_eq!(list.lines().count(), names.len());
    let output = run(&["reference", "explod"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("Did you mean explode?"));
}
