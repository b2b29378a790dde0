//! Users: who they are to the platform, passwords, sign-in and its throttles.

pub(crate) mod acting;
pub(crate) mod active;
pub(crate) mod authority;
mod commands;
mod credentials;
pub(crate) mod known;
pub(crate) mod person;
mod sign_in;
mod throttle;
pub(crate) mod with_roles;

pub use commands::{
    NewUser, NewUserKey, UserSummary, create, create_key, create_scoped_key, disable, list, may_use_keys, set_password,
};
pub(crate) use credentials::changed as credentials_changed;

pub use person::{Person, id_of};
pub(crate) use sign_in::prove;
pub use sign_in::{Credentials, SignIn, sign_in};
