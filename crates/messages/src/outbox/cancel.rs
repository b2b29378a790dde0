//! Taking messages back.

use super::message::{Method, State};
use context::request_context::RequestContext;
use database::{ColumnType, Sql, Tx, Value};
use jiff::Timestamp;
use model::error::Result;
use model::table_names::OUTBOX;

/// Cancels what was not sent yet of a challenge, by its row: of one method, or of all. To be called in the transaction that
/// makes the secrets in it invalid; they are wiped. Gives how many messages that were.
pub fn cancel(tx: &mut Tx<'_>, context: &RequestContext, challenge: i64, method: Option<Method>) -> Result<u64> {
    let mut sql = cancelled(tx, context.now);
    sql.push(" AND reference = 'challenge' AND reference_id = ").bind(challenge);
    if let Some(method) = method {
        sql.push(" AND reference_part = ").bind(method.name());
    }
    Ok(tx.execute(&sql)?)
}

/// Cancels the mails of resets that were not sent yet, by the rows of their links.
pub fn cancel_resets(tx: &mut Tx<'_>, context: &RequestContext, links: Vec<Value>) -> Result<()> {
    if !links.is_empty() {
        let mut sql = cancelled(tx, context.now);
        sql.push(" AND reference = 'reset' AND reference_id").any_of(ColumnType::Integer, links);
        tx.execute(&sql)?;
    }
    Ok(())
}

/// Cancels all that waits, in the store of a tenant that is not served yet.
pub fn cancel_all(tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
    let sql = cancelled(tx, now);
    Ok(tx.execute(&sql).map(drop)?)
}

/// One that is being sent may arrive; that it is cancelled keeps it from being sent again.
fn cancelled(tx: &Tx<'_>, now: Timestamp) -> Sql {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&OUTBOX).push(" SET state = ").bind(State::Cancelled.name());
    sql.push(", content = NULL, due = NULL, ended = ").bind(Value::Timestamp(now.as_millisecond()));
    sql.push(" WHERE due IS NOT NULL");
    sql
}
