//! Archives in their place, by their names.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use std::path::PathBuf;

/// The instant in a name.
const INSTANT: &str = "%Y%m%dT%H%M%SZ";
/// The ends of names: of plain archives, and of encrypted ones.
const ENDS: [&str; 2] = [".tar.gz", ".tar.gz.age"];

/// The name of an archive's file: `NAME-INSTANT.tar.gz`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArchiveName {
    tenant: String,
    made: Timestamp,
    encrypted: bool,
}

impl ArchiveName {
    /// The name of a tenant's archive of an instant.
    pub(super) fn new(tenant: &str, made: Timestamp, encrypted: bool) -> Self {
        ArchiveName { tenant: tenant.to_owned(), made, encrypted }
    }

    /// Returns the name as a text.
    pub(super) fn text(&self) -> String {
        format!("{}-{}{}", self.tenant, self.made.strftime(INSTANT), ENDS[usize::from(self.encrypted)])
    }

    /// Reads a name; none where a file has another one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let encrypted = text.ends_with(ENDS[1]);
        let (tenant, instant) = text.strip_suffix(ENDS[usize::from(encrypted)])?.rsplit_once('-')?;
        let made = DateTime::strptime(INSTANT, instant).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
        let name = ArchiveName::new(tenant, made, encrypted);
        (!tenant.is_empty() && name.text() == text).then_some(name)
    }

    /// Returns true if the archive is that of a tenant of this name.
    pub(super) fn is_of(&self, tenant: &str) -> bool {
        self.tenant == tenant
    }

    /// The archive of this name, with its path and length.
    pub(super) fn stored(self, path: PathBuf, bytes: u64) -> StoredArchive {
        let ArchiveName { tenant, made, encrypted } = self;
        StoredArchive { path, tenant, made, bytes, encrypted }
    }
}

/// An archive that lies in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredArchive {
    /// The path of its file, or its address in a bucket.
    pub path: PathBuf,
    /// The name of the tenant.
    pub tenant: String,
    /// The instant of which it is.
    pub made: Timestamp,
    /// The length of its file.
    pub bytes: u64,
    /// True if it is encrypted.
    pub encrypted: bool,
}

#[cfg(test)]
mod tests {
    use super::ArchiveName;

    #[test]
    fn names_come_back_and_others_are_none() {
        for text in ["acme-20261129T021500Z.tar.gz", "a-b-20261129T021500Z.tar.gz.age"] {
            assert_eq!(ArchiveName::parse(text).map(|name| name.text()).as_deref(), Some(text));
        }
        assert_eq!(ArchiveName::parse("a-b-20261129T021500Z.tar.gz").map(|name| name.tenant).as_deref(), Some("a-b"));
        for text in
            ["acme-20261129T021500Z.tar", "acme.tar.gz", "-20261129T021500Z.tar.gz", "acme-20261329T021500Z.tar.gz"]
        {
            assert_eq!(ArchiveName::parse(text), None, "{text}");
        }
    }
}
