//! Writes that happen once, by `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07).

use super::request::TenantRequest;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::Tx;
use edge::body::IDEMPOTENCY_KEY;
use edge::{Answer, Problem};
use http::header::{self, HeaderValue};
use http::{HeaderName, StatusCode};
use model::error::Error;
use operations::batch::{OperationEffect, OperationOutcome};
use operations::once::{
    self, AnswerForm, IdempotencyKey, OnceMemory, OnceOutcome, RememberedResult, Repetition, ToldResult,
};
use resources::Written;
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// The beginning of the paths for which the header counts.
const BELOW: &str = "/api/ext/v1/";
/// The most characters of a key.
const LONGEST: usize = 255;

/// The outcome of a write.
pub(super) enum WriteOutcome<T> {
    /// It was done now.
    Now(T),
    /// It had been done before, and this is told of it.
    Before(Box<Answer>),
}

impl TenantRequest<'_> {
    /// Returns the key by which the client names the write, with the digest of all that it sends. The body must have
    /// been read.
    pub(super) fn idempotency_key(&self) -> Result<Option<IdempotencyKey>, Problem> {
        if !self.route.pattern.starts_with(BELOW) {
            return Ok(None);
        }
        let mut values = self.http.headers.get_all(IDEMPOTENCY_KEY).iter();
        let Some(first) = values.next() else { return Ok(None) };
        let name = first.to_str().ok().filter(|_| values.next().is_none()).and_then(name).ok_or_else(invalid)?;
        let mut digest = Sha256::new();
        let mut add = |part: &[u8]| {
            digest.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            digest.update(part);
        };
        [self.http.method.as_str(), self.route.pattern, self.http.uri.query().unwrap_or("")]
            .into_iter()
            .chain(self.values)
            .for_each(|part| add(part.as_bytes()));
        for name in [header::IF_MATCH.as_str(), header::IF_NONE_MATCH.as_str(), "x-keep-keys"] {
            self.http.headers.get_all(name).iter().for_each(|value| add(value.as_bytes()));
        }
        add(&self.http.text);
        Ok(Some(IdempotencyKey { name, digest: digest.finalize().into() }))
    }

    /// Refuses a key where a write cannot happen once by it.
    pub(super) fn no_idempotency_key(&self, why: &str) -> Result<(), Problem> {
        match self.http.headers.contains_key(IDEMPOTENCY_KEY) {
            false => Ok(()),
            true => {
                let message = format!("This request takes no Idempotency-Key, since {why}.");
                Err(Problem::invalid_at("Idempotency-Key", "idempotency_key_refused", message))
            }
        }
    }

    /// Runs a write, unless one with the same key was done before.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        key: &CallerKey,
        remember: impl Fn(&T) -> OnceMemory + Send + 'static,
        job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T, Error> + Send + 'static,
    ) -> Result<WriteOutcome<T>, Problem> {
        let once = self.idempotency_key()?;
        let form = AnswerForm { most: usize::MAX, texts: self.takes_texts()? };
        match once::write(&self.tenant, key, once, form, remember, job).await? {
            OnceOutcome::Done(done) => Ok(WriteOutcome::Now(done)),
            OnceOutcome::Repeated(repetition) => Ok(WriteOutcome::Before(Box::new(replayed(self.told(repetition))))),
        }
    }

    /// The answer that tells what a write came to.
    fn told(&self, repetition: Repetition) -> Answer {
        match repetition {
            Repetition::Results(mut results) => match results.pop() {
                Some(ToldResult::Done(outcome)) => self.resource(outcome),
                Some(ToldResult::Failed(failure)) => Answer::value(&failure),
                None => Answer::empty(),
            },
            Repetition::Tag(OperationEffect::Deleted, ..) => Answer::empty(),
            Repetition::Tag(effect, id, tag) => {
                let (tag, etag) = tag.map_or_else(
                    || (json!({"id": id}).to_string().into_bytes(), None),
                    |(tag, etag)| (tag, Some(etag)),
                );
                with_etag(etag, self.with_location(effect, &id, answer(effect, tag)))
            }
            Repetition::Answer(OperationEffect::Deleted, _) => Answer::empty(),
            Repetition::Answer(effect, body) => answer(effect, body.to_string().into_bytes()),
        }
    }

    fn resource(&self, outcome: OperationOutcome) -> Answer {
        let OperationOutcome { effect, id, uuid, etag, data, .. } = outcome;
        if effect == OperationEffect::Deleted {
            return Answer::empty();
        }
        // A caller who does not read the resource any more is told what it is known by.
        let body = data.unwrap_or_else(|| json!({"id": id, "uuid": uuid}).to_string().into_bytes());
        let id = id.map(|id| id.to_string()).unwrap_or_default();
        with_etag(etag, self.with_location(effect, &id, answer(effect, body)))
    }

    fn with_location(&self, effect: OperationEffect, id: &str, answer: Answer) -> Answer {
        match HeaderValue::try_from(format!("{}/{id}", self.collection_path())) {
            Ok(location) if effect == OperationEffect::Created => answer.with(header::LOCATION, location),
            _ => answer,
        }
    }

    /// The address of the collection of a request that makes a resource, as it spells it.
    pub(super) fn collection_path(&self) -> &str {
        let path = self.http.uri.path();
        match path.split_once("/by/") {
            Some((collection, _)) if self.http.method == http::Method::PUT => collection,
            _ => path,
        }
    }
}

/// Says that an answer tells of a write that had been done before.
pub(super) fn replayed(answer: Answer) -> Answer {
    answer.with(REPLAYED, HeaderValue::from_static("true"))
}

/// The memory of a resource that was written.
pub(super) fn memory(effect: OperationEffect, collection: &str, written: &Written) -> OnceMemory {
    let Written { id, body, etag } = written.clone();
    let outcome = OperationOutcome::of_resource(effect, collection, id, body, etag);
    OnceMemory::Results(vec![RememberedResult::of(&outcome)])
}

/// The memory of a deletion, which has no answer.
pub(super) fn nothing<T>(_: &T) -> OnceMemory {
    OnceMemory::Answer(OperationEffect::Deleted, Json::Null)
}

/// The memory of an answer without resources.
pub(super) fn value(value: &Json) -> OnceMemory {
    OnceMemory::Answer(OperationEffect::Done, value.clone())
}

fn with_etag(etag: Option<String>, answer: Answer) -> Answer {
    match etag.and_then(|etag| HeaderValue::try_from(etag).ok()) {
        Some(etag) => answer.with(header::ETAG, etag),
        None => answer,
    }
}

fn answer(effect: OperationEffect, body: Vec<u8>) -> Answer {
    match effect {
        OperationEffect::Created => Answer::created(body),
        OperationEffect::Accepted => Answer { status: StatusCode::ACCEPTED, ..Answer::json(body) },
        _ => Answer::json(body),
    }
}

/// The name in a header: a string in quotes, as the draft has it, or the name alone.
fn name(text: &str) -> Option<String> {
    let text = text.trim();
    let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|_| text.len() > 1);
    let name = quoted.map_or_else(|| text.to_owned(), |inner| inner.replace("\\\"", "\"").replace("\\\\", "\\"));
    let visible = name.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
    (visible && (1..=LONGEST).contains(&name.len())).then_some(name)
}

fn invalid() -> Problem {
    let message = format!("Idempotency-Key must be given once, with 1 to {LONGEST} visible ASCII characters.");
    Problem::invalid_at("Idempotency-Key", "idempotency_key_invalid", message)
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_name_may_stand_in_quotes() {
        let most = "x".repeat(255);
        for (text, expected) in [
            ("6f1c", Some("6f1c")),
            ("\"6f1c\"", Some("6f1c")),
            ("\"a\\\"b\"", Some("a\"b")),
            ("", None),
            ("\"\"", None),
            ("\"", Some("\"")),
            (most.as_str(), Some(most.as_str())),
            (&"x".repeat(256), None),
            ("a\tb", None),
        ] {
            assert_eq!(name(text).as_deref(), expected, "{text}");
        }
    }
}
