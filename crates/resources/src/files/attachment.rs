//! The row of a file. Rows without a resource are promises, until they expire, and then nobody's.

use database::{Row, Sql, Tx};
use model::error::{Error, Result};
use model::table_names::ATTACHMENT;
use tenant::storage::Key;

/// A file that a resource has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its id, never reused.
    pub id: i64,
    /// The id of the resource's type.
    pub type_id: i64,
    /// The id of the property.
    pub property: i64,
    /// The id of the resource.
    pub object: i64,
    /// The name; no other file of the property and resource has it.
    pub name: String,
    /// The name at its upload, without its ending.
    pub title: String,
    /// Bytes.
    pub size: u64,
    /// The media type that its bytes show.
    pub mime: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub hash: String,
    /// When it was uploaded, in milliseconds.
    pub created: i64,
    /// The place of its bytes.
    pub key: Key,
}

impl Attachment {
    /// The attachment with that id. Promises are none.
    pub fn find(tx: &mut Tx<'_>, id: i64) -> Result<Option<Self>> {
        let mut sql = select(tx);
        sql.push(" WHERE id = ").bind(id).push(" AND object IS NOT NULL");
        one(tx, &sql)
    }

    /// The attachment of a resource's property with that name.
    pub(super) fn named(tx: &mut Tx<'_>, property: i64, object: i64, name: &str) -> Result<Option<Self>> {
        let mut sql = select(tx);
        sql.push(" WHERE property = ").bind(property).push(" AND object = ").bind(object);
        sql.push(" AND name = ").bind(name);
        one(tx, &sql)
    }
}

fn select(tx: &Tx<'_>) -> Sql {
    let mut sql = tx.sql();
    sql.push("SELECT id, type, property, object, name, title, size, mime, hash, created, key FROM ").table(&ATTACHMENT);
    sql
}

fn one(tx: &mut Tx<'_>, sql: &Sql) -> Result<Option<Attachment>> {
    let mut found = None;
    tx.query(sql, &mut |row| {
        found = Some(read(row)?);
        Ok(())
    })?;
    found.transpose()
}

fn read(row: &Row<'_>) -> database::Result<Result<Attachment>> {
    let text = |index: usize| row.text(index).map(str::to_owned);
    let Some(key) = Key::parse(row.text(10)?) else { return Ok(Err(Error::failed("an attachment without a key"))) };
    Ok(Ok(Attachment {
        id: row.integer(0)?,
        type_id: row.integer(1)?,
        property: row.integer(2)?,
        object: row.integer(3)?,
        name: text(4)?,
        title: text(5)?,
        size: row.integer(6)?.unsigned_abs(),
        mime: text(7)?,
        hash: text(8)?,
        created: row.integer(9)?,
        key,
    }))
}
