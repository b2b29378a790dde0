//! File text in, diagnostics out.

use super::files;
use configuration::{Files, check};
use std::path::Path;

/// All diagnostics of files beside a right tenant.yaml, a line for each.
#[track_caller]
pub(super) fn refused(text: &str, expected: &str) {
    let files = files(&format!("--- tenant.yaml\ntenant: acme\n{text}"));
    let problems = match check(&files) {
        Ok(_) => String::new(),
        Err(problems) => {
            let errors = problems.iter().filter(|problem| problem.severity == "error");
            errors.map(|problem| format!("{problem}\n")).collect()
        }
    };
    assert_eq!(problems, expected);
}

#[test]
fn the_example_loads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/world");
    let files = Files::read(&folder).unwrap();
    let loaded = check(&files).unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!(loaded.model.types.len(), 3);
    assert_eq!(loaded.files, files);
    assert_eq!(loaded.users[0].login, "admin");
}

#[test]
fn all_errors_come_at_once_with_their_places() {
    refused(
        "\
--- types/invoice.yaml
name: invoice
titel: Invoice
titleProperty: numer
properties:
  number: {kind: pString, uniqe: true, maxLength: x}
  status: {kind: pEnmu, options: [a]}
  net: {kind: pDecimal, scale: 40}
  customer: {kind: pRelation, type: compny}
  Total: {kind: pInteger}
  created: {kind: pDate}
  count: {kind: pInteger, min: 5, default: 3}
--- types/company.yaml
name: company
",
        "\
types/invoice.yaml:2:1: unknown_key: The key \"titel\" is unknown. Did you mean `title`?
types/invoice.yaml:3:16: unknown_property: There is no property \"numer\". Did you mean `number`?
types/invoice.yaml:5:27: unknown_key: pString has no option \"uniqe\". Did you mean `unique`?
types/invoice.yaml:5:40: invalid_option: maxLength must be a whole number from 1 to 10000.
types/invoice.yaml:6:18: unknown_kind: There is no kind \"pEnmu\". Did you mean `pEnum`?
types/invoice.yaml:7:25: invalid_option: scale must be a whole number from 0 to 18.
types/invoice.yaml:8:31: invalid_option: There is no type \"compny\". Did you mean `company`?
types/invoice.yaml:9:3: invalid_name: \"Total\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most.
types/invoice.yaml:10:3: reserved_name: created is a field that every resource has. Choose another name.
types/invoice.yaml:11:44: invalid_default: The default must be at least 5.
",
    );
}

#[test]
fn yaml_is_bounded_and_plain() {
    refused(
        "--- types/a.yaml\nname: a\nproperties: [\n",
        "\
types/a.yaml:2:13: yaml: This is not YAML: unclosed bracket '['.
",
    );
    refused(
        "--- types/a.yaml\nname: &x a\ntitle: *x\n",
        "\
types/a.yaml:1:10: yaml: Anchors and aliases are not supported. Write the value out.
",
    );
    refused(
        "--- types/a.yaml\nname: a\n---\nname: b\n",
        "\
types/a.yaml:3:1: yaml: A file holds one document; split it into files.
",
    );
    refused(
        "--- types/a.yaml\nname: a\nname: b\n",
        "\
types/a.yaml:2:1: yaml: The key \"name\" is given twice.
",
    );
    refused(
        "--- types/a.yaml\nname: !!str a\n",
        "\
types/a.yaml:1:13: yaml: Tags are not supported. Quote a text that must stay text.
",
    );
    refused(
        "--- types/a.yaml\n- a\n",
        "\
types/a.yaml:1:1: wrong_shape: Keys and values are expected here.
",
    );
    refused(
        "--- types/a.yaml\nname:\n",
        "\
types/a.yaml:1:1: missing_value: name has no value. Give one or leave the key out.
",
    );
    refused(
        &format!("--- types/a.yaml\nname: {}{}\n", "[".repeat(1000), "]".repeat(1000)),
        "\
types/a.yaml:1:39: yaml: This is not YAML: recursion limit exceeded.
",
    );
    refused(
        "--- types/a.yaml\n\tname: a\n",
        "\
types/a.yaml: unwritable_id: No id can be written into this file's layout. Add the keys id yourself.
",
    );
}

#[test]
fn what_comes_later_is_refused_and_never_ignored() {
    refused(
        "\
--- types/a.yaml
name: a
properties:
  a: {kind: pDate, unique: \"{=true}\"}
  b: {kind: pJson, default: {x: \"{=1}\"}}
  f: {kind: pString, description: \"a text with {=\", pattern: \"{=x}\"}
--- automation/x.yaml
x: y
--- mail/reset.en.txt
{{ lnk }}
--- type/x.yaml
x: y
--- types/deep/x.yaml
x: y
",
        "\
automation/x.yaml: misplaced_file: This file is not read: only tenant.yaml, tags.yaml, env.yaml, types/, roles/, groups/, users/, queries/, canvases/, automations/ and mail/ are. Did you mean `automations`?
mail/reset.en.txt: wrong_text: The text cannot be made in line 1: undefined value.
type/x.yaml: misplaced_file: This file is not read: only tenant.yaml, tags.yaml, env.yaml, types/, roles/, groups/, users/, queries/, canvases/, automations/ and mail/ are. Did you mean `types`?
types/a.yaml:3:28: wrong_value: unique must be true or false.
types/a.yaml:4:33: unsupported: Expressions are not supported by this version yet. Give a fixed value or leave the key out.
types/a.yaml:5:53: invalid_option: pattern is not a regular expression: regex parse error:
    \\A(?:{=x})\\z
         ^
error: repetition operator missing expression
types/deep/x.yaml: misplaced_file: Only files types/<name>.yaml are read.
",
    );
}

#[test]
fn what_rests_on_a_mistake_is_told_behind_it_or_not_at_all() {
    let others = "\
--- types/area.yaml
name: area
properties:
  total: {kind: pRollup, relation: zone.area, function: count}
--- roles/r.yaml
role: r
types:
  zone: {show: [{where: \"{=state == 'x'}\", fields: [state]}], edit: {preset: {state: x}}}
  road: {show: true}
--- queries/zones.yaml
query: zones
type: zone
filters: [{property: state, type: eq, param: x}]
--- canvases/all.yaml
canvas: all
items: [{kind: number, title: Zones, query: zones, value: \"{=dataQueryCount()}\"}]
";
    let zone = "--- types/zone.yaml\nname: zone\nproperties:\n  area: {kind: pRelation, type: area}\n";
    refused(
        &format!("{zone}  state: {{kind: pStrin}}\n{others}"),
        "\
types/zone.yaml:4:17: unknown_kind: There is no kind \"pStrin\". Did you mean `pString`?
roles/r.yaml:4:3: unknown_type: There is no type \"road\".
",
    );
    refused(
        &format!("{zone}  state: [\n{others}"),
        "\
types/zone.yaml:4:10: yaml: This is not YAML: unclosed bracket '['.
roles/r.yaml:4:3: unknown_type: There is no type \"road\".
",
    );
}

#[test]
fn a_problem_shows_its_line() {
    let text = "--- tenant.yaml\ntenant: acme\ntitel: Größe\n";
    let problems = check(&files(text)).unwrap_err();
    assert_eq!(
        problems[0].render(files(text).get("tenant.yaml")),
        "\
error[unknown_key]: The key \"titel\" is unknown.
  --> tenant.yaml:2:1
  |
2 | titel: Größe
  | ^
  help: did you mean `title`?
"
    );
}

#[test]
fn of_a_long_line_the_part_around_the_mistake_is_shown() {
    let text = format!(
        "--- tenant.yaml\ntenant: acme\ntitle: {{a: \"{}\", b: \"{}\"}}\n",
        "ž".repeat(5_000),
        "x".repeat(5_000)
    );
    let problems = check(&files(&text)).unwrap_err();
    let shown = problems[0].render(files(&text).get("tenant.yaml"));
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[3].starts_with("2 | title: {a: ") && lines[3].ends_with("ž…"), "{shown}");
    assert_eq!((lines[3].chars().count(), lines[4]), (4 + 160 + 1, "  |        ^"), "{shown}");
    let text =
        format!("--- tenant.yaml\n{}titel: x, tenant: acme}}\n", "{title: \"".to_owned() + &"ž".repeat(5_000) + "\", ");
    let problems = check(&files(&text)).unwrap_err();
    let shown =
        problems.iter().find(|problem| problem.code == "unknown_key").unwrap().render(files(&text).get("tenant.yaml"));
    let lines: Vec<&str> = shown.lines().collect();
    let caret = lines[4].chars().count() - 1;
    assert_eq!(lines[3].chars().skip(caret).take(5).collect::<String>(), "titel", "{shown}");
    assert!(lines[3].starts_with("1 | …ž") && lines[3].chars().count() <= 4 + 160 + 1, "{shown}");
}
