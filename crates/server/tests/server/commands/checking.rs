//! `plinth check`: findings of types refuse files, safe fixes are written.

use serde_json::Value as Json;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

pub(super) fn plinth(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
    command.env_clear().current_dir(folder).args(arguments).output().unwrap()
}

/// A folder whose only type has a rule of a date.
pub(super) fn folder(rule: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("types")).unwrap();
    fs::write(folder.path().join("tenant.yaml"), "tenant: notes\ntitle: Notes\n").unwrap();
    let of_type = format!(
        "id: 10\nname: note\nproperties:\n  text: {{id: 100, kind: pString}}\n  due: {{id: 101, kind: pDate, required: true}}\n  \
         issued:\n    id: 102\n    kind: pDate\n    required: true\n    validate: [{{rule: {rule}, message: Late}}]\n"
    );
    fs::write(folder.path().join("types/note.yaml"), of_type).unwrap();
    folder
}

pub(super) fn json(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn an_error_of_types_refuses_in_check_plan_and_apply() {
    let folder = folder("\"{=due < time()}\"");
    for arguments in [["check", "--json", "."], ["plan", "--json", "."], ["apply", "--json", "."]] {
        let output = plinth(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
        let told = json(&output);
        assert_eq!(told["ok"], false, "{told}");
        assert_eq!(told["problems"][0]["code"], "date_beside", "{told}");
        assert_eq!(told["problems"][0]["severity"], "error", "{told}");
        assert_eq!(told["problems"].as_array().unwrap().len(), 1, "{told}");
    }
}

#[test]
fn a_warning_refuses_with_strict_alone() {
    let folder = folder("\"{=text == '' or due < issued}\"");
    let output = plinth(folder.path(), &["check", "--json", "."]);
    let told = json(&output);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(
        (&told["warnings"][0]["code"], &told["warnings"][0]["severity"]),
        (&"empty_text".into(), &"warning".into())
    );
    let strict = plinth(folder.path(), &["check", "--strict", "."]);
    assert_eq!(strict.status.code(), Some(1), "{strict:?}");
    assert!(plinth(folder.path(), &["plan", "."]).status.success());
}

#[test]
fn safe_fixes_are_written_with_the_quotes_of_the_place() {
    for (rule, fixed) in [
        ("\"{=duee == \\\"31.12.2026\\\" AND issued <> due}\"", "\"{=due == '2026-12-31' and issued != due}\""),
        ("'{=due == ''31.12.2026''}'", "'{=due == ''2026-12-31''}'"),
        ("\"{=dateDiff(issued, due) > 5}\"", "\"{=dateDiff(issued, due).days > 5}\""),
    ] {
        let folder = folder(rule);
        let before = fs::read_to_string(folder.path().join("types/note.yaml")).unwrap();
        let output = plinth(folder.path(), &["check", "--fix", "."]);
        assert!(output.status.success(), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("fixed["), "{output:?}");
        let after = fs::read_to_string(folder.path().join("types/note.yaml")).unwrap();
        assert_eq!(after, before.replace(rule, fixed));
    }
    // A fix that might change a right value is only offered.
    let folder = folder("\"{=due < time()}\"");
    let before = fs::read_to_string(folder.path().join("types/note.yaml")).unwrap();
    let output = plinth(folder.path(), &["check", "--fix", "."]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("help: write \"{=due < date('Y-m-d')}\""), "{output:?}");
    assert_eq!(fs::read_to_string(folder.path().join("types/note.yaml")).unwrap(), before);
}

#[test]
fn what_is_left_after_safe_fixes_is_said() {
    let folder = folder("\"{=due < time() or duee == issued}\"");
    let output = plinth(folder.path(), &["check", "--fix", "."]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("1 change was written. 1 problem in the files remain"), "{told}");
    assert!(!told.contains("Nothing was changed"), "{told}");
    let output = plinth(folder.path(), &["check", "--fix", "."]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("Nothing was changed"), "{output:?}");
    let text = fs::read_to_string(folder.path().join("types/note.yaml")).unwrap();
    fs::write(folder.path().join("types/note.yaml"), text.replace("due == issued", "duee == issued")).unwrap();
    let told = json(&plinth(folder.path(), &["check", "--fix", "--json", "."]));
    assert_eq!((&told["fixed"][0]["before"], &told["ok"]), (&"duee".into(), &false.into()), "{told}");
}

/// Messages 38 and 39 of the forty: names that files give. 37 is a test of variables.
#[test]
fn names_that_files_do_not_have_are_refused_everywhere() {
    let folder = folder("\"{=user('usr_name') == 'a'}\"");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    file("queries/overdue.yaml", "query: overdue\ntitle: Overdue\ntype: note\nfields: [due, text]\n");
    file(
        "canvases/a.yaml",
        "canvas: a\ntitle: A\nitems:\n  - {kind: number, title: A, query: overdue, value: \"{=dataQueryMax('du')}\"}\n  \
         - {kind: text, title: B, text: \"{=queryCount(query('overdu'))} {=resource('nte', 1) == null}\"}\n",
    );
    file(
        "automations/a.yaml",
        "automation: a\ntitle: A\non: {event: note.updated, if: \"{=trigger('changes').text[0] == 'a'}\"}\ndo:\n  \
         - {query: overdue, if: \"{=dataQueryFetch('txt') == 'a'}\", then: [{delete: {type: note, item: \"{=id}\"}}]}\n",
    );
    let told = json(&plinth(folder.path(), &["check", "--json", "."]));
    let problems = told["problems"].as_array().unwrap();
    let messages: Vec<&str> = problems.iter().filter_map(|problem| problem["message"].as_str()).collect();
    for wanted in [
        "The type user has no property `usr_name`. Did you mean `user_name`?",
        "The query of this place has no column `du`. Did you mean `due`?",
        "There is no query `overdu`. Did you mean `overdue`?",
        "There is no type `nte`. Did you mean `note`?",
        "Changes have no members: `hasChanged('text')`, or `changedFrom('text', …)`.",
        "The query of this place has no column `txt`. Did you mean `text`?",
    ] {
        assert!(messages.contains(&wanted), "{wanted}: {messages:#?}");
    }
}

#[test]
fn an_expression_without_quotes_is_told_to_have_them() {
    let folder = folder("{=due < issued}");
    let output = plinth(folder.path(), &["check", "."]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("An expression stands in quotes: \"{=due < issued}\"."), "{told}");
}

#[test]
fn a_text_that_is_no_option_is_marked_with_the_one_that_is() {
    let folder = folder("\"{=due >= issued}\"");
    let path = folder.path().join("types/note.yaml");
    let text = fs::read_to_string(&path).unwrap();
    let status = "  status: {id: 103, kind: pEnum, options: [draft, sent]}\n  \
                  done: {id: 104, kind: pBoolean, calculate: \"{=status == 'send'}\"}\n";
    fs::write(&path, format!("{text}{status}")).unwrap();
    let output = plinth(folder.path(), &["check", "--json", "."]);
    let told = json(&output);
    let problem = &told["problems"][0];
    assert_eq!((&problem["code"], &problem["suggestion"]), (&"not_option".into(), &"sent".into()), "{told}");
    assert_eq!(problem["fixes"][0]["value"], "\"{=status == 'sent'}\"", "{told}");
}

/// The codes and columns of what is wrong with a property.
fn told_of(property: &str) -> Vec<(String, u64)> {
    let folder = folder("\"{=due >= issued}\"");
    let path = folder.path().join("types/note.yaml");
    let text = fs::read_to_string(&path).unwrap();
    let others = "  photo: {id: 103, kind: pFile}\n  status: {id: 104, kind: pEnum, options: [draft, sent]}\n  \
                  size: {id: 105, kind: pEnum, options: [small, large]}\n";
    fs::write(&path, format!("{text}{others}  last: {property}\n")).unwrap();
    let told = json(&plinth(folder.path(), &["check", "--json", "."]));
    let problems = told["problems"].as_array().unwrap().iter();
    problems
        .map(|problem| (problem["code"].as_str().unwrap().to_owned(), problem["column"].as_u64().unwrap()))
        .collect()
}

#[test]
fn each_place_of_a_text_that_is_no_option_is_marked() {
    let told = |expression: &str| told_of(&format!("{{id: 106, kind: pBoolean, calculate: \"{{={expression}}}\"}}"));
    let at = |columns: &[u64]| columns.iter().map(|column| ("not_option".to_owned(), *column)).collect::<Vec<_>>();
    assert_eq!(told("status == 'a' or status == 'b' or status == 'a'"), at(&[59, 76, 93]));
    assert_eq!(told("status == 'a' or size == 'a'"), at(&[59, 74]));
    assert_eq!(told("size == 'small' or status == 'small'"), at(&[57]));
}

#[test]
fn a_stored_file_has_the_members_that_it_has() {
    let told = |expression: &str| told_of(&format!("{{id: 106, kind: pString, calculate: \"{{={expression}}}\"}}"));
    assert_eq!(told("photo.name ~ photo.mime ~ photo.size"), []);
    assert_eq!(told("photo.widht"), [("unknown_property".to_owned(), 54)]);
}

#[test]
fn a_calculation_that_is_wrong_is_told_of_itself_alone() {
    let folder = folder("\"{=due >= issued}\"");
    let path = folder.path().join("types/note.yaml");
    let text = fs::read_to_string(&path).unwrap();
    let calculated = "  days: {id: 103, kind: pInteger, calculate: \"{=due - isued}\"}\n  \
                      weeks: {id: 104, kind: pDecimal, calculate: \"{=days / 7}\"}\n";
    fs::write(&path, format!("{text}{calculated}")).unwrap();
    let told = json(&plinth(folder.path(), &["check", "--json", "."]));
    let problems = told["problems"].as_array().unwrap();
    let codes: Vec<&str> = problems.iter().map(|problem| problem["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["unknown_property"], "{told}");
}
