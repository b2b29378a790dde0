//! Steps in words, for the person who is about to apply them.

use super::examine::StepFinding;
use super::run::ModelPair;
use super::steps::{TableStep, by_id, is_multiple};
use crate::source_files::Files;
use database::IndexSpec;
use expression::LanguageRules;
use model::types::{CalculationTime, Model, Property, ResourceType, tables};
use query::search;
use std::sync::Arc;

/// The step in words; nothing for what is part of another step.
pub(crate) fn step(step: &TableStep, models: &ModelPair<'_>, finding: &StepFinding) -> Option<String> {
    let rows = match finding.rows {
        0 => String::new(),
        1 => " (1 row)".to_owned(),
        rows => format!(" ({rows} rows)"),
    };
    // An index that goes and comes back is part of what its columns go through.
    let stays = |index| {
        models.old.is_some_and(|old| tables::indexes(old).contains(index))
            && tables::indexes(models.new).contains(index)
    };
    let is_new = |type_id| models.old.and_then(|old| old.type_by_id(type_id)).is_none();
    Some(match *step {
        TableStep::DropIndex(ref index) | TableStep::AddIndex(ref index) if stays(index) => return None,
        TableStep::DropIndex(ref index) => format!("remove the {}", index_text(models.old?, models.new, index)?),
        TableStep::AddIndex(ref index) => format!("add the {}{rows}", index_text(models.new, models.old?, index)?),
        TableStep::DropType { type_id } => {
            let name = &models.old_type(type_id).ok()?.name;
            let reason = match models.namesake(type_id) {
                Some(_) => format!(": the files have a type {name} without its id {type_id}"),
                None => String::new(),
            };
            format!("drop type {name} with its resources{rows}{reason}")
        }
        TableStep::CreateType { type_id } => {
            let resource_type = models.new.type_by_id(type_id)?;
            let names: Vec<&str> = resource_type.properties().iter().map(|property| property.name.as_str()).collect();
            format!("create type {} ({})", resource_type.name, names.join(", "))
        }
        TableStep::AddProperty { type_id, .. } if is_new(type_id) => return None,
        TableStep::AddProperty { type_id, property } => {
            let (resource_type, property) = models.after(type_id, property).ok()?;
            format!("add property {}.{} ({})", resource_type.name, property.name, property.kind.name())
        }
        TableStep::DropProperty { type_id, property } => {
            let (resource_type, dropped) = models.before(type_id, property).ok()?;
            let named = models.new.type_by_id(type_id)?.properties().iter().any(|new| new.name == dropped.name);
            let reason = if named {
                format!(": the files have {} without its id {property}", dropped.name)
            } else {
                String::new()
            };
            format!("drop property {} with its values{rows}{reason}", path((resource_type, dropped)))
        }
        TableStep::ReplaceProperty { type_id, property } => {
            let kinds = kinds(models, type_id, property)?;
            format!("empty property {}, for {kinds}{rows}", path(models.after(type_id, property).ok()?))
        }
        TableStep::ConvertProperty { type_id, property } => {
            let kinds = kinds(models, type_id, property)?;
            let lost = match finding.lost {
                0 => String::new(),
                lost => format!(", {lost} of them losing a part of their value"),
            };
            format!("convert property {}, {kinds}{rows}{lost}", path(models.after(type_id, property).ok()?))
        }
        TableStep::RequireProperty { type_id, property } => {
            let (resource_type, property) = models.after(type_id, property).ok()?;
            let filled = if property.default.is_some() && finding.rows > 0 { ", filling in the default" } else { "" };
            format!("require {}.{}{filled}{rows}", resource_type.name, property.name)
        }
        TableStep::DropSearch { type_id } => {
            let resource_type = models.new.type_by_id(type_id)?;
            if tables::search(resource_type).is_some() {
                return None;
            }
            format!("remove the search index of {}", resource_type.name)
        }
        TableStep::BuildSearch { type_id } if is_new(type_id) => return None,
        TableStep::BuildSearch { type_id } => {
            let resource_type = models.new.type_by_id(type_id)?;
            let names: Vec<&str> = search::searchable(resource_type).map(|property| property.name.as_str()).collect();
            format!("build search index of {} ({}){rows}", resource_type.name, names.join(", "))
        }
        TableStep::Recalculate { type_id } => {
            let resource_type = models.new.type_by_id(type_id)?;
            let calculated = resource_type.properties().iter();
            let calculated = calculated.filter(|property| property.calculated == Some(CalculationTime::Stored));
            let names: Vec<&str> = calculated.map(|property| property.name.as_str()).collect();
            format!("calculate {} anew ({}){rows}", resource_type.name, names.join(", "))
        }
        TableStep::ClearInapplicable { .. } if finding.rows == 0 => return None,
        TableStep::ClearInapplicable { type_id, property } => {
            let path = path(models.after(type_id, property).ok()?);
            format!("clear {path} where it does not apply by its condition, at most{rows}")
        }
        TableStep::RenameType { type_id } => {
            format!("rename type {} to {}", models.old_type(type_id).ok()?.name, models.new.type_by_id(type_id)?.name)
        }
        TableStep::RenameProperty { type_id, property } => {
            let (_, new) = models.after(type_id, property).ok()?;
            format!("rename property {} to {}", path(models.before(type_id, property).ok()?), new.name)
        }
    })
}

/// Returns the files that come, go and change, each as a line of text.
pub(crate) fn files(old: Option<&Files>, new: &Files) -> Vec<String> {
    let empty = Files::default();
    let old = old.unwrap_or(&empty);
    let mut texts = Vec::new();
    for (path, text) in new.iter() {
        match old.get(path) {
            None => texts.push(format!("store the new file {path}")),
            Some(before) if before != text => texts.push(format!("store the changed file {path}")),
            Some(_) => {}
        }
    }
    texts.extend(
        old.iter().filter(|(path, _)| new.get(path).is_none()).map(|(path, _)| format!("forget the file {path}")),
    );
    texts
}

/// Returns the line for expressions that run by other rules from here on.
pub(crate) fn rules(old: LanguageRules, new: LanguageRules) -> Option<String> {
    let (old, new) = (old.number(), new.number());
    (old != new).then(|| format!("run the expressions by the rules of version {new} instead of {old}"))
}

fn path((resource_type, property): (&Arc<ResourceType>, &Property)) -> String {
    format!("{}.{}", resource_type.name, property.name)
}

fn kinds(models: &ModelPair<'_>, type_id: i64, property: i64) -> Option<String> {
    let (_, old) = models.before(type_id, property).ok()?;
    let (_, new) = models.after(type_id, property).ok()?;
    let (old, new) = (old.kind.name(), new.kind.name());
    Some(if old == new { format!("{new} with other options") } else { format!("{old} to {new}") })
}

/// An index of a type that is there before and after, in the names of `model`; others come and go with their
/// type or property.
fn index_text(model: &Model, other: &Model, index: &IndexSpec) -> Option<String> {
    let resource_type = model.types.iter().find(|found| found.table == index.table)?;
    let still = other.type_by_id(resource_type.id)?;
    let mut names = Vec::new();
    for column in &index.columns {
        let field = resource_type.fields.iter().find(|field| field.column == *column)?;
        let there = field.id == 0 || by_id(still, field.id).is_some();
        if !there || is_multiple(field) {
            return None;
        }
        if index.unique || field.name != "id" {
            names.push(field.name.as_str());
        }
    }
    let word = if index.unique { "unique set" } else { "index" };
    Some(format!("{word} {} ({})", resource_type.name, names.join(", ")))
}
