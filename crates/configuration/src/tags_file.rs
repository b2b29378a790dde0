//! `tags.yaml`: public tags that are there from the first `apply` on.

use super::diagnostic::{FilePosition, closest};
use super::section::{FileProblems, FileSection};
use super::symbols::FileTypes;
use super::yaml::YamlEntry;
use accounts::tags::{SeedTag, levels};
use serde_json::Value as Json;

/// The file.
pub(crate) const FILE: &str = "tags.yaml";

/// The keys of a tag whose values are texts.
const TEXTS: [&str; 5] = ["name", "code", "color", "icon", "description"];

/// Reads all tags against the types, and the names of those that could not be read.
pub(crate) fn read(file: &FileSection<'_>, types: FileTypes<'_>, problems: &mut FileProblems) -> Vec<SeedTag> {
    let mut tags = Vec::new();
    let mut places = Vec::new();
    for entry in &file.mapping.entries {
        let Some(mut tag) = SeedTag::new(&entry.key) else {
            let message = format!("{:?} cannot be the id of a tag: 1 to 40 letters, digits, _ and -.", entry.key);
            problems.push(file.problem(entry.position, &entry.key, "invalid_name", &message));
            continue;
        };
        let Some(mut section) = FileSection::open(file.file, entry.key.clone(), &entry.value, problems) else {
            continue;
        };
        section.require("name", problems);
        for key in TEXTS {
            if let Some(entry) = section.take(key, problems)
                && let Some(text) = section.text_of(entry, problems)
            {
                set(&mut tag, &section, entry, &Json::String(text), problems);
            }
        }
        if let Some(entry) = section.take("order", problems) {
            set(&mut tag, &section, entry, &entry.value.json(), problems);
        }
        if let Some(names) = section.texts("types", problems) {
            tag.set_types(type_ids(&section, &names, types, problems));
        }
        let parent = section.take("parent", problems);
        tag.parent = parent.and_then(|entry| section.text_of(entry, problems));
        section.finish(problems);
        places.push(parent.map_or(entry.position, |parent| parent.value.position));
        tags.push(tag);
    }
    check_parents(file, &tags, &places, problems);
    tags
}

fn set(tag: &mut SeedTag, section: &FileSection<'_>, entry: &YamlEntry, value: &Json, problems: &mut FileProblems) {
    let fault = match tag.set(&entry.key, value) {
        Err(fault) => Some(fault.text().to_owned()),
        Ok(()) if entry.key == "name" && !tag.named() => Some("must not be empty".to_owned()),
        Ok(()) => None,
    };
    if let Some(message) = fault {
        let message = format!("{} {message}.", entry.key);
        problems.push(section.problem(entry.value.position, &entry.key, "wrong_value", &message));
    }
}

fn type_ids(
    section: &FileSection<'_>,
    names: &[(String, FilePosition)],
    types: FileTypes<'_>,
    problems: &mut FileProblems,
) -> Vec<i64> {
    let mut ids = Vec::new();
    for (name, at) in names {
        match types.read.iter().find(|found| found.name == *name) {
            Some(found) if ids.contains(&found.id) => {}
            Some(found) => ids.push(found.id),
            None if types.unread.contains(name.as_str()) => {}
            None => {
                let message = format!("There is no type {name:?}.");
                let mut problem = section.problem(*at, "types", "unknown_type", &message);
                problem.suggestion = closest(name, types.read.iter().map(|found| found.name.as_str()));
                problems.push(problem);
            }
        }
    }
    ids
}

fn check_parents(file: &FileSection<'_>, tags: &[SeedTag], places: &[FilePosition], problems: &mut FileProblems) {
    let levels = levels(tags);
    let ids = || tags.iter().map(|tag| tag.id.as_str());
    for (tag, at) in tags.iter().zip(places) {
        let key = format!("{}.parent", tag.id);
        match &tag.parent {
            Some(parent) if !ids().any(|id| id == parent) => {
                let message = format!("There is no tag {parent:?} in this file.");
                let mut problem = file.problem(*at, &key, "unknown_tag", &message);
                problem.suggestion = closest(parent, ids());
                problems.push(problem);
            }
            _ if !levels.contains_key(tag.id.as_str()) => {
                let message = "The tag lies below itself, or deeper than 10 levels.";
                problems.push(file.problem(*at, &key, "tag_too_deep", message));
            }
            _ => {}
        }
    }
}
