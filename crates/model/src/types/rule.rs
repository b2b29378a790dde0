//! Conditions on rows, as the configuration states them.

use super::RowCondition;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// An expression about a row, which is a condition in SQL.
#[derive(Debug)]
pub struct RowRule {
    /// The condition in SQL.
    pub condition: RowCondition,
    /// The file where it stands.
    pub file: String,
    /// The keys that lead to it in the file.
    pub key: String,
    /// Its line in the file.
    pub line: usize,
    /// True if it depends on the present, or on how a request came: no answer that rests on it is kept.
    pub timed: bool,
    /// True if it asks who acts.
    pub personal: bool,
    /// The properties that it asks of who acts, by name.
    pub asks_user: BTreeSet<String>,
    /// The paths along relations that it follows from the row to others.
    pub paths: Vec<Vec<String>>,
}

impl RowRule {
    /// As it stands in the file.
    pub fn text(&self) -> &str {
        &self.condition.text
    }
}

// The text says it all, for rows of one type.
impl PartialEq for RowRule {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for RowRule {}

impl Hash for RowRule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}
