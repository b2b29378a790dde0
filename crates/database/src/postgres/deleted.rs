//! Deleted schemas: renamed, so that each statement on them fails.

use super::database::{PostgresDatabase, SCHEMA, schema};
use super::session::add_rows;
use super::store::PostgresStore;
use crate::deleted::{DeletedStore, StoreNames};
use crate::{Error, Result, Sql, Tx, ddl};
use std::sync::Arc;

/// The beginning of the names of such schemas: no store's, whose have a `_` there.
const DELETED: &str = "plinth-";
/// The number of times that a removal is tried again because others were in the way.
const BUSY: u32 = 3;
/// The most tables that one transaction drops: the server has room for some thousand locks.
const TOGETHER: i64 = 100;

impl PostgresDatabase {
    /// Writes that are under way end before; see [`crate::Tx::lock_store`].
    pub(crate) fn put_away(&self, store: &DeletedStore) -> Result<()> {
        if !self.exists(&store.name)? {
            return Err(Error::NoStore);
        }
        let there = self.named(&store.name);
        self.shared.jobs.0.forget(&there.prefix);
        there.write_here(|tx| {
            tx.lock_store()?;
            // Another may have deleted it while this waited.
            rename(tx, &schema(&store.name), &aside(store))
        })
    }

    pub(crate) fn names(&self) -> Result<StoreNames> {
        let mut names = StoreNames::default();
        self.root().read_here(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, 'plinth')");
            tx.query(&sql, &mut |row| {
                let schema = row.text(0)?;
                if let Some(label) = schema.strip_prefix(DELETED) {
                    names.deleted.extend(DeletedStore::parse(label));
                } else if let Some(name) = schema.strip_prefix(SCHEMA) {
                    names.there.insert(name.replace('_', "-"));
                }
                Ok(())
            })
        })?;
        Ok(names)
    }

    pub(crate) fn bring_back(&self, store: &DeletedStore) -> Result<()> {
        self.deleted_store(store).write_here(|tx| {
            tx.lock_store()?;
            let is_there = tx.any(&named(tx.sql(), &aside(store)))?;
            if is_there && tx.any(&named(tx.sql(), &schema(&store.name)))? {
                return Err(Error::Failed(format!("the store {} exists", store.name)));
            }
            rename(tx, &aside(store), &schema(&store.name))?;
            // One of an earlier version lacks the rows that are locked.
            tx.change(|_| add_rows(&format!("{}.{}", schema(&store.name), ddl::STATE)))
        })
    }

    pub(crate) fn rename_deleted(&self, from: &DeletedStore, to: &DeletedStore) -> Result<()> {
        self.deleted_store(from).write_here(|tx| {
            tx.lock_store()?;
            rename(tx, &aside(from), &aside(to))
        })
    }

    /// Drops some tables at a time, then the schema.
    pub(crate) fn remove_condemned(&self, store: &DeletedStore) -> Result<()> {
        let condemned = self.deleted_store(store);
        let name = aside(store);
        let mut busy = 0;
        loop {
            let dropped = condemned.write_here(|tx| {
                tx.lock_store()?;
                let tables = tables(tx, &name)?;
                if tables.is_empty() {
                    tx.change(|_| format!("DROP SCHEMA IF EXISTS \"{name}\" CASCADE"))?;
                } else {
                    tx.change(|_| format!("DROP TABLE IF EXISTS {} CASCADE", tables.join(", ")))?;
                }
                Ok::<_, Error>(tables.len())
            });
            match dropped {
                // Another was faster.
                Ok(0) | Err(Error::NoStore) => return Ok(()),
                Ok(_) => {}
                // Where rows are locked, two that drop the table of these rows meet in a deadlock.
                Err(Error::Busy) if busy < BUSY => busy += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Its lock is another one than that of the store that it was.
    pub(crate) fn deleted_store(&self, store: &DeletedStore) -> PostgresStore {
        let prefix = format!("\"{}\".", aside(store)).into();
        PostgresStore { shared: Arc::clone(&self.shared), prefix }
    }
}

fn aside(store: &DeletedStore) -> String {
    format!("{DELETED}{}", store.label())
}

/// Renames a schema; [`Error::NoStore`] where it is not there.
fn rename(tx: &mut Tx<'_>, from: &str, to: &str) -> Result<()> {
    if !tx.any(&named(tx.sql(), from))? {
        return Err(Error::NoStore);
    }
    tx.change(|_| format!("ALTER SCHEMA \"{from}\" RENAME TO \"{to}\""))
}

fn named(mut sql: Sql, schema: &str) -> Sql {
    sql.push("SELECT 1 FROM pg_namespace WHERE nspname = ").bind(schema);
    sql
}

/// Returns some tables of a schema, as statements name them, but for the one with the rows that are locked.
fn tables(tx: &mut Tx<'_>, schema: &str) -> Result<Vec<String>> {
    let mut sql = tx.sql();
    sql.push("SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class AS c JOIN pg_namespace AS n");
    sql.push(" ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND n.nspname = ").bind(schema);
    sql.push(" AND c.relname <> ").bind(ddl::STATE.as_str());
    sql.push(" ORDER BY c.relname").limit(TOGETHER, 0);
    let mut tables = Vec::new();
    tx.query(&sql, &mut |row| {
        tables.push(row.text(0)?.to_owned());
        Ok(())
    })?;
    Ok(tables)
}
