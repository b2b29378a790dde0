//! Limits of rate: how many requests each key and each address may send, exact over all nodes.
//!
//! A window of an allowance begins with its first request. A node hands out what it leased from the store
//! ([`database::Store::lease`]): all of a window at once where it is alone, a block at a time where there are
//! several nodes, so that what all of them let through never exceeds the limit. A request costs a look into one
//! small set of a table of fixed size.

mod admit;
mod refusals;
pub mod sign_in_turns;
mod table;
mod upload_turns;

pub use admit::Admitted;
pub use admit::{AddressCharge, Gates};
pub use refusals::{RefusalAllowance, RefusalPause};
pub use upload_turns::{UploadTurn, UploadTurns};
