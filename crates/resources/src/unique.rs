//! Violated constraints, in words that name properties (D-24).

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
        other => other.into(),
    }
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
