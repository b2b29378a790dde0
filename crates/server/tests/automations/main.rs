//! Automations: what happens on its own, when something has happened.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod events;
mod runs;
mod secrets;
mod steps;
