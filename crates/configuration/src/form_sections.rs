//! The key `sections` of a type's file: titles with the properties that forms show below them.

use super::diagnostic::{FilePosition, closest};
use super::property_lists::FieldNames;
use super::section::{FileProblems, FileSection, diagnostic};
use super::type_file::NameMention;
use super::yaml::YamlContent;
use model::types::{FIRST_PROPERTY, FormSection};

/// A section of forms as the file has it.
pub(crate) struct SectionDraft {
    title: String,
    /// The path of keys to the list of properties.
    key: String,
    properties: Vec<NameMention>,
}

/// Reads the sections of a type's file.
pub(crate) fn read(section: &mut FileSection<'_>, problems: &mut FileProblems) -> Vec<SectionDraft> {
    let Some(entry) = section.take("sections", problems) else { return Vec::new() };
    let YamlContent::Sequence(members) = &entry.value.content else {
        let message = "sections must be a list: [{title: Address, properties: [street, city]}].";
        problems.push(section.problem(entry.value.position, "sections", "wrong_value", message));
        return Vec::new();
    };
    let at = section.value_of(entry);
    let opened = members.iter().enumerate().filter_map(|(place, member)| {
        let path = at.below(place, member).path;
        draft(FileSection::open(section.file, path, member, problems)?, problems)
    });
    opened.collect()
}

fn draft(mut section: FileSection<'_>, problems: &mut FileProblems) -> Option<SectionDraft> {
    let title = section.require("title", problems).and_then(|entry| {
        let title = section.text_of(entry, problems)?;
        if title.trim().is_empty() {
            let message = "The title of a section is empty. Give one.";
            problems.push(section.problem(entry.value.position, "title", "wrong_value", message));
        }
        Some(title)
    });
    let properties = section.require("properties", problems).and_then(|entry| {
        let names = section.texts_of(entry, problems)?;
        if names.is_empty() {
            let message = "The section has no properties. Name some, or leave the section out.";
            problems.push(section.problem(entry.value.position, "properties", "wrong_value", message));
        }
        Some(names)
    });
    section.finish(problems);
    Some(SectionDraft { title: title?, key: section.key("properties"), properties: properties? })
}

impl FieldNames<'_> {
    /// Returns the sections. Each property stands in at most one.
    pub(crate) fn sections(&self, problems: &mut FileProblems) -> Vec<FormSection> {
        let mut seen: Vec<(usize, &str)> = Vec::new();
        let mut sections = Vec::new();
        for draft in &self.draft.sections {
            let mut properties = Vec::new();
            for (name, at) in &draft.properties {
                let Some(position) = self.section_property(draft, name, *at, problems) else { continue };
                if let Some((_, other)) = seen.iter().find(|(known, _)| *known == position) {
                    let message = format!("{name} is in the section {other:?} already. Leave it in one place.");
                    problems.push(diagnostic(self.draft.file, *at, &draft.key, "invalid_section", &message));
                    continue;
                }
                seen.push((position, &draft.title));
                properties.push(position);
            }
            sections.push(FormSection { title: draft.title.clone(), properties });
        }
        sections
    }

    fn section_property(
        &self,
        draft: &SectionDraft,
        name: &str,
        at: FilePosition,
        problems: &mut FileProblems,
    ) -> Option<usize> {
        let problem = |code, message: &str| diagnostic(self.draft.file, at, &draft.key, code, message);
        match self.by_name.get(name) {
            Some(position) if *position >= FIRST_PROPERTY => return Some(*position),
            Some(_) => {
                let message = format!("Every resource has {name}, which forms do not show. Leave it out.");
                problems.push(problem("invalid_section", &message));
            }
            // A property that could not be made has a diagnostic of its own.
            None if self.draft.properties.iter().any(|property| property.name.0 == name) => {}
            None => {
                let known = self.draft.properties.iter().map(|property| property.name.0.as_str());
                let mut unknown = problem("unknown_property", &format!("There is no property {name:?}."));
                unknown.suggestion = closest(name, known);
                problems.push(unknown);
            }
        }
        None
    }
}
