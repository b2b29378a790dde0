//! Frozen tenants: commands freeze them, and have them take writes again.

use super::Platform;
use super::deletion::wake_workers;
use context::freeze;
use model::error::Result;
use std::collections::BTreeSet;

/// So many tenants are read on one thread: another costs more than it saves.
const FEW: usize = 16;

impl Platform {
    /// Has a tenant take no writes: none is acknowledged once this has returned, on any node. Returns false where it was
    /// frozen before. It blocks: for commands.
    pub fn freeze_tenant(&self, name: &str) -> Result<bool> {
        self.find_live(name)?;
        self.open(name)?.store().write_blocking(freeze::freeze)
    }

    /// Has a frozen tenant take writes, and its waiting work begin. Returns false where it was not frozen. It blocks: for
    /// commands.
    pub fn unfreeze_tenant(&self, name: &str) -> Result<bool> {
        self.find_live(name)?;
        self.open(name)?.store().write_blocking(|tx| {
            let was_frozen = freeze::unfreeze(tx)?;
            if was_frozen {
                wake_workers(tx)?;
            }
            Ok(was_frozen)
        })
    }

    /// Returns those of the tenants that are frozen. A tenant that cannot be read is none of them. It blocks: for
    /// commands.
    pub fn frozen_tenants(&self, names: &[String]) -> BTreeSet<String> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let part = names.len().div_ceil(threads).max(FEW);
        let is_frozen = |name: &&String| self.glance(name, freeze::is_frozen) == Some(true);
        std::thread::scope(|scope| {
            let read = |part: &[String]| part.iter().filter(is_frozen).cloned().collect::<Vec<_>>();
            let readers: Vec<_> = names.chunks(part).map(|part| scope.spawn(move || read(part))).collect();
            readers.into_iter().flat_map(|reader| reader.join().expect("reading a tenant does not panic")).collect()
        })
    }
}
