//! Claims of rows to send: leases, so that no two nodes send the same one, and the choice of the next rows.
//!
//! A row is claimed when a place is free for it, and sent at once. Its lease is short and renewed while it is sent;
//! each claim raises its number, and what became of it counts with that number alone.

use super::cap;
use super::message::{Channel, MessagePurpose, State};
use context::request_context::RequestContext;
use context::vault;
use database::{ColumnType, Row, Sql, Tx, Value, ValueRef};
use jiff::Timestamp;
use model::error::Result;
use model::table_names::OUTBOX;
use std::collections::BTreeMap;
use std::sync::Arc;
use tenant::worker::{LEASE, Place, PlaceEntry, Places, TRIES, pause};

/// Number of rows of a lane that are looked at beyond those that there are places for.
const AHEAD: usize = 16;
/// Text that is noted where no try had an outcome.
const LOST: &str = "each process that sent it ended before it was sent";

/// Lane that is claimed for itself, in this order: rows of a channel that are for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OutboxLane(usize);

impl OutboxLane {
    /// All of them. Tasks and SMS are of accounts alone, but earlier versions did not say so.
    pub(super) const ALL: [OutboxLane; 4] = [OutboxLane(0), OutboxLane(1), OutboxLane(2), OutboxLane(3)];

    pub(super) fn channel(self) -> Channel {
        [Channel::Task, Channel::Sms, Channel::Mail, Channel::Mail][self.0]
    }

    /// Returns the purpose of its mails; the other channels have one lane.
    pub(super) fn purpose(self) -> Option<MessagePurpose> {
        [None, None, Some(MessagePurpose::Account), Some(MessagePurpose::Other)][self.0]
    }

    /// Returns true if it is for mails of accounts.
    pub(super) fn is_account(self) -> bool {
        self.purpose() == Some(MessagePurpose::Account)
    }

    fn filter(self, sql: &mut Sql) {
        sql.push(" WHERE channel = ").bind(self.channel().name());
        match self.purpose().map(MessagePurpose::name) {
            Some(Some(purpose)) => drop(sql.push(" AND purpose = ").bind(purpose)),
            Some(None) => drop(sql.push(" AND purpose IS NULL")),
            None => {}
        }
    }
}

/// Room that a node has for sending now.
pub(super) struct SendingRoom {
    pub tenant: Arc<str>,
    pub places: Arc<Places>,
    /// Number of rows of each lane; of those without a number, rows are not looked at.
    pub free: [Option<usize>; 4],
    /// The rows that it is sending.
    pub(super) sending: Vec<i64>,
    /// True if nothing else was begun just now, so that a row which may end the process takes no other with it.
    pub(super) quiet: bool,
}

/// A row that this node has alone as long as it renews the lease.
#[derive(Clone)]
pub(super) struct ClaimedMessage {
    pub id: i64,
    pub(super) channel: Channel,
    /// The template's name, or the kind of the task.
    pub(super) template: String,
    pub(super) recipient: String,
    pub(super) language: String,
    /// The name of the message, the same for each try.
    pub message: String,
    pub(super) created: Timestamp,
    /// The content that was sealed; none where it cannot be opened.
    pub content: Option<Vec<u8>>,
    pub tries: i64,
    /// The number of the claim.
    pub claim: i64,
    /// Time by which its lease is longer than others, in milliseconds.
    pub(super) longer: i64,
}

/// Result of a claim.
#[derive(Default)]
pub(super) struct ClaimResult {
    /// Rows to send now, with the place that each has at its destination.
    pub(super) rows: Vec<(ClaimedMessage, Option<Place>)>,
    /// Rows that were given up: each process that sent them died.
    pub(super) given_up: Vec<i64>,
    /// True if the places of a destination are taken for a moment.
    pub(super) full: bool,
    /// Number of rows that stepped aside.
    pub(super) aside: usize,
    /// Of which lanes more may be due than there was room for.
    pub more: [bool; 4],
}

/// A row that is due.
struct DueMessage {
    id: i64,
    lane: OutboxLane,
    recipient: String,
    /// Number of tries, where the last one has no outcome: the process ended while it sent the row, perhaps because of
    /// it.
    lost: Option<i64>,
}

/// Rows of a lane that are due, and the most that may be taken of them.
struct LaneBatch<'b> {
    lane: OutboxLane,
    rows: &'b [DueMessage],
    most: usize,
}

/// Claims rows that are due, as many as there is room for: lane by lane, in the order in which they became due. A row
/// whose last try was lost is tried alone, so that one that ends the process takes no other with it; its tries count
/// when they begin, so that they have an end, too.
pub(super) fn claim(tx: &mut Tx<'_>, context: &RequestContext, room: &SendingRoom) -> Result<ClaimResult> {
    let mut claims = ClaimResult::default();
    let mut rows = Vec::new();
    for (lane, free) in OutboxLane::ALL.into_iter().zip(room.free) {
        claims.more[lane.0] = match free {
            Some(free) => due(tx, context, lane, free + AHEAD, &mut rows)?,
            None => false,
        };
    }
    rows.retain(|row| !room.sending.contains(&row.id));
    let (hopeless, rows): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|row| row.lost.is_some_and(|tries| tries >= TRIES));
    claims.given_up = give_up(tx, context, &hopeless)?;
    let (lost, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.lost.is_some());
    for row in &lost {
        claims.more = [true; 4];
        if !room.quiet {
            return Ok(claims);
        }
        let batch = LaneBatch { lane: row.lane, rows: std::slice::from_ref(row), most: 1 };
        enter(tx, context, room, batch, &mut claims)?;
        if !claims.rows.is_empty() {
            return Ok(claims);
        }
    }
    for (lane, free) in OutboxLane::ALL.into_iter().zip(room.free) {
        let rows: Vec<DueMessage> = rows.iter().filter(|row| row.lane == lane).map(DueMessage::copy).collect();
        if !rows.is_empty() {
            let batch = LaneBatch { lane, rows: &rows, most: free.unwrap_or_default() };
            enter(tx, context, room, batch, &mut claims)?;
        }
    }
    Ok(claims)
}

/// When the next row of the tenant is due, in milliseconds; none where nothing waits.
pub fn next(tx: &mut Tx<'_>) -> Result<Option<i64>> {
    let mut soonest: Option<i64> = None;
    for lane in OutboxLane::ALL {
        let mut sql = tx.sql();
        sql.push("SELECT due FROM ").table(&OUTBOX);
        lane.filter(&mut sql);
        sql.push(" AND due IS NOT NULL ORDER BY due").limit(1, 0);
        let mut due = None;
        tx.query(&sql, &mut |row| {
            due = Some(row.timestamp(0)?);
            Ok(())
        })?;
        if let (Some(purpose), Some(moment)) = (lane.purpose(), due) {
            due = Some(moment.max(cap::open(tx, purpose)?));
        }
        soonest = soonest.into_iter().chain(due).min();
    }
    Ok(soonest)
}

/// The rows of a lane that are due: those that wait, and those of nodes that did not renew their lease. Another node
/// may take them before this one does. Gives whether there may be more.
fn due(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    lane: OutboxLane,
    most: usize,
    rows: &mut Vec<DueMessage>,
) -> Result<bool> {
    let mut sql = tx.sql();
    sql.push("SELECT id, state, tries, recipient FROM ").table(&OUTBOX);
    lane.filter(&mut sql);
    sql.push(" AND due <= ").bind(Value::Timestamp(context.now.as_millisecond()));
    sql.push(" ORDER BY due, id").limit(i64::try_from(most).unwrap_or(i64::MAX), 0);
    let before = rows.len();
    tx.query(&sql, &mut |row| {
        let lost = row.text(1)? == State::Sending.name();
        let tries = row.integer(2)?;
        rows.push(DueMessage { id: row.integer(0)?, lane, recipient: text(row, 3)?, lost: lost.then_some(tries) });
        Ok(())
    })?;
    Ok(rows.len() - before == most)
}

/// Takes those of the rows that have a place at their destination, so many at most. What has none as its destination is
/// slow steps aside.
fn enter(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    room: &SendingRoom,
    LaneBatch { lane, rows, most }: LaneBatch<'_>,
    claims: &mut ClaimResult,
) -> Result<()> {
    let mut places = BTreeMap::new();
    let (mut aside, mut pause) = (Vec::new(), 0);
    for row in rows {
        if places.len() >= most {
            claims.more[lane.0] = true;
            break;
        }
        let entry = destination(lane, &row.recipient).map(|name| room.places.enter(&room.tenant, &name));
        match entry {
            None => drop(places.insert(row.id, None)),
            Some(PlaceEntry::Taken(place)) => drop(places.insert(row.id, Some(place))),
            Some(PlaceEntry::Full) => (claims.full, claims.more[lane.0]) = (true, true),
            Some(PlaceEntry::Slow(longer)) => {
                aside.push(row.id);
                pause = longer;
            }
        }
    }
    if !aside.is_empty() {
        claims.aside += aside.len();
        step_aside(tx, context, aside, pause)?;
    }
    let longer = match rows.first().and_then(|row| row.lost) {
        // Lost rows of several tenants must not come back together each time.
        Some(tries) if tries > 1 => self::pause(tries - 1, context.random.as_ref()),
        _ => 0,
    };
    take(tx, context, lane, longer, places, claims)
}

/// Returns the destination of a row, as far as that has places of its own: the domain of a mail. Mails of accounts have
/// places beside those of others. SMS and tasks have none, as the places of their lanes take nothing from others.
fn destination(lane: OutboxLane, recipient: &str) -> Option<String> {
    let (_, domain) = recipient.rsplit_once('@').filter(|_| lane.channel() == Channel::Mail)?;
    let whose = if lane.is_account() { "account" } else { "other" };
    Some(format!("{whose} {}", domain.to_ascii_lowercase()))
}

/// Has rows wait that cannot be sent now, so that those behind them are seen. That is no try.
fn step_aside(tx: &mut Tx<'_>, context: &RequestContext, ids: Vec<i64>, pause: i64) -> Result<()> {
    let now = context.now.as_millisecond();
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&OUTBOX).push(" SET due = ").bind(Value::Timestamp(now + pause));
    sql.push(" WHERE due <= ").bind(Value::Timestamp(now)).push(" AND id");
    sql.any_of(ColumnType::Integer, ids.into_iter().map(Value::Integer).collect());
    tx.execute(&sql)?;
    Ok(())
}

/// Gives rows up whose tries were all lost; gives their ids.
fn give_up(tx: &mut Tx<'_>, context: &RequestContext, rows: &[DueMessage]) -> Result<Vec<i64>> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    if !ids.is_empty() {
        let mut sql = tx.sql();
        sql.push("UPDATE ")
            .table(&OUTBOX)
            .push(" SET state = ")
            .bind(State::Failed.name())
            .push(", error = ")
            .bind(LOST);
        sql.push(", content = NULL, due = NULL, ended = ").bind(Value::Timestamp(context.now.as_millisecond()));
        sql.push(" WHERE id").any_of(ColumnType::Integer, ids.iter().copied().map(Value::Integer).collect());
        sql.push(" AND due <= ").bind(Value::Timestamp(context.now.as_millisecond()));
        tx.execute(&sql)?;
    }
    Ok(ids)
}

/// Takes rows for as long as a lease; of mails, as many as the tenant may send.
fn take(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    lane: OutboxLane,
    longer: i64,
    mut places: BTreeMap<i64, Option<Place>>,
    claims: &mut ClaimResult,
) -> Result<()> {
    let ids: Vec<i64> = places.keys().copied().collect();
    let ids = match lane.purpose() {
        Some(purpose) => cap::grant(tx, context, purpose, ids)?,
        None => ids,
    };
    if ids.is_empty() {
        return Ok(());
    }
    let (now, granted, before) = (context.now.as_millisecond(), ids.len(), claims.rows.len());
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&OUTBOX).push(" SET state = ").bind(State::Sending.name()).push(", due = ");
    sql.bind(Value::Timestamp(now + LEASE + longer)).push(", tries = tries + 1, claim = COALESCE(claim, 0) + 1");
    sql.push(" WHERE due <= ").bind(Value::Timestamp(now)).push(" AND id");
    sql.any_of(ColumnType::Integer, ids.into_iter().map(Value::Integer).collect());
    sql.push(" RETURNING id, template, recipient, language, message, created, content, tries, claim");
    let vault = context.vault()?;
    tx.query(&sql, &mut |row| {
        let message = row.text(4)?.to_owned();
        let content = match row.get(6, ColumnType::Bytes)? {
            ValueRef::Bytes(sealed) => vault.open(vault::KeyPurpose::Outbox, message.as_bytes(), sealed),
            _ => None,
        };
        let claimed = ClaimedMessage {
            id: row.integer(0)?,
            channel: lane.channel(),
            template: row.text(1)?.to_owned(),
            recipient: text(row, 2)?,
            language: text(row, 3)?,
            message,
            created: Timestamp::from_millisecond(row.timestamp(5)?).unwrap_or(context.now),
            content,
            tries: row.integer(7)?,
            claim: row.integer(8)?,
            longer,
        };
        let place = places.remove(&claimed.id).flatten();
        claims.rows.push((claimed, place));
        Ok(())
    })?;
    let taken = claims.rows.len() - before;
    match lane.purpose() {
        Some(purpose) if taken < granted => cap::give_back(tx, purpose, granted - taken),
        _ => Ok(()),
    }
}

impl DueMessage {
    fn copy(&self) -> Self {
        DueMessage { id: self.id, lane: self.lane, recipient: self.recipient.clone(), lost: self.lost }
    }
}

fn text(row: &Row<'_>, index: usize) -> database::Result<String> {
    Ok(match row.get(index, ColumnType::Text)? {
        ValueRef::Text(text) => text.to_owned(),
        _ => String::new(),
    })
}
