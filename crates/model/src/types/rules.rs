//! Expressions that decide about a type's properties: defaults, calculations, what is required and what is valid.

use super::RowCondition;
use crate::kinds::{RelationSide, RollupFunction};
use expression::{Program, ProgramFacts, catalogue};
use std::sync::Arc;

/// The time at which a property's values are calculated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalculationTime {
    /// Whenever the resource, or what the calculation rests on, is written; the value lies in the row.
    Stored,
    /// Whenever it is shown; nothing lies in the row, though there is room for it, so that either becomes the other.
    Virtual,
}

/// The expressions of a type, each with the position of the field that it is about.
#[derive(Debug)]
pub struct TypeRules {
    /// Values of properties that are not given, in an order in which each may use those before.
    pub defaults: Vec<FieldRule>,
    /// Stored calculations, in such an order.
    pub calculations: Vec<FieldRule>,
    /// Virtual calculations, in such an order.
    pub virtuals: Vec<FieldRule>,
    /// True if the property applies to the resource at all.
    pub conditions: Vec<FieldRule>,
    /// Rollups, which sum up other resources.
    pub rollups: Vec<RollupSummary>,
    /// The positions of fields with a condition, a stored calculation or a rollup, in an order in which each rests on
    /// those before.
    pub order: Vec<usize>,
    /// For each of these, how many steps from resource to resource lie behind it: 0 where it rests on its own alone.
    pub stages: Vec<u32>,
    /// Values of other resources, or of later stages, that rest on fields of this type.
    pub watchers: Vec<FieldWatcher>,
    /// The positions of fields whose change may reach resources that refer to one, by however many steps.
    pub goes_down: Vec<usize>,
    /// True if a new resource may reach such.
    pub new_goes_down: bool,
    /// True if defaults, `required` and `validate` read rows beside the own one.
    pub read_others: bool,
    /// The types, by id, whose rows those read along relations.
    pub reads: Vec<i64>,
    /// The types, by id, whose stored values a write may change.
    pub changes: Vec<i64>,
    /// True if they look for rows that no relation leads to, as `query()` does.
    pub search: bool,
    /// True if rules of some type may find rows of this one so.
    pub sought: bool,
    /// True if there must be a value.
    pub required: Vec<FieldRule>,
    /// True if the value that there is is valid, with what is said where it is not.
    pub validations: Vec<(FieldRule, String)>,
}

/// An expression about a field.
#[derive(Debug)]
pub struct FieldRule {
    /// The field's position.
    pub position: usize,
    /// The program that is run.
    pub program: Arc<Program>,
    /// The text as the file has it.
    pub text: String,
    /// The positions of the type's own fields that it mentions.
    pub mentions: Vec<usize>,
    /// The types, by id, whose rows it reads beside its own.
    pub reads: Vec<i64>,
}

/// A rollup, with its names resolved.
#[derive(Debug)]
pub struct RollupSummary {
    /// The field's position.
    pub position: usize,
    /// The id of the type of the other resources.
    pub of: i64,
    /// On which side the relation is.
    pub side: RelationSide,
    /// The position of the relation in the type of that side.
    pub relation: usize,
    /// The function that is applied to the values.
    pub function: RollupFunction,
    /// The position of the property in the other type; none where resources are counted.
    pub property: Option<usize>,
    /// The condition for the other resources that count; all where there is none.
    pub filter: Option<RowCondition>,
    /// The same, for a resource that is in memory.
    pub program: Option<Arc<Program>>,
    /// All of it as a text, which is the same where it means the same.
    pub text: String,
}

/// Values that rest on fields of a resource and lie on another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldWatcher {
    /// The positions of the fields.
    pub changed: Vec<usize>,
    /// The way to the resources that rest on them.
    pub way: DependencyPath,
    /// Their type.
    pub type_id: i64,
    /// The stage at which they are calculated.
    pub stage: u32,
}

/// A way from a resource that changed to those that rest on it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependencyPath {
    /// It is the resource itself, whose links are summed up.
    Itself,
    /// Those that it refers to, by the position of its relation.
    Targets(usize),
    /// Those that refer to it, each step by the type that refers and the position of its relation.
    Owners(Vec<(i64, usize)>),
}

impl TypeRules {
    /// No expressions.
    pub const NONE: TypeRules = TypeRules {
        defaults: Vec::new(),
        calculations: Vec::new(),
        virtuals: Vec::new(),
        conditions: Vec::new(),
        rollups: Vec::new(),
        order: Vec::new(),
        stages: Vec::new(),
        watchers: Vec::new(),
        goes_down: Vec::new(),
        new_goes_down: false,
        read_others: false,
        reads: Vec::new(),
        changes: Vec::new(),
        search: false,
        sought: false,
        required: Vec::new(),
        validations: Vec::new(),
    };

    /// Returns true if there are none that a write has to look at.
    pub fn concern_no_write(&self) -> bool {
        self.defaults.is_empty() && self.order.is_empty() && self.required.is_empty() && self.validations.is_empty()
    }

    /// The stage at which a field is calculated.
    pub fn stage(&self, position: usize) -> u32 {
        let place = self.order.iter().position(|known| *known == position);
        place.and_then(|place| self.stages.get(place)).copied().unwrap_or(0)
    }

    /// Returns true if what is stored rests on other resources: those may change it.
    pub fn rest_on_others(&self) -> bool {
        self.stages.iter().any(|stage| *stage > 0)
    }

    /// Returns true if a new resource may change others, or what is summed up of its own links.
    pub fn watch_new(&self) -> bool {
        self.watchers.iter().any(|watcher| !matches!(watcher.way, DependencyPath::Owners(_)))
    }

    /// Returns true if a write is connected with those of other resources: it takes a turn among them.
    pub fn take_turns(&self) -> bool {
        self.are_connected() || self.sought
    }

    /// Returns true if values of a resource rest on other resources, or those of others on it.
    pub fn are_connected(&self) -> bool {
        !self.watchers.is_empty() || self.rest_on_others() || self.read_others
    }

    /// The rule among some that is about a field.
    pub fn about(rules: &[FieldRule], position: usize) -> Option<&FieldRule> {
        rules.iter().find(|rule| rule.position == position)
    }
}

/// Functions that look for rows by themselves.
const SEARCHES: [&str; 3] = ["query", "resource", "toApiArray"];

/// Returns whether a program looks for rows that no relation leads to.
pub fn searches(program: &Program) -> bool {
    program.facts().calls(&SEARCHES).is_some()
}

impl FieldRule {
    /// Returns the facts that it rests on.
    pub fn facts(&self) -> &ProgramFacts {
        self.program.facts()
    }

    /// Returns whether it may read rows beside its own.
    pub fn reads_others(&self) -> bool {
        let facts = self.facts();
        // What no path leads to may be a row.
        let vague = facts.loose || facts.whole || facts.calls(&["user"]).is_some();
        vague || searches(&self.program) || facts.paths.iter().any(|path| path.len() > 1)
    }

    /// The positions of the own fields that it takes, where it can take no others: it names them all, and calls nothing
    /// that might look at the row by itself.
    pub fn takes(&self) -> Option<&[usize]> {
        let facts = self.facts();
        let pure = |name: &&'static str| catalogue::find(name).is_some_and(|function| function.pure);
        (!facts.loose && !facts.whole && facts.functions.iter().all(pure)).then_some(&self.mentions)
    }

    /// Returns true if it takes nothing but values of its own row.
    pub fn alone(&self) -> bool {
        self.takes().is_some() && self.facts().paths.iter().all(|path| path.len() == 1)
    }
}
