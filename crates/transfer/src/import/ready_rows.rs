//! From rows that wait to rows that can be written: references are found, required values checked.

use super::lookups::LookupKey;
use super::options::ImportMode;
use super::references::{RowReference, TargetMatch};
use super::report::RowFault;
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
                references.iter().for_each(|reference| self.lookups.want_reference(reference));
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

    /// The title that a row gives; none where no row is looked for by a title of its type.
    pub(super) fn title_of<'r>(&self, row: &'r WaitingRow) -> Option<(&'t Property, &'r str)> {
        let property = self.lookups.title_of(self.resource_type)?;
        match &row.given[property.position] {
            Some(GivenValue::Value(StoredValue::One(Value::Text(title)))) => Some((property, title)),
            _ => None,
        }
    }

    /// The references of a row to rows of its own type.
    fn own_references<'r>(&self, row: &'r WaitingRow) -> impl Iterator<Item = &'r RowReference> {
        let own = self.resource_type.id;
        let references = row.given.iter().flatten().filter_map(|given| match given {
            GivenValue::References(references, _) => Some(references),
            GivenValue::Value(_) | GivenValue::Faulty => None,
        });
        references.flatten().filter(move |reference| self.lookups.type_of(reference).is_some_and(|of| of.id == own))
    }

    /// Returns true if a row refers to a resource of its own type that is not known yet.
    pub(super) fn refers_ahead(&self, row: &WaitingRow) -> bool {
        self.own_references(row).any(|reference| !matches!(self.lookups.target(reference), TargetMatch::One(_)))
    }

    /// Returns true if a row refers to one of these resources of its own type, or by one of these titles.
    pub(super) fn refers_to(&self, row: &WaitingRow, ids: &HashSet<i64>, titles: &HashSet<String>) -> bool {
        self.own_references(row).any(|reference| {
            let is_titled = reference.title.as_ref().is_some_and(|(_, title)| titles.contains(title));
            is_titled || matches!(self.lookups.target(reference), TargetMatch::One(id) if ids.contains(&id))
        })
    }

    /// The row with its references found and its required values checked; nothing where it has problems.
    pub(super) fn ready(&mut self, row: WaitingRow) -> Option<ReadyRow> {
        let target = self.find_target(&row);
        let (line, mut faults) = (row.line, row.faults);
        // What changes nothing lacks nothing.
        let (id, is_new) = match target {
            Ok(id) => (id, id.is_none()),
            Err(fault) => {
                faults.extend(fault);
                (None, false)
            }
        };
        let mut values: Vec<Option<StoredValue>> = Vec::with_capacity(row.given.len());
        let mut refused = Vec::new();
        for (property, given) in self.resource_type.fields.iter().zip(row.given) {
            let before = faults.len();
            let value = match given {
                Some(GivenValue::Faulty) => {
                    values.push(None);
                    continue;
                }
                Some(GivenValue::Value(stored)) => {
                    if id.is_none()
                        && let Err(fault) = kinds::check_choice(property.kind.as_ref(), &stored, None)
                    {
                        faults.push(fault.of(&property.name, &property.title).into());
                    }
                    Some(stored)
                }
                Some(GivenValue::References(references, many)) => {
                    let value = self.find(property, references, many, &mut faults);
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
            let missing = value.as_ref().map_or(is_new && !self.is_given_later(property), accept::is_empty);
            let expected = property.required && !settle::decides(self.resource_type, property);
            if expected && missing && faults.len() == before && self.may_give(property) {
                faults.push(accept::missing(property).into());
            }
            values.push(value);
        }
        if id.is_none() {
            faults.extend(refused.iter().map(|refused| relations::refused(self.resource_type, *refused).into()));
        }
        if faults.is_empty() {
            return Some(ReadyRow { line, id, values, refused });
        }
        faults.into_iter().for_each(|fault| self.report.add(line, fault));
        None
    }

    /// Returns true if a row that is new and silent about a property may get a value yet, by a default or a grant.
    fn is_given_later(&self, property: &Property) -> bool {
        let position = property.position;
        !self.rights.are_direct() && (self.defaults[position].is_some() || self.rights.presets(position))
    }

    /// Returns true if the caller may give a property, and so may know that it is required.
    fn may_give(&self, property: &Property) -> bool {
        self.rights.are_direct() || self.rights.check(self.context, property, self.key.map(|(key, _)| key)).is_ok()
    }

    /// The resource that a row changes, if any. Fails where its key finds none that must be there; the fault of a key that
    /// cannot be read is told already.
    fn find_target(&self, row: &WaitingRow) -> Result<Option<i64>, Option<RowFault>> {
        let Some((property, lookup)) = self.key else { return Ok(None) };
        let Some(key) = self.key_of(row) else {
            let fault = ValueFault::new("key_missing", "is the key and is required");
            let is_told = matches!(row.given[property.position], Some(GivenValue::Faulty));
            return Err((!is_told).then(|| fault.of(&property.name, &property.title).into()));
        };
        let id = self.lookups.id(lookup, &key);
        let must_exist = self.options.mode == ImportMode::Update || property.position < FIRST_PROPERTY;
        if id.is_none() && must_exist {
            let fault = RowReference::by(lookup, key).fault(property, TargetMatch::None, &self.lookups);
            let problem = InputProblem { code: "row_missing", ..fault.problem };
            return Err(Some(RowFault { problem, ..fault }));
        }
        Ok(id)
    }

    fn find(
        &self,
        property: &Property,
        references: Vec<RowReference>,
        many: bool,
        faults: &mut Vec<RowFault>,
    ) -> StoredValue {
        let mut ids = Vec::with_capacity(references.len());
        for reference in references {
            match self.lookups.target(&reference) {
                TargetMatch::One(id) => ids.push(Value::Integer(id)),
                TargetMatch::None if self.may_be_in_file(&reference) => {}
                target => faults.push(reference.fault(property, target, &self.lookups)),
            }
        }
        if many { StoredValue::Many(ids) } else { StoredValue::One(ids.pop().unwrap_or_default()) }
    }

    /// Returns true if a row before may be what a reference leads to, while rows are only read.
    fn may_be_in_file(&self, reference: &RowReference) -> bool {
        let is_own = self.lookups.type_of(reference).is_some_and(|of| of.id == self.resource_type.id);
        let by_unique =
            |(lookup, key): &(usize, LookupKey)| self.file_keys.may_have(self.lookups.field(*lookup).0.position, key);
        let by_title = |(place, title): &(usize, String)| {
            let position = self.lookups.title_field(*place).position;
            self.file_keys.may_have(position, &LookupKey::Text(title.clone()))
        };
        is_own && (reference.unique.as_ref().is_some_and(by_unique) || reference.title.as_ref().is_some_and(by_title))
    }
}
