//! The worker of a node: looks after all tenants as long as the server runs.

use super::deliver::Delivered;
use super::rounds::Rounds;
use crate::error::Result;
use crate::tenants::Platform;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// How often this node looks at what it knows to be due.
const LOOK: Duration = Duration::from_secs(1);
/// How many tenants are sent for at a time.
const TENANTS: usize = 16;

/// What a tenant's turn ended with: its name, and when its next is due.
type Ended = (String, Result<(Delivered, Option<i64>)>);

/// What the worker knows.
struct Worker {
    platform: Arc<Platform>,
    /// When the next row of a tenant is due, in milliseconds; none is due of those that are missing.
    due: BTreeMap<String, i64>,
    /// The tenants whose turn it is now.
    busy: BTreeSet<String>,
    turns: JoinSet<Ended>,
    rounds: Rounds,
}

impl Platform {
    /// Sends what is due, of all tenants, until `stop` is done; then waits for what is being sent.
    pub async fn run_outbox(self: Arc<Self>, stop: impl Future<Output = ()>) {
        let mut worker = Worker {
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
                () = self.signal().raised() => {}
                () = tokio::time::sleep(LOOK) => {}
                Some(ended) = worker.turns.join_next(), if !worker.turns.is_empty() => worker.end(ended),
            }
        }
        while worker.turns.join_next().await.is_some() {}
    }
}

impl Worker {
    /// Begins the turns that are due.
    async fn begin(&mut self) {
        let now = self.platform.world().clock.now().as_millisecond();
        for tenant in self.platform.signal().take() {
            self.due.insert(tenant, now);
        }
        if self.rounds.due(now) {
            match self.platform.blocking(Platform::outboxes).await {
                Ok(marks) => {
                    // Where something waits, another process may have made it due earlier.
                    self.due.values_mut().for_each(|due| *due = now);
                    self.due.extend(self.rounds.begin(now, marks).into_iter().map(|tenant| (tenant, now)));
                }
                Err(error) => tracing::error!(%error, "the outbox finds no tenants"),
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
                let ended = platform.deliver_tenant(&tenant).await;
                (tenant, ended)
            });
        }
    }

    /// Notes when a tenant's next turn is due.
    fn end(&mut self, ended: Result<Ended, tokio::task::JoinError>) {
        let (tenant, ended) = match ended {
            Ok(ended) => ended,
            Err(error) => {
                // Which tenant that was is not known any more: the next round finds it.
                tracing::error!(%error, "the outbox of a tenant panicked");
                self.busy.clear();
                self.rounds.forget_all();
                return;
            }
        };
        self.busy.remove(&tenant);
        match ended {
            Ok((_, Some(next))) => {
                self.due.entry(tenant).and_modify(|due| *due = next.min(*due)).or_insert(next);
            }
            Ok((_, None)) => {}
            // The next round tries again.
            Err(error) => {
                tracing::error!(tenant, %error, "the outbox cannot be read");
                self.rounds.forget(&tenant);
            }
        }
    }
}
