//! The pages for people: over HTTP, and in a browser.

mod accounts;
mod acting_sessions;
mod api_sessions;
mod browser;
mod console;
mod forms;
mod frame;
mod resetting;
mod sessions;
mod verification;
pub(crate) mod visitor;
