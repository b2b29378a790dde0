//! `env.yaml`: the names that `env()` knows, with their texts.

use super::section::{FileProblems, FileSection};
use crate::expression_slots::{SlotNames, is_expression};
use expression::scope::ValueType;
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The file.
pub(crate) const FILE: &str = "env.yaml";

/// The most names.
const MOST: usize = 1_000;
/// The most characters of a name.
const LONGEST_NAME: usize = 64;
/// The most characters of a text.
const LONGEST: usize = 10_000;

/// Reads all names with their texts.
pub(crate) fn read(file: &FileSection<'_>, problems: &mut FileProblems) -> BTreeMap<String, Arc<str>> {
    let mut environment = BTreeMap::new();
    let entries = &file.mapping.entries;
    if entries.len() > MOST {
        problems.push(file.problem(file.position, "", "too_many", &format!("There are at most {MOST} names.")));
    }
    for entry in entries {
        let mut refuse = |at, code, message: &str| problems.push(file.problem(at, &entry.key, code, message));
        if !is_name(&entry.key) {
            let message = format!(
                "{:?} cannot be a name: it must begin with a letter, and have only letters, digits and _ ({LONGEST_NAME} \
                 at most).",
                entry.key
            );
            refuse(entry.position, "invalid_name", &message);
            continue;
        }
        // A text that is wrong is told here: that there is no such name would be told falsely.
        environment.insert(entry.key.clone(), "".into());
        match entry.value.json() {
            Json::String(_) if is_expression(&entry.value) => {
                let message = format!("{} is a text as it stands: no expression in it would be run.", entry.key);
                refuse(entry.value.position, "wrong_value", &message);
            }
            Json::String(text) if text.chars().count() > LONGEST => {
                let message = format!("{} is longer than {LONGEST} characters.", entry.key);
                refuse(entry.value.position, "wrong_value", &message);
            }
            Json::String(text) => drop(environment.insert(entry.key.clone(), text.into())),
            Json::Null => {
                let message = format!("{} has no value. Give one or leave the name out.", entry.key);
                refuse(entry.position, "missing_value", &message);
            }
            _ => {
                let message = format!("{} must be a text: put it in quotes.", entry.key);
                refuse(entry.value.position, "wrong_value", &message);
            }
        }
    }
    environment
}

fn is_name(text: &str) -> bool {
    text.len() <= LONGEST_NAME
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the names as expressions know them when they are compiled.
pub(crate) fn names(environment: &BTreeMap<String, Arc<str>>) -> SlotNames {
    let names = environment.keys().map(|name| (name.clone(), ValueType::default())).collect();
    HashMap::from([("env", names)])
}
