//! The one table: how it is made, and the four statements on it, from row to JSON.

use benches::answer::Json;
use benches::articles::articles;
use benches::random::uuid;
use benches::request::{Created, List};
use std::collections::HashMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio_postgres::types::{FromSql, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Error, Row, Statement};

/// The JSON of a read or a written row, or nothing where there is no such row.
pub(crate) type Answer = Result<Option<Vec<u8>>, Error>;

/// A connection and its prepared statements.
pub(crate) struct Table {
    client: Client,
    one: Statement,
    create: Statement,
    patch: Statement,
    groups: Statement,
    /// The pages and counts, by sort keys and whether there is a filter.
    lists: HashMap<(&'static str, bool), (Statement, Statement)>,
}

macro_rules! columns {
    () => {
        "id, uuid, title, body, status, views, price, published_at, author"
    };
}
const INSERT: &str = concat!(
    "INSERT INTO article (uuid, title, body, status, views, price, published_at, author)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ",
    columns!()
);

const GROUPS: &str = "SELECT status, to_char(month, 'YYYY-MM'), rows
     FROM (SELECT status, date_trunc('month', published_at, 'UTC') AS month, count(*) AS rows
           FROM article GROUP BY 1, 2) AS g ORDER BY 1, 2";

/// Makes the table and its rows, where it is not there.
pub(crate) async fn fill(client: &Client, rows: usize) -> Result<(), Error> {
    if client.query_one("SELECT to_regclass('article') IS NOT NULL", &[]).await?.get(0) {
        return Ok(());
    }
    client
        .batch_execute(
            "BEGIN;
             CREATE TABLE article (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, uuid uuid NOT NULL UNIQUE,
               title text COLLATE \"C\" NOT NULL, body text COLLATE \"C\", status text COLLATE \"C\" NOT NULL,
               views bigint NOT NULL, price double precision, published_at timestamptz, author bigint);
             CREATE INDEX article_status ON article(status);",
        )
        .await?;
    let insert = client.prepare(INSERT).await?;
    for row in articles(rows) {
        let instant = instant(row.published_at);
        client
            .execute(
                &insert,
                &[&Uuid(uuid()), &row.title, &row.body, &row.status, &row.views, &row.price, &instant, &row.author],
            )
            .await?;
    }
    client.batch_execute("COMMIT; ANALYZE article; CHECKPOINT").await
}

impl Table {
    pub(crate) async fn prepare(client: Client) -> Result<Self, Error> {
        let one = client.prepare(concat!("SELECT ", columns!(), " FROM article WHERE id = $1")).await?;
        let create = client.prepare(INSERT).await?;
        let patch = concat!("UPDATE article SET views = $2 WHERE id = $1 RETURNING ", columns!());
        let patch = client.prepare(patch).await?;
        let groups = client.prepare(GROUPS).await?;
        let mut lists = HashMap::new();
        for order in ["id", "views, id", "views DESC, id"] {
            for (filtered, filter) in [(true, "WHERE status = $1"), (false, "WHERE $1::text IS NULL")] {
                let select = concat!("SELECT ", columns!(), " FROM article");
                let page = format!("{select} {filter} ORDER BY {order} LIMIT $2 OFFSET $3");
                let count = format!("SELECT count(*) FROM article {filter}");
                let statements = (client.prepare(&page).await?, client.prepare(&count).await?);
                lists.insert((order, filtered), statements);
            }
        }
        Ok(Table { client, one, create, patch, groups, lists })
    }

    pub(crate) async fn one(&self, id: i64) -> Answer {
        Ok(only(&self.client.query(&self.one, &[&id]).await?))
    }

    pub(crate) async fn create(&self, row: &Created, published_at: i64) -> Answer {
        let instant = instant(published_at);
        let values: [&(dyn ToSql + Sync); 8] =
            [&Uuid(uuid()), &row.title, &row.body, &row.status, &row.views, &row.price, &instant, &row.author];
        Ok(only(&self.client.query(&self.create, &values).await?))
    }

    pub(crate) async fn patch(&self, id: i64, views: i64) -> Answer {
        Ok(only(&self.client.query(&self.patch, &[&id, &views]).await?))
    }

    pub(crate) async fn groups(&self) -> Answer {
        let rows = self.client.query(&self.groups, &[]).await?;
        let mut out = Vec::with_capacity(16 * 1024);
        out.raw(b"{\"data\":[");
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.group(row.get(0), row.get(1), row.get(2));
        }
        out.raw(b"]}");
        Ok(Some(out))
    }

    pub(crate) async fn list(&self, list: &List) -> Answer {
        let (page, count) = &self.lists[&(list.order, list.status.is_some())];
        let offset = (list.page - 1) * list.per_page;
        let page_values: [&(dyn ToSql + Sync); 3] = [&list.status, &list.per_page, &offset];
        let count_values: [&(dyn ToSql + Sync); 1] = [&list.status];
        // Both are on the way at once.
        let (rows, total) =
            tokio::try_join!(self.client.query(page, &page_values), self.client.query_one(count, &count_values))?;
        let mut out = Vec::with_capacity(16 * 1024);
        out.raw(b"{\"stats\":{\"page\":");
        out.integer(list.page);
        out.raw(b",\"itemsPerPage\":");
        out.integer(list.per_page);
        out.raw(b",\"fetched\":");
        out.integer(rows.len() as i64);
        out.raw(b",\"total\":");
        out.integer(total.get(0));
        out.raw(b"},\"data\":[");
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            write_row(&mut out, row);
        }
        out.raw(b"]}");
        Ok(Some(out))
    }
}

fn only(rows: &[Row]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(640);
    write_row(&mut out, rows.first()?);
    Some(out)
}

fn write_row(out: &mut Vec<u8>, row: &Row) {
    out.raw(b"{\"id\":");
    out.integer(row.get(0));
    out.raw(b",\"uuid\":");
    out.uuid(&row.get::<_, Uuid>(1).0);
    out.raw(b",\"title\":");
    out.text(row.get(2));
    out.raw(b",\"body\":");
    out.text(row.get(3));
    out.raw(b",\"status\":");
    out.text(row.get(4));
    out.raw(b",\"views\":");
    out.integer(row.get(5));
    out.raw(b",\"price\":");
    out.float(row.get(6));
    out.raw(b",\"published_at\":");
    let instant = row.get::<_, SystemTime>(7).duration_since(UNIX_EPOCH).unwrap_or_default();
    out.datetime(instant.as_millis() as i64);
    out.raw(b",\"author\":");
    out.integer(row.get(8));
    out.raw(b"}");
}

fn instant(milliseconds: i64) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(milliseconds.unsigned_abs())
}

/// A uuid as PostgreSQL sends it: its 16 bytes.
#[derive(Debug)]
struct Uuid([u8; 16]);

impl<'a> FromSql<'a> for Uuid {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Uuid(raw.try_into()?))
    }

    fn accepts(column: &Type) -> bool {
        *column == Type::UUID
    }
}

impl ToSql for Uuid {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut tokio_postgres::types::private::BytesMut,
    ) -> Result<tokio_postgres::types::IsNull, Box<dyn std::error::Error + Sync + Send>> {
        out.extend_from_slice(&self.0);
        Ok(tokio_postgres::types::IsNull::No)
    }

    fn accepts(column: &Type) -> bool {
        *column == Type::UUID
    }

    to_sql_checked!();
}
