//! Many resources at once, from and to files: import and export.

pub mod export;
mod formula;
pub mod import;
pub mod source;
