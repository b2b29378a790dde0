//! A query as it is configured.

use crate::groups::QueryGroups;
use crate::kinds::{Kind, ValueStorage, language_type};
use expression::Program;
use expression::scope::{ValueKind, ValueType};
use serde_json::Value as Json;
use std::sync::Arc;

/// A query: what `queries/<name>.yaml` says. It answers rows, or groups of them.
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
    /// Names, and whether descending; none is the type's own order. Those of groups are of keys and values.
    pub order_by: Vec<(String, bool)>,
    /// The fields that come where the caller names none; without, those of a list.
    pub fields: Option<Vec<String>>,
    /// The length of a page where the caller gives none.
    pub per_page: Option<u64>,
    /// The groups that it answers; none where it answers rows.
    pub groups: Option<QueryGroups>,
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

    /// All that names parameters, with its key in the file: conditions on rows, on those of values, and on groups.
    pub fn conditions(&self) -> Vec<(Vec<&str>, &[Json])> {
        let mut all = vec![(vec!["filters"], self.filters.as_slice())];
        if let Some(groups) = &self.groups {
            let values = groups.values.iter().filter(|value| !value.filters.is_empty());
            all.extend(values.map(|value| (vec!["values", value.name.as_str(), "filters"], value.filters.as_slice())));
            all.push((vec!["having"], groups.having.as_slice()));
        }
        all
    }

    /// The parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<&QueryParameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

impl QueryParameter {
    /// The type of the value that `appParameter()` gives: that of its JSON. It refuses nothing that is stored.
    pub fn value_type(&self) -> ValueType {
        let of = language_type(self.kind.as_ref());
        let of = match of.kind {
            _ if self.kind.relation().is_some() && !self.multiple() => ValueType::default(),
            // The text of an instant may stand beside one.
            ValueKind::DateTime => ValueType::written(ValueKind::DateTime),
            ValueKind::Decimal => ValueType::of(ValueKind::Float),
            ValueKind::Resource | ValueKind::Object | ValueKind::File => ValueType::default(),
            _ => of,
        };
        let is_given = self.required
            || match &self.default {
                Some(ParameterDefault::Fixed(value)) => !value.is_null(),
                Some(ParameterDefault::Expression(program)) => !program.result().nullable,
                None => false,
            };
        of.handed().or_null(!is_given)
    }

    /// Returns true if it takes several values.
    pub fn multiple(&self) -> bool {
        matches!(self.kind.storage(), ValueStorage::Links(_))
    }
}
