//! One resource: by id, by uuid, or the first whose property has a value.

use super::fields::Selection;
use super::path::Access;
use super::{FieldsRequest, ItemRef, filters, output, select};
use crate::error::Result;
use crate::tenants::Call;
use crate::types::Action;
use database::Tx;

/// Gives one resource as JSON.
pub fn get(tx: &mut Tx<'_>, call: &Call, collection: &str, item: &ItemRef, fields: &FieldsRequest) -> Result<Vec<u8>> {
    let allowed = call.actor.allowed(&call.model, collection, Action::Show)?;
    let selection = Selection::new(&Access::new(call, allowed), fields)?;
    output::single(tx, call, &selection, |sql| match *item {
        ItemRef::Id(id) => select::by_id(sql, &selection, id),
        ItemRef::Uuid(uuid) => select::by_uuid(sql, &selection, uuid),
    })
}

/// Gives the first resource, by id, whose property has the value. The text is read by the property's kind.
pub fn get_by(
    tx: &mut Tx<'_>,
    call: &Call,
    collection: &str,
    property: &str,
    value: &str,
    fields: &FieldsRequest,
) -> Result<Vec<u8>> {
    let allowed = call.actor.allowed(&call.model, collection, Action::Show)?;
    let access = Access::new(call, allowed);
    let property = access.allowed.field(property)?;
    let selection = Selection::new(&access, fields)?;
    let condition = filters::has_value(&access, property, value, &call.context())?;
    output::single(tx, call, &selection, |sql| select::first(sql, &selection, &condition))
}
