//! What a role grants on a type: for each action the fields, and where it is so on which rows.

use super::{Action, Fields, Property, RowRule};
use expression::Program;
use serde_json::Value as Json;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What a role grants on a type: the fields for each action, none where the action is not granted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypeGrant {
    /// Fields that may be read, of some rows at least.
    pub show: Option<Fields>,
    /// Fields that may be changed, of some rows at least.
    pub edit: Option<Fields>,
    /// Fields that may be given at creation (as `edit` where the file is silent, D-11).
    pub create: Option<Fields>,
    /// Whether resources may be deleted (as `edit` where the file is silent, D-11).
    pub delete: bool,
    /// By action: what limits it to some rows, or to some values; none where nothing does.
    pub(crate) rows: [Option<Arc<Rows>>; 4],
}

/// The rows that an action is granted on, where that differs from row to row (D-12).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Rows {
    /// The fields that are granted on every row; none where there is no such grant.
    pub(crate) always: Option<Fields>,
    /// What is granted beyond that.
    pub(crate) some: Vec<Grant>,
}

/// What one role grants for an action.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Grant {
    /// The rows it is for; all where there is none.
    pub(crate) rows: Option<Arc<RowRule>>,
    pub(crate) fields: Fields,
    /// What must hold for the row once it is written.
    pub(crate) check: Option<Arc<RowRule>>,
    /// The values of properties that the body leaves out.
    pub(crate) preset: Vec<Preset>,
}

/// A grant as a role's file states it: for whoever wants to know where a right comes from.
#[derive(Clone, Debug)]
pub(crate) struct Stated {
    pub(crate) action: Action,
    /// Whether the file is silent about the action, which follows `edit` then (D-11).
    pub(crate) follows: bool,
    pub(crate) file: String,
    /// The keys that lead to it, `types.invoice.show.0`.
    pub(crate) key: String,
    pub(crate) line: usize,
    pub(crate) grant: Grant,
}

/// The value that a grant gives a property.
#[derive(Clone, Debug)]
pub(crate) struct Preset {
    /// The property's position.
    pub(crate) position: usize,
    /// As it stands in the file: in wire form, or an expression.
    pub(crate) value: Json,
    /// The expression.
    pub(crate) program: Option<Arc<Program>>,
}

// The value says it all.
impl PartialEq for Preset {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position && self.value == other.value
    }
}

impl Eq for Preset {}

impl Hash for Preset {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.position, &self.value).hash(state);
    }
}

impl Grant {
    /// What must hold for a row once it is written; nothing where there is none.
    pub(crate) fn checked(&self) -> Option<&Arc<RowRule>> {
        self.check.as_ref().or(self.rows.as_ref())
    }
}

impl TypeGrant {
    /// What one grant is for, for one action.
    pub(crate) fn of(action: Action, grant: Grant) -> Self {
        let fields = Some(grant.fields.clone());
        let rows = Rows::of(grant);
        let mut granted = TypeGrant::default();
        match action {
            Action::Show => granted.show = fields,
            Action::Edit => granted.edit = fields,
            Action::Create => granted.create = fields,
            Action::Delete => granted.delete = true,
        }
        granted.rows[action as usize] = (!rows.some.is_empty()).then(|| Arc::new(rows));
        granted
    }

    /// All actions on all fields of all rows.
    pub fn everything() -> Self {
        let all = || Some(Fields::All);
        TypeGrant { show: all(), edit: all(), create: all(), delete: true, ..TypeGrant::default() }
    }

    /// Adds what another role grants (D-12: grants add up).
    pub fn add(&mut self, other: &TypeGrant) {
        for action in Action::ALL {
            let limited = self.limited(action).is_some() || other.limited(action).is_some();
            if limited {
                let rows = self.rows_of(action).united(other.rows_of(action));
                self.rows[action as usize] = (!rows.some.is_empty()).then(|| Arc::new(rows));
            }
        }
        let unite = |left: &mut Option<Fields>, right: &Option<Fields>| {
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

    /// What limits an action to some rows; none where nothing does.
    pub(crate) fn limited(&self, action: Action) -> Option<&Arc<Rows>> {
        self.rows[action as usize].as_ref()
    }

    /// The expressions of the grants.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &RowRule> {
        let grants = self.rows.iter().flatten().flat_map(|rows| &rows.some);
        grants.flat_map(|grant| grant.rows.iter().chain(&grant.check)).map(|rule| &**rule)
    }

    /// The rows of an action, be it limited or not.
    fn rows_of(&self, action: Action) -> Rows {
        let plain = match action {
            Action::Show => self.show.clone(),
            Action::Edit => self.edit.clone(),
            Action::Create => self.create.clone(),
            Action::Delete => self.delete.then_some(Fields::All),
        };
        self.limited(action).map_or_else(|| Rows { always: plain, some: Vec::new() }, |rows| (**rows).clone())
    }
}

impl Rows {
    /// What one grant is for.
    pub(crate) fn of(grant: Grant) -> Self {
        match grant {
            Grant { rows: None, fields, check: None, preset } if preset.is_empty() => {
                Rows { always: Some(fields), some: Vec::new() }
            }
            grant => Rows { always: None, some: vec![grant] },
        }
    }

    /// What both grant; what adds nothing to what is granted on every row is left out.
    fn united(mut self, other: Rows) -> Self {
        self.always = match (self.always, other.always) {
            (Some(left), Some(right)) => Some(left.union(&right)),
            (left, right) => left.or(right),
        };
        self.some.extend(other.some);
        if let Some(always) = &self.always {
            self.some.retain(|grant| !grant.fields.within(always));
        }
        self
    }

    /// The same, with more fields on every row.
    pub(crate) fn and_always(&self, fields: &Fields) -> Self {
        self.clone().united(Rows { always: Some(fields.clone()), some: Vec::new() })
    }

    /// Whether the action is granted on every row, be it with fewer fields.
    pub(crate) fn every(&self) -> bool {
        self.always.is_some()
    }

    /// Of which grants one must hold for the property of a row on which the action is granted; none where it needs
    /// no further one.
    pub(crate) fn guarding(&self, property: &Property) -> Option<Vec<usize>> {
        if self.always.as_ref().is_some_and(|always| always.contains(property)) {
            return None;
        }
        let named = |(index, grant): (usize, &Grant)| grant.fields.contains(property).then_some(index);
        let guards: Vec<usize> = self.some.iter().enumerate().filter_map(named).collect();
        (self.every() || guards.len() < self.some.len()).then_some(guards)
    }

    /// The fields of a row for which those grants hold, by their indexes; none where the action is not granted.
    pub(crate) fn fields(&self, holding: impl Fn(usize) -> bool) -> Option<Fields> {
        let held = self.some.iter().enumerate().filter(|(index, _)| holding(*index)).map(|(_, grant)| &grant.fields);
        held.fold(self.always.clone(), |fields, more| {
            Some(fields.map_or_else(|| more.clone(), |some| some.union(more)))
        })
    }
}
