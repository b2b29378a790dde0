//! Steps that several evaluations share: one, and those within it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The value of an account that has ended.
const ENDED: u64 = u64::MAX;

/// A supply of steps. An evaluation draws from it as it goes on; those that it leads to, and that end before it goes
/// on, draw from the same. Where one of them lacks something, the account ends for all.
#[derive(Debug)]
pub struct StepAccount(AtomicU64);

impl StepAccount {
    /// An account of so many steps.
    pub const fn new(steps: u64) -> Self {
        StepAccount(AtomicU64::new(steps))
    }

    /// Begins anew with so many steps.
    pub fn fill(&self, steps: u64) {
        self.0.store(steps, Relaxed);
    }

    /// Takes steps, where there are as many.
    pub fn take(&self, steps: u64) -> bool {
        let rest = self.left().checked_sub(steps).filter(|_| !self.has_ended());
        rest.inspect(|rest| self.fill(*rest)).is_some()
    }

    /// Takes so many steps, or what there is; gives how many.
    pub fn draw(&self, most: u64) -> u64 {
        let drawn = self.left().min(most);
        if self.take(drawn) { drawn } else { 0 }
    }

    /// Puts back steps that were drawn and not used.
    pub fn give_back(&self, steps: u64) {
        if !self.has_ended() {
            self.fill(self.left() + steps);
        }
    }

    /// Ends it: there is nothing more for anybody.
    pub fn end(&self) {
        self.fill(ENDED);
    }

    /// Returns true if it has ended.
    pub fn has_ended(&self) -> bool {
        self.left() == ENDED
    }

    fn left(&self) -> u64 {
        self.0.load(Relaxed)
    }
}
