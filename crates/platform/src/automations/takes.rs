//! Which properties the expressions of an automation may take: virtual calculations are worked out for what is taken alone.

use crate::types::Type;
use expression::Facts;
use std::collections::BTreeSet;

/// What expressions may take of resources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Takes {
    names: BTreeSet<String>,
    /// Whether they may take properties that they do not name.
    unnamed: bool,
}

impl Takes {
    /// All that there is.
    pub(crate) const ALL: Takes = Takes { names: BTreeSet::new(), unnamed: true };

    /// What another expression takes, too.
    pub(crate) fn add(&mut self, facts: &Facts) {
        self.names.extend(facts.names.iter().cloned());
        self.unnamed |= facts.unnamed;
    }

    /// What others take, too.
    pub(super) fn join(&mut self, others: &Takes) {
        self.names.extend(others.names.iter().cloned());
        self.unnamed |= others.unnamed;
    }

    /// The positions of a type's virtual calculations that may be taken. What is taken without a name, title and code, is
    /// none of them.
    pub(crate) fn virtuals(&self, of: &Type) -> Vec<usize> {
        let taken = |position: &usize| self.unnamed || self.names.contains(&of.fields[*position].name);
        of.rules().virtuals.iter().map(|rule| rule.position).filter(taken).collect()
    }
}
