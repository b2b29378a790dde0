//! A transaction, and the rows that its statements give.

use crate::{ColumnSpec, ColumnType, IndexSpec, Name, Result, Sql, TableDescription, TableSpec, Value, ValueRef};
use std::marker::PhantomData;

/// Statements of one job on one store. See [`crate::Store::read`] and [`crate::Store::write`].
pub struct Tx<'c>(PhantomData<&'c ()>);

/// A row while it is being read.
pub struct Row<'r>(PhantomData<&'r ()>);

/// Numbers that tell what is cached outside the store whether it still holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epochs {
    /// Raised with every change of keys, users, roles: of who may do what.
    pub access: i64,
    /// Raised with every change of the configuration.
    pub configuration: i64,
}

impl Tx<'_> {
    /// An empty statement for this store.
    pub fn sql(&self) -> Sql {
        todo!()
    }
    /// Runs a statement; gives the number of rows that it changed.
    pub fn execute(&mut self, _sql: &Sql) -> Result<u64> {
        todo!()
    }
    /// Runs a statement and hands each row to `each`.
    pub fn query(&mut self, _sql: &Sql, _each: &mut dyn FnMut(&Row<'_>) -> Result<()>) -> Result<()> {
        todo!()
    }
    /// Runs several statements, in one round trip where there is a network; `each` gets the statement's index.
    pub fn query_all(
        &mut self,
        _statements: &[&Sql],
        _each: &mut dyn FnMut(usize, &Row<'_>) -> Result<()>,
    ) -> Result<()> {
        todo!()
    }
    /// Makes the statements that follow, in a read, see one state of the store. In a write, nothing changes.
    pub fn snapshot(&mut self) -> Result<()> {
        todo!()
    }
    /// The epochs of the store. Costs next to nothing where nothing was committed since this connection last asked.
    pub fn epochs(&mut self) -> Result<Epochs> {
        todo!()
    }
    /// Raises [`Epochs::access`].
    pub fn raise_access(&mut self) -> Result<()> {
        todo!()
    }
    /// Raises [`Epochs::configuration`], and with it [`Epochs::access`].
    pub fn raise_configuration(&mut self) -> Result<()> {
        todo!()
    }
    /// Inserts rows in bulk; gives the ids of an identity table's new rows, in order, else nothing.
    pub fn insert_many(
        &mut self,
        _table: &Name,
        _columns: &[(Name, ColumnType)],
        _rows: &[Vec<Value>],
    ) -> Result<Vec<i64>> {
        todo!()
    }
    /// Makes a table.
    pub fn create_table(&mut self, _table: &TableSpec) -> Result<()> {
        todo!()
    }
    /// Drops a table.
    pub fn drop_table(&mut self, _table: &Name) -> Result<()> {
        todo!()
    }
    /// Adds a column, null in every row.
    pub fn add_column(&mut self, _table: &Name, _column: &ColumnSpec) -> Result<()> {
        todo!()
    }
    /// Drops a column; its indexes must be gone.
    pub fn drop_column(&mut self, _table: &Name, _column: &Name) -> Result<()> {
        todo!()
    }
    /// Renames a column.
    pub fn rename_column(&mut self, _table: &Name, _from: &Name, _to: &Name) -> Result<()> {
        todo!()
    }
    /// Makes an index. Rows that disagree with a unique one are a [`crate::Violation::Unique`].
    pub fn create_index(&mut self, _index: &IndexSpec) -> Result<()> {
        todo!()
    }
    /// Drops an index.
    pub fn drop_index(&mut self, _index: &IndexSpec) -> Result<()> {
        todo!()
    }
    /// Makes or replaces a view for people. The name is checked by the caller and quoted here.
    pub fn create_view(&mut self, _name: &str, _select: &Sql) -> Result<()> {
        todo!()
    }
    /// Drops a view if it is there.
    pub fn drop_view(&mut self, _name: &str) -> Result<()> {
        todo!()
    }
    /// Describes all tables and views of the store, sorted by name.
    pub fn tables(&mut self) -> Result<Vec<TableDescription>> {
        todo!()
    }
}

impl Row<'_> {
    /// The value at `index`, which the statement selects as a column of that type.
    pub fn get(&self, _index: usize, _column: ColumnType) -> Result<ValueRef<'_>> {
        todo!()
    }
    /// An integer; a null is [`crate::Error::Corrupt`].
    pub fn integer(&self, _index: usize) -> Result<i64> {
        todo!()
    }
    /// A text; a null is [`crate::Error::Corrupt`].
    pub fn text(&self, _index: usize) -> Result<&str> {
        todo!()
    }
    /// Whether the value at `index` is null.
    pub fn is_null(&self, _index: usize) -> Result<bool> {
        todo!()
    }
}
