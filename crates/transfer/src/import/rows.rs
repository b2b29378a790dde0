//! Rows of a file as values of properties.

use super::columns::{ImportColumn, LookupMeans};
use super::dates::{plain_date, plain_instant};
use super::faults::CellFault;
use super::lookups::{ImportLookups, LookupKey};
use super::numbers::plain_number;
use super::option_titles::option_of;
use super::options::{DateOrder, DecimalSign};
use super::references::RowReference;
use super::report::RowFault;
use database::{ColumnType, Value};
use model::kinds;
use model::kinds::{Kind, StoredValue, ValueContext, ValueFault, ValueStorage};
use model::types::Property;
use serde_json::Value as Json;
use std::borrow::Cow;

/// A row that waits to be written.
pub(super) struct WaitingRow {
    /// Its place in the file.
    pub line: u64,
    /// Values that it gives, by position of the field.
    pub(super) given: Vec<Option<GivenValue>>,
    /// The faults of its values.
    pub(super) faults: Vec<RowFault>,
}

/// Value that a row gives for a property.
#[derive(Clone, Debug)]
pub(super) enum GivenValue {
    /// A value.
    Value(StoredValue),
    /// Resources that are to be found, and whether they are an array.
    References(Vec<RowReference>, bool),
    /// None that can be read: it has a fault.
    Faulty,
}

/// The way in which a cell is read.
#[derive(Clone, Copy)]
pub(super) struct CellReading<'c> {
    pub(super) context: ValueContext<'c>,
    pub(super) decimal: Option<DecimalSign>,
    pub(super) dates: Option<DateOrder>,
    /// True for a number or a day of a workbook: nothing about it has to be named.
    pub(super) is_typed: bool,
}

impl WaitingRow {
    pub(crate) fn new(line: u64, fields: usize) -> Self {
        let mut given = Vec::with_capacity(fields);
        given.resize_with(fields, || None);
        WaitingRow { line, given, faults: Vec::new() }
    }
}

/// Reads a cell of text; empty is null.
pub(super) fn read_cell(
    lookups: &mut ImportLookups<'_>,
    column: ImportColumn<'_>,
    cell: &str,
    reading: &CellReading<'_>,
) -> Result<Option<GivenValue>, CellFault> {
    let Some(property) = column.property() else { return Ok(None) };
    let context = &reading.context;
    let many = matches!(property.kind.storage(), ValueStorage::Links(_));
    if many && cell.trim_start().starts_with('[') {
        let json = serde_json::from_str(cell).map_err(|error| {
            CellFault::of_text(ValueFault::new("not_json", format!("must be a JSON array: {error}")), cell)
        })?;
        return read_json(lookups, column, &json, context);
    }
    let members = members(cell, many);
    if let ImportColumn::Plain(_) = column {
        let kind = property.kind.as_ref();
        let values =
            members.map(|member| read_member(kind, member, reading).map_err(|fault| CellFault::of_text(fault, member)));
        return collect(values, many).map(|stored| Some(GivenValue::Value(stored)));
    }
    let references = members.map(|member| {
        match column {
            ImportColumn::Reference(_, means) => of_text(lookups, means, member, context),
            ImportColumn::ReferenceBy(_, field, lookup) => {
                kinds::read_plain(field.kind.as_ref(), member, context).and_then(|value| key_of(lookup, value, field))
            }
            ImportColumn::Ignored | ImportColumn::Plain(_) => Err(unsuited()),
        }
        .map_err(|fault| CellFault::of_text(fault, member))
    });
    references.collect::<Result<Vec<_>, _>>().map(|references| Some(GivenValue::References(references, many)))
}

/// Reads a value of a cell: an option by its title, too, and numbers and days of texts as people write them.
fn read_member(kind: &dyn Kind, member: &str, reading: &CellReading<'_>) -> Result<Value, ValueFault> {
    let text = match kind.storage() {
        _ if reading.is_typed => Cow::Borrowed(option_of(kind.choices(), member)),
        ValueStorage::Column(ColumnType::Integer | ColumnType::Float) => plain_number(member, reading.decimal)?,
        ValueStorage::Column(ColumnType::Date) => plain_date(member, reading.dates)?,
        ValueStorage::Column(ColumnType::Timestamp) => plain_instant(member),
        _ => Cow::Borrowed(option_of(kind.choices(), member)),
    };
    checked(kind, kinds::read_plain(kind, &text, &reading.context)?)
}

/// Reads a value in wire form; an option may also be its title, and a relation a code, a title, or an object with one
/// property of its target.
pub(super) fn read_json(
    lookups: &mut ImportLookups<'_>,
    column: ImportColumn<'_>,
    input: &Json,
    context: &ValueContext<'_>,
) -> Result<Option<GivenValue>, CellFault> {
    let Some(property) = column.property() else { return Ok(None) };
    let many = matches!(property.kind.storage(), ValueStorage::Links(_));
    if let ImportColumn::Plain(_) = column {
        let kind = property.kind.as_ref();
        let named = named_options(kind, input);
        let stored = kinds::read_property(kind, &named, context);
        let stored = stored.map_err(|fault| CellFault::of_json(fault, faulty_member(kind, &named)))?;
        if kind.choices().is_empty() {
            kinds::check_property(kind, &stored).map_err(|fault| CellFault::of_json(fault, input))?;
        }
        return Ok(Some(GivenValue::Value(stored)));
    }
    let members = match (many, input) {
        (_, Json::Null) => &[],
        (true, Json::Array(members)) => members.as_slice(),
        (true, input) => return Err(CellFault::of_json(ValueFault::new("not_array", "must be an array"), input)),
        (false, input) => std::slice::from_ref(input),
    };
    let references = members.iter().map(|member| {
        match column {
            ImportColumn::Reference(_, means) => of_json(lookups, means, member, context),
            ImportColumn::ReferenceBy(_, field, lookup) => of_field(lookup, field, member, context),
            ImportColumn::Ignored | ImportColumn::Plain(_) => Err(unsuited()),
        }
        .map_err(|fault| CellFault::of_json(fault, member))
    });
    references.collect::<Result<Vec<_>, _>>().map(|references| Some(GivenValue::References(references, many)))
}

/// A value of JSON with the values of options in the place of their titles.
fn named_options<'v>(kind: &dyn Kind, input: &'v Json) -> Cow<'v, Json> {
    let choices = kind.choices();
    let named = |text: &str| Json::from(option_of(choices, text));
    match input {
        _ if choices.is_empty() => Cow::Borrowed(input),
        Json::String(text) => Cow::Owned(named(text)),
        Json::Array(members) => {
            Cow::Owned(members.iter().map(|member| member.as_str().map_or_else(|| member.clone(), named)).collect())
        }
        _ => Cow::Borrowed(input),
    }
}

/// The member of an array of options that is none; the value itself where it is no array of options.
fn faulty_member<'v>(kind: &dyn Kind, input: &'v Json) -> &'v Json {
    let is_none = |member: &&Json| !kind.choices().iter().any(|choice| member.as_str() == Some(choice.value.as_str()));
    let member =
        input.as_array().filter(|_| !kind.choices().is_empty()).and_then(|members| members.iter().find(is_none));
    member.unwrap_or(input)
}

/// The members of a cell: itself, or for an array what stands between `|`; nothing in an empty one.
fn members(cell: &str, many: bool) -> impl Iterator<Item = &str> {
    let members = cell.splitn(if many { usize::MAX } else { 1 }, '|');
    // Text keeps its white space; a cell of white space alone is a value of text, not null.
    members.map(move |member| if many { member.trim() } else { member }).filter(|member| !member.is_empty())
}

fn checked(kind: &dyn Kind, value: Value) -> Result<Value, ValueFault> {
    // Whether an archived option may stay is seen when the row that it changes is known.
    if kind.choices().is_empty() {
        kind.check(&value)?;
    }
    Ok(value)
}

fn collect(values: impl Iterator<Item = Result<Value, CellFault>>, many: bool) -> Result<StoredValue, CellFault> {
    let mut values = values.collect::<Result<Vec<_>, _>>()?;
    Ok(if many { StoredValue::Many(values) } else { StoredValue::One(values.pop().unwrap_or_default()) })
}

fn of_text(
    lookups: &ImportLookups<'_>,
    means: LookupMeans,
    text: &str,
    context: &ValueContext<'_>,
) -> Result<RowReference, ValueFault> {
    let text = text.trim();
    match (text.parse(), kinds::uuid_of(text)) {
        (Ok(id), _) => Ok(RowReference::by(means.id, LookupKey::Number(id))),
        (_, Some(uuid)) => Ok(RowReference::by(means.uuid, LookupKey::Uuid(uuid))),
        _ => of_name(lookups, means, text, context),
    }
}

/// A reference by a text that may be a code or a title.
fn of_name(
    lookups: &ImportLookups<'_>,
    means: LookupMeans,
    text: &str,
    context: &ValueContext<'_>,
) -> Result<RowReference, ValueFault> {
    // The character NUL is in no title, and PostgreSQL takes none.
    let title = means.title.filter(|_| !text.contains('\0')).map(|place| (place, text.to_owned()));
    let by_code = |lookup: usize| {
        let (field, _) = lookups.field(lookup);
        key_of(lookup, kinds::read_plain(field.kind.as_ref(), text, context)?, field)
    };
    match (means.code.map(by_code), title) {
        (Some(Ok(code)), title) => Ok(RowReference { title, ..code }),
        (_, Some(title)) => Ok(RowReference { unique: None, title: Some(title) }),
        (Some(Err(fault)), None) => Err(fault),
        (None, None) => {
            let (_, of) = lookups.field(means.id);
            let message = format!("must be an id or a uuid; {} has neither a code nor a title to find it by", of.name);
            Err(ValueFault::new("not_reference", message))
        }
    }
}

fn of_json(
    lookups: &mut ImportLookups<'_>,
    means: LookupMeans,
    input: &Json,
    context: &ValueContext<'_>,
) -> Result<RowReference, ValueFault> {
    match input {
        Json::Number(number) => {
            number.as_i64().map(|id| RowReference::by(means.id, LookupKey::Number(id))).ok_or_else(unsuited)
        }
        Json::String(text) => match kinds::uuid_of(text) {
            Some(uuid) => Ok(RowReference::by(means.uuid, LookupKey::Uuid(uuid))),
            None => of_name(lookups, means, text, context),
        },
        Json::Object(object) => {
            let (_, of) = lookups.field(means.id);
            let field = object.iter().next().filter(|_| object.len() == 1);
            let (field, value) =
                field.and_then(|(name, value)| Some((lookups.field_of(of, name)?, value))).ok_or_else(unsuited)?;
            let lookup =
                lookups.by(of, field).map_err(|error| ValueFault::new(error.code, "must name a unique property"))?;
            of_field(lookup, field, value, context)
        }
        _ => Err(unsuited()),
    }
}

fn of_field(
    lookup: usize,
    field: &Property,
    input: &Json,
    context: &ValueContext<'_>,
) -> Result<RowReference, ValueFault> {
    key_of(lookup, field.kind.read(input, context)?, field)
}

fn key_of(lookup: usize, value: Value, field: &Property) -> Result<RowReference, ValueFault> {
    let key = LookupKey::of(&value)
        .ok_or_else(|| ValueFault::new("not_reference", format!("cannot go by {}", field.name)))?;
    Ok(RowReference::by(lookup, key))
}

fn unsuited() -> ValueFault {
    ValueFault::new("not_reference", "must be an id, a uuid, a code, a title or an object with one unique property")
}
