//! Problems while files are written, and their remedies.

use super::{EditorClient, cursor, marked};
use serde_json::{Value as Json, json};

const COMPANY: &str = "types/company.yaml";

fn actions(client: &mut EditorClient, file: &str, range: &Json) -> Vec<Json> {
    let document = json!({"uri": client.address(file)});
    let params = json!({"textDocument": document, "range": range, "context": {"diagnostics": []}});
    let answer = client.request("textDocument/codeAction", params);
    answer["result"].as_array().unwrap().clone()
}

/// Returns a text with the only edit of an action.
fn edited(client: &EditorClient, file: &str, text: &str, action: &Json) -> String {
    let edit = &action["edit"]["changes"][client.address(file)][0];
    let before = marked(text, &json!({"start": {"line": 0, "character": 0}, "end": edit["range"]["start"]}));
    let replaced = marked(text, &edit["range"]);
    let new = edit["newText"].as_str().unwrap();
    format!("{before}{new}{}", &text[before.len() + replaced.len()..])
}

#[test]
fn problems_are_marked_whole_and_vanish() {
    let mut client = EditorClient::start();
    let right = client.text(COMPANY);
    let wrong =
        format!("{right}  extra: {{kind: pString, title: \"😀ž\", calculate: \"{{='😀' ~ nme ~ uper(code)}}\"}}\n");
    client.open(COMPANY, &wrong);
    let problems = client.problems(COMPANY);
    let parts: Vec<&str> = problems.iter().map(|problem| marked(&wrong, &problem["range"])).collect();
    assert_eq!(parts, ["nme", "uper"], "{problems:?}");
    assert_eq!(problems[0]["code"], "unknown_property");
    assert!(problems[0]["message"].as_str().unwrap().contains("Did you mean `name`?"), "{}", problems[0]);
    client.change(COMPANY, &right);
    assert!(client.problems(COMPANY).is_empty());
    assert!(client.end().success());
}

#[test]
fn problems_are_marked_in_each_way_to_write_a_text() {
    let mut client = EditorClient::start();
    let right = client.text(COMPANY);
    for property in [
        "  extra: {kind: pString, calculate: '{=''ž😀'' ~ nme}'}",
        "  extra: {kind: pString, calculate: \"{=\\\"\\u017e😀\\\" ~ nme}\"}",
        "  extra:\n    kind: pString\n    calculate: |-\n      {='ž😀'\n        ~ nme}",
        "  extra:\n    kind: pString\n    calculate: >-\n      {='ž😀'\n      ~ nme}",
        "  extra:\n    kind: pString\n    calculate: ž😀 {=nme}",
        "  extra:\r\n    kind: pString\r\n    calculate: |\r\n      {='ž😀'\r\n      ~ nme}\r\n",
    ] {
        let wrong = format!("{right}{property}\n");
        client.open(COMPANY, &wrong);
        let problems = client.problems(COMPANY);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(marked(&wrong, &problems[0]["range"]), "nme", "{property}");
    }
}

#[test]
fn problems_of_other_files_are_told_where_they_are() {
    let mut client = EditorClient::start();
    let without = client.text(COMPANY).replace("  terms: ", "  days: ");
    client.open(COMPANY, &without);
    // The invoice's day of payment rests on it.
    let problems = client.problems("types/invoice.yaml");
    let text = client.text("types/invoice.yaml");
    assert!(problems.iter().any(|problem| marked(&text, &problem["range"]) == "terms"), "{problems:?}");
    client.close(COMPANY);
    assert!(client.problems("types/invoice.yaml").is_empty());
}

#[test]
fn a_text_that_is_no_yaml_is_told_at_its_place() {
    let mut client = EditorClient::start();
    client.open(COMPANY, &format!("{}  extra: {{kind: [pString\n", client.text(COMPANY)));
    assert_eq!(client.problems(COMPANY)[0]["code"], "yaml");
}

#[test]
fn suggestions_are_remedies() {
    let mut client = EditorClient::start();
    let right = client.text(COMPANY);
    for (property, fixed) in [
        (
            "  extra: {kind: pString, calculate: '{=''ž😀'' ~ n|me}'}",
            "  extra: {kind: pString, calculate: '{=''ž😀'' ~ name}'}",
        ),
        ("  extra: {kind: pStr|ng}", "  extra: {kind: pString}"),
        ("  extra: {kind: pString, requi|rd: true}", "  extra: {kind: pString, required: true}"),
        (
            "  extra: {kind: pBoolean, calculate: \"{=na|me <> 'a'}\"}",
            "  extra: {kind: pBoolean, calculate: \"{=na|me <> 'a'}\"}",
        ),
    ] {
        let (wrong, position) = cursor(&format!("{right}{property}\n"));
        client.open(COMPANY, &wrong);
        let range = json!({"start": position, "end": position});
        let found = actions(&mut client, COMPANY, &range);
        if fixed.contains('|') {
            assert!(found.is_empty(), "the cursor is beside the mistake: {found:?}");
            continue;
        }
        assert_eq!(found.len(), 1, "{property}: {found:?}");
        assert_eq!(edited(&client, COMPANY, &wrong, &found[0]), format!("{right}{fixed}\n"));
    }
}

#[test]
fn findings_of_types_are_marked_with_their_fixes() {
    let mut client = EditorClient::start();
    let right = client.text(COMPANY);
    let rows = [
        ("  extra: {kind: pString, calculate: \"{=code + 1}\"}", "code", "text_counted", 1, 0),
        ("  extra: {kind: pBoolean, stored: false, calculate: \"{=created < 5}\"}", "5", "date_beside", 1, 0),
        (
            "  extra: {kind: pString, calculate: \"{=name ~ (code == code)}\"}",
            "(code == code)",
            "boolean_in_text",
            2,
            1,
        ),
    ];
    for (property, part, code, severity, fixes) in rows {
        let wrong = format!("{right}{property}\n");
        client.open(COMPANY, &wrong);
        let problems = client.problems(COMPANY);
        let found = problems.iter().find(|problem| problem["code"] == code).unwrap_or_else(|| panic!("{problems:?}"));
        assert_eq!(marked(&wrong, &found["range"]), part);
        assert_eq!(found["severity"], severity);
        assert!(actions(&mut client, COMPANY, &found["range"]).len() >= fixes, "{property}");
    }
}
