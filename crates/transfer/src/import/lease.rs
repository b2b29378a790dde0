//! The lease of an import that is written in short transactions, between which others write. What each does is noted,
//! so that all can be taken back until the import is kept.
//!
//! An import is a row of `plinth_import`, whose holder writes to it in each group. A holder that does not for a while
//! is dead: the next import, or the next look of a server, takes the import over. It takes back what the other did, or
//! ends it where it was kept already.

use super::journal::GroupChanges;
use super::{held_runs, undo};
use context::request_context::RequestContext;
use context::some_rows::remove_some;
use database::{BlockingWriter, Tx, Value};
use model::error::{Error, Result};
use model::table_names::{IMPORT, IMPORT_GROUP};
use model::types::ResourceAction;
use std::cell::Cell;
use std::time::Duration;
use tenant::Tenant;

/// The time for which an import may go without a group before it is taken for dead, in milliseconds. A group takes a
/// hundredth.
pub(super) const LEASE: i64 = 5_000;
/// The time for which an import that reads rows without writing any waits before it says that it is alive, in
/// milliseconds.
const RENEWAL: i64 = 1_000;
/// Rows of a group: of the first, the fewest and the most. Each group calculates anew what rests on its rows.
const FIRST: usize = 100;
const LEAST: usize = 50;
const LARGEST: usize = 1_000;
/// The time for which groups take at best before they are committed, in milliseconds: they grow and shrink until they
/// do.
const QUICK: i64 = 15;
const SLOW: i64 = 30;
/// The least pause between groups: others who wait try once in a millisecond.
const PAUSE: Duration = Duration::from_millis(4);
/// Number of notes and runs that are ended at once.
const ENDED: usize = 200;

/// States of an import.
pub(super) const TAKING: &str = "taking";
pub(super) const KEPT: &str = "kept";
pub(super) const UNDOING: &str = "undoing";

/// An import that this process holds.
pub(super) struct ImportLease<'t> {
    tenant: &'t Tenant,
    writer: BlockingWriter,
    id: i64,
    holder: String,
    /// The configuration that the rows were checked against; none where they are taken back.
    configuration: Option<i64>,
    size: Cell<usize>,
    /// When the lease was renewed last, in milliseconds.
    renewed: Cell<i64>,
}

impl<'t> ImportLease<'t> {
    /// Begins an import into a type; gives the request context as well.
    pub(super) fn begin(tenant: &'t Tenant, collection: &str) -> Result<(Self, RequestContext)> {
        let writer = tenant.store().blocking_writer()?;
        let (context, id, holder) = tenant.write_by(&writer, |tx, context| {
            let of = context.actor.allowed(&context.model, collection, ResourceAction::Edit)?.resource_type;
            let holder = context.random_name();
            let now = Value::Timestamp(context.now.as_millisecond());
            let mut sql = tx.sql();
            sql.push("INSERT INTO ").table(&IMPORT).push(" (type, state, holder, started, alive) VALUES (").bind(of.id);
            sql.push(", ").bind(TAKING).push(", ").bind(holder.as_str()).push(", ").bind(now.clone()).push(", ");
            sql.bind(now).push(") RETURNING id");
            let mut id = 0;
            tx.query(&sql, &mut |row| {
                id = row.integer(0)?;
                Ok(())
            })?;
            Ok((context.clone(), id, holder))
        })?;
        let configuration = Some(context.epochs.configuration);
        let (size, renewed) = (Cell::new(FIRST), Cell::new(context.now.as_millisecond()));
        Ok((ImportLease { tenant, writer, id, holder, configuration, size, renewed }, context))
    }

    /// An import that was found dead and taken over: its rows are not checked again.
    pub(super) fn found(tenant: &'t Tenant, writer: BlockingWriter, id: i64, holder: String, now: i64) -> Self {
        let (size, renewed) = (Cell::new(FIRST), Cell::new(now));
        ImportLease { tenant, writer, id, holder, configuration: None, size, renewed }
    }

    pub(super) fn id(&self) -> i64 {
        self.id
    }

    /// Returns the number of rows that the next group should have.
    pub(super) fn size(&self) -> usize {
        self.size.get()
    }

    /// Runs a group in a transaction of its own, and notes what it did.
    pub(crate) fn group(&self, job: impl FnOnce(&mut Tx<'_>, &RequestContext) -> Result<GroupChanges>) -> Result<()> {
        self.run(|tx, context| {
            self.refuse_other_configuration(context)?;
            let done = job(tx, &context.held_by(self.id))?;
            if !done.is_empty() {
                let mut sql = tx.sql();
                sql.push("INSERT INTO ").table(&IMPORT_GROUP).push(" (import, content) VALUES (").bind(self.id);
                sql.push(", ").bind(done.encode()?).push(")");
                tx.execute(&sql)?;
            }
            Ok(())
        })
    }

    /// Keeps all groups: from here on nothing is taken back.
    pub(super) fn keep(&self) -> Result<()> {
        self.run(|tx, context| {
            self.refuse_other_configuration(context)?;
            self.note(tx, KEPT)
        })
    }

    /// Notes where the import stands, for its next holder.
    fn note(&self, tx: &mut Tx<'_>, state: &str) -> Result<()> {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&IMPORT).push(" SET state = ").bind(state).push(" WHERE id = ").bind(self.id);
        Ok(tx.execute(&sql).map(drop)?)
    }

    fn refuse_other_configuration(&self, context: &RequestContext) -> Result<()> {
        if self.configuration.is_none_or(|checked| checked == context.epochs.configuration) {
            return Ok(());
        }
        let message = "The configuration changed while the rows were written. Nothing was imported: try again.";
        Err(Error::conflict("configuration_changed", message))
    }

    /// Takes all groups back, the last one first.
    pub(super) fn take_back(&self, type_id: i64) -> Result<()> {
        // Where keeping failed, it may have been written all the same: nobody must end half an import as a kept one.
        self.run(|tx, _| self.note(tx, UNDOING))?;
        let mut stay = 0;
        while let Some(left) = self.run(|tx, context| undo::last_group(tx, &context.quietly(), self.id, type_id))? {
            stay += left;
        }
        if stay > 0 {
            tracing::warn!(
                rows = stay,
                "rows of an import that was taken back stay: others changed them since, or refer to them"
            );
        }
        self.end(false)
    }

    /// Ends an import that is kept. Where that fails, its rows are there all the same, and the next look ends it.
    pub(super) fn end_kept(&self) {
        if let Err(error) = self.end(true) {
            tracing::warn!(
                tenant = self.tenant.name(),
                import = self.id,
                %error,
                "an import is kept, but not ended yet: the next import, or the next look of a server, ends it, and runs of automations begin then"
            );
        }
    }

    /// Has runs of automations begin, or removes them, and forgets the import.
    pub(super) fn end(&self, kept: bool) -> Result<()> {
        let runs = self.tenant.store().read_blocking(|tx| held_runs::held(tx, self.id))?;
        for some in runs.chunks(ENDED) {
            self.run(|tx, context| held_runs::release(tx, context, some, kept))?;
        }
        while self.run(|tx, _| self.forget_notes(tx))? {}
        // Behind this there is no lease to renew.
        self.tenant.write_by(&self.writer, |tx, context| {
            self.renew(tx, context.now.as_millisecond())?;
            let mut sql = tx.sql();
            sql.push("DELETE FROM ").table(&IMPORT).push(" WHERE id = ").bind(self.id);
            Ok(tx.execute(&sql).map(drop)?)
        })
    }

    /// Forgets what some groups did; gives whether there may be more.
    fn forget_notes(&self, tx: &mut Tx<'_>) -> Result<bool> {
        let most = i64::try_from(ENDED).unwrap_or(i64::MAX);
        remove_some(tx, &IMPORT_GROUP, most, |sql| {
            sql.push("import = ").bind(self.id);
        })
    }

    /// Renews the lease where no group did for a while: rows with problems make none.
    pub(super) fn stay_alive(&self) -> Result<()> {
        let clock = &self.tenant.environment().clock;
        if clock.now().as_millisecond() - self.renewed.get() <= RENEWAL {
            return Ok(());
        }
        self.tenant.write_by(&self.writer, |tx, _| self.renew(tx, clock.now().as_millisecond()))
    }

    /// Runs a job in a transaction while the import is held, then lets others write.
    fn run<T>(&self, job: impl FnOnce(&mut Tx<'_>, &RequestContext) -> Result<T>) -> Result<T> {
        let clock = &self.tenant.environment().clock;
        // How long the disk takes to commit does not grow with the group.
        let (done, took) = self.tenant.write_by(&self.writer, |tx, context| {
            let began = clock.now().as_millisecond();
            self.renew(tx, began)?;
            let done = job(tx, context)?;
            let ended = clock.now().as_millisecond();
            // A long job must not leave a lease that is over.
            self.renew(tx, ended)?;
            Ok((done, ended - began))
        })?;
        match took {
            ..QUICK => self.size.set((self.size.get() * 3 / 2).min(LARGEST)),
            QUICK..=SLOW => {}
            _ => self.size.set((self.size.get() / 2).max(LEAST)),
        }
        // Others who wait for the file come first.
        std::thread::sleep(PAUSE.max(Duration::from_millis(took.unsigned_abs() / 4)));
        Ok(done)
    }

    fn renew(&self, tx: &mut Tx<'_>, now: i64) -> Result<()> {
        self.renewed.set(now);
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&IMPORT).push(" SET alive = ").bind(Value::Timestamp(now));
        sql.push(" WHERE id = ").bind(self.id).push(" AND holder = ").bind(self.holder.as_str());
        match tx.execute(&sql)? {
            1 => Ok(()),
            _ => Err(Error::conflict(
                "import_taken_back",
                "The import wrote nothing for some seconds, and was taken back. Nothing was imported: try again.",
            )),
        }
    }
}
