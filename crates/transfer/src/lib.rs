//! Many resources at once, from and to files: import and export.

mod column_letters;
pub mod export;
mod formula;
pub mod import;
pub mod source;

pub use formula::guarded as guarded_cell;
