//! The end of a job: its time is over, or its caller has gone.

use crate::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The time that a job may take, from the moment it is handed over to its last statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// This time: the changes of the job are undone then.
    After(Duration),
    /// None: for commands, which an operator can end.
    Endless,
}

/// The time limit of requests' jobs, unless the database says otherwise.
pub(crate) const LIMIT: TimeLimit = TimeLimit::After(Duration::from_secs(20));

/// The end of a job. All copies are of one job.
#[derive(Clone, Debug, Default)]
pub(crate) struct JobDeadline {
    at: Option<Instant>,
    /// True if the caller has gone; none where it cannot go.
    gone: Option<Arc<AtomicBool>>,
}

impl JobDeadline {
    /// The deadline of a job that begins now, on its caller's own thread.
    pub(crate) fn begin(limit: TimeLimit) -> Self {
        Self::begin_at(Instant::now(), limit)
    }

    /// The same for one that began at a moment.
    pub(crate) fn begin_at(began: Instant, limit: TimeLimit) -> Self {
        match limit {
            TimeLimit::After(time) => JobDeadline { at: began.checked_add(time), gone: None },
            TimeLimit::Endless => JobDeadline::default(),
        }
    }

    /// The same for a job whose caller may go.
    pub(crate) fn with_caller(self) -> Self {
        JobDeadline { gone: Some(Arc::default()), ..self }
    }

    /// Returns true if only the work itself ends it.
    pub(crate) fn is_endless(&self) -> bool {
        self.at.is_none()
    }

    /// Notes that the caller has gone.
    pub(crate) fn abandon(&self) {
        if let Some(gone) = &self.gone {
            gone.store(true, Ordering::Relaxed);
        }
    }

    /// Returns whether the caller has gone.
    pub(crate) fn abandoned(&self) -> bool {
        self.gone.as_ref().is_some_and(|gone| gone.load(Ordering::Relaxed))
    }

    /// Returns whether the job has to end.
    pub(crate) fn passed(&self) -> bool {
        self.abandoned() || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// Returns true if the job had to end at a moment.
    pub(crate) fn passed_at(&self, now: Instant) -> bool {
        self.abandoned() || self.at.is_some_and(|at| now >= at)
    }

    /// Fails where the job has to end.
    pub(crate) fn check(&self) -> Result<()> {
        if self.passed() { Err(Error::Timeout) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_ends_with_its_time_and_with_its_caller() {
        let endless = JobDeadline::begin(TimeLimit::Endless);
        assert!(!endless.passed() && endless.check().is_ok());
        assert!(JobDeadline::begin(TimeLimit::After(Duration::ZERO)).passed());
        let job = JobDeadline::begin(TimeLimit::After(Duration::from_secs(3_600))).with_caller();
        let copy = job.clone();
        assert!(!job.passed());
        copy.abandon();
        assert_eq!((job.passed(), job.abandoned(), job.check()), (true, true, Err(Error::Timeout)));
    }
}
