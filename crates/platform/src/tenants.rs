//! Tenants: which there are, their stores and models, and the one way in for requests.

mod call;
mod caller;
mod directory;
mod model;
mod platform;
mod tables;
mod tenant;

pub(crate) use crate::configuration::{AUTONUMBER, COUNTER};
pub use call::Call;
pub use platform::{Platform, Settings};
pub(crate) use tables::{KEY, THROTTLE};
pub use tenant::Tenant;
