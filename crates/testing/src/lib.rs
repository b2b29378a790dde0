//! The parts that the tests of all crates need: a PostgreSQL of their own, a server under test, a client.

mod answers;
mod choices;
mod client;
mod engine;
#[cfg(feature = "server")]
mod environment;
mod extended;
#[cfg(feature = "server")]
mod fixture;
#[cfg(feature = "server")]
mod gateway;
#[cfg(feature = "server")]
mod outgoing;
mod place;
mod postgres;
mod process;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod smtp;

pub use choices::Choices;
pub use client::{Client, Reply, Request, form};
pub use engine::{Engine, Subject, run, run_alone, run_within};
#[cfg(feature = "server")]
pub use environment::{TestClock, environment};
#[cfg(feature = "server")]
pub use fixture::{FILES, File};
#[cfg(feature = "server")]
pub use gateway::{GatewayAnswer, SmsGateway};
#[cfg(feature = "server")]
pub use outgoing::{Mail, Sms};
pub use place::{Place, Templates};
pub use postgres::{Cluster, Pooler, has_roles, is_pooled, postgres, served_url};
pub use process::Process;
#[cfg(feature = "server")]
pub use server::{Login, Server, Started};
#[cfg(feature = "server")]
pub use smtp::{SmtpFault, SmtpServer, SmtpStep, SmtpTls};
