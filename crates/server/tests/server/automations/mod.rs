//! Automations: what happens on its own, when something has happened.

mod administrators;
mod causers;
mod changes;
mod crashes;
mod documentation;
mod events;
mod files;
mod guards;
mod hooks;
mod http;
mod importing;
mod inverses;
mod keys;
mod lanes;
mod memory;
mod processes;
mod rotation;
pub(crate) mod runs;
mod schedules;
mod secrets;
mod skew;
mod steps;
mod virtual_values;
