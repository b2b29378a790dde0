//! The workers of a node: each looks after one sort of thing to do, of all tenants, as long as the server runs.

mod clock;
mod passes;
mod rounds;

use crate::tenants::Platform;
use database::{Name, Tx};
use messages::outbox;
use model::error::{FROZEN, Result};
use model::table_names;
use operations::jobs;
use rounds::PollRounds;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tenant::Tenant;
use tenant::worker::{Signal, Stop, WorkerTurn};
use tokio::task::{Id, JoinError, JoinSet};

/// The time between two looks of a worker at what it knows to be due.
const LOOK: Duration = Duration::from_secs(1);
/// For how many tenants a worker works at a time; those whose receivers hang do not count, up to the second number.
const TENANTS: (usize, usize) = (16, 256);

/// The work that a worker looks after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkerQueue {
    /// Mails, SMS and tasks.
    Outbox,
    /// Runs of automations.
    Runs,
    /// Types that are to be calculated anew.
    Recalculations,
    /// Jobs of many rows.
    Jobs,
    /// Moments at which runs of automations begin.
    Schedules,
}

impl WorkerQueue {
    fn table(self) -> Name {
        match self {
            WorkerQueue::Outbox => table_names::OUTBOX,
            WorkerQueue::Runs => table_names::RUN,
            WorkerQueue::Recalculations => table_names::RECALCULATION,
            WorkerQueue::Jobs => table_names::JOB,
            WorkerQueue::Schedules => table_names::SCHEDULE,
        }
    }

    fn signal(self, platform: &Platform) -> &Signal {
        match self {
            WorkerQueue::Outbox => &platform.workers.signals.outbox,
            WorkerQueue::Runs => &platform.workers.signals.runs,
            WorkerQueue::Recalculations => &platform.workers.signals.recalculations,
            WorkerQueue::Jobs => &platform.workers.signals.jobs,
            WorkerQueue::Schedules => &platform.workers.signals.schedules,
        }
    }

    /// When the next of a tenant is due, in milliseconds; none where nothing waits.
    fn next(self, tx: &mut Tx<'_>) -> Result<Option<i64>> {
        match self {
            WorkerQueue::Outbox => outbox::next(tx),
            WorkerQueue::Runs => automation::next(tx),
            WorkerQueue::Recalculations => configuration::next_left(tx),
            WorkerQueue::Jobs => jobs::next(tx),
            WorkerQueue::Schedules => automation::next_moment(tx),
        }
    }

    /// Does all that is due of a tenant; gives when the next is due.
    fn turn<'t>(self, platform: &'t Arc<Platform>, tenant: &'t str, stop: &'t Stop) -> WorkerTurn<'t, Option<i64>> {
        Box::pin(async move {
            match self {
                WorkerQueue::Outbox => Ok(platform.deliver_tenant(tenant, stop).await?.1),
                WorkerQueue::Runs => Ok(platform.run_tenant(tenant, stop).await?.1),
                WorkerQueue::Recalculations => platform.recalculate_tenant(tenant).await,
                WorkerQueue::Jobs => platform.run_jobs_of(tenant, stop).await,
                WorkerQueue::Schedules => Ok(platform.schedule_tenant(tenant).await?.1),
            }
        })
    }

    /// Returns true if another process may make a row that is there due earlier. A schedule that changes is a new row.
    fn hastens(self) -> bool {
        self != WorkerQueue::Schedules
    }
}

/// Work in a box, until it ends.
type BoxedWork<'w> = Pin<Box<dyn Future<Output = ()> + Send + 'w>>;

/// The end of a tenant's turn: when its next is due.
type EndedTurn = Result<Option<i64>>;

/// The state of a worker.
struct WorkerState {
    line: WorkerQueue,
    platform: Arc<Platform>,
    /// When the next of a tenant is due, in milliseconds; none is due of those that are missing.
    due: BTreeMap<String, i64>,
    /// The tenants whose turn it is now.
    busy: BTreeSet<String>,
    turns: JoinSet<EndedTurn>,
    /// The tenant whose turn each is.
    whose: HashMap<Id, String>,
    stop: Stop,
    rounds: PollRounds,
    /// Tenants with rows that may wait for a moment of a clock that was ahead.
    put_off: BTreeSet<String>,
    /// Those of them whose turn makes such rows due.
    bringing_back: BTreeSet<String>,
    /// The number of times that another node had been missed by the last round.
    lost: usize,
}

/// The result of a look into a tenant.
pub(crate) enum TenantPoll {
    /// Nothing is to be done before this, in milliseconds; or nothing waits.
    Later(Option<i64>),
    /// There is something to do, or its tables are of an earlier version: here it is, open.
    Open(Arc<Tenant>),
    /// The tenant is gone.
    Gone,
}

impl Platform {
    /// Sends what is due, of all tenants, until `stop` is done; then waits for what is being sent.
    pub async fn run_outbox(self: Arc<Self>, stop: impl Future<Output = ()> + Send) {
        self.work(WorkerQueue::Outbox, Box::pin(stop)).await;
    }

    /// Carries out the runs of automations that are due, of all tenants, until `stop` is done; then waits for those
    /// under way.
    pub async fn run_automations(self: Arc<Self>, stop: impl Future<Output = ()> + Send) {
        self.work(WorkerQueue::Runs, Box::pin(stop)).await;
    }

    /// Calculates what changes of configurations left, of all tenants, until `stop` is done; then ends the batches
    /// under way.
    pub async fn run_recalculations(self: Arc<Self>, stop: impl Future<Output = ()> + Send) {
        self.work(WorkerQueue::Recalculations, Box::pin(stop)).await;
    }

    /// Carries out jobs of many rows, of all tenants, until `stop` is done; then ends the batches under way.
    pub async fn run_jobs(self: Arc<Self>, stop: impl Future<Output = ()> + Send) {
        self.work(WorkerQueue::Jobs, Box::pin(stop)).await;
    }

    /// Begins the runs of automations whose moments have come, of all tenants, until `stop` is done.
    pub async fn run_schedules(self: Arc<Self>, stop: impl Future<Output = ()> + Send) {
        self.work(WorkerQueue::Schedules, Box::pin(stop)).await;
    }

    /// Does all that is due of a tenant, and what that causes, until nothing is due any more; gives when the next is,
    /// in milliseconds. It is for processes without workers: a worker's turns are taken, in the order in which one
    /// causes another.
    pub async fn settle(self: &Arc<Self>, tenant: &str) -> Result<Option<i64>> {
        const LINES: [WorkerQueue; 4] =
            [WorkerQueue::Jobs, WorkerQueue::Schedules, WorkerQueue::Runs, WorkerQueue::Outbox];
        loop {
            let mut next: Option<i64> = None;
            for line in LINES {
                // What comes from here on is seen by the turn, or is put there once more.
                line.signal(self).take();
                let due = line.turn(self, tenant, &Stop::default()).await?;
                next = next.into_iter().chain(due).min();
            }
            if !LINES.iter().any(|line| line.signal(self).is_raised(tenant)) {
                return Ok(next);
            }
        }
    }

    /// A worker, in a box: it is compiled here, and not in each crate that begins one.
    fn work<'w>(self: Arc<Self>, line: WorkerQueue, mut stop: BoxedWork<'w>) -> BoxedWork<'w> {
        Box::pin(async move {
            let mut worker = WorkerState::new(line, Arc::clone(&self));
            loop {
                worker.begin().await;
                tokio::select! {
                    () = &mut stop => break,
                    () = line.signal(&self).raised() => {}
                    () = tokio::time::sleep(LOOK) => {}
                    Some(ended) = worker.turns.join_next_with_id(), if !worker.turns.is_empty() => worker.end(ended),
                }
            }
            worker.stop.set();
            while worker.turns.join_next().await.is_some() {}
        })
    }

    /// Looks into a tenant: one with nothing to do is not opened for it.
    pub(crate) fn look<'t>(self: &'t Arc<Self>, line: WorkerQueue, name: &'t str) -> WorkerTurn<'t, TenantPoll> {
        Box::pin(self.look_into(line, name))
    }

    async fn look_into(self: &Arc<Self>, line: WorkerQueue, name: &str) -> Result<TenantPoll> {
        if !self.is_open(name) {
            let _turn = line.signal(self).turn.lock().await;
            let name = name.to_owned();
            let next = self.blocking(move |platform| Ok(platform.glance(&name, |tx| line.next(tx)))).await?;
            let now = self.environment().clock.now().as_millisecond();
            if let Some(next) = next
                && next.is_none_or(|next| next > now)
            {
                return Ok(TenantPoll::Later(next));
            }
        }
        let name = name.to_owned();
        match self.blocking(move |platform| platform.open(&name)).await {
            Err(error) if error.code == "tenant_missing" => Ok(TenantPoll::Gone),
            opened => Ok(TenantPoll::Open(opened?)),
        }
    }
}

impl WorkerState {
    fn new(line: WorkerQueue, platform: Arc<Platform>) -> Self {
        let rounds = PollRounds::new(platform.poll_interval());
        WorkerState {
            line,
            platform,
            due: BTreeMap::new(),
            busy: BTreeSet::new(),
            turns: JoinSet::new(),
            whose: HashMap::new(),
            stop: Stop::default(),
            rounds,
            put_off: BTreeSet::new(),
            bringing_back: BTreeSet::new(),
            lost: 0,
        }
    }

    /// Begins the turns that are due.
    async fn begin(&mut self) {
        let line = self.line;
        let now = self.platform.environment().clock.now().as_millisecond();
        for tenant in line.signal(&self.platform).take() {
            self.due.insert(tenant, now);
        }
        let lost = self.platform.workers.signals.lost.load(Ordering::Relaxed);
        if std::mem::replace(&mut self.lost, lost) != lost || self.rounds.due(now) {
            match self.platform.blocking(move |platform| platform.growth(&line.table())).await {
                Ok(marks) => {
                    // None at all are rather a folder that is away.
                    if !marks.is_empty() {
                        self.platform.forget_deleted(&marks);
                    }
                    if self.rounds.was_ahead(now) {
                        self.put_off = self.due.keys().chain(&self.busy).cloned().collect();
                    }
                    self.put_off.retain(|tenant| marks.contains_key(tenant));
                    self.due.extend(self.put_off.iter().map(|tenant| (tenant.clone(), now)));
                    // Where something waits, another process may have made it due earlier.
                    if line.hastens() {
                        self.due.values_mut().for_each(|due| *due = now);
                    }
                    self.due.extend(self.rounds.begin(now, marks).into_iter().map(|tenant| (tenant, now)));
                }
                Err(error) => {
                    if let Some(left_out) = self.platform.workers.signals.troubles.take() {
                        tracing::error!(%error, left_out, "the worker for {line:?} finds no tenants");
                    }
                }
            }
        }
        let (active, all) = (self.turns.len().saturating_sub(line.signal(&self.platform).parked()), self.turns.len());
        let free = TENANTS.0.saturating_sub(active).min(TENANTS.1.saturating_sub(all));
        let ready = self.due.iter().filter(|(tenant, due)| **due <= now && !self.busy.contains(*tenant));
        let ready: Vec<String> = ready.map(|(tenant, _)| tenant.clone()).take(free).collect();
        for tenant in ready {
            self.due.remove(&tenant);
            self.busy.insert(tenant.clone());
            let (platform, stop, name) = (Arc::clone(&self.platform), self.stop.clone(), tenant.clone());
            let brings_back = self.put_off.contains(&tenant);
            if brings_back {
                self.bringing_back.insert(tenant.clone());
            }
            let turn = self.turns.spawn(async move {
                if brings_back {
                    platform.bring_back(line, &name).await?;
                }
                line.turn(&platform, &name, &stop).await
            });
            self.whose.insert(turn.id(), tenant);
        }
    }

    /// Notes when a tenant's next turn is due.
    fn end(&mut self, ended: Result<(Id, EndedTurn), JoinError>) {
        let line = self.line;
        let id = ended.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let Some(tenant) = self.whose.remove(&id) else { return };
        self.busy.remove(&tenant);
        if self.bringing_back.remove(&tenant) && matches!(ended, Ok((_, Ok(_)))) {
            self.put_off.remove(&tenant);
        }
        let ended = match ended {
            Ok((_, ended)) => ended,
            Err(error) => {
                tracing::error!(tenant, %error, "a turn of the worker for {line:?} panicked");
                // The next round looks into it.
                self.rounds.forget(&tenant);
                return;
            }
        };
        match ended {
            Ok(Some(next)) => {
                self.due.entry(tenant).and_modify(|due| *due = next.min(*due)).or_insert(next);
            }
            Ok(None) => {}
            // An operator froze or deleted the tenant, on purpose.
            Err(error) if error.code == FROZEN || error.code == "tenant_missing" => {
                tracing::info!(tenant, %error, "the worker for {line:?} leaves the tenant alone");
                self.rounds.forget(&tenant);
            }
            // The next round tries again.
            Err(error) => {
                if let Some(left_out) = self.platform.workers.signals.troubles.take() {
                    tracing::error!(tenant, %error, left_out, "the worker for {line:?} failed");
                }
                self.rounds.forget(&tenant);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{WorkerQueue, WorkerState};
    use crate::fixtures::environment;
    use crate::tenants::{Platform, Settings};
    use database::{Database, SqliteOptions};
    use std::path::Path;
    use std::sync::Arc;

    fn database(folder: &Path) -> Database {
        Database::sqlite(SqliteOptions { folder: folder.to_owned(), readers: 1, descriptors: 192 }).unwrap()
    }

    fn platform(folder: &Path) -> Arc<Platform> {
        Platform::new(database(folder), environment(7), Settings::default())
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_round_forgets_tenants_that_another_process_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let platform = platform(folder.path());
        tokio::task::block_in_place(|| ["one", "two"].map(|name| platform.create_tenant(name).unwrap()));
        WorkerState::new(WorkerQueue::Outbox, Arc::clone(&platform)).begin().await;
        assert!(platform.is_open("one") && platform.is_open("two"));
        database(folder.path()).delete("two").unwrap();
        WorkerState::new(WorkerQueue::Outbox, Arc::clone(&platform)).begin().await;
        assert!(platform.is_open("one") && !platform.is_open("two"));
        assert!(platform.has_tenant("one").await && !platform.has_tenant("two").await);
    }

    #[tokio::test]
    async fn a_turn_that_panics_frees_its_tenant_alone() {
        let folder = tempfile::tempdir().unwrap();
        let platform = platform(folder.path());
        let mut worker = WorkerState::new(WorkerQueue::Outbox, platform);
        let panics = worker.turns.spawn(async { panic!("as a turn may") });
        let lasts = worker.turns.spawn(std::future::pending());
        for (turn, tenant) in [(panics.id(), "one"), (lasts.id(), "two")] {
            worker.whose.insert(turn, tenant.to_owned());
            worker.busy.insert(tenant.to_owned());
        }
        let ended = worker.turns.join_next_with_id().await.unwrap();
        worker.end(ended);
        assert!(worker.busy.iter().eq(["two"]), "whose turn goes on gets no second one: {:?}", worker.busy);
    }
}
