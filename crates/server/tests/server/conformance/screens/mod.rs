//! The routes for programs with screens, beside the collections: the model, trial writes, settings, views, pickers, tags.

mod model;
mod pickers;
mod settings;
mod tag_fields;
mod trials;
mod views;
