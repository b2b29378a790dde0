//! Expressions at work: the places where configured texts stand, what they are compiled against, and what they run on.
//!
//! A text is compiled once, with the model, by [`compile`]; it runs on the platform's own records
//! ([`StoredResource`]), whose relations are read through the transaction only when a path walks along them.

mod accept;
mod evaluate;
mod find;
mod handed;
mod inside;
mod json;
mod links;
mod parts;
mod place;
mod providers;
mod resource;
mod results;
mod seen;
mod shape;
mod values;

pub use accept::accept;
pub(crate) use accept::cell;
pub use evaluate::{evaluate, holds};
pub use handed::Handed;
pub(crate) use inside::Inside;
pub use json::{of_json, to_json};
pub use parts::{Parts, Rights, Secrets};
pub use place::{Place, compile};
pub use providers::{PlatformProviders, Reading};
pub use resource::StoredResource;
pub(crate) use resource::reference;
pub use shape::{NoResource, Shapes, TypeShape};
