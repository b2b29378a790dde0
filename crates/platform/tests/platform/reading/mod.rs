//! Reading collections, on both engines.

mod fields;
mod filters;
mod paging;
mod requests;
mod world;
