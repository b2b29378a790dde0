//! Files that requests read: by a signed address, or by their resource. Both see the rights that hold now, and write
//! the read log where the type of the resource has one, before there are any bytes.

use super::attachment::Attachment;

use context::actor::Allowed;
use context::caller_key::CallerKey;
use context::reads::{ReadOutcome, ReadWay};
use context::request_context::RequestContext;
use database::{ReadCost, Tx, Value};
use model::error::{Error, ErrorKind, Result};
use model::file_link::{FileLink, refused};
use model::types::{Property, ResourceAction, ResourceType};
use query::request::ItemRef;
use std::net::IpAddr;
use std::sync::Arc;
use tenant::Tenant;

/// A file that may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The file.
    pub file: Attachment,
    /// True if this reading of it was logged: nobody may keep the bytes, so that each reading is.
    pub logged: bool,
}

/// Opens the file of a signed address, for whoever calls from there; gives for how many seconds the address holds.
/// The name in it is the file's, or the address is not ours.
pub async fn linked_file(
    tenant: &Arc<Tenant>,
    token: &str,
    name: String,
    from: Option<IpAddr>,
) -> Result<(Opened, i64)> {
    let job = move |tx: &mut Tx<'_>, request: &RequestContext, link: FileLink| {
        Ok((linked(tx, request, link, &name)?, link.expires - request.now.as_second()))
    };
    match ReadOutcome::of(tenant.read_linked(token, job.clone()).await)? {
        ReadOutcome::Done(file) => Ok(file),
        ReadOutcome::MustBeLogged => tenant.write_linked(token, from, job).await,
    }
}

/// Opens a file of a resource, by its name, for the owner of the key.
pub async fn named_file(tenant: &Arc<Tenant>, key: &CallerKey, path: [String; 4]) -> Result<Opened> {
    let [collection, item, property, name] = path;
    let job = move |tx: &mut Tx<'_>, request: &RequestContext| {
        named(
            tx,
            request,
            FilePath { collection: &collection, item: ItemRef::parse(&item)?, property: &property, name: &name },
        )
    };
    match ReadOutcome::of(tenant.read(ReadCost::Point, key, job.clone()).await)? {
        ReadOutcome::Done(file) => Ok(file),
        ReadOutcome::MustBeLogged => tenant.write_noting(ReadWay::File, key, job).await,
    }
}

/// Opens the file of a link. A file that is gone is refused as one that its reader is not shown. Nobody is to learn by
/// an old address whether something still is there.
fn linked(tx: &mut Tx<'_>, request: &RequestContext, link: FileLink, name: &str) -> Result<Opened> {
    let file = Attachment::find(tx, link.attachment)?.ok_or_else(refused)?;
    let of = request.model.type_by_id(file.type_id).ok_or_else(refused)?;
    let property = of.properties().iter().find(|property| property.id == file.property).ok_or_else(refused)?;
    let allowed = request.actor.allowed_type(of, ResourceAction::Show).map_err(|_| refused())?;
    if !may_read(&allowed, property) || file.name != name {
        return Err(refused());
    }
    // The row is asked for, whatever a deletion does with the files of its own.
    resource(tx, of, ItemRef::Id(file.object))?.ok_or_else(refused)?;
    let readable = crate::readable_of_row(tx, request, &allowed, file.object)?;
    if !readable.is_some_and(|fields| fields.contains(property)) {
        return Err(refused());
    }
    opened(request, of, file)
}

/// The path to a file of a resource.
struct FilePath<'p> {
    collection: &'p str,
    item: ItemRef,
    property: &'p str,
    name: &'p str,
}

fn named(tx: &mut Tx<'_>, request: &RequestContext, path: FilePath<'_>) -> Result<Opened> {
    let FilePath { collection, item, property, name } = path;
    let allowed = request.actor.allowed(&request.model, collection, ResourceAction::Show)?;
    let property = allowed.field(property)?;
    if !may_read(&allowed, property) {
        let message = format!("{} is not a property of files.", property.title);
        return Err(Error::invalid("property_unsuitable", message));
    }
    let object = resource(tx, allowed.resource_type, item)?.ok_or_else(missing)?;
    let readable = crate::readable_of_row(tx, request, &allowed, object)?;
    // What a row does not show is as what it does not have.
    readable.filter(|fields| fields.contains(property)).ok_or_else(missing)?;
    let file = Attachment::named(tx, property.id, object, name)?.ok_or_else(missing)?;
    opened(request, allowed.resource_type, file)
}

/// Notes the reading where it is to be logged, or gives up where this job cannot.
fn opened(request: &RequestContext, of: &ResourceType, file: Attachment) -> Result<Opened> {
    request.reads.begin_type(of)?;
    request.reads.note(of, &[file.object]);
    Ok(Opened { file, logged: context::reads::logged(of) })
}

fn missing() -> Error {
    Error::new(ErrorKind::Missing, "file_missing", "There is no such file.")
}

fn may_read(allowed: &Allowed<'_>, property: &Property) -> bool {
    property.kind.files().is_some() && allowed.readable.contains(property)
}

/// The id of a resource, where it is there.
fn resource(tx: &mut Tx<'_>, of: &ResourceType, item: ItemRef) -> Result<Option<i64>> {
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
