//! Violated constraints and limits of indexes, in words that name properties (D-24).

use context::request_context::RequestContext;
use database::ConstraintViolation;
use model::error::{Error, InputProblem};
use model::types::{Property, ResourceType};

/// Says which properties of a write stood against what is stored, as far as the caller knows them.
pub fn explain(error: database::Error, request: &RequestContext, resource_type: &ResourceType) -> Error {
    match error {
        database::Error::Violation(ConstraintViolation::Unique { table, columns })
            if table == resource_type.table.as_str() =>
        {
            let named = |column: &String| resource_type.fields.iter().find(|field| field.column.as_str() == column);
            let known = |property: &&Property| request.actor.knows(resource_type, property);
            conflict(resource_type, &columns.iter().filter_map(named).filter(known).collect::<Vec<_>>())
        }
        // The targets of relations were checked and are locked: a race that only one of them could lose.
        database::Error::Violation(ConstraintViolation::Reference { .. }) => {
            Error::invalid("relation_missing", "A relation refers to a resource that does not exist.")
        }
        database::Error::IndexEntryTooLarge => too_large(error.into(), request, resource_type),
        other => other.into(),
    }
}

/// Names the properties that an index entry may have become too large with. A text with an index of its own always fits.
fn too_large(error: Error, request: &RequestContext, resource_type: &ResourceType) -> Error {
    let texts = |set: &[usize]| {
        let fields = set.iter().map(|position| &resource_type.fields[*position]);
        fields.filter(|field| field.kind.is_text()).collect::<Vec<_>>()
    };
    let is_long = |texts: &[&Property]| texts.len() > 1 || texts.iter().any(|text| !text.kind.indexable());
    let sets = resource_type.unique.iter().chain(&resource_type.indexes).map(|set| texts(set));
    let known = |set: Vec<&'_ Property>| -> Vec<String> {
        let known = set.into_iter().filter(|property| request.actor.knows(resource_type, property));
        known.map(|property| property.title.clone()).collect()
    };
    let sets: Vec<Vec<String>> = sets.filter(|set| is_long(set)).map(known).filter(|set| !set.is_empty()).collect();
    let named: Vec<String> = sets.iter().map(|set| set.join(" and ")).collect();
    if named.is_empty() {
        return error;
    }
    let message = format!(
        "The texts of {} have together more bytes than the database keeps in an index, some 2,700 after compression. \
         Shorten one of them.",
        named.join(", or of ")
    );
    Error { message, ..error }
}

fn conflict(resource_type: &ResourceType, properties: &[&Property]) -> Error {
    let titles: Vec<&str> = properties.iter().map(|property| property.title.as_str()).collect();
    let title = &resource_type.title;
    let message = match titles[..] {
        [] => format!("There is already such a {title}."),
        _ => format!("Another {title} has the same {}.", titles.join(" and ")),
    };
    let problem = |property: &&Property| InputProblem {
        property: property.name.clone(),
        code: "unique",
        message: message.clone(),
    };
    let problems = properties.iter().map(problem).collect();
    Error { problems, ..Error::conflict("unique", message.clone()) }
}
