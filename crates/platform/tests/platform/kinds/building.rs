//! Kinds from the options of files, and the catalogue.

use super::build;
use model::kinds::{CATALOGUE, abilities};

/// The kind must not be built; gives key, message and suggestion of its first fault.
fn fault(name: &str, options: &str) -> String {
    let fault = build(name, options).map(|kind| panic!("{kind:?}")).unwrap_err().remove(0);
    format!("{} | {} | {}", fault.key, fault.message, fault.suggestion.unwrap_or_default())
}

#[test]
fn faults_name_the_option_and_suggest() {
    assert_eq!(fault("pStrin", "{}"), r#"kind | There is no kind "pStrin". | pString"#);
    assert_eq!(
        fault("pString", r#"{"maxLenght": 3}"#),
        r#"maxLenght | pString has no option "maxLenght". | maxLength"#
    );
    assert_eq!(fault("pDate", r#"{"requird": true}"#), r#"requird | pDate has no option "requird". | required"#);
    assert_eq!(fault("pInteger", r#"{"min": "1"}"#), "min | min must be a whole number. | ");
    assert_eq!(fault("pInteger", r#"{"min": 2, "max": 1}"#), "min | min must not be above max. | ");
    assert_eq!(
        fault("pDecimal", r#"{"precision": 19}"#),
        "precision | precision must be a whole number from 1 to 18. | "
    );
    assert_eq!(fault("pDecimal", r#"{"precision": 2, "scale": 3}"#), "scale | scale must not be above precision. | ");
    assert_eq!(fault("pString", r#"{"trim": "yes"}"#), "trim | trim must be true or false. | ");
    assert_eq!(fault("pRelation", "{}"), "type | type must name the type that is referred to. | ");
    assert_eq!(fault("pRelation", r#"{"type": "cty"}"#), r#"type | There is no type "cty". | city"#);
    assert!(fault("pRelation", r#"{"type": "city", "onDelete": "setnull"}"#).ends_with("| setNull"));
    assert_eq!(fault("pEnum", "{}"), "options | options must name at least one value. | ");
    assert!(fault("pEnum", r#"{"options": {"a": {"colour": "x"}}}"#).ends_with("| color"));
    assert!(fault("pEnum", r#"{"options": ["a", "a"]}"#).contains("twice"));
    assert!(fault("pJson", r#"{"schema": {"typ": "object"}}"#).contains("typ is not valid, or not supported"));
    assert!(fault("pJson", r#"{"schema": {"$ref": "/x"}}"#).contains("$ref is not valid"));
    assert!(fault("pJson", r#"{"maxBytes": 0}"#).contains("maxBytes must be a whole number from 1 to 8388608"));
    assert!(fault("pJson", r#"{"maxMembers": "5"}"#).contains("maxMembers must be a whole number from 0 to 1000000"));
    assert!(fault("pAutonumber", r#"{"pattern": "INV-{YYYY}"}"#).contains("one {#####}"));
    assert!(fault("pAutonumber", r#"{"pattern": "{MM}-{#}"}"#).contains("the year with a month"));
}

#[test]
fn a_pattern_is_bounded_and_stays_inside_its_anchors() {
    assert!(fault("pString", r#"{"pattern": "("}"#).starts_with("pattern | pattern is not a regular expression"));
    assert!(fault("pString", r#"{"pattern": "a)|(b"}"#).starts_with("pattern | pattern is not a regular expression"));
    assert!(fault("pString", r#"{"pattern": "(\\w{1000}){1000}"}"#).starts_with("pattern | pattern is too large"));
}

#[test]
fn the_catalogue_is_whole() {
    for entry in CATALOGUE {
        assert!(entry.help.ends_with('.'), "{}", entry.name);
        let options = match entry.name {
            "pEnum" | "pEnums" => r#"{"options": ["a"]}"#,
            "pRelation" | "pRelations" => r#"{"type": "city"}"#,
            "pRollup" => r#"{"relation": "city.country", "function": "count"}"#,
            _ => "{}",
        };
        let kind = build(entry.name, options).unwrap();
        assert_eq!(kind.name(), entry.name);
        assert_eq!(kind.concealed(), abilities(kind.class()).filters.is_empty(), "{}", entry.name);
        assert!(kind.schema().is_object());
    }
}

#[test]
fn the_reference_lists_every_kind() {
    let reference = include_str!("../../../../../docs/property-kinds.md");
    let mut missing = String::new();
    for entry in CATALOGUE.iter().filter(|entry| !entry.internal) {
        let options = entry.options.iter().map(|(name, help)| format!("`{name}`: {help}"));
        let options = options.collect::<Vec<_>>().join("<br>").replace('|', "\\|");
        let row = format!("| `{}` | {} | {options} |\n", entry.name, entry.help);
        if !reference.contains(&row) {
            missing += &row;
        }
    }
    assert!(missing.is_empty(), "docs/property-kinds.md lacks these lines:\n{missing}");
}
