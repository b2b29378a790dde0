//! Helpers of an integration: templates and judgements of settings, compiled once, run within the tenant for
//! which they are.

use context::value_json::of_json;
use database::ReadCost;
use expression::scope::{ValueKind, ValueType};
use expression::value::{Object, Text};
use expression::{HostProviders, Program, Providers, Value, convert};
use jiff::tz::TimeZone;
use model::error::{Error, Result};
use model::place::{ExpressionPlace, compile};
use model::shape::NoResource;
use model::used_properties::UsedProperties;
use resources::expressions::{Handed, Parts, PlatformProviders, Reading, Rights, Secrets, evaluate};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tenant::Tenant;

/// Names of values with their kinds.
pub(super) type ValueKinds = Vec<(String, ValueKind)>;

/// The names that a helper may ask for, by function.
#[derive(Clone, Default)]
pub(super) struct HelperNames {
    /// The message that is sent, for `trigger()`.
    pub(super) trigger: ValueKinds,
    /// The answer, for `endpoint()`.
    pub(super) endpoint: ValueKinds,
    /// The variables, for `var()`.
    pub local: Vec<String>,
}

/// The values that a helper gets for these names.
#[derive(Clone, Default)]
pub(super) struct HelperValues {
    pub trigger: BTreeMap<String, Value>,
    pub(super) endpoint: BTreeMap<String, Value>,
    pub(super) local: BTreeMap<String, Value>,
}

impl Providers for HelperValues {}

impl HostProviders for HelperValues {
    fn trigger(&self, name: &str) -> expression::Result<Value> {
        Ok(self.trigger.get(name).cloned().unwrap_or_default())
    }

    fn endpoint(&self, name: &str) -> expression::Result<Value> {
        Ok(self.endpoint.get(name).cloned().unwrap_or_default())
    }
}

/// Compiles the text of a setting.
pub(super) fn program(setting: &str, text: &str, known: &HelperNames) -> Result<Arc<Program>> {
    let of = |kinds: &ValueKinds| kinds.iter().map(|(name, kind)| (name.clone(), ValueType::from(*kind))).collect();
    let local = known.local.iter().map(|name| (name.clone(), ValueType::default())).collect();
    let names = HashMap::from([("trigger", of(&known.trigger)), ("endpoint", of(&known.endpoint)), ("var", local)]);
    let program = compile(text, ExpressionPlace::Integration, Some(Arc::new(NoResource)), names, ValueKind::Any);
    let program = program.map_err(|mistakes| {
        let message = mistakes.first().map_or("it is no expression", |mistake| mistake.message.as_str());
        refused(setting, &format!("cannot be compiled: {message}"))
    })?;
    if let Some(name) = program.facts().calls(&["saveSecret", "removeSecret"]) {
        return Err(refused(setting, &format!("cannot call {name}(): it works in automations alone")));
    }
    Ok(program)
}

/// A setting that cannot be.
pub(super) fn refused(setting: &str, what: &str) -> Error {
    Error::invalid("sms_gateway", format!("The setting sms.{setting} {what}."))
}

/// Providers and values that a helper runs on.
pub(super) struct HelperRun<'p, 't, 'g> {
    providers: PlatformProviders<'p, 't>,
    given: &'g HelperValues,
}

impl HelperRun<'_, '_, '_> {
    /// The value of a program; or what went wrong, without any value, and without the text of the server's setting.
    pub(super) fn value(&self, program: &Program) -> Result<Result<Value, String>> {
        let made = evaluate(&self.providers, program, Value::Null)?;
        Ok(made.map_err(|mistake| format!("{}: {}", mistake.code, mistake.message)))
    }

    /// The text that a template makes. What a secret went into is in it as it is: a request is where secrets may go.
    pub(super) fn text(&self, program: &Program) -> Result<Result<String, String>> {
        let text = |value: Value| convert::to_text(&value, &self.providers).map(|text| text.lossy().into_owned());
        Ok(self
            .value(program)?
            .and_then(|value| text(value).map_err(|fault| format!("{}: {}", fault.code, fault.message))))
    }

    /// A variable more, from here on.
    pub(super) fn knows(&self, local: &BTreeMap<String, Value>) {
        let local = self.given.local.iter().chain(local).map(|(name, value)| (name.clone(), value.clone()));
        self.providers.hand(Handed { local: Some(local.collect()), ..Handed::default() });
    }
}

/// Runs helpers within the tenant, in a transaction that reads. Instants are shown in UTC: settings are the server's.
pub(super) async fn within<T: Send + 'static>(
    tenant: &Arc<Tenant>,
    given: HelperValues,
    work: impl Fn(&HelperRun<'_, '_, '_>) -> Result<T> + Send + 'static,
) -> Result<T> {
    let reading = tenant.read_elevated(ReadCost::Scan, move |tx, context| {
        let (utc, parts) = (
            TimeZone::UTC,
            Parts {
                more: Some(&given),
                rights: Rights::Configuration,
                secrets: Secrets::Read,
                virtuals: Some(&UsedProperties::ALL),
                inverses: false,
            },
        );
        let providers = PlatformProviders::in_zone(tx, context, &utc, Reading::Look, parts);
        let helping = HelperRun { providers, given: &given };
        helping.knows(&BTreeMap::new());
        work(&helping)
    });
    reading.await
}

/// Returns the values that `endpoint()` gives of an answer.
pub(super) fn answer(status: u16, headers: &[(String, String)], body: &str) -> BTreeMap<String, Value> {
    let parsed = serde_json::from_str(body).ok().map(|json| of_json(&json));
    let headers = headers.iter().map(|(name, value)| (Text::from(name.as_str()), Value::text(value)));
    BTreeMap::from([
        ("status".to_owned(), Value::Int(i64::from(status))),
        ("headers".to_owned(), Value::Object(headers.collect::<Object>())),
        ("body".to_owned(), parsed.unwrap_or_else(|| Value::text(body))),
    ])
}
