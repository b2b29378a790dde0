//! The locks that keep writes and changes of the configuration apart, and what tells a read that there was one.

use crate::{Epochs, Sql, ddl};

const BEGIN_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
const ALONE: &str = "SELECT pg_advisory_xact_lock(";

/// Begins a write: others may write at the same time, but nobody may change the configuration until it ends.
///
/// The lock is a statement of its own before the epochs are verified, since a statement does not see what is
/// committed while it waits. It goes along with `BEGIN`, lies in memory alone, and is shared: ordinary writes never
/// wait for one another.
pub(super) fn begin_write(sql: impl Fn() -> Sql, prefix: &str) -> Vec<Sql> {
    begin(&sql, "SELECT pg_advisory_xact_lock_shared(", prefix)
}

/// Begins a write that has the store to itself.
pub(super) fn begin_alone(sql: impl Fn() -> Sql, prefix: &str) -> Vec<Sql> {
    begin(&sql, ALONE, prefix)
}

/// Waits until nobody else writes to the store.
pub(super) fn wait_alone(mut sql: Sql, prefix: &str) -> Sql {
    sql.push(ALONE).bind(key(prefix)).push(")");
    sql
}

/// Waits until nobody else has a turn, or until nobody has one alone; the turn ends with the transaction.
pub(super) fn take_turn(mut sql: Sql, prefix: &str, alone: bool) -> Sql {
    sql.push(if alone { ALONE } else { "SELECT pg_advisory_xact_lock_shared(" });
    sql.bind(key(&format!("{prefix}turn"))).push(")");
    sql
}

fn begin(sql: &impl Fn() -> Sql, wait: &'static str, prefix: &str) -> Vec<Sql> {
    let (mut begin, mut lock) = (sql(), sql());
    begin.push(BEGIN_WRITE);
    lock.push(wait).bind(key(prefix)).push(")");
    vec![begin, lock]
}

/// Turns a statement into one that fails unless both epochs are these.
pub(super) fn verify(mut sql: Sql, epochs: Epochs) -> Sql {
    sql.push("SELECT 1 / (CASE WHEN access = ").bind(epochs.access);
    sql.push(" AND configuration = ").bind(epochs.configuration);
    sql.push(" THEN 1 ELSE 0 END) FROM ").table(&ddl::STATE).push(" WHERE id = 1");
    sql
}

/// Turns a statement into one that fails unless the configuration is still this.
pub(super) fn verify_configuration(mut sql: Sql, configuration: i64) -> Sql {
    sql.push("SELECT 1 / (CASE WHEN configuration = ").bind(configuration);
    sql.push(" THEN 1 ELSE 0 END) FROM ").table(&ddl::STATE).push(" WHERE id = 1");
    sql
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
