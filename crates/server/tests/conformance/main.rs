//! The conformance suite: what the contract says, asked over HTTP, on both engines.
//!
//! The tenant is the fixture of the crate `testing`, unless a test gives its own files.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod concurrency;
mod creates;
mod datetimes;
mod deletes;
mod errors;
mod fields;
mod filters;
mod keys;
mod lists;
mod nodes;
mod openapi;
mod options;
mod patches;
mod processes;
mod reads;
mod reference;
mod refusals;
mod requests;
mod rights;
mod transport;
mod users;
