//! The functions, a file for each group of the specification.

mod arguments;
mod charlist;
mod context;
mod dates;
mod encoding;
mod files;
mod json;
pub(crate) mod map;
mod parameters;
mod queries;
mod resources;
mod rows;
mod secrets;
mod strings;
mod tags;
mod webalize;

use crate::catalogue::Function;

/// All groups.
pub(crate) const GROUPS: &[&[Function]] = &[
    strings::FUNCTIONS,
    encoding::FUNCTIONS,
    json::FUNCTIONS,
    dates::FUNCTIONS,
    map::FUNCTIONS,
    context::FUNCTIONS,
    parameters::FUNCTIONS,
    queries::FUNCTIONS,
    resources::FUNCTIONS,
    secrets::FUNCTIONS,
    files::FUNCTIONS,
];
