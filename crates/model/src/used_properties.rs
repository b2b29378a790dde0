//! Properties that the expressions of an automation may take: virtual calculations are worked out for these alone.

use crate::types::ResourceType;
use expression::ProgramFacts;
use std::collections::BTreeSet;

/// The properties of resources that expressions may take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UsedProperties {
    names: BTreeSet<String>,
    /// True if they may take properties that they do not name.
    unnamed: bool,
}

impl UsedProperties {
    /// All that there is.
    pub const ALL: UsedProperties = UsedProperties { names: BTreeSet::new(), unnamed: true };

    /// Adds the properties that another expression takes.
    pub fn add(&mut self, facts: &ProgramFacts) {
        self.names.extend(facts.names.iter().cloned());
        self.unnamed |= facts.unnamed;
    }

    /// Adds the properties that others take.
    pub fn join(&mut self, others: &UsedProperties) {
        self.names.extend(others.names.iter().cloned());
        self.unnamed |= others.unnamed;
    }

    /// The positions of a type's virtual calculations that may be taken. What is taken without a name, title and code,
    /// is none of them.
    pub fn virtuals(&self, resource_type: &ResourceType) -> Vec<usize> {
        let taken = |position: &usize| self.unnamed || self.names.contains(&resource_type.fields[*position].name);
        resource_type.rules().virtuals.iter().map(|rule| rule.position).filter(taken).collect()
    }
}
