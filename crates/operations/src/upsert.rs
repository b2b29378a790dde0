//! Upserts: a resource is sought by a unique key of its own, and patched where it is there, else created.

use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, ErrorKind, InputProblem, Result};
use query::request::{FieldsRequest, ItemRef};
use resources::{Body, IfMatch, LookupKey, Written};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::sync::Arc;
use tenant::Tenant;

/// The treatment of a resource that is there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConflictRule {
    /// It gets the values of the upsert.
    #[default]
    Patch,
    /// It stays as it is.
    Keep,
    /// It gets the values of the upsert, and the defaults of all other properties.
    Replace,
}

/// An upsert of one resource.
#[derive(Clone, Copy, Debug)]
pub struct UpsertRequest<'u> {
    /// The names of the properties of the key.
    pub key: &'u [String],
    /// The values of the key, where they are not among those of `set`.
    pub values: &'u Body,
    /// The values that it gets in either case.
    pub set: &'u Body,
    /// The values that a new one gets in addition.
    pub create: Option<&'u Body>,
    /// The treatment of one that is there.
    pub conflict: ConflictRule,
    /// The precondition of one that is there; a new one meets none.
    pub if_match: Option<&'u IfMatch>,
}

/// The body of an upsert.
#[derive(Clone, Debug)]
pub struct UpsertBody {
    /// The values that the resource gets in either case.
    pub set: Body,
    /// The values that a new one gets in addition.
    pub create: Option<Body>,
    /// The treatment of one that is there.
    pub conflict: ConflictRule,
}

/// The parts of a body in which numbers may have many digits, as they are written.
#[derive(Default, Deserialize)]
struct RawUpsert<'b> {
    #[serde(borrow)]
    set: Option<&'b RawValue>,
    #[serde(borrow)]
    create: Option<&'b RawValue>,
}

impl UpsertBody {
    /// Reads a body, given its text, too.
    pub fn read(mut members: Map<String, Json>, text: &[u8]) -> Result<Self> {
        let known = ["set", "create", "onConflict"];
        if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
            let message = format!("There is no member {name:?} here. There are set, create and onConflict.");
            return Err(invalid(name, "property_unknown", message));
        }
        let raw: RawUpsert<'_> = serde_json::from_slice(text).unwrap_or_default();
        let word = members.shift_remove("onConflict");
        let conflict = word.map_or(Some(ConflictRule::Patch), |word| word.as_str().and_then(ConflictRule::named));
        let rule = || invalid("onConflict", "word_unknown", "onConflict must be patch, keep or replace.".to_owned());
        let mut part = |name: &str, raw: Option<&RawValue>| match members.shift_remove(name) {
            None => Ok(None),
            Some(Json::Object(members)) => {
                let numbers = raw.map(|raw| model::json::long_numbers(raw.get().as_bytes())).unwrap_or_default();
                Ok(Some(Body::plain(members).with_long_numbers(numbers)))
            }
            Some(_) => Err(invalid(name, "not_object", format!("{name} must be an object."))),
        };
        let (set, create) = (part("set", raw.set)?, part("create", raw.create)?);
        let set = set.unwrap_or_else(|| Body::plain(Map::new()));
        let create_members = create.iter().flat_map(|create| create.members().keys());
        if let Some(name) = create_members.into_iter().find(|name| set.members().contains_key(*name)) {
            return Err(invalid(name, "member_twice", format!("{name} stands in set and in create.")));
        }
        Ok(UpsertBody { set, create, conflict: conflict.ok_or_else(rule)? })
    }

    /// Makes the body ready to be written: passwords in it are checked and hashed, outside of any transaction.
    pub async fn prepare(self, tenant: &Arc<Tenant>, key: &CallerKey, collection: &str) -> Result<Self> {
        let set = prepared(tenant, key, collection, self.set).await?;
        let create = match self.create {
            Some(create) => Some(prepared(tenant, key, collection, create).await?),
            None => None,
        };
        Ok(UpsertBody { set, create, ..self })
    }
}

async fn prepared(tenant: &Arc<Tenant>, key: &CallerKey, collection: &str, body: Body) -> Result<Body> {
    let (members, numbers) = (body.members().clone(), body.long_numbers().to_vec());
    Ok(resources::prepare(tenant, key, collection, members).await?.with_long_numbers(numbers))
}

/// Patches the resource whose property has a value, as a path spells it, or creates it. Returns true for a new one.
pub fn upsert_by(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    key: LookupKey<'_>,
    body: &UpsertBody,
    if_match: Option<&IfMatch>,
) -> Result<(bool, Written)> {
    let UpsertBody { set, create, conflict } = body;
    let value = resources::key_of_text(request, collection, key.property, key.value)?;
    let bodies = std::iter::once(set).chain(create);
    if bodies.filter_map(|body| body.members().get(key.property)).any(|given| *given != value) {
        let message = format!("{} has another value in the address.", key.property);
        return Err(invalid(key.property, "key_differs", message));
    }
    let values = Body::plain(Map::from_iter([(key.property.to_owned(), value)]));
    let (key, create) = ([key.property.to_owned()], create.as_ref());
    let request_of = UpsertRequest { key: &key, values: &values, set, create, conflict: *conflict, if_match };
    upsert(tx, request, collection, request_of)
}

fn invalid(name: &str, code: &'static str, message: String) -> Error {
    Error::problems(vec![InputProblem { property: name.to_owned(), code, message }])
}

impl ConflictRule {
    /// Returns the rule of that name.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "patch" => Some(ConflictRule::Patch),
            "keep" => Some(ConflictRule::Keep),
            "replace" => Some(ConflictRule::Replace),
            _ => None,
        }
    }
}

/// Patches the resource that has the key, or creates it. Returns true for a new one. Where somebody else made it in
/// between, it is sought once more. One that the caller does not see with its key is a conflict, as for any create.
pub fn upsert(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    upsert: UpsertRequest<'_>,
) -> Result<(bool, Written)> {
    let UpsertRequest { key, values, set, create, conflict, if_match } = upsert;
    let mut taken: Option<Error> = None;
    loop {
        if let Some(id) = resources::find_by_key(tx, request, collection, key, values)? {
            let item = ItemRef::Id(id);
            let written = match conflict {
                ConflictRule::Patch => resources::patch(tx, request, collection, &item, if_match, set)?,
                ConflictRule::Replace => {
                    resources::replace(tx, request, collection, &item, if_match, &values.with(set))?
                }
                ConflictRule::Keep => {
                    let body = resources::get(tx, request, collection, &item, &FieldsRequest::default())?;
                    Written { id, etag: resources::etag(request, &body), body }
                }
            };
            return Ok((false, written));
        }
        if let Some(error) = taken {
            return Err(error);
        }
        if if_match.is_some() {
            return Err(Error::new(ErrorKind::Changed, "resource_changed", "There is no such resource yet."));
        }
        let body = create.map_or_else(|| values.with(set), |create| values.with(set).with(create));
        let (noted, read) = (request.audit.count(), request.reads.count());
        match tx.savepoint(|tx| resources::create(tx, request, collection, &body)) {
            Ok(written) => return Ok((true, written)),
            Err(error) => {
                request.audit.forget(noted);
                request.reads.forget(read);
                if error.kind != ErrorKind::Conflict {
                    return Err(error);
                }
                taken = Some(error);
            }
        }
    }
}
