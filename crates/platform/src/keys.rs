//! API keys: their text, their rows, what they may; the contract's API key object.

mod base62;
mod create;
mod login_as;
mod object;
mod revoke;
mod scopes;
mod status;
mod text;
pub(crate) mod validity;

pub(crate) use create::check_description;
pub use create::{NewKey, Origin, create};
pub use login_as::{Whom, end_login_as, login_as, logins_as};
pub use object::ApiKey;
pub use revoke::{revoke, revoke_of_user, revoke_own};
pub(crate) use revoke::{revoke_of_password, revoke_of_users};
pub use scopes::{Scope, Scopes};
pub(crate) use status::of_registration;
pub use status::{KeyStatus, list};
pub use text::KeyText;
pub(crate) use text::refused;
pub(crate) use validity::Validity;
