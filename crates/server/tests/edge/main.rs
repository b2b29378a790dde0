//! The edge of HTTP, byte by byte: what reaches a route, what is refused, and how long anything may take.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod framing;
mod methods;
mod pace;
mod served;
mod subject;
