//! The language as its users meet it: texts in, values or mistakes out.

mod abuse;
mod availability;
mod bits;
mod catalogue;
mod compiled;
mod dates_and_intervals;
mod facts;
mod foreign;
mod general;
mod grammar;
mod messages;
mod place;
mod providers;
mod robustness;
mod run_time_messages;
mod several;
