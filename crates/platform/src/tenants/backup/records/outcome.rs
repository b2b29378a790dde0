//! The findings and the outcome of a restoration of records.

use jiff::Timestamp;
use serde_json::{Value as Json, json};

/// The state of a record of the archive among those of today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordState {
    /// It does not exist today.
    Missing,
    /// It has other values today.
    Differing,
    /// It has the same values.
    Same,
}

impl RecordState {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            RecordState::Missing => "missing",
            RecordState::Differing => "differing",
            RecordState::Same => "same",
        }
    }
}

/// A property that has another value today.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyDifference {
    /// Its name.
    pub property: String,
    /// The value of today.
    pub now: Json,
    /// The value in the archive.
    pub then: Json,
}

/// A record of the archive, compared with today's.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedRecord {
    /// Its id.
    pub id: i64,
    /// Its title in the archive.
    pub title: String,
    /// Its state before anything was done.
    pub state: RecordState,
    /// The properties that differ.
    pub differences: Vec<PropertyDifference>,
    /// The parts that do not come back, in words.
    pub notes: Vec<String>,
    /// The reason for which it is as it was, where a write was refused.
    pub refused: Option<String>,
}

impl ComparedRecord {
    /// The record as it is told to programs.
    pub fn told(&self) -> Json {
        let mut told = json!({"id": self.id, "title": self.title, "state": self.state.name()});
        if !self.differences.is_empty() {
            let difference = |of: &PropertyDifference| json!({"property": of.property, "now": of.now, "then": of.then});
            told["differences"] = self.differences.iter().map(difference).collect();
        }
        if !self.notes.is_empty() {
            told["notes"] = json!(self.notes);
        }
        if let Some(reason) = &self.refused {
            told["refused"] = json!(reason);
        }
        told
    }
}

/// A property of the archive that no record gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOutProperty {
    /// Its name in the archive.
    pub name: String,
    /// The reason, as the end of a sentence.
    pub reason: &'static str,
}

/// The numbers of a restoration of records.
#[derive(Clone, Debug)]
pub struct RecordsOutcome {
    /// The tenant that has the records of today.
    pub tenant: String,
    /// The instant of the archive.
    pub made: Timestamp,
    /// The name of the type.
    pub collection: String,
    /// True if records were written.
    pub applied: bool,
    /// Records of the archive that were asked for.
    pub matching: u64,
    /// Those that did not exist.
    pub missing: u64,
    /// Those that had other values.
    pub differing: u64,
    /// Those that had the same values.
    pub same: u64,
    /// Records of today that the archive does not have: they stay. None where the condition does not fit today's type.
    pub new: Option<u64>,
    /// Records that were created again.
    pub created: u64,
    /// Records that were changed.
    pub changed: u64,
    /// Records that could not be written.
    pub refused: u64,
    /// Properties of the archive that no record gets.
    pub left_out: Vec<LeftOutProperty>,
}

impl RecordsOutcome {
    /// The outcome as it is told to programs.
    pub fn told(&self) -> Json {
        let left_out = |of: &LeftOutProperty| json!({"property": of.name, "reason": of.reason});
        json!({
            "tenant": self.tenant, "made": self.made.to_string(), "type": self.collection, "applied": self.applied,
            "matching": self.matching, "missing": self.missing, "differing": self.differing, "same": self.same,
            "new": self.new, "created": self.created, "changed": self.changed, "refused": self.refused,
            "leftOut": self.left_out.iter().map(left_out).collect::<Vec<_>>(),
        })
    }
}
