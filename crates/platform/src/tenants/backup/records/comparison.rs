//! A record of the archive beside that of today, and the write that makes the one of the other.

use super::former::{self, CREATED_BY, FormerRecord, FormerRecords};
use super::outcome::{ComparedRecord, PropertyDifference, RecordState};
use super::properties::{SharedProperty, Treatment};
use super::record_files::{self, FilePromises};
use super::today::Today;
use database::Value;
use model::error::{Error, Result};
use model::json::long_numbers;
use model::kinds::{self, StoredValue};
use model::types::Property;
use model::user_columns::USER_TYPE;
use resources::{Body, RecordOrigin};
use serde_json::{Map, Value as Json};

const UUID: usize = 1;
const CREATED: usize = 2;
const VERSION: usize = 6;

/// The write that a record needs.
pub(super) enum RecordWrite {
    /// None.
    Nothing,
    /// It is created again.
    Create(Body, Box<RecordOrigin>),
    /// It is changed.
    Change(Body),
}

/// A record that was compared.
pub(super) struct Comparison {
    /// The findings.
    pub told: ComparedRecord,
    pub write: RecordWrite,
    /// True if it refers to others that come back after it.
    pub waits: bool,
}

/// A comparison on its way.
pub(super) struct Comparing<'c> {
    pub former: &'c FormerRecords,
    pub today: &'c Today<'c>,
    /// The files that were brought, to be given to records.
    pub promises: &'c FilePromises,
    /// True if no other record comes back afterwards.
    pub last: bool,
}

/// The members of a body, as JSON.
#[derive(Default)]
struct BodyText(Vec<u8>);

impl BodyText {
    fn push(&mut self, name: &str, wire: &[u8]) {
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
        self.0.extend_from_slice(Json::from(name).to_string().as_bytes());
        self.0.push(b':');
        self.0.extend_from_slice(wire);
    }

    fn body(mut self) -> Result<Body> {
        if self.0.is_empty() {
            return Ok(Body::plain(Map::new()));
        }
        self.0.push(b'}');
        let members = serde_json::from_slice(&self.0).map_err(|error| Error::failed(error.to_string()))?;
        Ok(Body::plain(members).with_long_numbers(long_numbers(&self.0)))
    }
}

/// The value of a property that a record is to have.
struct WantedValue {
    wire: Vec<u8>,
    /// The value where today's kind reads it.
    stored: Option<StoredValue>,
}

impl Comparing<'_> {
    /// Compares a record with that of today.
    pub(super) fn record(&self, record: &FormerRecord) -> Result<Comparison> {
        let told = ComparedRecord {
            id: record.id,
            title: record.title.clone(),
            state: RecordState::Same,
            differences: Vec::new(),
            notes: Vec::new(),
            refused: None,
        };
        let mut comparison = Comparison { told, write: RecordWrite::Nothing, waits: false };
        match self.today.rows.get(&record.id) {
            None => self.missing(record, &mut comparison)?,
            Some(now) if now[UUID] != record.values[UUID] => {
                comparison.told.state = RecordState::Differing;
                comparison.told.refused = Some("Another record has its id today.".to_owned());
            }
            Some(now) => self.there(record, now, &mut comparison)?,
        }
        Ok(comparison)
    }

    fn missing(&self, record: &FormerRecord, comparison: &mut Comparison) -> Result<()> {
        comparison.told.state = RecordState::Missing;
        let (mut text, mut kept) = (BodyText::default(), Vec::new());
        for shared in &self.today.properties.shared {
            let property = &self.today.of.fields[shared.now];
            if shared.treatment == Treatment::Files {
                let files = record_files::value(property, &record.values[shared.then], None, self.promises);
                if let Some(value) = &files.value {
                    text.push(&property.name, value.to_string().as_bytes());
                }
                comparison.told.notes.extend(files.notes);
                continue;
            }
            let wanted = self.wanted(record, shared, comparison)?;
            match (shared.treatment, wanted) {
                (_, None) => {}
                (Treatment::Given, Some(wanted)) => text.push(&property.name, &wanted.wire),
                (_, Some(wanted)) => kept.extend(wanted.stored.map(|value| (shared.now, value))),
            }
        }
        let creator = self.creator(record, &mut comparison.told.notes);
        let origin = origin(record, creator, kept)?;
        comparison.write = RecordWrite::Create(text.body()?, Box::new(origin));
        Ok(())
    }

    /// The creator of a record, where that user exists today. Another user may have the same id.
    fn creator(&self, record: &FormerRecord, notes: &mut Vec<String>) -> Value {
        let Some(id) = former::ids_of(&record.values[CREATED_BY]).next() else { return Value::Null };
        let user = self.today.context.model.type_by_id(USER_TYPE).map(|of| of.name.clone());
        if user.is_some_and(|name| self.today.targets.contains(&(name, id))) {
            return Value::Integer(id);
        }
        notes.push(format!("createdBy: the user {id} is missing today"));
        Value::Null
    }

    fn there(&self, record: &FormerRecord, now: &[StoredValue], comparison: &mut Comparison) -> Result<()> {
        let mut text = BodyText::default();
        for shared in &self.today.properties.shared {
            let property = &self.today.of.fields[shared.now];
            let old = &now[shared.now];
            match shared.treatment {
                Treatment::Kept => {}
                Treatment::Files => {
                    let then = &record.values[shared.then];
                    if record_files::same(then, old) {
                        continue;
                    }
                    let files = record_files::value(property, then, Some(old), self.promises);
                    let (now, then) = (record_files::names(old), record_files::names(then));
                    comparison.told.differences.push(PropertyDifference { property: property.name.clone(), now, then });
                    match files.value.filter(|_| files.notes.is_empty()) {
                        Some(value) => text.push(&property.name, value.to_string().as_bytes()),
                        None => comparison.told.notes.extend(files.notes),
                    }
                }
                Treatment::Given => {
                    let Some(wanted) = self.wanted(record, shared, comparison)? else { continue };
                    let wire = former::wire(self.today.context, property, old)?;
                    let (then, now) = (former::parsed(&wanted.wire)?, former::parsed(&wire)?);
                    if then != now && wanted.stored.as_ref() != Some(old) {
                        text.push(&property.name, &wanted.wire);
                        let property = property.name.clone();
                        comparison.told.differences.push(PropertyDifference { property, now, then });
                    }
                }
            }
        }
        if !comparison.told.differences.is_empty() {
            comparison.told.state = RecordState::Differing;
            // Files that cannot come back are no change.
            comparison.write = if text.0.is_empty() { RecordWrite::Nothing } else { RecordWrite::Change(text.body()?) };
        }
        Ok(())
    }

    /// The value that a property is to have; none where it stays as it is, since what it refers to is missing.
    fn wanted(
        &self,
        record: &FormerRecord,
        shared: &SharedProperty,
        comparison: &mut Comparison,
    ) -> Result<Option<WantedValue>> {
        let (then, now) = (&self.former.of.fields[shared.then], &self.today.of.fields[shared.now]);
        let value = &record.values[shared.then];
        if then.kind.relation().is_some() {
            return self.wanted_relation(then, value, comparison);
        }
        if now.kind.concealed() {
            return Ok(Some(WantedValue { wire: b"null".to_vec(), stored: Some(value.clone()) }));
        }
        let wire = former::wire(&self.former.context, then, value)?;
        let read =
            kinds::read_property(now.kind.as_ref(), &former::parsed(&wire)?, &self.today.context.value_context());
        Ok(Some(WantedValue { wire, stored: read.ok() }))
    }

    fn wanted_relation(
        &self,
        property: &Property,
        value: &StoredValue,
        comparison: &mut Comparison,
    ) -> Result<Option<WantedValue>> {
        let Some(relation) = property.kind.relation() else { return Ok(None) };
        let is_own = relation.type_id == self.former.of.id;
        let (there, missing): (Vec<i64>, Vec<i64>) =
            former::ids_of(value).partition(|id| self.today.targets.contains(&(relation.type_name.to_owned(), *id)));
        for id in &missing {
            // Another record that comes back is there soon.
            if is_own && !self.last && self.former.coming.contains(id) {
                comparison.waits = true;
                continue;
            }
            let (type_name, name) = (relation.type_name, &property.name);
            comparison.told.notes.push(format!("{name}: the {type_name} {id} is missing today"));
        }
        let one = |id: Option<&i64>| id.map_or(Value::Null, |id| Value::Integer(*id));
        Ok(Some(match value {
            StoredValue::One(_) if !missing.is_empty() => return Ok(None),
            StoredValue::One(_) => WantedValue {
                wire: there.first().map_or_else(|| "null".to_owned(), i64::to_string).into_bytes(),
                stored: Some(StoredValue::One(one(there.first()))),
            },
            StoredValue::Many(_) => WantedValue {
                wire: Json::from(there.clone()).to_string().into_bytes(),
                stored: Some(StoredValue::Many(there.into_iter().map(Value::Integer).collect())),
            },
        }))
    }
}

/// The values that the platform gave a record when it was made.
fn origin(record: &FormerRecord, created_by: Value, kept: Vec<(usize, StoredValue)>) -> Result<RecordOrigin> {
    let one = |position: usize| match &record.values[position] {
        StoredValue::One(value) => value.clone(),
        StoredValue::Many(_) => Value::Null,
    };
    let Value::Uuid(uuid) = one(UUID) else { return Err(Error::failed("a record without a uuid")) };
    let version = if let Value::Integer(version) = one(VERSION) { version.saturating_add(1) } else { 1 };
    Ok(RecordOrigin { id: record.id, uuid, created: one(CREATED), created_by, version, kept })
}
