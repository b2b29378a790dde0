//! A query as it is configured.

use crate::kinds::{Kind, ValueStorage};
use expression::Program;
use serde_json::Value as Json;
use std::sync::Arc;

/// A query: what `queries/<name>.yaml` says.
#[derive(Debug)]
pub struct QueryDefinition {
    /// The system name.
    pub name: String,
    /// For people.
    pub title: String,
    /// For people; may be empty.
    pub description: String,
    /// The id of the type that is listed.
    pub type_id: i64,
    /// In the file's order.
    pub parameters: Vec<QueryParameter>,
    /// As in the parameter `filters`, with `{"$param": name}` in the places of values.
    pub filters: Vec<Json>,
    /// Names, and whether descending; none is the type's own order.
    pub order_by: Vec<(String, bool)>,
    /// The fields that come where the caller names none; without, those of a list.
    pub fields: Option<Vec<String>>,
    /// The length of a page where the caller gives none.
    pub per_page: Option<u64>,
}

/// A parameter of a query.
#[derive(Debug)]
pub struct QueryParameter {
    /// The system name.
    pub name: String,
    /// For people.
    pub title: String,
    /// For people; may be empty.
    pub description: String,
    /// The kind of its values.
    pub kind: Box<dyn Kind>,
    /// True if the query does not run without a value.
    pub required: bool,
    /// The value where none is given.
    pub default: Option<ParameterDefault>,
}

/// The value of a parameter that is not given.
#[derive(Debug)]
pub enum ParameterDefault {
    /// Always the same, in wire form.
    Fixed(Json),
    /// The value that an expression gives, each time.
    Expression(Arc<Program>),
}

impl ParameterDefault {
    /// Returns true if it is the same for everybody, and as time goes by.
    pub fn is_settled(&self) -> bool {
        match self {
            ParameterDefault::Fixed(_) => true,
            ParameterDefault::Expression(program) => {
                let facts = program.facts();
                let asks = ["resource", "env", "objectShowLink", "export"];
                !facts.present && !facts.personal() && facts.calls(&asks).is_none()
            }
        }
    }
}

impl QueryDefinition {
    /// Returns true if its rows come in an order of its own.
    pub fn is_ordered(&self) -> bool {
        !self.order_by.is_empty()
    }

    /// The parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<&QueryParameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

impl QueryParameter {
    /// Returns true if it takes several values.
    pub fn multiple(&self) -> bool {
        matches!(self.kind.storage(), ValueStorage::Links(_))
    }
}
