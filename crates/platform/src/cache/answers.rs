//! Whole answers, by who asks what.

use super::Cache;
use crate::keys::Scopes;
use crate::resources::Question;
use crate::resources::versions::Versions;
use bytes::Bytes;
use database::Epochs;
use quick_cache::{Equivalent, Weighter};
use std::fmt;
use std::sync::Arc;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The body, as JSON.
    pub body: Bytes,
    /// Its strong ETag.
    pub etag: Arc<str>,
    /// Whether it is a list without rows.
    pub empty: bool,
    /// Whether nobody may keep it, since each reading of it is logged.
    pub logged: bool,
}

/// An answer with what it rests on.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) answer: Answer,
    pub(crate) epochs: Epochs,
    pub(crate) versions: Versions,
    /// The span of time in which addresses of files are the same.
    pub(crate) window: i64,
}

/// Who asks what: the same question of the same user with other rights is another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    tenant: Arc<str>,
    user: i64,
    scopes: Scopes,
    question: Question,
}

/// The same, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Asked<'a> {
    pub(crate) tenant: &'a str,
    pub(crate) user: i64,
    pub(crate) scopes: &'a Scopes,
    pub(crate) question: &'a Question,
}

impl Equivalent<Key> for Asked<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        let Key { tenant, user, scopes, question } = key;
        *self == Asked { tenant, user: *user, scopes, question }
    }
}

/// The answers that are kept.
pub(super) struct Answers(quick_cache::sync::Cache<Key, Arc<Entry>, Size>);

/// What an entry takes beside its bytes: its places in tables, headers of allocations.
const OVERHEAD: usize = 512;

#[derive(Clone, Debug)]
struct Size;

impl Weighter<Key, Arc<Entry>> for Size {
    fn weight(&self, key: &Key, entry: &Arc<Entry>) -> u64 {
        (OVERHEAD + key.question.size() + entry.answer.body.len() + entry.versions.size()) as u64
    }
}

impl Answers {
    pub(super) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / 8_192).unwrap_or(usize::MAX).max(16);
        Answers(quick_cache::sync::Cache::with_weighter(items, bytes, Size))
    }

    pub(super) fn bytes(&self) -> u64 {
        self.0.weight()
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} answers", self.0.len())
    }
}

impl Cache {
    /// What was answered last, which may hold no more.
    pub(crate) fn answer(&self, asked: Asked<'_>) -> Option<Arc<Entry>> {
        self.answers.0.get(&asked)
    }

    /// Keeps an answer.
    pub(crate) fn keep_answer(&self, asked: Asked<'_>, entry: Entry) {
        let (scopes, question) = (asked.scopes.clone(), asked.question.clone());
        let key = Key { tenant: asked.tenant.into(), user: asked.user, scopes, question };
        let entry = Arc::new(entry);
        if Size.weight(&key, &entry) <= self.largest {
            self.answers.0.insert(key, entry);
        }
    }
}
