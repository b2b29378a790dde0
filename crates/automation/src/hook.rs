//! Hooks: signed calls of others, each of which begins one run of the automation that waits for it.

use super::Trigger;
use super::start::start;
use context::request_context::RequestContext;
use context::throttle::{AttemptLimit, take};
use database::{Tx, Value};
use hmac::{Hmac, KeyInit, Mac};
use model::automation::{Automation, AutomationTrigger, IncomingHook};
use model::error::{Error, Result};
use model::table_names::HOOK;
use resources::secrets;
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;
use tenant::Tenant;

/// The most seconds that the moment of a signature may lie from the present.
const TOLERANCE: i64 = 300;
/// The most signatures of a call: that of a secret, and that of the one which takes its place.
const SIGNATURES: usize = 4;
/// Stands where signatures are remembered for all hooks; no hook is called so.
const ANY_HOOK: &str = "";
/// Calls that are refused, by network address.
const REFUSED: AttemptLimit = AttemptLimit { kind: "hookRefused", tries: 20, seconds: 60 };

/// Call of a hook.
#[derive(Clone, Debug)]
pub struct HookCall {
    /// The hook's name.
    pub name: String,
    /// `X-Signature`: `t=<seconds since 1970>,v1=<hex>`.
    pub signature: String,
    /// The body, as it came.
    pub body: Vec<u8>,
    /// The body as JSON; none where it is none.
    pub json: Option<Json>,
    /// The headers that `trigger('headers')` shows, names in lower case.
    pub headers: Map<String, Json>,
    /// The address that it comes from.
    pub address: Option<IpAddr>,
}

/// Claim of a header: the moment, and the digests.
struct SignatureClaim {
    moment: i64,
    digests: Vec<Vec<u8>>,
}

/// Automation that waits for a call whose signature is right, and the call's signatures.
struct JudgedCall<'c> {
    automation: &'c Automation,
    on: &'c IncomingHook,
    signatures: CallSignatures,
}

/// Signatures that a call is remembered by.
struct CallSignatures {
    /// That of the hook's secret.
    right: [u8; 32],
    /// All that the call has: another one may be that of another hook's secret.
    all: BTreeSet<Vec<u8>>,
}

impl SignatureClaim {
    fn parse(text: &str) -> Option<Self> {
        let (mut moment, mut digests) = (None, Vec::new());
        for part in text.split(',') {
            match part.trim().split_once('=')? {
                ("t", digits) if moment.is_none() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                    moment = Some(digits.parse().ok()?);
                }
                ("v1", hex) => digests.push(bytes(hex)?),
                // Schemes to come may stand beside the one that is known.
                (name, _) if name != "t" => {}
                _ => return None,
            }
        }
        let moment = moment.filter(|_| !digests.is_empty() && digests.len() <= SIGNATURES)?;
        Some(SignatureClaim { moment, digests })
    }
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = hex.as_bytes().chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect()
}

/// Begins the run that a call of a hook wants; gives its id. A call without the right signature counts against its
/// address, and that is committed; all else is undone where no run begins.
pub async fn hook(tenant: &Arc<Tenant>, hook: HookCall) -> Result<i64> {
    let received = tenant.write_elevated(move |tx, context| {
        let counter = hook.address.map(|address| REFUSED.of_network(address));
        if let Some(over) = take(tx, counter.as_slice(), context.now)? {
            let message = "Too many calls without the right signature.";
            return Ok(Err(over.error(context.now, "too_many_hook_calls", message)));
        }
        let judged = match judge(tx, context, &hook)? {
            Ok(judged) => judged,
            Err(refused) => return Ok(Err(refused)),
        };
        counter.iter().try_for_each(|counter| counter.give_back(tx))?;
        receive(tx, context, judged, &hook).map(Ok)
    });
    received.await?
}

/// Returns the automation that waits for the call, where its signature is right. The inner error is for the caller.
fn judge<'c>(tx: &mut Tx<'_>, context: &'c RequestContext, hook: &HookCall) -> Result<Result<JudgedCall<'c>, Error>> {
    let found = context.model.automations.iter().find_map(|automation| match &automation.on {
        AutomationTrigger::Hook(on) if on.name == hook.name => Some((&**automation, on)),
        _ => None,
    });
    let Some((automation, on)) = found else {
        return Ok(Err(Error::missing("hook_missing", "There is no such hook.")));
    };
    let forged = || Error::forbidden("signature_invalid", "The signature is not that of this hook.");
    let Some(claim) = SignatureClaim::parse(&hook.signature) else { return Ok(Err(forged())) };
    let Some(secret) = secrets::text(tx, context, &on.secret)? else {
        tracing::error!(hook = hook.name, secret = on.secret, "a hook was called whose secret is not set");
        return Ok(Err(forged()));
    };
    let mac = mac(&secret, claim.moment, &hook.body);
    // Each is compared, in constant time.
    let right = claim.digests.iter().filter(|digest| mac.clone().verify_slice(digest).is_ok()).count();
    if right == 0 {
        return Ok(Err(forged()));
    }
    if (context.now.as_second() - claim.moment).abs() > TOLERANCE {
        let message = "The signature is of another time: it holds for five minutes.";
        return Ok(Err(Error::forbidden("signature_expired", message)));
    }
    let right: [u8; 32] = mac.finalize().into_bytes().into();
    let all = claim.digests.into_iter().filter(|digest| digest.len() == right.len()).collect();
    Ok(Ok(JudgedCall { automation, on, signatures: CallSignatures { right, all } }))
}

/// Begins the run of a call whose signature is right.
fn receive(tx: &mut Tx<'_>, context: &RequestContext, of: JudgedCall<'_>, hook: &HookCall) -> Result<i64> {
    let JudgedCall { automation, on, signatures } = of;
    if context.model.automations.is_disabled(&automation.name) {
        return Err(Error::conflict("automation_disabled", "The automation of this hook is switched off."));
    }
    let json = hook.json.clone();
    let json = json.ok_or_else(|| Error::invalid("body_invalid", "The body must be JSON."))?;
    remember(tx, context, hook, &signatures)?;
    // More than its rate would only wait, and in the end switch it off.
    let rate = AttemptLimit { kind: "hook", tries: u32::try_from(automation.rate).unwrap_or(u32::MAX), seconds: 60 };
    if let Some(over) = take(tx, &[rate.of(&on.name)], context.now)? {
        return Err(over.error(context.now, "too_many_hook_calls", "This hook is called too often."));
    }
    let parameters = [("body".to_owned(), json), ("headers".to_owned(), Json::Object(hook.headers.clone()))];
    start(
        tx,
        context,
        automation,
        Trigger::of(format!("{}{}", IncomingHook::EVENT, on.name), Map::from_iter(parameters)),
    )
}

/// Returns the right `X-Signature` of a body, with a secret, at a moment in seconds since 1970.
pub(crate) fn signature(secret: &str, moment: i64, body: &[u8]) -> String {
    let digest = mac(secret, moment, body).finalize().into_bytes();
    let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={moment},v1={digits}")
}

fn mac(secret: &str, moment: i64, body: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(moment.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    mac
}

/// Notes that a call came, as long as its signature would hold. One that came before is refused: to the hook, whichever
/// of its secrets it is signed with, and to every hook that has the same secret, since the signature does not name one.
/// A call may have signatures of several hooks' secrets, so all of them are noted.
fn remember(tx: &mut Tx<'_>, context: &RequestContext, hook: &HookCall, signatures: &CallSignatures) -> Result<()> {
    let moment = SignatureClaim::parse(&hook.signature).map_or(0, |claim| claim.moment);
    let digest = Sha256::new().chain_update(moment.to_be_bytes()).chain_update(&hook.body).finalize();
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(&HOOK).push(" WHERE ends < ").bind(Value::Timestamp(context.now.as_millisecond()));
    tx.defer(sql)?;
    let any = signatures.all.iter().map(|digest| (ANY_HOOK, digest.as_slice()));
    for (name, digest) in std::iter::once((hook.name.as_str(), &digest[..])).chain(any) {
        let mut sql = tx.sql();
        sql.push("INSERT INTO ").table(&HOOK).push(" (hook, digest, ends) VALUES (").bind(name).push(", ");
        sql.bind(Value::Bytes(digest.to_vec())).push(", ");
        // A second more than it holds: nothing falls between the two.
        sql.bind(Value::Timestamp((moment + TOLERANCE + 1) * 1_000)).push(") ON CONFLICT (hook, digest) DO NOTHING");
        // What is no signature of this hook's says nothing about the call.
        let counts = name != ANY_HOOK || digest == signatures.right;
        if tx.execute(&sql)? != 1 && counts {
            return Err(Error::conflict("hook_repeated", "This call was received already."));
        }
    }
    Ok(())
}
