//! API keys: their text, their rows, what they may; the contract's API key object.

mod create;
mod last_use;
pub mod login_as;
mod object;
pub mod own;
pub mod revoke;
pub(crate) mod session_key;
pub mod status;

pub use create::sweep;
pub(crate) use create::{FULL, check_description};
pub use create::{NewKey, Origin, create};
pub use last_use::note_uses;
pub use login_as::{ActingKey, NamedUser, Whom, acting_key, end_login_as, login_as, logins_as};
pub use object::ApiKey;
pub(crate) use revoke::revoke_of_password;
pub(crate) use revoke::revoke_of_user;
pub use revoke::revoke_of_users;
pub use revoke::{revoke, revoke_by_text, revoke_own};

pub(crate) use status::of_registration;
pub use status::{KeyStatus, list, status};
