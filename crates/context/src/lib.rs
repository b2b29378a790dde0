//! The request context, which every domain function is given: the actor, the tenant's keys, notes for the audit log.
//!
//! No rows of resources, no HTTP, no open tenants: those rest on this.

pub mod actor;
pub mod allowed_notifications;
pub mod allowed_tags;
pub mod audit;
pub mod base62;
pub mod caller_key;
pub mod counter;
pub mod freeze;
pub mod key_owner;
pub mod key_text;
pub mod key_uses;
pub mod listener;
pub mod name_suggestions;
pub mod nesting;
pub mod passwords;
pub mod reads;
pub mod request_context;
pub mod scopes;
pub mod secret_store;
pub mod some_rows;
pub mod spool;
pub mod stored_reference;
pub mod stored_resource;
pub mod tables;
pub mod throttle;
pub mod validity;
pub mod value_json;
pub mod values;
pub mod vault;
pub mod versions;
