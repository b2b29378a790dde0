//! Blocks of a limited allowance, leased so that all nodes of a database together never hand out more.

use std::time::Duration;

/// What a node asks for.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Whose allowance it is.
    pub subject: String,
    /// How much there is in each window.
    pub limit: u32,
    /// How long a window is. It begins with the subject's first lease.
    pub period: Duration,
    /// How much the node wants at most.
    pub most: u32,
}

/// What a node got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// How much the node may hand out.
    pub granted: u32,
    /// How much is left for later leases of the same window.
    pub rest: u32,
    /// How long the window still lasts, by the clock of whoever counts: what is left then is worth nothing.
    pub ends_in: Duration,
}

impl Claim {
    /// What the first lease of a window gives: an eighth of the window at most, so that other nodes find something.
    pub(crate) fn first(&self) -> u32 {
        self.most.min((self.limit / 8).max(1)).min(self.limit)
    }
}
