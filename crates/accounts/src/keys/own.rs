//! The own keys of a user who has a session in a browser: listed, made and revoked (E-138).

use super::object::is_endless;
use super::{ApiKey, NewKey, Origin, create, revoke_own};
use context::audit::RequestChannel;
use context::request_context::RequestContext;
use context::scopes::KeyScopes;
use context::validity;
use database::{ColumnType, Row, Tx, ValueRef};
use model::error::{Error, InputProblem, Result};
use model::table_names::KEY;
use serde_json::{Map, Value as Json, json};

/// A key as its owner asks for it.
#[derive(Clone, Debug, Default)]
pub struct KeyRequest {
    description: Option<String>,
    scopes: Option<Vec<String>>,
    valid_to: Option<String>,
}

impl KeyRequest {
    /// Reads the body `{description, scopes, validTo}`, whose members may all be missing.
    pub fn parse(members: &Map<String, Json>) -> Result<Self> {
        let mut request = KeyRequest::default();
        for (name, value) in members {
            match (name.as_str(), value) {
                ("description" | "scopes" | "validTo", Json::Null) => {}
                ("description", Json::String(text)) => request.description = Some(text.clone()),
                ("validTo", Json::String(text)) => request.valid_to = Some(text.clone()),
                ("scopes", Json::Array(scopes)) => {
                    let texts = scopes.iter().map(|scope| scope.as_str().map(str::to_owned)).collect::<Option<_>>();
                    request.scopes = Some(texts.ok_or_else(|| not_texts("scopes", "an array of texts"))?);
                }
                ("description" | "validTo", _) => return Err(not_texts(name, "a text")),
                ("scopes", _) => return Err(not_texts(name, "an array of texts")),
                _ => return Err(Error::invalid("property_unknown", format!("There is no property {name:?}."))),
            }
        }
        Ok(request)
    }
}

/// The keys of the caller, as JSON.
pub fn list_own(tx: &mut Tx<'_>, context: &RequestContext) -> Result<Vec<Json>> {
    let owner = owner(context)?;
    let mut sql = tx.sql();
    sql.push("SELECT id, created, valid_to, description, permissions, last_used FROM ").table(&KEY);
    sql.push(" WHERE origin <> ").bind(Origin::Session.word()).push(" AND owner = ").bind(owner).push(" ORDER BY id");
    let zone = &context.actor.zone;
    let instant = |row: &Row<'_>, index| match row.get(index, ColumnType::Timestamp)? {
        ValueRef::Timestamp(milliseconds) => Ok::<_, database::Error>(Some(milliseconds)),
        _ => Ok(None),
    };
    let mut keys = Vec::new();
    tx.query(&sql, &mut |row| {
        let id = row.integer(0)?;
        let used = instant(row, 5)?.max(context.key_uses.last(id));
        let end = instant(row, 2)?.filter(|end| !is_endless(*end));
        keys.push(json!({
            "id": id, "description": row.text(3)?, "scopes": KeyScopes::stored(row.text(4)?).json(),
            "created": instant(row, 1)?.map(|at| validity::text(at, zone)),
            "validTo": end.map(|at| validity::text(at, zone)),
            "lastUsed": used.map(|at| validity::text(at, zone)),
        }));
        Ok(())
    })?;
    Ok(keys)
}

/// Makes a key of the caller.
pub fn make_own(tx: &mut Tx<'_>, context: &RequestContext, request: &KeyRequest) -> Result<ApiKey> {
    let user = owner(context)?;
    let zone = context.actor.zone.clone();
    let valid_to = match &request.valid_to {
        Some(text) => validity::parse_end(text, &zone, context.now)?,
        None => validity::after_days(context.model.settings.api.sign_in_key_days, &zone, context.now),
    };
    let scopes = match &request.scopes {
        Some(texts) => KeyScopes::parse(texts.iter().map(String::as_str), &context.model)?,
        None => KeyScopes::all(),
    };
    let description = request.description.clone();
    create(tx, context, NewKey { user, valid_to, description, scopes, origin: Origin::SignIn, zone })
}

/// Returns a key that was just made as JSON, with its text.
pub fn made(key: &ApiKey) -> Json {
    let zone = &key.zone;
    json!({
        "id": key.id, "description": key.description, "scopes": key.scopes.json(),
        "created": validity::text(key.validity.from, zone),
        "validTo": key.expires().map(|at| validity::text(at, zone)), "lastUsed": null, "key": key.text,
    })
}

/// Revokes a key of the caller.
pub fn revoke_one_own(tx: &mut Tx<'_>, context: &RequestContext, id: i64) -> Result<()> {
    let owner = owner(context)?;
    revoke_own(tx, context, owner, id)
}

/// The caller, who signed in with a password a while ago: a key must not make keys that outlive it.
fn owner(context: &RequestContext) -> Result<i64> {
    match (context.source.via, context.user(), context.actor.acting) {
        (RequestChannel::Page, Some(user), None) => Ok(user),
        _ => Err(Error::forbidden("session_needed", "Keys are listed and made in a session alone. Sign in first.")),
    }
}

fn not_texts(name: &str, kind: &str) -> Error {
    let message = format!("{name} must be {kind}.");
    Error::problems(vec![InputProblem { property: name.to_owned(), code: "property_invalid", message }])
}
