//! Users: who they are to the platform, passwords, sign-in and its throttles.

mod columns;
mod commands;
mod known;
mod passwords;
mod sign_in;
mod throttle;

pub use commands::{NewUser, UserSummary, create, disable, list, set_password};
pub(crate) use known::Known;
pub use passwords::Passwords;
pub use sign_in::SignIn;
