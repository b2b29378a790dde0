//! `plinth check` on the sections of forms: unknown and repeated names, and values that are not sections.

use super::checking::{json, plinth};
use std::fs;

/// The codes and messages that `plinth check` has against sections of a type, with their lines.
fn told_of(sections: &str) -> Vec<(String, String, u64)> {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("types")).unwrap();
    fs::write(folder.path().join("tenant.yaml"), "tenant: notes\ntitle: Notes\n").unwrap();
    let of_type = format!(
        "id: 10\nname: note\nproperties:\n  text: {{id: 100, kind: pString}}\n  due: {{id: 101, kind: pDate}}\n\
         sections:{sections}\n"
    );
    fs::write(folder.path().join("types/note.yaml"), of_type).unwrap();
    let told = json(&plinth(folder.path(), &["check", "--json", "."]));
    let problems = told["problems"].as_array().cloned().unwrap_or_default();
    let text = |problem: &serde_json::Value, member: &str| problem[member].as_str().unwrap_or_default().to_owned();
    let told = problems.iter().map(|problem| {
        let suggestion = text(problem, "suggestion");
        let message = format!("{} {suggestion}", text(problem, "message"));
        (text(problem, "code"), message.trim().to_owned(), problem["line"].as_u64().unwrap_or_default())
    });
    told.collect()
}

#[test]
fn sections_name_each_property_once() {
    assert_eq!(told_of(" [{title: A, properties: [due]}, {title: B, properties: [text]}]"), []);
    for (sections, code, message, line) in [
        ("\n  - {title: A, properties: [txt]}", "unknown_property", "There is no property \"txt\". text", 7),
        (
            "\n  - {title: A, properties: [due]}\n  - {title: B, properties: [text, due]}",
            "invalid_section",
            "due is in the section \"A\" already. Leave it in one place.",
            8,
        ),
        (
            "\n  - {title: A, properties: [due, due]}",
            "invalid_section",
            "due is in the section \"A\" already. Leave it in one place.",
            7,
        ),
        (
            "\n  - {title: A, properties: [created]}",
            "invalid_section",
            "Every resource has created, which forms do not show. Leave it out.",
            7,
        ),
        (" due", "wrong_value", "sections must be a list: [{title: Address, properties: [street, city]}].", 6),
        ("\n  - {properties: [due]}", "missing_key", "The key \"title\" is missing.", 7),
        ("\n  - {title: A}", "missing_key", "The key \"properties\" is missing.", 7),
        ("\n  - {title: ' ', properties: [due]}", "wrong_value", "The title of a section is empty. Give one.", 7),
        (
            "\n  - {title: A, properties: []}",
            "wrong_value",
            "The section has no properties. Name some, or leave the section out.",
            7,
        ),
        ("\n  - {title: A, properties: due}", "wrong_value", "properties must be a list: [a, b].", 7),
        ("\n  - due", "wrong_shape", "Keys and values are expected here.", 7),
        ("\n  - {titel: A, title: A, properties: [due]}", "unknown_key", "The key \"titel\" is unknown.", 7),
    ] {
        assert_eq!(told_of(sections), [(code.to_owned(), message.to_owned(), line)], "{sections}");
    }
}
