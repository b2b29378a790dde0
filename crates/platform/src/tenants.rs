//! Tenants: which there are, their stores and models, and the one way in for requests.

mod call;
mod caller;
mod directory;
mod model;
mod platform;
mod tables;
mod tenant;

pub use call::Call;
pub(crate) use call::uuid_text;
pub(crate) use tables::{KEY, THROTTLE};
pub use platform::{Platform, Settings};
pub use tenant::Tenant;
