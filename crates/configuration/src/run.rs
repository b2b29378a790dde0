//! Runs steps on the tables of a tenant, inside one transaction.

use super::convert::{self, PropertyChange};
use super::examine;
use super::steps::{TableStep, by_id};
use accounts::tags;
use database::{Name, Tx};
use model::error::{Error, Result};
use model::kinds::ValueContext;
use model::table_names::COUNTER;
use model::types::{Model, Property, ResourceType, tables, views};
use query::search;
use resources::files;
use resources::{tally, totals};
use std::sync::Arc;

/// The models between which steps lead.
pub(crate) struct ModelPair<'m> {
    pub(crate) old: Option<&'m Model>,
    pub(crate) new: &'m Model,
}

impl<'m> ModelPair<'m> {
    /// The type and property of the old model.
    pub(crate) fn before(&self, type_id: i64, property: i64) -> Result<(&'m Arc<ResourceType>, &'m Property)> {
        find(self.old, type_id, property)
    }

    /// The type and property of the new model.
    pub(crate) fn after(&self, type_id: i64, property: i64) -> Result<(&'m Arc<ResourceType>, &'m Property)> {
        find(Some(self.new), type_id, property)
    }

    /// The new type that has the name of a dropped one, but not its id.
    pub(crate) fn namesake(&self, dropped: i64) -> Option<&'m Arc<ResourceType>> {
        self.new.type_named(&self.old?.type_by_id(dropped)?.name)
    }

    /// A type of the old model.
    pub(crate) fn old_type(&self, type_id: i64) -> Result<&'m Arc<ResourceType>> {
        self.old.and_then(|old| old.type_by_id(type_id)).ok_or_else(unknown)
    }
}

fn find(model: Option<&Model>, type_id: i64, property: i64) -> Result<(&Arc<ResourceType>, &Property)> {
    let found = model.and_then(|model| model.type_by_id(type_id));
    found.and_then(|found| Some((found, by_id(found, property)?))).ok_or_else(unknown)
}

fn unknown() -> Error {
    Error::failed("a step names a type or property that its models lack")
}

/// Runs all steps and makes the views anew. Rows that stand against a step are its problems, as an error.
pub(crate) fn run(
    tx: &mut Tx<'_>,
    steps: &[TableStep],
    models: &ModelPair<'_>,
    context: &ValueContext<'_>,
) -> Result<()> {
    if !steps.is_empty() {
        if let Some(old) = models.old {
            views::drop_all(tx, old)?;
        }
        run_steps(tx, steps, models, context)?;
        views::create_all(tx, models.new)?;
    }
    // Whether a relation's values are counted may change without a step: its index is there anyway.
    tally::follow(tx, models.old, models.new, &steps.iter().filter_map(TableStep::type_id).collect())
}

fn run_steps(tx: &mut Tx<'_>, steps: &[TableStep], models: &ModelPair<'_>, context: &ValueContext<'_>) -> Result<()> {
    let mut detached = false;
    for step in steps {
        if matches!(step, TableStep::DropType { .. }) && !detached {
            detach_dropped(tx, steps, models)?;
            detached = true;
        }
        run_step(tx, step, models, context)?;
    }
    Ok(())
}

fn run_step(tx: &mut Tx<'_>, step: &TableStep, models: &ModelPair<'_>, context: &ValueContext<'_>) -> Result<()> {
    match *step {
        TableStep::DropIndex(ref index) => tx.drop_index(index)?,
        TableStep::AddIndex(ref index) => {
            if index.unique {
                examine::refuse(examine::duplicates(tx, index, models)?)?;
            }
            tx.create_index(index).map_err(|error| match error {
                // A row that came since the rows were looked at.
                database::Error::Violation(_) => Error::conflict("rows_against", "New rows are not unique. Try again."),
                other => other.into(),
            })?;
        }
        TableStep::DropProperty { type_id, property } => {
            let (resource_type, property) = models.before(type_id, property)?;
            drop_property(tx, resource_type, property)?;
        }
        TableStep::DropType { type_id } => {
            let gone = models.old_type(type_id)?;
            gone.properties().iter().try_for_each(|property| totals::forget_property(tx, property))?;
            tx.drop_table(&gone.table)?;
            tags::forget_type(tx, type_id)?;
            totals::forget_type(tx, type_id)?;
            count_rows(tx, type_id, false)?;
        }
        TableStep::CreateType { type_id } => {
            let resource_type = models.new.type_by_id(type_id).ok_or_else(unknown)?;
            tx.create_table(&tables::table(resource_type))?;
            count_rows(tx, type_id, true)?;
        }
        TableStep::AddProperty { type_id, property } => {
            let (resource_type, property) = models.after(type_id, property)?;
            add_property(tx, resource_type, property)?;
        }
        TableStep::ReplaceProperty { type_id, property } => {
            let (resource_type, old) = models.before(type_id, property)?;
            drop_property(tx, resource_type, old)?;
            let (resource_type, new) = models.after(type_id, property)?;
            add_property(tx, resource_type, new)?;
        }
        TableStep::ConvertProperty { type_id, property } => {
            let (_, old) = models.before(type_id, property)?;
            let (resource_type, new) = models.after(type_id, property)?;
            examine::refuse(convert::convert_all(tx, resource_type, PropertyChange { old, new }, context)?)?;
        }
        TableStep::RequireProperty { type_id, property } => {
            let (resource_type, property) = models.after(type_id, property)?;
            examine::refuse(convert::fill(tx, resource_type, property, context)?)?;
        }
        TableStep::DropSearch { type_id } => {
            let index = tables::search(models.old_type(type_id)?).ok_or_else(unknown)?;
            tx.drop_search(&index.name)?;
        }
        TableStep::BuildSearch { type_id } => search::build(tx, models.new.type_by_id(type_id).ok_or_else(unknown)?)?,
        // Calculations need the new model as a whole: they come last. Until then no total holds.
        TableStep::Recalculate { type_id } => totals::forget_type(tx, type_id)?,
        TableStep::ClearInapplicable { .. } | TableStep::RenameType { .. } | TableStep::RenameProperty { .. } => {}
    }
    Ok(())
}

/// Drops what refers to other tables in all types that go, so that these can go in any order.
fn detach_dropped(tx: &mut Tx<'_>, steps: &[TableStep], models: &ModelPair<'_>) -> Result<()> {
    for step in steps {
        let TableStep::DropType { type_id } = step else { continue };
        let resource_type = models.old_type(*type_id)?;
        for property in resource_type.properties() {
            let refers = tables::references(property).is_some();
            if refers || property.kind.files().is_some() || tables::links_of(resource_type, property).is_some() {
                drop_property(tx, resource_type, property)?;
            }
        }
    }
    Ok(())
}

pub(super) fn add_property(tx: &mut Tx<'_>, resource_type: &ResourceType, property: &Property) -> Result<()> {
    if let Some(column) = tables::column_of(property) {
        tx.add_column(&resource_type.table, &column)?;
    }
    if let Some(links) = tables::links_of(resource_type, property) {
        tx.create_table(&links)?;
    }
    Ok(())
}

pub(super) fn drop_property(tx: &mut Tx<'_>, resource_type: &ResourceType, property: &Property) -> Result<()> {
    totals::forget_property(tx, property)?;
    if property.kind.files().is_some() {
        return files::abandon_property(tx, property.id);
    }
    if tables::links_of(resource_type, property).is_some() {
        return Ok(tx.drop_table(&property.column)?);
    }
    Ok(tx.drop_column(&resource_type.table, &property.column)?)
}

/// Starts a type's counter, or removes it.
fn count_rows(tx: &mut Tx<'_>, type_id: i64, starts: bool) -> Result<()> {
    let mut sql = tx.sql();
    if starts {
        sql.push("INSERT INTO ").table(&COUNTER).push(" (type, slot, rows) VALUES (").bind(type_id).push(", 0, 0)");
    } else {
        sql.push("DELETE FROM ").table(&COUNTER).push(" WHERE ").name(&Name::fixed("type")).push(" = ").bind(type_id);
    }
    tx.execute(&sql)?;
    Ok(())
}
