//! Accounts that register, prove an address or a number, and recover: user.register, user.challenge,
//! user.retrychallenge, user.cancelregistration and user.resetpassword.

mod cancel;
mod challenge;
mod code;
mod email;
mod members;
mod method;
mod phone;
mod redirect;
mod register;
mod request;
mod reset;
mod retry;
mod secret;
mod send;
mod state;
mod validity;
mod verify;

pub use cancel::{Cancellation, cancel};
pub use email::EmailAddress;
pub use phone::PhoneNumber;
pub use redirect::{RedirectUrl, Redirects};
pub use register::{Registered, envelope};
pub use reset::{Reset, ResetLink, reset};
pub use retry::{Retry, retry};
pub use verify::{Outcome, Proof, Verified};

use crate::error::{Error, Result};
use crate::outbox::Task;
use crate::tenants::Call;
use database::{Tx, Value};

/// Does what was put off: the handler of the outbox's tasks. It is run in the transaction that marks the task as done.
pub fn run_task(tx: &mut Tx<'_>, call: &Call, task: &Task) -> Result<()> {
    match task.kind.as_str() {
        retry::TASK => retry::recover(tx, call, &task.input),
        reset::TASK => reset::send(tx, call, &task.input),
        other => Err(Error::failed(format!("there is no task {other}"))),
    }
}

/// Forgets what there is of users that are deleted; what was not sent to them yet is not sent.
pub(crate) fn forget_users(tx: &mut Tx<'_>, call: &Call, users: &[Value]) -> Result<()> {
    challenge::forget(tx, call, users)?;
    reset::forget(tx, users)
}
