//! Counters of tries, exact across nodes: each is a row, which stays locked from its raise to the transaction's end.
//!
//! A window begins with its first try and ends for itself. What must be counted whatever comes after it (a comparison
//! of secrets, a hash) is counted in a transaction of its own, committed before: `Tenant::count_try`. What is
//! refused raises nothing, so waiting always helps.

use database::{ColumnType, Tx, Value, ValueRef};
use jiff::Timestamp;
use model::error::{Error, ErrorKind, Result};
use model::rate::{RatePolicy, RequestRate};
use model::table_names::THROTTLE;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::net::IpAddr;

/// `user.challenge`, by network address.
pub const CHALLENGE: AttemptLimit = AttemptLimit { kind: "challenge", tries: 20, seconds: 60 };
/// The page that asks for a reset of a password, by network address: it takes no key.
pub const FORGOT: AttemptLimit = AttemptLimit { kind: "forgot", tries: 20, seconds: 60 };
/// Resets of a password, by e-mail address: all of them hold. They are met in silence.
pub const RESET: [AttemptLimit; 2] = [
    AttemptLimit { kind: "resetMinute", tries: 1, seconds: 60 },
    AttemptLimit { kind: "resetHour", tries: 5, seconds: 60 * 60 },
];
/// Texts, by the number that they go to.
pub const TEXT: AttemptLimit = AttemptLimit { kind: "text", tries: 10, seconds: 24 * 60 * 60 };

/// The time for which counters are kept past their window. Nobody raises those that are swept, so none waits for the
/// other.
const KEPT: i64 = 60 * 60 * 1_000;

/// So many tries of a kind in a window of so many seconds, for each subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttemptLimit {
    /// The action that is tried; a prefix of the counter's name, so no two limits share one.
    pub kind: &'static str,
    /// The number of tries.
    pub tries: u32,
    /// In which time.
    pub seconds: u32,
}

/// A limit for one subject.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AttemptCounter {
    subject: String,
    /// The limit.
    pub limit: AttemptLimit,
}

/// The reading of a counter once it is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterReading {
    /// Tries in this window, this one too.
    pub tries: i64,
    /// When the window ends, in milliseconds since 1970.
    pub ends: i64,
}

/// A limit that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReachedLimit {
    /// The limit.
    pub limit: AttemptLimit,
    /// From when on another try can succeed, in milliseconds since 1970.
    pub until: i64,
}

impl AttemptLimit {
    /// The counter of a text, which is in its normal form. It is kept as a hash: what somebody typed as a login may
    /// be a password.
    pub fn of(self, text: &str) -> AttemptCounter {
        let mut subject = format!("{}:", self.kind);
        for byte in Sha256::digest(text) {
            let _ = write!(subject, "{byte:02x}");
        }
        AttemptCounter { subject, limit: self }
    }

    /// The counter of a peer's address as attackers come by them: one of IPv4, a /64 of IPv6.
    pub fn of_network(self, address: IpAddr) -> AttemptCounter {
        self.of(&match address.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("{:x?}/64", &address.segments()[..4]),
        })
    }
}

impl AttemptCounter {
    /// Raises the counter, or starts it anew where its window has passed; whether there were too many is for the
    /// caller to say. The row stays locked to the end of the transaction, so no two tries see the same number.
    pub fn raise(&self, tx: &mut Tx<'_>, now: Timestamp) -> Result<CounterReading> {
        let (now, window) = (now.as_millisecond(), i64::from(self.limit.seconds) * 1_000);
        let passed = " CASE WHEN plinth_throttle.started <= ";
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&THROTTLE).push(" (subject, tries, started, ends) VALUES (");
        sql.bind(self.subject.as_str()).push(", 1, ").bind(Value::Timestamp(now)).push(", ");
        sql.bind(Value::Timestamp(now + window)).push(") ON CONFLICT (subject) DO UPDATE SET tries =");
        sql.push(passed)
            .bind(Value::Timestamp(now - window))
            .push(" THEN 1 ELSE plinth_throttle.tries + 1 END, started =");
        sql.push(passed)
            .bind(Value::Timestamp(now - window))
            .push(" THEN excluded.started ELSE plinth_throttle.started END, ends =");
        sql.push(passed).bind(Value::Timestamp(now - window)).push(" THEN excluded.ends ELSE plinth_throttle.ends END");
        sql.push(" RETURNING tries, started");
        let mut count = CounterReading { tries: 0, ends: now + window };
        tx.query(&sql, &mut |row| {
            count.tries = row.integer(0)?;
            if let ValueRef::Timestamp(started) = row.get(1, ColumnType::Timestamp)? {
                count.ends = started + window;
            }
            Ok(())
        })?;
        Ok(count)
    }

    /// Takes a try back, of something that succeeded or was not done.
    pub fn give_back(&self, tx: &mut Tx<'_>) -> Result<()> {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&THROTTLE).push(" SET tries = tries - 1 WHERE tries > 0 AND subject = ");
        sql.bind(self.subject.as_str());
        tx.execute(&sql)?;
        Ok(())
    }
}

impl ReachedLimit {
    /// The error that tells of it, with what to do.
    pub fn error(self, now: Timestamp, code: &'static str, message: &str) -> Error {
        let seconds = (self.until - now.as_millisecond() + 999) / 1_000;
        let retry_after = u32::try_from(seconds.max(1)).unwrap_or(u32::MAX);
        let rate = RequestRate { requests: self.limit.tries, seconds: self.limit.seconds };
        let policy = Some(RatePolicy { name: self.limit.kind, rate });
        Error::new(ErrorKind::TooMany { retry_after, policy }, code, message)
    }
}

/// Counts a try by all of the counters, in this transaction; where one of them is spent, by none, and it is given.
pub fn take(tx: &mut Tx<'_>, counters: &[AttemptCounter], now: Timestamp) -> Result<Option<ReachedLimit>> {
    for (index, counter) in counters.iter().enumerate() {
        let count = counter.raise(tx, now)?;
        if count.tries > i64::from(counter.limit.tries) {
            counters[..=index].iter().try_for_each(|raised| raised.give_back(tx))?;
            return Ok(Some(ReachedLimit { limit: counter.limit, until: count.ends }));
        }
    }
    Ok(None)
}

/// Deletes counters whose window has long passed; gives how many.
pub fn sweep(tx: &mut Tx<'_>, now: Timestamp) -> Result<u64> {
    let mut sql = tx.sql();
    // Counters of an earlier version know no end; their windows had a quarter of an hour.
    sql.push("DELETE FROM ").table(&THROTTLE).push(" WHERE COALESCE(ends, started) < ");
    sql.bind(Value::Timestamp(now.as_millisecond() - KEPT));
    Ok(tx.execute(&sql)?)
}

#[cfg(test)]
mod tests {
    use super::{AttemptCounter, AttemptLimit, RESET, ReachedLimit, sweep, take};
    use crate::tables;
    use database::{Database, PostgresOptions, SqliteOptions, Tx};
    use jiff::Timestamp;
    use model::environment::Random;
    use model::error::{Error, ErrorKind};

    struct ZeroRandom;

    impl Random for ZeroRandom {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    /// Runs the check in a transaction of a new store on each engine.
    fn on_both(check: impl Fn(&mut Tx<'_>) -> Result<(), Error>) {
        let folder = tempfile::tempdir().unwrap();
        let options = SqliteOptions { folder: folder.path().to_owned(), readers: 1, descriptors: 192 };
        let url = testing::postgres().database();
        for database in [
            Database::sqlite(options).unwrap(),
            Database::postgres(PostgresOptions { url, connections: 2, ..Default::default() }).unwrap(),
        ] {
            let store = database.create("acme").unwrap();
            store.write_blocking(|tx| tables::create(tx, &ZeroRandom, &[])).unwrap();
            store.write_blocking(&check).unwrap();
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + seconds).unwrap()
    }

    #[test]
    fn a_window_begins_with_its_first_try_and_what_is_refused_counts_for_nothing() {
        on_both(|tx| {
            let [minute, hour] = RESET.map(|limit| limit.of("ann@acme.test"));
            let mut granted = Vec::new();
            for second in 0..4_000 {
                match take(tx, &[minute.clone(), hour.clone()], at(second))? {
                    None => granted.push(second),
                    Some(over) if second < 300 => assert_eq!(over.until, at(second / 60 * 60 + 60).as_millisecond()),
                    Some(over) if second < 3_600 => {
                        assert_eq!(over, ReachedLimit { limit: RESET[1], until: at(3_600).as_millisecond() })
                    }
                    Some(_) => {}
                }
            }
            assert_eq!(granted, [0, 60, 120, 180, 240, 3_600, 3_660, 3_720, 3_780, 3_840]);
            let other = RESET.map(|limit| limit.of("bob@acme.test"));
            assert_eq!(take(tx, &other, at(10))?, None, "each has its own");
            Ok(())
        });
    }

    #[test]
    fn counters_go_an_hour_after_their_window() {
        on_both(|tx| {
            let day = AttemptLimit { kind: "day", tries: 1, seconds: 86_400 };
            let minute = AttemptLimit { kind: "minute", tries: 1, seconds: 60 };
            for limit in [day, minute] {
                limit.of("x").raise(tx, at(0))?;
            }
            assert_eq!(sweep(tx, at(3_660))?, 0);
            assert_eq!(sweep(tx, at(3_661))?, 1);
            assert_eq!(day.of("x").raise(tx, at(3_662))?.tries, 2);
            assert_eq!(sweep(tx, at(90_001))?, 1);
            Ok(())
        });
    }

    #[test]
    fn networks_share_a_counter() {
        let limit = AttemptLimit { kind: "x", tries: 1, seconds: 1 };
        let of = |text: &str| -> AttemptCounter { limit.of_network(text.parse().unwrap()) };
        assert_eq!(of("192.0.2.1").subject, of("::ffff:192.0.2.1").subject);
        assert_ne!(of("192.0.2.1").subject, of("192.0.2.2").subject);
        assert_eq!(of("2001:db8:1:2::1").subject, of("2001:db8:1:2:ffff::").subject);
        assert_ne!(of("2001:db8:1:2::1").subject, of("2001:db8:1:3::1").subject);
        assert_ne!(AttemptLimit { kind: "y", ..limit }.of("a").subject, limit.of("a").subject);
    }

    #[test]
    fn an_error_says_when_to_come_again() {
        let over = ReachedLimit { limit: RESET[0], until: at(60).as_millisecond() };
        let error = over.error(at(0), "throttled", "Later.");
        assert!(matches!(error.kind, ErrorKind::TooMany { retry_after: 60, policy: Some(_) }), "{error:?}");
        let error = over.error(at(61), "throttled", "Later.");
        assert!(matches!(error.kind, ErrorKind::TooMany { retry_after: 1, .. }), "{error:?}");
    }
}
