//! Limit of the mails that a tenant may try to send in an hour: those beyond wait, and nothing else does. Mails of
//! accounts are counted for themselves, so that no others keep a code or a link waiting.
//!
//! Tries count, not mails that arrive: mails to mailboxes that do not exist harm the name of the sender most.

use super::message::MessagePurpose;
use context::request_context::RequestContext;
use context::tables;
use database::Tx;
use model::error::Result;
use model::table_names::META;

/// Milliseconds for which mails are counted.
const WINDOW: i64 = 60 * 60 * 1_000;
/// The fact that holds when the window began, how many mails of this purpose were tried in it, and until when no more are.
fn fact(purpose: MessagePurpose) -> &'static str {
    match purpose {
        MessagePurpose::Account => "outbox_account_mails",
        MessagePurpose::Other => "outbox_mails",
    }
}

/// Gives as many of the mails as may be tried now, and counts them. Other nodes wait until this transaction ends.
pub(super) fn grant(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    purpose: MessagePurpose,
    mut ids: Vec<i64>,
) -> Result<Vec<i64>> {
    if ids.is_empty() {
        return Ok(ids);
    }
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&META).push(" (name, content) VALUES (").bind(fact(purpose)).push(", '0 0 0')");
    sql.push(" ON CONFLICT (name) DO UPDATE SET content = plinth_meta.content RETURNING content");
    let mut content = String::new();
    tx.query(&sql, &mut |row| {
        row.text(0)?.clone_into(&mut content);
        Ok(())
    })?;
    let now = context.now.as_millisecond();
    let (started, tried) = match read(&content) {
        [started, tried, _] if (started..started + WINDOW).contains(&now) => (started, tried),
        _ => (now, 0),
    };
    let mail = &context.model.settings.mail;
    let most = i64::from(if purpose == MessagePurpose::Account { mail.account_per_hour } else { mail.per_hour });
    ids.truncate(usize::try_from(most - tried).unwrap_or(0));
    if !ids.is_empty() {
        let tried = tried + ids.len() as i64;
        let until = if tried >= most { started + WINDOW } else { 0 };
        tables::put(tx, fact(purpose), &format!("{started} {tried} {until}"))?;
    }
    Ok(ids)
}

/// Counts some of the mails no more that were just granted: another node has them.
pub(super) fn give_back(tx: &mut Tx<'_>, purpose: MessagePurpose, mails: usize) -> Result<()> {
    let content = tables::get(tx, fact(purpose))?.unwrap_or_default();
    let [started, tried, _] = read(&content);
    let tried = (tried - i64::try_from(mails).unwrap_or(0)).max(0);
    tables::put(tx, fact(purpose), &format!("{started} {tried} 0"))
}

/// From when on a mail may be tried, in milliseconds.
pub(super) fn open(tx: &mut Tx<'_>, purpose: MessagePurpose) -> Result<i64> {
    let content = tables::get(tx, fact(purpose))?;
    Ok(content.map_or(0, |content| read(&content)[2]))
}

/// When the window began, how many mails were tried in it, and until when no more are.
fn read(content: &str) -> [i64; 3] {
    let mut numbers = content.split(' ').map(|number| number.parse().unwrap_or(0));
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}
