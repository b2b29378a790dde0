//! From the members of a body to values of properties.

use super::Body;
use crate::actor::Allowed;
use crate::error::{Error, Problem, Result};
use crate::kinds::{self, Class, Fault, Operator, Stored};
use crate::tenants::Call;
use crate::types::{FIRST_PROPERTY, Property, SystemPermission};
use crate::users;
use database::Value;
use serde_json::Value as Json;

/// A value that a body gives for a property.
#[derive(Clone, Debug)]
pub(super) struct Given<'m> {
    pub(super) property: &'m Property,
    /// None replaces the value; an operator adds to it.
    pub(super) operator: Option<Operator>,
    pub(super) value: Stored,
}

/// Whether operators behind names are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operators {
    /// As in a PATCH.
    Read,
    /// A name with an operator is an unknown one.
    Unknown,
}

/// Reads all members of a body; all that is wrong with them is told at once. `id` and `uuid` are ignored.
pub(super) fn accept<'m>(
    call: &Call,
    allowed: &Allowed<'m>,
    body: &Body,
    operators: Operators,
) -> Result<Vec<Given<'m>>> {
    let mut given: Vec<Given<'m>> = Vec::with_capacity(body.members.len());
    let mut problems = Vec::new();
    for (key, input) in &body.members {
        let (name, operator) = match operators {
            Operators::Read => Operator::split(key),
            Operators::Unknown => (key.as_str(), None),
        };
        let ignored = name == "id" || name == "uuid";
        if ignored && operator.is_none() {
            continue;
        }
        let property = match allowed.given(if ignored { key } else { name }) {
            Ok(property) => property,
            Err(error) => {
                problems.push(Problem { property: key.clone(), code: error.code, message: error.message });
                continue;
            }
        };
        let read = if given.iter().any(|other| other.property.position == property.position) {
            Err(Fault::new("given_twice", "is given twice"))
        } else {
            read(call, body, property, operator, input)
        };
        match read {
            Ok(value) => given.push(Given { property, operator, value }),
            Err(fault) => problems.push(fault.of(key, &property.title)),
        }
    }
    if problems.is_empty() { Ok(given) } else { Err(Error::problems(problems)) }
}

/// Whether the caller may write the property: its grant names it, and what decides about the rights of users is
/// for those who hold `admin` alone.
pub(super) fn writable(call: &Call, allowed: &Allowed<'_>, property: &Property) -> bool {
    let guarded = allowed.resource_type.id == users::USER_TYPE && users::guarded(property.id);
    allowed.writable.contains(property) && (!guarded || call.actor.require(SystemPermission::Admin).is_ok())
}

/// The error of a value for a property that the caller may read but not write.
pub(super) fn not_writable(property: &Property) -> Error {
    let message = format!("You may not change {}.", property.title);
    let problem = Problem { property: property.name.clone(), code: "property_forbidden", message: message.clone() };
    Error { problems: vec![problem], ..Error::forbidden("property_forbidden", message) }
}

/// Whether the platform alone gives the property its values.
pub(super) fn read_only(property: &Property) -> bool {
    property.read_only || property.kind.autonumber().is_some()
}

/// The problem of a value for such a property.
pub(super) fn refuse_read_only(property: &Property) -> Problem {
    Fault::new("read_only", "is read-only").of(&property.name, &property.title)
}

/// The problem of a property that has no value and must have one.
pub(super) fn missing(property: &Property) -> Problem {
    Fault::new("required", "is required").of(&property.name, &property.title)
}

/// Whether there is nothing in a value: null, an empty text or an empty array.
pub(super) fn is_empty(value: &Stored) -> bool {
    match value {
        Stored::One(Value::Null) => true,
        Stored::One(Value::Text(text)) => text.is_empty(),
        Stored::One(_) => false,
        Stored::Many(members) => members.is_empty(),
    }
}

fn read(
    call: &Call,
    body: &Body,
    property: &Property,
    operator: Option<Operator>,
    input: &Json,
) -> Result<Stored, Fault> {
    if property.position < FIRST_PROPERTY {
        return Err(Fault::new("read_only", "is read-only"));
    }
    let kind = property.kind.as_ref();
    if let Some(operator) = operator {
        return kinds::operand(kind, operator, input, &call.context());
    }
    if kind.concealed() && !input.is_null() {
        // Whoever calls without having had the password hashed gets no further.
        let hash = body.password.clone().ok_or_else(|| Fault::new("not_text", "must be a text"))?;
        return Ok(Stored::One(Value::Text(hash)));
    }
    let value = kinds::accept(kind, unwrapped(kind.class(), input), &call.context())?;
    check_zone(property, &value)?;
    Ok(value)
}

/// Refuses what is no time zone as the time zone of a user.
pub(super) fn check_zone(property: &Property, value: &Stored) -> Result<(), Fault> {
    match (property.id, value) {
        (users::property::TIMEZONE, Stored::One(Value::Text(zone))) if jiff::tz::TimeZone::get(zone).is_err() => {
            Err(Fault::new("not_time_zone", "must be the name of a time zone, such as Europe/Prague"))
        }
        _ => Ok(()),
    }
}

/// A wrapped value, as `wrapFields` gives it, stands for the value in it (D-20).
fn unwrapped(class: Class, input: &Json) -> &Json {
    match input {
        Json::Object(members) if class != Class::Json && members.contains_key("kind") => {
            members.get("value").unwrap_or(input)
        }
        _ => input,
    }
}
