//! The values that grants give to properties that a body leaves out, and which grants give theirs to a write.
//!
//! A check may read what a preset sets. So grants that give values are judged first, each by the row as its own values
//! alone make it. Those that hold give theirs, of several for one property the first; what comes of it is judged once
//! more, and a grant that does not hold for that gives nothing either. Where the values of one alone make no valid row,
//! it is judged with those of the others.
//!
//! A trial is undone, and its locks with it. Others may then change what it met, before the write that rests on it. Where
//! that may decide, the write runs again with the store to itself.

use super::row_rights::{RowRights, limited};
use super::rule_problems::failed_words;
use crate::expressions::{self, Parts, PlatformProviders, Reading};
use context::actor::Allowed;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, ErrorKind, Result};
use model::kinds;
use model::kinds::{StoredValue, ValueFault};
use model::types::{ActionGrant, PresetValue, Property, ResourceType};
use std::convert::Infallible;

/// The detail of what ends a trial; no answer has it.
const UNDONE: &str = "trial_undone";
/// The code of a refusal by the checks of all grants.
pub(super) const CHECK_FAILED: &str = "check_failed";
/// The detail of that where a grant gave a value and does not hold.
pub(super) const LAPSED: &str = "grant_lapsed";

/// Returns the positions of all properties to which grants may give values, whichever of them turn out to hold.
pub(super) fn positions(allowed: &Allowed<'_>) -> impl Iterator<Item = usize> {
    let grants = limited(allowed).into_iter().flat_map(|rows| &rows.some);
    grants.flat_map(|grant| &grant.preset).map(|preset| preset.position)
}

impl<'m> RowRights<'_, 'm> {
    /// Returns true if a grant gives the property its value.
    pub(super) fn gives(&self, property: &Property) -> bool {
        self.grants().any(|grant| grant.preset.iter().any(|preset| preset.position == property.position))
    }

    /// The values that grants give to properties that the body does not name; of several the first.
    pub(super) fn presets(
        &self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        reading: Reading,
        named: impl Fn(&Property) -> bool,
    ) -> Result<Vec<(&'m Property, StoredValue)>> {
        let resource_type: &'m ResourceType = self.of_type.resource_type;
        let mut values: Vec<(&Property, StoredValue)> = Vec::new();
        for preset in self.grants().flat_map(|grant| &grant.preset) {
            let property = &resource_type.fields[preset.position];
            let known = values.iter().any(|(known, _)| known.position == property.position);
            if !known && !named(property) {
                values.push((property, preset_value(tx, request, resource_type, preset, reading)?));
            }
        }
        Ok(values)
    }

    /// Keeps the grants without those that give values and do not hold. `judge` tries a write by some of the grants and
    /// tells which of them hold for what comes of it.
    pub(super) fn choose(
        &mut self,
        tx: &mut Tx<'_>,
        reading: Reading,
        mut judge: impl FnMut(&mut Tx<'_>, Self) -> Result<Vec<usize>>,
    ) -> Result<()> {
        let groups = self.judged().len();
        let (mut outcome, mut doubt);
        loop {
            doubt = false;
            outcome = self.decide(|rights| {
                let may_change = rights.may_change();
                let count = rights.held.len();
                let found = judge(tx, rights);
                doubt |= may_change(&found, count);
                found
            });
            let stands = match &outcome {
                // The write tells whether it matters.
                Ok(_) => true,
                // The refusal of one trial is that of the write: nothing comes behind it.
                Err(error) => reading == Reading::Look || !doubt || groups == 1 || !is_refusal(error),
            };
            if stands || tx.require_store()? {
                break;
            }
        }
        self.held = outcome?;
        self.trial = TrialOutcome {
            held: groups > 0 && self.held.iter().any(|index| self.is_giver(*index)),
            doubtful: doubt,
            unique: self.gives_unique(),
        };
        Ok(())
    }

    /// Returns what tells of a trial of these grants if it might end otherwise once others have written.
    fn may_change(&self) -> impl Fn(&Result<Vec<usize>>, usize) -> bool + use<> {
        let of = self.of_type.resource_type;
        let follows = self.grants().filter_map(ActionGrant::checked).any(|rule| !rule.paths.is_empty());
        let drawn = of.fields.iter().any(|property| property.kind.autonumber().is_some());
        let reads_others = follows || drawn || of.rules().read_others;
        move |found, tried| match found {
            Ok(held) => held.len() < tried && reads_others,
            Err(error) if error.kind == ErrorKind::Invalid => {
                let code = |code: &str| code.starts_with("relation_") || code == "hierarchy_circle";
                reads_others || code(error.code) || error.problems.iter().any(|problem| code(problem.code))
            }
            // The caller's rights are as the write found them.
            Err(error) => is_refusal(error) && error.kind != ErrorKind::Forbidden,
        }
    }

    /// Returns true if a grant's value counts for a unique set.
    fn gives_unique(&self) -> bool {
        let of = self.of_type.resource_type;
        let unique = |position: usize| of.unique.iter().any(|set| set.contains(&position));
        self.grants().flat_map(|grant| &grant.preset).any(|preset| unique(preset.position))
    }

    /// Returns true if a grant gives values.
    pub(super) fn is_giver(&self, index: usize) -> bool {
        limited(self.of_type).and_then(|rows| rows.some.get(index)).is_some_and(|grant| !grant.preset.is_empty())
    }

    /// Returns the grants, by their indexes, without those that give values and do not hold.
    fn decide(&self, mut judge: impl FnMut(Self) -> Result<Vec<usize>>) -> Result<Vec<usize>> {
        let groups = self.judged();
        if groups.is_empty() {
            return Ok(self.held.clone());
        }
        let givers: Vec<usize> = groups.concat();
        let others = || self.held.iter().copied().filter(|index| !givers.contains(index));
        let (mut held, mut open, mut refusal, mut giving) = (Vec::new(), Vec::new(), None, 0);
        for group in &groups {
            match judge(self.with(group.clone())) {
                Ok(found) => {
                    giving += usize::from(!found.is_empty());
                    held.extend(found);
                }
                Err(error) if is_refusal(&error) => {
                    // The others may give what makes the row whole.
                    if error.kind == ErrorKind::Invalid && groups.len() > 1 {
                        open.extend(group.iter().copied());
                    }
                    refusal = refusal.or(Some(error));
                }
                Err(error) => return Err(error),
            }
        }
        let with_others = |givers: &[usize]| {
            let mut all: Vec<usize> = others().chain(givers.iter().copied()).collect();
            all.sort_unstable();
            all
        };
        // Leaves those that hold together, down to a count of grants that need no judging.
        let mut together = |mut held: Vec<usize>, judged: usize| -> Result<Vec<usize>> {
            loop {
                let (count, still) = (held.len(), judge(self.with(with_others(&held)))?);
                held.retain(|index| still.contains(index));
                if held.len() == count || held.len() <= judged {
                    return Ok(held);
                }
            }
        };
        if !open.is_empty() {
            match together([held.as_slice(), &open].concat(), 0) {
                Ok(all) if all.iter().any(|index| open.contains(index)) => return Ok(with_others(&all)),
                Err(error) if !is_refusal(&error) => return Err(error),
                // Without them it goes as if they were not there.
                Ok(_) | Err(_) => {}
            }
        }
        if giving > 1 {
            // One by itself was judged as it is to be.
            held = together(held, 1)?;
        }
        match refusal {
            Some(error) if held.is_empty() && others().next().is_none() && !self.always() => Err(error),
            _ => Ok(with_others(&held)),
        }
    }

    /// Locks what values of grants read of other rows, where grants are judged first: a trial lets go of its own locks.
    pub(super) fn hold(&self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<()> {
        let (of, quiet) = (self.of_type, request.quietly());
        for index in self.judged().concat() {
            let presets = limited(of).and_then(|rows| rows.some.get(index)).map_or(&[][..], |grant| &grant.preset);
            for preset in presets.iter().filter(|preset| preset.reads_rows()) {
                match preset_value(tx, &quiet, of.resource_type, preset, Reading::Hold) {
                    // Whether the value is needed is not known yet.
                    Err(error) if !is_refusal(&error) => return Err(error),
                    Ok(_) | Err(_) => {}
                }
            }
        }
        Ok(())
    }

    /// The grants that are to be judged before they give values, as [`Self::givers`] tells them.
    fn judged(&self) -> Vec<Vec<usize>> {
        let groups = self.givers();
        let alone = groups.len() == 1 && groups[0].len() == self.held.len() && !self.always();
        // Either the grants hold that give the values, or nothing is granted.
        if alone { Vec::new() } else { groups }
    }

    /// The grants that give values, by their indexes; those that give the same together.
    fn givers(&self) -> Vec<Vec<usize>> {
        let Some(rows) = limited(self.of_type) else { return Vec::new() };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for index in self.held.iter().copied().filter(|index| !rows.some[*index].preset.is_empty()) {
            let preset = &rows.some[index].preset;
            match groups.iter_mut().find(|group| rows.some[group[0]].preset == *preset) {
                Some(group) => group.push(index),
                None => groups.push(vec![index]),
            }
        }
        groups
    }
}

/// The outcome of a write's trials.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrialOutcome {
    /// True if a grant that gives values held.
    held: bool,
    /// True if another one did not, for what others may change.
    doubtful: bool,
    /// True if a grant's value counts for a unique set.
    unique: bool,
}

impl TrialOutcome {
    /// Returns true if a grant that gives values held when it was tried.
    pub(super) fn has_held(self) -> bool {
        self.held
    }

    /// Returns the outcome of the write behind the trials. Where it contradicts them, or rests on one that may end
    /// otherwise by now, others wrote in between: then the write runs again with the store to itself.
    pub(super) fn confirm<T>(self, tx: &mut Tx<'_>, outcome: Result<T>) -> Result<T> {
        let stands = match &outcome {
            Ok(_) => !self.doubtful,
            Err(error) if !is_refusal(error) => true,
            Err(error) if error.kind == ErrorKind::Conflict => !self.unique,
            // The checks of other grants were not tried.
            Err(error) if error.code == CHECK_FAILED => !self.doubtful && error.detail.as_deref() != Some(LAPSED),
            Err(_) => !self.held && !self.doubtful,
        };
        if stands || tx.require_store()? { outcome } else { Err(database::Error::Busy.into()) }
    }
}

/// Writes to see what comes of it, and undoes that: gives what is told of it. It is no event, and nothing to write
/// down.
pub(super) fn trial<T>(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    write: impl FnOnce(&mut Tx<'_>, &RequestContext) -> Result<T>,
) -> Result<T> {
    let (quiet, noted) = (request.quietly(), request.audit.count());
    let outcome = undone(tx, |tx| write(tx, &quiet));
    request.audit.forget(noted);
    outcome
}

/// Writes and undoes that; fails where either does.
fn undone<T>(tx: &mut Tx<'_>, write: impl FnOnce(&mut Tx<'_>) -> Result<T>) -> Result<T> {
    let mut told = None;
    let Err(error) = tx.savepoint(|tx| -> Result<Infallible> {
        told = Some(write(tx)?);
        Err(Error::failed(UNDONE))
    });
    // Any other error is one of the write, or of the undoing: then the transaction holds what was tried still.
    told.filter(|_| error.detail.as_deref() == Some(UNDONE)).ok_or(error)
}

/// Returns true if an error is what a caller is answered, of what it gave.
fn is_refusal(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::Invalid | ErrorKind::Conflict | ErrorKind::Forbidden | ErrorKind::Missing)
}

/// The value of a preset. Where it is to be written, what it reads of other rows is locked.
fn preset_value(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &ResourceType,
    preset: &PresetValue,
    reading: Reading,
) -> Result<StoredValue> {
    let (property, context) = (&of.fields[preset.position], request.value_context());
    let value = match &preset.program {
        None => kinds::accept(property.kind.as_ref(), &preset.value, &context),
        Some(program) => {
            let providers = PlatformProviders::new(tx, request, Reading::Look, Parts::CONFIGURATION);
            let providers = if reading == Reading::Hold { providers.holding(of) } else { providers };
            let value = expressions::evaluate(&providers, program, expression::Value::Null)?;
            let words = |mistake: &expression::Diagnostic| failed_words("cannot be preset", mistake);
            let fault = |mistake: expression::Diagnostic| ValueFault::new(mistake.code, words(&mistake));
            value.map_err(fault).and_then(|value| expressions::accept(property, &value, &context, &providers))
        }
    };
    value.map_err(|fault| Error::problems(vec![fault.of(&property.name, &property.title)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use database::{Database, PostgresOptions, SqliteOptions};

    #[test]
    fn a_trial_that_cannot_be_undone_is_not_told() {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions { folder: folder.path().to_path_buf(), readers: 1, descriptors: 32 };
        let url = testing::postgres().database();
        for database in [
            Database::sqlite(options),
            Database::postgres(PostgresOptions { url, connections: 2, ..Default::default() }),
        ] {
            let store = database.unwrap().create("acme").unwrap();
            let told = store.write_blocking(|tx| undone(tx, |_| Ok(7)));
            assert_eq!(told.unwrap(), 7);
            // Without its savepoint nothing is there to go back to.
            let told = store.write_blocking(|tx| {
                undone(tx, |tx| {
                    let mut sql = tx.sql();
                    sql.push("RELEASE SAVEPOINT attempt");
                    tx.execute(&sql)?;
                    Ok(7)
                })
            });
            assert_ne!(told.unwrap_err().detail.as_deref(), Some(UNDONE));
        }
    }
}
