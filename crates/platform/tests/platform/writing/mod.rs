//! Writing resources, users, keys and sign-in, on both engines.

mod concurrent;
mod creating;
mod deleting;
mod deleting_tenants;
mod effort;
mod histories;
mod keys;
mod patching;
mod replacing;
mod rotation;
pub(crate) mod setup;
mod sign_in;
mod statements;
mod tallies;
mod together;
mod users;
