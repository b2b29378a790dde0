//! Reading collections, on both engines.

mod caching;
mod fields;
mod filters;
mod golden;
mod paging;
mod random;
mod reference;
mod requests;
mod rights;
pub(crate) mod world;
