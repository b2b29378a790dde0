//! The jobs of each store that wait for a connection, and the store whose turn is next.

use super::store_demand::StoreDemand;
use super::store_job::{JobAccess, StoreJob};
use crate::job::{BACKGROUND, LATE};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

/// The most jobs of a store that may wait for a connection.
const QUEUE: usize = 4096;
/// The most reads by key that go together.
const TOGETHER: usize = 16;

/// The jobs that wait, and how many run.
pub(super) struct StoreLines {
    connections: usize,
    /// The stores with jobs that wait, in the order of their turns.
    turns: VecDeque<Arc<str>>,
    /// The jobs of each store, by what stands before its tables.
    lines: HashMap<Arc<str>, StoreLine>,
    /// The number of stores: with one alone, nobody has to be protected from it.
    stores: usize,
    demand: StoreDemand,
    /// Connections that run something.
    pub(super) busy: usize,
    /// Those of them that run reads which may take long.
    scanning: usize,
    /// The turns of requests since the last one of background work.
    requests: usize,
}

/// The jobs of a store.
#[derive(Default)]
struct StoreLine {
    /// True if the store is there, as far as is known.
    known: bool,
    quick: VecDeque<StoreJob>,
    /// Reads that may take long.
    scans: VecDeque<StoreJob>,
    /// Writes that no request waits for.
    background: VecDeque<StoreJob>,
    /// Connections that it has.
    running: usize,
    /// Those of them that run reads which may take long.
    scanning: usize,
}

/// The jobs of a store that go one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JobLane {
    Quick,
    Scans,
    Background,
}

impl StoreLines {
    pub(super) fn new(connections: usize) -> Self {
        StoreLines {
            connections,
            turns: VecDeque::new(),
            lines: HashMap::new(),
            stores: 0,
            demand: StoreDemand::default(),
            busy: 0,
            scanning: 0,
            requests: 0,
        }
    }

    /// Notes that a store is there.
    pub(super) fn know(&mut self, store: Arc<str>) {
        let line = self.lines.entry(store).or_default();
        let new = !std::mem::replace(&mut line.known, true);
        self.stores += usize::from(new);
    }

    /// Notes that a store is gone.
    pub(super) fn forget(&mut self, store: &Arc<str>) {
        let gone = self.lines.get_mut(store).is_some_and(|line| std::mem::take(&mut line.known));
        self.stores -= usize::from(gone);
        self.tidy(store);
    }

    /// Returns true if nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// Puts a job at an end of its store's line; returns it where too many wait there.
    pub(super) fn push(&mut self, job: StoreJob, put: fn(&mut VecDeque<StoreJob>, StoreJob)) -> Option<StoreJob> {
        let store = Arc::clone(&job.prefix);
        let line = self.lines.entry(Arc::clone(&store)).or_default();
        let waiting = line.waiting();
        if waiting >= QUEUE && job.access != JobAccess::SingleRead {
            return Some(job);
        }
        if line.rests() {
            self.demand.now += 1;
        }
        self.demand.note(job.queued.since());
        put(line.lane(JobLane::of(job.access)), job);
        if waiting == 0 {
            self.turns.push_back(store);
        }
        None
    }

    /// Returns true if something may begin.
    pub(super) fn may_begin(&self) -> bool {
        self.next().is_some()
    }

    /// Takes the next job, or several reads by key of a store whose reads `may` go together.
    pub(super) fn take(&mut self, may: impl Fn(&StoreJob) -> bool) -> Option<Vec<StoreJob>> {
        let (place, lane) = self.next()?;
        let store = self.turns.remove(place)?;
        let line = self.lines.get_mut(&store)?;
        let mut taken = Vec::from_iter(line.lane(lane).pop_front());
        if taken.first().is_some_and(|first| joins(first) && may(first)) {
            while taken.len() < TOGETHER
                && let Some(next) = line.quick.pop_front_if(|next| joins(next))
            {
                taken.push(next);
            }
        }
        let scan = usize::from(lane == JobLane::Scans);
        line.running += 1;
        line.scanning += scan;
        self.busy += 1;
        self.scanning += scan;
        self.requests = if lane == JobLane::Background { 0 } else { self.requests.saturating_add(1) };
        if line.waiting() > 0 {
            self.turns.push_back(store);
        }
        Some(taken)
    }

    /// Notes that what was taken for a store has ended.
    pub(super) fn end(&mut self, store: &Arc<str>, access: JobAccess) {
        let scan = usize::from(access == JobAccess::Scan);
        self.busy -= 1;
        self.scanning -= scan;
        if let Some(line) = self.lines.get_mut(store) {
            line.running -= 1;
            line.scanning -= scan;
            if line.rests() {
                self.demand.now -= 1;
            }
        }
        // Shares grow again where jobs that wait are all there is.
        self.demand.note(Instant::now());
        self.tidy(store);
    }

    /// Returns since when the oldest job of a store's requests waits.
    pub(super) fn oldest(&self, store: &Arc<str>) -> Option<Instant> {
        self.lines.get(store)?.oldest().map(|(_, since)| since)
    }

    /// Returns true if a job of any store has waited for too long.
    pub(super) fn is_late(&self, now: Instant) -> bool {
        self.lines.values().any(|line| line.oldest().is_some_and(|(_, since)| now > since + LATE))
    }

    /// Returns true if a store's requests are to be refused: its oldest job has waited for too long although it has its
    /// share, and other stores wait, too, for what is all in use.
    pub(super) fn refuses(&self, store: &Arc<str>, now: Instant) -> bool {
        let Some(line) = self.lines.get(store) else { return false };
        let Some((lane, since)) = line.oldest() else { return false };
        let has_share = line.running >= self.demand.share(self.connections).max(1)
            || lane == JobLane::Scans && line.scanning >= self.quarter();
        // Leases and the like are of no store.
        let waits = |other: &Arc<str>| {
            other != store && self.lines.get(other).is_some_and(|line| line.known && line.oldest().is_some())
        };
        now > since + LATE && has_share && self.turns.iter().any(waits) && self.next_request().is_none()
    }

    /// The place of the store whose turn it is, and the lane that it is for. Requests go first; of ten turns, one is left
    /// to background work that waits.
    fn next(&self) -> Option<(usize, JobLane)> {
        match self.requests < BACKGROUND {
            true => self.next_request().or_else(|| self.next_of_background()),
            false => self.next_of_background().or_else(|| self.next_request()),
        }
    }

    /// The next of requests.
    ///
    /// Where several stores want connections, none gets more than its share and one. A quarter of the connections is
    /// left to stores that have less than their share, and one to those that have none. Long reads never have all of the
    /// others either, and of several stores, none has more than a quarter for its long reads.
    fn next_request(&self) -> Option<(usize, JobLane)> {
        let (quarter, alone) = (self.quarter(), self.stores <= 1);
        let scans = self.scanning < self.connections.saturating_sub(quarter).max(1);
        self.turns.iter().enumerate().find_map(|(place, store)| {
            let line = self.lines.get(store).filter(|line| self.may_have_more(line))?;
            let scan = line.scans.front().filter(|_| scans && (alone || line.scanning < quarter));
            let lane = match (line.quick.front(), scan) {
                (Some(quick), Some(scan)) if scan.queued.since() < quick.queued.since() => JobLane::Scans,
                (Some(_), _) => JobLane::Quick,
                (None, Some(_)) => JobLane::Scans,
                (None, None) => return None,
            };
            Some((place, lane))
        })
    }

    fn next_of_background(&self) -> Option<(usize, JobLane)> {
        let waits = |line: &StoreLine| !line.background.is_empty() && self.may_have_more(line);
        let place = self.turns.iter().position(|store| self.lines.get(store).is_some_and(waits))?;
        Some((place, JobLane::Background))
    }

    /// Returns true if a store may have one more connection.
    fn may_have_more(&self, line: &StoreLine) -> bool {
        let share = self.demand.share(self.connections);
        match self.connections.saturating_sub(self.busy) {
            0 => false,
            _ if line.running == 0 || self.stores <= 1 => true,
            free if line.running < share => free > 1,
            free => line.running <= share && free > self.quarter(),
        }
    }

    fn quarter(&self) -> usize {
        (self.connections / 4).max(1)
    }

    /// Returns the connections of a store.
    #[cfg(test)]
    pub(super) fn running(&self, store: &str) -> usize {
        self.lines[store].running
    }

    /// Forgets a store that is gone, once nothing of it is left.
    fn tidy(&mut self, store: &Arc<str>) {
        if self.lines.get(store).is_some_and(|line| !line.known && line.rests()) {
            self.lines.remove(store);
        }
    }
}

impl StoreLine {
    /// Returns true if nothing of it waits or runs.
    fn rests(&self) -> bool {
        self.running == 0 && self.waiting() == 0
    }

    fn waiting(&self) -> usize {
        self.quick.len() + self.scans.len() + self.background.len()
    }

    fn lane(&mut self, lane: JobLane) -> &mut VecDeque<StoreJob> {
        match lane {
            JobLane::Quick => &mut self.quick,
            JobLane::Scans => &mut self.scans,
            JobLane::Background => &mut self.background,
        }
    }

    /// The lane of the job of requests that waits for the longest time, and since when it does.
    fn oldest(&self) -> Option<(JobLane, Instant)> {
        let quick = self.quick.front().map(|job| (JobLane::Quick, job.queued.since()));
        let scan = self.scans.front().map(|job| (JobLane::Scans, job.queued.since()));
        quick.into_iter().chain(scan).min_by_key(|(_, since)| *since)
    }
}

impl JobLane {
    fn of(access: JobAccess) -> Self {
        match access {
            JobAccess::KeyRead | JobAccess::SingleRead | JobAccess::Write => JobLane::Quick,
            JobAccess::Scan => JobLane::Scans,
            JobAccess::Background => JobLane::Background,
        }
    }
}

fn joins(job: &StoreJob) -> bool {
    job.access == JobAccess::KeyRead
}
