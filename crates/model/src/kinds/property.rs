//! Values of whole properties: one, or the members of an array.

use super::class::{KindClass, ValueStorage};
use super::file_values::no_promise;
use super::json;
use super::kind::Kind;
use super::value::{StoredValue, ValueContext, ValueFault};
use database::Value;
use serde_json::Value as Json;
use std::collections::HashSet;

/// The most members that a multi-valued property takes.
const MEMBERS: usize = 1_000;

/// Reads and checks the value of a property from its wire form. Uuids of relations are still to be resolved.
pub fn accept(kind: &dyn Kind, input: &Json, context: &ValueContext<'_>) -> Result<StoredValue, ValueFault> {
    let stored = read_property(kind, input, context)?;
    check_property(kind, &stored)?;
    Ok(stored)
}

/// Reads the value of a property from its wire form, by shape alone.
pub fn read_property(kind: &dyn Kind, input: &Json, context: &ValueContext<'_>) -> Result<StoredValue, ValueFault> {
    match (kind.storage(), input) {
        (ValueStorage::Column(_), Json::Null) => Ok(StoredValue::One(Value::Null)),
        (ValueStorage::Column(_), _) => kind.read(input, context).map(StoredValue::One),
        (ValueStorage::Links(_), Json::Null) => Ok(StoredValue::Many(Vec::new())),
        (ValueStorage::Links(_), Json::Array(members)) => read_members(kind, members, context).map(StoredValue::Many),
        (ValueStorage::Links(_), _) => Err(ValueFault::new("not_array", "must be an array")),
        (ValueStorage::Attachments, Json::Null) => Ok(StoredValue::Many(Vec::new())),
        (ValueStorage::Attachments, _) => Err(no_promise()),
    }
}

fn read_members(kind: &dyn Kind, members: &[Json], context: &ValueContext<'_>) -> Result<Vec<Value>, ValueFault> {
    let read = |(position, member): (usize, &Json)| match member {
        Json::Null => Err(ValueFault::new("null_member", "must not hold null")),
        member => kind.read(member, context).map_err(|fault| fault.of_member(position)),
    };
    members.iter().enumerate().map(read).collect()
}

/// Checks the value of a property against its options.
pub fn check_property(kind: &dyn Kind, stored: &StoredValue) -> Result<(), ValueFault> {
    match stored {
        StoredValue::One(Value::Null) => Ok(()),
        StoredValue::One(value) => kind.check(value),
        StoredValue::Many(members) if members.len() > MEMBERS => {
            Err(ValueFault::new("too_many_members", format!("must have at most {MEMBERS} members")))
        }
        StoredValue::Many(members) => members.iter().try_for_each(|member| kind.check(member)),
    }
}

/// Checks a value that takes another's place: what was there may stay, though it could not come anew.
pub fn check_change(kind: &dyn Kind, new: &StoredValue, old: &StoredValue) -> Result<(), ValueFault> {
    match (new, old) {
        (StoredValue::Many(new), StoredValue::Many(old)) if new.len() <= MEMBERS => {
            let old: HashSet<&Value> = old.iter().collect();
            new.iter().filter(|member| !old.contains(member)).try_for_each(|member| kind.check(member))
        }
        _ if new == old => Ok(()),
        _ => check_property(kind, new),
    }
}

/// Checks a value of listed options that takes the place of `old`, or has none to take; other values are not looked
/// at. An archived option may stay.
pub fn check_choice(kind: &dyn Kind, new: &StoredValue, old: Option<&StoredValue>) -> Result<(), ValueFault> {
    match old {
        _ if kind.choices().is_empty() => Ok(()),
        Some(old) => check_change(kind, new, old),
        None => check_property(kind, new),
    }
}

/// Writes the value of a property in wire form.
pub fn write_property(kind: &dyn Kind, stored: &StoredValue, context: &ValueContext<'_>, out: &mut Vec<u8>) {
    match stored {
        StoredValue::One(Value::Null) => json::write_null(out),
        StoredValue::One(value) => kind.write(value.as_ref(), context, out),
        StoredValue::Many(members) if kind.class() == KindClass::File => match members.first() {
            Some(file) => kind.write(file.as_ref(), context, out),
            None => json::write_null(out),
        },
        StoredValue::Many(members) => {
            out.push(b'[');
            for (position, member) in members.iter().enumerate() {
                if position > 0 {
                    out.push(b',');
                }
                kind.write(member.as_ref(), context, out);
            }
            out.push(b']');
        }
    }
}
