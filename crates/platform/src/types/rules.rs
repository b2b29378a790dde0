//! What expressions decide about a type's properties: defaults, calculations, what is required and what is valid.

use expression::{Facts, Program};
use std::sync::Arc;

/// How a property's values are calculated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calculated {
    /// Whenever the resource, or what the calculation rests on, is written; the value lies in the row.
    Stored,
    /// Whenever it is shown; nothing lies in the row, though there is room for it, so that either becomes the other.
    Virtual,
}

/// The expressions of a type, each with the position of the field that it is about.
#[derive(Debug)]
pub struct Rules {
    /// Values of properties that are not given, in an order in which each may use those before.
    pub defaults: Vec<Rule>,
    /// Stored calculations, in such an order.
    pub calculations: Vec<Rule>,
    /// Virtual calculations, in such an order.
    pub virtuals: Vec<Rule>,
    /// Whether the property applies to the resource at all.
    pub conditions: Vec<Rule>,
    /// The positions of fields with a condition or a stored calculation, in an order in which each rests on those before.
    pub order: Vec<usize>,
    /// Whether there must be a value.
    pub required: Vec<Rule>,
    /// Whether the value that there is is valid, with what is said where it is not.
    pub validations: Vec<(Rule, String)>,
}

/// An expression about a field.
#[derive(Debug)]
pub struct Rule {
    /// The field's position.
    pub position: usize,
    /// What is run.
    pub program: Arc<Program>,
    /// The text as the file has it.
    pub text: String,
    /// The positions of the type's own fields that it mentions.
    pub mentions: Vec<usize>,
    /// The types, by id, whose rows it reads beside its own.
    pub reads: Vec<i64>,
}

impl Rules {
    /// No expressions.
    pub(crate) const NONE: Rules = Rules {
        defaults: Vec::new(),
        calculations: Vec::new(),
        virtuals: Vec::new(),
        conditions: Vec::new(),
        order: Vec::new(),
        required: Vec::new(),
        validations: Vec::new(),
    };

    /// Whether there are none that a write has to look at.
    pub fn concern_no_write(&self) -> bool {
        self.defaults.is_empty() && self.order.is_empty() && self.required.is_empty() && self.validations.is_empty()
    }

    /// The rule among some that is about a field.
    pub fn about(rules: &[Rule], position: usize) -> Option<&Rule> {
        rules.iter().find(|rule| rule.position == position)
    }
}

impl Rule {
    /// What it rests on.
    pub fn facts(&self) -> &Facts {
        self.program.facts()
    }
}
