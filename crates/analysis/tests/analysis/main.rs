//! Analysis of texts, whole and cut.

#![expect(clippy::unwrap_used, reason = "a test that meets what it does not expect has failed")]

mod cut;
mod places;
mod shop;
