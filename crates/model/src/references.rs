//! Properties that refer to types, seen from the type that is referred to.

use crate::error::Result;
use crate::kinds::{OnDelete, ValueStorage};
use crate::types::{Model, Property, ResourceType};
use database::{ColumnType, Sql, Tx, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A relation, seen from its target.
pub struct IncomingRelation<'m> {
    /// The id of the type that is referred to.
    pub target: i64,
    /// The type that refers.
    pub owner: &'m Arc<ResourceType>,
    /// Its property.
    pub property: &'m Property,
    /// D-25.
    pub on_delete: OnDelete,
}

/// All relations of a model.
pub fn references(model: &Model) -> Vec<IncomingRelation<'_>> {
    let mut references = Vec::new();
    for owner in &model.types {
        for property in owner.properties() {
            references.extend(IncomingRelation::of(owner, property));
        }
    }
    references
}

impl<'m> IncomingRelation<'m> {
    /// The relation that a property is; none where it is none.
    pub fn of(owner: &'m Arc<ResourceType>, property: &'m Property) -> Option<Self> {
        let relation = property.kind.relation()?;
        Some(IncomingRelation { target: relation.type_id, owner, property, on_delete: relation.on_delete })
    }

    /// Returns true if it refers to what others refer to: their relations decide what a deletion does.
    pub fn calculated(&self) -> bool {
        self.property.calculated.is_some()
    }

    /// The ids of the resources that refer to one of the targets, without those that are left out.
    pub fn owners(&self, tx: &mut Tx<'_>, targets: &[i64], without: Option<&BTreeSet<i64>>) -> Result<Vec<i64>> {
        let mut sql = tx.sql();
        sql.push(if self.links() { "SELECT DISTINCT owner" } else { "SELECT id" }).push(" FROM ");
        self.rows(&mut sql, targets);
        let mut owners = Vec::new();
        tx.query(&sql, &mut |row| {
            owners.push(row.integer(0)?);
            Ok(())
        })?;
        if let Some(without) = without {
            owners.retain(|owner| !without.contains(owner));
        }
        Ok(owners)
    }

    /// Returns true if a resource beside these refers to one of the targets.
    pub fn any_owner(&self, tx: &mut Tx<'_>, targets: &[i64], beside: Option<&BTreeSet<i64>>) -> Result<bool> {
        let mut sql = tx.sql();
        sql.push(if self.links() { "SELECT DISTINCT owner" } else { "SELECT id" }).push(" FROM ");
        self.rows(&mut sql, targets);
        // Where there is one more than there are of these, it is beside them. Few numbers make few statements.
        let enough = (beside.map_or(0, BTreeSet::len) + 1).next_power_of_two();
        sql.limit(i64::try_from(enough).unwrap_or(i64::MAX), 0);
        let mut any = false;
        tx.query(&sql, &mut |row| {
            let owner = row.integer(0)?;
            any |= beside.is_none_or(|beside| !beside.contains(&owner));
            Ok(())
        })?;
        Ok(any)
    }

    /// Makes nothing refer to the targets any more; or, where they are named, none of these owners.
    pub fn clear(&self, tx: &mut Tx<'_>, targets: &[i64], of: Option<&[i64]>) -> Result<()> {
        let mut sql = tx.sql();
        if self.links() {
            sql.push("DELETE FROM ");
            self.rows(&mut sql, targets);
        } else {
            sql.push("UPDATE ")
                .table(&self.owner.table)
                .push(" SET ")
                .name(&self.property.column)
                .push(" = NULL WHERE ");
            self.condition(&mut sql, targets);
        }
        if let Some(owners) = of {
            sql.push(if self.links() { " AND owner" } else { " AND id" });
            sql.any_of(ColumnType::Integer, owners.iter().copied().map(Value::Integer).collect());
        }
        tx.execute(&sql)?;
        Ok(())
    }

    fn links(&self) -> bool {
        matches!(self.property.kind.storage(), ValueStorage::Links(_))
    }

    fn rows(&self, sql: &mut Sql, targets: &[i64]) {
        sql.table(if self.links() { &self.property.column } else { &self.owner.table }).push(" WHERE ");
        self.condition(sql, targets);
    }

    fn condition(&self, sql: &mut Sql, targets: &[i64]) {
        if self.links() {
            sql.push("value");
        } else {
            sql.name(&self.property.column);
        }
        sql.any_of(ColumnType::Integer, targets.iter().copied().map(Value::Integer).collect());
    }
}
