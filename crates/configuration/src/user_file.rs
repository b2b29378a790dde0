//! `users/*.yaml`: users that are there from the first `apply` on, without passwords.

use super::diagnostic::closest;
use super::section::{FileProblems, FileSection};
use jiff::{Timestamp, tz::TimeZone};
use model::kinds;
use model::kinds::ValueContext;
use model::types::{FIRST_PROPERTY, Property, ResourceType};
use serde_json::Value as Json;

/// A user out of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct SeedUser {
    /// The file.
    pub file: String,
    /// The login, in lower case.
    pub login: String,
    /// The properties that the file names, the login included, by name and in wire form.
    pub values: Vec<(String, Json)>,
}

/// Short names of built-in properties.
pub(crate) const SHORT: [(&str, &str); 3] = [("user", "user_id"), ("name", "user_name"), ("group", "user_group")];

/// Reads a user against the type `user`.
pub(crate) fn read(
    mut section: FileSection<'_>,
    user: &ResourceType,
    zone: &TimeZone,
    problems: &mut FileProblems,
) -> Option<(SeedUser, super::diagnostic::FilePosition)> {
    let login = section.require("user", problems);
    section.require("name", problems);
    let context = ValueContext { zone, now: Timestamp::UNIX_EPOCH, links: None, texts: false };
    let mut values = Vec::new();
    for entry in &section.mapping.entries {
        if entry.value.is_null() {
            continue;
        }
        let name = SHORT.iter().find(|(short, _)| *short == entry.key).map_or(entry.key.as_str(), |(_, name)| name);
        let long_form = SHORT.iter().any(|(_, long)| *long == entry.key);
        if name == "password" {
            let message = "Passwords are never in files. Set one with plinth user password.";
            problems.push(section.problem(entry.position, &entry.key, "password_in_file", message));
            continue;
        }
        let Some(property) = user.field(name).filter(|found| found.position >= FIRST_PROPERTY && !long_form) else {
            let message = format!("The key {:?} is unknown: the type user has no such property.", entry.key);
            let mut problem = section.problem(entry.position, &entry.key, "unknown_key", &message);
            let names = user.properties().iter().map(|property| property.name.as_str());
            problem.suggestion = closest(&entry.key, names.chain(["name", "group"]));
            problems.push(problem);
            continue;
        };
        let mut value = entry.value.json();
        // A login or a phone number of digits alone is a text all the same.
        if property.kind.is_text()
            && let Some(text) = entry.value.text()
        {
            value = Json::String(text.to_owned());
        }
        if name == "timezone" && entry.value.text().is_some_and(|text| TimeZone::get(text).is_err()) {
            let message = "timezone must be a time zone of the IANA database, such as Europe/Prague.";
            problems.push(section.problem(entry.value.position, &entry.key, "wrong_value", message));
        }
        if let Some(message) = fault(property, &value, &context) {
            let message = format!("{} {message}.", entry.key);
            problems.push(section.problem(entry.value.position, &entry.key, "wrong_value", &message));
        }
        values.push((property.name.clone(), value));
    }
    let login = login?;
    let given = |property: &&Property| values.iter().any(|(name, _)| *name == property.name);
    let must = |property: &&Property| property.required && property.default.is_none() && property.name != "user_name";
    for property in user.properties().iter().filter(must).filter(|property| !given(property)) {
        // What is written is wrong where it stands; it is not missing as well.
        if !section.mapping.entries.iter().any(|entry| entry.key == property.name) && property.name != "user_id" {
            let message = format!("The key {:?} is missing: every user must have it.", property.name);
            problems.push(section.problem(login.position, &property.name, "missing_key", &message));
        }
    }
    let text = login.value.text()?.to_lowercase();
    if let Some((_, value)) = values.iter_mut().find(|(name, _)| name == "user_id") {
        *value = Json::String(text.clone());
    }
    Some((SeedUser { file: section.file.to_owned(), login: text, values }, login.value.position))
}

fn fault(property: &Property, value: &Json, context: &ValueContext<'_>) -> Option<String> {
    kinds::accept(property.kind.as_ref(), value, context).err().map(|fault| fault.text().to_owned())
}
