//! The values of rollups: by the difference where it is known what came and went, else summed up by the database for many
//! resources at once.
//!
//! Whoever asks holds the resources that the values are of: another write of what is summed up, which does the same,
//! then waits, and goes on from the totals that this one committed.

use super::differences::{RollupDifference, RollupDifferences, ValueChange};
use super::record::Record;
use super::settle::RollupSums;
use super::totals::{self, LockedTotals, RollupTotal};
use context::actor::RightsProviders;
use context::audit::RequestChannel;
use context::request_context::RequestContext;
use database::{ColumnType, Name, Sql, Tx, Value};
use model::error::{Error, Result};
use model::kinds;
use model::kinds::{RelationSide, RollupFunction, StoredValue, ValueFault, ValueStorage};
use model::types::{Property, ResourceType, RollupSummary, TypeRules};
use query::condition_sql;
use query::pushdown;
use query::pushdown::RuleBindings;
use query::summing::{HALF, OTHERS, VALUE, average, order, push_values, value_columns};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

/// The most values behind least and greatest ones that are listed anew for resources that a server has in hand at once.
/// Where there are more, the values are asked for each time. Commands have no such limit.
const FEW: i64 = 5_000;
const OWNER: Name = Name::fixed("owner");
/// Their links.
const LINKS: Name = Name::fixed("k");

/// A rollup with the types that it connects.
struct RollupRule<'m> {
    /// True if the caller may know of the property.
    is_known: bool,
    summary: &'m RollupSummary,
    /// Its type and its property.
    of: &'m Arc<ResourceType>,
    target: &'m Property,
    others: &'m Arc<ResourceType>,
    /// The property whose values are taken.
    property: Option<&'m Property>,
    relation: &'m Property,
}

/// A rollup's value, and what lies behind it.
struct RollupValue {
    value: Value,
    /// None where it is not to be kept, since the values behind it are not listed.
    total: Option<RollupTotal>,
}

/// Returns the values of all rollups of a stage, or of all, for resources that are locked. Without `differences` all are
/// made anew.
pub(super) fn sums(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    of: &Arc<ResourceType>,
    records: &[Record],
    stage: Option<u32>,
    mut differences: Option<&mut RollupDifferences>,
) -> Result<RollupSums> {
    let mut sums = RollupSums::new();
    let rules = of.rules();
    let concerned = |summary: &&RollupSummary| stage.is_none_or(|stage| rules.stage(summary.position) == stage);
    let rollups: Vec<&RollupSummary> = rules.rollups.iter().filter(concerned).collect();
    if records.is_empty() || rollups.is_empty() {
        return Ok(sums);
    }
    let ids: Vec<i64> = records.iter().map(Record::id).collect::<Result<_>>()?;
    let mut totals = LockedTotals::read(tx, of, &ids)?;
    for summary in rollups {
        let rollup = RollupRule::new(request, of, summary)?;
        let (mut anew, mut found) = (Vec::new(), HashMap::new());
        for (record, id) in records.iter().zip(&ids) {
            let known = totals.get(*id, of, summary).filter(|_| summary.side == RelationSide::Others);
            let known = known.filter(|total| rollup.agrees(of, record, total)).cloned();
            let difference = differences.as_mut().map(|all| all.take(of.id, *id, summary.position));
            match (known, difference) {
                (Some(total), Some(None)) => {
                    let made = rollup.moved(tx, record, total, ValueChange::default())?;
                    found.insert(*id, made.value);
                }
                (Some(total), Some(Some(RollupDifference::By(change)))) => {
                    let made = rollup.moved(tx, record, total, change)?;
                    totals.put(*id, of, summary, made.total);
                    found.insert(*id, made.value);
                }
                _ => anew.push(*id),
            }
        }
        for (id, made) in rollup.anew(tx, request, &anew)? {
            if summary.side == RelationSide::Others {
                totals.put(id, of, summary, made.total);
            }
            found.insert(id, made.value);
        }
        for (id, value) in found {
            let sum = StoredValue::One(value);
            let refused = |fault: ValueFault| rollup.refused(fault);
            kinds::check_property(rollup.target.kind.as_ref(), &sum).map_err(refused)?;
            sums.insert((summary.position, id), sum);
        }
    }
    totals.write(tx)?;
    Ok(sums)
}

impl<'m> RollupRule<'m> {
    fn new(request: &'m RequestContext, of: &'m Arc<ResourceType>, summary: &'m RollupSummary) -> Result<Self> {
        let missing = || Error::failed("a rollup of a type that is not there");
        let others = request.model.type_by_id(summary.of).ok_or_else(missing)?;
        let holder = if summary.side == RelationSide::Own { of } else { others };
        Ok(RollupRule {
            is_known: request.actor.knows(of, &of.fields[summary.position]),
            summary,
            of,
            target: &of.fields[summary.position],
            others,
            property: summary.property.map(|position| &others.fields[position]),
            relation: &holder.fields[summary.relation],
        })
    }

    /// Returns the error of a value that its property does not take. It may follow from a write of another type: the
    /// message names the type to callers who know the property.
    fn refused(&self, fault: ValueFault) -> Error {
        let name = &self.target.name;
        let title = if self.is_known { format!("{}.{name}", self.of.name) } else { name.clone() };
        Error::problems(vec![fault.of(name, &title)])
    }

    fn is_float(&self) -> bool {
        self.property.is_some_and(|property| property.kind.storage() == ValueStorage::Column(ColumnType::Float))
    }

    /// Tells whether a total is that of the stored value. It is not where a program of an earlier version, which knows no
    /// totals, wrote in between.
    fn agrees(&self, of: &ResourceType, record: &Record, total: &RollupTotal) -> bool {
        let StoredValue::One(stored) = &record.values[self.summary.position] else { return false };
        let conditional = TypeRules::about(&of.rules().conditions, self.summary.position).is_some();
        match self.summary.function.is_extreme() {
            // It does not apply to the resource.
            _ if conditional && stored.is_null() => true,
            true => stored.is_null() == (total.count == 0),
            false => self.value(total).is_ok_and(|value| value == *stored),
        }
    }

    /// Makes the value of a resource out of its total and what came and went.
    fn moved(
        &self,
        tx: &mut Tx<'_>,
        record: &Record,
        mut total: RollupTotal,
        change: ValueChange,
    ) -> Result<RollupValue> {
        let before = total.count;
        total += &change.total;
        let Some((table, column)) = totals::values_of(self.target) else {
            return Ok(RollupValue { value: self.value(&total)?, total: Some(total) });
        };
        let id = record.id()?;
        let least = self.summary.function == RollupFunction::Least;
        let mut extreme = match &record.values[self.summary.position] {
            StoredValue::One(value) => value.clone(),
            StoredValue::Many(_) => Value::Null,
        };
        // It is there, and does not apply to the resource.
        let mut unknown = before > 0 && extreme.is_null();
        let mut rows = Vec::new();
        for (other, (gone, came)) in change.moved {
            if gone == came {
                continue;
            }
            if let Some(gone) = gone {
                unknown |= gone == extreme;
                let mut sql = tx.sql();
                sql.push("DELETE FROM ").table(&table).push(" WHERE property = ").bind(self.target.id);
                sql.push(" AND object = ").bind(id).push(" AND value = ").bind_as(column, gone);
                sql.push(" AND other = ").bind(other);
                tx.defer(sql)?;
            }
            if let Some(came) = came {
                let better = if least { Ordering::Less } else { Ordering::Greater };
                if extreme.is_null() || order(&came, &extreme) == better {
                    extreme = came.clone();
                }
                rows.push(vec![Value::Integer(self.target.id), Value::Integer(id), came, Value::Integer(other)]);
            }
        }
        if !rows.is_empty() {
            tx.defer_many(&table, &value_columns(column), &rows)?;
        }
        if total.count == 0 {
            extreme = Value::Null;
        } else if unknown {
            let mut sql = tx.sql();
            totals::push_extreme(&mut sql, self.target, least, id);
            tx.query(&sql, &mut |row| {
                extreme = row.get(0, column)?.to_value();
                Ok(())
            })?;
        }
        Ok(RollupValue { value: extreme, total: Some(total) })
    }

    /// Makes the values of resources out of all that is summed up.
    fn anew(&self, tx: &mut Tx<'_>, request: &RequestContext, ids: &[i64]) -> Result<HashMap<i64, RollupValue>> {
        let mut made = HashMap::new();
        if ids.is_empty() {
            return Ok(made);
        }
        let mut sql = tx.sql();
        sql.push("SELECT ");
        self.push_key(&mut sql);
        let singly = self.is_float() && !self.summary.function.is_extreme();
        match self.property.filter(|_| singly) {
            Some(property) => _ = sql.push(", ").column(&OTHERS, &property.column),
            None => push_values(&mut sql, self.summary.function, self.property),
        }
        self.push_source(&mut sql, request, ids)?;
        if !singly {
            sql.push(" GROUP BY ");
            self.push_key(&mut sql);
        }
        let (mut totals, mut extremes): (HashMap<i64, RollupTotal>, HashMap<i64, Value>) = Default::default();
        tx.query(&sql, &mut |row| {
            let (id, function) = (row.integer(0)?, self.summary.function);
            let total = totals.entry(id).or_default();
            match function {
                _ if singly => match row.get(1, ColumnType::Float)?.to_value() {
                    Value::Null => {}
                    number => total.add(&number, true),
                },
                RollupFunction::Count => total.count = row.integer(1)?,
                RollupFunction::Sum | RollupFunction::Average => {
                    total.count = row.integer(1)?;
                    total.whole = i128::from(row.integer(2)?) * i128::from(HALF) + i128::from(row.integer(3)?);
                }
                RollupFunction::Least | RollupFunction::Greatest => {
                    total.count = row.integer(1)?;
                    if let ValueStorage::Column(column) = self.target.kind.storage() {
                        extremes.insert(id, row.get(2, column)?.to_value());
                    }
                }
            }
            Ok(())
        })?;
        for id in ids {
            let total = totals.remove(id).unwrap_or_default();
            let value = match self.summary.function.is_extreme() {
                true => extremes.remove(id).unwrap_or_default(),
                false => self.value(&total)?,
            };
            made.insert(*id, RollupValue { value, total: Some(total) });
        }
        self.list(tx, request, &mut made)?;
        Ok(made)
    }

    /// Lists the values behind the least or the greatest of resources anew; takes away the totals of those that have too
    /// many.
    fn list(&self, tx: &mut Tx<'_>, request: &RequestContext, made: &mut HashMap<i64, RollupValue>) -> Result<()> {
        let values = totals::values_of(self.target).filter(|_| self.summary.side == RelationSide::Others);
        let (Some((table, _)), Some(property)) = (values, self.property) else { return Ok(()) };
        let most = (request.source.via != RequestChannel::Command).then_some(FEW);
        let mut room = most.unwrap_or(i64::MAX);
        let mut ids = Vec::new();
        for (id, made) in made.iter_mut() {
            let count = made.total.as_ref().map_or(0, |total| total.count);
            if count <= room {
                room -= count;
                ids.push(*id);
            } else {
                made.total = None;
            }
        }
        if !totals::clear(tx, self.target, &ids, most)? {
            made.values_mut().for_each(|made| made.total = None);
            return Ok(());
        }
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&table).push(" (property, object, value, other) SELECT ");
        sql.bind_as(ColumnType::Integer, self.target.id).push(", ");
        self.push_key(&mut sql);
        sql.push(", ").column(&OTHERS, &property.column).push(", r0.id");
        self.push_source(&mut sql, request, &ids)?;
        sql.push(" AND ").column(&OTHERS, &property.column).push(" IS NOT NULL");
        tx.execute(&sql)?;
        Ok(())
    }

    /// The value that a total comes to, where it is not one of the values.
    fn value(&self, total: &RollupTotal) -> Result<Value> {
        let scale = |of: &Property| of.kind.scale().map_or(0, i128::from);
        let sum = total.float.rounded();
        let value = match self.summary.function {
            RollupFunction::Count => Some(Value::Integer(total.count)),
            RollupFunction::Sum if self.is_float() => Some(Value::Float(sum)),
            RollupFunction::Sum => i64::try_from(total.whole).ok().map(Value::Integer),
            _ if total.count == 0 => Some(Value::Null),
            _ if self.is_float() => Some(Value::Float(sum / total.count as f64)),
            _ => {
                let places = scale(self.target) - self.property.map_or(0, scale);
                let average = average(total.whole, i128::from(total.count), places);
                average.and_then(|average| i64::try_from(average).ok()).map(Value::Integer)
            }
        };
        let fits = |value: &Value| !matches!(value, Value::Float(number) if !number.is_finite());
        value.filter(fits).ok_or_else(|| self.refused(ValueFault::new("out_of_range", "is too large")))
    }

    fn push_key(&self, sql: &mut Sql) {
        match (self.relation.kind.storage(), self.summary.side) {
            (ValueStorage::Column(_), _) => sql.column(&OTHERS, &self.relation.column),
            (_, RelationSide::Others) => sql.column(&LINKS, &VALUE),
            (_, RelationSide::Own) => sql.column(&LINKS, &OWNER),
        };
    }

    /// Appends where the values of resources come from, with the condition that says which.
    fn push_source(&self, sql: &mut Sql, request: &RequestContext, ids: &[i64]) -> Result<()> {
        let ids = ids.iter().copied().map(Value::Integer).collect();
        sql.push(" FROM ");
        if matches!(self.relation.kind.storage(), ValueStorage::Column(_)) {
            sql.table(&self.others.table).push(" AS ").name(&OTHERS).push(" WHERE ");
            sql.column(&OTHERS, &self.relation.column).any_of(ColumnType::Integer, ids);
        } else {
            let (here, there) = match self.summary.side {
                RelationSide::Others => (&VALUE, &OWNER),
                RelationSide::Own => (&OWNER, &VALUE),
            };
            // One that is linked twice is still one.
            sql.push("(SELECT DISTINCT owner, value FROM ").table(&self.relation.column).push(" WHERE ").name(here);
            sql.any_of(ColumnType::Integer, ids).push(") AS ").name(&LINKS).push(" JOIN ").table(&self.others.table);
            sql.push(" AS ").name(&OTHERS).push(" ON r0.id = ").column(&LINKS, there).push(" WHERE TRUE");
        }
        if let Some(filter) = &self.summary.filter {
            let providers = RightsProviders { actor: &request.actor, via: request.source.via };
            let bindings = RuleBindings {
                providers: &providers,
                now: request.now,
                zone: &request.model.settings.timezone,
                place: [&self.others.name, "filter"],
            };
            sql.push(" AND ");
            condition_sql::push(sql, &pushdown::condition(filter, &request.model, &bindings, 0)?);
        }
        Ok(())
    }
}
