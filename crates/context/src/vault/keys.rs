//! Master keys that a process knows: its own, and the next one while that takes its place.

use super::MasterKey;
use model::environment::Random;
use model::error::Result;
use std::path::{Path, PathBuf};

/// The master key of a process, and where another may be that a tenant went over to meanwhile.
#[derive(Clone, Debug)]
pub struct MasterKeys {
    own: MasterKey,
    next: Option<MasterKey>,
    file: Option<PathBuf>,
}

impl From<MasterKey> for MasterKeys {
    fn from(own: MasterKey) -> Self {
        MasterKeys { own, next: None, file: None }
    }
}

impl MasterKeys {
    /// A key that stands in a setting, and perhaps the one that follows it.
    pub fn new(own: MasterKey, next: Option<MasterKey>) -> Self {
        MasterKeys { own, next, file: None }
    }

    /// The key of a file; none where there is no file. It blocks.
    pub fn in_file(path: &Path) -> Result<Option<Self>> {
        let own = MasterKey::in_file(path)?;
        Ok(own.map(|own| MasterKeys { own, next: None, file: Some(path.to_owned()) }))
    }

    /// The key of a file, which is made where there is none. It blocks.
    pub fn of_file(path: &Path, random: &dyn Random) -> Result<Self> {
        Ok(MasterKeys { own: MasterKey::of_file(path, random)?, next: None, file: Some(path.to_owned()) })
    }

    /// Returns the path of the next key while it takes the place of the one in this file.
    pub fn next_file(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".next");
        name.into()
    }

    /// Returns the path of the former key, once another takes its place. It lies there until all tenants were looked at
    /// once more: some may have begun with it in the last moment.
    pub fn previous_file(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".previous");
        name.into()
    }

    /// Returns the path of a former key that is kept; numbers begin with 1.
    pub fn former_file(path: &Path, number: usize) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".former-{number}"));
        name.into()
    }

    /// Returns the paths of the former keys that are kept beside this file, sorted. It blocks.
    pub fn former_files(path: &Path) -> Vec<PathBuf> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let start = format!("{}.former-", path.file_name().unwrap_or_default().to_string_lossy());
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_kept = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().starts_with(&start);
        let mut kept: Vec<PathBuf> = files.filter(is_kept).collect();
        kept.sort();
        kept
    }

    /// Returns the path of the file that the key came from; none for a key that is a setting.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The key that new tenants begin with: that of the file, which may be another since the process began. It blocks.
    pub fn newest(&self) -> MasterKey {
        self.file.as_deref().and_then(read).unwrap_or_else(|| self.own.clone())
    }

    /// All that may be a tenant's, the likeliest first; files are read only as far as that is asked for. It blocks.
    pub(super) fn candidates(&self) -> impl Iterator<Item = MasterKey> + '_ {
        let files = self
            .file
            .iter()
            .flat_map(|path| [path.clone(), MasterKeys::next_file(path), MasterKeys::previous_file(path)]);
        let known = std::iter::once(self.own.clone()).chain(self.next.clone());
        known.chain(files.filter_map(|path| read(&path)))
    }
}

/// The key in a file, where there is one.
fn read(path: &Path) -> Option<MasterKey> {
    std::fs::read_to_string(path).ok().as_deref().and_then(MasterKey::parse)
}
