//! The functions, a file for each group of the specification.

use crate::catalogue::Function;

/// All groups.
pub(crate) const GROUPS: &[&[Function]] = &[];
