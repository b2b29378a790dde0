//! Files of resources: where their bytes lie, and the rows that speak of them.
//!
//! Bytes come first: they are on disk under a generated name before any row names them, so that no row ever lacks
//! its file. An upload gives a promise; a write of a resource turns promises into attachments in its own
//! transaction. What no row names any more is swept later.

mod attachment;
mod bucket;
mod change;
mod folder;
mod key;
mod made;
mod names;
mod open;
mod promise;
mod resolve;
mod root;
mod sniff;
mod storage;
mod sweep;
mod upload;

pub use attachment::Attachment;
pub use bucket::BucketOptions;
pub use key::Key;
pub(crate) use key::{is_token, token};

pub use open::{Opened, linked_file, named_file};
pub use storage::{Content, Draft, FileStorage, Files, Stored};
pub use sweep::{Swept, sweep_files};
pub use upload::{Received, Receiving, Target, discard, receive, upload_target, write_promises};

pub(crate) use change::Change;

pub(crate) use made::{Made, store_made};

pub(crate) use promise::{abandon_property, abandon_resources, save};
pub(crate) use resolve::{Wish, resolve};
pub(crate) use root::read_below;
pub(crate) use sniff::describe;
