//! Creating a resource.

use super::accept::{self, OperatorReading, PropertyInput, accept};
use super::record::{self, Record};
use super::row_rights::{RowRights, RowSubject};
use super::settle::{self, DraftValue};
use super::store;
use super::{Body, Written, calculate, hold, numbering, presets, relations, ripple, row_size, tally, turns, unique};
use crate::events;
use crate::expressions::Reading;
use crate::files;
use crate::users::authority;
use context::actor::Allowed;
use context::audit;
use context::counter;
use context::request_context::RequestContext;
use database::{Row, Sql, Tx, Value};
use model::automation::AutomationEvent;
use model::error::{Error, Result};
use model::kinds;
use model::kinds::StoredValue;
use model::types::{Property, ResourceAction};
use model::user_columns::USER_TYPE;
use query::search;

/// Creates a resource and gives it as the caller may read it.
pub fn create(tx: &mut Tx<'_>, call: &RequestContext, collection: &str, body: &Body) -> Result<Written> {
    insert_one(tx, call, collection, body, false)
}

/// The same as all that a transaction does: it is committed along with the row where nothing depends on its id.
pub fn create_alone(tx: &mut Tx<'_>, call: &RequestContext, collection: &str, body: &Body) -> Result<Written> {
    insert_one(tx, call, collection, body, true)
}

fn insert_one(tx: &mut Tx<'_>, call: &RequestContext, collection: &str, body: &Body, alone: bool) -> Result<Written> {
    let allowed = call.actor.allowed(&call.model, collection, ResourceAction::Create)?;
    let resource_type = allowed.resource_type;
    turns::to_create(tx, &allowed)?;
    let given = accept(call, &allowed, body, OperatorReading::Unknown)?;
    let rights = RowRights::of_new(&allowed);
    rights.hold(tx, call, &allowed)?;
    let rights = rights.choose(&allowed, |rights| {
        presets::trial(tx, call, |tx, quiet| {
            let (record, _) = put(tx, quiet, (&allowed, rights), (given.clone(), body), false)?;
            rights.holding(tx, call, &allowed, RowSubject::Stored(record.id()?))
        })
    })?;
    let (record, checked) = put(tx, call, (&allowed, &rights), (given, body), alone)?;
    let id = record.id()?;
    let allowed = rights.after(tx, call, (&allowed, ResourceAction::Create), RowSubject::Stored(id), &checked)?;
    events::created(tx, call, resource_type, &[id])?;
    record.written(tx, call, &allowed)
}

/// Writes a new resource, and what follows from it; and gives what the caller gave, where that decides about the rights.
fn put<'m>(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    (allowed, rights): (&Allowed<'m>, &RowRights<'_, 'm>),
    (given, body): (Vec<PropertyInput<'m>>, &Body),
    alone: bool,
) -> Result<(Record, Vec<&'m Property>)> {
    let resource_type = allowed.resource_type;
    let (values, checked) = settled(tx, call, (allowed, rights), given, Reading::Hold)?;
    body.check_login(resource_type, |property| values[property.position].clone())?;
    row_size::check(call, resource_type, values.iter(), None)?;
    let mut record = Record { values, ends: Vec::new() };

    let insert = insert(tx.sql(), resource_type, &record);
    let mut id = 0;
    let mut take_id = |statement: usize, row: &Row<'_>| {
        if statement == 0 {
            id = row.integer(0)?;
        }
        Ok(())
    };
    let linked = record.values.iter().any(|value| matches!(value, StoredValue::Many(members) if !members.is_empty()));
    let searched = search::searchable(resource_type).next().is_some();
    // What is written into the audit log comes last.
    // So does what is calculated to be shown, and what is asked of the new row.
    let more = calculate::needs_more(resource_type) || rights.varies();
    let awaited =
        events::awaited(call, AutomationEvent::Created(resource_type.id)) || resource_type.rules().watch_new();
    let noted = resource_type.id == USER_TYPE || call.actor.acting.is_some();
    let concluded = alone && !linked && !searched && !noted && !more && !awaited;
    if concluded {
        let count = counter::statement(tx, resource_type.id, 1);
        let tally = tally::statements(tx, resource_type, None, &record.values);
        let statements: Vec<&Sql> = std::iter::once(&insert).chain(&tally).chain([&count]).collect();
        tx.commit_with(&statements, &mut take_id)
    } else {
        tx.query_all(&[&insert], &mut take_id)
    }
    .map_err(|error| unique::explain(error, call, resource_type))?;
    record.values[0] = StoredValue::One(Value::Integer(id));
    for property in resource_type.properties() {
        if let StoredValue::Many(members) = &record.values[property.position] {
            store::add_links(tx, property, id, 0, members)?;
            if property.kind.files().is_some() && !members.is_empty() {
                files::save(tx, property, id, &[], members)?;
            }
        }
    }
    search::follow(tx, resource_type, id, None, &record.values)?;
    audit::created(call, resource_type, id, |position| record.values.get(position));
    if !concluded {
        for tally in tally::statements(tx, resource_type, None, &record.values) {
            tx.defer(tally)?;
        }
        record = ripple::follow(tx, call, resource_type, (None, record), 1)?;
    }
    hold::grants(tx, call, allowed, &record.values)?;
    Ok((record, checked))
}

/// The values of a new resource, with what grants and expressions add; and which of them the caller gives, where that
/// decides about the rights.
pub(super) fn settled<'m>(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    (allowed, rights): (&Allowed<'m>, &RowRights<'_, 'm>),
    mut given: Vec<PropertyInput<'m>>,
    reading: Reading,
) -> Result<(Vec<StoredValue>, Vec<&'m Property>)> {
    refuse(call, allowed, &given)?;
    accept::check_choices(allowed, &given, None)?;
    relations::resolve(tx, call, allowed, &mut given, (None, reading))?;
    accept::resolve_files(tx, call, allowed, &mut given, None)?;
    let checked: Vec<&Property> = match rights.varies() {
        true => given.iter().map(|value| value.property).collect(),
        false => Vec::new(),
    };
    let named = |property: &Property| given.iter().any(|value| value.property.position == property.position);
    let presets = rights.presets(tx, call, (allowed, reading), named)?;
    given.extend(presets.into_iter().map(|(property, value)| PropertyInput {
        property,
        operator: None,
        value,
        files: None,
    }));
    let mut values = values(tx, call, allowed, given, reading)?;
    settle::new(tx, call, allowed.resource_type, &mut values, reading)?;
    let values: Vec<StoredValue> = values.into_iter().map(|value| value.value).collect();
    authority::check_new(call, allowed.resource_type, &values)?;
    Ok((values, checked))
}

/// Refuses values for what the caller, or anybody, may not set.
fn refuse(call: &RequestContext, allowed: &Allowed<'_>, given: &[PropertyInput<'_>]) -> Result<()> {
    let read_only = given.iter().filter(|value| accept::read_only(value.property));
    let problems: Vec<_> = read_only.map(|value| accept::refuse_read_only(value.property)).collect();
    if !problems.is_empty() {
        return Err(Error::problems(problems));
    }
    match given.iter().find(|value| !accept::writable(&call.actor, allowed, value.property)) {
        Some(value) => Err(accept::not_writable(value.property)),
        None => Ok(()),
    }
}

/// The values of all fields: what is given, fixed defaults, and what the platform gives.
fn values(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    allowed: &Allowed<'_>,
    given: Vec<PropertyInput<'_>>,
    reading: Reading,
) -> Result<Vec<DraftValue>> {
    let fields = &allowed.resource_type.fields;
    let mut values: Vec<Option<StoredValue>> = vec![None; fields.len()];
    for value in given {
        values[value.property.position] = Some(value.value);
    }
    let now = Value::Timestamp(call.now.as_millisecond());
    let user = Value::from(call.user());
    // id, uuid, created, updated, createdBy, updatedBy, version.
    let system = [Value::Null, Value::Uuid(call.uuid()), now.clone(), now, user.clone(), user, Value::Integer(1)];
    for (position, value) in system.into_iter().enumerate() {
        values[position] = Some(StoredValue::One(value));
    }
    let drafts = fields.iter().zip(values).map(|(property, value)| {
        let given = value.is_some();
        let value = value.map_or_else(|| absent(tx, call, property, reading), Ok)?;
        Ok(DraftValue { given, value })
    });
    drafts.collect()
}

/// The value of a property that is not given: the next number, the default, or none.
fn absent(tx: &mut Tx<'_>, call: &RequestContext, property: &Property, reading: Reading) -> Result<StoredValue> {
    match property.kind.autonumber() {
        Some(pattern) if reading == Reading::Look => Ok(StoredValue::One(numbering::like(call, pattern))),
        Some(pattern) => {
            let number = numbering::take(tx, call, property, pattern, 1)?.pop();
            Ok(StoredValue::One(number.unwrap_or_default()))
        }
        None => default(call, property),
    }
}

/// The default of a property, or no value.
pub(super) fn default(call: &RequestContext, property: &Property) -> Result<StoredValue> {
    match &property.default {
        Some(default) => kinds::accept(property.kind.as_ref(), default, &call.context())
            .map_err(|fault| Error::problems(vec![fault.of(&property.name, &property.title)])),
        None => Ok(record::empty(property)),
    }
}

fn insert(mut sql: Sql, resource_type: &model::types::ResourceType, record: &Record) -> Sql {
    sql.push("INSERT INTO ").table(&resource_type.table).push(" (");
    // The engine gives the id, which is the first.
    for (index, (property, _)) in record::columns(resource_type).skip(1).enumerate() {
        sql.push(if index > 0 { ", " } else { "" }).name(&property.column);
    }
    sql.push(") VALUES (");
    for (index, (property, _)) in record::columns(resource_type).skip(1).enumerate() {
        if index > 0 {
            sql.push(", ");
        }
        if let StoredValue::One(value) = &record.values[property.position] {
            sql.bind(value.clone());
        }
    }
    sql.push(") RETURNING id");
    sql
}
