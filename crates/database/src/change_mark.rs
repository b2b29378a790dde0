//! Marks of changes: they tell which of many stores to look at again.

/// Two changes that are further apart have different times, in milliseconds.
const CLOCK_OF_FILES: i64 = 2_000;

/// Differs from what it was wherever what it stands for changed, and perhaps where it did not: it tells whoever keeps
/// something of many stores in memory which of them to look at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeMark {
    pub(crate) text: String,
    /// The time of the last change in milliseconds, where the mark is made of times.
    pub(crate) written: Option<i64>,
}

impl ChangeMark {
    /// Returns whether all that came before that moment is in the mark: a clock of files may stand still for some
    /// milliseconds, so that a change just after another could leave the mark as it was.
    pub fn is_final(&self, now: i64) -> bool {
        self.written.is_some_and(|written| now.saturating_sub(written) > CLOCK_OF_FILES)
    }
}
