//! The other engines, each as its documentation says to use it: compiled once, names bound once.

#[cfg(feature = "engines")]
pub mod cel;
#[cfg(feature = "engines")]
pub mod evalexpr;
#[cfg(feature = "engines")]
pub mod minijinja;
pub mod quickjs;
#[cfg(feature = "engines")]
pub mod rhai;
#[cfg(feature = "engines")]
pub mod zen;

/// The record's properties.
fn properties(record: &serde_json::Value) -> impl Iterator<Item = (&String, &serde_json::Value)> {
    record.as_object().into_iter().flatten()
}
