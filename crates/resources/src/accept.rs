//! From the members of a body to values of properties.

use super::unwrap;
use super::{Body, metadata};
use crate::files::{FileChange, FileWish, resolve};
use context::actor::Allowed;
use context::passwords::PasswordHash;
use context::request_context::RequestContext;
use database::{Tx, Value};
use model::error::{Error, InputProblem, Result};
use model::json;
use model::json::LongNumber;
use model::kinds;
use model::kinds::{PatchOperator, StoredValue, ValueContext, ValueFault};
use model::suggestion::sentence;
use model::types::{FIRST_PROPERTY, Property, ResourceAction};
use query::path::TypeAccess;
use serde_json::Value as Json;

/// The most unknown names of a body for which others are suggested.
const SUGGESTIONS: usize = 10;

/// A value that a body gives for a property.
#[derive(Clone, Debug)]
pub(super) struct PropertyInput<'m> {
    pub property: &'m Property,
    /// None replaces the value; an operator adds to it.
    pub operator: Option<PatchOperator>,
    pub value: StoredValue,
    /// Change to make to files; the value comes of it when the promises are looked at.
    pub files: Option<FileChange>,
}

/// True if operators behind names are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperatorReading {
    /// As in a PATCH.
    Read,
    /// A name with an operator is an unknown one.
    Unknown,
}

/// Reads all members of a body; all that is wrong with them is told at once. `id` and `uuid` are ignored.
pub(super) fn accept<'m>(
    request: &RequestContext,
    allowed: &Allowed<'m>,
    body: &Body,
    operators: OperatorReading,
) -> Result<Vec<PropertyInput<'m>>> {
    let mut given: Vec<PropertyInput<'m>> = Vec::with_capacity(body.members.len());
    let mut problems = Vec::new();
    for (key, input) in &body.members {
        let (name, operator) = match operators {
            OperatorReading::Read => PatchOperator::split(key),
            OperatorReading::Unknown => (key.as_str(), None),
        };
        let ignored = name == "id" || name == "uuid";
        if ignored && operator.is_none() {
            continue;
        }
        if key == metadata::MEMBER {
            if !metadata::is(request, allowed.resource_type, input)? {
                problems.push(ValueFault::new("read_only", "is read-only").of(key, key));
            }
            continue;
        }
        let property = match allowed.given(if ignored { key } else { name }) {
            Ok(property) => property,
            Err(_) if is_inverse(request, allowed, name) => {
                let fault = ValueFault::new("read_only", "is read-only: write the resources that refer, or a batch");
                problems.push(fault.of(key, key));
                continue;
            }
            Err(error) => {
                // One request may have a hundred thousand of them.
                let near = if problems.len() < SUGGESTIONS { allowed.nearest_writable(name) } else { None };
                let message = error.message + &sentence(near);
                problems.push(InputProblem { property: key.clone(), code: error.code, message });
                continue;
            }
        };
        // A wrapped value, as `wrapFields` gives it, stands for the value in it (D-20).
        let input = unwrap::unwrapped(property, input);
        let exact = exact(body, property, key, input);
        let input = exact.as_ref().unwrap_or(input);
        let read = if given.iter().any(|other| other.property.position == property.position) {
            Err(ValueFault::new("given_twice", "is given twice"))
        } else {
            refuse_lost_digits(body, property, key).and_then(|()| {
                read(
                    &request.value_context(),
                    body.password.as_ref().map(PasswordHash::text),
                    property,
                    operator,
                    input,
                )
            })
        };
        let files = match (property.kind.files(), operator) {
            (Some(_), None) => {
                Some(FileChange::read(property.kind.as_ref(), input, operators == OperatorReading::Read)).transpose()
            }
            _ => Ok(None),
        };
        match read.and_then(|value| Ok((value, files?))) {
            Ok((value, files)) => given.push(PropertyInput { property, operator, value, files }),
            Err(fault) => problems.push(fault.of(key, &property.title)),
        }
    }
    if problems.is_empty() { Ok(given) } else { Err(Error::problems(problems)) }
}

/// Returns true if a name is an inverse that the caller may follow, or a total of one.
fn is_inverse(request: &RequestContext, allowed: &Allowed<'_>, name: &str) -> bool {
    let inverse = name.split(".$").next().unwrap_or_default();
    let found = request.model.inverses.named(allowed.resource_type.id, inverse);
    found.is_some_and(|inverse| {
        let shown = request.actor.allowed_type(allowed.resource_type, ResourceAction::Show);
        shown.is_ok_and(|shown| TypeAccess::new(request, shown).follow(inverse).is_some())
    })
}

/// Checks the options that are chosen. Archived ones may stay where they are, but for callers who may not read that:
/// they could find out what there is.
pub(super) fn check_choices(
    allowed: &Allowed<'_>,
    given: &[PropertyInput<'_>],
    old: Option<&[StoredValue]>,
) -> Result<()> {
    let mut problems = Vec::new();
    // What an operator adds was checked, and the sum is.
    for PropertyInput { property, value, .. } in given.iter().filter(|given| given.operator.is_none()) {
        let old = old.filter(|_| allowed.readable.contains(property)).map(|old| &old[property.position]);
        if let Err(fault) = kinds::check_choice(property.kind.as_ref(), value, old) {
            problems.push(fault.of(&property.name, &property.title));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::problems(problems)) }
}

/// Settles the files that are given: promises become files of the resource.
pub(super) fn resolve_files(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    allowed: &Allowed<'_>,
    given: &mut [PropertyInput<'_>],
    old: Option<&[StoredValue]>,
) -> Result<()> {
    let wishes = given.iter_mut().filter_map(|PropertyInput { property, value, files, .. }| {
        files.as_ref().map(|change| FileWish { property, change, value })
    });
    let wishes: Vec<FileWish<'_, '_>> = wishes.collect();
    if wishes.is_empty() { Ok(()) } else { resolve(tx, request, allowed, wishes, old) }
}

/// Refuses to add to what the caller may not read: the errors of a sum tell of what it is added to.
pub(super) fn refuse_blind_sums(allowed: &Allowed<'_>, given: &[PropertyInput<'_>]) -> Result<()> {
    let blind = given.iter().find(|given| given.operator.is_some() && !allowed.readable.contains(given.property));
    let Some(PropertyInput { property, .. }) = blind else { return Ok(()) };
    let message = format!("You may not add to {}, since you may not read it.", property.title);
    let problem =
        InputProblem { property: property.name.clone(), code: "property_forbidden", message: message.clone() };
    Err(Error { problems: vec![problem], ..Error::forbidden("property_forbidden", message) })
}

/// The problem of a property that has no value and must have one.
pub fn missing(property: &Property) -> InputProblem {
    ValueFault::new("required", "is required").of(&property.name, &property.title)
}

/// Returns true if there is nothing in a value: null, an empty text or an empty array.
pub fn is_empty(value: &StoredValue) -> bool {
    match value {
        StoredValue::One(Value::Null) => true,
        StoredValue::One(Value::Text(text)) => text.is_empty(),
        StoredValue::One(_) => false,
        StoredValue::Many(members) => members.is_empty(),
    }
}

/// Returns the value that an input stands for, where that is something else. This is a decimal with the digits that
/// were written, or a resource's id for the form in which an expanded relation shows it.
fn exact(body: &Body, property: &Property, key: &str, input: &Json) -> Option<Json> {
    if property.kind.relation().is_some() {
        return unwrap::contracted(input);
    }
    let number = input.as_number().filter(|number| number.is_f64())?.as_f64()?;
    let literal = body.literal(key, number).filter(|_| property.kind.scale().is_some())?;
    json::plain(literal).map(Json::String)
}

/// Refuses a document with numbers that are not what the client wrote any more.
fn refuse_lost_digits(body: &Body, property: &Property, key: &str) -> Result<(), ValueFault> {
    let lost = |number: &LongNumber| number.lost && number.member == key;
    if property.kind.is_document() && body.long_numbers.iter().any(lost) {
        return Err(kinds::lost_digits());
    }
    Ok(())
}

/// Checks a value that stands in the configuration and will be given later: what would be said of it then, whatever
/// else is given and whatever is there. `patch` is for what changes a resource.
pub fn check_fixed(
    property: &Property,
    operator: Option<PatchOperator>,
    input: &Json,
    context: &ValueContext<'_>,
    patch: bool,
) -> Result<(), InputProblem> {
    let kind = property.kind.as_ref();
    let input = unwrap::unwrapped(property, input);
    let checked = || {
        if property.position < FIRST_PROPERTY {
            return Err(ValueFault::new("read_only", "is read-only"));
        }
        let value = read(context, None, property, operator, input)?;
        match operator {
            // Limits hold for the sum.
            Some(_) => return Ok(()),
            None if kind.files().is_some() => drop(FileChange::read(kind, input, patch)?),
            None => {}
        }
        match kinds::check_choice(kind, &value, None) {
            // It may be there already, and stay.
            Err(fault) if patch && fault.code == "option_archived" => Ok(()),
            checked => checked,
        }
    };
    checked().map_err(|fault: ValueFault| fault.of(&property.name, &property.title))
}

fn read(
    context: &ValueContext<'_>,
    password: Option<&str>,
    property: &Property,
    operator: Option<PatchOperator>,
    input: &Json,
) -> Result<StoredValue, ValueFault> {
    let kind = property.kind.as_ref();
    if property.position < FIRST_PROPERTY {
        // One that is sent back as it was read is no change; that is seen when the old one is known.
        let value = operator.is_none().then(|| kinds::read_property(kind, input, context).ok()).flatten();
        return value.ok_or_else(|| ValueFault::new("read_only", "is read-only"));
    }
    if let Some(operator) = operator {
        return kinds::operand(kind, operator, input, context);
    }
    if kind.concealed() && !input.is_null() {
        // Whoever calls without having had the password hashed gets no further.
        let hash = password.ok_or_else(|| ValueFault::new("not_text", "must be a text"))?;
        return Ok(StoredValue::One(Value::Text(hash.to_owned())));
    }
    if kind.files().is_some() {
        return Ok(StoredValue::Many(Vec::new()));
    }
    let value = kinds::read_property(kind, input, context)?;
    // Whether an archived option may stay is seen when the old value is known.
    if kind.choices().is_empty() {
        kinds::check_property(kind, &value)?;
    }
    check_zone(property, &value)?;
    Ok(value)
}

/// Refuses what is no time zone as the time zone of a user.
pub fn check_zone(property: &Property, value: &StoredValue) -> Result<(), ValueFault> {
    match (property.id, value) {
        (model::user_columns::property::TIMEZONE, StoredValue::One(Value::Text(zone)))
            if jiff::tz::TimeZone::get(zone).is_err() =>
        {
            Err(ValueFault::new("not_time_zone", "must be the name of a time zone, such as Europe/Prague"))
        }
        _ => Ok(()),
    }
}
