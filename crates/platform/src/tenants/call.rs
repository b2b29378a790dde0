//! What every domain function is given beside the transaction.

use crate::actor::Actor;
use crate::audit::{Notes, Source};
use crate::cursor::CursorSigner;
use crate::error::Result;
use crate::expressions::Inside;
use crate::files::Signer;
use crate::kinds::{Context, Links};
use crate::read_log::Reads;
use crate::types::Model;
use crate::vault::{self, Vault};
use crate::work::Random;
use database::Epochs;
use jiff::Timestamp;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A request inside a tenant: what every domain function is given beside the transaction.
#[derive(Clone)]
pub struct Call {
    /// The configuration that holds.
    pub model: Arc<Model>,
    /// Who acts.
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
    pub signer: Arc<Signer>,
    /// Signs the cursors of lists.
    pub cursors: Arc<CursorSigner>,
    /// What becomes of reads that are logged.
    pub reads: Reads,
    /// The tenant's keys, where the process has the right master key: see [`Call::vault`].
    pub(super) vault: Option<Arc<Vault>>,
    /// Whether something was put into the outbox.
    pub(crate) queued: Arc<AtomicBool>,
    /// Whether runs of automations were put to be carried out.
    pub(crate) started: Arc<AtomicBool>,
    /// How many runs of automations caused one another up to this one; 0 where none is under way.
    pub(crate) depth: i64,
    /// Whether what happens is told to nobody: it is no event.
    pub(crate) quiet: bool,
    /// The path of the request that is answered, where one is.
    pub(crate) path: Option<Arc<str>>,
    /// What links to the tenant begin with.
    pub(crate) base: Arc<str>,
    /// The folder that `fileFromFile()` reads from; none where it reads none.
    pub(crate) file_root: Option<Arc<Path>>,
    /// Where it stands within an evaluation, if an expression makes it.
    pub(crate) inside: Option<Inside>,
    /// Where the job comes from, for the audit log.
    pub source: Source,
    /// What is to be written into the audit log.
    pub(crate) audit: Notes,
}

impl Call {
    /// The tenant's keys. Fails, with a line in the log, where the process has not the master key that the tenant began with.
    pub fn vault(&self) -> Result<&Vault> {
        self.vault.as_deref().ok_or_else(vault::closed)
    }

    /// The same, for whoever acts instead.
    pub(crate) fn acting(&self, actor: Actor) -> Call {
        Call { actor: Arc::new(actor), ..self.clone() }
    }

    /// The same with another vault, to which the tenant just went over.
    pub(crate) fn sealed_by(&self, vault: Arc<Vault>) -> Call {
        Call { vault: Some(vault), ..self.clone() }
    }

    /// The same with all rights, in the name of a user: for what was judged already by whoever asks for this.
    pub(crate) fn elevated(&self, user: i64) -> Call {
        let mut actor = Actor::elevated(user, &self.model);
        actor.acting = self.actor.acting;
        Call { actor: Arc::new(actor), ..self.clone() }
    }

    /// The same, known to have come this way.
    pub(crate) fn come_from(&self, source: Source) -> Call {
        Call { source, ..self.clone() }
    }

    /// The same, so deep in runs that caused one another.
    pub(crate) fn within_runs(self, depth: i64) -> Call {
        Call { depth, ..self }
    }

    /// The same, of which no automation hears: for what follows from the configuration alone.
    pub(crate) fn quietly(&self) -> Call {
        Call { quiet: true, ..self.clone() }
    }

    /// The same, made by an expression.
    pub(crate) fn by_expression(&self, inside: Inside) -> Call {
        Call { inside: Some(inside), ..self.clone() }
    }

    /// The same call, made by somebody else.
    pub(crate) fn acted_by(&self, actor: Actor) -> Call {
        Call { actor: Arc::new(actor), reads: Reads::default(), ..self.clone() }
    }

    /// What reading and writing values depends on.
    pub fn context(&self) -> Context<'_> {
        Context {
            zone: &self.actor.zone,
            now: self.now,
            links: Some(Links { signer: &self.signer, user: self.actor.user }),
        }
    }

    /// A new version 7 UUID (D-16).
    pub fn uuid(&self) -> [u8; 16] {
        let mut bytes = [0; 10];
        self.random.fill(&mut bytes);
        self.uuid_of(&bytes)
    }

    /// The version 7 UUID of the present and those random bytes.
    pub(crate) fn uuid_of(&self, bytes: &[u8; 10]) -> [u8; 16] {
        // Instants before 1970 are no present of ours.
        let milliseconds = u64::try_from(self.now.as_millisecond()).unwrap_or(0);
        *uuid::Builder::from_unix_timestamp_millis(milliseconds, bytes).into_uuid().as_bytes()
    }

    /// The acting user's id as it is stored in `createdBy` and `updatedBy`; none for the command line.
    pub fn user(&self) -> Option<i64> {
        (self.actor.user != 0).then_some(self.actor.user)
    }
}
