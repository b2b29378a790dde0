//! Outcomes of rows that this node claimed, and leases that are renewed until there is one.

use super::claim::ClaimedMessage;
use super::message::State;
use context::request_context::RequestContext;
use database::{Sql, Tx, Value};
use model::error::Result;
use model::table_names::OUTBOX;
use tenant::worker::{LEASE, TRIES, pause};

/// Outcome of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TryOutcome {
    /// The provider took it.
    Sent,
    /// It may work later. The text is for people and holds nothing of the message.
    Later(String),
    /// It never will.
    Never(String),
}

impl ClaimedMessage {
    /// Returns the meaning of an outcome for the row: after the last try, there is no later one.
    pub(crate) fn judge(&self, outcome: TryOutcome) -> TryOutcome {
        match outcome {
            TryOutcome::Later(error) if self.tries >= TRIES => TryOutcome::Never(error),
            outcome => outcome,
        }
    }
}

/// Writes down what became of a row, unless it was cancelled meanwhile or its lease was over and another took it. Where
/// nothing is left to do, what was sealed is wiped. Gives whether it was written down.
pub(super) fn settle(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    claimed: &ClaimedMessage,
    outcome: &TryOutcome,
) -> Result<bool> {
    Ok(tx.execute(&settling(tx.sql(), context, claimed, outcome))? == 1)
}

/// The same along with the commit, for callers that do nothing else in the transaction that rests on it.
pub(super) fn settle_later(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    claimed: &ClaimedMessage,
    outcome: &TryOutcome,
) -> Result<()> {
    let sql = settling(tx.sql(), context, claimed, outcome);
    Ok(tx.defer(sql)?)
}

fn settling(mut sql: Sql, context: &RequestContext, claimed: &ClaimedMessage, outcome: &TryOutcome) -> Sql {
    let now = context.now.as_millisecond();
    let (state, error) = match outcome {
        TryOutcome::Sent => (State::Sent, None),
        TryOutcome::Later(error) => (State::Waiting, Some(error.as_str())),
        TryOutcome::Never(error) => (State::Failed, Some(error.as_str())),
    };
    sql.push("UPDATE ").table(&OUTBOX).push(" SET state = ").bind(state.name()).push(", error = ").bind(error);
    if state == State::Waiting {
        sql.push(", due = ").bind(Value::Timestamp(now + pause(claimed.tries, context.random.as_ref())));
    } else {
        sql.push(", content = NULL, due = NULL, ended = ").bind(Value::Timestamp(now));
    }
    sql.push(" WHERE id = ").bind(claimed.id).push(" AND state = ").bind(State::Sending.name());
    sql.push(" AND claim = ").bind(claimed.claim);
    sql
}

/// Renews the lease of a row, where it is this node's still.
pub(super) fn renew(tx: &mut Tx<'_>, context: &RequestContext, claimed: &ClaimedMessage) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&OUTBOX).push(" SET due = ");
    sql.bind(Value::Timestamp(context.now.as_millisecond() + LEASE + claimed.longer));
    sql.push(" WHERE id = ").bind(claimed.id).push(" AND state = ").bind(State::Sending.name());
    sql.push(" AND claim = ").bind(claimed.claim);
    Ok(tx.defer(sql)?)
}
