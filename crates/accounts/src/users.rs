//! Users: who they are to the platform, passwords, sign-in and its throttles.

mod commands;
mod credentials;
pub mod sign_in;
mod throttle;

pub use commands::{
    NewUser, NewUserKey, UserSummary, create, create_key, create_scoped_key, disable, list, may_use_keys, set_password,
};
pub use credentials::changed as credentials_changed;

pub(crate) use sign_in::prove;
pub use sign_in::{Credentials, SignIn, sign_in};
