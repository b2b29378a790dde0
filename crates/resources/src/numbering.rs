//! The counters of `pAutonumber`: numbers without gaps, given inside the transaction that uses them.

use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::error::Result;
use model::kinds::AutonumberPattern;
use model::table_names::AUTONUMBER;
use model::types::{Property, ResourceType};
use std::collections::BTreeMap;

/// Takes the next numbers of a property, in order, for as many new resources.
///
/// The counter's row stays locked until the transaction ends: a number that is undone is given again.
pub fn take(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    property: &Property,
    pattern: &AutonumberPattern,
    count: usize,
) -> Result<Vec<Value>> {
    // The tenant's zone, not the user's: two users must not be in two periods.
    let day = request.now.to_zoned(request.model.settings.timezone.clone()).date();
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

/// The last numbers of a type's properties by property and period, while an import holds them.
pub fn last(tx: &mut Tx<'_>, of: &ResourceType) -> Result<BTreeMap<(i64, String), i64>> {
    let numbered = of.properties().iter().filter(|property| property.kind.autonumber().is_some());
    let ids: Vec<Value> = numbered.map(|property| Value::Integer(property.id)).collect();
    let mut last = BTreeMap::new();
    if ids.is_empty() {
        return Ok(last);
    }
    let mut sql = tx.sql();
    sql.push("SELECT property, period, last FROM ").table(&AUTONUMBER).push(" WHERE property");
    sql.any_of(ColumnType::Integer, ids);
    tx.query(&sql, &mut |row| {
        last.insert((row.integer(0)?, row.text(1)?.to_owned()), row.integer(2)?);
        Ok(())
    })?;
    Ok(last)
}

/// Gives numbers back that were taken, where nobody took one since.
pub fn give_back(tx: &mut Tx<'_>, property: i64, period: &str, [before, after]: [i64; 2]) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&AUTONUMBER).push(" SET last = ").bind(before).push(" WHERE property = ").bind(property);
    sql.push(" AND period = ").bind(period).push(" AND last = ").bind(after);
    Ok(tx.execute(&sql).map(drop)?)
}

/// Returns a value in the form of a number, without taking one.
pub(crate) fn like(request: &RequestContext, pattern: &AutonumberPattern) -> Value {
    let day = request.now.to_zoned(request.model.settings.timezone.clone()).date();
    Value::Text(pattern.format(day, 0))
}
