//! The counters of `pAutonumber`: numbers without gaps, given inside the transaction that uses them.

use crate::error::Result;
use crate::kinds::Autonumber;
use crate::tables::AUTONUMBER;
use crate::tenants::Call;
use crate::types::Property;
use database::{Tx, Value};

/// Takes the next numbers of a property, in order, for as many new resources.
///
/// The counter's row stays locked until the transaction ends: a number that is undone is given again.
pub(crate) fn take(
    tx: &mut Tx<'_>,
    call: &Call,
    property: &Property,
    pattern: &Autonumber,
    count: usize,
) -> Result<Vec<Value>> {
    // The tenant's zone, not the user's: two users must not be in two periods.
    let day = call.now.to_zoned(call.model.settings.timezone.clone()).date();
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&AUTONUMBER).push(" AS c (property, period, last) VALUES (").bind(property.id);
    sql.push(", ").bind(pattern.period(day)).push(", ").bind(count);
    sql.push(") ON CONFLICT (property, period) DO UPDATE SET last = c.last + excluded.last RETURNING last");
    let mut last = 0;
    tx.query(&sql, &mut |row| {
        last = row.integer(0)?;
        Ok(())
    })?;
    Ok((last - count + 1..=last).map(|number| Value::Text(pattern.format(day, number))).collect())
}

/// What a number looks like, without taking one.
pub(crate) fn like(call: &Call, pattern: &Autonumber) -> Value {
    let day = call.now.to_zoned(call.model.settings.timezone.clone()).date();
    Value::Text(pattern.format(day, 0))
}
