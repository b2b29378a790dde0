//! Plan of an `apply`: each step with its weight, the rows that it touches and those against it.

use super::diagnostic::Diagnostic;
use super::examine::{StepFinding, examine};
use super::identity::IssuedIds;
use super::load::{Loaded, load, load_sound};
use super::proposals::{IndexProposal, proposals};
use super::run::ModelPair;
use super::steps::{TableStep, steps};
use super::{describe, seed, stored_files};
use crate::source_files::Files;
use accounts::tags;
use database::{Store, Tx};
use expression::LanguageRules;
use jiff::Timestamp;
use model::error::{Error, Result};
use model::kinds::ValueContext;
use serde::Serialize;

/// Weight of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ChangeWeight {
    /// Done at once.
    Safe,
    /// Every row is touched.
    Slow,
    /// Values are lost.
    Loss,
}

/// One line of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Description of the change, for people.
    pub text: String,
    /// Weight of the change.
    pub weight: ChangeWeight,
    /// Rows that it finds in the tables.
    #[serde(flatten)]
    pub finding: StepFinding,
}

/// All that an `apply` would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// The files that lack ids and would get them.
    pub completed: Vec<String>,
    /// Indexes that would serve the grants of roles. They are not made unless the files have them.
    pub proposals: Vec<IndexProposal>,
    /// Diagnostics of this version against the files that are stored, which another one took; none, as a rule.
    pub refused: Vec<Diagnostic>,
    /// Expressions of the stored files that run by the rules of a former version: what is wrong with them, and what may
    /// give something else by the newest rules.
    pub stored: Vec<Diagnostic>,
}

/// Why a configuration is not applied.
#[derive(Debug)]
pub enum ApplyFailure {
    /// The files are wrong.
    Files(Vec<Diagnostic>),
    /// Existing rows do not fit it, or values would be lost without permission.
    Refused(Box<Plan>),
    /// Anything else.
    Other(Error),
}

impl Plan {
    /// Returns true if nothing would change.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns true if values would be lost.
    pub fn loses(&self) -> bool {
        self.changes.iter().any(|change| change.weight == ChangeWeight::Loss)
    }

    /// Returns true if rows stand against it.
    pub fn blocked(&self) -> bool {
        self.changes.iter().any(|change| change.finding.against.total > 0)
    }
}

/// Findings about files and a store, before anything is changed.
pub(crate) struct PreparedApply {
    pub(crate) loaded: Loaded,
    /// Configuration that the store holds now, which may lack what no table rests on.
    pub(crate) old: Option<Loaded>,
    pub steps: Vec<TableStep>,
    pub(crate) plan: Plan,
}

/// Plans: reads, and changes nothing.
pub fn plan(store: &Store, files: &Files, now: Timestamp) -> Result<Plan, ApplyFailure> {
    store.read_blocking(|tx| {
        tx.snapshot()?;
        Ok(prepare(tx, files, now)?.plan)
    })
}

/// Plans for a tenant that is still to be made.
pub fn plan_new(files: &Files) -> Result<Plan, ApplyFailure> {
    let loaded = load_sound(files, &IssuedIds::default()).map_err(ApplyFailure::Files)?;
    // A new tenant has what is built in: that is nothing that files bring.
    let bare = load(&Files::bare(&loaded.model.settings.name), &IssuedIds::default()).map_err(ApplyFailure::Files)?;
    let models = ModelPair { old: Some(&bare.model), new: &loaded.model };
    let finding = StepFinding::default();
    let steps = steps(models.old, &loaded.model);
    let texts = steps.iter().filter_map(|step| describe::step(step, &models, &finding));
    let texts = texts.chain(describe::files(None, &loaded.files));
    let users = loaded.users.iter().map(|user| format!("create user {}", user.login));
    let safe = |text| Change { text, weight: ChangeWeight::Safe, finding: StepFinding::default() };
    let tags = loaded.tags.iter().map(|tag| format!("create tag {}", tag.id));
    Ok(Plan {
        changes: texts.chain(users).chain(tags).map(safe).collect(),
        proposals: proposals(&loaded.model),
        completed: loaded.completed.into_iter().collect(),
        refused: Vec::new(),
        stored: Vec::new(),
    })
}

/// Loads the files, finds the steps and looks at the rows that they touch.
pub(crate) fn prepare(tx: &mut Tx<'_>, files: &Files, now: Timestamp) -> Result<PreparedApply, ApplyFailure> {
    let given = stored_files::given(tx)?;
    let loaded = load_sound(files, &given).map_err(ApplyFailure::Files)?;
    let (old, refused) = stored_files::former(tx)?.map(|former| (former.loaded, former.refused)).unzip();
    let models = ModelPair { old: old.as_ref().map(|old| &old.model), new: &loaded.model };
    let steps = steps(models.old, models.new);
    let context = ValueContext { zone: &loaded.model.settings.timezone, now, links: None, texts: false };
    let mut plan = Plan {
        changes: Vec::new(),
        completed: loaded.completed.iter().cloned().collect(),
        proposals: proposals(&loaded.model),
        refused: refused.unwrap_or_default(),
        stored: old.as_ref().map(stored).unwrap_or_default(),
    };
    for step in &steps {
        let finding = examine(tx, step, &models, &context)?;
        if let Some(text) = describe::step(step, &models, &finding) {
            plan.changes.push(Change { text, weight: weight(step, &models, &finding), finding });
        }
    }
    let texts = describe::files(old.as_ref().map(|old| &old.files), &loaded.files);
    let users = seed::changes(tx, &loaded, old.as_ref(), &context)?;
    let tags = tags::seed_changes(tx, &loaded.tags, old.as_ref().map(|old| old.tags.as_slice()))?;
    let safe = |text| Change { text, weight: ChangeWeight::Safe, finding: StepFinding::default() };
    let rules = old.as_ref().and_then(|old| describe::rules(old.model.rules, loaded.model.rules));
    plan.changes.extend(texts.into_iter().chain(users).chain(tags).chain(rules).map(safe));
    Ok(PreparedApply { loaded, old, steps, plan })
}

/// Returns what the plan says of expressions that are stored with the rules of a former version.
fn stored(old: &Loaded) -> Vec<Diagnostic> {
    if old.model.rules == LanguageRules::default() {
        return Vec::new();
    }
    let errors = old.findings.iter().filter(|finding| finding.is_error());
    let mut stored: Vec<_> = errors.chain(&old.differing).cloned().collect();
    stored.sort();
    stored
}

fn weight(step: &TableStep, models: &ModelPair<'_>, finding: &StepFinding) -> ChangeWeight {
    match step {
        _ if finding.lost > 0 => ChangeWeight::Loss,
        // Its resources, their ids and what refers to it go, though the files have a type of the name.
        TableStep::DropType { type_id } if models.namesake(*type_id).is_some() => ChangeWeight::Loss,
        TableStep::ConvertProperty { .. }
        | TableStep::RequireProperty { .. }
        | TableStep::AddIndex(_)
        | TableStep::BuildSearch { .. }
        | TableStep::Recalculate { .. }
            if finding.rows > 0 =>
        {
            ChangeWeight::Slow
        }
        _ => ChangeWeight::Safe,
    }
}

impl From<Error> for ApplyFailure {
    fn from(error: Error) -> Self {
        ApplyFailure::Other(error)
    }
}

impl From<database::Error> for ApplyFailure {
    fn from(error: database::Error) -> Self {
        ApplyFailure::Other(error.into())
    }
}
