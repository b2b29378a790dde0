//! Acts and looks behind the server's back.

use super::Server;
use accounts::audit_log;
use accounts::audit_log::Anchor;
use database::{ColumnType, Name, Tx, Value};
use resources::files;
use resources::files::Swept;
use serde_json::Value as Json;
use tenant::Tenant;

impl Server {
    /// Removes what nobody needs of the tenant's files, and compares all bytes with the rows.
    pub async fn sweep_files(&self) -> Swept {
        files::sweep_files(&self.tenant, true).await.expect("files are swept")
    }

    /// Drops the view and the table of a type behind the server's back, so that what needs them fails.
    pub async fn lose_table(&self, view: &'static str, table: &'static str) {
        self.operate(move |tenant| {
            tenant.store().write_blocking(|tx| {
                tx.drop_view(view)?;
                Ok(tx.drop_table(&Name::fixed(table))?)
            })
        })
        .await;
    }

    /// Runs a statement behind the server's back, as anyone with the database could; `%` stands before names of tables.
    pub async fn tamper(&self, statement: &str) {
        let statement = statement.to_owned();
        self.operate(move |tenant| {
            let job = |tx: &mut Tx<'_>| {
                let mut table = tx.sql();
                let prefix = table.table(&Name::fixed("x")).text().trim_end_matches('x').to_owned();
                let mut sql = tx.sql();
                sql.push(statement.replace('%', &prefix).leak());
                Ok(tx.execute(&sql).map(|_| ())?)
            };
            tenant.store().write_blocking(job)
        })
        .await;
    }

    /// Returns the output of `plinth audit verify --json` about the rows behind this one, or about all.
    pub async fn audited(&self, after: Option<&str>) -> Json {
        let after = after.map(|row| Anchor::parse(row).expect("it is a row"));
        let verify =
            move |tenant: &Tenant| tenant.read_as_administrator(|tx, context| audit_log::verify(tx, context, after));
        self.operate(verify).await.json()
    }

    /// Puts so many notes there, behind the server's back: more than one would create or import in a test.
    pub async fn fill_notes(&self, count: u64) {
        const COLUMNS: [(&str, ColumnType); 5] = [
            ("uuid", ColumnType::Uuid),
            ("created", ColumnType::Timestamp),
            ("updated", ColumnType::Timestamp),
            ("version", ColumnType::Integer),
            ("p150", ColumnType::Text),
        ];
        let row = |number: u64| {
            let text = Value::Text(format!("Note {number} of many, with a few words to search in"));
            let (uuid, now) = (Value::Uuid(u128::from(number).to_be_bytes()), Value::Timestamp(0));
            vec![uuid, now.clone(), now, Value::Integer(1), text]
        };
        self.operate(move |tenant| {
            tenant.store().write_blocking(|tx| {
                let columns = COLUMNS.map(|(name, column)| (Name::fixed(name), column));
                for start in (0..count).step_by(4_000) {
                    let rows: Vec<_> = (start..count.min(start + 4_000)).map(row).collect();
                    tx.insert_many(&Name::fixed("t13"), &columns, &rows)?;
                }
                let mut counter = tx.sql();
                counter
                    .push("UPDATE ")
                    .table(&Name::fixed("plinth_counter"))
                    .push(" SET changes = COALESCE(changes, 0) + 1, rows = rows + ");
                counter.bind(count.cast_signed()).push(" WHERE type = 13 AND slot = 0");
                Ok(tx.execute(&counter).map(|_| ())?)
            })
        })
        .await;
    }
}
