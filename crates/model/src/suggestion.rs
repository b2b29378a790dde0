//! Suggestions in messages: the known name that a caller perhaps meant.

use crate::kinds::nearest;

/// Returns ` Did you mean "name"?` for the closest of the names, or nothing. The names must be ones that the caller may
/// know: a message tells of no others (D-2).
pub fn did_you_mean<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> String {
    sentence(nearest(given, names))
}

/// Returns the same sentence for a name that was found already.
pub fn sentence(name: Option<&str>) -> String {
    name.map(|name| format!(" Did you mean {name:?}?")).unwrap_or_default()
}
