//! API keys: their text, their rows, what they may; the contract's API key object.

mod create;
mod last_use;
mod login_as;
mod object;
mod revoke;
mod status;

pub(crate) use create::{FULL, check_description, sweep};
pub use create::{NewKey, Origin, create};
pub(crate) use last_use::note_uses;
pub use login_as::{Whom, end_login_as, login_as, logins_as};
pub use object::ApiKey;
pub use revoke::{revoke, revoke_by_text, revoke_of_user, revoke_own};
pub(crate) use revoke::{revoke_of_password, revoke_of_users};

pub(crate) use status::of_registration;
pub use status::{KeyStatus, list, status};
