//! Filters of a request become a condition.

mod value;

pub(crate) use value::value_of_text;

use super::condition::Condition;
use super::path::Access;
use crate::error::{Error, Result};
use crate::kinds::Context;
use serde_json::Value as Json;

/// Reads the array of a request; none where there are no filters.
pub(crate) fn parse<'m>(
    _access: &Access<'m>,
    filters: &[Json],
    _context: &Context<'_>,
) -> Result<Option<Condition<'m>>> {
    if filters.is_empty() {
        return Ok(None);
    }
    Err(Error::invalid("parameter_unsupported", "The parameter filters is not supported by this version."))
}
