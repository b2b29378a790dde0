//! Archives: written and read in one pass, each member with its digest.

use crate::manifest::{Manifest, Member};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use model::error::{Error, Result};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, BufReader, Read, Write};

const ROWS: &str = "tenant.db";
const FILES: &str = "files/";
const MANIFEST: &str = "manifest.json";
/// The most characters of a file's key.
const LONGEST_KEY: usize = 64;
/// The most bytes of a manifest: those of some hundred thousand files.
const LARGEST_MANIFEST: u64 = 64 << 20;

/// The place of a member in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberName {
    /// The tenant's rows, as a file of SQLite.
    Rows,
    /// The bytes of an uploaded file, by its key.
    File(String),
}

impl MemberName {
    fn parse(name: &str) -> Option<Self> {
        if name == ROWS {
            return Some(MemberName::Rows);
        }
        let key = name.strip_prefix(FILES)?;
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        ((1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(is_plain)).then(|| MemberName::File(key.to_owned()))
    }

    fn text(&self) -> String {
        match self {
            MemberName::Rows => ROWS.to_owned(),
            MemberName::File(key) => format!("{FILES}{key}"),
        }
    }
}

/// An archive that is being written.
pub struct ArchiveWriter<W: Write> {
    tar: tar::Builder<GzEncoder<W>>,
    members: Vec<Member>,
}

impl<W: Write> ArchiveWriter<W> {
    /// Begins an archive.
    pub fn new(into: W) -> Self {
        // The bytes of files are mostly compressed already, and a higher level costs three times as long.
        ArchiveWriter { tar: tar::Builder::new(GzEncoder::new(into, Compression::new(3))), members: Vec::new() }
    }

    /// Adds a member of that length. Other bytes than these are an error, and the archive is to be thrown away.
    pub fn add(&mut self, name: &MemberName, bytes: u64, content: &mut dyn Read) -> Result<()> {
        let name = name.text();
        let mut hashed = HashedReader::new(content);
        let added = append(&mut self.tar, &name, bytes, &mut hashed.by_ref().take(bytes));
        added.map_err(|error| Error::failed(format!("{name} cannot be archived: {error}")))?;
        let (read, sha256) = hashed.end();
        if read != bytes {
            return Err(Error::failed(format!("{name} has {read} bytes and not {bytes}")));
        }
        self.members.push(Member { name, bytes, sha256 });
        Ok(())
    }

    /// Ends the archive with its manifest, whose members are what was added; returns both.
    pub fn finish(mut self, manifest: Manifest) -> Result<(W, Manifest)> {
        let manifest = Manifest { members: self.members, ..manifest };
        let failed = |error: &dyn std::fmt::Display| Error::failed(format!("the archive cannot be ended: {error}"));
        let text = serde_json::to_vec_pretty(&manifest).map_err(|error| failed(&error))?;
        append(&mut self.tar, MANIFEST, text.len() as u64, &mut text.as_slice()).map_err(|error| failed(&error))?;
        let encoder = self.tar.into_inner().map_err(|error| failed(&error))?;
        Ok((encoder.finish().map_err(|error| failed(&error))?, manifest))
    }
}

fn append<W: Write>(tar: &mut tar::Builder<W>, name: &str, bytes: u64, content: &mut dyn Read) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_entry_type(tar::EntryType::Regular);
    tar.append_data(&mut header, name, content)
}

/// Reads an archive to its end, and hands each member to `place`, with its length. What is cut off, damaged or not an
/// archive of ours is refused, with the member's name; `place` may have taken members before.
pub fn read(from: impl Read, place: &mut dyn FnMut(&MemberName, u64, &mut dyn Read) -> Result<()>) -> Result<Manifest> {
    let mut archive = tar::Archive::new(GzDecoder::new(BufReader::with_capacity(1 << 18, from)));
    let (mut found, mut manifest) = (Vec::new(), None);
    let mut names = BTreeSet::new();
    // Our names are short: what extends a header is not ours, and could be of any size.
    for entry in archive.entries().map_err(|error| broken("the archive", &error))?.raw(true) {
        let mut entry = entry.map_err(|error| broken("the archive", &error))?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if manifest.is_some() || entry.header().entry_type() != tar::EntryType::Regular {
            return Err(foreign(&name));
        }
        let bytes = entry.size();
        let is_twice = !names.insert(name.clone());
        if is_twice || (names.len() == 1) != (name == ROWS) {
            return Err(broken(&name, &"it is not in its place"));
        }
        if name == MANIFEST {
            manifest = Some(read_manifest(&mut entry)?);
            continue;
        }
        let member = MemberName::parse(&name).ok_or_else(|| foreign(&name))?;
        let mut hashed = HashedReader::new(&mut entry);
        let placed = place(&member, bytes, &mut hashed);
        if let Some(error) = hashed.error.take() {
            return Err(broken(&name, &error));
        }
        placed?;
        let (read, sha256) = hashed.end();
        if read != bytes {
            return Err(broken(&name, &format!("{read} of {bytes} bytes")));
        }
        found.push(Member { name, bytes, sha256 });
    }
    let manifest = manifest.ok_or_else(|| broken("the archive", &"its end is missing"))?;
    compare(&found, &manifest)?;
    // The checksum of the whole stands behind it.
    let rest = io::copy(&mut archive.into_inner(), &mut io::sink());
    rest.map_err(|error| broken("the archive", &error))?;
    Ok(manifest)
}

fn read_manifest(entry: &mut dyn Read) -> Result<Manifest> {
    let mut text = Vec::new();
    entry.take(LARGEST_MANIFEST).read_to_end(&mut text).map_err(|error| broken(MANIFEST, &error))?;
    #[derive(serde::Deserialize)]
    struct Form {
        format: u32,
    }
    let form: Form = serde_json::from_slice(&text).map_err(|error| broken(MANIFEST, &error))?;
    if form.format > Manifest::FORMAT {
        let message =
            format!("The backup has the form {} of a later version of Plinth: restore it with that.", form.format);
        return Err(Error::invalid("backup_later", message));
    }
    serde_json::from_slice(&text).map_err(|error| broken(MANIFEST, &error))
}

/// Fails where members differ from those of the manifest.
fn compare(found: &[Member], manifest: &Manifest) -> Result<()> {
    for (found, told) in found.iter().zip(&manifest.members) {
        if found != told {
            return Err(broken(&found.name, &"it differs from the manifest"));
        }
    }
    match found.len() == manifest.members.len() {
        true => Ok(()),
        false => Err(broken("the archive", &"members are missing")),
    }
}

fn broken(what: &str, why: &dyn std::fmt::Display) -> Error {
    Error::invalid("backup_broken", format!("The backup is damaged or cut off, at {what}: {why}. Take another one."))
}

fn foreign(name: &str) -> Error {
    Error::invalid("backup_foreign", format!("The file is not a backup of Plinth: it has a member {name:?}."))
}

/// A reader that counts and digests what it gives, and keeps its error.
struct HashedReader<'r> {
    inner: &'r mut dyn Read,
    hash: Sha256,
    bytes: u64,
    error: Option<String>,
}

impl<'r> HashedReader<'r> {
    fn new(inner: &'r mut dyn Read) -> Self {
        HashedReader { inner, hash: Sha256::new(), bytes: 0, error: None }
    }

    /// Returns the number of bytes that were read, and their digest.
    fn end(self) -> (u64, String) {
        let mut text = String::new();
        for byte in self.hash.finalize() {
            let _ = write!(text, "{byte:02x}");
        }
        (self.bytes, text)
    }
}

impl Read for HashedReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into).inspect_err(|error| self.error = Some(error.to_string()))?;
        self.hash.update(&into[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::{ArchiveWriter, Manifest, MemberName, read};
    use jiff::Timestamp;
    use std::io::Read;

    fn archive() -> Vec<u8> {
        let mut writer = ArchiveWriter::new(Vec::new());
        let rows: Vec<u8> = (0..200_000_u32).flat_map(|number| number.wrapping_mul(number).to_le_bytes()).collect();
        writer.add(&MemberName::Rows, rows.len() as u64, &mut rows.as_slice()).unwrap();
        writer.add(&MemberName::File("abc234".to_owned()), 5, &mut b"hello".as_slice()).unwrap();
        let manifest = Manifest {
            format: Manifest::FORMAT,
            plinth: "0.1.0".to_owned(),
            tenant: "acme".to_owned(),
            engine: "sqlite".to_owned(),
            made: Timestamp::UNIX_EPOCH,
            rows: [("t1".to_owned(), 3), ("plinth_key".to_owned(), 4)].into(),
            members: Vec::new(),
        };
        let (bytes, manifest) = writer.finish(manifest).unwrap();
        assert_eq!((manifest.files(), manifest.records()), ((1, 5), 3));
        bytes
    }

    fn members(bytes: &[u8]) -> Result<Vec<(MemberName, usize)>, String> {
        let mut members = Vec::new();
        let mut place = |name: &MemberName, _: u64, content: &mut dyn Read| {
            let mut all = Vec::new();
            let _ = content.read_to_end(&mut all);
            members.push((name.clone(), all.len()));
            Ok(())
        };
        let read = read(bytes, &mut place).map_err(|error| error.message);
        read.map(|_| members)
    }

    #[test]
    fn an_archive_comes_back_whole() {
        let file = MemberName::File("abc234".to_owned());
        assert_eq!(members(&archive()), Ok(vec![(MemberName::Rows, 800_000), (file, 5)]));
    }

    #[test]
    fn what_is_cut_off_or_changed_is_refused() {
        let whole = archive();
        for length in (0..whole.len()).step_by(997).chain([whole.len() - 1, whole.len() - 8]) {
            let error = members(&whole[..length]).unwrap_err();
            assert!(error.starts_with("The backup is damaged or cut off"), "{length}: {error}");
        }
        for place in (20..whole.len()).step_by(1_993) {
            let mut changed = whole.clone();
            changed[place] ^= 4;
            members(&changed).unwrap_err();
        }
    }

    #[test]
    fn other_members_are_refused() {
        for name in ["../tenant.db", "files/../x", "files/", "files/A", "tenant.db-wal", "other"] {
            assert_eq!(MemberName::parse(name), None, "{name}");
        }
    }
}
