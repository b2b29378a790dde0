//! The values of rollups, summed up by the database for many resources at once.
//!
//! Whoever asks holds the resources that the values are of: another write of what is summed up, which does the same,
//! then waits, and sums up what this one committed.

use super::condition_sql;
use super::pushdown::Bindings;
use super::record::Record;
use super::settle::Sums;
use crate::actor::RightsProviders;
use crate::error::{Error, Result};
use crate::kinds::{self, Class, Fault, Function, Side, Storage, Stored};
use crate::tenants::Call;
use crate::types::{Property, Summary, Type};
use database::{ColumnType, Name, Row, Sql, Tx, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Sums of whole numbers are made of two halves, which fit the engines' integers, and put together where there is room.
const HALF: i64 = 1_000_000_000;
const OWNER: Name = Name::fixed("owner");
const VALUE: Name = Name::fixed("value");
/// The resources that are summed up.
const OTHERS: Name = Name::fixed("r0");
/// Their links.
const LINKS: Name = Name::fixed("k");

/// The values of all rollups of a stage, for resources that are locked.
pub(super) fn sums(
    tx: &mut Tx<'_>,
    call: &Call,
    of: &Arc<Type>,
    records: &[Record],
    stage: Option<u32>,
) -> Result<Sums> {
    let mut sums = Sums::new();
    let ids: Vec<i64> = records.iter().map(Record::id).collect::<Result<_>>()?;
    if ids.is_empty() {
        return Ok(sums);
    }
    let rules = of.rules();
    for summary in &rules.rollups {
        if stage.is_some_and(|stage| rules.stage(summary.position) != stage) {
            continue;
        }
        let property = &of.fields[summary.position];
        let mut found = values(tx, call, of, summary, &ids)?;
        let nothing = property.kind.rollup().map(kinds::Rollup::of_nothing).unwrap_or_default();
        for id in &ids {
            let sum = Stored::One(found.remove(id).unwrap_or_else(|| nothing.clone()));
            let refused = |fault: Fault| Error::problems(vec![fault.of(&property.name, &property.title)]);
            kinds::check_property(property.kind.as_ref(), &sum).map_err(refused)?;
            sums.insert((summary.position, *id), sum);
        }
    }
    Ok(sums)
}

/// The values by the resource's id; none of those that nothing is summed up for.
fn values(tx: &mut Tx<'_>, call: &Call, of: &Arc<Type>, summary: &Summary, ids: &[i64]) -> Result<HashMap<i64, Value>> {
    let missing = || Error::failed("a rollup of a type that is not there");
    let others = call.model.type_by_id(summary.of).ok_or_else(missing)?;
    let property = summary.property.map(|position| &others.fields[position]);
    let holder = if summary.side == Side::Own { of } else { others };
    let relation = &holder.fields[summary.relation];
    let class = property.map(|property| property.kind.class());
    let target = &of.fields[summary.position];
    let too_large =
        || Error::problems(vec![Fault::new("out_of_range", "is too large").of(&target.name, &target.title)]);
    let floats = class == Some(Class::Float) && matches!(summary.function, Function::Sum | Function::Average);
    let mut sql = tx.sql();
    sql.push("SELECT ");
    push_key(&mut sql, summary, relation);
    match property.filter(|_| floats) {
        Some(property) => _ = sql.push(", ").column(&OTHERS, &property.column),
        None => push_values(&mut sql, summary.function, property),
    }
    push_source(&mut sql, (summary, relation), others, ids);
    if let Some(filter) = &summary.filter {
        let providers = RightsProviders { actor: &call.actor, via: call.source.via };
        let bindings = Bindings { providers: &providers, now: call.now, zone: &call.model.settings.timezone };
        sql.push(" AND ");
        condition_sql::push(&mut sql, &filter.condition(&call.model, &bindings, 0)?);
    }
    if floats {
        // In one order, so that sums are the same however often they are made, and on both engines.
        sql.push(" ORDER BY r0.id");
        return added_up(tx, &sql, summary.function)?.ok_or_else(too_large);
    }
    sql.push(" GROUP BY ");
    push_key(&mut sql, summary, relation);
    let mut found = HashMap::new();
    let mut fits = true;
    tx.query(&sql, &mut |row| {
        match value(row, summary.function, (target, property))? {
            Some(value) => _ = found.insert(row.integer(0)?, value),
            None => fits = false,
        }
        Ok(())
    })?;
    if fits { Ok(found) } else { Err(too_large()) }
}

fn push_key(sql: &mut Sql, summary: &Summary, relation: &Property) {
    match (relation.kind.storage(), summary.side) {
        (Storage::Column(_), _) => sql.column(&OTHERS, &relation.column),
        (_, Side::Others) => sql.column(&LINKS, &VALUE),
        (_, Side::Own) => sql.column(&LINKS, &OWNER),
    };
}

/// Appends where the values come from, up to the condition that says which.
fn push_source(sql: &mut Sql, (summary, relation): (&Summary, &Property), others: &Type, ids: &[i64]) {
    let ids = ids.iter().copied().map(Value::Integer).collect();
    sql.push(" FROM ");
    if matches!(relation.kind.storage(), Storage::Column(_)) {
        sql.table(&others.table).push(" AS ").name(&OTHERS).push(" WHERE ").column(&OTHERS, &relation.column);
        sql.any_of(ColumnType::Integer, ids);
        return;
    }
    let (here, there) = match summary.side {
        Side::Others => (&VALUE, &OWNER),
        Side::Own => (&OWNER, &VALUE),
    };
    // One that is linked twice is still one.
    sql.push("(SELECT DISTINCT owner, value FROM ").table(&relation.column).push(" WHERE ").name(here);
    sql.any_of(ColumnType::Integer, ids).push(") AS ").name(&LINKS).push(" JOIN ").table(&others.table);
    sql.push(" AS ").name(&OTHERS).push(" ON r0.id = ").column(&LINKS, there).push(" WHERE TRUE");
}

fn push_values(sql: &mut Sql, function: Function, property: Option<&Property>) {
    let values = |sql: &mut Sql| match property {
        Some(property) => _ = sql.column(&OTHERS, &property.column),
        None => _ = sql.push("*"),
    };
    let part = |sql: &mut Sql, operator: &str| {
        sql.push(", CAST(COALESCE(SUM(");
        values(sql);
        sql.push(operator).push(&HALF.to_string()).push("), 0) AS ").column_type(ColumnType::Integer).push(")");
    };
    match function {
        Function::Count | Function::Sum | Function::Average => {
            sql.push(", COUNT(");
            values(sql);
            sql.push(")");
            if function != Function::Count {
                part(sql, " / ");
                part(sql, " % ");
            }
        }
        Function::Least | Function::Greatest => {
            sql.push(if function == Function::Least { ", MIN(" } else { ", MAX(" });
            values(sql);
            sql.push(")");
        }
    }
}

/// The value of a row of sums; none where it is too large.
fn value(
    row: &Row<'_>,
    function: Function,
    (target, property): (&Property, Option<&Property>),
) -> database::Result<Option<Value>> {
    let scale = |of: &Property| match of.kind.class() {
        Class::Decimal { scale } => i128::from(scale),
        _ => 0,
    };
    Ok(match function {
        Function::Count => Some(Value::Integer(row.integer(1)?)),
        Function::Least | Function::Greatest => match target.kind.storage() {
            Storage::Column(column) => Some(row.get(1, column)?.to_value()),
            Storage::Links(_) | Storage::Attachments => None,
        },
        Function::Sum | Function::Average => {
            let count = i128::from(row.integer(1)?);
            let total = i128::from(row.integer(2)?) * i128::from(HALF) + i128::from(row.integer(3)?);
            match function {
                Function::Sum => i64::try_from(total).ok().map(Value::Integer),
                _ if count == 0 => Some(Value::Null),
                _ => average(total, count, scale(target) - property.map_or(0, scale)).map(Value::Integer),
            }
        }
    })
}

/// The average with so many places more than the total has (or fewer), rounded half away from zero.
fn average(total: i128, count: i128, places: i128) -> Option<i64> {
    let power = 10_i128.checked_pow(u32::try_from(places.unsigned_abs()).ok()?)?;
    let (above, below) =
        if places >= 0 { (total.checked_mul(power)?, count) } else { (total, count.checked_mul(power)?) };
    let rest = (above % below).abs();
    let rounded = above / below + if rest * 2 >= below { above.signum() } else { 0 };
    i64::try_from(rounded).ok()
}

/// Sums or averages of floats, one value a row; none where one is too large.
fn added_up(tx: &mut Tx<'_>, sql: &Sql, function: Function) -> Result<Option<HashMap<i64, Value>>> {
    let mut totals: HashMap<i64, (f64, f64)> = HashMap::new();
    tx.query(sql, &mut |row| {
        if let Value::Float(number) = row.get(1, ColumnType::Float)?.to_value() {
            let (total, count) = totals.entry(row.integer(0)?).or_default();
            (*total, *count) = (*total + number, *count + 1.0);
        }
        Ok(())
    })?;
    let average = function == Function::Average;
    let made = totals.into_iter().map(|(id, (total, count))| {
        let made = if average { total / count } else { total };
        made.is_finite().then_some((id, Value::Float(made)))
    });
    Ok(made.collect())
}
