//! Renaming of a property across files.

use super::{EditorClient, cursor};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// Returns the answer to a renaming at the mark of a file.
fn rename(client: &mut EditorClient, file: &str, marked: &str, name: &str) -> Json {
    let (text, position) = cursor(marked);
    client.open(file, &text);
    let params = json!({"textDocument": {"uri": client.address(file)}, "position": position, "newName": name});
    client.request("textDocument/rename", params)
}

/// Carries the edits of an answer out, on the disk.
fn carry_out(client: &EditorClient, answer: &Json) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (address, edits) in answer["result"]["changes"].as_object().unwrap_or_else(|| panic!("{answer}")) {
        let path = address.strip_prefix("file://").unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        for edit in edits.as_array().unwrap().iter().rev() {
            let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
            assert_eq!(start["line"], end["line"]);
            let line = &mut lines[start["line"].as_u64().unwrap() as usize];
            let units: Vec<u16> = line.encode_utf16().collect();
            let place = |position: &Json| position["character"].as_u64().unwrap() as usize;
            let part = |units: &[u16]| String::from_utf16(units).unwrap();
            let new = edit["newText"].as_str().unwrap();
            *line = format!("{}{new}{}", part(&units[..place(start)]), part(&units[place(end)..]));
        }
        std::fs::write(path, lines.concat()).unwrap();
        let file = address.strip_prefix(&format!("{}/", client.address(""))).unwrap().to_owned();
        counts.insert(file, edits.as_array().unwrap().len());
    }
    counts
}

/// Fails unless the files on the disk are right.
fn check(client: &EditorClient) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_plinth"));
    let output = command.arg("check").arg(client.path("")).env_clear().output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_property_is_renamed_in_all_files() {
    let mut client = EditorClient::start();
    let marked = client.text("types/company.yaml").replacen("  terms:", "  te|rms:", 1);
    let answer = rename(&mut client, "types/company.yaml", &marked, "daysToPay");
    let counts = carry_out(&client, &answer);
    assert_eq!(counts["types/company.yaml"], 1);
    assert!(counts["types/invoice.yaml"] >= 1, "{counts:?}");
    assert!(counts["tests/reminders.yaml"] >= 2, "{counts:?}");
    assert!(client.text("types/invoice.yaml").contains("company.daysToPay"));
    check(&client);
}

#[test]
fn keys_of_groups_are_renamed_and_so_are_charts_of_them() {
    let mut client = EditorClient::start();
    let marked = client.text("types/invoice.yaml").replacen("  issued:", "  iss|ued:", 1);
    let answer = rename(&mut client, "types/invoice.yaml", &marked, "issuedOn");
    let counts = carry_out(&client, &answer);
    assert_eq!(counts["queries/months.yaml"], 1, "{counts:?}");
    check(&client);
    let marked = client.text("types/invoice.yaml").replacen("  status:", "  sta|tus:", 1);
    let answer = rename(&mut client, "types/invoice.yaml", &marked, "state");
    let counts = carry_out(&client, &answer);
    assert_eq!((counts["queries/months.yaml"], counts["canvases/finance.yaml"]), (1, 1), "{counts:?}");
    check(&client);
}

#[test]
fn a_property_is_renamed_from_an_expression_with_dotted_names() {
    let mut client = EditorClient::start();
    let file = "automations/paid.yaml";
    let marked = client.text(file).replacen("{=company.email}", "{=com|pany.email}", 1);
    let answer = rename(&mut client, file, &marked, "customer");
    let counts = carry_out(&client, &answer);
    assert_eq!(counts[file], 2, "{counts:?}");
    let role = client.text("roles/customer.yaml");
    // The company of an invoice is another property than that of a user.
    assert!(role.contains("invoice.customer.id == user('company.id')"), "{role}");
    assert!(client.text("queries/overdue.yaml").contains("customer.name"));
    assert!(client.text("types/company.yaml").contains("relation: invoice.customer"));
    // A variable of a loop has the type of the query's resources.
    assert!(client.text("automations/reminders.yaml").contains("var('invoice').customer.email"));
    // The type of a value of a canvas is not known.
    let shown = client.until(|message| message["method"] == "window/showMessage");
    let message = shown["params"]["message"].as_str().unwrap();
    assert!(message.ends_with("look at canvases/finance.yaml:11."), "{message}");
    check(&client);
}

#[test]
fn a_property_of_users_is_renamed_in_texts_of_user() {
    let mut client = EditorClient::start();
    let marked = client.text("types/user.yaml").replacen("company:", "comp|any:", 1);
    let answer = rename(&mut client, "types/user.yaml", &marked, "employer");
    carry_out(&client, &answer);
    assert!(client.text("roles/customer.yaml").contains("company.id == user('employer.id')"));
    check(&client);
}

#[test]
fn a_name_of_one_type_alone_is_renamed_wherever_it_stands() {
    let mut client = EditorClient::start();
    let marked = client.text("types/invoice.yaml").replacen("  reminded:", "  remin|ded:", 1);
    let answer = rename(&mut client, "types/invoice.yaml", &marked, "lastReminder");
    carry_out(&client, &answer);
    let automation = client.text("automations/reminders.yaml");
    assert!(automation.contains("var('invoice').lastReminder == null"), "{automation}");
    assert!(automation.contains("set: {lastReminder:"), "{automation}");
    check(&client);
}

#[test]
fn names_in_brackets_and_in_steps_of_tests_are_renamed() {
    let mut client = EditorClient::start();
    let file = "types/invoice.yaml";
    let text = client.text(file);
    let extra = "  days: {kind: pInteger, calculate: \"{=company['terms'] + company[\\\"terms\\\"]}\"}\n";
    std::fs::write(client.path(file), format!("{text}{extra}")).unwrap();
    let marked = client.text("types/company.yaml").replacen("  terms:", "  te|rms:", 1);
    let answer = rename(&mut client, "types/company.yaml", &marked, "daysToPay");
    carry_out(&client, &answer);
    let renamed = client.text(file);
    assert!(renamed.contains("{=company['daysToPay'] + company[\\\"daysToPay\\\"]}"), "{renamed}");
    check(&client);
    client.close("types/company.yaml");
    let marked = client.text(file).replacen("  paidOn:", "  paid|On:", 1);
    let answer = rename(&mut client, file, &marked, "paidAt");
    carry_out(&client, &answer);
    let tests = client.text("tests/invoices.yaml");
    assert!(tests.contains("status: 400, property: paidAt}") && !tests.contains("paidOn"), "{tests}");
    check(&client);
}

#[test]
fn keys_of_objects_are_told_and_left() {
    let mut client = EditorClient::start();
    let file = "automations/paid.yaml";
    let text = client.text(file);
    let step = "  - set: {told: \"{={reference: number, more: {'reference': 1}}}\"}\n";
    std::fs::write(client.path(file), format!("{text}{step}")).unwrap();
    let line = format!("{file}:{}", text.matches('\n').count() + 1);
    let marked = client.text("types/invoice.yaml").replacen("  reference:", "  refer|ence:", 1);
    let answer = rename(&mut client, "types/invoice.yaml", &marked, "orderNumber");
    carry_out(&client, &answer);
    assert!(client.text(file).contains("{reference: number, more: {'reference': 1}}"));
    let shown = client.until(|message| message["method"] == "window/showMessage");
    let message = shown["params"]["message"].as_str().unwrap();
    assert!(message.ends_with(&format!("look at {line}.")), "{message}");
    check(&client);
}

#[test]
fn a_name_that_cannot_be_is_refused() {
    let mut client = EditorClient::start();
    let file = "types/company.yaml";
    let text = client.text(file);
    let marked = text.replacen("  terms:", "  te|rms:", 1);
    for (name, expected) in [
        ("name", "has a property `name` already"),
        ("a b", "cannot be a name"),
        ("", "cannot be a name"),
        ("id", "The files would be wrong with this name"),
    ] {
        let answer = rename(&mut client, file, &marked, name);
        assert_eq!(answer["error"]["code"], -32_803, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(expected), "{answer}");
    }
    // Where something is wrong already, nobody knows whether all places were found.
    let wrong = format!("{marked}  extra: {{kind: pString, calculate: \"{{=nme}}\"}}\n");
    let answer = rename(&mut client, file, &wrong, "daysToPay");
    assert!(answer["error"]["message"].as_str().unwrap().contains("Fix the problems"), "{answer}");
    let answer = rename(&mut client, file, &text.replacen("kind:", "ki|nd:", 1), "sort");
    assert!(answer["error"]["message"].as_str().unwrap().contains("Only a property"), "{answer}");
}

#[test]
fn a_renaming_says_first_what_it_renames() {
    let mut client = EditorClient::start();
    let file = "types/company.yaml";
    let (text, position) = cursor(&client.text(file).replacen("  terms:", "  te|rms:", 1));
    client.open(file, &text);
    assert_eq!(client.ask("prepareRename", file, &position)["placeholder"], "terms");
    assert_eq!(client.ask("prepareRename", file, &json!({"line": 0, "character": 0})), Json::Null);
}
