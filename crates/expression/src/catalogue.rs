//! The catalogue: one row for each function, the single source of name, parameters, availability, result and help.

use crate::functions::GROUPS;
use crate::{Result, Run, Value};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The places where a function exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Availability {
    /// Everywhere.
    Always,
    /// With a resource as context.
    Context,
    /// With trigger parameters.
    Trigger,
    /// With a previous endpoint.
    Endpoint,
    /// With local variables.
    Local,
    /// With template variables.
    Template,
    /// With environment variables of the app.
    Environment,
    /// With app parameters.
    AppParameters,
    /// With secrets.
    Secrets,
    /// With a current DataQuery.
    DataQuery,
}

/// A parameter.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct FunctionParameter {
    /// The specification's name, which named arguments use.
    pub name: &'static str,
    /// The kind of values that it takes, in the specification's words: `string`, `array`, `mixed`.
    pub kind: &'static str,
    /// The default as the specification writes it; none where the parameter is required.
    pub default: Option<&'static str>,
    /// True if it takes all arguments that follow.
    pub variadic: bool,
    /// The effect of null.
    pub null: NullArgument,
}

/// The effect of null as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NullArgument {
    /// It is taken as an empty text, a list without items, no: as it is mostly meant.
    Taken,
    /// The result is null.
    Passed,
    /// All empty values give the same, such as one hash: that is rarely meant.
    Alike,
    /// It equals the empty text, 0 and false there, as in PHP.
    Loose,
    /// It fails, or means something else. The text is a value to give in its place.
    Refused(&'static str),
    /// It means the present.
    Present,
    /// It means the context's resource.
    Context,
}

/// A function's row.
#[derive(Debug)]
#[non_exhaustive]
pub struct FunctionEntry {
    /// The callable name.
    pub name: &'static str,
    /// The parameters, in order.
    pub parameters: &'static [FunctionParameter],
    /// The places where it exists.
    pub availability: Availability,
    /// True if it gives the same for the same arguments, always: such calls are folded.
    pub pure: bool,
    /// The kind of its result, in the specification's words.
    pub returns: &'static str,
    /// One line.
    pub help: &'static str,
    /// An expression, and its value in the vectors' encoding; run by the tests.
    pub example: (&'static str, &'static str),
    /// The function itself. Arguments that were left out behind the last given one are not there.
    pub call: fn(&mut Run<'_>, &[Value]) -> Result<Value>,
}

/// The functions that give links to a resource: without one, to that of the context.
pub const RESOURCE_LINKS: [&str; 6] =
    ["objectShowLink", "objectEditLink", "objectCopyLink", "objectCreateLink", "objectDeleteLink", "objectActionLink"];

/// All functions, group by group.
pub fn all() -> impl Iterator<Item = &'static FunctionEntry> {
    GROUPS.iter().copied().flatten()
}

/// The function of a name.
pub fn find(name: &str) -> Option<&'static FunctionEntry> {
    static BY_NAME: LazyLock<HashMap<&'static str, &'static FunctionEntry>> =
        LazyLock::new(|| all().map(|function| (function.name, function)).collect());
    BY_NAME.get(name).copied()
}
