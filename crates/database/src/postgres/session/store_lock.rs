//! The locks that keep writes and changes of the configuration apart.
//!
//! All are advisory locks of a transaction, and end with it. None is of a session: a pooler may give each transaction
//! another one.

use crate::Sql;

const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
const LOCK: &str = "SELECT pg_advisory_xact_lock(";
const LOCK_SHARED: &str = "SELECT pg_advisory_xact_lock_shared(";

/// Begins a write: others may write at the same time, but nobody may change the configuration until it ends.
///
/// The lock is a statement of its own before the epochs are checked, since a statement does not see what is
/// committed while it waits. It goes along with `BEGIN`, lies in memory alone, and is shared: ordinary writes never
/// wait for one another.
pub(super) fn begin_write(sql: impl Fn() -> Sql, prefix: &str) -> Vec<Sql> {
    begin(&sql, LOCK_SHARED, prefix)
}

/// Begins a write that has the store to itself.
pub(super) fn begin_locked(sql: impl Fn() -> Sql, prefix: &str) -> Vec<Sql> {
    begin(&sql, LOCK, prefix)
}

/// Waits until nobody else writes to the store.
pub(super) fn lock_store(mut sql: Sql, prefix: &str) -> Sql {
    sql.push(LOCK).bind(key(prefix)).push(")");
    sql
}

/// Waits until nobody else has the store's write lock, or until nobody has it exclusively.
pub(super) fn write_lock(mut sql: Sql, prefix: &str, exclusive: bool) -> Sql {
    sql.push(if exclusive { LOCK } else { LOCK_SHARED });
    sql.bind(key(&format!("{prefix}turn"))).push(")");
    sql
}

/// Takes the lock of a name, unless another write has it.
pub(super) fn try_lock(mut sql: Sql, prefix: &str, name: &str) -> Sql {
    sql.push("SELECT pg_try_advisory_xact_lock(").bind(key(&format!("{prefix}{name}"))).push(")");
    sql
}

fn begin(sql: &impl Fn() -> Sql, wait: &'static str, prefix: &str) -> Vec<Sql> {
    let (mut begin, mut lock) = (sql(), sql());
    begin.push(BEGIN_WRITE);
    lock.push(wait).bind(key(prefix)).push(")");
    vec![begin, lock]
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
