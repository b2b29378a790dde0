//! The request context, which every domain function is given beside the transaction.

use crate::actor::Actor;
use crate::audit::{AuditNotes, RequestSource};
use crate::freeze;
use crate::key_uses::KeyUses;
use crate::listener::Listener;
use crate::nesting::EvaluationNesting;
use crate::reads::{LoggedReads, ReadOrigin};
use crate::spool::SpoolFolder;
use crate::vault;
use crate::vault::Vault;
use database::{Epochs, Tx};
use jiff::Timestamp;
use model::cursor::CursorSigner;
use model::environment::Random;
use model::error::Result;
use model::file_link::LinkSigner;
use model::kinds::{LinkContext, ValueContext};
use model::types::Model;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use traces::TraceParent;

/// A request inside a tenant: what every domain function is given beside the transaction.
#[derive(Clone)]
pub struct RequestContext {
    /// The configuration that holds.
    pub model: Arc<Model>,
    /// The actor.
    pub actor: Arc<Actor>,
    /// The one present of the whole request.
    pub now: Timestamp,
    /// The source of randomness.
    pub random: Arc<dyn Random>,
    /// The epochs at which rights and configuration are these.
    pub epochs: Epochs,
    /// The tenant's secret seed of ETags, the same on every node (D-27).
    pub seed: u64,
    /// Signs the addresses of files.
    pub signer: Arc<LinkSigner>,
    /// Signs the cursors of lists.
    pub cursors: Arc<CursorSigner>,
    /// The treatment of reads that are logged.
    pub reads: LoggedReads,
    /// The tenant's keys, where the process has the right master key: see [`RequestContext::vault`].
    pub vault: Option<Arc<Vault>>,
    /// True if something was put into the outbox.
    pub queued: Arc<AtomicBool>,
    /// True if runs of automations were put to be carried out.
    pub started: Arc<AtomicBool>,
    /// The number of runs of automations that caused one another up to this one; 0 where none is under way.
    pub depth: i64,
    /// True if keys that an old password made stay when a new one is set.
    pub keeps_keys: bool,
    /// True if what happens is told to nobody: it is no event.
    pub quiet: bool,
    /// True if decimals of the answer are wanted as texts.
    pub texts: bool,
    /// The import that runs of automations wait for; none where they begin at once.
    pub held: Option<i64>,
    /// True if a job of many rows is under way: the runs that it causes do not show an automation that runs away.
    pub in_job: bool,
    /// The path of the request that is answered, where one is.
    pub path: Option<Arc<str>>,
    /// The span of the request that is answered, where traces are made.
    pub span: Option<TraceParent>,
    /// The beginning of links to the tenant.
    pub base: Arc<str>,
    /// The folder that `fileFromFile()` reads from; none where it reads none.
    pub file_root: Option<Arc<Path>>,
    /// The place of large answers; none where they stay in memory.
    pub spools: Option<Arc<SpoolFolder>>,
    /// The most bytes that a resource may have.
    pub row_bytes: usize,
    /// Its place within an evaluation, if an expression makes it.
    pub inside: Option<EvaluationNesting>,
    /// The source of the job, for the audit log.
    pub source: RequestSource,
    /// The events that are to be written into the audit log.
    pub audit: AuditNotes,
    /// The uses of keys that the store does not know yet.
    pub key_uses: KeyUses,
    /// True if the tenant takes no writes.
    pub frozen: bool,
    /// The listener to what happens.
    pub listener: &'static dyn Listener,
    /// The actor with all rights, once it was asked for.
    pub unlimited: OnceLock<Arc<Actor>>,
}

impl RequestContext {
    /// The tenant's keys. Fails, with a line in the log, where the process has not the master key that the tenant began
    /// with.
    pub fn vault(&self) -> Result<&Vault> {
        self.vault.as_deref().ok_or_else(vault::closed)
    }

    /// Fails where the tenant takes no writes.
    pub fn refuse_frozen(&self) -> Result<()> {
        if self.frozen { Err(freeze::refusal()) } else { Ok(()) }
    }

    /// The same for a batch of a job.
    pub fn in_job(&self) -> RequestContext {
        RequestContext { in_job: true, ..self.clone() }
    }

    /// The same for another actor.
    pub fn as_actor(&self, actor: Actor) -> RequestContext {
        RequestContext { actor: Arc::new(actor), unlimited: OnceLock::new(), ..self.clone() }
    }

    /// Returns the acting user with all rights: for what the configuration asks of rows, whoever acts.
    pub fn all_rights(&self) -> &Actor {
        self.unlimited.get_or_init(|| Arc::new(self.actor.unlimited(&self.model)))
    }

    /// The same with another vault, to which the tenant just went over.
    pub(crate) fn sealed_by(&self, vault: Arc<Vault>) -> RequestContext {
        RequestContext { vault: Some(vault), ..self.clone() }
    }

    /// The same with all rights, in the name of a user: for what the caller has judged already.
    pub fn elevated(&self, user: i64) -> RequestContext {
        let mut actor = Actor::elevated(user, &self.model);
        actor.acting = self.actor.acting;
        self.as_actor(actor)
    }

    /// The same, known to have come this way.
    pub fn come_from(&self, source: RequestSource) -> RequestContext {
        RequestContext { source, ..self.clone() }
    }

    /// The same, so deep in runs that caused one another.
    pub fn within_runs(self, depth: i64) -> RequestContext {
        RequestContext { depth, ..self }
    }

    /// The same, where keys that an old password made stay when a new one is set, if `keeps` says so.
    pub fn keeping_keys(&self, keeps: bool) -> RequestContext {
        RequestContext { keeps_keys: keeps, ..self.clone() }
    }

    /// The same, of which no automation hears: for what follows from the configuration alone.
    pub fn quietly(&self) -> RequestContext {
        RequestContext { quiet: true, ..self.clone() }
    }

    /// The same, whose runs of automations wait until an import is kept.
    pub fn held_by(&self, import: i64) -> RequestContext {
        RequestContext { held: Some(import), ..self.clone() }
    }

    /// The same, made by an expression.
    pub fn by_expression(&self, inside: EvaluationNesting) -> RequestContext {
        RequestContext { inside: Some(inside), texts: false, ..self.clone() }
    }

    /// The same for another actor, in a job whose reads are not logged: reads of logged types are refused.
    pub fn as_actor_without_read_log(&self, actor: Actor) -> RequestContext {
        RequestContext { reads: LoggedReads::default(), ..self.as_actor(actor) }
    }

    /// Returns the place of evaluations of this request.
    pub fn nesting(&self) -> EvaluationNesting {
        self.inside.clone().unwrap_or_else(EvaluationNesting::outermost)
    }

    /// Writes the reads that the job noted, in its transaction.
    pub fn write_reads(&self, tx: &mut Tx<'_>, origin: ReadOrigin) -> Result<()> {
        self.reads.write(tx, self.now, self.user(), origin)
    }

    /// Writes the events that the job noted, in its transaction. Nothing of the job may come after.
    pub fn write_audit(&self, tx: &mut Tx<'_>) -> Result<()> {
        self.audit.write(tx, self.now, self.vault.as_deref())
    }

    /// Returns the context that reading and writing values depends on.
    pub fn value_context(&self) -> ValueContext<'_> {
        ValueContext {
            zone: &self.actor.zone,
            now: self.now,
            links: Some(LinkContext { signer: &self.signer, user: self.actor.user }),
            texts: false,
        }
    }

    /// The same for values of the answer, whose decimals may be wanted as texts.
    pub fn answer_context(&self) -> ValueContext<'_> {
        ValueContext { texts: self.texts, ..self.value_context() }
    }

    /// The same request, whose answer has decimals as texts.
    pub fn with_texts(&self) -> RequestContext {
        RequestContext { texts: true, ..self.clone() }
    }

    /// A random name of 32 hexadecimal digits.
    pub fn random_name(&self) -> String {
        let mut bytes = [0; 16];
        self.random.fill(&mut bytes);
        format!("{:032x}", u128::from_be_bytes(bytes))
    }

    /// A new version 7 UUID (D-16).
    pub fn uuid(&self) -> [u8; 16] {
        let mut bytes = [0; 10];
        self.random.fill(&mut bytes);
        self.uuid_of(&bytes)
    }

    /// The version 7 UUID of the present and those random bytes.
    pub fn uuid_of(&self, bytes: &[u8; 10]) -> [u8; 16] {
        // Instants before 1970 are no present of ours.
        let milliseconds = u64::try_from(self.now.as_millisecond()).unwrap_or(0);
        *uuid::Builder::from_unix_timestamp_millis(milliseconds, bytes).into_uuid().as_bytes()
    }

    /// The acting user's id as it is stored in `createdBy` and `updatedBy`; none for the command line, and for a
    /// caller without a key.
    pub fn user(&self) -> Option<i64> {
        (self.actor.user > 0).then_some(self.actor.user)
    }
}
