//! Canvases: dashboards whose items are expressions over queries, served as data.
//!
//! A canvas grants nothing. Its queries run with the caller's rights, and an item that cannot be shown says why
//! and leaves the others as they are.

pub mod answer;
mod group_chart;
mod item;

pub use answer::answer;
