//! Users as resources: who acts, and which of them are active.

pub mod active;
pub mod authority;
pub mod known;
pub mod own_row;
pub mod person;
pub mod with_roles;

pub use person::{Person, id_of};
