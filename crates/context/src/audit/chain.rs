//! The chain: each row's digest is made over the row and the digest before it, with a key that is not in the database.

use super::event::{AuditEvent, RequestSource};
use crate::vault::Vault;
use database::{ColumnType, Name, Row, Tx, Value, ValueRef};
use jiff::Timestamp;
use model::error::{Error, Result};
use model::table_names::{AUDIT, META};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// The name of the head in [`META`].
const HEAD: &str = "audit";
/// The first bytes of a row, lest a row of another form read like one.
const FORM: &[u8] = b"plinth audit 1";
/// The columns of a row, as [`ChainEntry::read`] reads them.
pub const COLUMNS: &str = "id, moment, event, subject, actor, key, via, address, details, sealed, digest";

/// The digest of a row.
pub type RowDigest = [u8; 32];

/// The last row of the chain: its number, and its digest. Before the first row: 0, and zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChainHead {
    /// The number.
    pub id: i64,
    /// The digest.
    pub digest: RowDigest,
}

/// A row, but for its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainEntry {
    /// The number.
    pub id: i64,
    /// Milliseconds since 1970.
    pub moment: i64,
    /// The name of the event.
    pub event: String,
    /// The user that it is about.
    pub subject: Option<i64>,
    /// The user who acted.
    pub actor: Option<i64>,
    /// The key that was used.
    pub key: Option<i64>,
    /// The way in: API, page, command.
    pub via: String,
    /// The address that it came from.
    pub address: Option<String>,
    /// JSON, byte for byte.
    pub details: String,
    /// True if its digest was made with the tenant's key.
    pub sealed: bool,
}

/// Makes the head where it is missing.
pub fn begin(tx: &mut Tx<'_>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&META).push(" (name, content) VALUES (").bind(HEAD).push(", ");
    sql.bind(ChainHead::default().text()).push(") ON CONFLICT (name) DO NOTHING");
    tx.execute(&sql)?;
    Ok(())
}

/// Begins the chain anew, in a store whose rows were removed before it is served.
pub fn begin_anew(tx: &mut Tx<'_>) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&META).push(" WHERE name = ").bind(HEAD);
    tx.execute(&sql)?;
    begin(tx)
}

/// The head, as a reader sees it.
pub fn head(tx: &mut Tx<'_>) -> Result<ChainHead> {
    read_head(tx, false)
}

/// The number of the last row.
pub fn last(tx: &mut Tx<'_>) -> Result<i64> {
    Ok(read_head(tx, true)?.id)
}

/// Adds events behind the head, which stays locked until the transaction ends.
pub fn append(tx: &mut Tx<'_>, now: Timestamp, vault: Option<&Vault>, events: Vec<AuditEvent>) -> Result<()> {
    let mut head = read_head(tx, true)?;
    let mut rows = Vec::with_capacity(events.len());
    for event in events {
        let entry = entry(now, event, head.id + 1, vault.is_some());
        head = ChainHead { id: entry.id, digest: entry.digest(&head.digest, vault) };
        rows.push(entry.values(head.digest));
    }
    tx.insert_many(&AUDIT, &columns(), &rows)?;
    let mut sql = tx.sql();
    sql.push("UPDATE ").table(&META).push(" SET content = ").bind(head.text()).push(" WHERE name = ").bind(HEAD);
    tx.defer(sql)?;
    Ok(())
}

fn read_head(tx: &mut Tx<'_>, locked: bool) -> Result<ChainHead> {
    let mut sql = tx.sql();
    sql.push("SELECT content FROM ").table(&META).push(" WHERE name = ").bind(HEAD);
    if locked {
        sql.for_change();
    }
    let mut content = String::new();
    tx.query(&sql, &mut |row| {
        row.text(0)?.clone_into(&mut content);
        Ok(())
    })?;
    ChainHead::parse(&content).ok_or_else(|| Error::failed("the head of the audit log is missing or malformed"))
}

fn entry(now: Timestamp, event: AuditEvent, id: i64, sealed: bool) -> ChainEntry {
    let RequestSource { via, key, address } = event.source.unwrap_or_default();
    ChainEntry {
        id,
        moment: now.as_millisecond(),
        event: event.kind.name().to_owned(),
        subject: event.subject,
        actor: event.actor,
        key,
        via: via.name().to_owned(),
        address: address.map(|address| address.to_canonical().to_string()),
        details: serde_json::Value::Object(event.details).to_string(),
        sealed,
    }
}

impl ChainHead {
    fn text(&self) -> String {
        format!("{} {}", self.id, hex(&self.digest))
    }

    fn parse(text: &str) -> Option<Self> {
        let (id, digest) = text.split_once(' ')?;
        Some(ChainHead { id: id.parse().ok()?, digest: from_hex(digest)? })
    }
}

impl ChainEntry {
    /// The digest of this row behind a row with that one: HMAC-SHA256 with the tenant's key, or without one SHA-256.
    pub fn digest(&self, before: &RowDigest, vault: Option<&Vault>) -> RowDigest {
        let number = |number: Option<i64>| number.map_or_else(Vec::new, |number| number.to_be_bytes().to_vec());
        let (subject, actor, key) = (number(self.subject), number(self.actor), number(self.key));
        let parts: [&[u8]; 12] = [
            FORM,
            before,
            &self.id.to_be_bytes(),
            &self.moment.to_be_bytes(),
            self.event.as_bytes(),
            &subject,
            &actor,
            &key,
            self.via.as_bytes(),
            self.address.as_deref().unwrap_or_default().as_bytes(),
            self.details.as_bytes(),
            &[u8::from(self.sealed)],
        ];
        match vault.filter(|_| self.sealed) {
            Some(vault) => vault.mac_of_row(self.id, &parts),
            None => {
                let mut hash = Sha256::new();
                for part in parts {
                    hash.update((part.len() as u64).to_be_bytes());
                    hash.update(part);
                }
                hash.finalize().into()
            }
        }
    }

    /// Reads [`COLUMNS`]: the row, and the digest that it is stored with.
    pub fn read(row: &Row<'_>) -> database::Result<(Self, Vec<u8>)> {
        let number = |index: usize| match row.get(index, ColumnType::Integer)? {
            ValueRef::Integer(number) => Ok(Some(number)),
            _ => Ok::<_, database::Error>(None),
        };
        // A row in which something is missing that never is: somebody took it out. It has no digest that holds.
        let text = |index: usize| match row.get(index, ColumnType::Text)? {
            ValueRef::Text(text) => Ok(text.to_owned()),
            _ => Ok::<_, database::Error>(String::new()),
        };
        let entry = ChainEntry {
            id: row.integer(0)?,
            moment: match row.get(1, ColumnType::Timestamp)? {
                ValueRef::Timestamp(moment) => moment,
                _ => i64::MIN,
            },
            event: text(2)?,
            subject: number(3)?,
            actor: number(4)?,
            key: number(5)?,
            via: text(6)?,
            address: Some(text(7)?).filter(|address| !address.is_empty()),
            details: text(8)?,
            sealed: matches!(row.get(9, ColumnType::Boolean)?, ValueRef::Boolean(true)),
        };
        let digest = match row.get(10, ColumnType::Bytes)? {
            ValueRef::Bytes(digest) => digest.to_vec(),
            _ => Vec::new(),
        };
        Ok((entry, digest))
    }

    fn values(self, digest: RowDigest) -> Vec<Value> {
        vec![
            self.id.into(),
            Value::Timestamp(self.moment),
            self.event.into(),
            self.subject.into(),
            self.actor.into(),
            self.key.into(),
            self.via.into(),
            self.address.into(),
            self.details.into(),
            self.sealed.into(),
            Value::Bytes(digest.to_vec()),
        ]
    }
}

fn columns() -> [(Name, ColumnType); 11] {
    use ColumnType::{Boolean, Bytes, Integer, Text, Timestamp};
    [
        (Name::fixed("id"), Integer),
        (Name::fixed("moment"), Timestamp),
        (Name::fixed("event"), Text),
        (Name::fixed("subject"), Integer),
        (Name::fixed("actor"), Integer),
        (Name::fixed("key"), Integer),
        (Name::fixed("via"), Text),
        (Name::fixed("address"), Text),
        (Name::fixed("details"), Text),
        (Name::fixed("sealed"), Boolean),
        (Name::fixed("digest"), Bytes),
    ]
}

/// Bytes as people pass them on.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The digest of such a text.
pub fn from_hex(text: &str) -> Option<RowDigest> {
    let mut digest = RowDigest::default();
    if text.len() != 2 * digest.len() || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in digest.iter_mut().zip(text.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(digest)
}
