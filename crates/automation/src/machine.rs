//! Carrying runs out: from transaction to transaction, with requests to others in between.

use super::claim::ClaimedRun;
use super::run::{RunAdvance, RunStanding, advance};
use super::run_row::{step_aside, unreadable};
use super::start::State;
use super::steps::HttpAnswer;
use super::turn::TenantTurn;
use crate::made_files::KeptFiles;
use messages::outgoing::HttpRoute;
use model::error::{ErrorKind, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use tenant::Tenant;
use tenant::worker::{Place, PlaceEntry, Places, Stop, WorkerContext, WorkerTurn};

/// When to look again for a place at a host.
const SOON: Duration = Duration::from_millis(20);

/// The most tries of a transaction of a run that the database fails in, and the pause between them.
const PATIENCE: usize = 5;
const PAUSE: Duration = Duration::from_secs(1);

/// Numbers of runs by their outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Those that ended, by their last step or by one that stops.
    pub done: usize,
    /// Those that failed and are tried again.
    pub later: usize,
    /// Those that were given up.
    pub failed: usize,
}

/// Carries out all runs of a tenant that are due; gives, too, when the next is due, in milliseconds. Once it is to stop,
/// those that began end, and no others begin.
pub fn run_due<'t>(
    workers: &'t WorkerContext,
    outgoing: &'t HttpRoute,
    tenant: Arc<Tenant>,
    stop: &'t Stop,
) -> WorkerTurn<'t, (Ran, Option<i64>)> {
    Box::pin(async move {
        let mut turn = TenantTurn::new(workers, outgoing, tenant, stop);
        let next = turn.run().await?;
        Ok((turn.ran, next))
    })
}

/// The way by which runs reach other hosts: their places, and the route of requests.
#[derive(Clone)]
pub(super) struct HostAccess {
    pub(super) places: Arc<Places>,
    pub(super) route: HttpRoute,
}

/// Carries a run out as far as it goes now; gives how that ended, nothing where another node has it. `number` is kept at the
/// run's, so that its lease can be renewed.
pub(super) async fn carry_out(
    hosts: &HostAccess,
    tenant: &Arc<Tenant>,
    claimed: Arc<ClaimedRun>,
    number: &AtomicI64,
) -> Result<Option<State>> {
    let (run, automation) = (claimed.id, claimed.automation.as_str());
    let mut known = claimed.known.as_ref().map(|(_, progress)| progress.clone());
    let mut answered: Option<HttpAnswer> = None;
    let mut kept = KeptFiles::default();
    let (mut patience, mut careful) = (PATIENCE, false);
    loop {
        let advanced = {
            let (claimed, answered, kept) = (Arc::clone(&claimed), answered.clone(), kept.clone());
            let standing = known.clone().map(|progress| RunStanding { progress, answered, kept, careful });
            let clock = Arc::clone(&tenant.environment().clock);
            tenant.write_elevated(move |tx, context| match &standing {
                Some(standing) => advance(tx, context, clock.as_ref(), &claimed, standing.clone()),
                None => unreadable(tx, context, &claimed),
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
            RunAdvance::More(progress) => {
                number.store(progress.claim, Ordering::Relaxed);
                (known, kept) = (Some(progress), KeptFiles::default());
            }
            RunAdvance::Store(progress, wanted) => {
                number.store(progress.claim, Ordering::Relaxed);
                kept.store(tenant, claimed.actor, progress.position.to_string(), wanted).await?;
                known = Some(progress);
            }
            RunAdvance::Ask(progress, asked) => {
                kept = KeptFiles::default();
                number.store(progress.claim, Ordering::Relaxed);
                let place = place(&hosts.places, tenant, run, progress.claim, &asked.destination()).await?;
                let Some(place) = place else { return Ok(None) };
                let came = asked.send(&hosts.route).await;
                if came.is_answer() {
                    place.answered()
                } else {
                    drop(place)
                }
                answered = Some(came);
                known = Some(progress);
            }
            RunAdvance::Ended(state) => {
                tracing::info!(tenant = tenant.name(), run, automation, state = state.name(), "a run ended");
                return Ok(Some(state));
            }
            RunAdvance::Later(error) => {
                tracing::warn!(tenant = tenant.name(), run, automation, error, "a run failed and is tried again");
                return Ok(Some(State::Waiting));
            }
            RunAdvance::Left => return Ok(None),
        }
    }
}

/// A place at the host that a run asks. Where the host is slow, there is none: the run waits, and others go on.
async fn place(places: &Arc<Places>, tenant: &Arc<Tenant>, run: i64, claim: i64, host: &str) -> Result<Option<Place>> {
    loop {
        match places.enter(tenant.name(), host) {
            PlaceEntry::Taken(place) => return Ok(Some(place.used())),
            PlaceEntry::Full => tokio::time::sleep(SOON).await,
            PlaceEntry::Slow(pause) => {
                tenant.write_elevated(move |tx, context| step_aside(tx, context, run, claim, pause)).await?;
                return Ok(None);
            }
        }
    }
}
