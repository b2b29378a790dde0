//! Acts of others in a test: they call hooks, and what lets them in is there.

use crate::signature;
use context::request_context::RequestContext;
use context::secret_store::{NewSecret, SecretKind};
use database::Tx;
use model::automation::AutomationTrigger;
use model::error::{Error, Result};
use model::table_names::RUN;
use model::types::Model;
use resources::secrets;
use serde_json::Value as Json;

/// The age of a call whose signature does not hold any more, in seconds.
const LONG_AGO: i64 = 3_600;
/// The secret of hooks whose secret no test gives.
const SECRET: &str = "the secret of a test";

/// A call of a hook.
#[derive(Debug)]
pub struct HookStep {
    /// The hook's name.
    pub name: String,
    /// The body.
    pub body: Json,
    /// Headers, beside those that every call has.
    pub headers: Vec<(String, String)>,
    /// The signature.
    pub signature: Signature,
}

/// The signature of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// As the server wants it.
    Valid,
    /// With another secret.
    Invalid,
    /// Rightly, but too long ago.
    Expired,
}

impl Signature {
    /// All of them, by name.
    pub const ALL: [(&'static str, Signature); 3] =
        [("valid", Signature::Valid), ("invalid", Signature::Invalid), ("expired", Signature::Expired)];
}

/// Sets the secrets that a test gives, and those of hooks that it does not; forgets what the rows that are given would have
/// set off, as they were there before.
pub fn begin(tx: &mut Tx<'_>, context: &RequestContext, given: &[NewSecret]) -> Result<()> {
    for secret in given {
        context::secret_store::set(tx, context, secret)?;
    }
    for name in hooks(&context.model).map(|(_, secret)| secret) {
        if given.iter().all(|secret| secret.name != name) {
            let (name, value) = (name.to_owned(), SECRET.to_owned());
            context::secret_store::set(tx, context, &NewSecret { name, title: None, kind: SecretKind::String, value })?;
        }
    }
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&RUN);
    tx.execute(&sql)?;
    Ok(())
}

/// Returns the signature of a call of a hook as it is made now.
pub fn hook_signature(tx: &mut Tx<'_>, context: &RequestContext, of: (&str, Signature), body: &[u8]) -> Result<String> {
    let (hook, kind) = of;
    let secret = hooks(&context.model).find(|(name, _)| *name == hook).map(|(_, secret)| secret);
    let secret = secret.ok_or_else(|| Error::failed("a hook that is none"))?;
    let secret = secrets::text(tx, context, secret)?.unwrap_or_default();
    let now = context.now.as_second();
    Ok(match kind {
        Signature::Valid => signature(&secret, now, body),
        Signature::Invalid => signature(&format!("not {secret}"), now, body),
        Signature::Expired => signature(&secret, now - LONG_AGO, body),
    })
}

/// The hooks, each with the name of its secret.
pub fn hooks(model: &Model) -> impl Iterator<Item = (&str, &str)> {
    model.automations.iter().filter_map(|automation| match &automation.on {
        AutomationTrigger::Hook(hook) => Some((hook.name.as_str(), hook.secret.as_str())),
        _ => None,
    })
}
