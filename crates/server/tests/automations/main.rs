//! Automations: what happens on its own, when something has happened.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod crashes;
mod documentation;
mod events;
mod files;
mod guards;
mod http;
mod runs;
mod secrets;
mod steps;
