//! HTTP, command line and processes of Plinth.

pub mod commands;
