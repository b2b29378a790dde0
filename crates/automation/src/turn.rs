//! A tenant's turn: the runs that are carried out for it, and those that are claimed as places get free.

use super::claim::{ClaimedRun, RunRoom, claim, next};
use super::machine::{HostAccess, Ran, carry_out};
use super::run_row::renew;
use super::start::State;
use super::traced_run::carry_out_traced;
use database::ReadCost;
use messages::outgoing::HttpRoute;
use model::error::{ErrorKind, Result};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};
use tenant::Tenant;
use tenant::worker::{Parked, RENEWAL, SLOW, Stop, WorkerContext};
use tokio::sync::Notify;
use tokio::task::{Id, JoinError, JoinSet};

/// When to look again after another node was faster, or where an automation has to wait for its rate, in milliseconds.
const BREATH: i64 = 1_000;

/// The time for which is waited for others that end before more is claimed.
const GATHER: Duration = Duration::from_millis(3);

/// The runs that are carried out for a tenant.
pub(super) struct TenantTurn {
    pub(super) ran: Ran,
    workers: WorkerContext,
    hosts: HostAccess,
    tenant: Arc<Tenant>,
    running: JoinSet<Result<Option<State>>>,
    begun: HashMap<Id, BegunRun>,
    /// True if more may be due than was claimed.
    more: bool,
    /// True if it was waited for others that end before more is claimed.
    gathered: bool,
    renewed: Instant,
    raised: Arc<Notify>,
    parked: Parked,
    stop: Stop,
}

/// A run under way.
struct BegunRun {
    run: i64,
    /// The number at which it stands.
    number: Arc<AtomicI64>,
    since: Instant,
}

impl TenantTurn {
    pub(crate) fn new(workers: &WorkerContext, outgoing: &HttpRoute, tenant: Arc<Tenant>, stop: &Stop) -> Self {
        let signal = &workers.signals.runs;
        TenantTurn {
            ran: Ran::default(),
            raised: signal.listen(tenant.name()),
            parked: signal.parking(),
            stop: stop.clone(),
            hosts: HostAccess { places: Arc::clone(&workers.host_places), route: outgoing.clone() },
            workers: workers.clone(),
            tenant,
            running: JoinSet::new(),
            begun: HashMap::new(),
            more: true,
            gathered: false,
            renewed: Instant::now(),
        }
    }

    /// Carries out all runs that are due; gives when the next is, in milliseconds. Once it is to stop, it ends those
    /// that began.
    pub(super) async fn run(&mut self) -> Result<Option<i64>> {
        loop {
            if !self.begun.is_empty() && self.renewed.elapsed() >= RENEWAL {
                self.renew().await;
            }
            if self.stop.is_set() {
                if self.begun.is_empty() {
                    return Ok(None);
                }
                self.wait().await;
                continue;
            }
            let free = self.free();
            // A claim costs as much for many as for one: those that end in a moment make room for more.
            if self.more && !self.gathered && free * 4 < self.workers.places && !self.begun.is_empty() {
                self.gathered = true;
                if let Ok(Some(ended)) = tokio::time::timeout(GATHER, self.running.join_next_with_id()).await {
                    self.end(ended);
                    self.gathered = false;
                }
            } else if self.more && free > 0 {
                self.gathered = false;
                self.more = self.claim(free).await? == free;
            } else if self.begun.is_empty() {
                let next = self.tenant.store().read(ReadCost::Point, next).await?;
                let now = self.tenant.environment().clock.now().as_millisecond();
                return Ok(next.map(|next| if next > now { next } else { now + BREATH }));
            } else {
                self.wait().await;
            }
        }
    }

    /// Claims runs and begins them; gives how many.
    async fn claim(&mut self, free: usize) -> Result<usize> {
        let room = Arc::new(RunRoom { free, running: self.begun.values().map(|begun| begun.run).collect() });
        let claimed = match self.tenant.write_elevated(move |tx, context| claim(tx, context, &room)).await {
            Ok(claimed) => claimed,
            Err(error) if error.kind == ErrorKind::Busy => return Ok(0),
            Err(error) if self.begun.is_empty() => return Err(error),
            Err(error) => {
                if let Some(left_out) = self.workers.signals.troubles.take() {
                    tracing::warn!(tenant = self.tenant.name(), %error, left_out, "no run can be claimed");
                }
                return Ok(0);
            }
        };
        let count = claimed.len();
        claimed.into_iter().for_each(|claimed| self.begin(claimed));
        Ok(count)
    }

    fn begin(&mut self, claimed: ClaimedRun) {
        let number = claimed.known.as_ref().map_or(0, |(_, progress)| progress.claim);
        let begun = BegunRun { run: claimed.id, number: Arc::new(AtomicI64::new(number)), since: Instant::now() };
        let (hosts, tenant, number) = (self.hosts.clone(), Arc::clone(&self.tenant), Arc::clone(&begun.number));
        let tracer = Arc::clone(&self.workers.tracer);
        let carried = async move {
            match tracer.get() {
                Some(tracer) => carry_out_traced(tracer, &hosts, &tenant, Arc::new(claimed), &number).await,
                None => carry_out(&hosts, &tenant, Arc::new(claimed), &number).await,
            }
        };
        self.begun.insert(self.running.spawn(carried).id(), begun);
    }

    /// Waits until a run ends, one is caused, or leases are to be renewed.
    async fn wait(&mut self) {
        self.parked.set(self.begun.values().all(|begun| begun.since.elapsed() > SLOW));
        let rest = RENEWAL.saturating_sub(self.renewed.elapsed());
        tokio::select! {
            Some(ended) = self.running.join_next_with_id() => {
                self.end(ended);
                while let Some(ended) = self.running.try_join_next_with_id() {
                    self.end(ended);
                }
            }
            () = self.raised.notified() => self.more = true,
            () = tokio::time::sleep(rest) => {}
        }
        self.parked.set(false);
    }

    fn end(&mut self, ended: Result<(Id, Result<Option<State>>), JoinError>) {
        // There is a place more.
        self.more = true;
        let (id, ended) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                tracing::error!(tenant = self.tenant.name(), %error, "a run panicked");
                self.begun.remove(&error.id());
                self.ran.later += 1;
                return;
            }
        };
        self.begun.remove(&id);
        match ended {
            Ok(Some(State::Done | State::Stopped)) => self.ran.done += 1,
            Ok(Some(State::Failed)) => self.ran.failed += 1,
            Ok(Some(State::Waiting)) => self.ran.later += 1,
            Ok(Some(State::Running) | None) => {}
            // It goes on once its lease is over; others are not held up by it.
            Err(error) => {
                tracing::error!(tenant = self.tenant.name(), %error, "a run cannot be carried out");
                self.ran.later += 1;
            }
        }
    }

    /// Renews the leases of the runs, and looks whether any became due meanwhile.
    async fn renew(&mut self) {
        self.renewed = Instant::now();
        let runs: Vec<_> = self.begun.values().map(|begun| (begun.run, Arc::clone(&begun.number))).collect();
        let renewed = self.tenant.write_elevated(move |tx, context| {
            for (run, number) in &runs {
                renew(tx, context, *run, number.load(Ordering::Relaxed))?;
            }
            next(tx)
        });
        let now = self.tenant.environment().clock.now().as_millisecond();
        match renewed.await {
            Ok(next) => self.more |= next.is_some_and(|next| next <= now),
            Err(error) => {
                if let Some(left_out) = self.workers.signals.troubles.take() {
                    tracing::warn!(tenant = self.tenant.name(), %error, left_out, "leases of runs cannot be renewed");
                }
            }
        }
    }

    /// Returns the number of runs that can be begun. Those that take long do not count, up to as many again.
    fn free(&self) -> usize {
        let most = self.workers.places;
        let busy = self.begun.values().filter(|begun| begun.since.elapsed() <= SLOW).count();
        most.saturating_sub(busy).min((2 * most).saturating_sub(self.begun.len()))
    }
}
