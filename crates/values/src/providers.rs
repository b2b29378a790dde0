//! The values that a program asks for from outside of itself.

use crate::Result;
use crate::host::{HostProviders, missing};
use crate::value::Value;

/// The values that exist where an expression runs, beside the functions that are always there.
///
/// Each method has a default, which says that there is no such thing (`provider_missing`): compile time refuses the
/// words that the scope of the program lacks. A place without the words of a platform implements
/// [`HostProviders`] with an empty body, too.
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
