//! Makes a tenant be what its files say, in one transaction.

use super::plan::{ApplyFailure, Plan, PreparedApply, prepare};
use super::recalculation;
use super::run::{ModelPair, run};
use super::seed::{self, SeededUser};
use super::steps::TableStep;
use super::stored_files;
use crate::source_files::Files;

use accounts::tags;
use context::audit;
use context::audit::{AuditEvent, EventKind, RequestChannel, RequestSource};
use context::freeze;
use context::request_context::RequestContext;
use context::tables;
use database::{Store, Tx};
use jiff::Timestamp;
use model::environment::Environment;
use model::error::{Error, ErrorKind, Result};
use model::kinds::ValueContext;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tenant::Tenant;

/// The time for which a change is tried where others read its tables for long.
const PATIENCE: Duration = Duration::from_secs(60);
/// The pause between two attempts, in which requests go on.
const PAUSE: Duration = Duration::from_secs(2);

/// Options of an apply.
#[derive(Debug, Clone, Copy)]
pub struct ApplyOptions {
    /// True if values may be lost.
    pub allow_loss: bool,
    /// True if everything is to be tried and undone.
    pub dry_run: bool,
    /// The most resources that are calculated anew at once. Readers see all of them change in one moment, and where one
    /// cannot be calculated, nothing is applied. Of more, they are left to [`super::finish_recalculation`].
    pub at_once: u64,
}

impl Default for ApplyOptions {
    fn default() -> Self {
        ApplyOptions { allow_loss: false, dry_run: false, at_once: 10_000 }
    }
}

/// Result of an apply.
#[derive(Debug)]
pub struct Applied {
    /// The plan that was carried out.
    pub plan: Plan,
    /// The files as they are stored now, with all ids.
    pub files: Files,
    /// Paths of the files that differ from those before.
    pub changed: Vec<String>,
    /// The types whose calculations are to be done anew, and whether what does not apply is to be cleared.
    pub(crate) recalculate: Vec<(i64, bool)>,
    /// Users that were made or changed.
    pub(crate) seeded: Vec<SeededUser>,
    /// True if expressions run by other rules than before.
    pub(crate) moves_rules: bool,
}

impl Applied {
    /// Writes the files that got ids back into the folder from which `before` was read; gives their paths.
    /// A file that was changed meanwhile is left alone, as an error.
    pub fn write_back(&self, folder: &Path, before: &Files) -> Result<Vec<String>> {
        let mut changed = Files::default();
        for path in &self.plan.completed {
            let there = fs::read_to_string(folder.join(path)).ok();
            if there.as_deref() != before.get(path) {
                let message = format!("{path} was changed while it was applied: run plinth pull to get its ids.");
                return Err(Error::conflict("file_changed", message));
            }
            changed.insert(path, self.files.get(path).unwrap_or_default());
        }
        changed.write(folder)?;
        Ok(self.plan.completed.clone())
    }
}

/// Applies files to a tenant, and writes into its audit log what that changed. Any failure leaves it as it was.
///
/// On PostgreSQL, a long reader of a table, such as a backup, keeps changes of it waiting, and these would keep all
/// requests waiting. So an attempt ends soon, and requests go on until the next one.
pub fn apply_to(tenant: &Tenant, files: &Files, options: ApplyOptions) -> Result<Applied, ApplyFailure> {
    let begun = Instant::now();
    loop {
        match attempt(tenant, files, options) {
            Err(ApplyFailure::Other(error)) if error.code == "busy" && error.detail.is_none() => {
                if begun.elapsed() > PATIENCE {
                    let message = "Somebody reads or writes the tenant's tables for long, such as a backup, an export or \
                                   pg_dump. Nothing was changed. Try again once that has ended.";
                    return Err(ApplyFailure::Other(Error { message: message.to_owned(), ..error }));
                }
                std::thread::sleep(PAUSE);
            }
            done => return done,
        }
    }
}

fn attempt(tenant: &Tenant, files: &Files, options: ApplyOptions) -> Result<Applied, ApplyFailure> {
    transact(tenant.store(), options, |tx| {
        let applied = apply_in(tx, tenant.environment(), files, options.allow_loss)?;
        if !applied.changed.is_empty() || applied.moves_rules {
            let mut context = tenant.elevated(tx)?;
            recalculate(tx, &context, &applied.recalculate, options.at_once)?;
            let seeded: Vec<_> = applied.seeded.iter().map(SeededUser::before).collect();
            resources::follow_users(tx, &context, &seeded)?;
            context.source = RequestSource { via: RequestChannel::Command, ..RequestSource::default() };
            let event = AuditEvent::of_none(EventKind::ConfigurationApplied).with("files", applied.changed.clone());
            audit::record(&context, event);
            seed::note(tx, &context, &applied.seeded)?;
            context.write_audit(tx)?;
        }
        Ok(applied)
    })
}

/// Calculates anew what is to be, or leaves it for later where it is much.
fn recalculate(tx: &mut Tx<'_>, context: &RequestContext, types: &[(i64, bool)], at_once: u64) -> Result<()> {
    let known = |(id, clears): &(i64, bool)| Some((context.model.type_by_id(*id)?, *clears));
    let types: Vec<_> = types.iter().filter_map(known).collect();
    let mut size = 0;
    for (of, _) in &types {
        size += recalculation::size(tx, of)?;
    }
    for (of, clears) in types {
        match size > at_once {
            true => recalculation::put_off(tx, context, of, clears)?,
            false => resources::recalculate(tx, context, of, clears).map_err(|error| named(error, of))?,
        }
    }
    Ok(())
}

/// Names the type of values that cannot be calculated.
fn named(error: Error, of: &model::types::ResourceType) -> Error {
    if error.kind != ErrorKind::Invalid {
        return error;
    }
    let message = format!("{} cannot be calculated anew, and nothing was changed: {}", of.name, error.message);
    Error { message, ..error }
}

/// Applies files to a store that is not, or not yet, served as a tenant's. Any failure leaves it as it was.
pub fn apply(
    store: &Store,
    environment: &Environment,
    files: &Files,
    options: ApplyOptions,
) -> Result<Applied, ApplyFailure> {
    transact(store, options, |tx| apply_in(tx, environment, files, options.allow_loss))
}

fn transact(
    store: &Store,
    options: ApplyOptions,
    apply: impl FnOnce(&mut Tx<'_>) -> Result<Applied, ApplyFailure>,
) -> Result<Applied, ApplyFailure> {
    let mut applied = None;
    let done = store.write_blocking(|tx| {
        applied = Some(apply(tx)?);
        if !options.dry_run {
            freeze::refuse(tx)?;
        }
        // An error is what undoes a transaction.
        if options.dry_run { Err(ApplyFailure::Other(Error::failed("dry run"))) } else { Ok(()) }
    });
    match (done, applied) {
        (Ok(()), Some(applied)) => Ok(applied),
        (Err(_), Some(applied)) if options.dry_run => Ok(applied),
        (Err(failure), _) => Err(failure),
        (Ok(()), None) => Err(ApplyFailure::Other(Error::failed("nothing was applied"))),
    }
}

/// Applies files within a transaction.
pub(crate) fn apply_in(
    tx: &mut Tx<'_>,
    environment: &Environment,
    files: &Files,
    allow_loss: bool,
) -> Result<Applied, ApplyFailure> {
    let now = environment.clock.now();
    // A write that began with the old model ends before its types change.
    tx.lock_store()?;
    tx.give_up_soon()?;
    tables::install(tx, environment.random.as_ref(), super::UPGRADES)?;
    let PreparedApply { loaded, old, steps, plan } = prepare(tx, files, now)?;
    if plan.blocked() || (plan.loses() && !allow_loss) {
        return Err(ApplyFailure::Refused(Box::new(plan)));
    }
    if plan.is_empty() {
        return Ok(Applied {
            plan,
            files: loaded.files,
            changed: Vec::new(),
            recalculate: Vec::new(),
            seeded: Vec::new(),
            moves_rules: false,
        });
    }
    let given = stored_files::given(tx)?;
    let models = ModelPair { old: old.as_ref().map(|old| &old.model), new: &loaded.model };
    let context = ValueContext { zone: &loaded.model.settings.timezone, now, links: None, texts: false };
    run(tx, &steps, &models, &context)?;
    stored_files::put_files(tx, &loaded.files)?;
    stored_files::put_rules(tx)?;
    stored_files::put_given(tx, given, models.old, models.new)?;
    let seeded = seed::put(tx, environment, &loaded, old.as_ref(), &context)?;
    automation::follow_schedules(tx, &loaded.model, now)?;
    tags::put_seeds(tx, &loaded.tags, old.as_ref().map(|old| old.tags.as_slice()), now)?;
    tx.raise_configuration()?;
    let changed = loaded.files.differing(old.as_ref().map(|old| &old.files));
    let clears = |of: i64| {
        steps.iter().any(|step| matches!(step, TableStep::ClearInapplicable { type_id, .. } if *type_id == of))
    };
    let recalculate = steps.iter().filter_map(|step| match step {
        TableStep::Recalculate { type_id } => Some((*type_id, clears(*type_id))),
        _ => None,
    });
    let recalculate = recalculate.collect();
    let moves_rules = models.old.is_some_and(|old| old.rules != models.new.rules);
    Ok(Applied { plan, files: loaded.files, changed, recalculate, seeded, moves_rules })
}

/// Applies files within a transaction on a store without rows of the tenant's: nothing of it can be lost.
pub fn apply_within(tx: &mut Tx<'_>, environment: &Environment, files: &Files) -> Result<(), ApplyFailure> {
    apply_in(tx, environment, files, true).map(drop)
}

/// Makes a new store a tenant with the built-in type alone.
pub fn create(tx: &mut Tx<'_>, name: &str, now: Timestamp) -> Result<()> {
    let files = Files::bare(name);
    let failed = |failure: ApplyFailure| match failure {
        ApplyFailure::Other(error) => error,
        ApplyFailure::Files(problems) => Error::failed(problems.first().map(ToString::to_string).unwrap_or_default()),
        ApplyFailure::Refused(_) => Error::failed("rows stand against a new tenant"),
    };
    let PreparedApply { loaded, steps, .. } = prepare(tx, &files, now).map_err(failed)?;
    let context = ValueContext { zone: &loaded.model.settings.timezone, now, links: None, texts: false };
    run(tx, &steps, &ModelPair { old: None, new: &loaded.model }, &context)?;
    stored_files::put_files(tx, &loaded.files)?;
    stored_files::put_rules(tx)?;
    stored_files::put_given(tx, super::IssuedIds::default(), None, &loaded.model)?;
    Ok(tx.raise_configuration()?)
}

/// The files that were applied, byte for byte.
pub fn pull(store: &Store) -> Result<Files> {
    store.read_blocking(stored_files::files)
}
