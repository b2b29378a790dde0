//! The tenants of a process: their directory, the way in for requests, and the workers that look after them.
//!
//! Nothing here knows status codes, headers or paths; `server` maps [`model::error::Error`] to them in one place.

#[cfg(test)]
mod fixtures;
pub mod tenants;
pub(crate) mod worker;
