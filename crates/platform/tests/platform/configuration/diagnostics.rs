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
        Err(problems) => problems.iter().map(|problem| format!("{problem}\n")).collect(),
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
fn names_and_ids_are_checked() {
    refused(
        "\
--- types/a.yaml
id: 9
name: tags
--- types/b.yaml
id: 30
name: t12
--- types/c.yaml
id: 30
name: Item
properties:
  a: {id: 99, kind: pDate}
  b: {id: 100, kind: pDate}
  c: {id: 100, kind: pDate}
  d: {id: many, kind: pDate}
  get-by: {kind: pDate}
  tags: {kind: pDate}
  createdBy: {kind: pDate}
  size: {kind: pDate}
  siZe: {kind: pDate}
--- types/d.yaml
name: item
--- types/e.yaml
name: iTem
--- types/f.yaml
name: json_Each
--- types/g.yaml
name: pragma_table_info
--- types/h.yaml
name: f10_data
--- types/user.yaml
id: 12
name: user
properties:
  user_name: {kind: pString}
  vat_id: {kind: pString}
",
        "\
types/a.yaml:1:5: reserved_id: Ids below 10 are built in. Leave the id out to be given one.
types/a.yaml:2:7: reserved_name: tags is a collection of the platform. Choose another name.
types/b.yaml:2:7: reserved_name: t12 is named like a table. Choose another name.
types/c.yaml:1:5: duplicate_id: The type t12 has the id 30 already.
types/c.yaml:2:7: invalid_name: \"Item\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most.
types/c.yaml:4:11: reserved_id: Ids below 100 are built in. Leave the id out to be given one.
types/c.yaml:6:11: duplicate_id: The property Item.b has the id 100 already.
types/c.yaml:7:11: wrong_value: id must be an integer from 1 to 999999999.
types/c.yaml:8:3: invalid_name: \"get-by\" is not a system name: a lower-case letter, then letters, digits and _, 63 at most.
types/c.yaml:9:3: reserved_name: tags is a reserved word. Choose another name.
types/c.yaml:10:3: reserved_name: createdBy is a field that every resource has. Choose another name.
types/c.yaml:12:3: duplicate_name: There are two properties siZe; letters' case makes no difference.
types/d.yaml:1:7: duplicate_name: item is in types/c.yaml already.
types/e.yaml:1:7: duplicate_name: iTem is in types/d.yaml already.
types/f.yaml:1:7: reserved_name: json_Each is named like a table. Choose another name.
types/g.yaml:1:7: reserved_name: pragma_table_info is named like a table. Choose another name.
types/h.yaml:1:7: reserved_name: f10_data is named like a table. Choose another name.
types/user.yaml:1:5: reserved_id: The built-in type user has the id 1, not 12. Leave the key out.
types/user.yaml:4:3: duplicate_name: user_name is built in and cannot be changed.
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
fn properties_that_types_name_are_checked() {
    refused(
        "\
--- types/a.yaml
name: a
titleProperty: json
codeProperty: code
parentProperty: other
orderBy: -size, json, nothing, created
unique: [[code, size], [size, code], [many], size, [], [json], [code, code]]
properties:
  code: {kind: pString, index: yes}
  size: {kind: pInteger, required: true, default: big}
  json: {kind: pJson, unique: true, index: true, searchable: true}
  many: {kind: pEnums, options: [x], unique: true, default: x}
  text: {kind: pText, unique: true}
  other: {kind: pRelation, type: b, default: 3}
  secret: {kind: pPassword}
--- types/b.yaml
name: b
",
        "\
types/a.yaml:2:16: invalid_title: A pJson cannot be the title.
types/a.yaml:4:17: invalid_parent: other must be a pRelation to the type itself to be the parent.
types/a.yaml:5:10: invalid_order: Lists cannot be sorted by a pJson.
types/a.yaml:5:10: unknown_property: There is no property \"nothing\".
types/a.yaml:6:24: invalid_unique: The same unique set is given twice.
types/a.yaml:6:39: invalid_unique: A pEnums cannot be part of a unique set.
types/a.yaml:6:46: wrong_value: Each unique set must be a list of properties: [a, b].
types/a.yaml:6:52: wrong_value: Each unique set must be a list of properties: [a, b].
types/a.yaml:6:57: invalid_unique: A pJson cannot be part of a unique set.
types/a.yaml:6:71: invalid_unique: code is in the set twice.
types/a.yaml:8:32: wrong_value: index must be true or false.
types/a.yaml:9:51: invalid_default: The default must be a whole number.
types/a.yaml:10:31: invalid_unique: A pJson cannot be unique.
types/a.yaml:10:44: invalid_index: A pJson cannot have an index.
types/a.yaml:10:62: invalid_search: A pJson is not a text to search in.
types/a.yaml:11:46: invalid_unique: A pEnums cannot be unique.
types/a.yaml:11:61: invalid_default: The default must be a list.
types/a.yaml:12:31: invalid_unique: A pText of more than 600 characters cannot be unique.
types/a.yaml:13:46: invalid_default: A pRelation has no default.
types/a.yaml:14:18: unknown_kind: The kind pPassword is for built-in properties alone.
",
    );
}

#[test]
fn indexes_are_lists_of_several_properties() {
    refused(
        "\
--- types/a.yaml
name: a
indexes: [[code, size], [code, size], [code], [many, size], [text, size], [size, size], [size, cod], x]
properties:
  code: {kind: pString}
  size: {kind: pInteger}
  many: {kind: pEnums, options: [x]}
  text: {kind: pText}
",
        "\
types/a.yaml:2:25: invalid_index: The same index is given twice.
types/a.yaml:2:39: invalid_index: An index of one property is written at the property: index: true.
types/a.yaml:2:48: invalid_index: A pEnums cannot be part of an index.
types/a.yaml:2:62: invalid_index: A pText cannot be part of an index.
types/a.yaml:2:82: invalid_index: size is in the index twice.
types/a.yaml:2:96: unknown_property: There is no property \"cod\". Did you mean `code`?
types/a.yaml:2:102: wrong_value: Each index must be a list of properties: [a, b].
",
    );
}

#[test]
fn the_tenant_is_checked() {
    let files = files(
        "\
--- tenant.yaml
tenant: Acme
baseUrl: acme.example.com
hosts: [acme.example.com, https://acme.example.com, ACME.example.com]
timezone: Europe/Prag
locale: de
weekStart: mondy
api: {maxPageLength: 6000, perPage: 0, rate: fast, allowApiPasswordReset: 1}
registration: {allowedRoles: [custmer], allowedGroups: [x], mailLink: page, challenge: {cap: -1, tries: 5},
  allowedDomains: [example.com, '@example.com', Example.com]}
more: true
--- roles/customer.yaml
role: customer
",
    );
    let problems = check(&files).unwrap_err();
    let problems: String = problems.iter().map(|problem| format!("{problem}\n")).collect();
    assert_eq!(problems, "\
tenant.yaml:1:9: invalid_name: \"Acme\" is not a tenant name: a lower-case letter, then a-z, 0-9 and -, 40 at most.
tenant.yaml:2:10: wrong_value: baseUrl must be an absolute http or https address without credentials, query and fragment.
tenant.yaml:3:27: wrong_value: \"https://acme.example.com\" is not a host name. Leave scheme, port, path and @ out.
tenant.yaml:3:53: duplicate_name: ACME.example.com is listed twice.
tenant.yaml:4:11: wrong_value: \"Europe/Prag\" is not a time zone of the IANA database, such as Europe/Prague. Did you mean `Europe/Prague`?
tenant.yaml:5:9: wrong_value: locale must be one of en, cs.
tenant.yaml:6:12: wrong_value: weekStart must be one of monday, sunday, saturday. Did you mean `monday`?
tenant.yaml:7:22: wrong_value: maxPageLength must be an integer from 1 to 5000.
tenant.yaml:7:37: wrong_value: perPage must be an integer from 1 to 5000.
tenant.yaml:7:46: wrong_value: rate must be requests in seconds, such as 1000/10s, or 0 for no limit.
tenant.yaml:7:75: wrong_value: allowApiPasswordReset must be true or false.
tenant.yaml:8:31: unknown_role: There is no role \"custmer\". Did you mean `customer`?
tenant.yaml:8:57: unknown_group: There is no group \"x\".
tenant.yaml:8:71: wrong_value: mailLink must be one of direct, confirmPage.
tenant.yaml:8:94: wrong_value: cap must be an integer from 0 to 1000.
tenant.yaml:8:98: unknown_key: The key \"tries\" is unknown.
tenant.yaml:9:33: wrong_value: \"@example.com\" is not a host name. Leave scheme, port, path and @ out.
tenant.yaml:9:49: duplicate_name: Example.com is listed twice.
tenant.yaml:10:1: unknown_key: The key \"more\" is unknown.
");
}

#[test]
fn roles_groups_and_users_are_checked() {
    refused(
        "\
--- types/a.yaml
name: a
properties:
  name: {kind: pString}
--- roles/r.yaml
role: r
system: [restApi, restAp, 1]
types:
  a: {show: {fields: [nme, -id, \"*\"]}, edit: maybe, delete: yes, shw: true}
  b: {show: true}
  \"*\": {show: {fields: [name]}}
--- roles/other.yaml
role: r
--- roles/none.yaml
title: None
--- groups/g.yaml
group: g
titel: G
--- users/anna.yaml
user: Anna
name: Anna
password: secret
roles: [r, admin]
group: h
nam: x
--- users/anna2.yaml
user: anna
roles: r
timezone: Europe/Prag
--- types/user.yaml
name: user
properties:
  badge: {kind: pInteger, required: true}
",
        "\
roles/none.yaml:1:1: missing_key: The key role is missing.
groups/g.yaml:2:1: unknown_key: The key \"titel\" is unknown. Did you mean `title`?
roles/r.yaml:1:7: duplicate_name: r is in roles/other.yaml already.
roles/r.yaml:2:19: unknown_permission: There is no system permission \"restAp\". Did you mean `restApi`?
roles/r.yaml:2:27: unknown_permission: There is no system permission \"1\".
roles/r.yaml:4:23: unknown_property: There is no property \"nme\" in a. Did you mean `name`?
roles/r.yaml:4:28: wrong_value: id cannot be taken away: every resource shows it.
roles/r.yaml:4:46: wrong_value: edit must be true, false, {fields: [..]} or a list of these.
roles/r.yaml:4:61: wrong_value: delete must be true, false, {where: ..} or a list of these.
roles/r.yaml:4:66: unknown_key: The key \"shw\" is unknown.
roles/r.yaml:5:3: unknown_type: There is no type \"b\".
roles/r.yaml:6:24: wrong_value: Fields can be listed where the type is named, not for \"*\".
users/anna.yaml:1:1: missing_key: The key badge is missing: every user must have it.
users/anna.yaml:3:1: password_in_file: Passwords are never in files. Set one with plinth user password.
users/anna.yaml:4:8: wrong_value: roles must be one of r (member 2).
users/anna.yaml:5:8: wrong_value: group must be the name of a group.
users/anna.yaml:6:1: unknown_key: The key \"nam\" is unknown: the type user has no such property. Did you mean `name`?
users/anna2.yaml:1:1: missing_key: The key badge is missing: every user must have it.
users/anna2.yaml:1:1: missing_key: The key name is missing.
users/anna2.yaml:1:7: duplicate_name: anna is in users/anna.yaml already.
users/anna2.yaml:2:8: wrong_value: roles must be an array.
users/anna2.yaml:3:11: wrong_value: timezone must be a time zone of the IANA database, such as Europe/Prague.
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

#[test]
fn texts_of_the_environment_are_checked_and_so_are_their_names() {
    refused(
        "\
--- env.yaml
ERP_URL: https://erp.example.com
PORT: 8080
DEBUG: true
EMPTY: \"\"
NONE:
LIST: [a]
2ND: x
A-B: x
MADE: \"{=1}\"
--- types/a.yaml
name: a
properties:
  a: {kind: pString, default: \"{=env('ERP_URI')}\"}
  b: {kind: pString, calculate: \"{=env('PATH')}\"}
  c: {kind: pString, condition: \"{=env('ERP_URL')}\"}
  d: {kind: pDecimal, scale: 2, default: \"{=env('ERP_URL')}\"}
--- queries/q.yaml
query: q
type: a
params: {since: {kind: pString, default: \"{=env('ERP_URI')}\"}}
filters: [{property: a, type: eq, param: {$param: since}}]
",
        "\
env.yaml:2:7: wrong_value: PORT must be a text: put it in quotes.
env.yaml:3:8: wrong_value: DEBUG must be a text: put it in quotes.
env.yaml:5:1: missing_value: NONE has no value. Give one or leave the name out.
env.yaml:6:7: wrong_value: LIST must be a text: put it in quotes.
env.yaml:7:1: invalid_name: \"2ND\" cannot be a name: it must begin with a letter, and have only letters, digits and _ (64 at most).
env.yaml:8:1: invalid_name: \"A-B\" cannot be a name: it must begin with a letter, and have only letters, digits and _ (64 at most).
env.yaml:9:7: wrong_value: MADE is a text as it stands: no expression in it would be run.
types/a.yaml:3:38: unknown_parameter: env() knows no `ERP_URI` here. Did you mean `ERP_URL`?
types/a.yaml:5:36: provider_missing: env() is not available here: it needs environment variables of the app.
queries/q.yaml:3:42: unknown_parameter: env() knows no `ERP_URI` here. (at `'ERP_URI'`) Did you mean `ERP_URL`?
",
    );
}
