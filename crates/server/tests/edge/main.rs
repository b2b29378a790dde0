//! The edge of HTTP, byte by byte: what reaches a route, what is refused, and how long anything may take.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod application;
mod framing;
mod logs;
mod memory;
mod methods;
mod pace;
mod resources;
mod served;
mod stopping;
mod subject;
