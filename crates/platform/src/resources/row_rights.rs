//! What the caller may do with one row, where that differs from row to row (D-12): asked of the row as it is before a
//! write, and again of the row as it is after.

use super::condition::Condition;
use super::condition_sql;
use super::path::Access;
use super::record;
use super::request::item_missing;
use super::select::row_alias;
use crate::actor::{Allowed, Shown, forbidden};
use crate::error::{Error, Result};
use crate::expressions::{self, Parts, PlatformProviders, Reading};
use crate::kinds::{self, Fault, Stored};
use crate::tenants::Call;
use crate::types::{Action, Fields, Grant, Preset, Property, Rows, Type};
use database::{ColumnType, Tx, Value, ValueRef};
use std::borrow::Cow;

/// The row that is asked about.
#[derive(Clone, Copy)]
pub(super) enum Subject<'s> {
    /// One that is stored, by id.
    Stored(i64),
    /// One that would be, by the values of its fields; several values of a property are those that are stored.
    Drawn(&'s [Stored]),
}

/// The rights on a row that is there.
pub(super) struct RowRights<'a, 'm> {
    /// The rights on the type, as far as they are for this row.
    pub(super) allowed: Cow<'a, Allowed<'m>>,
    /// The grants of the action that are for the row, by their indexes.
    held: Vec<usize>,
}

impl<'a, 'm> RowRights<'a, 'm> {
    /// The rights on a row that is to be changed or deleted. One that the caller may not see, and not change either, is
    /// missing (D-13).
    pub(super) fn of(
        tx: &mut Tx<'_>,
        call: &'m Call,
        (allowed, action): (&'a Allowed<'m>, Action),
        id: i64,
    ) -> Result<Self> {
        if !varies(allowed) {
            return Ok(RowRights { allowed: Cow::Borrowed(allowed), held: Vec::new() });
        }
        let access = Access::new(call, allowed.clone());
        let grant = |index: usize, rows: &Rows| access.grant(&rows.some[index], 0);
        let acting: Vec<_> =
            limited(allowed).map(|rows| (0..rows.some.len()).map(|at| grant(at, rows)).collect()).unwrap_or_default();
        let (readable, acts) = ask(tx, &access, Subject::Stored(id), acting)?;
        let held: Vec<usize> = (0..acts.len()).filter(|index| acts[*index]).collect();
        let writable = match limited(allowed) {
            None => Some(allowed.writable.clone()),
            Some(rows) => rows.fields(|index| acts[index]),
        };
        let Some(writable) = writable else {
            let seen = readable.is_some();
            return Err(if seen { forbidden(action, &allowed.resource_type.name) } else { item_missing() });
        };
        Ok(RowRights { allowed: Cow::Owned(on_row(allowed, readable, writable)), held })
    }

    /// The rights on a row that does not exist yet: any grant may be for it.
    pub(super) fn of_new(allowed: &'a Allowed<'m>) -> Self {
        let grants = limited(allowed).map_or(0, |rows| rows.some.len());
        RowRights { allowed: Cow::Borrowed(allowed), held: (0..grants).collect() }
    }

    /// Whether a grant gives the property its value.
    pub(super) fn gives(&self, of: &Allowed<'m>, property: &Property) -> bool {
        self.grants(of).any(|grant| grant.preset.iter().any(|preset| preset.position == property.position))
    }

    /// The values that grants give to properties that the body does not name; of several the first.
    pub(super) fn presets(
        &self,
        tx: &mut Tx<'_>,
        call: &Call,
        of: &Allowed<'m>,
        named: impl Fn(&Property) -> bool,
    ) -> Result<Vec<(&'m Property, Stored)>> {
        let mut values: Vec<(&Property, Stored)> = Vec::new();
        for preset in self.grants(of).flat_map(|grant| &grant.preset) {
            let property = &of.resource_type.fields[preset.position];
            let known = values.iter().any(|(known, _)| known.position == property.position);
            if !known && !named(property) {
                values.push((property, preset_value(tx, call, property, preset)?));
            }
        }
        Ok(values)
    }

    fn grants<'g>(&'g self, of: &'g Allowed<'m>) -> impl Iterator<Item = &'g Grant> {
        self.held.iter().filter_map(|index| limited(of)?.some.get(*index))
    }

    /// Whether they differ from row to row.
    pub(super) fn varies(&self) -> bool {
        matches!(self.allowed, Cow::Owned(_)) || varies(&self.allowed)
    }

    /// The rights on the row as it is once it is written: grants that were for it must hold for it still, and together
    /// grant what was changed.
    pub(super) fn after(
        self,
        tx: &mut Tx<'_>,
        call: &'m Call,
        (of, action): (&'a Allowed<'m>, Action),
        row: Subject<'_>,
        changed: &[&Property],
    ) -> Result<Cow<'a, Allowed<'m>>> {
        if !varies(of) {
            return Ok(self.allowed);
        }
        let access = Access::new(call, of.clone());
        let checks = self.held.iter().map(|index| {
            let grant = limited(of).and_then(|rows| rows.some.get(*index));
            let rule = grant.and_then(Grant::checked);
            rule.map_or(Condition::All(Vec::new()), |rule| access.rule(rule, 0))
        });
        let (readable, passed) = ask(tx, &access, row, checks.collect())?;
        let granted = match limited(of) {
            None => Some(of.writable.clone()),
            Some(rows) => {
                rows.fields(|index| self.held.iter().zip(&passed).any(|(held, passed)| *held == index && *passed))
            }
        };
        let enough = granted.as_ref().is_some_and(|fields| changed.iter().all(|property| fields.contains(property)));
        let unchanged = changed.is_empty() && action == Action::Edit;
        if !(enough || unchanged) {
            return Err(refused(action, &of.resource_type.title));
        }
        Ok(Cow::Owned(on_row(of, readable, granted.unwrap_or_else(Fields::nothing))))
    }
}

fn preset_value(tx: &mut Tx<'_>, call: &Call, property: &Property, preset: &Preset) -> Result<Stored> {
    let context = call.context();
    let value = match &preset.program {
        None => kinds::accept(property.kind.as_ref(), &preset.value, &context),
        Some(program) => {
            let providers = PlatformProviders::new(tx, call, Reading::Look, Parts::CONFIGURATION);
            let value = expressions::evaluate(&providers, program, expression::Value::Null)?;
            let fault = |mistake: expression::Diagnostic| Fault::new(mistake.code, mistake.message);
            value.map_err(fault).and_then(|value| expressions::accept(property, &value, &context, &providers))
        }
    };
    value.map_err(|fault| Error::problems(vec![fault.of(&property.name, &property.title)]))
}

/// Fails unless the caller may do the action with a row that is there; gives the fields of it that it may read, none
/// where it does not see the row.
pub(crate) fn rights_on<'m>(
    tx: &mut Tx<'_>,
    call: &'m Call,
    (allowed, action): (&Allowed<'m>, Action),
    id: i64,
) -> Result<Option<Fields>> {
    if action == Action::Show {
        return readable(tx, call, allowed, id)?.map(Some).ok_or_else(item_missing);
    }
    let rights = RowRights::of(tx, call, (allowed, action), id)?;
    Ok(matches!(rights.allowed.shown, Shown::Everything).then(|| rights.allowed.readable.clone()))
}

/// The fields of a row that a caller may read who may not do so with every row; none where there is no such row for it.
pub(crate) fn readable<'m>(tx: &mut Tx<'_>, call: &'m Call, allowed: &Allowed<'m>, id: i64) -> Result<Option<Fields>> {
    if !varies(allowed) {
        return Ok(matches!(allowed.shown, Shown::Everything).then(|| allowed.readable.clone()));
    }
    ask(tx, &Access::new(call, allowed.clone()), Subject::Stored(id), Vec::new()).map(|(readable, _)| readable)
}

fn varies(allowed: &Allowed<'_>) -> bool {
    allowed.limited.is_some() || matches!(allowed.shown, Shown::Some(_))
}

fn limited<'a>(allowed: &'a Allowed<'_>) -> Option<&'a Rows> {
    allowed.limited.as_deref()
}

fn on_row<'m>(allowed: &Allowed<'m>, readable: Option<Fields>, writable: Fields) -> Allowed<'m> {
    let shown = if readable.is_some() { Shown::Everything } else { Shown::Nothing };
    let readable = readable.unwrap_or_else(Fields::nothing);
    Allowed { resource_type: allowed.resource_type, readable, writable, shown, limited: None }
}

fn refused(action: Action, title: &str) -> Error {
    let done = if action == Action::Create { "create" } else { "change" };
    Error::forbidden("check_failed", format!("You may not {done} a resource of {title} to be like this."))
}

/// Which of some conditions hold for a row; none where there is no such row.
pub(super) fn holding(tx: &mut Tx<'_>, of: &Type, row: Subject<'_>, conditions: &[Condition<'_>]) -> Result<Vec<bool>> {
    let mut held = vec![false; conditions.len()];
    if conditions.is_empty() {
        return Ok(held);
    }
    let mut sql = tx.sql();
    for (index, condition) in conditions.iter().enumerate() {
        sql.push(if index == 0 { "SELECT " } else { ", " });
        condition_sql::push(&mut sql, condition);
    }
    match row {
        Subject::Stored(id) => {
            sql.push(" FROM ").table(&of.table).push(" AS ").name(&row_alias(0)).push(" WHERE r0.id = ").bind(id);
        }
        Subject::Drawn(values) => {
            sql.push(" FROM (SELECT ");
            for (index, (property, column)) in record::columns(of).enumerate() {
                sql.push(if index == 0 { "" } else { ", " });
                let value = match &values[property.position] {
                    Stored::One(value) => value.clone(),
                    Stored::Many(_) => Value::Null,
                };
                sql.bind_as_column(column, value).push(" AS ").name(&property.column);
            }
            sql.push(") AS ").name(&row_alias(0));
        }
    }
    tx.query(&sql, &mut |row| {
        for (index, held) in held.iter_mut().enumerate() {
            // What is neither true nor false does not hold.
            *held = matches!(row.get(index, ColumnType::Boolean)?, ValueRef::Boolean(true));
        }
        Ok(())
    })?;
    Ok(held)
}

/// Asks a row which of its fields the caller may read, none where it is not there for it, and whether conditions hold.
fn ask<'m>(
    tx: &mut Tx<'_>,
    access: &Access<'m>,
    row: Subject<'_>,
    conditions: Vec<Condition<'m>>,
) -> Result<(Option<Fields>, Vec<bool>)> {
    let allowed = &access.allowed;
    let shown = match &allowed.shown {
        Shown::Some(rows) => Some(rows),
        Shown::Everything | Shown::Nothing => None,
    };
    let grants = shown.map_or(&[][..], |rows| &rows.some[..]);
    let grants = grants.iter().map(|grant| access.grant(grant, 0));
    let all: Vec<Condition<'m>> = grants.chain(conditions).collect();
    let mut held = holding(tx, allowed.resource_type, row, &all)?;
    let own = shown.map_or(0, |rows| rows.some.len());
    let readable = match &allowed.shown {
        Shown::Nothing => None,
        Shown::Everything => Some(allowed.readable.clone()),
        Shown::Some(rows) => rows.fields(|index| held[index]),
    };
    Ok((readable, held.split_off(own)))
}
