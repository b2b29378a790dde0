//! The large rows of a list: how many of them it takes, and which are left out.

use std::collections::BTreeMap;

/// From which size on a row is large.
pub(super) const LARGE_ROW: usize = 1 << 20;
/// The most bytes that the large rows of a list may have together: those beyond are left out, and named.
const LARGE_ROWS: usize = 16 << 20;

/// The large rows of a list, of one level. Rows that are expanded are read in parts, and may come again.
#[derive(Default)]
pub(super) struct LargeRows {
    /// Bytes of those that are in it.
    bytes: usize,
    kept: Vec<i64>,
    left: Vec<i64>,
    /// Those that are not in it: `collection/id`.
    omitted: Vec<String>,
    /// Those of the levels below, by the member that is expanded.
    below: BTreeMap<usize, LargeRows>,
}

impl LargeRows {
    /// Returns true if the list takes a large row.
    pub(crate) fn takes(&mut self, id: i64, bytes: usize, collection: &str) -> bool {
        if self.kept.contains(&id) {
            return true;
        }
        if self.left.contains(&id) {
            return false;
        }
        if self.bytes + bytes <= LARGE_ROWS {
            self.bytes += bytes;
            self.kept.push(id);
            return true;
        }
        self.left.push(id);
        self.omitted.push(format!("{collection}/{id}"));
        false
    }

    /// Takes out those of the level below a member.
    pub(crate) fn below(&mut self, member: usize) -> LargeRows {
        self.below.remove(&member).unwrap_or_default()
    }

    /// Puts them back.
    pub(super) fn put_below(&mut self, member: usize, sparing: LargeRows) {
        self.below.insert(member, sparing);
    }

    /// All rows that were left out, of this level and of those below: `collection/id`.
    pub(super) fn omitted(self) -> Vec<String> {
        let mut omitted = self.omitted;
        omitted.extend(self.below.into_values().flat_map(LargeRows::omitted));
        omitted
    }
}
