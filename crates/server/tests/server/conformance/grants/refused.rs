//! What `plinth check` says of grants that cannot be.

use configuration::{Files, check};
use spec::spec;

/// The code, the key and the message of the first problem of a role.
fn problem(grant: &str) -> (String, String, String) {
    let mut files = Files::default();
    files.insert("tenant.yaml", "tenant: acme\ntitle: Acme\n");
    files.insert("types/user.yaml", "name: user\nproperties:\n  chief: {id: 650, kind: pUser}\n");
    let motto = "  motto: {id: 640, kind: pString, calculate: \"{=upper(name ?? '')}\", stored: false}\n";
    let made = "  shout: {id: 641, kind: pString, calculate: \"{=upper(number ?? '')}\", stored: false}\n  twice: {id: 642, kind: pInteger, calculate: \"{=amount * 2}\"}\n";
    files.insert("types/company.yaml", format!("{}{motto}", super::COMPANY));
    files.insert("types/invoice.yaml", format!("{}{made}", super::INVOICE));
    files.insert("roles/clerk.yaml", format!("role: clerk\ntypes:\n  invoice: {grant}\n"));
    let Err(problems) = check(&files) else { panic!("{grant} is taken") };
    let first = &problems[0];
    assert_eq!((first.file.as_str(), first.line), ("roles/clerk.yaml", 3), "{problems:?}");
    (first.code.to_owned(), first.key.clone(), first.message.clone())
}

#[spec(plain, "D-12")]
fn grants_are_checked_with_the_configuration() {
    for (grant, code, key) in [
        (r#"{show: {where: "state == 'open'"}}"#, "wrong_value", "types.invoice.show.where"),
        (r#"{show: {where: "{=stat == 'open'}"}}"#, "unknown_property", "types.invoice.show.where"),
        (r#"{show: {where: "{=state == }"}}"#, "", "types.invoice.show.where"),
        (r#"{show: {check: "{=state == 'open'}"}}"#, "unknown_key", "types.invoice.show.check"),
        (r#"{create: {where: "{=state == 'open'}"}}"#, "unknown_key", "types.invoice.create.where"),
        (r#"{delete: {fields: [state]}}"#, "unknown_key", "types.invoice.delete.fields"),
        (r#"{show: {unseen: true}}"#, "unknown_key", "types.invoice.show.unseen"),
        (r#"{create: {unseen: true}}"#, "unknown_key", "types.invoice.create.unseen"),
        (r#"{edit: {unseen: 1}}"#, "wrong_value", "types.invoice.edit.unseen"),
        (r#"{delete: 1}"#, "wrong_value", "types.invoice.delete"),
        (r#"{create: {preset: {stat: open}}}"#, "unknown_property", "types.invoice.create.preset.stat"),
        (r#"{create: {preset: {state: shut}}}"#, "wrong_value", "types.invoice.create.preset.state"),
        (r#"{create: {preset: {owner: "{=number}"}}}"#, "wrong_value", "types.invoice.create.preset.owner"),
        (
            r#"{show: [{where: "{=state == 'open'}"}, {where: "{=nothing}"}]}"#,
            "unknown_property",
            "types.invoice.show.1.where",
        ),
        // Of what the user refers to, the id alone is known.
        (r#"{show: {where: "{=number === user('chief.user_name')}"}}"#, "behind_user", "types.invoice.show.where"),
        (r#"{show: {where: "{=number === user().chief.user_name}"}}"#, "behind_user", "types.invoice.show.where"),
        // What has no counterpart in SQL is named.
        (r#"{show: {where: "{=md5(number) == 'x'}"}}"#, "not_translatable", "types.invoice.show.where"),
        (
            r#"{edit: {where: "{=state == 'open'}", check: "{=md5(number) == 'x'}"}}"#,
            "not_translatable",
            "types.invoice.edit.check",
        ),
        (
            r#"{edit: {check: "{=number == 'x' or queryCount(query('all')) > 0}"}}"#,
            "not_translatable",
            "types.invoice.edit.check",
        ),
        (r#"{show: {where: "{=resource('company', 1).name == 'x'}"}}"#, "not_translatable", "types.invoice.show.where"),
        (r#"{show: {where: "{=currentLink() == number}"}}"#, "not_translatable", "types.invoice.show.where"),
        (r#"{show: {where: "{=[1].toApiArray() == number}"}}"#, "not_translatable", "types.invoice.show.where"),
        (r#"{show: {where: "{=amount ** 2 > 4}"}}"#, "not_translatable", "types.invoice.show.where"),
        (r#"{show: {where: "{=amount ** 2}"}}"#, "not_translatable", "types.invoice.show.where"),
        // What has no stored value would be null in SQL: a check that it is not something would always hold.
        (r#"{show: {where: "{=shout == 'X'}"}}"#, "virtual_mentioned", "types.invoice.show.where"),
        (r#"{edit: {check: "{=shout != 'X'}"}}"#, "virtual_mentioned", "types.invoice.edit.check"),
        (r#"{show: {where: "{=customer.motto != 'X'}"}}"#, "virtual_mentioned", "types.invoice.show.where"),
        (r#"{create: {preset: {twice: 4}}}"#, "wrong_value", "types.invoice.create.preset.twice"),
    ] {
        let (found, at, message) = problem(grant);
        assert!(code.is_empty() || found == code, "{grant}: {found}: {message}");
        assert_eq!(at, key, "{grant}: {message}");
        let named = ["md5", "query()", "resource()", "currentLink()", "toApiArray()", "powers"];
        assert!(code != "not_translatable" || named.iter().any(|name| message.contains(name)), "{message}");
    }
}
