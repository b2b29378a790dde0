//! The expression language of Plinth: `{=...}` compiled once, checked when configuration is loaded, evaluated
//! within bounds. The crate does no I/O and knows no clock, randomness, environment or database: its caller
//! supplies them with a [`Run`].

pub mod catalogue;
pub mod compare;
pub mod convert;
pub mod datetime;
mod error;
mod functions;
mod lexer;
pub mod numeric;
pub mod operators;
mod parser;
mod run;
pub mod value;

pub use error::{Code, Diagnostic, Fault, Result, Span};
pub use run::{Limits, Providers, Run};
pub use value::Value;
