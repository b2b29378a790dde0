//! `plinth check --sarif`: logs are of the schema of SARIF 2.1.0, as far as they use it, and files are found from the
//! present directory on.

use super::checking::{folder, json, plinth};
use serde_json::{Value as Json, json as object};
use std::fs;

/// The part of the standard that logs of Plinth use: by object, the members it may have, `!` behind those it must.
/// A member is a text, a number from a least one, one of some words, another object, or an array of one of these.
fn parts() -> Json {
    object!({
        "log": {"$schema": "uri", "version!": ["2.1.0"], "runs!": "[run]"},
        "run": {"tool!": "tool", "results": "[result]", "columnKind": ["utf16CodeUnits", "unicodeCodePoints"]},
        "tool": {"driver!": "driver"},
        "driver": {"name!": "text", "version": "text", "rules": "[rule]"},
        "rule": {"id!": "text", "name": "text", "shortDescription": "message"},
        "message": {"text!": "text"},
        "result": {
            "ruleId": "text", "ruleIndex": -1, "level": ["none", "note", "warning", "error"], "message!": "message",
            "locations": "[location]", "fixes": "[fix]",
        },
        "location": {"physicalLocation": "place"},
        "place": {"artifactLocation": "artifact", "region": "region"},
        "artifact": {"uri": "uri"},
        "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1},
        "fix": {"description": "message", "artifactChanges!": "[change]"},
        "change": {"artifactLocation!": "artifact", "replacements!": "[replacement]"},
        "replacement": {"deletedRegion!": "region", "insertedContent": "content"},
        "content": {"text": "text"},
    })
}

/// Notes where a value is not what the standard has there.
fn check(value: &Json, wanted: &Json, at: &str, wrong: &mut Vec<String>) {
    let parts = parts();
    let fits = match wanted {
        Json::Array(words) => words.contains(value),
        Json::Number(least) => value.as_i64() >= least.as_i64(),
        Json::String(name) => match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(item) => match value.as_array() {
                Some(items) => {
                    let place = |index| format!("{at}[{index}]");
                    items.iter().enumerate().for_each(|(index, it)| check(it, &item.into(), &place(index), wrong));
                    true
                }
                None => false,
            },
            None if name == "text" => value.as_str().is_some_and(|text| !text.is_empty()),
            None if name == "uri" => value.as_str().is_some_and(is_reference),
            None => match value.as_object() {
                Some(_) => return check_members(value, &parts[name.as_str()], at, wrong),
                None => false,
            },
        },
        _ => false,
    };
    if !fits {
        wrong.push(format!("{at}: {value}, not {wanted}"));
    }
}

fn check_members(value: &Json, members: &Json, at: &str, wrong: &mut Vec<String>) {
    let (value, members) = (value.as_object().unwrap(), members.as_object().unwrap());
    let named = |name: &str| members.get(name).or_else(|| members.get(&format!("{name}!")));
    for (name, member) in value {
        match named(name) {
            Some(wanted) => check(member, wanted, &format!("{at}.{name}"), wrong),
            None => wrong.push(format!("{at}: the standard has no {name}")),
        }
    }
    let needed = members.keys().filter_map(|name| name.strip_suffix('!'));
    wrong.extend(needed.filter(|name| !value.contains_key(*name)).map(|name| format!("{at}: {name} is missing")));
}

/// Returns true for letters that a reference of a file or an address may have.
fn is_reference(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"%-._~:/?#@!$&'()*+,;=".contains(&byte))
}

fn assert_standard(log: &Json) {
    let mut wrong = Vec::new();
    check(log, &"log".into(), "log", &mut wrong);
    assert!(wrong.is_empty(), "{}\n{log}", wrong.join("\n"));
}

#[test]
fn logs_are_of_the_standard() {
    // A safe fix, an offered one, a warning, a name; files that are not YAML, and one whose name has blanks.
    let rules = ["due == '31.12.2026'", "due < time()", "text == ''", "duee == due", "due < ", "text + 1 == 2"];
    for rule in rules {
        let folder = folder(&format!("\"{{={rule}}}\""));
        let log = json(&plinth(folder.path(), &["check", "--sarif", "."]));
        assert_standard(&log);
        assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(1), "{log}");
    }
    let folder = folder("\"{=due == issued}\"");
    assert_standard(&json(&plinth(folder.path(), &["check", "--sarif", "."])));
    fs::write(folder.path().join("types/bad.yaml"), "id: [").unwrap();
    fs::write(folder.path().join("types/ä b.yaml"), "x").unwrap();
    let log = json(&plinth(folder.path(), &["check", "--sarif", "."]));
    assert_standard(&log);
    assert!(log.to_string().contains("types/%C3%A4%20b.yaml"), "{log}");
}

#[test]
fn sarif_has_rules_regions_and_fixes() {
    let folder = folder("\"{=due == '31.12.2026'}\"");
    let output = plinth(folder.path(), &["check", "--sarif", "."]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let log = json(&output);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "date_beside");
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"date_beside".into(), &"error".into()));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "types/note.yaml");
    let region = &place["region"];
    assert_eq!(region["endColumn"].as_u64().unwrap() - region["startColumn"].as_u64().unwrap(), 12, "{region}");
    let change = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], "'2026-12-31'");
    assert_eq!(&change["deletedRegion"], region);
}

#[test]
fn files_are_found_from_the_present_directory_on() {
    let folder = folder("\"{=due == '31.12.2026'}\"");
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    let uri = |arguments: &str| {
        let log = json(&plinth(folder.path().parent().unwrap(), &["check", "--sarif", arguments]));
        assert_standard(&log);
        let location = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        location["artifactLocation"]["uri"].as_str().unwrap().to_owned()
    };
    assert_eq!(uri(&format!("./{name}")), format!("{name}/types/note.yaml"));
    let whole = folder.path().to_str().unwrap();
    assert_eq!(uri(whole), format!("file://{whole}/types/note.yaml"));
}
