//! Leases of allowances: a row for each subject, raised by one statement.
//!
//! The row's lock makes the sum exact, and the server's clock alone opens and closes windows. A node that dies
//! takes what it leased with it until the window ends.

use crate::ddl::ALLOWANCE;
use crate::{Error, LeaseClaim, LeaseGrant, Result, Tx, Value};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The number of leases of this process after which it deletes rows of closed windows.
const SWEEP: u32 = 64;

static LEASES: AtomicU32 = AtomicU32::new(0);

/// Takes a block of what is left of the subject's window, or opens the next window.
pub(super) fn lease(tx: &mut Tx<'_>, prefix: &str, claim: &LeaseClaim) -> Result<LeaseGrant> {
    let (limit, first) = (i64::from(claim.limit), i64::from(claim.first()));
    let period = i64::try_from(claim.period.as_millis()).unwrap_or(i64::MAX);
    let mut sql = tx.sql();
    sql.push("INSERT INTO ")
        .append(prefix)
        .name(&ALLOWANCE)
        .push(" AS held (subject, quota, used, granted, ends) VALUES (");
    sql.bind(claim.subject.as_str()).push(", ").bind(limit).push(", ").bind(first).push(", ").bind(first);
    sql.push(", now() + ").bind(Value::Integer(period)).push("::bigint * interval '1 millisecond')");
    // Beside `granted`, every expression is on the row as it was. A node gets an eighth of what is left at most.
    const BLOCK: &str = "greatest(0, least(excluded.granted, greatest(1, (excluded.quota - held.used) / 8), \
                         excluded.quota - held.used))";
    sql.push(" ON CONFLICT (subject) DO UPDATE SET quota = excluded.quota");
    sql.push(", granted = CASE WHEN held.ends <= now() THEN excluded.granted ELSE ").push(BLOCK).push(" END");
    sql.push(", used = CASE WHEN held.ends <= now() THEN excluded.granted ELSE held.used + ").push(BLOCK).push(" END");
    sql.push(", ends = CASE WHEN held.ends <= now() THEN excluded.ends ELSE least(held.ends, excluded.ends) END");
    sql.push(" RETURNING granted, greatest(0, quota - used)");
    sql.push(", ceil(extract(epoch FROM ends - now()) * 1000)::bigint");
    let mut leased = None;
    tx.query(&sql, &mut |row| {
        let number = |index| Ok::<_, Error>(row.integer(index)?.unsigned_abs());
        let small = |index| Ok::<_, Error>(u32::try_from(number(index)?).unwrap_or(u32::MAX));
        leased = Some(LeaseGrant { granted: small(0)?, rest: small(1)?, ends_in: Duration::from_millis(number(2)?) });
        Ok(())
    })?;
    if LEASES.fetch_add(1, Ordering::Relaxed) % SWEEP == SWEEP - 1 {
        sweep(tx, prefix)?;
    }
    leased.ok_or_else(|| Error::Failed("a lease gave no row".into()))
}

/// Deletes more rows than can have come since the last time, and waits for nobody.
fn sweep(tx: &mut Tx<'_>, prefix: &str) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").append(prefix).name(&ALLOWANCE);
    sql.push(" WHERE subject IN (SELECT subject FROM ").append(prefix).name(&ALLOWANCE);
    sql.push(" WHERE ends < now() ORDER BY ends LIMIT 256 FOR UPDATE SKIP LOCKED)");
    tx.execute(&sql).map(|_| ())
}
