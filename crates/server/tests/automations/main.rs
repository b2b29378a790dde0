//! Automations: what happens on its own, when something has happened.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod administrators;
mod changes;
mod crashes;
mod documentation;
mod events;
mod files;
mod guards;
mod hooks;
mod http;
mod keys;
mod processes;
mod rotation;
mod runs;
mod schedules;
mod secrets;
mod steps;
mod virtual_values;
