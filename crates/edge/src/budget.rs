//! Memory of bodies and answers in flight, and files of answers: for each one budget for the process, of which each
//! address and each key has a share.

use super::answer::Problem;
use super::ledger::{ByteHolder, ByteLedger, MemoryLimits};
use bytes::Bytes;
use context::spool::MOST_FILES;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::Arc;

/// Answers up to this size are not counted: connections are, and each has one at most.
pub(super) const SMALL: usize = 16 * 1024;
/// The message of what is refused.
pub(super) const NO_ROOM: &str = "Too many bytes are in flight. Read the waiting answers, then try again.";
/// The memory of an answer that is in a file: a piece that is sent, and one that is read meanwhile.
const PIECES: usize = 256 * 1024;
/// The least that a file counts, where the budget is not smaller: of 128 files an address has 16.
const LEAST_FILE: usize = 8 << 20;
/// The most targets whose answers' sizes are remembered.
const TARGETS: usize = 4_096;

/// The budget of a process.
pub(super) struct MemoryBudget {
    hasher: RandomState,
    memory: ByteLedger,
    files: ByteLedger,
    /// The least that a file counts: it takes a place among few, whatever its length.
    least_file: usize,
    /// Answers of writes, which are part of `memory`, too.
    written: ByteLedger,
    /// The place and the size of the last answer, by caller and target.
    sizes: quick_cache::sync::Cache<u64, (AnswerPlace, usize)>,
}

/// The place of an answer until it is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerPlace {
    Memory,
    File,
}

/// The one whom bytes in flight are counted for.
#[derive(Clone)]
pub(crate) struct Account {
    budget: Arc<MemoryBudget>,
    holder: ByteHolder,
}

/// Bytes of the budget, given back when this is dropped.
pub(crate) struct Reservation {
    account: Account,
    place: AnswerPlace,
    bytes: usize,
}

/// The part of both budgets that an answer in a file has until it is taken.
pub(super) struct FileReservation {
    _memory: Reservation,
    _file: Reservation,
}

/// Bytes of an answer with their part of the budget: both go once the last of them is written.
struct Counted {
    bytes: Bytes,
    _reservation: Reservation,
}

impl MemoryBudget {
    pub(super) fn new(memory: MemoryLimits, files: MemoryLimits) -> Self {
        let sizes = quick_cache::sync::Cache::new(TARGETS);
        let least_file = (files.total / MOST_FILES as usize).min(LEAST_FILE);
        let [memory, written, files] = [memory, memory, files].map(ByteLedger::new);
        MemoryBudget { hasher: RandomState::new(), memory, files, least_file, written, sizes }
    }

    fn of(&self, place: AnswerPlace) -> &ByteLedger {
        match place {
            AnswerPlace::Memory => &self.memory,
            AnswerPlace::File => &self.files,
        }
    }

    /// The account of a client; `address` is that of its network.
    pub(super) fn account(self: &Arc<Self>, address: IpAddr, key: Option<&str>) -> Account {
        let key = key.map(|key| self.hasher.hash_one(key));
        Account { budget: Arc::clone(self), holder: ByteHolder { address, key } }
    }
}

impl Account {
    /// An account that nothing is refused: of what this process asks of itself.
    pub(super) fn unlimited(address: IpAddr) -> Self {
        let limits = MemoryLimits { total: usize::MAX, address: usize::MAX, key: usize::MAX };
        Arc::new(MemoryBudget::new(limits, limits)).account(address, None)
    }

    /// Reserves bytes, or refuses.
    pub(crate) fn reserve(&self, bytes: usize) -> Result<Reservation, Problem> {
        self.reserve_in(AnswerPlace::Memory, bytes)
    }

    /// Reserves the bytes of a body in a file, or refuses.
    pub(crate) fn reserve_file(&self, bytes: usize) -> Result<Reservation, Problem> {
        self.reserve_in(AnswerPlace::File, bytes.max(self.budget.least_file))
    }

    fn reserve_in(&self, place: AnswerPlace, bytes: usize) -> Result<Reservation, Problem> {
        let mut reservation = Reservation { account: self.clone(), place, bytes: 0 };
        reservation.grow(bytes)?;
        Ok(reservation)
    }

    /// Reserves what the answer for a target took the last time, before the work for it is done.
    pub(super) fn expect(&self, target: u64) -> Result<Reservation, Problem> {
        let (place, bytes) = self.budget.sizes.get(&target).unwrap_or((AnswerPlace::Memory, 0));
        self.reserve_in(place, bytes)
    }

    /// Names a target of this account, to be remembered.
    pub(super) fn target(&self, method: &str, uri: &http::Uri) -> u64 {
        self.budget.hasher.hash_one((self.holder.key, method, uri))
    }

    /// Counts an answer's bytes until they are written, and remembers how many there were.
    pub(super) fn count(&self, target: u64, bytes: Bytes, expected: Reservation) -> Result<Bytes, Problem> {
        if bytes.len() <= SMALL {
            if expected.bytes > 0 {
                self.budget.sizes.remove(&target);
            }
            return Ok(bytes);
        }
        self.budget.sizes.insert(target, (AnswerPlace::Memory, bytes.len()));
        let expected = expected.become_of(AnswerPlace::Memory, bytes.len())?;
        Ok(Bytes::from_owner(Counted { bytes, _reservation: expected }))
    }

    /// Counts the bytes of an answer in a file, and the memory that its pieces take.
    pub(super) fn count_file(
        &self,
        target: u64,
        bytes: usize,
        expected: Reservation,
    ) -> Result<FileReservation, Problem> {
        let bytes = bytes.max(self.budget.least_file);
        self.budget.sizes.insert(target, (AnswerPlace::File, bytes));
        let file = expected.become_of(AnswerPlace::File, bytes)?;
        Ok(FileReservation { _memory: self.reserve(PIECES)?, _file: file })
    }

    /// Returns true if another answer of a write may be made. Bodies and answers of reads do not count here, and where
    /// the process has no more, a holder of no such answer may have one: nobody else stops a tenant's writes.
    pub(super) fn has_room_for_written(&self) -> bool {
        self.budget.written.has_room(self.holder)
    }

    /// Counts an answer of a write in the place of what was counted of it before, be there room for it or not.
    pub(super) fn count_written(&self, former: usize, bytes: usize) {
        for ledger in [&self.budget.memory, &self.budget.written] {
            ledger.force(self.holder, bytes);
            ledger.remove(self.holder, former);
        }
    }
}

impl Reservation {
    /// Reserves more, or refuses.
    pub(crate) fn grow(&mut self, more: usize) -> Result<(), Problem> {
        if more == 0 {
            return Ok(());
        }
        if !self.ledger().add(self.account.holder, self.bytes, more) {
            return Err(Problem::unavailable(NO_ROOM));
        }
        self.bytes += more;
        Ok(())
    }

    /// Reserves more where it has less than so many bytes, or refuses.
    pub(crate) fn grow_to(&mut self, bytes: usize) -> Result<(), Problem> {
        self.grow(bytes.saturating_sub(self.bytes))
    }

    /// Makes of it one of so many bytes in a place.
    fn become_of(mut self, place: AnswerPlace, bytes: usize) -> Result<Self, Problem> {
        if self.place != place {
            return self.account.reserve_in(place, bytes);
        }
        self.resize(bytes)?;
        Ok(self)
    }

    fn ledger(&self) -> &ByteLedger {
        self.account.budget.of(self.place)
    }

    fn resize(&mut self, bytes: usize) -> Result<(), Problem> {
        match bytes.checked_sub(self.bytes) {
            Some(more) => self.grow(more),
            None => {
                self.ledger().remove(self.account.holder, self.bytes - bytes);
                self.bytes = bytes;
                Ok(())
            }
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.ledger().remove(self.account.holder, self.bytes);
        }
    }
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl std::fmt::Debug for Reservation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Reservation({} bytes)", self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::write_answer::WriteAnswer;
    use super::*;

    fn budget(total: usize, address: usize, key: usize) -> Arc<MemoryBudget> {
        let limits = MemoryLimits { total, address, key };
        Arc::new(MemoryBudget::new(limits, limits))
    }

    fn from(budget: &Arc<MemoryBudget>, host: u8, key: &str) -> Account {
        budget.account([10, 0, 0, host].into(), Some(key))
    }

    #[test]
    fn each_has_a_share_and_all_have_the_budget() {
        let budget = budget(100, 60, 40);
        let (one, other, third) = (from(&budget, 1, "a"), from(&budget, 1, "b"), from(&budget, 2, "c"));
        let first = one.reserve(30).unwrap();
        assert!(one.reserve(20).is_err(), "the key's share is used up");
        let second = other.reserve(30).unwrap();
        assert!(other.reserve(5).is_err(), "the address's share is used up");
        let last = third.reserve(40).unwrap();
        assert!(from(&budget, 3, "d").reserve(5).is_err(), "the budget is used up");
        drop((first, second, last));
        assert_eq!(budget.memory.taken(), (0, 0));
    }

    #[test]
    fn what_is_alone_may_be_large() {
        let budget = budget(100, 60, 40);
        let account = from(&budget, 1, "a");
        let mut large = account.reserve(10).unwrap();
        large.grow(500).unwrap();
        assert!(account.reserve(1).is_err());
    }

    #[test]
    fn answers_of_writes_are_counted_and_refuse_the_next_write() {
        let budget = budget(100_000, 100_000, 60_000);
        let totals = || (budget.memory.taken().0, budget.written.taken().0);
        let account = from(&budget, 1, "a");
        let held = account.reserve(60_000).unwrap();
        assert!(account.reserve(1).is_err(), "the share is used up");
        let answer = Arc::new(WriteAnswer::new(account.clone()));
        assert!(answer.admit().is_ok(), "no answer of a write waits");
        answer.count(70_000);
        assert_eq!(totals(), (130_000, 70_000));
        assert!(WriteAnswer::new(account).admit().is_err(), "the key's answers are more than its share");
        let other = from(&budget, 2, "b");
        assert!(other.reserve(1).is_err() && WriteAnswer::new(other.clone()).admit().is_ok(), "others have their own");
        let (second, third) = (WriteAnswer::new(other.clone()), WriteAnswer::new(other));
        second.count(40_000);
        assert!(third.admit().is_err(), "the process has no more, and this one has its answer");
        assert!(WriteAnswer::new(from(&budget, 3, "c")).admit().is_ok(), "who has none may have one");
        drop((second, third));
        let bytes = answer.keep(Bytes::from(vec![b'x'; 65_000]));
        assert_eq!(totals(), (125_000, 65_000));
        drop((held, bytes));
        assert_eq!((budget.memory.taken(), budget.written.taken()), ((0, 0), (0, 0)));
    }

    #[test]
    fn an_answer_is_counted_until_its_last_byte_is_gone_and_expected_the_next_time() {
        let budget = budget(100_000, 100_000, 60_000);
        let account = from(&budget, 1, "a");
        let expected = account.expect(7).unwrap();
        assert_eq!(expected.bytes, 0);
        let body = account.count(7, Bytes::from(vec![b'x'; 40_000]), expected).unwrap();
        let part = body.slice(1..2);
        drop(body);
        assert!(account.expect(7).is_err(), "the second would be as large");
        assert_eq!(account.expect(8).unwrap().bytes, 0);
        drop(part);
        assert_eq!(account.expect(7).unwrap().bytes, 40_000);
        assert_eq!(budget.memory.taken().0, 0);
    }

    #[test]
    fn a_short_file_counts_as_a_place_among_few() {
        let limits = |total, address, key| MemoryLimits { total, address, key };
        let memory = limits(256 << 20, 256 << 20, 256 << 20);
        let budget = Arc::new(MemoryBudget::new(memory, limits(1 << 30, 128 << 20, 256 << 20)));
        let answer = |host| {
            let account = from(&budget, host, "a");
            account.count_file(7, 1_100_000, account.reserve(0).unwrap())
        };
        let held: Vec<_> = (0..16).map(|_| answer(1).unwrap()).collect();
        assert!(answer(1).is_err(), "an eighth of all files is an address's part");
        assert!(answer(2).is_ok());
        drop(held);
        assert_eq!(budget.files.taken(), (0, 0));
    }

    #[test]
    fn an_answer_in_a_file_counts_there_and_takes_little_memory() {
        let budget = budget(1 << 20, 1 << 20, 1 << 20);
        let account = from(&budget, 1, "a");
        let expected = account.expect(7).unwrap();
        let held = account.count_file(7, 900_000, expected).unwrap();
        let taken = |ledger: &ByteLedger| ledger.taken().0;
        assert_eq!((taken(&budget.memory), taken(&budget.files)), (PIECES, 900_000));
        assert!(account.expect(7).is_err(), "the second would be as large");
        let memory = account.expect(8).unwrap();
        let small = account.count(8, Bytes::from(vec![b'x'; 40_000]), memory).unwrap();
        drop(held);
        assert_eq!((taken(&budget.memory), taken(&budget.files)), (40_000, 0));
        // What was in a file the last time, and is in memory now, goes over.
        let expected = account.expect(7).unwrap();
        assert_eq!(taken(&budget.files), 900_000);
        drop((account.count(7, Bytes::from(vec![b'x'; 20_000]), expected).unwrap(), small));
        assert_eq!((taken(&budget.memory), taken(&budget.files)), (0, 0));
    }
}
