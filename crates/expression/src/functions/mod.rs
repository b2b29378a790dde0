//! The functions, a file for each group of the specification.

mod arguments;
mod basic;
pub mod charlist;
mod collections;
mod context;
pub(crate) mod dates;
mod encoding;
mod files;
mod json;
pub(crate) mod map;
mod objects;
mod parameters;
mod queries;
mod range;
mod resources;
mod rows;
mod secrets;
mod strings;
mod tags;

use crate::catalogue::FunctionEntry;

/// All groups.
pub(crate) const GROUPS: &[&[FunctionEntry]] = &[
    basic::FUNCTIONS,
    collections::FUNCTIONS,
    objects::FUNCTIONS,
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
