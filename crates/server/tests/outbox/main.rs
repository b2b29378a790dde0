//! What leaves the server: mails and SMS, and what becomes of them when things go wrong.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod administrators;
mod clocks;
mod crashes;
mod files;
mod gateway;
mod lanes;
mod marked;
mod messages;
mod nodes;
mod skew;
mod smtp;
