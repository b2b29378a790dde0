//! Rights of the caller on one row, where these differ from row to row (D-12). They are asked of the row before a
//! write, and again of the row after it.

use super::presets::{CHECK_FAILED, LAPSED, TrialOutcome};
use super::record;
use context::actor::{Allowed, forbidden};
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value, ValueRef};
use model::error::{Error, Result};
use model::kinds::StoredValue;
use model::types::{ActionGrant, FieldSet, GrantedRows, Property, ReadableRows, ResourceAction, ResourceType};
use query::condition::Condition;
use query::condition_sql;
use query::path::TypeAccess;
use query::request::item_missing;
use query::row_alias::row_alias;
use std::borrow::Cow;

/// The row that is asked about.
#[derive(Clone, Copy)]
pub(super) enum RowSubject<'s> {
    /// One that is stored, by id.
    Stored(i64),
    /// One that would be, by the values of its fields; several values of a property are those that are stored.
    Drawn(&'s [StoredValue]),
}

/// The rights to an action on one row.
pub(super) struct RowRights<'a, 'm> {
    /// The rights on the type, which any row may have.
    pub(super) of_type: &'a Allowed<'m>,
    action: ResourceAction,
    /// The rights on the type, as far as they are for this row.
    pub(super) allowed: Cow<'a, Allowed<'m>>,
    /// The grants of the action that are for the row, by their indexes.
    pub(super) held: Vec<usize>,
    /// The outcome of the trials of those that give values.
    pub(super) trial: TrialOutcome,
    /// True if the caller sees the row. If not, the grants are those that say `unseen`.
    seen: bool,
}

/// Sight that a caller has of a row.
struct RowSight {
    /// True if the row is there for the caller, be it that the key shows nothing of it.
    seen: bool,
    /// The fields that the key may read; none where the row is not there for it.
    readable: Option<FieldSet>,
}

impl<'a, 'm> RowRights<'a, 'm> {
    /// The rights on a row that is to be changed or deleted. One that the caller does not see is missing, unless a
    /// grant says `unseen` (D-13).
    pub(super) fn of(
        tx: &mut Tx<'_>,
        request: &'m RequestContext,
        allowed: &'a Allowed<'m>,
        action: ResourceAction,
        id: i64,
    ) -> Result<Self> {
        if !varies(allowed) {
            return match sight(allowed) {
                ReadableRows::Nothing => Err(item_missing()),
                _ => Ok(RowRights {
                    of_type: allowed,
                    action,
                    allowed: Cow::Borrowed(allowed),
                    held: Vec::new(),
                    trial: TrialOutcome::default(),
                    seen: true,
                }),
            };
        }
        let access = TypeAccess::new(request, allowed.clone());
        let grant = |index: usize, rows: &GrantedRows| access.grant(&rows.some[index], 0);
        let conditions: Vec<_> =
            limited(allowed).map(|rows| (0..rows.some.len()).map(|at| grant(at, rows)).collect()).unwrap_or_default();
        let (RowSight { seen, readable }, acts) = ask(tx, &access, RowSubject::Stored(id), conditions)?;
        let Some(writable) = granted(allowed, seen, |index| acts[index]) else {
            let shown = readable.is_some();
            return Err(if shown { forbidden(action, &allowed.resource_type.name) } else { item_missing() });
        };
        let counts = |index: &usize| acts[*index] && (seen || is_for_unseen(allowed, *index));
        let held = (0..acts.len()).filter(counts).collect();
        let on_row = Cow::Owned(on_row(allowed, readable, writable));
        Ok(RowRights { of_type: allowed, action, allowed: on_row, held, trial: TrialOutcome::default(), seen })
    }

    /// The rights on a row that does not exist yet: any grant may be for it.
    pub(super) fn of_new(allowed: &'a Allowed<'m>) -> Self {
        let grants = limited(allowed).map_or(0, |rows| rows.some.len());
        RowRights {
            of_type: allowed,
            action: ResourceAction::Create,
            allowed: Cow::Borrowed(allowed),
            held: (0..grants).collect(),
            trial: TrialOutcome::default(),
            seen: true,
        }
    }

    /// The same with some of the grants alone.
    pub(super) fn with(&self, held: Vec<usize>) -> Self {
        RowRights { held, allowed: self.allowed.clone(), ..*self }
    }

    /// The grants that are for the row.
    pub(super) fn grants(&self) -> impl Iterator<Item = &ActionGrant> {
        self.held.iter().filter_map(|index| limited(self.of_type)?.some.get(*index))
    }

    /// Returns true if something is granted that no grant is judged for.
    pub(super) fn always(&self) -> bool {
        self.seen && limited(self.of_type).is_none_or(GrantedRows::every)
    }

    /// The grants, by their indexes, that hold for a row as it is once it is written; and what the caller sees of it.
    fn passing(
        &self,
        tx: &mut Tx<'_>,
        request: &'m RequestContext,
        row: RowSubject<'_>,
    ) -> Result<(RowSight, Vec<usize>)> {
        let access = TypeAccess::new(request, self.of_type.clone());
        let checks =
            self.grants().map(|grant| grant.checked().map_or(Condition::All(Vec::new()), |rule| access.rule(rule, 0)));
        let (sight, passed) = ask(tx, &access, row, checks.collect())?;
        let held = self.held.iter().zip(passed).filter(|(_, passed)| *passed).map(|(index, _)| *index);
        Ok((sight, held.collect()))
    }

    /// The grants, by their indexes, that hold for a row as it is once it is written.
    pub(super) fn holding(
        &self,
        tx: &mut Tx<'_>,
        request: &'m RequestContext,
        row: RowSubject<'_>,
    ) -> Result<Vec<usize>> {
        self.passing(tx, request, row).map(|(_, held)| held)
    }

    /// Returns true if they differ from row to row.
    pub(super) fn varies(&self) -> bool {
        matches!(self.allowed, Cow::Owned(_)) || varies(&self.allowed)
    }

    /// The rights on the row as it is once it is written: grants that were for it must hold for it still, and together
    /// grant what was changed.
    pub(super) fn after(
        self,
        tx: &mut Tx<'_>,
        request: &'m RequestContext,
        row: RowSubject<'_>,
        changed: &[&Property],
    ) -> Result<Cow<'a, Allowed<'m>>> {
        let (of, action) = (self.of_type, self.action);
        if !varies(of) {
            return Ok(self.allowed);
        }
        let (RowSight { readable, .. }, held) = self.passing(tx, request, row)?;
        let granted = granted(of, self.seen, |index| held.contains(&index));
        let enough = granted.as_ref().is_some_and(|fields| changed.iter().all(|property| fields.contains(property)));
        let unchanged = changed.is_empty() && action == ResourceAction::Edit;
        let lapsed =
            self.trial.has_held() && self.held.iter().any(|index| self.is_giver(*index) && !held.contains(index));
        if lapsed {
            let detail = Some(LAPSED.to_owned());
            return Err(Error { detail, ..refused(action, &of.resource_type.title) });
        }
        if !(enough || unchanged) {
            return Err(refused(action, &of.resource_type.title));
        }
        Ok(Cow::Owned(on_row(of, readable, granted.unwrap_or_else(FieldSet::nothing))))
    }
}

/// Fails unless the caller may do the action with a row that is there; gives the fields of it that it may read, none
/// where it does not see the row.
pub fn rights_on<'m>(
    tx: &mut Tx<'_>,
    request: &'m RequestContext,
    allowed: &Allowed<'m>,
    action: ResourceAction,
    id: i64,
) -> Result<Option<FieldSet>> {
    if action == ResourceAction::Show {
        return readable(tx, request, allowed, id)?.map(Some).ok_or_else(item_missing);
    }
    let rights = RowRights::of(tx, request, allowed, action, id)?;
    Ok(matches!(rights.allowed.shown, ReadableRows::Everything).then(|| rights.allowed.readable.clone()))
}

/// The fields of a row that a caller may read who may not do so with every row; none where there is no such row for it.
pub fn readable<'m>(
    tx: &mut Tx<'_>,
    request: &'m RequestContext,
    allowed: &Allowed<'m>,
    id: i64,
) -> Result<Option<FieldSet>> {
    if !varies(allowed) {
        return Ok(matches!(allowed.shown, ReadableRows::Everything).then(|| allowed.readable.clone()));
    }
    ask(tx, &TypeAccess::new(request, allowed.clone()), RowSubject::Stored(id), Vec::new())
        .map(|(sight, _)| sight.readable)
}

/// Returns true if the caller sees a row, be it that the key shows nothing of it.
pub(super) fn sees<'m>(tx: &mut Tx<'_>, request: &'m RequestContext, allowed: &Allowed<'m>, id: i64) -> Result<bool> {
    ask(tx, &TypeAccess::new(request, allowed.clone()), RowSubject::Stored(id), Vec::new()).map(|(sight, _)| sight.seen)
}

fn varies(allowed: &Allowed<'_>) -> bool {
    allowed.limited.is_some() || matches!(sight(allowed), ReadableRows::Some(_))
}

/// The rows that the user sees, by this key or by another one.
fn sight<'a>(allowed: &'a Allowed<'_>) -> &'a ReadableRows {
    allowed.withheld.as_ref().unwrap_or(&allowed.shown)
}

/// The fields that the action is granted on for a row; none where it is not granted.
fn granted(allowed: &Allowed<'_>, seen: bool, holding: impl Fn(usize) -> bool) -> Option<FieldSet> {
    match limited(allowed) {
        None => seen.then(|| allowed.writable.clone()),
        Some(rows) if seen => rows.fields(holding),
        Some(rows) => rows.fields_unseen(holding),
    }
}

fn is_for_unseen(allowed: &Allowed<'_>, index: usize) -> bool {
    limited(allowed).and_then(|rows| rows.some.get(index)).is_some_and(|grant| grant.unseen)
}

pub(super) fn limited<'a>(allowed: &'a Allowed<'_>) -> Option<&'a GrantedRows> {
    allowed.limited.as_deref()
}

fn on_row<'m>(allowed: &Allowed<'m>, readable: Option<FieldSet>, writable: FieldSet) -> Allowed<'m> {
    let shown = if readable.is_some() { ReadableRows::Everything } else { ReadableRows::Nothing };
    let readable = readable.unwrap_or_else(FieldSet::nothing);
    Allowed { resource_type: allowed.resource_type, readable, writable, shown, withheld: None, limited: None }
}

fn refused(action: ResourceAction, title: &str) -> Error {
    let done = if action == ResourceAction::Create { "create" } else { "change" };
    let message = format!("You may not {done} {title} with these values: they do not meet your permission's check.");
    Error::forbidden(CHECK_FAILED, message)
}

/// Returns for each condition true if it holds for a row; none holds where there is no such row.
pub(super) fn holding(
    tx: &mut Tx<'_>,
    of: &ResourceType,
    row: RowSubject<'_>,
    conditions: &[Condition<'_>],
) -> Result<Vec<bool>> {
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
        RowSubject::Stored(id) => {
            sql.push(" FROM ").table(&of.table).push(" AS ").name(&row_alias(0)).push(" WHERE r0.id = ").bind(id);
        }
        RowSubject::Drawn(values) => {
            sql.push(" FROM (SELECT ");
            for (index, (property, column)) in record::columns(of).enumerate() {
                sql.push(if index == 0 { "" } else { ", " });
                let value = match &values[property.position] {
                    StoredValue::One(value) => value.clone(),
                    StoredValue::Many(_) => Value::Null,
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

/// Asks a row what the caller sees of it, and whether conditions hold.
fn ask<'m>(
    tx: &mut Tx<'_>,
    access: &TypeAccess<'m>,
    row: RowSubject<'_>,
    conditions: Vec<Condition<'m>>,
) -> Result<(RowSight, Vec<bool>)> {
    let allowed = &access.allowed;
    let sight = sight(allowed);
    let shown = match sight {
        ReadableRows::Some(rows) => Some(rows),
        ReadableRows::Everything | ReadableRows::Nothing => None,
    };
    let grants = shown.map_or(&[][..], |rows| &rows.some[..]);
    let grants = grants.iter().map(|grant| access.grant(grant, 0));
    let all: Vec<Condition<'m>> = grants.chain(conditions).collect();
    let mut held = holding(tx, allowed.resource_type, row, &all)?;
    let own = shown.map_or(0, |rows| rows.some.len());
    let readable = match sight {
        ReadableRows::Nothing => None,
        ReadableRows::Everything => Some(allowed.readable.clone()),
        ReadableRows::Some(rows) => rows.fields(|index| held[index]),
    };
    let sight = RowSight { seen: readable.is_some(), readable: readable.filter(|_| allowed.withheld.is_none()) };
    Ok((sight, held.split_off(own)))
}
