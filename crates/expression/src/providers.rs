//! The values that a program asks for from outside of itself.

use crate::Result;
use crate::host::{HostProviders, missing};
use crate::value::Value;

/// The values that exist where an expression runs, beside the functions that are always there.
///
/// Each method has a default, which says that there is no such thing (`provider_missing`): compile time refuses the
/// words that [`Scope::available`](crate::Scope) lacks. A place without the words of a platform implements
/// [`HostProviders`] with an empty body, too.
///
/// ```
/// use expression::catalogue::Availability;
/// use expression::scope::{AvailableProviders, Scope};
/// use expression::value::Value;
/// use expression::{HostProviders, RunLimits, Program, Providers, Result, Run, wire};
///
/// struct Settings(Value);
///
/// impl Providers for Settings {
///     fn local(&self, name: &str) -> Result<Value> {
///         Ok(if name == "settings" { self.0.clone() } else { Value::Null })
///     }
/// }
///
/// impl HostProviders for Settings {}
///
/// let scope = Scope::of(AvailableProviders::default().with(Availability::Local));
/// let program = Program::expression("join(', ', var('settings').colours)", &scope).expect("a proper expression");
/// let settings = wire::decode(&serde_json::json!({"colours": ["red", "blue"]}));
/// let settings = Settings(settings.expect("plain JSON is a value"));
/// let mut random = |_: &mut [u8]| unreachable!("this expression does not ask for chance");
/// let now = jiff::Timestamp::UNIX_EPOCH;
/// let mut run = Run::new(now, jiff::tz::TimeZone::UTC, &settings, &mut random, RunLimits::default());
/// let value = program.evaluate(&mut run).expect("it has what it needs");
/// assert_eq!(wire::encode(&value).expect("a text is JSON"), serde_json::json!("red, blue"));
/// ```
pub trait Providers {
    /// `var(name)`.
    fn local(&self, _name: &str) -> Result<Value> {
        Err(missing("var"))
    }
    /// `env(name)`: null for unknown names.
    fn environment(&self, _name: &str) -> Result<Value> {
        Err(missing("env"))
    }
    /// The context's resource, for optional `activeResource` parameters and bare names.
    fn resource(&self) -> Result<Value> {
        Err(missing("resource"))
    }
    /// The same where it is at hand: it is then borrowed rather than asked for.
    fn lent_resource(&self) -> Option<&Value> {
        None
    }
}

/// A place without any outside values.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProviders;

impl Providers for NoProviders {}

impl HostProviders for NoProviders {}
