//! Creating a resource.

use super::accept::{self, OperatorReading, PropertyInput, accept};
use super::insertion::insert;
use super::record::{self, Record};
use super::restored::RecordOrigin;
use super::row_rights::{RowRights, RowSubject};
use super::settle::{self, DraftValue};
use super::store;
use super::{
    Body, Written, calculated_fields, hold, numbering, presets, relations, ripple, row_size, tally, turns, writable,
};
use crate::events;
use crate::expressions::Reading;
use crate::files;
use crate::users::authority;
use context::actor::Allowed;
use context::audit;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::automation::AutomationEvent;
use model::error::{Error, Result};
use model::kinds;
use model::kinds::StoredValue;
use model::types::{Property, ResourceAction};
use model::user_columns::USER_TYPE;
use query::search;

/// Creates a resource and gives it as the caller may read it.
pub fn create(tx: &mut Tx<'_>, request: &RequestContext, collection: &str, body: &Body) -> Result<Written> {
    insert_one(tx, request, collection, body, false)
}

/// The same as all that a transaction does: it is committed along with the row where nothing depends on its id.
pub fn create_alone(tx: &mut Tx<'_>, request: &RequestContext, collection: &str, body: &Body) -> Result<Written> {
    insert_one(tx, request, collection, body, true)
}

/// Creates a resource that was there before, with the keys that it had.
pub fn create_again(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    body: &Body,
    origin: &RecordOrigin,
) -> Result<Written> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Create)?;
    turns::to_create(tx, &allowed)?;
    let given = accept(request, &allowed, body, OperatorReading::Unknown)?;
    let resource = NewResource { origin: Some(origin), ..NewResource::new(&allowed, body, given) };
    resource.choose(tx, request)?.write(tx, request, false)
}

fn insert_one(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    body: &Body,
    alone: bool,
) -> Result<Written> {
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Create)?;
    turns::to_create(tx, &allowed)?;
    let given = accept(request, &allowed, body, OperatorReading::Unknown)?;
    NewResource::new(&allowed, body, given).choose(tx, request)?.write(tx, request, alone)
}

/// A new resource on its way: it is chosen for, settled and written, in this order.
pub(super) struct NewResource<'a, 'm> {
    /// The rights to create.
    rights: RowRights<'a, 'm>,
    /// [`Reading::Look`] for a resource that is only tried.
    reading: Reading,
    body: &'a Body,
    /// The values of the body, until it is settled.
    given: Vec<PropertyInput<'m>>,
    /// The values of all fields, once it is settled.
    values: Vec<StoredValue>,
    /// The properties that the caller gives, where that decides about the rights.
    checked: Vec<&'m Property>,
    /// The values that the platform gave it before, where it was there.
    origin: Option<&'a RecordOrigin>,
}

impl<'a, 'm> NewResource<'a, 'm> {
    /// A resource that is to be written.
    fn new(allowed: &'a Allowed<'m>, body: &'a Body, given: Vec<PropertyInput<'m>>) -> Self {
        NewResource { reading: Reading::Hold, ..Self::trial(allowed, body, given) }
    }

    /// A resource that is only tried.
    pub(super) fn trial(allowed: &'a Allowed<'m>, body: &'a Body, given: Vec<PropertyInput<'m>>) -> Self {
        let rights = RowRights::of_new(allowed);
        NewResource {
            rights,
            reading: Reading::Look,
            body,
            given,
            values: Vec::new(),
            checked: Vec::new(),
            origin: None,
        }
    }

    /// Keeps the grants alone whose values the resource takes.
    pub(super) fn choose(mut self, tx: &mut Tx<'_>, request: &'m RequestContext) -> Result<Self> {
        if self.reading == Reading::Hold {
            self.rights.hold(tx, request)?;
        }
        let mut rights = self.rights.with(self.rights.held.clone());
        rights.choose(tx, self.reading, |tx, rights| self.by(rights).judge(tx, request))?;
        self.rights = rights;
        Ok(self)
    }

    /// The same resource by other rights.
    fn by(&self, rights: RowRights<'a, 'm>) -> Self {
        NewResource { rights, given: self.given.clone(), values: Vec::new(), checked: Vec::new(), ..*self }
    }

    /// Returns the grants that hold for the resource, which is not kept.
    fn judge(mut self, tx: &mut Tx<'_>, request: &'m RequestContext) -> Result<Vec<usize>> {
        if self.reading == Reading::Look {
            let drawn = self.draw(tx, request)?;
            return self.rights.holding(tx, request, RowSubject::Drawn(&drawn));
        }
        presets::trial(tx, request, |tx, quiet| {
            let record = self.put(tx, quiet, false)?;
            self.rights.holding(tx, request, RowSubject::Stored(record.id()?))
        })
    }

    /// Writes the resource, and gives it as the caller may read it.
    fn write(self, tx: &mut Tx<'_>, request: &'m RequestContext, alone: bool) -> Result<Written> {
        let trial = self.rights.trial;
        let outcome = self.write_once(tx, request, alone);
        trial.confirm(tx, outcome)
    }

    fn write_once(mut self, tx: &mut Tx<'_>, request: &'m RequestContext, alone: bool) -> Result<Written> {
        let record = self.put(tx, request, alone)?;
        let (id, resource_type) = (record.id()?, self.rights.of_type.resource_type);
        let allowed = self.rights.after(tx, request, RowSubject::Stored(id), &self.checked)?;
        events::created(tx, request, resource_type, &[id])?;
        record.written(tx, request, &allowed)
    }

    /// Checks that the rights allow the resource as it would be, which was drawn.
    pub(super) fn check_drawn(self, tx: &mut Tx<'_>, request: &'m RequestContext, new: &[StoredValue]) -> Result<()> {
        self.rights.after(tx, request, RowSubject::Drawn(new), &self.checked).map(drop)
    }

    /// Writes the resource and what follows from it.
    fn put(&mut self, tx: &mut Tx<'_>, request: &RequestContext, alone: bool) -> Result<Record> {
        self.settle(tx, request)?;
        let allowed = self.rights.of_type;
        let resource_type = allowed.resource_type;
        self.body.check_login(resource_type, |property| self.values[property.position].clone())?;
        row_size::check(request, resource_type, self.values.iter(), None)?;
        let mut record = Record { values: std::mem::take(&mut self.values), ends: Vec::new() };
        let concluded = alone && self.is_all(request, &record);
        let id = insert(tx, request, resource_type, &record, concluded)?;
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
        audit::created(request, resource_type, id, |position| record.values.get(position));
        if !concluded {
            for tally in tally::statements(tx, resource_type, None, &record.values) {
                tx.defer(tally)?;
            }
            record = ripple::follow(tx, request, resource_type, None, record, 1)?;
        }
        hold::grants(tx, request, allowed, &record.values)?;
        Ok(record)
    }

    /// Returns true if nothing is written or read behind the row.
    fn is_all(&self, request: &RequestContext, record: &Record) -> bool {
        let resource_type = self.rights.of_type.resource_type;
        let linked =
            record.values.iter().any(|value| matches!(value, StoredValue::Many(members) if !members.is_empty()));
        let searched = search::searchable(resource_type).next().is_some();
        // Entries of the audit log come last.
        // So does what is calculated to be shown, and what is asked of the new row.
        let more = calculated_fields::needs_more(resource_type) || self.rights.varies();
        let awaited =
            events::awaited(request, AutomationEvent::Created(resource_type.id)) || resource_type.rules().watch_new();
        let noted = resource_type.id == USER_TYPE || request.actor.acting.is_some();
        !linked && !searched && !noted && !more && !awaited
    }

    /// Returns the values that the resource would have, without writing them.
    pub(super) fn draw(&mut self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<Vec<StoredValue>> {
        self.settle(tx, request)?;
        Ok(std::mem::take(&mut self.values))
    }

    /// Adds what grants and expressions give, and checks all values.
    fn settle(&mut self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<()> {
        let (allowed, reading, mut given) = (self.rights.of_type, self.reading, std::mem::take(&mut self.given));
        refuse(request, allowed, &given)?;
        accept::check_choices(allowed, &given, None)?;
        relations::resolve(tx, request, allowed, &mut given, None, reading)?;
        accept::resolve_files(tx, request, allowed, &mut given, None)?;
        if self.rights.varies() {
            self.checked = given.iter().map(|value| value.property).collect();
        }
        let named = |property: &Property| given.iter().any(|value| value.property.position == property.position);
        let presets = self.rights.presets(tx, request, reading, named)?;
        given.extend(presets.into_iter().map(|(property, value)| PropertyInput {
            property,
            operator: None,
            value,
            files: None,
        }));
        let mut values = values(tx, request, allowed, given, reading, self.origin)?;
        settle::new(tx, request, allowed.resource_type, &mut values, reading)?;
        self.values = values.into_iter().map(|value| value.value).collect();
        authority::check_new(request, allowed.resource_type, &self.values)
    }
}

/// Refuses values for what the caller, or anybody, may not set.
fn refuse(request: &RequestContext, allowed: &Allowed<'_>, given: &[PropertyInput<'_>]) -> Result<()> {
    let read_only = given.iter().filter(|value| writable::read_only(value.property));
    let problems: Vec<_> = read_only.map(|value| writable::refuse_read_only(value.property)).collect();
    if !problems.is_empty() {
        return Err(Error::problems(problems));
    }
    match given.iter().find(|value| !writable::writable(&request.actor, allowed, value.property)) {
        Some(value) => Err(writable::not_writable(value.property)),
        None => Ok(()),
    }
}

/// The values of all fields: what is given, fixed defaults, and what the platform gives.
fn values(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    allowed: &Allowed<'_>,
    given: Vec<PropertyInput<'_>>,
    reading: Reading,
    origin: Option<&RecordOrigin>,
) -> Result<Vec<DraftValue>> {
    let fields = &allowed.resource_type.fields;
    let mut values: Vec<Option<StoredValue>> = vec![None; fields.len()];
    for value in given {
        values[value.property.position] = Some(value.value);
    }
    let now = Value::Timestamp(request.now.as_millisecond());
    let user = Value::from(request.user());
    // id, uuid, created, updated, createdBy, updatedBy, version.
    let system = match origin {
        None => [Value::Null, Value::Uuid(request.uuid()), now.clone(), now, user.clone(), user, Value::Integer(1)],
        Some(RecordOrigin { id, uuid, created, created_by, version, kept }) => {
            for (position, value) in kept {
                values[*position] = Some(value.clone());
            }
            let (id, version) = (Value::Integer(*id), Value::Integer(*version));
            [id, Value::Uuid(*uuid), created.clone(), now, created_by.clone(), user, version]
        }
    };
    for (position, value) in system.into_iter().enumerate() {
        values[position] = Some(StoredValue::One(value));
    }
    let drafts = fields.iter().zip(values).map(|(property, value)| {
        let given = value.is_some();
        let value = value.map_or_else(|| absent(tx, request, property, reading), Ok)?;
        Ok(DraftValue { given, value })
    });
    drafts.collect()
}

/// The value of a property that is not given: the next number, the default, or none.
fn absent(tx: &mut Tx<'_>, request: &RequestContext, property: &Property, reading: Reading) -> Result<StoredValue> {
    match property.kind.autonumber() {
        Some(pattern) if reading == Reading::Look => Ok(StoredValue::One(numbering::like(request, pattern))),
        Some(pattern) => {
            let number = numbering::take(tx, request, property, pattern, 1)?.pop();
            Ok(StoredValue::One(number.unwrap_or_default()))
        }
        None => default(request, property),
    }
}

/// The default of a property, or no value.
pub(super) fn default(request: &RequestContext, property: &Property) -> Result<StoredValue> {
    match &property.default {
        Some(default) => kinds::accept(property.kind.as_ref(), default, &request.value_context())
            .map_err(|fault| Error::problems(vec![fault.of(&property.name, &property.title)])),
        None => Ok(record::empty(property)),
    }
}
