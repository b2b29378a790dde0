//! The routes for programs with screens, beside the collections: the model, trial writes, settings, views, pickers, tags.

mod languages;
mod model;
mod parameters;
mod pickers;
mod sections;
mod settings;
mod sources;
mod tag_fields;
mod trials;
mod views;
