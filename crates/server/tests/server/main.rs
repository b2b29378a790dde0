//! The server at its boundary: HTTP, the command line, mails, pages and files, on both engines.
//!
//! One program for all of it: each would be linked with all crates, and would start a PostgreSQL of its own. What has
//! the machine to itself is another one, `abuse`.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod automations;
mod client_documents;
mod commands;
mod conformance;
mod edge;
mod monitoring;
mod outbox;
mod pages;
mod storage;
