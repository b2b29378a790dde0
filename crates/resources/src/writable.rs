//! Properties that a caller may write, and the refusal of values for others.

use context::actor::{Actor, Allowed};
use model::error::{Error, InputProblem, Result};
use model::kinds::ValueFault;
use model::types::{Property, SystemPermission};

/// Returns true if the caller may write the property: its grant names it, and what decides about the rights of users is
/// for those who hold `admin` alone.
pub(super) fn writable(actor: &Actor, allowed: &Allowed<'_>, property: &Property) -> bool {
    let guarded =
        allowed.resource_type.id == model::user_columns::USER_TYPE && model::user_columns::guarded(property.id);
    allowed.writable.contains(property) && (!guarded || actor.require(SystemPermission::Admin).is_ok())
}

/// Fails where the caller may not give a value for a property. One that it does not know is unknown.
pub fn check_given(actor: &Actor, allowed: &Allowed<'_>, property: &Property) -> Result<()> {
    allowed.given(&property.name)?;
    if read_only(property) {
        return Err(Error::problems(vec![refuse_read_only(property)]));
    }
    if writable(actor, allowed, property) { Ok(()) } else { Err(not_writable(property)) }
}

/// The error of a value for a property that the caller may read but not write.
pub(super) fn not_writable(property: &Property) -> Error {
    let message = format!("You may not change {}.", property.title);
    let problem =
        InputProblem { property: property.name.clone(), code: "property_forbidden", message: message.clone() };
    Error { problems: vec![problem], ..Error::forbidden("property_forbidden", message) }
}

/// Returns true if the platform alone gives the property its values.
pub(super) fn read_only(property: &Property) -> bool {
    property.shown_only()
}

/// The problem of a value for such a property.
pub(super) fn refuse_read_only(property: &Property) -> InputProblem {
    ValueFault::new("read_only", "is read-only").of(&property.name, &property.title)
}
