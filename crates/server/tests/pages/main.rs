//! The pages for people: over HTTP, and in a browser.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod accounts;
mod browser;
mod forms;
mod frame;
mod resetting;
mod sessions;
mod verification;
mod visitor;
