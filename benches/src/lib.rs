//! What the limit programs and the load driver share: the rows of the one table, and how they travel.
//!
//! The limit programs answer the same requests as Plinth for one fixed table, with no layer between
//! HTTP and the driver of the database. What they reach is what Plinth is measured against.

pub mod answer;
pub mod articles;
pub mod random;
pub mod request;
