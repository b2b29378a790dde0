//! The master key: 32 bytes in a file of the operator's, or in a setting.

use base64ct::{Base64, Encoding};
use model::environment::Random;
use model::error::{Error, Result};
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// Bytes of the key.
const LENGTH: usize = 32;

/// The key that all others are derived from. It is kept outside of the database.
#[derive(Clone)]
pub struct MasterKey([u8; LENGTH]);

impl MasterKey {
    /// The key of these bytes.
    pub fn new(bytes: [u8; LENGTH]) -> Self {
        MasterKey(bytes)
    }

    /// Reads base64 of 32 bytes; spaces around it are passed over.
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; LENGTH];
        let decoded = Base64::decode(text.trim(), &mut bytes).ok()?;
        (decoded.len() == LENGTH).then_some(MasterKey(bytes))
    }

    /// Reads the key out of a file; none where there is no file. It blocks.
    pub fn in_file(path: &Path) -> Result<Option<Self>> {
        let Some(text) = read(path).map_err(|error| unusable(path, &error))? else { return Ok(None) };
        Self::parse(&text).map(Some).ok_or_else(|| {
            let message = format!("The key file {} must hold 32 bytes in base64, and nothing else.", path.display());
            Error::invalid("key_file", message)
        })
    }

    /// Reads the key out of a file. Where there is none, one is made that its owner alone may read (0600); of processes
    /// that start at the same time, all get the same key. It blocks.
    pub fn of_file(path: &Path, random: &dyn Random) -> Result<Self> {
        let failed = |error| unusable(path, &error);
        if let Some(key) = Self::in_file(path)? {
            return Ok(key);
        }
        let mut bytes = [0; LENGTH];
        random.fill(&mut bytes);
        make(path, &Base64::encode_string(&bytes), random).map_err(failed)?;
        // Another process may have been faster.
        let text = read(path).map_err(failed)?;
        text.as_deref().and_then(Self::parse).ok_or_else(|| failed(ErrorKind::NotFound.into()))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("MasterKey")
    }
}

fn unusable(path: &Path, error: &std::io::Error) -> Error {
    Error::invalid("key_file", format!("The key file {} cannot be used: {error}.", path.display()))
}

fn read(path: &Path) -> std::io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Makes the file unless it is there by now: it is written under another name, put on disk, and linked to its own, so
/// that nobody sees half of it and nobody's key is written over.
fn make(path: &Path, text: &str, random: &dyn Random) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut unique = [0; 8];
    random.fill(&mut unique);
    let own = folder.join(format!(".plinth-key-{}-{:016x}", std::process::id(), u64::from_be_bytes(unique)));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&own)?;
    let written = file.write_all(format!("{text}\n").as_bytes()).and_then(|()| file.sync_all());
    let linked = written.and_then(|()| match fs::hard_link(&own, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    });
    // A disk that is full gets no further file by each try.
    let removed = fs::remove_file(&own);
    linked.and(removed)?;
    fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::MasterKey;
    use model::environment::Random;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::atomic::{AtomicU8, Ordering};

    struct MasterRandom(AtomicU8);

    impl Random for MasterRandom {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0.fetch_add(1, Ordering::Relaxed));
        }
    }

    #[test]
    fn a_key_file_is_made_once_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (path, random) = (folder.path().join("data/plinth.key"), MasterRandom(AtomicU8::new(0)));
        let keys: Vec<[u8; 32]> = std::thread::scope(|scope| {
            let make = || scope.spawn(|| MasterKey::of_file(&path, &random).unwrap().0);
            let threads: Vec<_> = (0..8).map(|_| make()).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]), "all have the same");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path().join("data")).unwrap().count(), 1, "nothing else is left");
        assert_eq!(MasterKey::of_file(&path, &random).unwrap().0, keys[0]);
    }

    #[test]
    fn what_is_no_key_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plinth.key");
        for text in ["", "short", "AAAA", &"A".repeat(44), "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ=="] {
            std::fs::write(&path, text).unwrap();
            let refused = MasterKey::of_file(&path, &MasterRandom(AtomicU8::new(0))).unwrap_err();
            assert!(refused.message.contains("32 bytes in base64"), "{refused}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
