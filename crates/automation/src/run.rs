//! A run within one transaction: some steps, what they gave, and the note of how far it is then.

use super::claim::ClaimedRun;
use super::position::{BlockWay, StepHere};
use super::progress::RunProgress;
use super::record::{self, StepEntry};
use super::start::State;
use super::steps::{self, HttpAnswer, HttpCall, StepOutcome, StepScene};
use super::{Trigger, run_row, run_values, virtual_values};
use crate::made_files::{KeptFiles, WantedFile};
use context::audit::{RequestChannel, RequestSource};
use context::request_context::RequestContext;
use context::vault::KeyPurpose;
use database::{Sql, Tx, Value};
use model::automation::{Automation, AutomationStep};
use model::environment::Clock;
use model::error::{Error, ErrorKind, Result};
use model::table_names::RUN;
use tenant::worker::{LEASE, TRIES, pause};

/// The most steps on the database that go into one transaction.
const TOGETHER: usize = 25;

/// Why a run cannot go on that was begun with other steps.
const CHANGED: &str = "Completed steps of the run were changed, so it cannot continue. Retry it from the start.";

/// Outcome of a transaction of a run.
#[derive(Debug)]
pub(super) enum RunAdvance {
    /// There is more to do.
    More(RunProgress),
    /// Somebody else has to be asked, outside of any transaction.
    Ask(RunProgress, Box<HttpCall>),
    /// Files have to be stored, outside of any transaction.
    Store(RunProgress, WantedFile),
    /// It has ended, like this.
    Ended(State),
    /// A step failed, and is tried again later.
    Later(String),
    /// It is not this node's any more, or the automation was switched off.
    Left,
}

/// State that a transaction of a run begins with.
#[derive(Clone)]
pub(super) struct RunStanding {
    pub(super) progress: RunProgress,
    /// The answer to the request that was sent.
    pub(super) answered: Option<HttpAnswer>,
    pub(super) kept: KeptFiles,
    /// True if a step that fails is undone alone, and the run told of it. Else all of the transaction is, and its
    /// caller asks again with care: few steps fail, and all would pay for it.
    pub(super) careful: bool,
}

/// Goes on with a run that this node has, from where it stands.
pub(super) fn advance(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    clock: &dyn Clock,
    claimed: &ClaimedRun,
    standing: RunStanding,
) -> Result<RunAdvance> {
    let RunStanding { progress, answered, kept, careful } = standing;
    let run = RunExecution { claimed, clock, progress, kept, careful, entries: Vec::new() };
    if !run_row::hold(tx, claimed.id, run.progress.claim)? {
        return Ok(RunAdvance::Left);
    }
    let automations = &context.model.automations;
    let Some(automation) = automations.named(&claimed.automation) else {
        return run_row::fail(tx, context, claimed.id, "The automation does not exist any more.");
    };
    if automations.is_disabled(&automation.name) {
        return run_row::release(tx, context, claimed.id);
    }
    if run.progress.tries > TRIES {
        return run_row::fail(tx, context, claimed.id, "The process ended during every attempt of the run.");
    }
    let Some((trigger, _)) = &claimed.known else { return run_row::unreadable(tx, context, claimed) };
    if !trigger.caused_by(&automation.on, &context.model) {
        return run_row::fail(
            tx,
            context,
            claimed.id,
            "The automation was changed: it has another trigger than the run.",
        );
    }
    let position = &run.progress.position;
    if !position.is_start() && position.passed(&automation.steps) != Some(run.progress.passed) {
        return run_row::fail(tx, context, claimed.id, CHANGED);
    }
    let source = RequestSource { via: RequestChannel::Automation, ..RequestSource::default() };
    let acting = context.elevated(claimed.actor).come_from(source).within_runs(claimed.depth);
    run.carry_out(tx, &acting, automation, trigger, answered)
}

struct RunExecution<'c> {
    claimed: &'c ClaimedRun,
    clock: &'c dyn Clock,
    progress: RunProgress,
    kept: KeptFiles,
    careful: bool,
    entries: Vec<StepEntry>,
}

impl RunExecution<'_> {
    fn carry_out(
        mut self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        automation: &Automation,
        trigger: &Trigger,
        mut answered: Option<HttpAnswer>,
    ) -> Result<RunAdvance> {
        let completed = virtual_values::with_run(tx, context, &automation.takes, trigger)?;
        let trigger = completed.as_ref().unwrap_or(trigger);
        let mut done = 0;
        while done < TOGETHER {
            let step = match self.progress.position.here(&automation.steps) {
                StepHere::Step(step) => step,
                StepHere::BlockEnd => {
                    self.leave(tx, automation)?;
                    continue;
                }
                StepHere::End => return self.end(tx, context, automation, State::Done),
                StepHere::Nowhere => {
                    return run_row::fail(tx, context, self.claimed.id, "The automation has no such step any more.");
                }
            };
            done += 1;
            let started = self.clock.now().as_millisecond();
            let scene = StepScene {
                context,
                trigger,
                run: self.claimed.identity(),
                kept: &self.kept,
                query: step.query.as_ref(),
                takes: &automation.takes,
            };
            let outcome = self.step(tx, &scene, step, answered.take());
            let time = (started, self.clock.now().as_millisecond());
            match outcome {
                Ok((StepOutcome::Ask(asked), progress)) => {
                    self.progress = progress;
                    self.go_on(tx, context, automation)?;
                    return Ok(RunAdvance::Ask(self.progress, asked));
                }
                Ok((StepOutcome::Store(wanted), _)) => {
                    self.go_on(tx, context, automation)?;
                    return Ok(RunAdvance::Store(self.progress, wanted));
                }
                Ok((done, progress)) => {
                    self.note(step, Ok(done.result().clone()), time);
                    self.progress = RunProgress { steps: progress.steps + 1, tries: 0, ..progress };
                    match done {
                        StepOutcome::Into(way, _) => self.progress.position.enter(way),
                        _ => self.progress.position.next(),
                    }
                    if let StepOutcome::Stop(_) = done {
                        return self.end(tx, context, automation, State::Stopped);
                    }
                }
                Err(error) if !self.careful => return Err(error),
                // The database failed, and not the step: the run goes on when its lease is over.
                Err(error) if matches!(error.kind, ErrorKind::Failed | ErrorKind::Busy) => return Err(error),
                Err(error) => {
                    self.note(step, Err(error.message.clone()), time);
                    return self.put_off(tx, context, automation, &error.message);
                }
            }
        }
        self.go_on(tx, context, automation)?;
        Ok(RunAdvance::More(self.progress))
    }

    /// Does a step; where it fails, nothing of it is done.
    fn step(
        &self,
        tx: &mut Tx<'_>,
        scene: &StepScene<'_>,
        step: &AutomationStep,
        answered: Option<HttpAnswer>,
    ) -> Result<(StepOutcome, RunProgress)> {
        let noted = scene.context.audit.count();
        let mut wanted = None;
        let attempt = |tx: &mut Tx<'_>| {
            let mut progress = self.progress.clone();
            let done = steps::carry_out(tx, scene, step, &mut progress, answered)?;
            if let StepOutcome::Store(files) = done {
                wanted = Some(files);
                // What expressions did on the way is done again with the step.
                return Err(Error::invalid("files_wanted", "Files have to be stored first."));
            }
            Ok::<_, Error>((done, progress))
        };
        let done = if self.careful { tx.savepoint(attempt) } else { return attempt(tx) };
        if done.is_err() {
            // What was undone is nothing to write down.
            scene.context.audit.forget(noted);
        }
        if let Some(wanted) = wanted {
            return Ok((StepOutcome::Store(wanted), self.progress.clone()));
        }
        done
    }

    /// Goes on behind a block, or with the next member of the list.
    fn leave(&mut self, tx: &mut Tx<'_>, automation: &Automation) -> Result<()> {
        let left = self.progress.position.leave();
        let Some(BlockWay::Item(item)) = left else {
            self.progress.position.next();
            return Ok(());
        };
        let next = self.progress.lists.last().and_then(|list| list.get(item + 1)).cloned();
        match (next, self.progress.position.here(&automation.steps)) {
            (Some(next), StepHere::Step(AutomationStep { action: model::automation::StepAction::Each(each), .. })) => {
                self.progress.memory.put_variable(&each.variable, next);
                self.progress.position.enter(BlockWay::Item(item + 1));
            }
            _ => {
                self.progress.lists.pop();
                run_values::forget_lists(tx, self.claimed.id, self.progress.lists.len())?;
                self.progress.position.next();
            }
        }
        Ok(())
    }

    fn note(&mut self, step: &AutomationStep, outcome: Result<serde_json::Value, String>, time: (i64, i64)) {
        if outcome.is_err() || self.progress.steps < record::MOST {
            let position = self.progress.position.to_string();
            let entry = StepEntry { position, kind: step.word, name: step.name.clone(), outcome, time };
            self.entries.push(entry);
        }
    }

    /// Writes down how far it is, and `more` about it, in one statement that goes with the commit.
    fn save(
        &mut self,
        tx: &mut Tx<'_>,
        automation: &Automation,
        more: impl FnOnce(&mut Sql, &RunProgress),
    ) -> Result<()> {
        record::write(tx, self.claimed.id, std::mem::take(&mut self.entries))?;
        self.progress.passed = self.progress.position.passed(&automation.steps).unwrap_or_default();
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&RUN).push(" SET position = ").bind(self.progress.position.to_string());
        sql.push(", steps = ").bind(self.progress.steps).push(", tries = ").bind(self.progress.tries);
        sql.push(", version = ").bind(self.progress.passed.cast_signed());
        more(&mut sql, &self.progress);
        sql.push(" WHERE id = ").bind(self.claimed.id);
        Ok(tx.defer(sql)?)
    }

    /// It goes on in another transaction, with the next number.
    fn go_on(&mut self, tx: &mut Tx<'_>, context: &RequestContext, automation: &Automation) -> Result<()> {
        // What was committed without a word is not done again.
        self.progress.claim += 1;
        let (sealed, lease) = (self.sealed(tx, context)?, context.now.as_millisecond() + LEASE);
        self.save(tx, automation, |sql, progress| {
            sql.push(", content = ").bind(sealed).push(", due = ").bind(Value::Timestamp(lease));
            sql.push(", claim = ").bind(progress.claim);
        })
    }

    /// Returns its values, sealed to be kept: large values apart, where they are new.
    fn sealed(&mut self, tx: &mut Tx<'_>, context: &RequestContext) -> Result<Value> {
        self.progress.memory.keep_apart(tx, context, self.claimed.identity())?;
        let bound = self.claimed.identifier.as_bytes();
        let sealed = context.vault()?.seal(KeyPurpose::Run, bound, &self.progress.encode(), context.random.as_ref());
        Ok(Value::Bytes(sealed))
    }

    /// It has ended: nothing is left of what it knew.
    fn end(
        mut self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        automation: &Automation,
        state: State,
    ) -> Result<RunAdvance> {
        if !self.progress.lists.is_empty() || self.progress.memory.is_apart() {
            run_values::forget_all(tx, self.claimed.id)?;
        }
        let now = context.now.as_millisecond();
        self.save(tx, automation, |sql, _| {
            sql.push(", state = ").bind(state.name()).push(", content = NULL, due = NULL, error = NULL, ended = ");
            sql.bind(Value::Timestamp(now));
        })?;
        Ok(RunAdvance::Ended(state))
    }

    /// A step failed: it is tried again, or given up.
    fn put_off(
        mut self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        automation: &Automation,
        error: &str,
    ) -> Result<RunAdvance> {
        self.progress.tries = self.progress.tries.max(1);
        let (tries, now) = (self.progress.tries, context.now.as_millisecond());
        let sealed = self.sealed(tx, context)?;
        let last = tries >= TRIES;
        self.save(tx, automation, |sql, _| {
            sql.push(", content = ").bind(sealed).push(", error = ").bind(record::cut(error)).push(", state = ");
            if last {
                // Its variables are kept: see `run_row::fail`.
                sql.bind(State::Failed.name()).push(", due = NULL, ended = ").bind(Value::Timestamp(now));
            } else {
                let due = now + pause(tries, context.random.as_ref());
                sql.bind(State::Waiting.name()).push(", due = ").bind(Value::Timestamp(due));
            }
        })?;
        Ok(if last { RunAdvance::Ended(State::Failed) } else { RunAdvance::Later(error.to_owned()) })
    }
}
