//! Carrying runs out: from transaction to transaction, with requests to others in between.

use super::claim::{Claimed, claim, next};
use super::files::Kept;
use super::run::{Advance, Standing, advance};
use super::start::State;
use super::steps::Answered;
use crate::error::{ErrorKind, Result};
use crate::outgoing::HttpRoute;
use crate::tenants::{Platform, Tenant};
use crate::worker::{Line, Look};
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;

/// When to look again after another node was faster, or where an automation has to wait for its rate, in milliseconds.
const BREATH: i64 = 1_000;

/// How often a transaction of a run is tried that the database fails in, and how long is waited in between: less than a lease.
const PATIENCE: usize = 5;
const PAUSE: Duration = Duration::from_secs(1);

/// What became of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Those that ended, by their last step or by one that stops.
    pub done: usize,
    /// Those that failed and are tried again.
    pub later: usize,
    /// Those that were given up.
    pub failed: usize,
}

impl Platform {
    /// Carries out all runs that are due, of all tenants, one tenant after the other; ends when none is due any more.
    pub async fn run_due(self: &Arc<Self>) -> Result<Ran> {
        let mut all = Ran::default();
        for name in self.blocking(Self::tenants).await? {
            let (ran, _) = self.run_tenant(&name).await?;
            all.done += ran.done;
            all.later += ran.later;
            all.failed += ran.failed;
        }
        Ok(all)
    }

    /// Carries out all runs of a tenant that are due; gives, too, when the next is due, in milliseconds.
    pub(crate) async fn run_tenant(self: &Arc<Self>, name: &str) -> Result<(Ran, Option<i64>)> {
        let mut ran = Ran::default();
        let tenant = match self.look(Line::Runs, name).await? {
            Look::Later(next) => return Ok((ran, next)),
            Look::Gone => return Ok((ran, None)),
            Look::Open(tenant) => tenant,
        };
        loop {
            let next = tenant.store().read(database::Cost::Point, next).await?;
            let now = tenant.world().clock.now().as_millisecond();
            if next.is_none_or(|next| next > now) {
                return Ok((ran, next));
            }
            let claimed = match tenant.write_elevated(claim).await {
                Err(error) if error.kind == ErrorKind::Busy => Vec::new(),
                claimed => claimed?,
            };
            if claimed.is_empty() {
                return Ok((ran, Some(now + BREATH)));
            }
            let outgoing = &self.routes().outgoing;
            let runs = claimed.into_iter().map(|claimed| carry_out(&tenant, outgoing, claimed));
            for ended in join_all(runs).await {
                match ended {
                    Ok(Some(State::Done | State::Stopped)) => ran.done += 1,
                    Ok(Some(State::Failed)) => ran.failed += 1,
                    Ok(Some(State::Waiting)) => ran.later += 1,
                    Ok(Some(State::Running) | None) => {}
                    // It goes on once its lease is over; others are not held up by it.
                    Err(error) => {
                        tracing::error!(tenant = tenant.name(), %error, "a run cannot be carried out");
                        ran.later += 1;
                    }
                }
            }
        }
    }
}

/// Carries a run out as far as it goes now; gives how that ended, nothing where another node has it.
async fn carry_out(tenant: &Arc<Tenant>, outgoing: &HttpRoute, claimed: Claimed) -> Result<Option<State>> {
    let claimed = Arc::new(claimed);
    let (run, automation) = (claimed.id, claimed.automation.as_str());
    let mut known = claimed.known.as_ref().map(|(_, progress)| progress.clone());
    let mut answered: Option<Answered> = None;
    let mut kept = Kept::default();
    let (mut patience, mut careful) = (PATIENCE, false);
    loop {
        let advanced = {
            let (claimed, answered, kept) = (Arc::clone(&claimed), answered.clone(), kept.clone());
            let standing = known.clone().map(|progress| Standing { progress, answered, kept, careful });
            let clock = Arc::clone(&tenant.world().clock);
            tenant.write_elevated(move |tx, call| match &standing {
                Some(standing) => advance(tx, call, clock.as_ref(), &claimed, standing.clone()),
                None => super::run::unreadable(tx, call, &claimed),
            })
        };
        let advanced = match advanced.await {
            // What was asked and answered is not to be asked again because the database has no room for a moment.
            Err(error) if matches!(error.kind, ErrorKind::Busy | ErrorKind::Failed) && patience > 0 => {
                patience -= 1;
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            // A step failed, and took all of the transaction with it.
            Err(error) if !careful && !matches!(error.kind, ErrorKind::Busy | ErrorKind::Failed) => {
                careful = true;
                continue;
            }
            advanced => advanced?,
        };
        answered = None;
        careful = false;
        match advanced {
            Advance::More(progress) => {
                (known, kept) = (Some(progress), Kept::default());
            }
            Advance::Store(progress, wanted) => {
                kept.store(tenant, (claimed.actor, progress.position.to_string()), wanted).await?;
                known = Some(progress);
            }
            Advance::Ask(progress, asked) => {
                kept = Kept::default();
                answered = Some(asked.send(outgoing).await);
                known = Some(progress);
            }
            Advance::Ended(state) => {
                tracing::info!(tenant = tenant.name(), run, automation, state = state.name(), "a run ended");
                return Ok(Some(state));
            }
            Advance::Later(error) => {
                tracing::warn!(tenant = tenant.name(), run, automation, error, "a run failed and is tried again");
                return Ok(Some(State::Waiting));
            }
            Advance::Left => return Ok(None),
        }
    }
}
