//! The model of a tenant as its files describe it: types, kinds of values, roles, queries, canvases, automations.
//!
//! Data and their checks alone: no requests, no statements, no clock of its own.

pub mod automation;
pub mod base_address;
pub mod canvas;
pub mod correction;
pub mod cron;
pub mod cursor;
pub mod display;
pub mod email;
pub mod environment;
pub mod error;
pub mod file_link;
pub mod file_member;
pub mod groups;
pub mod json;
pub mod kinds;
pub mod parameters;
pub mod phone;
pub mod place;
pub mod query;
pub mod rate;
pub mod redirect;
pub mod references;
pub mod shape;
pub mod suggestion;
pub mod table_names;
pub mod types;
pub mod used_properties;
pub mod user_columns;

pub use error::{Error, ErrorKind, InputProblem, Result};
