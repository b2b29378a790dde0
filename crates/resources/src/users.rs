//! Users as resources: who acts, and which of them are active.

pub mod acting;
pub mod active;
pub mod authority;
pub mod known;
pub mod person;
pub mod with_roles;

pub use person::{Person, id_of};
