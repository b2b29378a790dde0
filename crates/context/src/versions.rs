//! Numbers of changes that types have had: what was made of their resources holds while these numbers stand.

use database::{ColumnType, Row, Sql, Tx, Value};
use model::error::Result;
use model::table_names::COUNTER;

/// The numbers of changes of some types. They only grow, with every commit that changes the type's resources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeVersions(Box<[(i64, i64)]>);

/// Runs statements, and before them, in the same round trip, what reads the versions of the types: what the
/// statements give is at least as new.
pub fn ahead(
    tx: &mut Tx<'_>,
    types: &[i64],
    statements: &[&Sql],
    each: &mut dyn FnMut(usize, &Row<'_>) -> database::Result<()>,
) -> Result<TypeVersions> {
    if let Some(known) = TypeVersions::known(tx, types)? {
        tx.query_all(statements, each)?;
        return Ok(known);
    }
    let ours = TypeVersions::statement(tx, types);
    let all: Vec<&Sql> = std::iter::once(&ours).chain(statements.iter().copied()).collect();
    let mut versions = TypeVersions::unread(types);
    tx.query_all(&all, &mut |statement, row| match statement.checked_sub(1) {
        None => versions.take(row),
        Some(statement) => each(statement, row),
    })?;
    versions.note(tx)?;
    Ok(versions)
}

impl TypeVersions {
    /// Reads those of the types, which are in order. What is read of the types afterwards is at least as new.
    pub fn read(tx: &mut Tx<'_>, types: &[i64]) -> Result<Self> {
        if let Some(known) = TypeVersions::known(tx, types)? {
            return Ok(known);
        }
        let statement = TypeVersions::statement(tx, types);
        let mut versions = TypeVersions::unread(types);
        tx.query(&statement, &mut |row| versions.take(row))?;
        versions.note(tx)?;
        Ok(versions)
    }

    /// The same, where no statement is needed.
    pub fn known(tx: &mut Tx<'_>, types: &[i64]) -> Result<Option<Self>> {
        let mut found = Vec::with_capacity(types.len());
        for id in types {
            match tx.cached_number(*id)? {
                Some(number) => found.push((*id, number)),
                None => return Ok(None),
            }
        }
        Ok(Some(TypeVersions(found.into())))
    }

    /// The statement whose rows [`TypeVersions::take`] reads.
    pub fn statement(tx: &Tx<'_>, types: &[i64]) -> Sql {
        let mut sql = tx.sql();
        sql.push("SELECT type, CAST(COALESCE(SUM(changes), 0) AS ").column_type(ColumnType::Integer).push(") FROM ");
        sql.table(&COUNTER).push(" WHERE type");
        match types {
            [only] => _ = sql.push(" = ").bind(*only),
            _ => _ = sql.any_of(ColumnType::Integer, types.iter().copied().map(Value::Integer).collect()),
        }
        sql.push(" GROUP BY type");
        sql
    }

    /// Those of the types before a row was read: a type without a row has had no change.
    pub fn unread(types: &[i64]) -> Self {
        types.iter().map(|id| (*id, 0)).collect()
    }

    /// Reads a row of the statement.
    pub fn take(&mut self, row: &Row<'_>) -> database::Result<()> {
        let id = row.integer(0)?;
        if let Some((_, number)) = self.0.iter_mut().find(|(own, _)| *own == id) {
            *number = row.integer(1)?;
        }
        Ok(())
    }

    /// Has them known, where the database can tell that nothing was committed since.
    pub fn note(&self, tx: &mut Tx<'_>) -> Result<()> {
        self.0.iter().try_for_each(|(id, number)| Ok(tx.cache_number(*id, *number)?))
    }

    /// Each type with its number.
    pub fn iter(&self) -> impl Iterator<Item = (i64, i64)> {
        self.0.iter().copied()
    }

    /// The types.
    pub fn types(&self) -> Vec<i64> {
        self.0.iter().map(|(id, _)| *id).collect()
    }

    /// Returns true if what was made at these versions holds at those, which are of the same types and perhaps of more.
    pub fn hold(&self, current: &TypeVersions) -> bool {
        self.0.iter().all(|own| current.0.contains(own))
    }

    /// Those of some of the types.
    pub fn of(&self, types: &[i64]) -> TypeVersions {
        self.iter().filter(|(id, _)| types.contains(id)).collect()
    }

    /// The bytes that they take.
    pub fn size(&self) -> usize {
        self.0.len() * size_of::<(i64, i64)>()
    }
}

impl FromIterator<(i64, i64)> for TypeVersions {
    fn from_iter<I: IntoIterator<Item = (i64, i64)>>(versions: I) -> Self {
        TypeVersions(versions.into_iter().collect())
    }
}
