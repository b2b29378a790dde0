//! Values of whole properties: one, or the members of an array.

use super::*;

/// The most members that a multi-valued property takes.
const MEMBERS: usize = 1_000;

/// Reads and checks the value of a property from its wire form. Uuids of relations are still to be resolved.
pub fn accept(kind: &dyn Kind, input: &Json, context: &Context<'_>) -> Result<Stored, Fault> {
    let stored = read_property(kind, input, context)?;
    check_property(kind, &stored)?;
    Ok(stored)
}

/// Reads the value of a property from its wire form, by shape alone.
pub fn read_property(kind: &dyn Kind, input: &Json, context: &Context<'_>) -> Result<Stored, Fault> {
    match (kind.storage(), input) {
        (Storage::Column(_), Json::Null) => Ok(Stored::One(Value::Null)),
        (Storage::Column(_), _) => kind.read(input, context).map(Stored::One),
        (Storage::Links(_), Json::Null) => Ok(Stored::Many(Vec::new())),
        (Storage::Links(_), Json::Array(members)) => read_members(kind, members, context).map(Stored::Many),
        (Storage::Links(_), _) => Err(Fault::new("not_array", "must be an array")),
    }
}

fn read_members(kind: &dyn Kind, members: &[Json], context: &Context<'_>) -> Result<Vec<Value>, Fault> {
    let read = |(position, member): (usize, &Json)| match member {
        Json::Null => Err(Fault::new("null_member", "must not hold null")),
        member => kind.read(member, context).map_err(|mut fault| {
            fault.message = format!("{} (member {})", fault.message, position + 1);
            fault
        }),
    };
    members.iter().enumerate().map(read).collect()
}

/// Checks the value of a property against its options.
pub fn check_property(kind: &dyn Kind, stored: &Stored) -> Result<(), Fault> {
    match stored {
        Stored::One(Value::Null) => Ok(()),
        Stored::One(value) => kind.check(value),
        Stored::Many(members) if members.len() > MEMBERS => {
            Err(Fault::new("too_many_members", format!("must have at most {MEMBERS} members")))
        }
        Stored::Many(members) => members.iter().try_for_each(|member| kind.check(member)),
    }
}

/// Writes the value of a property in wire form.
pub fn write_property(kind: &dyn Kind, stored: &Stored, context: &Context<'_>, out: &mut Vec<u8>) {
    match stored {
        Stored::One(Value::Null) => json::write_null(out),
        Stored::One(value) => kind.write(value.as_ref(), context, out),
        Stored::Many(members) => {
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
