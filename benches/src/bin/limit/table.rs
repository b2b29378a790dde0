//! The one table: how it is made, and the four statements on it, from row to JSON.

use benches::answer::Json;
use benches::articles::articles;
use benches::random::uuid;
use benches::request::{Created, List};
use rusqlite::{Connection, OpenFlags, Row, Rows, params};
use std::path::Path;

/// The JSON of a read or a written row, or nothing where there is no such row.
pub(crate) type Answer = Result<Option<Vec<u8>>, rusqlite::Error>;

pub(crate) enum Read {
    One(i64),
    List(List),
    /// The numbers of rows by status and month.
    Groups,
}

const GROUPS: &str = "SELECT status, strftime('%Y-%m', published_at / 1000, 'unixepoch') AS month, count(*)
     FROM article GROUP BY 1, 2 ORDER BY 1, 2";

pub(crate) enum Write {
    /// With the instant of `published_at`.
    Create(Box<Created>, i64),
    /// The id and the new number of views.
    Patch(i64, i64),
}

macro_rules! columns {
    () => {
        "id, uuid, title, body, status, views, price, published_at, author"
    };
}
const INSERT: &str = concat!(
    "INSERT INTO article (uuid, title, body, status, views, price, published_at, author)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING ",
    columns!()
);

pub(crate) fn open(database: &Path, read_only: bool) -> rusqlite::Result<Connection> {
    let access = if read_only {
        OpenFlags::SQLITE_OPEN_READ_ONLY
    } else {
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE
    };
    let connection = Connection::open_with_flags(database, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.execute_batch(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000; PRAGMA cache_size=-65536;
         PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY;",
    )?;
    Ok(connection)
}

/// Makes the table and its rows.
pub(crate) fn fill(database: &Path, rows: usize) -> rusqlite::Result<()> {
    let mut connection = open(database, false)?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(
        "CREATE TABLE article (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid BLOB NOT NULL UNIQUE, title TEXT NOT NULL,
           body TEXT, status TEXT NOT NULL, views INTEGER NOT NULL, price REAL, published_at INTEGER, author INTEGER);
         CREATE INDEX article_status ON article(status);",
    )?;
    for row in articles(rows) {
        let mut insert = transaction.prepare_cached(INSERT)?;
        insert.query_row(
            params![uuid(), row.title, row.body, row.status, row.views, row.price, row.published_at, row.author],
            |_| Ok(()),
        )?;
    }
    transaction.commit()?;
    connection.execute_batch("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);")
}

pub(crate) fn read(connection: &Connection, job: &Read) -> Answer {
    match job {
        Read::One(id) => {
            let mut select =
                connection.prepare_cached(concat!("SELECT ", columns!(), " FROM article WHERE id = ?1"))?;
            only(select.query(params![id])?)
        }
        Read::List(list) => read_list(connection, list).map(Some),
        Read::Groups => read_groups(connection).map(Some),
    }
}

pub(crate) fn write(connection: &Connection, job: &Write) -> Answer {
    match job {
        Write::Create(row, published_at) => {
            let mut insert = connection.prepare_cached(INSERT)?;
            only(insert.query(params![
                uuid(),
                row.title,
                row.body,
                row.status,
                row.views,
                row.price,
                published_at,
                row.author
            ])?)
        }
        Write::Patch(id, views) => {
            let mut update = connection
                .prepare_cached(concat!("UPDATE article SET views = ?2 WHERE id = ?1 RETURNING ", columns!()))?;
            only(update.query(params![id, views])?)
        }
    }
}

fn read_list(connection: &Connection, list: &List) -> Result<Vec<u8>, rusqlite::Error> {
    let filter = if list.status.is_some() { "WHERE status = ?1" } else { "WHERE ?1 IS NULL" };
    let total: i64 = connection
        .prepare_cached(&format!("SELECT count(*) FROM article {filter}"))?
        .query_row(params![list.status], |row| row.get(0))?;
    let mut select = connection.prepare_cached(&format!(
        concat!("SELECT ", columns!(), " FROM article {} ORDER BY {} LIMIT ?2 OFFSET ?3"),
        filter, list.order
    ))?;
    let mut rows = select.query(params![list.status, list.per_page, (list.page - 1) * list.per_page])?;
    let mut data = Vec::with_capacity(16 * 1024);
    let mut fetched = 0;
    while let Some(row) = rows.next()? {
        if fetched > 0 {
            data.push(b',');
        }
        fetched += 1;
        write_row(&mut data, row)?;
    }
    let mut out = Vec::with_capacity(data.len() + 128);
    out.raw(b"{\"stats\":{\"page\":");
    out.integer(list.page);
    out.raw(b",\"itemsPerPage\":");
    out.integer(list.per_page);
    out.raw(b",\"fetched\":");
    out.integer(fetched);
    out.raw(b",\"total\":");
    out.integer(total);
    out.raw(b"},\"data\":[");
    out.raw(&data);
    out.raw(b"]}");
    Ok(out)
}

fn read_groups(connection: &Connection) -> Result<Vec<u8>, rusqlite::Error> {
    let mut select = connection.prepare_cached(GROUPS)?;
    let mut rows = select.query([])?;
    let mut out = Vec::with_capacity(16 * 1024);
    out.raw(b"{\"data\":[");
    while let Some(row) = rows.next()? {
        if out.last() == Some(&b'}') {
            out.push(b',');
        }
        out.group(row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?, row.get(2)?);
    }
    out.raw(b"]}");
    Ok(out)
}

fn only(mut rows: Rows<'_>) -> Answer {
    let mut out = None;
    while let Some(row) = rows.next()? {
        let mut json = Vec::with_capacity(640);
        write_row(&mut json, row)?;
        out = Some(json);
    }
    Ok(out)
}

fn write_row(out: &mut Vec<u8>, row: &Row<'_>) -> rusqlite::Result<()> {
    out.raw(b"{\"id\":");
    out.integer(row.get_ref(0)?.as_i64()?);
    out.raw(b",\"uuid\":");
    out.uuid(row.get_ref(1)?.as_blob()?);
    out.raw(b",\"title\":");
    out.text(row.get_ref(2)?.as_str()?);
    out.raw(b",\"body\":");
    out.text(row.get_ref(3)?.as_str()?);
    out.raw(b",\"status\":");
    out.text(row.get_ref(4)?.as_str()?);
    out.raw(b",\"views\":");
    out.integer(row.get_ref(5)?.as_i64()?);
    out.raw(b",\"price\":");
    out.float(row.get_ref(6)?.as_f64()?);
    out.raw(b",\"published_at\":");
    out.datetime(row.get_ref(7)?.as_i64()?);
    out.raw(b",\"author\":");
    out.integer(row.get_ref(8)?.as_i64()?);
    out.raw(b"}");
    Ok(())
}
