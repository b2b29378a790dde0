//! Many resources at once, from and to files: import and export.

pub mod export;
pub mod import;
