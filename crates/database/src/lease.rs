//! Blocks of a limited allowance, leased so that all nodes of a database together never hand out more.

use std::time::Duration;

/// A node's request for a lease.
#[derive(Clone, Debug)]
pub struct LeaseClaim {
    /// The subject whose allowance it is.
    pub subject: String,
    /// The allowance in each window.
    pub limit: u32,
    /// The time for which a window is. It begins with the subject's first lease.
    pub period: Duration,
    /// The most that the node wants.
    pub most: u32,
}

/// A lease that a node got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaseGrant {
    /// The number that the node may hand out.
    pub granted: u32,
    /// The number that is left for later leases of the same window.
    pub rest: u32,
    /// The time for which the window still lasts, by the clock of whoever counts: what is left then is worth nothing.
    pub ends_in: Duration,
}

impl LeaseClaim {
    /// Returns the number of the first lease of a window: an eighth of the window at most, so that other nodes find
    /// something.
    pub(crate) fn first(&self) -> u32 {
        self.most.min((self.limit / 8).max(1)).min(self.limit)
    }
}
