//! Tenants: which there are, their stores and models, and the one way in for requests.

mod answer;
mod call;
mod caller;
mod directory;
mod latest;
mod model;
mod path;
mod platform;
mod tenant;

pub use call::Call;
pub use path::at;
pub use platform::{Platform, Settings};
pub use tenant::Tenant;
