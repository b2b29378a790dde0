//! The users who have one of some roles.

use database::{ColumnType, Tx, Value};
use model::error::Result;
use model::user_columns::ROLES;

/// The most users that are told of something.
const MOST: i64 = 1_000;

/// The ids of users who have one of the roles, by id, so many as may be told of something at once.
pub fn with_roles<'r>(tx: &mut Tx<'_>, roles: impl Iterator<Item = &'r str>) -> Result<Vec<i64>> {
    let roles: Vec<Value> = roles.map(Value::from).collect();
    if roles.is_empty() {
        return Ok(Vec::new());
    }
    let mut sql = tx.sql();
    sql.push("SELECT DISTINCT owner FROM ").table(&ROLES).push(" WHERE value").any_of(ColumnType::Text, roles);
    sql.push(" ORDER BY owner").limit(MOST, 0);
    let mut users = Vec::new();
    tx.query(&sql, &mut |row| {
        users.push(row.integer(0)?);
        Ok(())
    })?;
    Ok(users)
}
