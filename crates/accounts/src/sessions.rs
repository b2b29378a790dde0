//! Sessions of users in browsers: begun by signing in, found by a token that the browser keeps, ended by their user
//! or by whatever changes who may sign in.

mod change;
mod find;
mod proof;
mod session;
mod sign_in;
mod token;
pub mod visit;

pub use change::end_of_users;
pub use change::{begin, end, end_others};
pub use proof::ApiProof;
pub use session::{Browser, Session, list};
pub use sign_in::{PageSignIn, sign_in_to_pages};
pub use token::SessionToken;
pub use visit::{Visit, begin_session, read_visit, visit, write_visit};

/// For how long a session lasts in which nothing is asked, in milliseconds.
pub const IDLE: i64 = 2 * 60 * 60 * 1_000;
/// For how long a session lasts at most.
pub const LONGEST: i64 = 24 * 60 * 60 * 1_000;
