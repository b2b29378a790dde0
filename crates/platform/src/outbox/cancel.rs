//! Taking messages back.

use super::message::{Method, State};
use crate::error::Result;
use crate::tables::OUTBOX;
use crate::tenants::Call;
use database::{Tx, Value};

/// Cancels what was not sent yet of a challenge, by its row: of one method, or of all. To be called in the transaction that
/// makes the secrets in it invalid; they are wiped. Gives how many messages that were.
pub fn cancel(tx: &mut Tx<'_>, call: &Call, challenge: i64, method: Option<Method>) -> Result<u64> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&OUTBOX).push(" SET state = ").bind(State::Cancelled.name());
    sql.push(", content = NULL, due = NULL, ended = ").bind(Value::Timestamp(call.now.as_millisecond()));
    sql.push(" WHERE reference = 'challenge' AND reference_id = ").bind(challenge);
    if let Some(method) = method {
        sql.push(" AND reference_part = ").bind(method.name());
    }
    // One that is being sent may arrive; that it is cancelled keeps it from being sent again.
    sql.push(" AND due IS NOT NULL");
    Ok(tx.execute(&sql)?)
}
