//! Filters of relations, checked once all types are there: they name properties of other types.

use super::section::{FileProblems, diagnostic};
use super::yaml::{YamlContent, YamlNode};
use context::actor::Actor;
use jiff::Timestamp;
use model::types::{Model, ResourceType};

/// Checks the filters of a type's relations; `node` is what its file holds.
pub(crate) fn check(
    model: &Model,
    resource_type: &ResourceType,
    file: &str,
    node: &YamlNode,
    problems: &mut FileProblems,
) {
    let all_rights = Actor::administrator(model);
    for property in resource_type.properties() {
        let Some(relation) = property.kind.relation().filter(|relation| !relation.filter.is_empty()) else { continue };
        // No filter is right at one moment and wrong at another; any will do.
        for fault in query::relation_filter::check(model, &all_rights, relation, Timestamp::UNIX_EPOCH) {
            let code = if fault.error.code == "property_unknown" { "unknown_property" } else { "invalid_filter" };
            let mut path = vec!["properties".to_owned(), property.name.clone(), "filter".to_owned()];
            path.extend(fault.path);
            let mut problem = diagnostic(file, node.nearest(&path), &path.join("."), code, &fault.error.message);
            problem.suggestion = fault.suggestion;
            problems.push(problem);
        }
    }
}

/// The name of the type that a file describes.
pub(crate) fn type_name(node: &YamlNode) -> Option<&str> {
    match &node.content {
        YamlContent::Mapping(mapping) => mapping.entries.iter().find(|entry| entry.key == "name")?.value.text(),
        _ => None,
    }
}
