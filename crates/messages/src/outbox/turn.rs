//! A tenant's turn: what is being sent for it, and what is claimed as places get free.
//!
//! Nothing waits for the slowest: what ended is written down, and what is next is claimed, in one transaction.

use super::claim::{ClaimResult, ClaimedMessage, OutboxLane, SendingRoom, claim, next};
use super::deliver::{Delivered, carry_out};
use super::routes::Routes;
use super::settle::{TryOutcome, renew, settle_later};
use super::traced_delivery::carry_out_traced;
use database::ReadCost;
use model::error::{Error, Result};
use model::types::Model;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tenant::Tenant;
use tenant::worker::{Parked, Place, RENEWAL, SLOW, Stop, WorkerContext};
use tokio::sync::Notify;
use tokio::task::{Id, JoinError, JoinSet};

/// When to look again after another node was faster, in milliseconds.
const BREATH: i64 = 1_000;
/// Number of places that mails of accounts have beyond those of others.
const RESERVED: usize = 4;
/// The time for which is waited for others that end, before what ended is written down.
const GATHER: Duration = Duration::from_millis(5);
/// The most tries to write down what was sent while the database fails, and the pause between them.
const PATIENCE: usize = 60;
const PAUSE: Duration = Duration::from_secs(1);

/// Messages and tasks that are being sent for a tenant.
pub(super) struct SendingTurn {
    pub done: Delivered,
    workers: WorkerContext,
    routes: Routes,
    tenant: Arc<Tenant>,
    sending: JoinSet<(TryOutcome, bool)>,
    begun: HashMap<Id, (Arc<ClaimedMessage>, Instant)>,
    /// Rows that ended and are not written down yet.
    ended: Vec<(Arc<ClaimedMessage>, TryOutcome)>,
    /// Of which lanes more may be due than was claimed.
    more: [bool; 4],
    /// True if nothing could be claimed of what is due.
    stuck: bool,
    /// When the first ended of those that are not written down yet.
    since: Option<Instant>,
    renewed: Instant,
    failures: usize,
    raised: Arc<Notify>,
    parked: Parked,
    stop: Stop,
}

/// Event that a turn waited for.
enum AwaitedEvent {
    Ended(Result<(Id, (TryOutcome, bool)), JoinError>),
    Raised,
    Time,
}

impl SendingTurn {
    pub(crate) fn new(workers: &WorkerContext, routes: &Routes, tenant: Arc<Tenant>, stop: &Stop) -> Self {
        let signal = &workers.signals.outbox;
        SendingTurn {
            done: Delivered::default(),
            raised: signal.listen(tenant.name()),
            parked: signal.parking(),
            stop: stop.clone(),
            workers: workers.clone(),
            routes: routes.clone(),
            tenant,
            sending: JoinSet::new(),
            begun: HashMap::new(),
            ended: Vec::new(),
            more: [true; 4],
            stuck: false,
            since: None,
            renewed: Instant::now(),
            failures: 0,
        }
    }

    /// Sends all that is due; gives when the next is, in milliseconds. Once it is to stop, it ends what is being sent.
    pub(crate) async fn run(&mut self) -> Result<Option<i64>> {
        loop {
            let idle = self.begun.is_empty();
            if idle && self.ended.is_empty() && self.stop.is_set() {
                return Ok(None);
            }
            if idle {
                (self.more, self.stuck) = ([true; 4], false);
            } else if self.renewed.elapsed() >= RENEWAL {
                self.renew().await;
            }
            let room = self.room();
            if self.ended.is_empty() && room.free == [None; 4] {
                self.since = None;
                self.wait().await;
            } else if !idle && !self.gathered() {
                self.wait().await;
            } else {
                match self.step(room).await {
                    Ok(0) if idle => {
                        let next = self.tenant.store().read(ReadCost::Point, next).await?;
                        let now = self.now();
                        return Ok(next.map(|next| if next > now { next } else { now + BREATH }));
                    }
                    Ok(_) => self.failures = 0,
                    Err(error) if self.failures >= PATIENCE || idle && self.ended.is_empty() => return Err(error),
                    Err(error) => self.be_patient(&error).await,
                }
            }
        }
    }

    /// Waits, so that nothing is sent again because the database has no room for a moment.
    async fn be_patient(&mut self, error: &Error) {
        if let Some(left_out) = self.workers.signals.troubles.take() {
            tracing::warn!(tenant = self.tenant.name(), %error, left_out, "what was sent cannot be written down yet");
        }
        self.failures += 1;
        tokio::time::sleep(PAUSE).await;
    }

    /// Returns true if it is time to write down and to claim: a transaction costs about as much for many as for one, so
    /// that others may end first, for a moment.
    fn gathered(&self) -> bool {
        let Some(since) = self.since else { return true };
        self.ended.len() * 4 >= self.workers.places || self.sending.is_empty() || since.elapsed() >= GATHER
    }

    /// Writes down what ended, and claims what is next; gives how much there was to do.
    async fn step(&mut self, room: SendingRoom) -> Result<usize> {
        let ended = self.ended.clone();
        let asked = room.free.map(|free| free.is_some());
        let room = Arc::new(room);
        let job = self.tenant.write_beside_freeze(move |tx, context| {
            for (row, outcome) in &ended {
                settle_later(tx, context, row, outcome)?;
            }
            let claims = match room.free {
                [None, None, None, None] => None,
                _ if context.frozen => None,
                _ => Some(claim(tx, context, &room)?),
            };
            Ok((claims, Arc::clone(&context.model)))
        });
        let (claims, model) = job.await?;
        let settled = std::mem::take(&mut self.ended).len();
        self.since = None;
        let Some(ClaimResult { rows, given_up, full, aside, more }) = claims else { return Ok(settled) };
        for id in &given_up {
            tracing::error!(tenant = self.tenant.name(), outbox = id, "given up: its sending never came to an end");
        }
        self.done.failed += given_up.len();
        for (lane, asked) in asked.into_iter().enumerate() {
            if asked {
                self.more[lane] = more[lane];
            }
        }
        // Where nothing more can be claimed, a place that gets free or the time that passes says when to look again.
        self.stuck = full || rows.is_empty() && given_up.is_empty() && aside == 0;
        let claimed = settled + rows.len() + given_up.len() + aside;
        for (row, place) in rows {
            let row = Arc::new(row);
            let (routes, tenant) = (self.routes.clone(), Arc::clone(&self.tenant));
            let (sent, model): (_, Arc<Model>) = (Arc::clone(&row), Arc::clone(&model));
            let tracer = Arc::clone(&self.workers.tracer);
            let handle = self.sending.spawn(async move {
                let place = place.map(Place::used);
                let (outcome, settled) = match tracer.get() {
                    Some(tracer) => carry_out_traced(tracer, &tenant, &model, &routes, &sent).await,
                    None => carry_out(&tenant, &model, &routes, &sent).await,
                };
                if let (Some(place), TryOutcome::Sent | TryOutcome::Never(_)) = (place, &outcome) {
                    place.answered();
                }
                (outcome, settled)
            });
            self.begun.insert(handle.id(), (row, Instant::now()));
        }
        Ok(claimed)
    }

    /// Waits until something ends, more is put into the outbox, or leases are to be renewed.
    async fn wait(&mut self) {
        self.parked.set(self.begun.values().all(|(_, since)| since.elapsed() > SLOW));
        let mut rest = RENEWAL.saturating_sub(self.renewed.elapsed());
        if let Some(since) = self.since {
            rest = rest.min(GATHER.saturating_sub(since.elapsed()));
        }
        let awaited = tokio::select! {
            Some(ended) = self.sending.join_next_with_id() => AwaitedEvent::Ended(ended),
            () = self.raised.notified() => AwaitedEvent::Raised,
            () = tokio::time::sleep(rest) => AwaitedEvent::Time,
        };
        self.parked.set(false);
        match awaited {
            AwaitedEvent::Ended(ended) => {
                self.end(ended);
                while let Some(ended) = self.sending.try_join_next_with_id() {
                    self.end(ended);
                }
            }
            AwaitedEvent::Raised => (self.more, self.stuck) = ([true; 4], false),
            AwaitedEvent::Time => {}
        }
    }

    fn end(&mut self, ended: Result<(Id, (TryOutcome, bool)), JoinError>) {
        let (id, (outcome, settled)) = ended.unwrap_or_else(|error| {
            tracing::error!(tenant = self.tenant.name(), %error, "sending panicked");
            (error.id(), (TryOutcome::Later("sending failed within this process".to_owned()), false))
        });
        let Some((row, _)) = self.begun.remove(&id) else { return };
        match &outcome {
            TryOutcome::Sent => self.done.sent += 1,
            TryOutcome::Later(_) => self.done.later += 1,
            TryOutcome::Never(_) => self.done.failed += 1,
        }
        if !settled {
            self.ended.push((row, outcome));
        }
        self.since.get_or_insert_with(Instant::now);
        // There is a place more.
        self.stuck = false;
    }

    /// Renews the leases of what is being sent, and looks whether anything became due meanwhile.
    async fn renew(&mut self) {
        self.renewed = Instant::now();
        let rows: Vec<Arc<ClaimedMessage>> = self.begun.values().map(|(row, _)| Arc::clone(row)).collect();
        let renewed = self.tenant.write_beside_freeze(move |tx, context| {
            rows.iter().try_for_each(|row| renew(tx, context, row))?;
            next(tx)
        });
        match renewed.await {
            Ok(next) if next.is_some_and(|next| next <= self.now()) => (self.more, self.stuck) = ([true; 4], false),
            Ok(_) => {}
            Err(error) => {
                if let Some(left_out) = self.workers.signals.troubles.take() {
                    tracing::warn!(tenant = self.tenant.name(), %error, left_out, "leases cannot be renewed");
                }
            }
        }
    }

    /// Returns the room beside what is being sent. Rows that take long do not count, up to as many again.
    fn room(&self) -> SendingRoom {
        let most = self.workers.places;
        let (mut quiet, mut busy, mut all) = (true, HashMap::new(), HashMap::new());
        for (row, since) in self.begun.values() {
            *all.entry(row.channel.name()).or_insert(0_usize) += 1;
            if since.elapsed() <= SLOW {
                quiet = false;
                *busy.entry(row.channel.name()).or_insert(0_usize) += 1;
            }
        }
        let mut free = OutboxLane::ALL.map(|lane| {
            let reserved = if lane.is_account() { RESERVED.min(most) } else { 0 };
            let count = |counts: &HashMap<_, usize>| counts.get(lane.channel().name()).copied().unwrap_or(0);
            let free = (most + reserved).saturating_sub(count(&busy));
            Some(free.min((2 * most + reserved).saturating_sub(count(&all)))).filter(|free| *free > 0)
        });
        for (free, more) in free.iter_mut().zip(self.more) {
            *free = free.filter(|_| more && !self.stuck && !self.stop.is_set());
        }
        SendingRoom {
            tenant: self.tenant.name().into(),
            places: Arc::clone(&self.workers.outbox_places),
            free,
            sending: self.begun.values().map(|(row, _)| row.id).collect(),
            quiet,
        }
    }

    fn now(&self) -> i64 {
        self.tenant.environment().clock.now().as_millisecond()
    }
}
