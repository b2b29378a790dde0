//! Values of the expression language: their kinds, their operators, and the bounds of the evaluation that computes with
//! them. What lies outside of an evaluation comes by [`Providers`]; the crate does no I/O and has no clock.

mod account;
pub mod base64;
pub mod compare;
pub mod convert;
pub mod error;
mod host;
mod joined_text;
mod language_rules;
pub mod numeric;
pub mod operators;
mod providers;
mod run;
pub mod size;
pub mod types;
pub mod value;
mod variables;
pub mod wire;

pub use account::StepAccount;
pub use error::{Diagnostic, Fault, MistakeCode, Result, Span};
pub use host::{HostProviders, missing};
pub use joined_text::JoinedText;
pub use language_rules::LanguageRules;
pub use providers::{NoProviders, Providers};
pub use run::{MemoryMark, Run, RunLimits};
pub use value::Value;
pub use variables::Variables;
