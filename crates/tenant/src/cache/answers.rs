//! Whole answers, by who asks what.

use super::Cache;
use bytes::Bytes;
use context::scopes::KeyScopes;
use context::spool::SpooledBody;
use context::versions::TypeVersions;
use database::Epochs;
use query::read_query::ReadQuery;
use quick_cache::{Equivalent, Weighter};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The body, as JSON.
    pub body: AnswerBody,
    /// Its strong ETag.
    pub etag: Arc<str>,
    /// True if it is a list without rows.
    pub empty: bool,
    /// True if nobody may keep it, since each reading of it is logged.
    pub logged: bool,
    /// Resources that were too large for the list: `collection/id`.
    pub omitted: Arc<[String]>,
    /// The body in gzip, once somebody has asked for it; empty where it is not half as long.
    pub packed: Arc<OnceLock<Bytes>>,
}

/// The body of an answer.
#[derive(Clone, Debug)]
pub enum AnswerBody {
    /// In memory.
    Whole(Bytes),
    /// In a file. No such answer is kept.
    Spooled(Arc<SpooledBody>),
}

/// An answer with what it rests on.
#[derive(Debug)]
pub struct AnswerEntry {
    /// The answer.
    pub answer: Answer,
    /// The epochs of the store at which it was made.
    pub epochs: Epochs,
    /// The versions of the types that it depends on.
    pub versions: TypeVersions,
    /// The span of time in which addresses of files are the same.
    pub window: i64,
}

/// The key of an answer: the same query of the same user with other rights is another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct AnswerKey {
    tenant: Arc<str>,
    user: i64,
    scopes: KeyScopes,
    query: ReadQuery,
}

/// The same, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AskedAnswer<'a> {
    /// The tenant's name.
    pub tenant: &'a str,
    /// The user who asks.
    pub user: i64,
    /// The scopes of their key.
    pub scopes: &'a KeyScopes,
    /// The query.
    pub query: &'a ReadQuery,
}

impl Equivalent<AnswerKey> for AskedAnswer<'_> {
    fn equivalent(&self, key: &AnswerKey) -> bool {
        let AnswerKey { tenant, user, scopes, query } = key;
        *self == AskedAnswer { tenant, user: *user, scopes, query }
    }
}

/// The answers that are kept.
pub(super) struct KeptAnswers(quick_cache::sync::Cache<AnswerKey, Arc<AnswerEntry>, AnswerSize>);

/// The bytes that an entry takes beside its own: its places in tables, headers of allocations.
const OVERHEAD: usize = 512;

#[derive(Clone, Debug)]
struct AnswerSize;

impl Weighter<AnswerKey, Arc<AnswerEntry>> for AnswerSize {
    fn weight(&self, key: &AnswerKey, entry: &Arc<AnswerEntry>) -> u64 {
        // A packed form comes later, and has half the bytes at most.
        let body = entry.answer.body.size();
        (OVERHEAD + key.query.size() + body + body / 2 + entry.versions.size()) as u64
    }
}

impl KeptAnswers {
    pub(crate) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / 8_192).unwrap_or(usize::MAX).max(16);
        KeptAnswers(quick_cache::sync::Cache::with_weighter(items, bytes, AnswerSize))
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.0.weight()
    }
}

impl AnswerBody {
    /// The bytes that it takes in memory.
    pub fn size(&self) -> usize {
        self.whole().map_or(0, Bytes::len)
    }

    /// Returns the bytes, where they are in memory.
    pub fn whole(&self) -> Option<&Bytes> {
        match self {
            AnswerBody::Whole(bytes) => Some(bytes),
            AnswerBody::Spooled(_) => None,
        }
    }
}

impl PartialEq for AnswerBody {
    /// One in a file is equal to itself alone.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (AnswerBody::Whole(own), AnswerBody::Whole(other)) => own == other,
            (AnswerBody::Spooled(own), AnswerBody::Spooled(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Eq for AnswerBody {}

impl fmt::Debug for KeptAnswers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} answers", self.0.len())
    }
}

impl Cache {
    /// Returns the last answer, which may hold no more.
    pub fn answer(&self, asked: AskedAnswer<'_>) -> Option<Arc<AnswerEntry>> {
        self.answers.0.get(&asked)
    }

    /// Keeps an answer.
    pub fn keep_answer(&self, asked: AskedAnswer<'_>, entry: AnswerEntry) {
        let (scopes, query) = (asked.scopes.clone(), asked.query.clone());
        if matches!(entry.answer.body, AnswerBody::Spooled(_)) {
            return;
        }
        let key = AnswerKey { tenant: asked.tenant.into(), user: asked.user, scopes, query };
        let entry = Arc::new(entry);
        if AnswerSize.weight(&key, &entry) <= self.largest {
            self.answers.0.insert(key, entry);
        }
    }
}
