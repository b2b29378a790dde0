//! Diagnostics of settings, roles, groups, users and the environment.

use super::diagnostics::refused;
use super::files;
use configuration::check;

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
fn the_public_role_is_checked() {
    let files = |tenant: &str, role: &str| {
        let texts = format!(
            "--- tenant.yaml\ntenant: acme\npublic: {tenant}\n--- types/note.yaml\nname: note\nproperties:\n  text: {{kind: pString}}\n  \
             owner: {{kind: pUser}}\n--- roles/visitor.yaml\nrole: visitor\n{role}\n"
        );
        files(&texts)
    };
    for (tenant, role, expected) in [
        (
            "{role: visiter}",
            "",
            "tenant.yaml:2:16: unknown_role: There is no role \"visiter\". Did you mean `visitor`?",
        ),
        ("{rate: 1/1s}", "", "tenant.yaml:2:10: missing_key: The key \"role\" is missing."),
        ("{role: visitor, rate: quick}", "", "tenant.yaml:2:31: wrong_value: rate must be requests in seconds"),
        ("{role: visitor, challenge: {}}", "", "missing_key: The key \"difficulty\" is missing."),
        ("{role: visitor, challenge: {difficulty: 25}}", "", "difficulty must be an integer from 1 to 24."),
        (
            "{role: visitor}",
            "system: [restApi]",
            "tenant.yaml:2:16: public_role_system: visitor has system permissions",
        ),
        ("{role: visitor}", "types: {user: {show: true}}", "public_role_user: This would show accounts to everybody."),
        ("{role: visitor}", "types: {user: {create: {fields: [user_id]}}}", "public_role_user: Requests without a key"),
        (
            "{role: visitor}",
            "types: {note: {show: {where: \"{=owner.id == user('id')}\"}}}",
            "roles/visitor.yaml:2:1: public_role_personal: It asks for user()",
        ),
        (
            "{role: visitor}",
            "types: {note: {create: {preset: {owner: \"{=user()}\"}}}}",
            "roles/visitor.yaml:2:1: public_role_personal: It asks for user()",
        ),
    ] {
        let problems = check(&files(tenant, role)).unwrap_err();
        let problems: String = problems.iter().map(|problem| format!("{problem}\n")).collect();
        assert!(problems.contains(expected), "{tenant} {role}:\n{problems}");
    }
    for role in ["", "types: {user: {show: {fields: [user_name]}}, note: {show: true, create: true}}"] {
        check(&files("{role: visitor}", role)).unwrap();
    }
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
roles/none.yaml:1:1: missing_key: The key \"role\" is missing.
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
users/anna.yaml:1:1: missing_key: The key \"badge\" is missing: every user must have it.
users/anna.yaml:3:1: password_in_file: Passwords are never in files. Set one with plinth user password.
users/anna.yaml:4:8: wrong_value: roles must be one of r (member 2).
users/anna.yaml:5:8: wrong_value: group must be the name of a group.
users/anna.yaml:6:1: unknown_key: The key \"nam\" is unknown: the type user has no such property. Did you mean `name`?
users/anna2.yaml:1:1: missing_key: The key \"badge\" is missing: every user must have it.
users/anna2.yaml:1:1: missing_key: The key \"name\" is missing.
users/anna2.yaml:1:7: duplicate_name: anna is in users/anna.yaml already.
users/anna2.yaml:2:8: wrong_value: roles must be an array.
users/anna2.yaml:3:11: wrong_value: timezone must be a time zone of the IANA database, such as Europe/Prague.
",
    );
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
queries/q.yaml:3:49: unknown_parameter: env() knows no `ERP_URI` here. (at `'ERP_URI'`) Did you mean `ERP_URL`?
",
    );
}
