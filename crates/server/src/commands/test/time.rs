//! The clock of a case: while it moves, all happens that falls due on the way, each at its moment.

use super::case::{Found, Run, mismatch};
use crate::commands::Failure;
use jiff::{Span, Timestamp};
use std::sync::Arc;

/// At how many moments something may fall due while the clock moves once.
const MOST_STOPS: usize = 1_000;
/// When to look again where what is due cannot be done yet, as where an automation has to wait for its rate: as the server
/// does, in milliseconds.
const LOOK: i64 = 1_000;

impl Run<'_> {
    /// Moves the clock on by a length of time, as clocks of the tenant's zone have it.
    pub(super) fn wait(&self, span: Span) -> Result<Found, Failure> {
        let zone = self.model().settings.timezone.clone();
        let then = self.open.clock.now().to_zoned(zone).checked_add(span);
        self.until(then.map_err(|error| Failure::new(error.to_string(), ""))?.timestamp())
    }

    /// Moves the clock to a moment.
    pub(super) fn until(&self, then: Timestamp) -> Result<Found, Failure> {
        let began = self.open.clock.now();
        if then < began {
            return Ok(vec![mismatch("until", format!("a moment that is to come after {began}"), then.to_string())]);
        }
        for _ in 0..MOST_STOPS {
            let next = self.settle()?;
            let unanswered = self.unanswered();
            if !unanswered.is_empty() {
                return Ok(unanswered);
            }
            let now = self.open.clock.now().as_millisecond();
            let stop = next.map(|next| if next > now { next } else { now + LOOK });
            let stop = stop.and_then(|stop| Timestamp::from_millisecond(stop).ok());
            match stop.filter(|stop| *stop <= then) {
                Some(stop) => self.open.clock.set(stop),
                None => {
                    self.open.clock.set(then);
                    return Ok(Vec::new());
                }
            }
        }
        let now = self.open.clock.now();
        let expected = format!("at most {MOST_STOPS} moments at which something is due");
        Ok(vec![mismatch("the time", expected, format!("more: they have come by {now}. Let less time pass"))])
    }

    /// Lets happen what is due; gives when the next is, in milliseconds.
    pub(super) fn settle(&self) -> Result<Option<i64>, Failure> {
        let (platform, name) = (Arc::clone(&self.open.app.platform), self.open.tenant.name());
        Ok(self.bench.runtime.block_on(async move { platform.settle(name).await })?)
    }

    /// The requests of automations that nobody answers in this case: no request of a test leaves it.
    pub(super) fn unanswered(&self) -> Found {
        let sent = self.open.left.requests.sent();
        let told = sent.iter().filter(|request| !request.answered).map(|request| {
            let (method, url) = (&request.method, &request.url);
            let found = format!("none: give one before this step, with - answer: {{url: {url:?}, status: 200}}");
            mismatch("a request", format!("an answer to {method} {url}"), found)
        });
        told.collect()
    }
}
