//! A place where an expression stands: what exists there, of which kinds, and what is wanted of it.

use crate::catalogue::Availability;
use std::collections::HashMap;
use std::sync::Arc;

pub use crate::narrowing::Fact;
pub use values::types::{IntervalUnits, KindSet, ResourceShape, ValueKind, ValueType};

/// The names that an expression may use, and the result that it should give.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Scope {
    /// The providers that exist.
    pub available: AvailableProviders,
    /// The type of the context's resource, where it is known.
    pub context: Option<Arc<dyn ResourceShape>>,
    /// The kind of result that is wanted; [`ValueKind::Any`] takes every value.
    pub wants: ValueKind,
    /// True if the result is a yes or a no: that of a rule.
    pub decides: bool,
    /// By function (`trigger`, `appParameter`): the parameters that exist. A function without an entry takes any name.
    pub parameters: HashMap<&'static str, HashMap<String, ValueType>>,
    /// Facts that hold here, whatever the types say.
    pub facts: Vec<Fact>,
    /// True if the general evaluator computes alone, without typed nodes: the results are the same.
    pub general: bool,
}

impl Scope {
    /// A place with these providers, about whose values nothing is known.
    pub fn of(available: AvailableProviders) -> Self {
        Scope { available, ..Scope::default() }
    }

    /// The place with a resource of a type, whose properties are bare names.
    #[must_use]
    pub fn with_context(self, context: Option<Arc<dyn ResourceShape>>) -> Self {
        Scope { context, ..self }
    }

    /// The place that wants a result of a kind.
    #[must_use]
    pub fn wanting(self, wants: ValueKind) -> Self {
        Scope { wants, ..self }
    }

    /// The place whose result is a yes or a no.
    #[must_use]
    pub fn deciding(self, decides: bool) -> Self {
        Scope { decides, ..self }
    }

    /// The place where facts hold: that a property has a value, for a validation of it.
    #[must_use]
    pub fn with_facts(self, facts: Vec<Fact>) -> Self {
        Scope { facts, ..self }
    }

    /// The place where the general evaluator computes alone.
    #[must_use]
    pub fn without_typed_nodes(self) -> Self {
        Scope { general: true, ..self }
    }

    /// The place with the parameters that exist, by function.
    #[must_use]
    pub fn with_parameters(self, parameters: HashMap<&'static str, HashMap<String, ValueType>>) -> Self {
        Scope { parameters, ..self }
    }
}

/// A set of providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AvailableProviders(u16);

impl AvailableProviders {
    /// With every provider.
    pub const ALL: AvailableProviders = AvailableProviders(u16::MAX);

    /// The set with one more.
    #[must_use]
    pub fn with(self, availability: Availability) -> Self {
        AvailableProviders(self.0 | 1 << availability as u16)
    }

    /// Returns true if the provider exists; what is always there does.
    pub fn has(self, availability: Availability) -> bool {
        availability == Availability::Always || self.0 & (1 << availability as u16) != 0
    }
}
