//! From rows that wait to rows that can be written: references are found, required values checked.

use super::lookups::LookupKey;
use super::options::ImportMode;
use super::rows::{GivenValue, WaitingRow};
use super::state::Import;
use database::Value;
use model::error::InputProblem;
use model::kinds;
use model::kinds::{StoredValue, ValueFault};
use model::types::{FIRST_PROPERTY, Property};
use resources::{accept, relations, settle};
use std::collections::HashSet;

/// A row that can be written.
#[derive(Clone)]
pub(super) struct ReadyRow {
    /// Its place in the file.
    pub(super) line: u64,
    /// The resource that it changes; none where it is new.
    pub id: Option<i64>,
    /// Its values by position of the field.
    pub(super) values: Vec<Option<StoredValue>>,
    /// Targets that do not pass the filter of the relation at a position: they may stay where they are.
    pub refused: Vec<(usize, i64)>,
}

impl<'t> Import<'t, '_> {
    /// Asks for all that a row refers to.
    pub(super) fn want(&mut self, row: &WaitingRow) {
        for given in row.given.iter().flatten() {
            if let GivenValue::References(references, _) = given {
                references.iter().for_each(|(lookup, key)| self.lookups.want(*lookup, key));
            }
        }
        if let (Some(key), Some((_, lookup))) = (self.key_of(row), self.key) {
            self.lookups.want(lookup, &key);
        }
    }

    /// The value by which a row finds the resource that it changes.
    pub(super) fn key_of(&self, row: &WaitingRow) -> Option<LookupKey> {
        match &row.given[self.key?.0.position] {
            Some(GivenValue::Value(StoredValue::One(value))) => LookupKey::of(value),
            _ => None,
        }
    }

    /// The values of unique properties that a row gives.
    pub(super) fn unique_keys(&self, row: &WaitingRow) -> Vec<(&'t Property, LookupKey)> {
        let properties = self.resource_type.properties().iter().filter(|property| property.unique);
        let key = |property: &'t Property| match &row.given[property.position] {
            Some(GivenValue::Value(StoredValue::One(value))) => Some((property, LookupKey::of(value)?)),
            _ => None,
        };
        properties.filter_map(key).collect()
    }

    /// Returns true if a row refers to a resource of its own type that is not known yet.
    pub(super) fn refers_ahead(&self, row: &WaitingRow) -> bool {
        row.given.iter().flatten().any(|given| match given {
            GivenValue::References(references, _) => references.iter().any(|(lookup, key)| {
                self.lookups.field(*lookup).1.id == self.resource_type.id && self.lookups.id(*lookup, key).is_none()
            }),
            GivenValue::Value(_) => false,
        })
    }

    /// Returns true if a row refers to one of these resources of its own type.
    pub(super) fn refers_to(&self, row: &WaitingRow, ids: &HashSet<i64>) -> bool {
        row.given.iter().flatten().any(|given| match given {
            GivenValue::References(references, _) => references.iter().any(|(lookup, key)| {
                self.lookups.field(*lookup).1.id == self.resource_type.id
                    && self.lookups.id(*lookup, key).is_some_and(|id| ids.contains(&id))
            }),
            GivenValue::Value(_) => false,
        })
    }

    /// The row with its references found and its required values checked; nothing where it has problems.
    pub(super) fn ready(&mut self, row: WaitingRow) -> Option<ReadyRow> {
        let (line, mut problems) = (row.line, Vec::new());
        let id = self.target(&row, &mut problems);
        // What changes nothing lacks nothing.
        let is_new = id.is_none() && problems.is_empty();
        let mut values: Vec<Option<StoredValue>> = Vec::with_capacity(row.given.len());
        let mut refused = Vec::new();
        for (property, given) in self.resource_type.fields.iter().zip(row.given) {
            let value = match given {
                Some(GivenValue::Value(stored)) => {
                    if id.is_none()
                        && let Err(fault) = kinds::check_choice(property.kind.as_ref(), &stored, None)
                    {
                        problems.push(fault.of(&property.name, &property.title));
                    }
                    Some(stored)
                }
                Some(GivenValue::References(keys, many)) => {
                    let value = self.find(property, keys, many, &mut problems);
                    let ids = relations::members(&value).iter().filter_map(relations::id);
                    refused.extend(ids.filter_map(|id| {
                        self.lookups.refuses(id, property.position).then_some((property.position, id))
                    }));
                    Some(value)
                }
                // A caller gives no defaults: these come when the row is created.
                None if id.is_none() && self.rights.are_direct() => self.defaults[property.position].clone(),
                None => None,
            };
            let missing = value.as_ref().map_or(is_new, accept::is_empty);
            let expected = property.required && !settle::decides(self.resource_type, property);
            // Grants may give values to what is new.
            let expected = expected && (self.rights.are_direct() || id.is_some());
            if expected && missing && !problems.iter().any(|problem| problem.property == property.name) {
                problems.push(accept::missing(property));
            }
            values.push(value);
        }
        if id.is_none() {
            problems.extend(refused.iter().map(|refused| relations::refused(self.resource_type, *refused)));
        }
        if problems.is_empty() {
            return Some(ReadyRow { line, id, values, refused });
        }
        problems.into_iter().for_each(|problem| self.report.add(line, problem));
        None
    }

    fn target(&self, row: &WaitingRow, problems: &mut Vec<InputProblem>) -> Option<i64> {
        let (property, lookup) = self.key?;
        let mut fault =
            |code, message: &str| problems.push(ValueFault::new(code, message).of(&property.name, &property.title));
        let Some(key) = self.key_of(row) else {
            fault("key_missing", "is the key and is required");
            return None;
        };
        let id = self.lookups.id(lookup, &key);
        let must_exist = self.options.mode == ImportMode::Update || property.position < FIRST_PROPERTY;
        if id.is_none() && must_exist {
            fault("row_missing", "finds no resource to change");
        }
        id
    }

    fn find(
        &self,
        property: &Property,
        keys: Vec<(usize, LookupKey)>,
        many: bool,
        problems: &mut Vec<InputProblem>,
    ) -> StoredValue {
        let mut ids = Vec::with_capacity(keys.len());
        for (lookup, key) in keys {
            if let Some(id) = self.lookups.id(lookup, &key) {
                ids.push(Value::Integer(id));
                continue;
            }
            let (by, of) = self.lookups.field(lookup);
            if of.id == self.resource_type.id && self.file_keys.may_have(by.position, &key) {
                continue;
            }
            let message =
                format!("refers to a resource of {} whose {} is {key}, which does not exist", of.name, by.name);
            problems.push(ValueFault::new("reference_missing", message).of(&property.name, &property.title));
        }
        if many { StoredValue::Many(ids) } else { StoredValue::One(ids.pop().unwrap_or_default()) }
    }
}
