//! Analysis of texts, whole and cut.

mod cut;
mod places;
mod shop;
