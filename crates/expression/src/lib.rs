//! The expression language of Plinth: `{=...}` compiled once, checked when configuration is loaded, evaluated
//! within bounds. The crate does no I/O and knows no clock, randomness, environment or database: its caller
//! supplies them with a [`Run`].

#![doc = include_str!("../README.md")]

mod account;
mod analysis;
pub mod catalogue;
mod check;
pub mod compare;
mod compile;
pub mod convert;
mod error;
mod evaluate;
pub mod example_place;
mod facts;
mod finding;
mod foreign_words;
mod functions;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod host;
mod joined_text;
mod lexer;
mod name_facts;
mod narrowing;
pub mod numeric;
mod operate;
pub mod operators;
mod parser;
mod providers;
mod run;
pub mod scope;
pub mod syntax;
mod template;
pub mod value;
mod value_type;
pub mod wire;

pub use account::StepAccount;
pub use error::{Diagnostic, Fault, MistakeCode, Result, Span};
pub use facts::ProgramFacts;
pub use finding::{Finding, Fix, Severity};
pub use functions::charlist;
pub use host::HostProviders;
pub use name_facts::ChangeQuestion;
pub use providers::{NoProviders, Providers};
pub use run::{Run, RunLimits};
pub use scope::Scope;
pub use template::{MAXIMUM_LENGTH, Program};
pub use value::Value;
