//! What programs with screens need beside the collections: the model, trial writes, settings, views, pickers, tags.

mod model;
mod settings;
mod trials;
mod views;
