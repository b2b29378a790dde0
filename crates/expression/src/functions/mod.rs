//! The functions, a file for each group of the specification.

mod arguments;
mod charlist;
mod dates;
mod encoding;
mod json;
mod rows;
mod strings;
mod tags;
mod webalize;

use crate::catalogue::Function;

/// All groups.
pub(crate) const GROUPS: &[&[Function]] = &[strings::FUNCTIONS, encoding::FUNCTIONS, json::FUNCTIONS, dates::FUNCTIONS];
