//! Writes that happen once: a client names a write by a key, and sends it again where it got no answer
//! (draft-ietf-httpapi-idempotency-key-header-07).
//!
//! The outcome of a write is noted in its own transaction, so that it is done and remembered, or neither. A repetition
//! gets the same outcome, with resources as the caller reads them now. A failure is not noted: the write may be tried
//! again.

mod memory;
mod store;

pub use memory::{OnceMemory, RememberedResource, RememberedResult, Repetition, ToldResult};
pub use store::sweep;

use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use std::sync::Arc;
use tenant::Tenant;

/// The key by which a client names a write, and the digest of all that it sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The name, 1 to 255 characters. Each user has names of its own.
    pub name: String,
    /// The digest of route and body.
    pub digest: [u8; 32],
}

/// The outcome of a write that happens once.
#[derive(Debug)]
pub enum OnceOutcome<T> {
    /// It was done now.
    Done(T),
    /// It had been done before.
    Repeated(Repetition),
}

/// The form of the answer to a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerForm {
    /// The most bytes of resources that a repetition tells; none where it is 0.
    pub most: usize,
    /// True if decimals, and integers that floats cannot hold, come as texts.
    pub texts: bool,
}

/// Runs a job in one transaction, unless one with the same key was done before. `remember` says what is to be noted of
/// its outcome.
pub async fn write<T: Send + 'static>(
    tenant: &Arc<Tenant>,
    caller: &CallerKey,
    key: Option<IdempotencyKey>,
    form: AnswerForm,
    remember: impl Fn(&T) -> OnceMemory + Send + 'static,
    mut job: impl FnMut(&mut Tx<'_>, &RequestContext) -> Result<T> + Send + 'static,
) -> Result<OnceOutcome<T>> {
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let of_texts = form.texts.then(|| context.with_texts());
        let context = of_texts.as_ref().unwrap_or(context);
        let Some(key) = &key else { return job(tx, context).map(OnceOutcome::Done) };
        if let Some(memory) = store::begin(tx, context, key)? {
            return memory.repeated(tx, context, form.most).map(OnceOutcome::Repeated);
        }
        let done = job(tx, context)?;
        store::note(tx, context, key, &remember(&done))?;
        Ok(OnceOutcome::Done(done))
    };
    tenant.write(caller, job).await
}
