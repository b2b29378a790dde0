//! Reading collections, on both engines.

mod caching;
mod deep;
mod fields;
mod filters;
mod folded;
mod golden;
mod paging;
mod plans;
mod pushdown;
mod pushdown_dates;
mod pushdown_golden;
mod pushdown_parts;
mod pushdown_rows;
mod pushdown_weights;
mod pushdown_words;
mod random;
mod reference;
mod requests;
mod rights;
mod totals;
mod views;
pub(crate) mod world;
