//! Looks at the rows that steps touch: how many there are, and which stand against a step.

use super::convert::{self, PropertyChange};
use super::run::ModelPair;
use super::steps::{KindChange, TableStep, is_multiple, kind_change};
use database::{ColumnType, IndexSpec, Name, Tx};
use model::error::{Error, InputProblem, Result};
use model::kinds::ValueContext;
use model::table_names::ATTACHMENT;
use model::types::{Property, ResourceType, tables};
use serde::Serialize;

/// The most rows that are listed of those that stand against a step.
const MOST_LISTED: usize = 20;

/// Findings of a step in the tables.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StepFinding {
    /// The rows that it touches.
    pub rows: u64,
    /// Of these, the rows whose values are lost, or changed so that the old ones cannot be had back.
    pub lost: u64,
    /// The rows that stand against it.
    pub against: RowConflict,
}

/// Rows that stand against a step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RowConflict {
    /// The fault of the rows, as a sentence; empty where there are none.
    pub message: String,
    /// Number of the rows.
    pub total: u64,
    /// The first of them.
    pub rows: Vec<RowAgainst>,
}

/// A row that stands against a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RowAgainst {
    /// The resource's id.
    pub id: i64,
    /// The value as it is; empty where there is none.
    pub value: String,
    /// The fault of the row.
    pub message: String,
}

impl RowConflict {
    pub(crate) fn add(&mut self, row: RowAgainst) {
        self.total += 1;
        if self.rows.len() < MOST_LISTED {
            self.rows.push(row);
        }
    }
}

/// Makes rows against a step an error that names them.
pub(crate) fn refuse(against: RowConflict) -> Result<()> {
    if against.total == 0 {
        return Ok(());
    }
    let mut problems = vec![InputProblem { property: String::new(), code: "rows_against", message: against.message }];
    problems.extend(against.rows.into_iter().map(|row| InputProblem {
        property: row.id.to_string(),
        code: "row_against",
        message: format!(
            "{}: {}{}",
            row.id,
            if row.value.is_empty() { String::new() } else { row.value + ": " },
            row.message
        ),
    }));
    Err(Error::problems(problems))
}

/// Looks at the rows of a step, without changing any.
pub(crate) fn examine(
    tx: &mut Tx<'_>,
    step: &TableStep,
    models: &ModelPair<'_>,
    context: &ValueContext<'_>,
) -> Result<StepFinding> {
    let touches = |rows| StepFinding { rows, ..StepFinding::default() };
    let loses = |rows| StepFinding { rows, lost: rows, ..StepFinding::default() };
    Ok(match *step {
        TableStep::DropType { type_id } => loses(count(tx, &models.old_type(type_id)?.table, None)?),
        TableStep::DropProperty { type_id, property } | TableStep::ReplaceProperty { type_id, property } => {
            let (resource_type, property) = models.before(type_id, property)?;
            let rows = values(tx, resource_type, property)?;
            // What other resources come to can be had again.
            if property.kind.rollup().is_some() { touches(rows) } else { loses(rows) }
        }
        TableStep::ConvertProperty { type_id, property } => {
            let (resource_type, old) = models.before(type_id, property)?;
            let (_, new) = models.after(type_id, property)?;
            let rows = values(tx, resource_type, old)?;
            let (against, lost) = convert::faults(tx, resource_type, PropertyChange { old, new }, context)?;
            StepFinding { rows, lost, against }
        }
        TableStep::RequireProperty { type_id, property } => {
            let (resource_type, new) = models.after(type_id, property)?;
            let old_type = models.old.and_then(|old| old.type_by_id(type_id));
            let old = old_type.and_then(|found| super::steps::by_id(found, property));
            // Values that are lost or were never there leave every row without one.
            let kept = old.filter(|old| kind_change(old.kind.as_ref(), new.kind.as_ref()) != KindChange::Replace);
            let all = count(tx, &resource_type.table, None)?;
            let with = kept.map(|old| values(tx, resource_type, old)).transpose()?.unwrap_or(0);
            let against = if new.default.is_none() && with < all {
                convert::lacking(tx, resource_type, kept, new, all - with)?
            } else {
                RowConflict::default()
            };
            StepFinding { rows: all - with, lost: 0, against }
        }
        TableStep::AddIndex(ref index) => {
            let Some(resource_type) = models.old.and_then(|old| {
                let owner = |found: &&std::sync::Arc<ResourceType>| {
                    found.table == index.table
                        || found.properties().iter().any(|p| is_multiple(p) && p.column == index.table)
                };
                old.types.iter().find(owner)
            }) else {
                return Ok(touches(0));
            };
            let rows = count(tx, &index.table, None)?;
            let settled = index.unique && settled(index, resource_type, models);
            StepFinding {
                rows,
                lost: 0,
                against: if settled { duplicates(tx, index, models)? } else { RowConflict::default() },
            }
        }
        TableStep::ClearInapplicable { type_id, property } => match models.before(type_id, property) {
            // How many of them do not apply is not known before all are looked at.
            Ok((resource_type, property)) => loses(values(tx, resource_type, property)?),
            Err(_) => StepFinding::default(),
        },
        TableStep::BuildSearch { type_id } | TableStep::Recalculate { type_id } => {
            match models.old.and_then(|old| old.type_by_id(type_id)) {
                Some(resource_type) => touches(count(tx, &resource_type.table, None)?),
                None => StepFinding::default(),
            }
        }
        _ => StepFinding::default(),
    })
}

/// Returns true if the columns of an index already hold what they will hold, so that they can be looked at.
fn settled(index: &IndexSpec, old_type: &ResourceType, models: &ModelPair<'_>) -> bool {
    let Some(new_type) = models.new.type_by_id(old_type.id) else { return false };
    index.columns.iter().all(|column| {
        let old = old_type.fields.iter().find(|field| field.column == *column);
        let new = new_type.fields.iter().find(|field| field.column == *column);
        old.zip(new).is_some_and(|(old, new)| {
            let unchanged = kind_change(old.kind.as_ref(), new.kind.as_ref()) == KindChange::None;
            unchanged && (old.required || !new.required)
        })
    })
}

/// The rows that agree in all columns of a unique index.
pub(crate) fn duplicates(tx: &mut Tx<'_>, index: &IndexSpec, models: &ModelPair<'_>) -> Result<RowConflict> {
    let owner = models.new.types.iter().find(|found| found.table == index.table);
    let fields: Vec<&Property> = owner
        .iter()
        .flat_map(|found| {
            index.columns.iter().filter_map(|name| found.fields.iter().find(|field| field.column == *name))
        })
        .collect();
    let mut sql = tx.sql();
    sql.push("SELECT id");
    for column in &index.columns {
        sql.push(", ").name(column);
    }
    sql.push(" FROM ").table(&index.table).push(" WHERE (");
    list(&mut sql, &index.columns);
    sql.push(") IN (SELECT ");
    list(&mut sql, &index.columns);
    sql.push(" FROM ").table(&index.table).push(" GROUP BY ");
    list(&mut sql, &index.columns);
    sql.push(" HAVING count(*) > 1) ORDER BY ");
    list(&mut sql, &index.columns);
    sql.push(", id");
    let titles: Vec<&str> = fields.iter().map(|field| field.title.as_str()).collect();
    let mut against = RowConflict::default();
    tx.query(&sql, &mut |row| {
        let mut value = String::new();
        for (position, field) in fields.iter().enumerate() {
            let column = tables::column_of(field).map_or(ColumnType::Text, |column| column.column);
            let separator = if position == 0 { "" } else { ", " };
            value.push_str(separator);
            value.push_str(&convert::shown(field.kind.as_ref(), &row.get(position + 1, column)?.to_value()));
        }
        against.add(RowAgainst { id: row.integer(0)?, value, message: "is there more than once".to_owned() });
        Ok(())
    })?;
    if against.total > 0 {
        against.message = format!("{} must be unique, but {} rows share values.", titles.join(", "), against.total);
    }
    Ok(against)
}

fn list(sql: &mut database::Sql, columns: &[Name]) {
    for (position, column) in columns.iter().enumerate() {
        sql.push(if position == 0 { "" } else { ", " }).name(column);
    }
}

/// Returns the number of resources that have a value.
fn values(tx: &mut Tx<'_>, resource_type: &ResourceType, property: &Property) -> Result<u64> {
    if is_multiple(property) {
        return count(tx, &property.column, Some("count(DISTINCT owner)"));
    }
    if property.kind.files().is_some() {
        let mut sql = tx.sql();
        sql.push("SELECT count(DISTINCT object) FROM ").table(&ATTACHMENT).push(" WHERE property = ").bind(property.id);
        return one(tx, &sql);
    }
    let mut sql = tx.sql();
    sql.push("SELECT count(").name(&property.column).push(") FROM ").table(&resource_type.table);
    one(tx, &sql)
}

fn count(tx: &mut Tx<'_>, table: &Name, what: Option<&'static str>) -> Result<u64> {
    let mut sql = tx.sql();
    sql.push("SELECT ").push(what.unwrap_or("count(*)")).push(" FROM ").table(table);
    one(tx, &sql)
}

fn one(tx: &mut Tx<'_>, sql: &database::Sql) -> Result<u64> {
    let mut number = 0;
    tx.query(sql, &mut |row| {
        number = row.integer(0)?;
        Ok(())
    })?;
    Ok(number.unsigned_abs())
}
