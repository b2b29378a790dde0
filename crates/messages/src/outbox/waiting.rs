//! The rows of an outbox that wait, for figures of operators.

use super::message::Channel;
use database::{ColumnType, Tx, Value};
use model::error::Result;
use model::table_names::OUTBOX;

/// The most rows that are counted: more are a trouble of another sort, and the count is to be cheap.
const MOST: i64 = 10_000;

/// Returns how many rows wait or are being sent, 10,000 at most, and when the oldest of these was made, in milliseconds.
pub fn waiting(tx: &mut Tx<'_>) -> Result<(u64, Option<i64>)> {
    let channels = [Channel::Mail, Channel::Sms, Channel::Task].map(|channel| Value::Text(channel.name().to_owned()));
    let mut sql = tx.sql();
    sql.push("SELECT count(*), min(created) FROM (SELECT created FROM ").table(&OUTBOX).push(" WHERE channel");
    sql.any_of(ColumnType::Text, channels.into()).push(" AND due IS NOT NULL").limit(MOST, 0).push(") AS w");
    let mut found = (0, None);
    tx.query(&sql, &mut |row| {
        let count = row.integer(0)?;
        let oldest = if count > 0 { Some(row.timestamp(1)?) } else { None };
        found = (u64::try_from(count).unwrap_or_default(), oldest);
        Ok(())
    })?;
    Ok(found)
}
