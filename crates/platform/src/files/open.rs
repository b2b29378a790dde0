//! Which file a request reads: by a signed address, or by its resource. Both see the rights that hold now.

use super::attachment::Attachment;
use super::link::Link;
use crate::actor::Allowed;
use crate::error::{Error, ErrorKind, Result};
use crate::resources::ItemRef;
use crate::tenants::Call;
use crate::types::{Action, Property, Type};
use database::{Tx, Value};

/// The file of a signed address. The name in it is the file's, or the address is not ours.
pub fn linked(tx: &mut Tx<'_>, call: &Call, link: Link, name: &str) -> Result<Attachment> {
    let file = Attachment::find(tx, link.attachment)?.ok_or_else(missing)?;
    let of = call.model.type_by_id(file.type_id).ok_or_else(missing)?;
    let property = of.properties().iter().find(|property| property.id == file.property).ok_or_else(missing)?;
    let allowed = call.actor.allowed_type(of, Action::Show).map_err(|_| refused())?;
    if !may_read(&allowed, property) || file.name != name {
        return Err(refused());
    }
    // The row is asked for, whatever a deletion does with the files of its own.
    resource(tx, of, ItemRef::Id(file.object))?.ok_or_else(missing)?;
    Ok(file)
}

/// A file of a resource, by its name.
pub fn named(
    tx: &mut Tx<'_>,
    call: &Call,
    (collection, item): (&str, ItemRef),
    property: &str,
    name: &str,
) -> Result<Attachment> {
    let allowed = call.actor.allowed(&call.model, collection, Action::Show)?;
    let property = allowed.field(property)?;
    if !may_read(&allowed, property) {
        let message = format!("{} is no property of files.", property.title);
        return Err(Error::invalid("property_unsuitable", message));
    }
    let object = resource(tx, allowed.resource_type, item)?.ok_or_else(missing)?;
    Attachment::named(tx, property.id, object, name)?.ok_or_else(missing)
}

/// The one error of addresses that were changed, have ended, or were given to somebody who may not read any more.
pub(crate) fn refused() -> Error {
    Error::forbidden("link_invalid", "This address opens no file, or not any more. Read the resource for a new one.")
}

fn missing() -> Error {
    Error::new(ErrorKind::Missing, "file_missing", "There is no such file.")
}

fn may_read(allowed: &Allowed<'_>, property: &Property) -> bool {
    property.kind.files().is_some() && allowed.readable.contains(property)
}

/// The id of a resource, where it is there.
fn resource(tx: &mut Tx<'_>, of: &Type, item: ItemRef) -> Result<Option<i64>> {
    let mut sql = tx.sql();
    sql.push("SELECT id FROM ").table(&of.table);
    match item {
        ItemRef::Id(id) => sql.push(" WHERE id = ").bind(id),
        ItemRef::Uuid(uuid) => sql.push(" WHERE uuid = ").bind(Value::Uuid(uuid)),
    };
    let mut found = None;
    tx.query(&sql, &mut |row| {
        found = Some(row.integer(0)?);
        Ok(())
    })?;
    Ok(found)
}
