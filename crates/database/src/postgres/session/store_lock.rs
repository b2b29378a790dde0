//! The locks that keep writes and changes of the configuration apart.
//!
//! All end with their transaction. None is of a session: a pooler may give each transaction another one. They are
//! advisory locks, or locks of rows where the server has no such locks ([`StoreGuard`]).

use crate::{Sql, StoreGuard, ddl};

const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
const LOCK: &str = "SELECT pg_advisory_xact_lock(";
const LOCK_SHARED: &str = "SELECT pg_advisory_xact_lock_shared(";

/// The rows of the state's table that are locked, by their ids. That of the epochs is the guard.
const GUARD: LockedRow = LockedRow { id: 1, gate: 2 };
const TURN: LockedRow = LockedRow { id: 3, gate: 4 };
/// The first of the rows that names are spread over, and their number.
const NAMES: [i64; 2] = [5, 16];
/// The row of a write that shares the guard and wants it alone.
const RAISE: i64 = 21;

/// A row that is locked. PostgreSQL lets those that share a row pass by one that waits for it alone, who would wait for
/// ever under load: the gate is a second row, which that one holds while it waits. All others go through it first.
#[derive(Clone, Copy)]
struct LockedRow {
    id: i64,
    gate: i64,
}

/// The locks of a store.
pub(super) struct StoreLocks<'p> {
    guard: StoreGuard,
    /// The text before a table's name; empty for statements on the server itself, which have no rows to lock.
    prefix: &'p str,
}

impl<'p> StoreLocks<'p> {
    pub(super) fn new(guard: StoreGuard, prefix: &'p str) -> Self {
        StoreLocks { guard, prefix }
    }

    /// Begins a write: others may write at the same time, but none may change the configuration until it ends.
    ///
    /// The lock is a statement of its own before the epochs are checked, since a statement does not see what is
    /// committed while it waits. It goes along with `BEGIN`, and is shared: ordinary writes never wait for one another.
    pub(super) fn begin_write(&self, sql: impl Fn() -> Sql) -> Vec<Sql> {
        let locks = match self.guard {
            StoreGuard::Advisory => vec![advisory(sql(), LOCK_SHARED, self.prefix)],
            StoreGuard::Row if self.prefix.is_empty() => Vec::new(),
            StoreGuard::Row => share_row(&sql, GUARD),
        };
        begin(sql(), locks)
    }

    /// Begins a write that has the store to itself.
    pub(super) fn begin_locked(&self, sql: impl Fn() -> Sql) -> Vec<Sql> {
        let locks = match self.guard {
            StoreGuard::Advisory => vec![advisory(sql(), LOCK, self.prefix)],
            StoreGuard::Row if self.prefix.is_empty() => Vec::new(),
            StoreGuard::Row => take_row(&sql, GUARD),
        };
        begin(sql(), locks)
    }

    /// Waits, within a write, until no other writes to the store.
    pub(super) fn lock_store(&self, sql: impl Fn() -> Sql) -> Vec<Sql> {
        match self.guard {
            StoreGuard::Advisory => vec![advisory(sql(), LOCK, self.prefix)],
            // A second one would wait for the first, and the first for it. And one that shares the row already must not
            // wait at the gate: the one that holds it waits for this one.
            StoreGuard::Row => vec![
                row(sql(), RAISE, "UPDATE NOWAIT"),
                row(sql(), GUARD.gate, "UPDATE SKIP LOCKED"),
                row(sql(), GUARD.id, "UPDATE"),
            ],
        }
    }

    /// Waits until no other has the store's write lock, or until none has it exclusively.
    pub(super) fn write_lock(&self, sql: impl Fn() -> Sql, exclusive: bool) -> Vec<Sql> {
        match (self.guard, exclusive) {
            (StoreGuard::Advisory, _) => {
                let wait = if exclusive { LOCK } else { LOCK_SHARED };
                vec![advisory(sql(), wait, &format!("{}turn", self.prefix))]
            }
            (StoreGuard::Row, true) => take_row(&sql, TURN),
            (StoreGuard::Row, false) => share_row(&sql, TURN),
        }
    }

    /// Takes the lock of a name, unless another write has it. With locks of rows it waits for that one, and for those
    /// whose names share the row.
    pub(super) fn try_lock(&self, mut sql: Sql, name: &str) -> Sql {
        let key = key(&format!("{}{name}", self.prefix));
        match self.guard {
            StoreGuard::Advisory => {
                sql.push("SELECT pg_try_advisory_xact_lock(").bind(key).push(")");
                sql
            }
            StoreGuard::Row => {
                let [first, count] = NAMES;
                sql.push("SELECT true FROM ").table(&ddl::STATE).push(" WHERE id = ");
                sql.bind(first + key.rem_euclid(count)).push(" FOR UPDATE");
                sql
            }
        }
    }
}

/// Turns a statement into one that adds the rows that are locked to the table of the epochs, where they are missing.
pub(in crate::postgres) fn add_rows(state: &str) -> String {
    format!(
        "INSERT INTO {state} (id, access, configuration) SELECT n, 0, 0 FROM generate_series({}, {RAISE}) AS n \
         ON CONFLICT (id) DO NOTHING;",
        GUARD.gate
    )
}

fn begin(mut begin: Sql, locks: Vec<Sql>) -> Vec<Sql> {
    begin.push(BEGIN_WRITE);
    [begin].into_iter().chain(locks).collect()
}

fn advisory(mut sql: Sql, wait: &'static str, name: &str) -> Sql {
    sql.push(wait).bind(key(name)).push(")");
    sql
}

fn row(mut sql: Sql, id: i64, strength: &'static str) -> Sql {
    sql.push("SELECT 1 FROM ").table(&ddl::STATE).push(" WHERE id = ").bind(id).push(" FOR ").push(strength);
    sql
}

/// Locks a row beside others. What is locked within a savepoint is free once that is undone.
fn share_row(sql: &impl Fn() -> Sql, locked: LockedRow) -> Vec<Sql> {
    let command = |text| {
        let mut sql = sql();
        sql.push(text);
        sql
    };
    vec![
        command("SAVEPOINT gate"),
        row(sql(), locked.gate, "KEY SHARE"),
        command("ROLLBACK TO SAVEPOINT gate"),
        command("RELEASE SAVEPOINT gate"),
        row(sql(), locked.id, "KEY SHARE"),
    ]
}

/// Locks a row alone.
fn take_row(sql: &impl Fn() -> Sql, locked: LockedRow) -> Vec<Sql> {
    vec![row(sql(), locked.gate, "UPDATE"), row(sql(), locked.id, "UPDATE")]
}

/// The number of a store's lock: the same in every process. Two stores that share one only wait for each other's
/// changes of the configuration.
fn key(prefix: &str) -> i64 {
    let digest = "plinth"
        .bytes()
        .chain(prefix.bytes())
        .fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    digest.cast_signed()
}
