//! The language as its users meet it: texts in, values or mistakes out.

mod catalogue;
mod compiled;
mod grammar;
mod place;
mod robustness;
