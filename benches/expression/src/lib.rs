//! The expression language beside other engines and beside hand-written Rust, on the same records.

pub mod case;
pub mod engines;
pub mod hand;
pub mod ours;
pub mod record;
pub mod tasks;
