//! Accounts that register, prove an address or a number, and recover: user.register, user.challenge,
//! user.retrychallenge, user.cancelregistration and user.resetpassword.

pub mod cancel;
mod challenge;
mod code;
mod members;
mod method;
pub mod register;
mod request;
pub mod reset;
pub mod retry;
mod secret;
mod send;
mod state;
mod validity;
pub mod verify;

pub use cancel::{Cancellation, cancel};
pub use challenge::ChallengePage;

pub use register::{Registered, envelope, register};
pub use reset::{Reset, ResetLink, ask_reset, reset, reset_link, reset_with};
pub use retry::{Retry, retry};
pub use verify::{Outcome, Proof, VerifiedAccount, challenge_page, verify};

use context::request_context::RequestContext;
use database::{Tx, Value};
use messages::outbox::{Method, OutboxTask};
use model::error::{Error, Result};

/// Does what was put off: the handler of the outbox's tasks. It is run in the transaction that marks the task as done.
pub fn run_task(tx: &mut Tx<'_>, context: &RequestContext, task: &OutboxTask) -> Result<()> {
    match task.kind.as_str() {
        retry::TASK => retry::recover(tx, context, &task.input),
        reset::TASK => reset::send(tx, context, &task.input),
        other => Err(Error::failed(format!("there is no task {other}"))),
    }
}

/// Ends the links and codes that a user was sent, as the login or the password is another.
pub(crate) fn end_secrets(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<()> {
    challenge::end_secrets(tx, context, user, None)?;
    reset::end_links(tx, context, user)
}

/// Ends the codes that a user was sent by SMS, as the phone number is another.
pub(crate) fn end_texts(tx: &mut Tx<'_>, context: &RequestContext, user: i64) -> Result<()> {
    challenge::end_secrets(tx, context, user, Some(Method::SmsCode))
}

/// Forgets what there is of users that are deleted; what was not sent to them yet is not sent.
pub fn forget_users(tx: &mut Tx<'_>, context: &RequestContext, users: &[Value]) -> Result<()> {
    challenge::forget(tx, context, users)?;
    reset::forget(tx, users)
}
