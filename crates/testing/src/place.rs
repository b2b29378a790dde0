//! The place of a test's data, and copies of places that were prepared once.

use crate::{Engine, postgres, served_url};
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A folder, and with PostgreSQL an empty database. Both go with it.
#[derive(Debug)]
pub struct Place {
    folder: TempDir,
    postgres: Option<String>,
}

impl Place {
    /// An empty place on an engine.
    pub fn new(engine: Engine) -> Self {
        let folder = tempfile::tempdir().expect("the folder for temporary files is writable");
        Self { folder, postgres: (engine == Engine::Postgres).then(|| postgres().database()) }
    }

    /// The path of its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The URL of its database, as commands use it; none on SQLite.
    pub fn postgres(&self) -> Option<&str> {
        self.postgres.as_deref()
    }

    /// The URL of its database, as servers use it.
    pub fn served_postgres(&self) -> Option<String> {
        self.postgres.as_deref().map(served_url)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(url) = &self.postgres {
            postgres().drop_database(url);
        }
    }
}

/// A place as it was once it was prepared.
#[derive(Debug)]
struct Template<S> {
    files: Vec<Stored>,
    database: Option<String>,
    state: S,
}

/// A file of a template.
#[derive(Debug)]
struct Stored {
    path: PathBuf,
    bytes: Vec<u8>,
    permissions: Permissions,
}

/// Prepared places by what they were prepared with, each with what is to be known of it.
#[derive(Debug)]
pub struct Templates<S>(Mutex<BTreeMap<u64, Arc<OnceLock<Template<S>>>>>);

impl<S: Clone> Default for Templates<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Clone> Templates<S> {
    /// No templates yet.
    pub const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// Returns a place that was prepared with `input`. From the second one on, it is a copy: most inputs have one test,
    /// for which a template would be one place too many. What `prepare` opened is to be closed at its end, or soon after.
    pub fn place(&self, engine: Engine, input: impl Hash, prepare: impl Fn(&Place) -> S) -> (Place, S) {
        let mut hasher = DefaultHasher::new();
        (engine == Engine::Postgres, input).hash(&mut hasher);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let template = known.get(&hasher.finish()).filter(|_| Path::new(DESCRIPTORS).exists()).cloned();
        if template.is_none() {
            known.insert(hasher.finish(), Arc::default());
        }
        drop(known);
        let Some(template) = template else {
            let place = Place::new(engine);
            let state = prepare(&place);
            return (place, state);
        };
        let template = template.get_or_init(|| Template::new(engine, prepare));
        (template.copy(), template.state.clone())
    }
}

impl<S> Template<S> {
    fn new(engine: Engine, prepare: impl Fn(&Place) -> S) -> Self {
        let mut place = Place::new(engine);
        let state = prepare(&place);
        until_closed(place.folder());
        let mut files = Vec::new();
        store(place.folder(), Path::new(""), &mut files);
        // The database stays as it is, so that it can be copied.
        let database = place.postgres.take().map(|url| postgres().release(&url));
        Self { files, database, state }
    }

    fn copy(&self) -> Place {
        let folder = tempfile::tempdir().expect("the folder for temporary files is writable");
        for file in &self.files {
            let path = folder.path().join(&file.path);
            let parent = path.parent().expect("it lies in the folder");
            fs::create_dir_all(parent).expect("the folder is ours");
            fs::write(&path, &file.bytes).expect("the folder is ours");
            fs::set_permissions(&path, file.permissions.clone()).expect("the file was just made");
        }
        Place { folder, postgres: self.database.as_deref().map(|name| postgres().granted_copy(name)) }
    }
}

/// The files that this process has open, on systems that tell.
const DESCRIPTORS: &str = "/proc/self/fd";

/// Waits until nothing in a folder is open: threads end after the database that they work for. A file of SQLite's that is
/// read while it is open loses the locks on it.
fn until_closed(folder: &Path) {
    let is_within = |entry: fs::DirEntry| fs::read_link(entry.path()).is_ok_and(|file| file.starts_with(folder));
    let begun = Instant::now();
    // A process with thousands of connections takes milliseconds for one look.
    let mut pause = Duration::from_millis(2);
    while fs::read_dir(DESCRIPTORS).expect("it is there").flatten().any(is_within) {
        assert!(begun.elapsed() < Duration::from_secs(60), "{} is still open", folder.display());
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(100));
    }
}

/// Reads all files below a folder.
fn store(root: &Path, below: &Path, files: &mut Vec<Stored>) {
    for entry in fs::read_dir(root.join(below)).expect("the folder is ours").flatten() {
        let (path, from) = (below.join(entry.file_name()), entry.path());
        // SQLite makes it anew.
        let is_index = path.to_string_lossy().ends_with("-shm");
        if from.is_dir() {
            store(root, &path, files);
        } else if !is_index {
            let permissions = fs::metadata(&from).expect("the file is ours").permissions();
            files.push(Stored { path, bytes: fs::read(&from).expect("the file is ours"), permissions });
        }
    }
}
