//! Secrets for expressions: getSecret, saveSecret, removeSecret.

use context::request_context::RequestContext;
use context::secret_store as store;
use context::secret_store::{NewSecret, SecretKind};
use context::value_json::{of_json, to_json};
use database::Tx;
use expression::convert::to_text;
use expression::value::Value;
use expression::{Fault, HostProviders};
use model::error::{Error, ErrorKind, Result};

/// The value of a secret, for `getSecret()`. It is the language that taints it.
pub(crate) fn give(tx: &mut Tx<'_>, request: &RequestContext, name: &str) -> Result<expression::Result<Value>> {
    Ok(match store::open(tx, request, name)? {
        Some((SecretKind::String, text)) => Ok(Value::text(&text)),
        Some((SecretKind::Json, text)) => match serde_json::from_str(&text) {
            Ok(document) => Ok(of_json(&document)),
            Err(_) => return Err(Error::failed("a secret of JSON that is none")),
        },
        None => Err(Fault::new("secret_missing", "There is no secret of that name.")),
    })
}

/// The text of a secret, for what the platform itself checks with it; none where there is no such secret.
pub fn text(tx: &mut Tx<'_>, request: &RequestContext, name: &str) -> Result<Option<String>> {
    Ok(store::open(tx, request, name)?.map(|(_, text)| text))
}

/// Keeps a secret, for `saveSecret()`.
pub(crate) fn keep(tx: &mut Tx<'_>, request: &RequestContext, secret: &NewSecret) -> Result<expression::Result<Value>> {
    match store::put(tx, request, secret) {
        Ok(_) => Ok(Ok(Value::Bool(true))),
        // What whoever configures can mend is the expression's own fault.
        Err(error) if matches!(error.kind, ErrorKind::Invalid | ErrorKind::Conflict) => {
            Ok(Err(Fault::new(error.code, error.message)))
        }
        Err(error) => Err(error),
    }
}

/// Removes a secret, for `removeSecret()`; gives whether there was one.
pub(crate) fn erase(tx: &mut Tx<'_>, request: &RequestContext, name: &str) -> Result<Value> {
    store::take(tx, request, name).map(Value::Bool)
}

/// Returns the secret that `saveSecret()` is given. The language took the value out of what hides it: it stays a
/// secret.
pub(crate) fn given(
    providers: &dyn HostProviders,
    name: &str,
    value: &Value,
    title: &str,
    kind: &str,
) -> expression::Result<NewSecret> {
    let kind =
        SecretKind::named(kind).ok_or_else(|| Fault::new("secret_type", "A secret's type is `string` or `json`."))?;
    let value = match (kind, value) {
        (SecretKind::Json, value) => to_json(value, providers)?.to_string(),
        (SecretKind::String, Value::Array(_) | Value::Object(_) | Value::Null) => {
            let message = format!("A secret of type `string` is no {}: use `json`.", word(value));
            return Err(Fault::new("secret_value", message));
        }
        (SecretKind::String, value) => match to_text(value, providers)?.as_str() {
            Some(text) => text.to_owned(),
            None => return Err(Fault::new("secret_value", "A secret's value is text: encode bytes first.")),
        },
    };
    Ok(NewSecret { name: name.to_owned(), title: Some(title.to_owned()), kind, value })
}

fn word(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "array",
        Value::Object(_) => "object",
        _ => "null",
    }
}
