//! Completion, hover, signatures and definitions at places of files.

use super::{EditorClient, cursor, marked};
use serde_json::{Value as Json, json};

const INVOICE: &str = "types/invoice.yaml";
const PAID: &str = "automations/paid.yaml";

/// A type file with an expression of its own, whose cursor is `|`.
fn with(client: &EditorClient, property: &str) -> (String, Json) {
    cursor(&format!("{}{property}\n", client.text(INVOICE)))
}

/// The labels at the cursor of a property that is added to the invoice.
fn labels(client: &mut EditorClient, property: &str) -> Vec<String> {
    let (text, position) = with(client, property);
    client.open(INVOICE, &text);
    client.labels(INVOICE, &position)
}

#[track_caller]
fn contains(found: &[String], wanted: &[&str]) {
    assert!(wanted.iter().all(|label| found.iter().any(|other| other == label)), "{wanted:?} of {found:?}");
}

#[test]
fn a_dot_completes_in_each_way_to_write_a_text() {
    let mut client = EditorClient::start();
    for property in [
        "  extra: {kind: pString, calculate: \"{=company.|}\"}",
        "  extra: {kind: pString, calculate: \"{='ž😀' ~ \\\"\\u017e\\\" ~ company.|}\"}",
        "  extra: {kind: pString, calculate: '{=''ž😀'' ~ company.|}'}",
        "  extra:\n    kind: pString\n    calculate: |\n      {='😀ž' ~\n        company.|}",
        "  extra:\n    kind: pString\n    calculate: >-\n      {='😀ž'\n      ~ company.|}",
        "  extra:\n    kind: pString\n    calculate: '{=''😀ž''\n\n      ~ company.|}'",
    ] {
        let found = labels(&mut client, property);
        assert!(!found.is_empty(), "{property}");
        contains(&found, &["name", "email", "terms", "id"]);
        assert!(!found.contains(&"balance".to_owned()), "{property}: {found:?}");
    }
    assert!(client.end().success());
}

#[test]
fn a_text_that_is_no_yaml_for_the_moment_completes() {
    let mut client = EditorClient::start();
    for property in [
        "  extra: {kind: pString, calculate: \"{=company.|",
        "  extra: {kind: pString, calculate: '{=company.|",
        "  extra: {kind: pString, calculate: {=company.|",
        "  extra: {kind: pString, validate: [{rule: \"{=company.|",
        "  extra:\n    kind: pString\n    calculate: \"{=upper(company.|",
    ] {
        contains(&labels(&mut client, property), &["name", "email", "terms"]);
    }
}

#[test]
fn names_of_each_place_complete() {
    let mut client = EditorClient::start();
    let automation = client.text(PAID);
    let mut at = |from: &str, to: &str| {
        let (text, position) = cursor(&automation.replacen(from, to, 1));
        client.open(PAID, &text);
        client.labels(PAID, &position)
    };
    assert_eq!(at("trigger('resource')", "trigger('|')"), ["changes", "event", "resource", "user"]);
    contains(&at("changedFrom('status', 'sent')", "changedFrom('st|')"), &["status"]);
    contains(&at("{=createdBy}", "{=trigger('resource').company.|}"), &["name", "email"]);
    contains(&at("{=company.email != null}", "{=company.em|ail != null}"), &["email"]);
    let role = client.text("roles/customer.yaml");
    let (text, position) = cursor(&role.replacen("user('company.id')}\", fields", "user('company.|')}\", fields", 1));
    client.open("roles/customer.yaml", &text);
    contains(&client.labels("roles/customer.yaml", &position), &["name", "terms"]);
    // Outside of expressions nothing completes.
    let position = json!({"line": 0, "character": 3});
    assert!(client.labels("roles/customer.yaml", &position).is_empty());
    assert!(client.labels("nosuch.yaml", &position).is_empty());
}

#[test]
fn numbers_and_intervals_complete_their_members() {
    let mut client = EditorClient::start();
    for number in ["14.|", "14.d|", "company.terms.|", "toInt('3').|"] {
        let found = labels(&mut client, &format!("  extra: {{kind: pDate, calculate: \"{{=issued + {number}}}\"}}"));
        contains(&found, &["days"]);
    }
    let found = labels(&mut client, "  extra: {kind: pDate, calculate: \"{=issued + 14.}\"} # |");
    assert!(found.is_empty(), "{found:?}");
    let found = labels(&mut client, "  extra: {kind: pInteger, calculate: \"{=dateDiff(issued, due).|}\"}");
    contains(&found, &["days", "totalDays", "invert", "y"]);
    let property = "  extra: {kind: pInteger, calculate: \"{=dateDiff(issued, due).tot|alDays}\"}";
    let (text, position) = with(&client, property);
    client.open(INVOICE, &text);
    let hover = client.ask("hover", INVOICE, &position);
    assert_eq!(hover["contents"]["value"], "`totalDays`: a number");
}

#[test]
fn variables_of_lists_complete_the_properties_of_their_members() {
    let mut client = EditorClient::start();
    let file = "automations/reminders.yaml";
    let text = client.text(file);
    let (text, position) =
        cursor(&text.replacen("to: \"{=var('invoice').company.email}", "to: \"{=var('invoice').comp|", 1));
    client.open(file, &text);
    contains(&client.labels(file, &position), &["company"]);
    let (text, position) = cursor(&text.replacen("{=var('invoice').comp", "{=$invoice.company.|", 1));
    client.open(file, &text);
    contains(&client.labels(file, &position), &["email", "terms"]);
}

#[test]
fn a_completion_replaces_the_name_in_its_own_way_of_writing() {
    let mut client = EditorClient::start();
    let property = "  extra: {kind: pString, title: \"Žluť 😀\", calculate: \"{=upper('😀') ~ company.na|me}\"}";
    let (text, position) = with(&client, property);
    client.open(INVOICE, &text);
    let found = client.ask("completion", INVOICE, &position);
    let name = found["items"].as_array().unwrap().iter().find(|item| item["label"] == "name").unwrap();
    assert_eq!(marked(&text, &name["textEdit"]["range"]), "name");
    assert_eq!(name["detail"], "a string");
}

#[test]
fn unsaved_texts_go_before_files() {
    let mut client = EditorClient::start();
    let company = client.text("types/company.yaml");
    client.open("types/company.yaml", &format!("{company}  nickname: {{kind: pString}}\n"));
    let found = labels(&mut client, "  extra: {kind: pString, calculate: \"{=company.nick|}\"}");
    contains(&found, &["nickname"]);
    // Closed without saving, the disk counts again.
    client.close("types/company.yaml");
    client.problems(INVOICE);
    let found = labels(&mut client, "  extra: {kind: pString, calculate: \"{=company.nick|}\"}");
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn hover_and_signature_and_definition() {
    let mut client = EditorClient::start();
    let property = "  extra: {kind: pString, title: \"😀\", calculate: \"{=explode('ž😀', company.na|me)[0]}\"}";
    let (text, position) = with(&client, property);
    client.open(INVOICE, &text);
    let hover = client.ask("hover", INVOICE, &position);
    assert_eq!(hover["contents"]["value"], "`company.name`: a string");
    assert_eq!(marked(&text, &hover["range"]), "name");
    let signature = client.ask("signatureHelp", INVOICE, &position);
    assert_eq!(signature["activeParameter"], 1);
    assert!(signature["signatures"][0]["label"].as_str().unwrap().starts_with("explode(separator, string"));
    let definition = client.ask("definition", INVOICE, &position);
    assert_eq!(definition["uri"], client.address("types/company.yaml"));
    assert_eq!(marked(&client.text("types/company.yaml"), &definition["range"]), "name");
    let line = definition["range"]["start"]["line"].as_u64().unwrap() as usize;
    assert!(client.text("types/company.yaml").lines().nth(line).unwrap().starts_with("  name:"));
    // A place without an expression has none of these.
    for method in ["hover", "signatureHelp", "definition"] {
        assert_eq!(client.ask(method, INVOICE, &json!({"line": 0, "character": 1})), Json::Null);
    }
}
