//! The edge of HTTP, byte by byte: what reaches a route, what is refused, and how long anything may take.

mod application;
mod backlog;
mod framing;
mod logs;
mod memory;
mod methods;
mod pace;
mod proxy_protocol;
mod resources;
mod served;
mod stopping;
mod subject;
mod tls;
