//! The search for damaged tenants: all pages of their files are read.

use super::Platform;
use model::error::Result;
use std::time::{Duration, Instant};

/// The result of a search.
#[derive(Debug, Default)]
pub struct DamageReport {
    /// The damaged tenants.
    pub damaged: Vec<DamagedTenant>,
    /// The tenants whose pages were all read.
    pub sound: usize,
    /// The tenants whose files cannot be read, with the reason.
    pub unreadable: Vec<DamagedTenant>,
    /// The tenants that took too long, or for which no time was left.
    pub unread: Vec<String>,
}

/// A tenant whose file is damaged, or cannot be read.
#[derive(Debug)]
pub struct DamagedTenant {
    /// Its name.
    pub name: String,
    /// The first faults, in the engine's words.
    pub faults: Vec<String>,
}

impl Platform {
    /// Reads the files of all tenants on SQLite, for so long. PostgreSQL looks after its pages itself. It blocks: for
    /// commands.
    pub fn find_damage(&self, within: Duration) -> Result<DamageReport> {
        let (began, mut report) = (Instant::now(), DamageReport::default());
        for name in self.tenants()? {
            if began.elapsed() >= within {
                report.unread.push(name);
                continue;
            }
            match self.database.store(&name).and_then(|store| store.damaged_pages_blocking()) {
                Ok(faults) if faults.is_empty() => report.sound += 1,
                Ok(faults) => report.damaged.push(DamagedTenant { name, faults }),
                // It was deleted meanwhile.
                Err(database::Error::NoStore) => {}
                Err(database::Error::Timeout | database::Error::Busy) => report.unread.push(name),
                Err(error) => report.unreadable.push(DamagedTenant { name, faults: vec![error.to_string()] }),
            }
        }
        Ok(report)
    }
}
