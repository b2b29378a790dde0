//! Tenants: which there are, their stores and models, and the one way in for requests.

mod answer;
pub(crate) mod caller;
mod command;
mod creation;
mod directory;
mod execute;
mod latest;
mod listener;
mod load;
pub(crate) mod loaded_model;
pub(crate) mod loader;
pub mod master_key;
mod node;
mod path;
mod platform;
mod sweep;
mod tenant;
mod tries;
mod uses;

pub use answer::{answer, current_user};
pub use path::at;
pub use platform::{Platform, Settings};
pub use tenant::Tenant;
