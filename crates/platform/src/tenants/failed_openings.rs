//! Tenants that could not be opened at the last try.

use context::tables::LATER;
use jiff::{SignedDuration, Timestamp};
use model::error::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The time for which a failure counts: workers try each tenant anew long before.
const COUNTS: SignedDuration = SignedDuration::from_mins(15);

/// The tenants that failed, each with the instant of its last failure.
#[derive(Debug, Default)]
pub struct FailedOpenings(Mutex<BTreeMap<String, Timestamp>>);

impl FailedOpenings {
    /// Notes a try. A tenant that is gone is no failure; a database that is busy or away tells nothing of the tenant.
    pub(super) fn note<T>(&self, tenant: &str, opened: &Result<T, Error>, now: Timestamp) {
        match opened {
            Err(error) if error.kind == ErrorKind::Failed || ["tenant_damaged", LATER].contains(&error.code) => {
                self.lock().insert(tenant.to_owned(), now);
            }
            Err(error) if error.kind == ErrorKind::Busy => {}
            _ => _ = self.lock().remove(tenant),
        }
    }

    /// Returns the number of tenants that could not be opened of late.
    pub fn count(&self, now: Timestamp) -> usize {
        self.lock().values().filter(|failed| now.duration_since(**failed) < COUNTS).count()
    }

    /// Forgets the tenants that are not there any more.
    pub(super) fn retain(&self, is_there: impl Fn(&str) -> bool) {
        self.lock().retain(|name, _| is_there(name));
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
