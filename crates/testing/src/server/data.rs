//! The data of a server under test: its place, and the tenant in it.

use super::{OwnSettings, WAIT, changes, mint};
use crate::{Engine, Place, Templates, TestClock, environment, fixture};
use configuration::Files;
use context::spool::SpoolFolder;
use context::vault::MasterKeys;
use database::{Database, PostgresOptions, SqliteOptions};
use platform::tenants::{Platform, Settings as PlatformSettings};
use server::outgoing_routes;
use server::settings::{Settings, Sources};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tenant::storage::FileStorage;

/// A tenant that was made, as the server that opens it must know it.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    pub(super) keys: BTreeMap<&'static str, String>,
    /// The point from which randomness goes on: nothing that was drawn for the tenant is drawn again.
    pub(super) random: u64,
}

static TENANTS: Templates<Prepared> = Templates::new();

/// Returns a place with a tenant `acme` of these files. Its users named admin, editor and reader have keys. It blocks.
pub(super) fn prepared(
    engine: Engine,
    platform: &PlatformSettings,
    own: &OwnSettings,
    files: &[(String, String)],
) -> (Place, Prepared) {
    let input = (files, own, format!("{platform:?}"));
    TENANTS.place(engine, input, |place| prepare(place, platform, own, files))
}

fn prepare(place: &Place, platform: &PlatformSettings, own: &OwnSettings, files: &[(String, String)]) -> Prepared {
    let (environment, random) = environment::environment_from(&TestClock::default(), 1);
    let (settings, platform) = place.settings(platform.clone(), own);
    let platform = Platform::new(place.open(settings.data.wait), environment, platform);
    let tenant = platform.create_tenant("acme").unwrap_or_else(|error| panic!("create acme: {error}"));
    let mut all = Files::default();
    for (path, text) in files {
        all.insert(path.clone(), text.clone());
    }
    changes::apply(&tenant, &all);
    let keyed = fixture::KEYED.into_iter().filter(|user| all.get(&format!("users/{user}.yaml")).is_some());
    let key = |user| (user, mint(&tenant, &format!("{user}@acme.test")).expect("the user was just made"));
    Prepared { keys: keyed.map(key).collect(), random: random.state() }
}

impl Place {
    /// The settings of a server of this place, and those of its platform.
    pub(super) fn settings(&self, mut platform: PlatformSettings, own: &OwnSettings) -> (Settings, PlatformSettings) {
        if platform.key.is_none() {
            platform.key = Some(self.key());
        }
        if platform.spools.is_none() {
            platform.spools = Some(Arc::new(SpoolFolder::new(self.folder().join("spool"), 1 << 30)));
        }
        if platform.files.is_nowhere() {
            platform.files = self.files();
        }
        let folder = self.folder().display().to_string();
        // Tests say when something is sent.
        let ours = [("listen", "127.0.0.1:0"), ("data.folder", &folder), ("data.wait", WAIT), ("outbox.send", "false")];
        let mut flags = ours.into_iter().map(|(name, value)| (name, value.to_owned())).collect::<Vec<_>>();
        flags.extend(own.iter().copied().map(|(name, value)| (name, value.to_owned())));
        let settings = Settings::load(&Sources { flags, ..Sources::default() }).expect("these are settings");
        platform.routes = outgoing_routes(&settings).expect("these are ways that can be gone");
        (settings, platform)
    }

    /// The master key that all nodes of the place share, and processes find in the data folder.
    fn key(&self) -> MasterKeys {
        let random = environment::environment(&TestClock::default()).random;
        MasterKeys::of_file(&self.folder().join("plinth.key"), random.as_ref()).expect("the folder is writable")
    }

    fn files(&self) -> FileStorage {
        match self.postgres() {
            None => FileStorage::folders(self.folder().join("tenants"), "files".into()),
            Some(_) => FileStorage::folders(self.folder().join("files"), "".into()),
        }
    }

    pub(super) fn file_folder(&self, tenant: &str) -> PathBuf {
        match self.postgres() {
            None => self.folder().join("tenants").join(tenant).join("files"),
            Some(_) => self.folder().join("files").join(tenant),
        }
    }

    /// Opens the database as commands do. A job waits this long for a thread or a connection.
    pub(super) fn open(&self, wait: Duration) -> Database {
        self.open_at(self.postgres(), wait)
    }

    /// The same as servers do.
    pub(super) fn open_to_serve(&self, wait: Duration) -> Database {
        self.open_at(self.served_postgres().as_deref(), wait)
    }

    fn open_at(&self, postgres: Option<&str>, wait: Duration) -> Database {
        let opened = match postgres {
            None => {
                Database::sqlite(SqliteOptions { folder: self.folder().join("tenants"), readers: 2, descriptors: 192 })
            }
            Some(url) => {
                Database::postgres(PostgresOptions { url: url.to_owned(), connections: 4, ..Default::default() })
            }
        };
        opened.expect("the database opens").waiting(wait)
    }
}
