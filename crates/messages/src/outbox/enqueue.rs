//! Putting messages and tasks into the outbox.

use super::message::{Channel, Message, MessagePurpose, State};
use context::listener::OutboxTask;
use context::request_context::RequestContext;
use context::vault;
use database::{ColumnType, Name, Tx, Value};
use model::error::Result;
use model::table_names::OUTBOX;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;

/// The columns of a new row.
const COLUMNS: [(Name, ColumnType); 14] = [
    (Name::fixed("channel"), ColumnType::Text),
    (Name::fixed("template"), ColumnType::Text),
    (Name::fixed("recipient"), ColumnType::Text),
    (Name::fixed("language"), ColumnType::Text),
    (Name::fixed("state"), ColumnType::Text),
    (Name::fixed("tries"), ColumnType::Integer),
    (Name::fixed("due"), ColumnType::Timestamp),
    (Name::fixed("message"), ColumnType::Text),
    (Name::fixed("reference"), ColumnType::Text),
    (Name::fixed("reference_id"), ColumnType::Integer),
    (Name::fixed("reference_part"), ColumnType::Text),
    (Name::fixed("content"), ColumnType::Bytes),
    (Name::fixed("created"), ColumnType::Timestamp),
    (Name::fixed("purpose"), ColumnType::Text),
];

/// The time for which what became of a message is remembered, in milliseconds: it names whom it went to.
const KEPT: i64 = 90 * 24 * 60 * 60_000;
/// The most old rows that are removed along with a new one.
const SWEPT: i64 = 100;

/// Puts a message into the outbox, with the transaction that wants it: both are there, or neither. It is sent once the
/// transaction is committed. Gives the id of the row.
pub fn enqueue(tx: &mut Tx<'_>, context: &RequestContext, message: &Message) -> Result<i64> {
    let values = serde_json::to_vec(&message.values).expect("texts and instants are JSON");
    let language = message.language.as_deref().unwrap_or(&context.model.settings.locale);
    let reference = message.reference.map(super::Reference::columns);
    let addressed = [
        message.template.channel().name().into(),
        message.template.name().into(),
        message.recipient.as_str().into(),
        language.into(),
    ];
    insert(tx, context, NewRow { addressed, purpose: message.template.purpose(), reference, content: &values })
}

/// Puts something to do later into the outbox.
pub fn later(tx: &mut Tx<'_>, context: &RequestContext, task: &OutboxTask) -> Result<i64> {
    let input = task.input.to_string().into_bytes();
    let addressed = [Channel::Task.name().into(), task.kind.as_str().into(), Value::Null, Value::Null];
    insert(tx, context, NewRow { addressed, purpose: MessagePurpose::Account, reference: None, content: &input })
}

/// A row to be put into the outbox.
struct NewRow<'r> {
    /// Channel, template, recipient and language.
    addressed: [Value; 4],
    purpose: MessagePurpose,
    reference: Option<(&'static str, i64, &'static str)>,
    /// The values of a message, or the input of a task, as JSON.
    content: &'r [u8],
}

fn insert(tx: &mut Tx<'_>, context: &RequestContext, row: NewRow<'_>) -> Result<i64> {
    let NewRow { addressed, purpose, reference, content } = row;
    // The name of the message binds what is sealed to its row, and is the Message-ID of every sending.
    let message = message_id(context);
    let sealed = context.vault()?.seal(vault::KeyPurpose::Outbox, message.as_bytes(), content, context.random.as_ref());
    let now = Value::Timestamp(context.now.as_millisecond());
    let mut row = Vec::from(addressed);
    row.extend([State::Waiting.name().into(), Value::Integer(0), now.clone(), message.into()]);
    row.extend([
        reference.map(|(kind, ..)| kind).into(),
        reference.map(|(_, id, _)| id).into(),
        reference.map(|(.., part)| part).into(),
        Value::Bytes(sealed),
        now,
        purpose.name().into(),
    ]);
    let ids = tx.insert_many(&OUTBOX, &COLUMNS, &[row])?;
    sweep(tx, context)?;
    context.queued.store(true, Ordering::Relaxed);
    ids.first().copied().ok_or_else(|| model::error::Error::failed("a row of the outbox has no id"))
}

/// Removes what ended long ago, a bounded number of rows at a time.
fn sweep(tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&OUTBOX).push(" WHERE ").name(&Name::fixed("id")).push(" IN (SELECT id FROM ");
    sql.table(&OUTBOX).push(" WHERE ended <= ").bind(Value::Timestamp(context.now.as_millisecond() - KEPT));
    sql.push(" ORDER BY ended").limit(SWEPT, 0).push(")");
    Ok(tx.defer(sql)?)
}

/// A name that no other message has, as a Message-ID is written, without its brackets.
fn message_id(context: &RequestContext) -> String {
    let mut bytes = [0; 16];
    context.random.fill(&mut bytes);
    let mut text = String::with_capacity(64);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    let sender =
        context.model.settings.mail.from.as_deref().and_then(|from| from.trim_end_matches('>').rsplit_once('@'));
    text.push('@');
    text.push_str(sender.map_or("localhost", |(_, domain)| domain));
    text
}
