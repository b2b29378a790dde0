//! The domain of Plinth, without HTTP: tenants, types, resources, users, keys.
//!
//! Nothing here knows status codes, headers or paths; `server` maps [`model::Error`] to them in one place.

pub mod audit_log;
pub mod automations;
pub mod cache;
pub mod canvases;
pub mod configuration;
pub mod explain;
pub mod expressions;
pub mod files;
pub mod keys;
pub mod limits;
pub mod notifications;
pub mod outbox;
pub mod queries;
pub mod read_log;
pub mod registration;
pub mod resources;
pub mod secrets;
pub mod sessions;
pub mod tags;
pub mod tenants;
pub mod trials;
pub mod users;
pub(crate) mod worker;

pub use worker::Sample;
