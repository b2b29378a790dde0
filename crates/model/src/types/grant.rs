//! Grants of a role on a type: for each action the fields, and the rows where it is limited to some.

use super::{FieldSet, Property, ResourceAction, RowRule, searches};
use expression::Program;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Stands for all properties of the acting user.
pub const ALL_USER_PROPERTIES: &str = "*";

/// The grants of a role on a type: the fields for each action, none where the action is not granted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypeGrant {
    /// Fields that may be read, of some rows at least.
    pub show: Option<FieldSet>,
    /// Fields that may be changed, of some rows at least.
    pub edit: Option<FieldSet>,
    /// Fields that may be given at creation (as `edit` where the file is silent, D-11).
    pub create: Option<FieldSet>,
    /// True if resources may be deleted (as `edit` where the file is silent, D-11).
    pub delete: bool,
    /// By action: what limits it to some rows, or to some values; none where nothing does.
    pub rows: [Option<Arc<GrantedRows>>; 4],
}

/// The rows that an action is granted on, where that differs from row to row (D-12).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GrantedRows {
    /// The fields that are granted on every row; none where there is no such grant.
    pub always: Option<FieldSet>,
    /// The grants beyond that.
    pub some: Vec<ActionGrant>,
}

/// The grant of one role for an action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ActionGrant {
    /// The rows it is for; all where there is none.
    pub rows: Option<Arc<RowRule>>,
    /// The fields that it grants.
    pub fields: FieldSet,
    /// The condition that the row must meet once it is written.
    pub check: Option<Arc<RowRule>>,
    /// The values of properties that the body leaves out.
    pub preset: Vec<PresetValue>,
    /// True if it is for rows that the caller does not see, too.
    pub unseen: bool,
}

/// A grant as a role's file states it: for whoever wants to know where a right comes from.
#[derive(Clone, Debug)]
pub struct StatedGrant {
    /// The action that it is for.
    pub action: ResourceAction,
    /// True if the file is silent about the action, which follows `edit` then (D-11).
    pub follows: bool,
    /// The file that states it.
    pub file: String,
    /// The keys that lead to it, `types.invoice.show.0`.
    pub key: String,
    /// Its line in the file.
    pub line: usize,
    /// The grant itself.
    pub grant: ActionGrant,
}

/// The value that a grant gives a property.
#[derive(Clone, Debug)]
pub struct PresetValue {
    /// The property's position.
    pub position: usize,
    /// As it stands in the file: in wire form, or an expression.
    pub value: Json,
    /// The expression.
    pub program: Option<Arc<Program>>,
    /// The properties that it asks of who acts, by name.
    pub asks_user: BTreeSet<String>,
}

impl PresetValue {
    /// Returns whether it may read rows: what it asks of who acts beside the id, and what it looks for.
    pub fn reads_rows(&self) -> bool {
        self.searches() || self.asks_user.iter().any(|name| name != "id")
    }

    /// Returns whether it looks for rows by itself.
    pub fn searches(&self) -> bool {
        self.program.as_deref().is_some_and(searches)
    }
}

// The value says it all.
impl PartialEq for PresetValue {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && self.value == other.value
    }
}

impl Eq for PresetValue {}

impl Hash for PresetValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.position, &self.value).hash(state);
    }
}

/// The rows that may be read.
#[derive(Debug, Clone)]
pub enum ReadableRows {
    /// None.
    Nothing,
    /// All, with the same fields.
    Everything,
    /// Some, or all with fields that differ.
    Some(Arc<GrantedRows>),
}

impl ReadableRows {
    /// The rows that a grant shows.
    pub fn of(grant: &TypeGrant) -> Self {
        match (&grant.show, grant.limited(ResourceAction::Show)) {
            (None, _) => ReadableRows::Nothing,
            (Some(_), None) => ReadableRows::Everything,
            (Some(_), Some(rows)) => ReadableRows::Some(Arc::clone(rows)),
        }
    }
}

impl ActionGrant {
    /// A grant of all fields of every row, without conditions.
    pub fn everything() -> Self {
        ActionGrant { rows: None, fields: FieldSet::All, check: None, preset: Vec::new(), unseen: false }
    }

    /// Returns the condition that a row must meet once it is written; none where there is no condition.
    pub fn checked(&self) -> Option<&Arc<RowRule>> {
        self.check.as_ref().or(self.rows.as_ref())
    }
}

impl TypeGrant {
    /// Returns the rights that one grant gives for one action.
    pub fn of(action: ResourceAction, grant: ActionGrant) -> Self {
        let fields = Some(grant.fields.clone());
        let rows = GrantedRows::of(grant);
        let mut granted = TypeGrant::default();
        match action {
            ResourceAction::Show => granted.show = fields,
            ResourceAction::Edit => granted.edit = fields,
            ResourceAction::Create => granted.create = fields,
            ResourceAction::Delete => granted.delete = true,
        }
        granted.rows[action as usize] = (!rows.some.is_empty()).then(|| Arc::new(rows));
        granted
    }

    /// All actions on all fields of all rows.
    pub fn everything() -> Self {
        let all = || Some(FieldSet::All);
        TypeGrant { show: all(), edit: all(), create: all(), delete: true, ..TypeGrant::default() }
    }

    /// Adds what another role grants (D-12: grants add up).
    pub fn add(&mut self, other: &TypeGrant) {
        for action in ResourceAction::ALL {
            let limited = self.limited(action).is_some() || other.limited(action).is_some();
            if limited {
                let rows = self.rows_of(action).united(other.rows_of(action));
                self.rows[action as usize] = (!rows.some.is_empty()).then(|| Arc::new(rows));
            }
        }
        let unite = |left: &mut Option<FieldSet>, right: &Option<FieldSet>| {
            *left = match (left.take(), right) {
                (Some(left), Some(right)) => Some(left.union(right)),
                (left, right) => left.or_else(|| right.clone()),
            }
        };
        unite(&mut self.show, &other.show);
        unite(&mut self.edit, &other.edit);
        unite(&mut self.create, &other.create);
        self.delete |= other.delete;
    }

    /// Returns whether this grants, on all rows, whatever the other grants on some.
    pub fn has_all_of(&self, other: &TypeGrant) -> bool {
        let fields = |action: ResourceAction| match other.limited(action) {
            None => other.rows_of(action).always,
            Some(rows) => rows.fields(|_| true),
        };
        let held = |action: ResourceAction| {
            let own = self.rows_of(action).always;
            // What a grant gives by itself is a value that it may write, whatever its fields are.
            let mut given =
                other.limited(action).into_iter().flat_map(|rows| &rows.some).flat_map(|grant| &grant.preset);
            fields(action).is_none_or(|fields| own.as_ref().is_some_and(|own| fields.within(own)))
                && given.all(|preset| own.as_ref().is_some_and(|own| own.has(preset.position)))
        };
        // What may be changed without being seen is held by whoever sees all rows.
        let unseen = |action: ResourceAction| {
            other.limited(action).is_some_and(|rows| rows.some.iter().any(|grant| grant.unseen))
        };
        let sees = self.rows_of(ResourceAction::Show).always.is_some();
        ResourceAction::ALL.into_iter().all(|action| held(action) && (sees || !unseen(action)))
    }

    /// Returns true if every row of an answer has this field in it, provided that the grant shows the field at all.
    ///
    /// A written row may be one that no grant shows any more.
    pub fn always_shows(&self, property: &Property) -> bool {
        self.limited(ResourceAction::Show).is_none_or(|rows| match &rows.always {
            Some(fields) => fields.contains(property),
            None => {
                let reads_only = self.edit.is_none() && self.create.is_none();
                reads_only && rows.some.iter().all(|grant| grant.fields.contains(property))
            }
        })
    }

    /// Returns the limits of an action to some rows; none where nothing limits it.
    pub fn limited(&self, action: ResourceAction) -> Option<&Arc<GrantedRows>> {
        self.rows[action as usize].as_ref()
    }

    /// The expressions of the grants.
    pub fn rules(&self) -> impl Iterator<Item = &RowRule> {
        let grants = self.rows.iter().flatten().flat_map(|rows| &rows.some);
        grants.flat_map(|grant| grant.rows.iter().chain(&grant.check)).map(|rule| &**rule)
    }

    /// Returns whether a value that one of the grants gives is looked for.
    pub fn searches(&self) -> bool {
        self.presets().any(PresetValue::searches)
    }

    fn presets(&self) -> impl Iterator<Item = &PresetValue> {
        self.rows.iter().flatten().flat_map(|rows| &rows.some).flat_map(|grant| &grant.preset)
    }

    /// Returns whether one of the grants asks for the property of who acts, for its rows or for what it gives.
    pub fn asks_user(&self, name: &str) -> bool {
        let presets = self.presets();
        let mut asked = self.rules().map(|rule| &rule.asks_user).chain(presets.map(|preset| &preset.asks_user));
        asked.any(|names| names.contains(name) || names.contains(ALL_USER_PROPERTIES))
    }

    /// The rows of an action, be it limited or not.
    fn rows_of(&self, action: ResourceAction) -> GrantedRows {
        let plain = match action {
            ResourceAction::Show => self.show.clone(),
            ResourceAction::Edit => self.edit.clone(),
            ResourceAction::Create => self.create.clone(),
            ResourceAction::Delete => self.delete.then_some(FieldSet::All),
        };
        self.limited(action).map_or_else(|| GrantedRows { always: plain, some: Vec::new() }, |rows| (**rows).clone())
    }
}

impl GrantedRows {
    /// Returns the rows that one grant is for.
    pub fn of(grant: ActionGrant) -> Self {
        match grant {
            ActionGrant { rows: None, fields, check: None, preset, unseen: false } if preset.is_empty() => {
                GrantedRows { always: Some(fields), some: Vec::new() }
            }
            grant => GrantedRows { always: None, some: vec![grant] },
        }
    }

    /// Returns the grants of both; what adds nothing to what is granted on every row is left out.
    fn united(mut self, other: GrantedRows) -> Self {
        self.always = match (self.always, other.always) {
            (Some(left), Some(right)) => Some(left.union(&right)),
            (left, right) => left.or(right),
        };
        self.some.extend(other.some);
        if let Some(always) = &self.always {
            self.some.retain(|grant| grant.unseen || !grant.fields.within(always));
        }
        self
    }

    /// The same, with more fields on every row.
    pub fn and_always(&self, fields: &FieldSet) -> Self {
        self.clone().united(GrantedRows { always: Some(fields.clone()), some: Vec::new() })
    }

    /// Returns true if the action is granted on every row, be it with fewer fields.
    pub fn every(&self) -> bool {
        self.always.is_some()
    }

    /// Of which grants one must hold for the property of a row on which the action is granted; none where it needs
    /// no further one.
    pub fn guarding(&self, property: &Property) -> Option<Vec<usize>> {
        if self.always.as_ref().is_some_and(|always| always.contains(property)) {
            return None;
        }
        let named = |(index, grant): (usize, &ActionGrant)| grant.fields.contains(property).then_some(index);
        let guards: Vec<usize> = self.some.iter().enumerate().filter_map(named).collect();
        (self.every() || guards.len() < self.some.len()).then_some(guards)
    }

    /// The fields of a row for which those grants hold, by their indexes; none where the action is not granted.
    pub fn fields(&self, holding: impl Fn(usize) -> bool) -> Option<FieldSet> {
        self.with(self.always.clone(), holding)
    }

    /// The same of a row that the caller does not see: of the grants that are for such rows.
    pub fn fields_unseen(&self, holding: impl Fn(usize) -> bool) -> Option<FieldSet> {
        self.with(None, |index| self.some[index].unseen && holding(index))
    }

    fn with(&self, fields: Option<FieldSet>, holding: impl Fn(usize) -> bool) -> Option<FieldSet> {
        let held = self.some.iter().enumerate().filter(|(index, _)| holding(*index)).map(|(_, grant)| &grant.fields);
        held.fold(fields, |fields, more| Some(fields.map_or_else(|| more.clone(), |some| some.union(more))))
    }
}
