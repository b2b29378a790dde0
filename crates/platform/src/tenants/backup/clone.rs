//! Clones of tenants: a backup that is restored at once, under another name, and that sends nothing until it is told to.

use super::create::{BackupPlace, make_private};
use super::place::ArchivePlace;
use super::restore::{RestoreOptions, Restored};
use super::scratch::Scratch;
use crate::tenants::runtimes::within_runtime;
use crate::tenants::{Platform, check_name, refuse_existing};
use backups::Recipients;
use context::request_context::RequestContext;
use context::tables;
use database::{Name, Tx};
use model::error::Result;
use model::table_names::{META, OUTBOX, RUN, RUN_LIST, RUN_STEP, SCHEDULE};
use std::path::Path;

/// The fact of a tenant that sends nothing, in the table of facts.
const SILENT: &str = "silent";
/// The reason for which automations of a clone are switched off.
pub(super) const REASON: &str = "This tenant is a clone: plinth tenant enable switches it on.";

/// The choices of a clone.
#[derive(Clone, Copy, Debug)]
pub struct CloneOptions<'o> {
    /// A folder with room for it.
    pub folder: &'o Path,
    /// True if it is to have made-up values in the place of personal ones, without keys, sessions and logs.
    pub scrub: bool,
}

impl Platform {
    /// Makes a tenant of another name out of the rows of one moment and the files of a tenant, while others write.
    /// `progress` is told the bytes that were read or written. It blocks: for commands.
    pub fn clone_tenant(
        &self,
        name: &str,
        new: &str,
        options: CloneOptions<'_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Restored> {
        check_name(new)?;
        refuse_existing(self, new)?;
        within_runtime(|| {
            // The folder itself is for restorations, one at a time.
            let place = options.folder.join("scratch");
            make_private(&place)?;
            let aside = Scratch::within(&place)?;
            let place = BackupPlace {
                archives: ArchivePlace::Folder(aside.path().to_owned()),
                recipients: Recipients::default(),
                scratch: aside.path().to_owned(),
            };
            let made = self.back_up(name, &place, progress)?;
            let CloneOptions { folder, scrub } = options;
            let options =
                RestoreOptions { name: Some(new), quiet: true, silent: true, scrub, ..RestoreOptions::default() };
            self.restore(&made.path, options, folder, progress)
        })
    }

    /// Has a clone send from now on, and switches the automations on that were switched off as it was made. What was to be
    /// sent meanwhile is cancelled. Returns false where it was no silent clone. It blocks: for commands.
    pub fn enable_tenant(&self, name: &str) -> Result<bool> {
        self.open(name)?.write_as_administrator(|tx, context| {
            if tables::get(tx, SILENT)?.is_none() {
                return Ok(false);
            }
            let mut sql = tx.sql();
            sql.push("DELETE FROM ").table(&META).push(" WHERE name = ").bind(SILENT);
            tx.execute(&sql)?;
            messages::outbox::cancel_all(tx, context.now)?;
            // The workers of all nodes look once more.
            [OUTBOX, RUN, SCHEDULE].iter().try_for_each(|table| tx.grow(table))?;
            switch_on(tx, context)?;
            Ok(true)
        })
    }
}

/// Has the store of a tenant that is not served yet send nothing. Runs that were planned are not the clone's.
pub(super) fn silence(tx: &mut Tx<'_>) -> Result<()> {
    for table in [RUN_STEP, RUN_LIST, RUN] {
        clear(tx, &table)?;
    }
    tables::put(tx, SILENT, "clone")
}

/// Returns true if a tenant sends nothing.
pub(crate) fn is_silent(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(tables::get(tx, SILENT)?.is_some())
}

fn switch_on(tx: &mut Tx<'_>, context: &RequestContext) -> Result<()> {
    for name in automation::disabled_for(tx, REASON)? {
        // One that a later configuration lacks has nothing to do.
        if context.model.automations.named(&name).is_some() {
            automation::enable(tx, context, &name)?;
        }
    }
    Ok(())
}

pub(super) fn clear(tx: &mut Tx<'_>, table: &Name) -> Result<()> {
    let mut sql = tx.sql();
    sql.push("DELETE FROM ").table(table);
    Ok(tx.execute(&sql).map(drop)?)
}
