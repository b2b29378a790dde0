//! Joins of the rows that values behind relations lie in.

use crate::condition_sql;
use crate::row_alias::row_alias;
use crate::value_path::ValuePath;
use database::{Name, Sql};
use std::collections::HashMap;

const ID: Name = Name::fixed("id");

/// Joins the rows that the values lie in, each way once; returns the alias for each value.
pub fn push<'p, 'm: 'p>(sql: &mut Sql, paths: impl Iterator<Item = &'p ValuePath<'m>>) -> Vec<Name> {
    let mut made: HashMap<Vec<usize>, Name> = HashMap::new();
    let mut aliases = Vec::new();
    for path in paths {
        let mut alias = row_alias(0);
        let mut way = Vec::new();
        for (index, hop) in path.hops.iter().enumerate() {
            way.push(hop.property.position);
            if let Some(known) = made.get(&way) {
                alias = known.clone();
                continue;
            }
            let joined = name(path, index, made.len());
            sql.push(" LEFT JOIN ").table(&hop.target.resource_type.table).push(" AS ").name(&joined).push(" ON ");
            match hop.property.kind.inverse() {
                None => _ = sql.column(&joined, &ID).push(" = ").column(&alias, &hop.property.column),
                // A unique relation leads back from one row at most.
                Some(source) => _ = sql.column(&joined, &source.column).push(" = ").column(&alias, &ID),
            }
            if let Some(guard) = path.guards.get(index).and_then(Option::as_ref) {
                sql.push(" AND ");
                condition_sql::push(sql, guard);
            }
            made.insert(way.clone(), joined.clone());
            alias = joined;
        }
        aliases.push(alias);
    }
    aliases
}

/// The alias of the row that a value lies in, where no other is joined.
pub fn alias(path: &ValuePath<'_>) -> Name {
    path.hops.len().checked_sub(1).map_or_else(|| row_alias(0), |last| name(path, last, last))
}

/// The name of the row that a relation on the way leads to, after some others.
fn name(path: &ValuePath<'_>, index: usize, others: usize) -> Name {
    path.levels.get(index).map_or_else(|| Name::numbered("j", others as i64), |level| row_alias(*level))
}
