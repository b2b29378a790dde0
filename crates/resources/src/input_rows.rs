//! The rows that something is calculated of when they are shown: as they were read for the answer, or anew.

use super::fields::RowInput;
use super::record;
use context::request_context::RequestContext;
use context::stored_resource::StoredResource;
use database::Value;
use jiff::tz::TimeZone;
use model::kinds::StoredValue;
use model::types::{Property, ResourceType};
use std::sync::Arc;

/// Rows that something is calculated of.
pub(super) enum InputRows<'r> {
    /// With the values of all fields.
    Whole(Vec<Arc<Vec<StoredValue>>>),
    /// With the values alone that are taken: for each row its id, and these.
    Carried(Vec<Value>, &'r [RowInput]),
}

/// The rows as resources, one after the other: one that nobody keeps is made into the next.
pub(super) struct InputSubjects<'r> {
    rows: &'r InputRows<'r>,
    subject: Arc<StoredResource>,
}

impl<'r> InputRows<'r> {
    /// One that is at hand.
    pub(crate) fn one(values: &[StoredValue]) -> Self {
        InputRows::Whole(vec![Arc::new(values.to_vec())])
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            InputRows::Whole(rows) => rows.len(),
            InputRows::Carried(values, carried) => values.len() / (carried.len() + 1),
        }
    }

    /// As resources of their type, whose instants are shown in a zone.
    pub(super) fn subjects(
        &'r self,
        request: &RequestContext,
        of: &Arc<ResourceType>,
        zone: &TimeZone,
    ) -> InputSubjects<'r> {
        let blank: Vec<StoredValue> = match self {
            InputRows::Whole(_) => Vec::new(),
            InputRows::Carried(..) => of.fields.iter().map(record::empty).collect(),
        };
        InputSubjects { rows: self, subject: Arc::new(StoredResource::new(&request.model, of, blank, zone)) }
    }
}

impl InputSubjects<'_> {
    /// The resource of a row.
    pub(crate) fn at(&mut self, number: usize) -> &Arc<StoredResource> {
        match self.rows {
            InputRows::Whole(rows) => StoredResource::put(&mut self.subject, Arc::clone(&rows[number])),
            InputRows::Carried(values, carried) => {
                let width = carried.len() + 1;
                let positions = std::iter::once(0).chain(carried.iter().map(|carried| carried.position));
                let subject = StoredResource::values_mut(&mut self.subject);
                for (position, value) in positions.zip(&values[number * width..]) {
                    subject[position] = StoredValue::One(value.clone());
                }
            }
        }
        &self.subject
    }

    /// Gives the resource that is at hand a value, or none.
    pub(super) fn set(&mut self, property: &Property, value: Option<&StoredValue>) -> &Arc<StoredResource> {
        let value = value.cloned().unwrap_or_else(|| record::empty(property));
        StoredResource::values_mut(&mut self.subject)[property.position] = value;
        &self.subject
    }
}
