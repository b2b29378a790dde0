//! Findings of the analysis of types: texts in, codes and marked spans out.

mod forty;
mod functions;
mod narrowing;
mod operators;
mod place;
mod refusals;
mod remedies;
mod reported;
mod row;
mod types;
mod unlike;
