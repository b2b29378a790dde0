//! The search for tenants whose stores need a later version of Plinth.

use super::Platform;
use context::tables;
use model::error::Result;
use std::time::{Duration, Instant};

/// A tenant that this version must not open.
#[derive(Debug)]
pub struct LaterTenant {
    /// Its name.
    pub name: String,
    /// The message of the refusal, with the version that opens it.
    pub message: String,
}

impl Platform {
    /// Looks at all tenants, for so long, and returns those that need a later version. It blocks: for commands.
    pub fn find_later(&self, within: Duration) -> Result<Vec<LaterTenant>> {
        let (began, mut later) = (Instant::now(), Vec::new());
        for name in self.tenants()? {
            if began.elapsed() >= within {
                break;
            }
            // What else keeps it from being read is told by other checks.
            match self.read_unopened(&name, tables::refuse_later) {
                Err(error) if error.code == tables::LATER => later.push(LaterTenant { name, message: error.message }),
                _ => {}
            }
        }
        Ok(later)
    }
}
