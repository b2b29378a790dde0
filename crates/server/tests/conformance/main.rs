//! The conformance suite: what the contract says, asked over HTTP, on both engines.
//!
//! The tenant is the fixture of the crate `testing`, unless a test gives its own files.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod audit;
mod caching;
mod caching_random;
mod calculated_relations;
mod canvases;
mod commands;
mod concurrency;
mod context;
mod creates;
mod datetimes;
mod deletes;
mod downloads;
mod env;
mod errors;
mod fields;
mod file_values;
mod filters;
mod grants;
mod hostile;
mod keys;
mod limits;
mod lists;
mod login_as;
mod metadata;
mod nodes;
mod non_interference;
mod notifications;
mod openapi;
mod options;
mod patches;
mod private_tags;
mod processes;
mod properties;
mod queries;
mod read_log;
mod reads;
mod recalculation;
mod reference;
mod refusals;
mod registration;
mod relation_filters;
mod requests;
mod rights;
mod rollups;
mod rollups_random;
mod search;
mod secrets;
mod sign_in;
mod tag_caching;
mod tag_writers;
mod tagged;
mod tags;
mod totals;
mod transport;
mod uploads;
mod users;
mod validators;
mod wrapped_input;
mod wrapping;
