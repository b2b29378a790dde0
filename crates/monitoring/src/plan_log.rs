//! Plans of slow statements in the log: one in a second, and each once in an hour.

use database::NotedStatement;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tenant::Tenant;

/// The time between two plans.
const PAUSE: Duration = Duration::from_secs(1);
/// The time after which a statement's plan is told again.
const AGAIN: Duration = Duration::from_secs(60 * 60);
/// The most statements that are remembered: more forget all of them.
const MOST: usize = 10_000;

/// The plans that were told.
#[derive(Debug, Default)]
pub(crate) struct PlanLog {
    told: Mutex<ToldPlans>,
    /// True while a plan is asked for: one waits for the database at a time.
    asks: Arc<AtomicBool>,
}

#[derive(Debug, Default)]
struct ToldPlans {
    last: Option<Instant>,
    statements: HashMap<u64, Instant>,
}

impl PlanLog {
    /// Has the plan of a request's slowest statement logged, unless it was told not long ago.
    pub(crate) fn tell(&self, tenant: &Arc<Tenant>, request: &str, statements: &[NotedStatement]) {
        let Some(slowest) = statements.iter().max_by_key(|statement| statement.took) else { return };
        let Some(statement) = slowest.query.clone() else { return };
        let mut hasher = DefaultHasher::new();
        (tenant.name(), &statement).hash(&mut hasher);
        if !self.takes(hasher.finish(), Instant::now()) {
            return;
        }
        let (tenant, id, asks) = (Arc::clone(tenant), request.to_owned(), Arc::clone(&self.asks));
        tokio::task::spawn_blocking(move || {
            let asked = tenant.store().plan_blocking(&statement);
            asks.store(false, Ordering::Release);
            match asked {
                Ok(plan) => {
                    let (tenant, plan) = (tenant.name(), plan.join("\n"));
                    tracing::info!(target: "slow", id, tenant, statement, plan, "the plan of a statement of it");
                }
                Err(error) => tracing::debug!(target: "slow", id, %error, statement, "a statement has no plan"),
            }
        });
    }

    /// Returns true, and remembers the statement, if its plan is to be told now.
    fn takes(&self, statement: u64, now: Instant) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let is_recent = |since: Option<&Instant>, pause| since.is_some_and(|since| now.duration_since(*since) < pause);
        if is_recent(told.last.as_ref(), PAUSE) || is_recent(told.statements.get(&statement), AGAIN) {
            return false;
        }
        if self.asks.swap(true, Ordering::Acquire) {
            return false;
        }
        if told.statements.len() >= MOST {
            told.statements.clear();
        }
        told.last = Some(now);
        told.statements.insert(statement, now);
        true
    }
}
