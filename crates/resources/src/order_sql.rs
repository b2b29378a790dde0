//! SQL of the order of rows.

use database::{Name, Sql};
use query::joined_rows;
use query::order::SortKey;

/// Joins the rows that others are sorted by; returns for each key the name of the rows that have its value.
pub(crate) fn join(sql: &mut Sql, order: &[SortKey<'_>]) -> Vec<Name> {
    let mut aliases = joined_rows::push(sql, order.iter().map(|key| &key.path));
    for (index, key) in order.iter().enumerate() {
        if let Some(total) = &key.total {
            let name = Name::numbered("s", index as i64);
            total.join(sql, &aliases[index], &name);
            aliases[index] = name;
        }
    }
    aliases
}

/// Appends the order by keys, each in the rows of that name.
pub(crate) fn push(sql: &mut Sql, order: &[SortKey<'_>], aliases: &[Name]) {
    sql.push(" ORDER BY ");
    for (index, key) in order.iter().enumerate() {
        if index > 0 {
            sql.push(", ");
        }
        match &key.total {
            Some(total) => total.push(sql, &aliases[index]),
            None => key.path.push(sql, &aliases[index]),
        }
        sql.push(if key.descending { " DESC" } else { " ASC" });
        if key.nullable() {
            sql.order_nulls(!key.descending);
        }
    }
}
