//! Users: who they are to the platform, passwords, sign-in and its throttles.

pub(crate) mod acting;
mod active;
mod authority;
mod commands;
mod credentials;
mod known;
mod person;
mod sign_in;
mod throttle;
mod with_roles;

pub(crate) use active::active_name;
pub(crate) use authority::{check_change, check_deletion, check_new, check_release};

pub use commands::{
    NewUser, NewUserKey, UserSummary, create, create_key, create_scoped_key, disable, id_of, list, may_use_keys,
    set_password,
};
pub(crate) use credentials::changed as credentials_changed;
pub(crate) use known::Known;

pub use person::Person;
pub(crate) use person::unkeyed;
pub use sign_in::{Credentials, SignIn};
pub(crate) use with_roles::with_roles;
