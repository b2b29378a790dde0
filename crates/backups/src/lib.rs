//! Backups of a tenant: an archive that both engines make and restore.
//!
//! An archive is a tar file, compressed by gzip: `tenant.db`, the tenant's rows as a file of SQLite, whatever engine they
//! come from; `files/KEY`, the bytes of each uploaded file; and at last `manifest.json`, with the length and digest of
//! each of them. So what is cut off has no manifest, and is refused. With recipients, the file is in the format of age.

mod archive;
mod encryption;
mod manifest;
mod retention;
mod rows;

pub use archive::{ArchiveWriter, MemberName, read};
pub use encryption::{Identities, Recipients, SealedWriter, is_encrypted, unseal};
pub use manifest::{Manifest, Member};
pub use retention::Retention;
pub use rows::{build, copy, tables};
