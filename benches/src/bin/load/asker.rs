//! Who asks, by whose key.

use std::sync::Arc;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// Sees and changes everything.
    Writer,
    /// Sees a tenth of the invoices.
    Agent,
    /// Sees a hundred of them.
    Customer,
    /// Sees another tenth.
    Leader,
}

/// The keys of those who ask.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    pub(crate) writer: Arc<str>,
    pub(crate) agent: Arc<str>,
    pub(crate) customer: Arc<str>,
    pub(crate) leader: Arc<str>,
    /// The ids of the agent, the customer and the leader.
    pub(crate) users: [i64; 3],
}

impl Keys {
    pub(crate) fn of(&self, asker: Asker) -> &str {
        match asker {
            Asker::Writer => &self.writer,
            Asker::Agent => &self.agent,
            Asker::Customer => &self.customer,
            Asker::Leader => &self.leader,
        }
    }
}
