//! Messages that go nowhere: they are kept in memory, for tests of a configuration.

use std::sync::{Arc, Mutex, PoisonError};

/// Messages in the order in which they were sent. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Kept(Arc<Mutex<Vec<KeptLetter>>>);

/// A message that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptLetter {
    /// The address, or the number.
    pub to: String,
    /// The subject; SMS have none.
    pub subject: String,
    /// The text.
    pub text: String,
}

impl Kept {
    /// All messages so far.
    pub fn letters(&self) -> Vec<KeptLetter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn put(&self, letter: KeptLetter) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(letter);
    }
}
