//! What leaves the server: mails and SMS, and what becomes of them when things go wrong.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod administrators;
mod crashes;
mod files;
mod gateway;
mod messages;
mod nodes;
mod smtp;
