//! The rounds of a node's worker: which tenants may have something to do that this node does not know of.
//!
//! What this node puts there, it does. What another process put there and left, as it was a command or died,
//! is found by looking; but only where something was put there since this node last looked.

use database::ChangeMark;
use std::collections::{BTreeMap, btree_map::Entry};
use std::time::Duration;
use tenant::worker::CLOCK_ERROR;

/// The findings of the rounds so far.
pub(super) struct PollRounds {
    /// The time between two of them, in milliseconds.
    interval: i64,
    /// When the last one was.
    last: Option<i64>,
    seen: BTreeMap<String, SeenTenant>,
}

/// The findings about a tenant.
struct SeenTenant {
    mark: ChangeMark,
    /// True if the tenant was looked into in two rounds at this mark. What the first told of may not have been
    /// committed then; a round later it is, as no transaction of a request waits or lasts that long.
    settled: bool,
}

impl PollRounds {
    /// Returns the rounds of a node that has made none, with the time between two of them.
    pub(super) fn new(interval: Duration) -> Self {
        let interval = i64::try_from(interval.as_millis()).unwrap_or(i64::MAX);
        PollRounds { interval, last: None, seen: BTreeMap::new() }
    }

    /// Returns true if it is time for a round. A clock that went back does not put it off.
    pub(super) fn due(&self, now: i64) -> bool {
        self.last.is_none_or(|last| !(last..last.saturating_add(self.interval)).contains(&now))
    }

    /// Returns true if the clock was ahead in the last round, by far.
    pub(super) fn was_ahead(&self, now: i64) -> bool {
        self.last.is_some_and(|last| now < last.saturating_sub(CLOCK_ERROR))
    }

    /// Begins a round; gives the tenants to look into.
    pub(super) fn begin(&mut self, now: i64, marks: BTreeMap<String, ChangeMark>) -> Vec<String> {
        self.last = Some(now);
        self.seen.retain(|tenant, _| marks.contains_key(tenant));
        let look = |(tenant, mark): (String, ChangeMark)| match self.seen.entry(tenant) {
            Entry::Vacant(entry) => {
                let tenant = entry.key().clone();
                entry.insert(SeenTenant { mark, settled: false });
                Some(tenant)
            }
            Entry::Occupied(entry) if entry.get().mark == mark && entry.get().settled => None,
            Entry::Occupied(mut entry) => {
                let settled = entry.get().mark == mark;
                entry.insert(SeenTenant { mark, settled });
                Some(entry.key().clone())
            }
        };
        marks.into_iter().filter_map(look).collect()
    }

    /// A look failed: the next round looks again.
    pub(super) fn forget(&mut self, tenant: &str) {
        self.seen.remove(tenant);
    }
}

#[cfg(test)]
mod tests {
    use super::PollRounds;
    use database::{Database, Name, SqliteOptions};
    use std::time::Duration;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_round_looks_where_something_was_put_until_it_is_sure() {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions { folder: folder.path().to_owned(), readers: 1, descriptors: 192 };
        let database = Database::sqlite(options).unwrap();
        for name in ["a", "b"] {
            database.create(name).unwrap();
        }
        let mut rounds = PollRounds::new(MINUTE);
        let begin = |rounds: &mut PollRounds| rounds.begin(0, database.growth(&Name::fixed("t")).unwrap());
        assert_eq!(begin(&mut rounds), ["a", "b"]);
        assert_eq!(begin(&mut rounds), ["a", "b"]);
        assert!(begin(&mut rounds).is_empty());
        database.store("b").unwrap().write_blocking(|tx| tx.raise_access()).unwrap();
        assert_eq!(begin(&mut rounds), ["b"]);
        assert_eq!(begin(&mut rounds), ["b"]);
        assert!(begin(&mut rounds).is_empty());
        rounds.forget("a");
        assert_eq!(begin(&mut rounds), ["a"]);
        database.delete("b").unwrap();
        assert_eq!(begin(&mut rounds), ["a"]);
    }

    #[test]
    fn a_round_is_made_once_an_interval() {
        let mut rounds = PollRounds::new(MINUTE);
        assert!(rounds.due(5));
        rounds.begin(5, Default::default());
        assert!(!rounds.due(5) && !rounds.due(60_004));
        assert!(rounds.due(60_005) && rounds.due(4));
    }
}
