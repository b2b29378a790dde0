//! Users: who they are to the platform, passwords, sign-in and its throttles.

mod active;
mod columns;
mod commands;
mod known;
mod passwords;
mod person;
mod sign_in;
mod throttle;
mod with_roles;

pub(crate) use active::active_name;
pub use columns::USER_TYPE;
pub(crate) use columns::{USERS, decides_about_sign_in, guarded, property};
pub use commands::{
    NewUser, NewUserKey, UserSummary, create, create_key, create_scoped_key, disable, id_of, list, set_password,
};
pub(crate) use known::Known;
pub(crate) use passwords::check as check_password;
pub use passwords::{PasswordHash, Passwords, generate as generate_password};
pub use person::Person;
pub(crate) use person::unkeyed;
pub use sign_in::{Credentials, SignIn};
pub(crate) use with_roles::with_roles;
