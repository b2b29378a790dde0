//! The other engines, each as its documentation says to use it: compiled once, names bound once.

pub mod cel;
pub mod evalexpr;
pub mod minijinja;
pub mod quickjs;
pub mod rhai;
pub mod zen;

/// The record's properties.
fn properties(record: &serde_json::Value) -> impl Iterator<Item = (&String, &serde_json::Value)> {
    record.as_object().into_iter().flatten()
}
