//! Groups as they come out of the database, within limits.

use crate::cell::Cell;
use crate::statement::MOST_GROUPS;
use model::error::{Error, Result};

/// The most cells in all.
const MOST_CELLS: usize = 1_000_000;
/// The most bytes of texts in all.
pub(crate) const MOST_TEXT: usize = 16 << 20;

/// Groups within limits.
#[derive(Default)]
pub(crate) struct KeptGroups {
    pub(crate) groups: Vec<Vec<Cell>>,
    cells: usize,
    text: usize,
}

impl KeptGroups {
    /// Returns true if there is no room for more.
    pub(crate) fn is_full(&self) -> bool {
        self.groups.len() > MOST_GROUPS || self.cells > MOST_CELLS || self.text > MOST_TEXT
    }

    /// Adds a group, with room for as many cells more.
    pub(crate) fn add(&mut self, cells: Vec<Cell>, more: usize) {
        self.cells += cells.len() + more;
        self.text += cells.iter().map(Cell::text_bytes).sum::<usize>();
        self.groups.push(cells);
    }

    /// Returns the groups, unless there are too many.
    pub(crate) fn take(self) -> Result<Vec<Vec<Cell>>> {
        let what = if self.groups.len() > MOST_GROUPS {
            format!("There are more than {MOST_GROUPS} groups.")
        } else if self.text > MOST_TEXT {
            "The keys have more than 16 MiB of texts.".to_owned()
        } else if self.cells > MOST_CELLS {
            format!("The groups have more than {MOST_CELLS} keys and values.")
        } else {
            return Ok(self.groups);
        };
        Err(too_many(&what))
    }
}

pub(crate) fn too_many(what: &str) -> Error {
    Error::invalid("groups_too_many", format!("{what} Filter the rows, or group by less."))
}
