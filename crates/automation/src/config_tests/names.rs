//! Names of rows, and the ids that stand for them in requests.

use super::RowName;
use model::query::QueryParameter;
use model::types::ResourceType;
use model::user_columns::USER_TYPE;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// The member that stands for a row anywhere in a filter: `{$row: acme}`.
pub const ROW: &str = "$row";

/// The ids of rows by their names.
#[derive(Debug, Clone, Default)]
pub struct Names(BTreeMap<RowName, i64>);

impl Names {
    /// Names a row.
    pub fn put(&mut self, row: RowName, id: i64) {
        self.0.insert(row, id);
    }

    /// The id of a row.
    pub fn id(&self, row: &RowName) -> Option<i64> {
        self.0.get(row).copied()
    }

    /// The name of a row of a type; its id where nobody named it.
    pub fn name(&self, type_id: i64, id: i64) -> String {
        let named = self.0.iter().find(|(row, known)| row.type_id == type_id && **known == id);
        named.map_or_else(|| format!("#{id}"), |(row, _)| row.name.clone())
    }

    /// Puts ids in the place of names, wherever a value of a type's relation is one.
    pub fn resolve(&self, resource_type: &ResourceType, values: &Map<String, Json>) -> Map<String, Json> {
        let resolved = values.iter().map(|(name, value)| {
            let target = target(resource_type, name);
            (name.clone(), target.map_or_else(|| self.fill(value), |target| self.reference(target, value)))
        });
        resolved.collect()
    }

    /// Values of parameters, with ids in the place of names.
    pub fn params(&self, known: &[QueryParameter], values: &Map<String, Json>) -> Map<String, Json> {
        let target = |name: &str| {
            let parameter = known.iter().find(|known| known.name == name)?;
            parameter.kind.relation().map(|relation| relation.type_id)
        };
        let resolved = values.iter().map(|(name, value)| {
            (name.clone(), target(name).map_or_else(|| self.fill(value), |target| self.reference(target, value)))
        });
        resolved.collect()
    }

    /// A value that refers to rows of a type, with ids.
    pub fn reference(&self, type_id: i64, value: &Json) -> Json {
        match value {
            Json::String(name) => {
                let row = RowName { type_id, name: name.clone() };
                self.id(&row).map_or_else(|| value.clone(), Json::from)
            }
            Json::Array(members) => members.iter().map(|member| self.reference(type_id, member)).collect(),
            other => other.clone(),
        }
    }

    /// A value with the id of a row wherever there is `{$row: name}`.
    pub fn fill(&self, value: &Json) -> Json {
        match value {
            Json::Array(members) => members.iter().map(|member| self.fill(member)).collect(),
            Json::Object(members) => match mentioned(value) {
                Some(name) => {
                    let id = self.0.iter().find(|(row, _)| row.name == name).map(|(_, id)| *id);
                    id.map_or_else(|| value.clone(), Json::from)
                }
                None => Json::Object(members.iter().map(|(key, value)| (key.clone(), self.fill(value))).collect()),
            },
            other => other.clone(),
        }
    }
}

/// The row that `{$row: name}` names.
pub(crate) fn mentioned(value: &Json) -> Option<&str> {
    let members = value.as_object().filter(|members| members.len() == 1)?;
    members.get(ROW)?.as_str()
}

/// The type that a property refers to, if it does; operators such as `+=` stand behind its name.
pub fn target(resource_type: &ResourceType, name: &str) -> Option<i64> {
    let property = resource_type.field(name.trim_end_matches(['+', '=']))?;
    match property.name.as_str() {
        "createdBy" | "updatedBy" => Some(USER_TYPE),
        _ => property.kind.relation().map(|relation| relation.type_id),
    }
}
