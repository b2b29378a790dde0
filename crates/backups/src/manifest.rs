//! The manifest of an archive: where it comes from, and all that is in it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The description of an archive, which is its last member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the archive's form, [`Manifest::FORMAT`].
    pub format: u32,
    /// The version of Plinth that made it.
    pub plinth: String,
    /// The name of the tenant.
    pub tenant: String,
    /// The engine that the rows come from: `sqlite` or `postgres`.
    pub engine: String,
    /// The instant of which the rows are.
    pub made: Timestamp,
    /// The number of rows of each table.
    pub rows: BTreeMap<String, u64>,
    /// The members of the archive in their order, without the manifest.
    pub members: Vec<Member>,
}

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

impl Manifest {
    /// The form that this version writes, and the newest that it reads.
    pub const FORMAT: u32 = 1;

    /// Returns the number of uploaded files, and of their bytes.
    pub fn files(&self) -> (u64, u64) {
        let files = self.members.iter().filter(|member| member.name.starts_with("files/"));
        files.fold((0, 0), |(count, bytes), member| (count + 1, bytes + member.bytes))
    }

    /// Returns the number of rows of the tenant's types, without those that the platform keeps.
    pub fn records(&self) -> u64 {
        let own = self.rows.iter().filter(|(table, _)| table.starts_with('t'));
        own.map(|(_, rows)| rows).sum()
    }
}
