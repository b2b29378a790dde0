//! Totals of rollups: what lies behind each value, so that a change of one resource changes it without a look at the
//! others.
//!
//! A row for each resource holds the totals of its rollups, and its lock guards them. A total that is missing, or was
//! made by another rule, is made of all resources anew. The values behind least and greatest ones lie in tables of
//! their own, in order.

use database::{ColumnType, Name, Sql, Tx, Value};
use groups::float_sum::FloatSum;
use model::error::Result;
use model::kinds::ValueStorage;
use model::table_names::{ROLLUP, ROLLUP_VALUES};
use model::types::{Property, ResourceType, RollupSummary};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use xxhash_rust::xxh3::xxh3_64;

/// Version of the way in which totals are made: where it changes, all are made anew.
const FORM: &str = "1";

/// The most totals that a statement forgets.
const STEP: i64 = 50_000;

/// Total of values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RollupTotal {
    /// Number of the values.
    pub(super) count: i64,
    /// The sum of those that are integers.
    pub(super) whole: i128,
    /// The sum of those that are floats.
    pub(super) float: FloatSum,
}

impl RollupTotal {
    /// Adds a value, or takes it away.
    pub(super) fn add(&mut self, value: &Value, came: bool) {
        let sign = if came { 1 } else { -1 };
        self.count += sign;
        match value {
            Value::Integer(number) => self.whole += i128::from(sign) * i128::from(*number),
            Value::Float(number) => self.float.add(*number, came),
            _ => {}
        }
    }

    fn text(&self) -> String {
        format!("{} {} {}", self.count, self.whole, self.float.text())
    }

    fn read(mut words: std::str::SplitWhitespace<'_>) -> Option<Self> {
        let count = words.next()?.parse().ok()?;
        let whole = words.next()?.parse().ok()?;
        Some(RollupTotal { count, whole, float: FloatSum::read(words.next()?)? })
    }
}

impl AddAssign<&RollupTotal> for RollupTotal {
    fn add_assign(&mut self, other: &RollupTotal) {
        self.count += other.count;
        self.whole += other.whole;
        self.float += &other.float;
    }
}

/// The totals of some resources, which are locked.
pub(super) struct LockedTotals {
    type_id: i64,
    /// For each resource the total of each rollup, by the property's id, with the fingerprint of what made it.
    of: BTreeMap<i64, BTreeMap<i64, (String, RollupTotal)>>,
    changed: BTreeSet<i64>,
}

impl LockedTotals {
    /// Reads the totals of resources that are locked.
    pub(super) fn read(tx: &mut Tx<'_>, of: &ResourceType, ids: &[i64]) -> Result<Self> {
        let mut totals = LockedTotals { type_id: of.id, of: BTreeMap::new(), changed: BTreeSet::new() };
        let mut sql = tx.sql();
        sql.push("SELECT object, content FROM ").table(&ROLLUP).push(" WHERE type = ").bind(of.id);
        sql.push(" AND object").any_of(ColumnType::Integer, ids.iter().copied().map(Value::Integer).collect());
        tx.query(&sql, &mut |row| {
            totals.of.insert(row.integer(0)?, row.text(1)?.lines().filter_map(line).collect());
            Ok(())
        })?;
        Ok(totals)
    }

    /// Returns the total of a resource's rollup, where it is known.
    pub(crate) fn get(&self, id: i64, of: &ResourceType, summary: &RollupSummary) -> Option<&RollupTotal> {
        let (made_by, total) = self.of.get(&id)?.get(&of.fields[summary.position].id)?;
        (*made_by == fingerprint(summary)).then_some(total)
    }

    /// Puts the total of a resource's rollup, or forgets it.
    pub(super) fn put(&mut self, id: i64, of: &ResourceType, summary: &RollupSummary, total: Option<RollupTotal>) {
        let (property, known) = (of.fields[summary.position].id, self.of.entry(id).or_default());
        match total {
            Some(total) => _ = known.insert(property, (fingerprint(summary), total)),
            None if known.remove(&property).is_none() => return,
            None => {}
        }
        self.changed.insert(id);
    }

    /// Writes the totals that changed.
    pub(crate) fn write(self, tx: &mut Tx<'_>) -> Result<()> {
        for id in &self.changed {
            let Some(totals) = self.of.get(id) else { continue };
            let line = |(property, (made_by, total)): (&i64, &(String, RollupTotal))| {
                format!("{property} {made_by} {}\n", total.text())
            };
            let content: String = totals.iter().map(line).collect();
            let mut sql = tx.sql();
            sql.push("INSERT INTO ").table(&ROLLUP).push(" (type, object, content) VALUES (").bind(self.type_id);
            sql.push(", ").bind(*id).push(", ").bind(content);
            sql.push(") ON CONFLICT (type, object) DO UPDATE SET content = excluded.content");
            tx.defer(sql)?;
        }
        Ok(())
    }
}

/// A rollup's total, by the property's id, with the fingerprint of what made it.
fn line(text: &str) -> Option<(i64, (String, RollupTotal))> {
    let mut words = text.split_whitespace();
    let property = words.next()?.parse().ok()?;
    let made_by = words.next()?.to_owned();
    Some((property, (made_by, RollupTotal::read(words)?)))
}

/// Differs where a rollup sums up otherwise.
fn fingerprint(summary: &RollupSummary) -> String {
    let filter = summary.filter.as_ref().map_or("", |filter| &filter.text);
    format!("{:016x}", xxh3_64(format!("{FORM} {} {filter}", summary.text).as_bytes()))
}

/// Forgets all totals, in steps that no limit of a statement's time is too short for: a program of another version may
/// have written since. The values behind them are cleared when they are listed anew.
pub fn forget_all(tx: &mut Tx<'_>) -> Result<()> {
    loop {
        let mut sql = tx.sql();
        sql.push("DELETE FROM ").table(&ROLLUP).push(" WHERE (type, object) IN (SELECT type, object FROM ");
        sql.table(&ROLLUP).limit(STEP, 0).push(")");
        if tx.execute(&sql)? < STEP.unsigned_abs() {
            return Ok(());
        }
    }
}

/// Forgets the totals of all resources of a type: each is made anew when it is needed.
pub fn forget_type(tx: &mut Tx<'_>, type_id: i64) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&ROLLUP).push(" WHERE type = ").bind(type_id);
    tx.execute(&sql)?;
    Ok(())
}

/// Forgets the totals of some resources of a type.
pub(super) fn forget(tx: &mut Tx<'_>, of: &ResourceType, ids: &[i64]) -> Result<()> {
    if of.rules().rollups.is_empty() {
        return Ok(());
    }
    let ids = || ids.iter().copied().map(Value::Integer).collect();
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&ROLLUP).push(" WHERE type = ").bind(of.id);
    sql.push(" AND object").any_of(ColumnType::Integer, ids());
    tx.defer(sql)?;
    for property in of.rules().rollups.iter().map(|summary| &of.fields[summary.position]) {
        if let Some((table, _)) = values_of(property) {
            let mut sql = tx.sql();
            sql.push("DELETE FROM ").table(&table).push(" WHERE property = ").bind(property.id);
            sql.push(" AND object").any_of(ColumnType::Integer, ids());
            tx.defer(sql)?;
        }
    }
    Ok(())
}

/// Forgets the values behind a rollup that goes.
pub fn forget_property(tx: &mut Tx<'_>, property: &Property) -> Result<()> {
    let Some((table, _)) = values_of(property) else { return Ok(()) };
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&table).push(" WHERE property = ").bind(property.id);
    tx.execute(&sql)?;
    Ok(())
}

/// Returns where the values behind a rollup lie, and what they are; nothing where its value needs none.
pub(super) fn values_of(property: &Property) -> Option<(Name, ColumnType)> {
    property.kind.rollup().filter(|rollup| rollup.function.is_extreme())?;
    let ValueStorage::Column(column) = property.kind.storage() else { return None };
    ROLLUP_VALUES.into_iter().find(|(_, of)| *of == column)
}

/// Clears the values behind a rollup of resources, or so many of them; tells whether none are left.
pub(super) fn clear(tx: &mut Tx<'_>, property: &Property, ids: &[i64], most: Option<i64>) -> Result<bool> {
    let Some((table, _)) = values_of(property) else { return Ok(true) };
    let of_resources = |sql: &mut Sql| {
        sql.push("property = ").bind(property.id).push(" AND object");
        sql.any_of(ColumnType::Integer, ids.iter().copied().map(Value::Integer).collect());
    };
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&table).push(" WHERE ");
    match most {
        None => of_resources(&mut sql),
        Some(most) => {
            sql.push("(property, object, value, other) IN (SELECT property, object, value, other FROM ").table(&table);
            sql.push(" WHERE ");
            of_resources(&mut sql);
            sql.limit(most, 0).push(")");
        }
    }
    let gone = tx.execute(&sql)?;
    Ok(most.is_none_or(|most| gone < most.unsigned_abs()))
}

/// Appends the first or the last of the values behind a resource's rollup, as a statement.
pub(super) fn push_extreme(sql: &mut Sql, property: &Property, least: bool, id: i64) {
    let Some((table, _)) = values_of(property) else { return };
    sql.push("SELECT value FROM ").table(&table).push(" WHERE property = ").bind(property.id);
    sql.push(" AND object = ").bind(id);
    sql.push(if least { " ORDER BY value" } else { " ORDER BY value DESC" }).limit(1, 0);
}
