//! What leaves the server: mails and SMS, and what becomes of them when things go wrong.

mod administrators;
mod clocks;
pub(crate) mod crashes;
mod files;
mod gateway;
mod lanes;
mod marked;
mod messages;
mod nodes;
mod skew;
mod smtp;
