//! Tables, columns, indexes and views of a store: made, changed and described.

use super::TransactionEngine;
use crate::{ColumnSpec, Error, IndexSpec, Name, Result, Sql, TableDescription, TableSpec, Tx, ddl};

impl Tx<'_> {
    /// Makes what [`crate::Store::lease`] needs, where the store lacks it.
    pub fn prepare_leases(&mut self) -> Result<()> {
        match &self.engine {
            TransactionEngine::Sqlite(_) => Ok(()),
            TransactionEngine::Postgres(transaction) => {
                let text = ddl::create_leases(transaction.prefix());
                self.change(|_| text)
            }
        }
    }

    /// Makes a table.
    pub fn create_table(&mut self, table: &TableSpec) -> Result<()> {
        self.change(|dialect| ddl::create_table(dialect, table))
    }

    /// Drops a table.
    pub fn drop_table(&mut self, table: &Name) -> Result<()> {
        self.change(|dialect| ddl::drop_table(dialect, table))
    }

    /// Adds a column, null in every row.
    pub fn add_column(&mut self, table: &Name, column: &ColumnSpec) -> Result<()> {
        self.change(|dialect| ddl::add_column(dialect, table, column))
    }

    /// Drops a column; its indexes must be gone.
    pub fn drop_column(&mut self, table: &Name, column: &Name) -> Result<()> {
        self.change(|dialect| ddl::drop_column(dialect, table, column))
    }

    /// Renames a column.
    pub fn rename_column(&mut self, table: &Name, from: &Name, to: &Name) -> Result<()> {
        self.change(|dialect| ddl::rename_column(dialect, table, from, to))
    }

    /// Makes an index. Rows that disagree with a unique one are a [`crate::ConstraintViolation::Unique`].
    pub fn create_index(&mut self, index: &IndexSpec) -> Result<()> {
        self.change(|dialect| ddl::create_index(dialect, index))
    }

    /// Drops an index.
    pub fn drop_index(&mut self, index: &IndexSpec) -> Result<()> {
        self.change(|dialect| ddl::drop_index(dialect, index))
    }

    /// Makes or replaces a view for people. The name is checked by the caller and quoted here.
    /// A view must be dropped before a column that it shows is.
    pub fn create_view(&mut self, name: &str, select: &Sql) -> Result<()> {
        if !select.parameters.is_empty() {
            return Err(Error::Failed("a view has no parameters".into()));
        }
        self.drop_view(name)?;
        self.change(|dialect| ddl::create_view(dialect, name, &select.text))
    }

    /// Drops a view if it is there.
    pub fn drop_view(&mut self, name: &str) -> Result<()> {
        self.change(|dialect| ddl::drop_view(dialect, name))
    }

    /// Describes all tables and views of the store, sorted by name. What this crate keeps for itself is left out.
    pub fn tables(&mut self) -> Result<Vec<TableDescription>> {
        match &mut self.engine {
            TransactionEngine::Sqlite(transaction) => transaction.tables(),
            TransactionEngine::Postgres(transaction) => transaction.tables(),
        }
    }

    /// Returns true if the store has a table of that name, without describing any.
    pub fn has_table(&mut self, name: &Name) -> Result<bool> {
        match &mut self.engine {
            TransactionEngine::Sqlite(transaction) => transaction.has_table(name),
            TransactionEngine::Postgres(transaction) => transaction.has_table(name),
        }
    }
}
