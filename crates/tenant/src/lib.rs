//! An open tenant: its store, what is cached of it, its limits, the bytes of its files, the signals to its workers.

pub mod cache;
pub(crate) mod caller;
mod caller_job;
mod command;
mod figures;
pub mod handle;
mod latest;
pub mod limits;
pub mod loaded_model;
pub mod loader;
mod path;
pub mod storage;
mod tries;
pub mod worker;

pub use figures::TenantFigures;
pub use handle::Tenant;
pub use path::at;
