//! The expression language of Plinth: `{=...}` compiled once, checked when configuration is loaded, evaluated
//! within bounds. The crate does no I/O and knows no clock, randomness, environment or database: its caller
//! supplies them with a [`Run`].

#![doc = include_str!("../README.md")]

mod analysis;
pub mod catalogue;
mod check;
mod compile;
mod evaluate;
pub mod example_place;
mod facts;
mod finding;
mod foreign_characters;
mod foreign_words;
mod functions;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod lexer;
pub mod members;
mod moment_facts;
mod name_facts;
mod narrowing;
mod operate;
mod parser;
mod reference;
pub mod scope;
mod spreadsheet_functions;
pub mod syntax;
mod template;
mod typed;

pub use facts::ProgramFacts;
pub use finding::{Finding, Fix, Severity};
pub use functions::charlist;
pub use name_facts::ChangeQuestion;
pub use scope::Scope;
pub use template::{MAXIMUM_LENGTH, Program};
pub use values::{Diagnostic, Fault, HostProviders, LanguageRules, MistakeCode, NoProviders, Providers, Result, Run};
pub use values::{RunLimits, Span, StepAccount, Value, compare, convert, numeric, operators, value, wire};

use values::error;
