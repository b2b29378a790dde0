//! The platform at its boundary: files, models, resources and users, on both engines.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod configuration;
mod importing;
mod kinds;
mod outbox;
mod reading;
mod writing;
