//! Files of resources: where their bytes lie, and the rows that speak of them.
//!
//! Bytes come first: they are on disk under a generated name before any row names them, so that no row ever lacks
//! its file. An upload gives a promise; a write of a resource turns promises into attachments in its own
//! transaction. What no row names any more is swept later.

mod again;
mod attachment;
mod change;
mod made;
mod names;
mod open;
mod promise;
mod promised;
mod resolve;
mod root;
mod sniff;
mod sweep;
mod upload;

pub use again::store_again;
pub use attachment::Attachment;

pub use open::{Opened, linked_file, named_file};
pub use sweep::{Swept, hold, release, release_all, sweep_files};
pub use upload::{Received, Receiving, Target, discard, receive, upload_target, write_promises};

pub(crate) use change::FileChange;

pub use made::Made;
pub use made::store_made;

pub use promise::abandon_property;
pub(crate) use promise::{abandon_resources, save};
pub(crate) use resolve::{FileWish, resolve};
pub(crate) use root::read_below;
pub(crate) use sniff::describe;
