//! The jobs of each store that wait for a connection, and whose turn is next.

use super::store_demand::StoreDemand;
use super::store_job::{JobAccess, StoreJob};
use crate::RecentUsers;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most jobs of a store that may wait for a connection.
pub(super) const QUEUE: usize = 4096;
/// The most reads by key that go together.
pub(super) const TOGETHER: usize = 16;
/// The time for which another store counts as there after its last job.
pub(super) const OTHERS: Duration = Duration::from_secs(1);

/// The bounds of what runs at once.
#[derive(Clone, Copy)]
pub(super) struct QueueBounds {
    pub(super) connections: usize,
    /// Long reads of a store while others have jobs: one processor is left to these.
    pub(super) scans_beside_others: usize,
}

/// The stores with their jobs, and the threads that wait for them.
#[derive(Default)]
pub(super) struct QueueState {
    /// The stores with jobs that wait, in the job of their turns.
    pub(super) turns: VecDeque<Arc<str>>,
    /// The jobs of each store, by what stands before its tables.
    pub(super) lines: HashMap<Arc<str>, StoreLine>,
    /// The number of stores: with one alone, nobody has to be protected from it.
    pub(super) stores: usize,
    pub(super) demand: StoreDemand,
    /// The stores whose jobs came last.
    users: RecentUsers,
    /// The number of lines that there were so far.
    begun: u64,
    /// Connections that run something.
    pub(super) busy: usize,
    /// Those of them that run reads which may take long.
    pub(super) scanning: usize,
    /// Numbers of the threads that wait for a job. The last one to come is the first to go: its connection is open, and
    /// the server's process behind it has read the catalog and prepared the statements.
    pub(super) resting: Vec<usize>,
    /// True if one of them was woken and is not there yet: it wakes the next one where there is more than it takes.
    pub(super) coming: bool,
    /// True if one of them looks again by itself at what waits.
    pub(super) watched: bool,
    pub(super) closed: bool,
}

/// The jobs of a store.
#[derive(Default)]
pub(super) struct StoreLine {
    /// True if the store is there, as far as is known.
    pub(super) known: bool,
    /// A number that few other lines have; 0 where no job came yet.
    number: u64,
    pub(super) quick: VecDeque<StoreJob>,
    /// Reads that may take long.
    pub(super) scans: VecDeque<StoreJob>,
    /// Connections that it has.
    pub(super) running: usize,
    /// Those of them that run reads which may take long.
    pub(super) scanning: usize,
}

impl QueueState {
    /// Puts a job at an end of its store's line; returns it where too many wait there.
    pub(super) fn push(&mut self, job: StoreJob, put: fn(&mut VecDeque<StoreJob>, StoreJob)) -> Option<StoreJob> {
        let store = Arc::clone(&job.prefix);
        let line = self.lines.entry(Arc::clone(&store)).or_default();
        let waiting = line.quick.len() + line.scans.len();
        if waiting >= QUEUE && job.access != JobAccess::SingleRead {
            return Some(job);
        }
        if line.rests() {
            self.demand.now += 1;
        }
        self.demand.note(job.queued.since());
        // Jobs of the whole database take nothing from a store.
        if line.known {
            if line.number == 0 {
                self.begun += 1;
                line.number = self.begun;
            }
            self.users.note(line.number, job.queued.since());
        }
        put(if job.access == JobAccess::Scan { &mut line.scans } else { &mut line.quick }, job);
        if waiting == 0 {
            self.turns.push_back(store);
        }
        None
    }

    /// The place of the store whose turn it is, and whether it is a long read's.
    ///
    /// Where several stores want connections, none gets more than its share and one. A quarter of the connections is
    /// left to stores that have less than their share, and one to those that have none. Long reads never have all of the
    /// others either, and of several stores, none has more than a quarter for its long reads, nor all processors while
    /// others have jobs.
    pub(super) fn next(&self, bounds: QueueBounds) -> Option<(usize, bool)> {
        let QueueBounds { connections, scans_beside_others } = bounds;
        let quarter = (connections / 4).max(1);
        let may_scan = |line: &StoreLine| {
            let is_there = |other: &RecentUsers| other.has_other(line.number, Instant::now(), OTHERS);
            line.scanning < quarter && (line.scanning < scans_beside_others || !is_there(&self.users))
        };
        let free = connections.saturating_sub(self.busy);
        let alone = self.stores <= 1;
        if free == 0 {
            return None;
        }
        let share = self.demand.share(connections);
        let scans = self.scanning < connections.saturating_sub(quarter).max(1);
        self.turns.iter().enumerate().find_map(|(place, store)| {
            let line = self.lines.get(store)?;
            let may = match line.running {
                0 => true,
                running if running < share => free > 1,
                running => running <= share && free > quarter,
            };
            if !(may || alone) {
                return None;
            }
            let scan = line.scans.front().filter(|_| scans && (alone || may_scan(line)));
            match (line.quick.front(), scan) {
                (Some(quick), Some(scan)) => Some((place, scan.queued.since() < quick.queued.since())),
                (Some(_), None) => Some((place, false)),
                (None, Some(_)) => Some((place, true)),
                (None, None) => None,
            }
        })
    }

    pub(super) fn take(&mut self, bounds: QueueBounds, may: impl Fn(&StoreJob) -> bool) -> Option<Vec<StoreJob>> {
        let (place, scan) = self.next(bounds)?;
        let store = self.turns.remove(place)?;
        let line = self.lines.get_mut(&store)?;
        let mut taken = Vec::from_iter(if scan { line.scans.pop_front() } else { line.quick.pop_front() });
        if taken.first().is_some_and(|first| joins(first) && may(first)) {
            while taken.len() < TOGETHER
                && let Some(next) = line.quick.pop_front_if(|next| joins(next))
            {
                taken.push(next);
            }
        }
        line.running += 1;
        line.scanning += usize::from(scan);
        self.busy += 1;
        self.scanning += usize::from(scan);
        if !(line.quick.is_empty() && line.scans.is_empty()) {
            self.turns.push_back(store);
        }
        Some(taken)
    }

    /// Forgets a store that is gone, once nothing of it is left.
    pub(super) fn tidy(&mut self, store: &Arc<str>) {
        if self.lines.get(store).is_some_and(|line| !line.known && line.rests()) {
            self.lines.remove(store);
        }
    }
}

impl StoreLine {
    /// Returns true if nothing of it waits or runs.
    pub(super) fn rests(&self) -> bool {
        self.running == 0 && self.quick.is_empty() && self.scans.is_empty()
    }
}

fn joins(job: &StoreJob) -> bool {
    job.access == JobAccess::KeyRead
}
