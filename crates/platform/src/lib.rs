//! What Plinth does, without HTTP: tenants, types, resources, users, keys.
//!
//! Nothing here knows status codes, headers or paths; `server` maps [`Error`] to them in one place.

pub mod actor;
pub mod audit;
pub mod automations;
pub mod cache;
pub mod canvases;
pub mod configuration;
pub mod cron;
pub mod cursor;
pub mod error;
pub mod explain;
pub mod expressions;
pub mod files;
pub mod json;
pub mod keys;
pub mod kinds;
pub mod limits;
pub mod notifications;
pub mod outbox;
pub mod outgoing;
pub mod queries;
pub mod read_log;
pub mod registration;
pub mod resources;
pub mod secrets;
pub mod sessions;
mod tables;
pub mod tags;
pub mod tenants;
pub(crate) mod throttle;
pub mod trials;
pub mod types;
pub mod users;
pub mod vault;
pub mod work;
pub(crate) mod worker;

pub use error::{Error, ErrorKind, Problem, Result};
