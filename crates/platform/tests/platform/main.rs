//! The platform at its boundary: files, models, resources and users, on both engines.

mod configuration;
mod kinds;
mod reading;
