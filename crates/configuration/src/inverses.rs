//! Names of the other ends of relations, checked once all types are there: they are names of other types.

use super::diagnostic::closest;
use super::names;
use super::section::{FileProblems, diagnostic};
use super::yaml::YamlNode;
use model::kinds::{InverseOption, abilities};
use model::types::{Model, Property, ResourceType};

/// Checks the inverses that a type's relations name; `node` is what its file holds.
pub(crate) fn check(model: &Model, holder: &ResourceType, file: &str, node: &YamlNode, problems: &mut FileProblems) {
    for relation in holder.properties() {
        let Some(target) = relation.kind.relation() else { continue };
        let Some((option, target)) = target.inverse.zip(model.type_by_id(target.type_id)) else { continue };
        let mut refuse = |key: &str, message: String, suggestion: Option<String>| {
            let path = ["properties", &relation.name, "inverse", key].map(str::to_owned);
            let path = if key.is_empty() { &path[..3] } else { &path[..] };
            let mut problem = diagnostic(file, node.nearest(path), &path.join("."), "invalid_option", &message);
            problem.suggestion = suggestion;
            problems.push(problem);
        };
        if let Some(message) = fault_of_name(model, holder, relation, option, target) {
            refuse("name", message, None);
        }
        if relation.is_virtual() {
            refuse("", "A relation that is not stored has no other end. Give it stored: true.".to_owned(), None);
        }
        for (name, _) in &option.order_by {
            match holder.field(name) {
                Some(property) if !property.is_virtual() && abilities(property.kind.class()).sortable => {}
                Some(_) => refuse("orderBy", format!("{} cannot be sorted by {name}.", holder.name), None),
                None => {
                    let near = closest(name, holder.fields.iter().map(|field| field.name.as_str()));
                    refuse("orderBy", format!("There is no property {name:?} in {}.", holder.name), near);
                }
            }
        }
    }
}

/// Returns the fault of a name, if it has one.
fn fault_of_name(
    model: &Model,
    holder: &ResourceType,
    relation: &Property,
    option: &InverseOption,
    target: &ResourceType,
) -> Option<String> {
    let name = &option.name;
    if let Some((_, message)) = names::property_fault(name) {
        return Some(message);
    }
    let same = |other: &str| other.eq_ignore_ascii_case(name);
    if target.fields.iter().any(|field| same(&field.name)) {
        return Some(format!("{} has a property {name:?}. Give the inverse another name.", target.name));
    }
    let others = model.inverses.of_type(target.id).iter().filter(|other| same(&other.name));
    let mut others = others.filter_map(|other| other.kind.inverse());
    let is_own = |id: i64, position: usize| (id, position) == (holder.id, relation.position);
    let other = others.find(|source| !is_own(source.type_id, source.position))?;
    let other_type = model.type_by_id(other.type_id)?;
    let other_name = format!("{}.{}", other_type.name, other_type.fields[other.position].name);
    Some(format!("{other_name} names its inverse {name:?}, too. Give one of them another name."))
}
