//! Tenants: which there are, their stores and models, and the one way in for requests.

mod answer;
mod call;
mod caller;
mod directory;
mod latest;
mod model;
mod platform;
mod tenant;

pub use call::Call;
pub use platform::{Platform, Settings};
pub use tenant::Tenant;
