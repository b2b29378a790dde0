//! Who sends a row, and what became of it: leases, so that no two nodes send the same one, and outcomes.

use super::cap;
use super::message::{Channel, State};
use crate::error::Result;
use crate::tables::OUTBOX;
use crate::tenants::Call;
use crate::vault::Purpose;
use crate::worker::{TRIES, pause};
use database::{ColumnType, Row, Tx, Value, ValueRef};
use jiff::Timestamp;

/// How long whoever claimed a row has it alone at least, in milliseconds: more than any sending may take.
const LEASE: i64 = 60_000;
/// How many rows of a channel are claimed at a time; they are sent side by side.
const BATCH: i64 = 16;
/// What is noted where no try had an outcome.
const LOST: &str = "each process that sent it ended before it was sent";

/// A row that this node has alone until its lease is over.
#[derive(Clone)]
pub(super) struct Claimed {
    pub(super) id: i64,
    pub(super) channel: Channel,
    /// The template's name, or the kind of the task.
    pub(super) template: String,
    pub(super) recipient: String,
    pub(super) language: String,
    /// The name of the message, the same for each try.
    pub(super) message: String,
    pub(super) created: Timestamp,
    /// What was sealed; none where it cannot be opened.
    pub(super) content: Option<Vec<u8>>,
    tries: i64,
    lease: i64,
}

/// What became of a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The provider took it.
    Sent,
    /// It may work later. The text is for people and holds nothing of the message.
    Later(String),
    /// It never will.
    Never(String),
}

impl Claimed {
    /// What an outcome means for the row: after the last try, there is no later one.
    pub(super) fn judge(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Later(error) if self.tries >= TRIES => Outcome::Never(error),
            outcome => outcome,
        }
    }
}

/// What a claim came to.
#[derive(Default)]
pub(super) struct Claims {
    /// What is to be sent now.
    pub(super) rows: Vec<Claimed>,
    /// Rows that were given up: whoever sent them died each time.
    pub(super) given_up: Vec<i64>,
}

/// A row that is due.
struct Due {
    id: i64,
    channel: Channel,
    /// How often it was tried, where the last try has no outcome: the process ended while it sent the row, perhaps because of it.
    lost: Option<i64>,
}

/// Claims rows that are due, in the order in which they became due. A row whose last try was lost is tried alone, so that one
/// that ends the process takes no other with it; its tries count when they begin, so that they have an end, too.
pub(super) fn claim(tx: &mut Tx<'_>, call: &Call) -> Result<Claims> {
    let mut rows = Vec::new();
    for channel in [Channel::Task, Channel::Sms, Channel::Mail] {
        due(tx, call, channel, &mut rows)?;
    }
    let (hopeless, rows): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|row| row.lost.is_some_and(|tries| tries >= TRIES));
    let mut claims = Claims { rows: Vec::new(), given_up: give_up(tx, call, &hopeless)? };
    for channel in [Channel::Task, Channel::Sms, Channel::Mail] {
        if let Some(Due { id, lost: Some(tries), .. }) =
            rows.iter().find(|row| row.channel == channel && row.lost.is_some())
        {
            // Lost rows of several tenants must not come back together each time.
            let lease = LEASE + pause(*tries, call.random.as_ref());
            take(tx, call, (channel, lease), vec![*id], &mut claims.rows)?;
        }
        if !claims.rows.is_empty() {
            return Ok(claims);
        }
    }
    for channel in [Channel::Task, Channel::Sms, Channel::Mail] {
        let ids = rows.iter().filter(|row| row.channel == channel && row.lost.is_none()).map(|row| row.id).collect();
        take(tx, call, (channel, LEASE), ids, &mut claims.rows)?;
    }
    Ok(claims)
}

/// When the next row of the tenant is due, in milliseconds; none where nothing waits.
pub(crate) fn next(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    let mut soonest: Option<i64> = None;
    for channel in [Channel::Task, Channel::Sms, Channel::Mail] {
        let mut sql = tx.sql();
        sql.push("SELECT due FROM ").table(&OUTBOX).push(" WHERE channel = ").bind(channel.name());
        sql.push(" AND due IS NOT NULL ORDER BY due").limit(1, 0);
        let mut due = None;
        tx.query(&sql, &mut |row| {
            due = Some(row.timestamp(0)?);
            Ok(())
        })?;
        if let (Channel::Mail, Some(moment)) = (channel, due) {
            due = Some(moment.max(cap::open(tx)?));
        }
        soonest = soonest.into_iter().chain(due).min();
    }
    Ok(soonest)
}

/// The rows of a channel that are due: those that wait, and those of nodes that did not end within their lease. On them
/// others wait until this transaction ends.
fn due(tx: &mut Tx<'_>, call: &Call, channel: Channel, rows: &mut Vec<Due>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("SELECT id, state, tries FROM ").table(&OUTBOX).push(" WHERE channel = ").bind(channel.name());
    sql.push(" AND due <= ").bind(Value::Timestamp(call.now.as_millisecond()));
    sql.push(" ORDER BY due, id").limit(BATCH, 0).for_update();
    tx.query(&sql, &mut |row| {
        let lost = row.text(1)? == State::Sending.name();
        let tries = row.integer(2)?;
        rows.push(Due { id: row.integer(0)?, channel, lost: lost.then_some(tries) });
        Ok(())
    })?;
    Ok(())
}

/// Gives rows up whose tries were all lost; gives their ids.
fn give_up(tx: &mut Tx<'_>, call: &Call, rows: &[Due]) -> Result<Vec<i64>> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    if !ids.is_empty() {
        let mut sql = tx.sql();
        sql.push("UPDATE ")
            .table(&OUTBOX)
            .push(" SET state = ")
            .bind(State::Failed.name())
            .push(", error = ")
            .bind(LOST);
        sql.push(", content = NULL, due = NULL, ended = ").bind(Value::Timestamp(call.now.as_millisecond()));
        sql.push(" WHERE id").any_of(ColumnType::Integer, ids.iter().copied().map(Value::Integer).collect());
        tx.execute(&sql)?;
    }
    Ok(ids)
}

/// Takes rows for as long as a lease; of mails, as many as the tenant may send.
fn take(
    tx: &mut Tx<'_>,
    call: &Call,
    (channel, lease): (Channel, i64),
    ids: Vec<i64>,
    claimed: &mut Vec<Claimed>,
) -> Result<()> {
    let ids = match channel {
        Channel::Mail => cap::grant(tx, call, ids)?,
        _ => ids,
    };
    if ids.is_empty() {
        return Ok(());
    }
    let now = call.now.as_millisecond();
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&OUTBOX).push(" SET state = ").bind(State::Sending.name()).push(", due = ");
    sql.bind(Value::Timestamp(now + lease)).push(", tries = tries + 1 WHERE due <= ").bind(Value::Timestamp(now));
    sql.push(" AND id").any_of(ColumnType::Integer, ids.into_iter().map(Value::Integer).collect());
    sql.push(" RETURNING id, template, recipient, language, message, created, content, tries");
    let vault = call.vault()?;
    tx.query(&sql, &mut |row| {
        let message = row.text(4)?.to_owned();
        let content = match row.get(6, ColumnType::Bytes)? {
            ValueRef::Bytes(sealed) => vault.open(Purpose::Outbox, message.as_bytes(), sealed),
            _ => None,
        };
        claimed.push(Claimed {
            id: row.integer(0)?,
            channel,
            template: row.text(1)?.to_owned(),
            recipient: text(row, 2)?,
            language: text(row, 3)?,
            message,
            created: Timestamp::from_millisecond(row.timestamp(5)?).unwrap_or(call.now),
            content,
            tries: row.integer(7)?,
            lease: now + lease,
        });
        Ok(())
    })?;
    Ok(())
}

/// Writes down what became of a row, unless it was cancelled meanwhile or its lease was over and another took it. Where
/// nothing is left to do, what was sealed is wiped. Gives whether it was written down.
pub(super) fn settle(tx: &mut Tx<'_>, call: &Call, claimed: &Claimed, outcome: &Outcome) -> Result<bool> {
    let now = call.now.as_millisecond();
    let (state, error) = match outcome {
        Outcome::Sent => (State::Sent, None),
        Outcome::Later(error) => (State::Waiting, Some(error.as_str())),
        Outcome::Never(error) => (State::Failed, Some(error.as_str())),
    };
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&OUTBOX).push(" SET state = ").bind(state.name()).push(", error = ").bind(error);
    if state == State::Waiting {
        sql.push(", due = ").bind(Value::Timestamp(now + pause(claimed.tries, call.random.as_ref())));
    } else {
        sql.push(", content = NULL, due = NULL, ended = ").bind(Value::Timestamp(now));
    }
    sql.push(" WHERE id = ").bind(claimed.id).push(" AND state = ").bind(State::Sending.name());
    sql.push(" AND due = ").bind(Value::Timestamp(claimed.lease));
    Ok(tx.execute(&sql)? == 1)
}

fn text(row: &Row<'_>, index: usize) -> database::Result<String> {
    Ok(match row.get(index, ColumnType::Text)? {
        ValueRef::Text(text) => text.to_owned(),
        _ => String::new(),
    })
}
