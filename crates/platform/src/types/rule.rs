//! What must hold for a row, as the configuration says it.

use crate::resources::pushdown;
use std::hash::{Hash, Hasher};

/// An expression about a row, which is a condition in SQL.
#[derive(Debug)]
pub struct Rule {
    /// What it becomes.
    pub(crate) condition: pushdown::Rule,
    /// Where it stands.
    pub(crate) file: String,
    pub(crate) key: String,
    pub(crate) line: usize,
    /// Whether it depends on the present, or on how a request came: no answer that rests on it is kept.
    pub(crate) timed: bool,
    /// Whether it asks who acts.
    pub(crate) personal: bool,
}

impl Rule {
    /// As it stands in the file.
    pub(crate) fn text(&self) -> &str {
        self.condition.text()
    }
}

// The text says it all, for rows of one type.
impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Rule {}

impl Hash for Rule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}
