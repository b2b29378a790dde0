//! Rows of a file as values of properties.

use super::columns::{ImportColumn, LookupMeans};
use super::lookups::{ImportLookups, LookupKey};
use database::Value;
use model::kinds;
use model::kinds::{Kind, StoredValue, ValueContext, ValueFault, ValueStorage};
use model::types::Property;
use serde_json::Value as Json;

/// A row that waits to be written.
pub(super) struct WaitingRow {
    /// Its place in the file.
    pub line: u64,
    /// Values that it gives, by position of the field.
    pub(super) given: Vec<Option<GivenValue>>,
    /// True if it has a problem.
    pub(super) faulty: bool,
}

/// Value that a row gives for a property.
#[derive(Clone, Debug)]
pub(super) enum GivenValue {
    /// A value.
    Value(StoredValue),
    /// Resources that are to be found: the lookup and the key of each, and whether they are an array.
    References(Vec<(usize, LookupKey)>, bool),
}

impl WaitingRow {
    pub(crate) fn new(line: u64, fields: usize) -> Self {
        let mut given = Vec::with_capacity(fields);
        given.resize_with(fields, || None);
        WaitingRow { line, given, faulty: false }
    }
}

/// Reads a cell of text; empty is null.
pub(super) fn read_cell(
    lookups: &mut ImportLookups<'_>,
    column: ImportColumn<'_>,
    cell: &str,
    context: &ValueContext<'_>,
) -> Result<Option<GivenValue>, ValueFault> {
    let Some(property) = column.property() else { return Ok(None) };
    let many = matches!(property.kind.storage(), ValueStorage::Links(_));
    if many && cell.trim_start().starts_with('[') {
        let json = serde_json::from_str(cell)
            .map_err(|error| ValueFault::new("not_json", format!("must be a JSON array: {error}")))?;
        return read_json(lookups, column, &json, context);
    }
    let members = members(cell, many);
    if let ImportColumn::Plain(_) = column {
        let kind = property.kind.as_ref();
        let values = members.map(|member| checked(kind, kinds::read_plain(kind, member, context)?));
        return collect(values, many).map(|stored| Some(GivenValue::Value(stored)));
    }
    let references = members.map(|member| match column {
        ImportColumn::Reference(_, means) => of_text(lookups, means, member, context),
        ImportColumn::ReferenceBy(_, field, lookup) => {
            key_of(lookup, kinds::read_plain(field.kind.as_ref(), member, context)?, field)
        }
        ImportColumn::Ignored | ImportColumn::Plain(_) => Err(unsuited()),
    });
    references.collect::<Result<Vec<_>, _>>().map(|references| Some(GivenValue::References(references, many)))
}

/// Reads a value in wire form; a relation may also be a code, or an object with one property of its target.
pub(super) fn read_json(
    lookups: &mut ImportLookups<'_>,
    column: ImportColumn<'_>,
    input: &Json,
    context: &ValueContext<'_>,
) -> Result<Option<GivenValue>, ValueFault> {
    let Some(property) = column.property() else { return Ok(None) };
    let many = matches!(property.kind.storage(), ValueStorage::Links(_));
    if let ImportColumn::Plain(_) = column {
        let kind = property.kind.as_ref();
        let stored = kinds::read_property(kind, input, context)?;
        if kind.choices().is_empty() {
            kinds::check_property(kind, &stored)?;
        }
        return Ok(Some(GivenValue::Value(stored)));
    }
    let members = match (many, input) {
        (_, Json::Null) => &[],
        (true, Json::Array(members)) => members.as_slice(),
        (true, _) => return Err(ValueFault::new("not_array", "must be an array")),
        (false, input) => std::slice::from_ref(input),
    };
    let references = members.iter().map(|member| match column {
        ImportColumn::Reference(_, means) => of_json(lookups, means, member, context),
        ImportColumn::ReferenceBy(_, field, lookup) => of_field(lookup, field, member, context),
        ImportColumn::Ignored | ImportColumn::Plain(_) => Err(unsuited()),
    });
    references.collect::<Result<Vec<_>, _>>().map(|references| Some(GivenValue::References(references, many)))
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

fn collect(values: impl Iterator<Item = Result<Value, ValueFault>>, many: bool) -> Result<StoredValue, ValueFault> {
    let mut values = values.collect::<Result<Vec<_>, _>>()?;
    Ok(if many { StoredValue::Many(values) } else { StoredValue::One(values.pop().unwrap_or_default()) })
}

fn of_text(
    lookups: &ImportLookups<'_>,
    means: LookupMeans,
    text: &str,
    context: &ValueContext<'_>,
) -> Result<(usize, LookupKey), ValueFault> {
    let text = text.trim();
    match (text.parse(), kinds::uuid_of(text)) {
        (Ok(id), _) => Ok((means.id, LookupKey::Number(id))),
        (_, Some(uuid)) => Ok((means.uuid, LookupKey::Uuid(uuid))),
        _ => of_code(lookups, means, text, context),
    }
}

fn of_code(
    lookups: &ImportLookups<'_>,
    means: LookupMeans,
    text: &str,
    context: &ValueContext<'_>,
) -> Result<(usize, LookupKey), ValueFault> {
    let lookup = means.code.ok_or_else(|| {
        let (_, of) = lookups.field(means.id);
        ValueFault::new("not_reference", format!("must be an id or a uuid: {} has no codeProperty", of.name))
    })?;
    let (field, _) = lookups.field(lookup);
    key_of(lookup, kinds::read_plain(field.kind.as_ref(), text, context)?, field)
}

fn of_json(
    lookups: &mut ImportLookups<'_>,
    means: LookupMeans,
    input: &Json,
    context: &ValueContext<'_>,
) -> Result<(usize, LookupKey), ValueFault> {
    match input {
        Json::Number(number) => number.as_i64().map(|id| (means.id, LookupKey::Number(id))).ok_or_else(unsuited),
        Json::String(text) => match kinds::uuid_of(text) {
            Some(uuid) => Ok((means.uuid, LookupKey::Uuid(uuid))),
            None => of_code(lookups, means, text, context),
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
) -> Result<(usize, LookupKey), ValueFault> {
    key_of(lookup, field.kind.read(input, context)?, field)
}

fn key_of(lookup: usize, value: Value, field: &Property) -> Result<(usize, LookupKey), ValueFault> {
    let key = LookupKey::of(&value)
        .ok_or_else(|| ValueFault::new("not_reference", format!("cannot go by {}", field.name)))?;
    Ok((lookup, key))
}

fn unsuited() -> ValueFault {
    ValueFault::new("not_reference", "must be an id, a uuid, a code or an object with one unique property")
}
