//! Aliases of rows in statements.

use database::Name;

/// The alias of a row so many relations away from the list's own.
pub fn row_alias(level: usize) -> Name {
    const FIRST: [Name; 4] = [Name::fixed("r0"), Name::fixed("r1"), Name::fixed("r2"), Name::fixed("r3")];
    FIRST.get(level).cloned().unwrap_or_else(|| Name::numbered("r", level as i64))
}
