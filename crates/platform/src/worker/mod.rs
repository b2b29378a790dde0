//! The workers of a node: each looks after one sort of thing to do, of all tenants, as long as the server runs.

mod pause;
mod rounds;
mod signal;

pub(crate) use pause::{TRIES, pause};
pub(crate) use signal::{Signal, Signals};

use crate::automations;
use crate::configuration;
use crate::error::Result;
use crate::outbox;
use crate::tables;
use crate::tenants::{Platform, Tenant};
use database::{Name, Tx};
use rounds::Rounds;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// How often a worker looks at what it knows to be due.
const LOOK: Duration = Duration::from_secs(1);
/// For how many tenants a worker works at a time.
const TENANTS: usize = 16;

/// What a worker looks after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Mails, SMS and tasks.
    Outbox,
    /// Runs of automations.
    Runs,
    /// Types that are to be calculated anew.
    Recalculations,
    /// Moments at which runs of automations begin.
    Schedules,
}

impl Line {
    fn table(self) -> Name {
        match self {
            Line::Outbox => tables::OUTBOX,
            Line::Runs => tables::RUN,
            Line::Recalculations => tables::RECALCULATION,
            Line::Schedules => tables::SCHEDULE,
        }
    }

    fn signal(self, platform: &Platform) -> &Signal {
        match self {
            Line::Outbox => &platform.signals().outbox,
            Line::Runs => &platform.signals().runs,
            Line::Recalculations => &platform.signals().recalculations,
            Line::Schedules => &platform.signals().schedules,
        }
    }

    /// When the next of a tenant is due, in milliseconds; none where nothing waits.
    fn next(self, tx: &mut Tx<'_>) -> Result<Option<i64>> {
        match self {
            Line::Outbox => outbox::next(tx),
            Line::Runs => automations::next(tx),
            Line::Recalculations => configuration::next_recalculation(tx),
            Line::Schedules => automations::next_moment(tx),
        }
    }

    /// Does all that is due of a tenant; gives when the next is due.
    async fn turn(self, platform: &Arc<Platform>, tenant: &str) -> Result<Option<i64>> {
        match self {
            Line::Outbox => Ok(platform.deliver_tenant(tenant).await?.1),
            Line::Runs => Ok(platform.run_tenant(tenant).await?.1),
            Line::Recalculations => platform.recalculate_tenant(tenant).await,
            Line::Schedules => Ok(platform.schedule_tenant(tenant).await?.1),
        }
    }

    /// Whether another process may make a row that is there due earlier. A schedule that changes is a new row.
    fn hastens(self) -> bool {
        self != Line::Schedules
    }
}

/// What a tenant's turn ended with: its name, and when its next is due.
type Ended = (String, Result<Option<i64>>);

/// What a worker knows.
struct Worker {
    line: Line,
    platform: Arc<Platform>,
    /// When the next of a tenant is due, in milliseconds; none is due of those that are missing.
    due: BTreeMap<String, i64>,
    /// The tenants whose turn it is now.
    busy: BTreeSet<String>,
    turns: JoinSet<Ended>,
    rounds: Rounds,
}

/// What a look into a tenant tells.
pub(crate) enum Look {
    /// Nothing is to be done before this, in milliseconds; or nothing waits.
    Later(Option<i64>),
    /// There is something to do, or its tables are of an earlier version: here it is, open.
    Open(Arc<Tenant>),
    /// The tenant is gone.
    Gone,
}

impl Platform {
    /// Sends what is due, of all tenants, until `stop` is done; then waits for what is being sent.
    pub async fn run_outbox(self: Arc<Self>, stop: impl Future<Output = ()>) {
        self.work(Line::Outbox, stop).await;
    }

    /// Carries out the runs of automations that are due, of all tenants, until `stop` is done; then waits for those under
    /// way.
    pub async fn run_automations(self: Arc<Self>, stop: impl Future<Output = ()>) {
        self.work(Line::Runs, stop).await;
    }

    /// Calculates what changes of configurations left, of all tenants, until `stop` is done; then ends the batches under way.
    pub async fn run_recalculations(self: Arc<Self>, stop: impl Future<Output = ()>) {
        self.work(Line::Recalculations, stop).await;
    }

    /// Begins the runs of automations whose moments have come, of all tenants, until `stop` is done.
    pub async fn run_schedules(self: Arc<Self>, stop: impl Future<Output = ()>) {
        self.work(Line::Schedules, stop).await;
    }

    /// Does all that is due of a tenant, and what that causes, until nothing is due any more; gives when the next is, in
    /// milliseconds. It is for whoever has no workers: a worker's turns are taken, in the order in which one causes another.
    pub async fn settle(self: &Arc<Self>, tenant: &str) -> Result<Option<i64>> {
        const LINES: [Line; 3] = [Line::Schedules, Line::Runs, Line::Outbox];
        loop {
            let mut next: Option<i64> = None;
            for line in LINES {
                // What comes from here on is seen by the turn, or is put there once more.
                line.signal(self).take();
                let due = line.turn(self, tenant).await?;
                next = next.into_iter().chain(due).min();
            }
            if !LINES.iter().any(|line| line.signal(self).is_raised(tenant)) {
                return Ok(next);
            }
        }
    }

    async fn work(self: Arc<Self>, line: Line, stop: impl Future<Output = ()>) {
        let mut worker = Worker {
            line,
            platform: Arc::clone(&self),
            due: BTreeMap::new(),
            busy: BTreeSet::new(),
            turns: JoinSet::new(),
            rounds: Rounds::default(),
        };
        tokio::pin!(stop);
        loop {
            worker.begin().await;
            tokio::select! {
                () = &mut stop => break,
                () = line.signal(&self).raised() => {}
                () = tokio::time::sleep(LOOK) => {}
                Some(ended) = worker.turns.join_next(), if !worker.turns.is_empty() => worker.end(ended),
            }
        }
        while worker.turns.join_next().await.is_some() {}
    }

    /// Looks into a tenant: one with nothing to do is not opened for it.
    pub(crate) async fn look(self: &Arc<Self>, line: Line, name: &str) -> Result<Look> {
        if !self.is_open(name) {
            let _turn = line.signal(self).turn.lock().await;
            let name = name.to_owned();
            let next = self.blocking(move |platform| Ok(platform.glance(&name, |tx| line.next(tx)))).await?;
            let now = self.world().clock.now().as_millisecond();
            if let Some(next) = next
                && next.is_none_or(|next| next > now)
            {
                return Ok(Look::Later(next));
            }
        }
        let name = name.to_owned();
        match self.blocking(move |platform| platform.open(&name)).await {
            Err(error) if error.code == "tenant_missing" => Ok(Look::Gone),
            opened => Ok(Look::Open(opened?)),
        }
    }
}

impl Worker {
    /// Begins the turns that are due.
    async fn begin(&mut self) {
        let line = self.line;
        let now = self.platform.world().clock.now().as_millisecond();
        for tenant in line.signal(&self.platform).take() {
            self.due.insert(tenant, now);
        }
        if self.rounds.due(now) {
            match self.platform.blocking(move |platform| platform.growth(&line.table())).await {
                Ok(marks) => {
                    // Where something waits, another process may have made it due earlier.
                    if line.hastens() {
                        self.due.values_mut().for_each(|due| *due = now);
                    }
                    self.due.extend(self.rounds.begin(now, marks).into_iter().map(|tenant| (tenant, now)));
                }
                Err(error) => tracing::error!(%error, "the worker for {line:?} finds no tenants"),
            }
        }
        let free = TENANTS.saturating_sub(self.turns.len());
        let ready = self.due.iter().filter(|(tenant, due)| **due <= now && !self.busy.contains(*tenant));
        let ready: Vec<String> = ready.map(|(tenant, _)| tenant.clone()).take(free).collect();
        for tenant in ready {
            self.due.remove(&tenant);
            self.busy.insert(tenant.clone());
            let platform = Arc::clone(&self.platform);
            self.turns.spawn(async move {
                let ended = line.turn(&platform, &tenant).await;
                (tenant, ended)
            });
        }
    }

    /// Notes when a tenant's next turn is due.
    fn end(&mut self, ended: Result<Ended, tokio::task::JoinError>) {
        let line = self.line;
        let (tenant, ended) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                // Which tenant that was is not known any more: the next round finds it.
                tracing::error!(%error, "a turn of the worker for {line:?} panicked");
                self.busy.clear();
                self.rounds.forget_all();
                return;
            }
        };
        self.busy.remove(&tenant);
        match ended {
            Ok(Some(next)) => {
                self.due.entry(tenant).and_modify(|due| *due = next.min(*due)).or_insert(next);
            }
            Ok(None) => {}
            // The next round tries again.
            Err(error) => {
                tracing::error!(tenant, %error, "the worker for {line:?} failed");
                self.rounds.forget(&tenant);
            }
        }
    }
}
