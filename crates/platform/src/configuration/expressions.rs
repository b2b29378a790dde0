//! Expressions in files: refused with their place, never ignored, until they are served.

use super::section::{Problems, Section, diagnostic};
use super::yaml::{Content, Node};

/// Refuses every text with `{=` below the section, but for keys that hold plain text for people.
/// Keys that are refused already are not reported twice.
pub(crate) fn refuse(section: &Section<'_>, plain: &[&str], problems: &mut Problems) {
    for entry in &section.mapping.entries {
        let path = section.key(&entry.key);
        let reported = problems.iter().any(|problem| problem.file == section.file && problem.key == path);
        if !plain.contains(&entry.key.as_str()) && !reported {
            refuse_below(section.file, &path, &entry.value, problems);
        }
    }
}

fn refuse_below(file: &str, path: &str, node: &Node, problems: &mut Problems) {
    match &node.content {
        Content::Scalar { text, .. } if text.contains("{=") => {
            let message = "Expressions are not supported by this version yet. Give a fixed value or leave the key out.";
            problems.push(diagnostic(file, node.position, path, "unsupported", message));
        }
        Content::Scalar { .. } => {}
        Content::Sequence(members) => members.iter().for_each(|member| refuse_below(file, path, member, problems)),
        Content::Mapping(mapping) => {
            for entry in &mapping.entries {
                refuse_below(file, &format!("{path}.{}", entry.key), &entry.value, problems);
            }
        }
    }
}
