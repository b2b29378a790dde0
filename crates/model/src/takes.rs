//! Properties that the expressions of an automation may take: virtual calculations are worked out for these alone.

use crate::types::Type;
use expression::Facts;
use std::collections::BTreeSet;

/// The properties of resources that expressions may take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Takes {
    names: BTreeSet<String>,
    /// True if they may take properties that they do not name.
    unnamed: bool,
}

impl Takes {
    /// All that there is.
    pub const ALL: Takes = Takes { names: BTreeSet::new(), unnamed: true };

    /// Adds the properties that another expression takes.
    pub fn add(&mut self, facts: &Facts) {
        self.names.extend(facts.names.iter().cloned());
        self.unnamed |= facts.unnamed;
    }

    /// Adds the properties that others take.
    pub fn join(&mut self, others: &Takes) {
        self.names.extend(others.names.iter().cloned());
        self.unnamed |= others.unnamed;
    }

    /// The positions of a type's virtual calculations that may be taken. What is taken without a name, title and code,
    /// is none of them.
    pub fn virtuals(&self, resource_type: &Type) -> Vec<usize> {
        let taken = |position: &usize| self.unnamed || self.names.contains(&resource_type.fields[*position].name);
        resource_type.rules().virtuals.iter().map(|rule| rule.position).filter(taken).collect()
    }
}
