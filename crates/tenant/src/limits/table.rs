//! Requests that this node may still admit, by subject: a table of fixed size in small sets, each behind its own lock.
//!
//! A full set forgets a subject whose window has ended, else the one that used least. The newcomer then has no more
//! than that one had left, so that a flood of addresses makes nobody's allowance larger. It takes no memory until there
//! is a subject.

use database::LeaseGrant;
use model::rate::RequestRate;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The number of subjects in a set.
const WAYS: usize = 8;
/// In how many parts those that lease wait for each other.
const TURNS: usize = 32;

/// Subjects and what is left to them.
pub(super) struct SubjectTable {
    sets: OnceLock<Box<[SubjectSet]>>,
    /// The number of sets that there will be: a power of two.
    size: usize,
    turns: [tokio::sync::Mutex<()>; TURNS],
}

/// Subjects that share a lock.
type SubjectSet = Mutex<[SubjectSlot; WAYS]>;

/// One subject. The times are milliseconds of the node's clock.
#[derive(Clone, Copy, Default)]
struct SubjectSlot {
    /// The subject's hash; 0 where the slot is free.
    mark: u64,
    /// The limit that this was leased under.
    rate: RequestRate,
    /// The window is open before this instant for sure.
    open_until: i64,
    /// It is closed from this instant on for sure.
    closed_from: i64,
    /// Leased and not handed out.
    left: u32,
    /// Not leased yet, as far as is known.
    rest: u32,
    /// The requests that the last lease gave.
    block: u32,
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TakeOutcome {
    /// It may go on.
    Yes,
    /// It may not, before that instant.
    No(i64),
    /// Something must be leased first, at most so much.
    Lease(u32),
    /// The subject is not in the table.
    Unknown,
}

impl SubjectTable {
    /// A table for that many subjects.
    pub(crate) fn new(subjects: usize) -> Self {
        let size = (subjects / WAYS).next_power_of_two();
        SubjectTable { sets: OnceLock::new(), size, turns: std::array::from_fn(|_| Default::default()) }
    }

    /// Hands out one, if there is one.
    pub(crate) fn take(&self, mark: u64, rate: RequestRate, now: i64) -> TakeOutcome {
        let Some(sets) = self.sets.get() else { return TakeOutcome::Unknown };
        let mut set = self.locked(sets, mark);
        let Some(slot) = set.iter_mut().find(|slot| slot.mark == mark) else { return TakeOutcome::Unknown };
        if slot.rate != rate || !slot.open(now) {
            return TakeOutcome::Lease(first_block(rate));
        }
        if slot.left > 0 {
            slot.left -= 1;
            return TakeOutcome::Yes;
        }
        if slot.rest > 0 { TakeOutcome::Lease(slot.block.saturating_mul(2)) } else { TakeOutcome::No(slot.closed_from) }
    }

    /// Gives back one that was handed out at an instant, unless its window is over.
    pub(super) fn give_back(&self, mark: u64, rate: RequestRate, taken: i64) {
        let Some(sets) = self.sets.get() else { return };
        let mut set = self.locked(sets, mark);
        if let Some(slot) = set.iter_mut().find(|slot| slot.mark == mark && slot.rate == rate && slot.open(taken)) {
            slot.left = slot.left.saturating_add(1).min(rate.requests);
        }
    }

    /// Returns true if the subject is in the table.
    pub(super) fn knows(&self, mark: u64) -> bool {
        self.sets.get().is_some_and(|sets| self.locked(sets, mark).iter().any(|slot| slot.mark == mark))
    }

    /// Puts a subject into the table, that has nothing yet.
    pub(super) fn learn(&self, mark: u64, now: i64) {
        let mut set = self.set(mark);
        if set.iter().all(|slot| slot.mark != mark) {
            *victim(&mut set, now) = SubjectSlot { mark, ..SubjectSlot::default() };
        }
    }

    /// Notes a lease that was asked for at the first instant and came at the second.
    pub(super) fn put(&self, mark: u64, rate: RequestRate, lease: LeaseGrant, asked: i64, came: i64) {
        let length = i64::try_from(lease.ends_in.as_millis()).unwrap_or(i64::MAX / 2);
        let mut slot = SubjectSlot {
            mark,
            rate,
            open_until: asked.saturating_add(length),
            closed_from: came.saturating_add(length),
            left: lease.granted,
            rest: lease.rest,
            block: lease.granted,
        };
        let mut set = self.set(mark);
        if let Some(own) = set.iter_mut().find(|slot| slot.mark == mark) {
            if own.rate == rate && own.open(came) {
                // Something was given back meanwhile.
                slot.left = slot.left.saturating_add(own.left).min(rate.requests);
            }
            *own = slot;
            return;
        }
        let victim = victim(&mut set, came);
        if victim.mark != 0 && victim.open(came) && victim.rate == rate {
            slot.left = slot.left.min(victim.left);
            slot.open_until = slot.open_until.min(victim.open_until);
            slot.closed_from = slot.closed_from.min(victim.closed_from);
        }
        *victim = slot;
    }

    /// Returns the lock that leases for the subject wait on, so that many requests make one.
    pub(super) fn turn(&self, mark: u64) -> &tokio::sync::Mutex<()> {
        // The low digits choose the set.
        &self.turns[(mark >> 32) as usize % TURNS]
    }

    /// The set of a subject, to put something there.
    fn set(&self, mark: u64) -> MutexGuard<'_, [SubjectSlot; WAYS]> {
        self.locked(self.sets.get_or_init(|| (0..self.size).map(|_| SubjectSet::default()).collect()), mark)
    }

    fn locked<'s>(&self, sets: &'s [SubjectSet], mark: u64) -> MutexGuard<'s, [SubjectSlot; WAYS]> {
        sets[mark as usize & (self.size - 1)].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SubjectSlot {
    /// Returns true if the window is open. One that ends later than a window can was made before the clock was set
    /// back.
    fn open(&self, now: i64) -> bool {
        now < self.open_until && self.open_until - now <= i64::from(self.rate.seconds) * 1_000
    }
}

/// Returns the size of a node's first lease of a window; it takes more with each lease.
pub(super) fn first_block(rate: RequestRate) -> u32 {
    (rate.requests / 32).max(1)
}

/// The slot to be used for somebody new.
fn victim(set: &mut [SubjectSlot; WAYS], now: i64) -> &mut SubjectSlot {
    let rank = |slot: &SubjectSlot| match slot.mark {
        0 => (0, 0),
        _ if !slot.open(now) => (1, slot.open_until),
        _ => (2, -i64::from(slot.left)),
    };
    set.iter_mut().min_by_key(|slot| rank(slot)).expect("a set has slots")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    const RATE: RequestRate = RequestRate { requests: 100, seconds: 10 };
    const WINDOW: LeaseGrant = LeaseGrant { granted: 100, rest: 0, ends_in: Duration::from_secs(10) };

    fn mixed(number: u64) -> u64 {
        (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (number + 1) << 7
    }

    /// One request, as where the node is alone.
    fn request(table: &SubjectTable, mark: u64, now: i64) -> bool {
        match table.take(mark, RATE, now) {
            TakeOutcome::Yes => return true,
            TakeOutcome::No(_) => return false,
            TakeOutcome::Lease(_) | TakeOutcome::Unknown => table.put(mark, RATE, WINDOW, now, now),
        }
        table.take(mark, RATE, now) == TakeOutcome::Yes
    }

    #[test]
    fn a_window_has_its_limit_and_the_next_one_too() {
        let table = SubjectTable::new(64);
        for start in [5_000, 15_000, 25_001] {
            assert_eq!((0..300).filter(|_| request(&table, 1, start)).count(), 100);
            assert_eq!(table.take(1, RATE, start + 9_999), TakeOutcome::No(start + 10_000));
        }
        // A clock that is set back does not shut anybody out for longer than a window.
        assert!(request(&table, 1, 5_000));
    }

    #[test]
    fn a_table_without_subjects_takes_no_memory() {
        let table = SubjectTable::new(1 << 17);
        assert!(!table.knows(1));
        assert_eq!(table.take(1, RATE, 0), TakeOutcome::Unknown);
        assert!(table.sets.get().is_none());
        table.learn(1, 0);
        assert!(table.knows(1));
    }

    #[test]
    fn blocks_grow_and_what_is_exhausted_stays_so() {
        let table = SubjectTable::new(64);
        let block = |granted, rest| LeaseGrant { granted, rest, ends_in: Duration::from_secs(10) };
        assert_eq!(table.take(1, RATE, 0), TakeOutcome::Unknown);
        table.learn(1, 0);
        assert_eq!(table.take(1, RATE, 0), TakeOutcome::Lease(3));
        table.put(1, RATE, block(3, 97), 0, 2);
        assert!((0..3).all(|_| table.take(1, RATE, 3) == TakeOutcome::Yes));
        assert_eq!(table.take(1, RATE, 3), TakeOutcome::Lease(6));
        table.put(1, RATE, block(0, 0), 4, 6);
        assert_eq!(table.take(1, RATE, 7), TakeOutcome::No(10_006));
        // Another limit holds at once.
        assert_eq!(table.take(1, RequestRate { requests: 64, seconds: 10 }, 7), TakeOutcome::Lease(2));
    }

    #[test]
    fn a_flood_of_a_million_subjects_takes_no_memory_and_frees_nobody() {
        let table = SubjectTable::new(1 << 14);
        let busy: Vec<u64> = (0..100).map(|number| mixed(1 << 40 | number)).collect();
        let mut let_through = vec![0; busy.len()];
        for number in 0..1_000_000 {
            if number % 5_000 == 0 {
                for (position, mark) in busy.iter().enumerate() {
                    let_through[position] += usize::from(request(&table, *mark, 1));
                }
            }
            request(&table, mixed(number), 1);
        }
        assert!(let_through.iter().all(|count| *count <= 100), "{let_through:?}");
        let sets = table.sets.get().unwrap();
        assert_eq!(sets.len() * WAYS, 1 << 14);
        assert_eq!(size_of_val(&**sets), (1 << 14) / WAYS * (size_of::<SubjectSlot>() * WAYS + 8));
    }

    /// Not a promise, but a sight: `cargo test --release -p platform cost -- --nocapture`.
    #[test]
    fn the_cost_of_a_request() {
        let table = SubjectTable::new(1 << 16);
        let rate = RequestRate { requests: u32::MAX, seconds: 10 };
        let marks: Vec<u64> = (0..1_000).map(mixed).collect();
        for mark in &marks {
            table.put(*mark, rate, LeaseGrant { granted: u32::MAX, ..WINDOW }, 0, 0);
        }
        let began = Instant::now();
        let taken = marks.iter().cycle().take(1_000_000).filter(|mark| table.take(**mark, rate, 1) == TakeOutcome::Yes);
        assert_eq!(taken.count(), 1_000_000);
        println!("{} ns", began.elapsed().as_nanos() / 1_000_000);
    }
}
