//! The directory of tenants, which finds the tenant of a request (D-15): hosts and names of all, kept in memory.
//!
//! A name that is not known yet makes the directory look which tenants were changed since it last looked, and read
//! the settings of those alone; at most every two seconds, and once at a time, so that requests for unknown
//! hosts cost next to nothing.

mod deleted;

use database::{ChangeMark, Database, DeletedStore};
use jiff::Timestamp;
use model::error::{Error, Result};
use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

/// The time for which a scan serves before a request for an unknown tenant may cause the next.
const SCAN_MILLISECONDS: i64 = 2_000;

/// So many tenants are read on one thread: another costs more than it saves.
const FEW: usize = 16;

/// Names and hosts of the tenants.
#[derive(Default)]
pub(super) struct TenantDirectory {
    state: RwLock<DirectoryState>,
    /// Held by the one scan that is under way.
    pub(super) turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct DirectoryState {
    tenants: BTreeMap<String, DirectoryEntry>,
    /// Deleted tenants that may come back: their hosts lead nowhere, and not to another tenant.
    deleted: BTreeMap<DeletedStore, DirectoryEntry>,
    hosts: HashMap<String, String>,
    /// Set while names are known and hosts are not all read yet.
    reading: bool,
    scanned: Option<Timestamp>,
}

/// The facts that are known of a tenant.
#[derive(Clone, Default)]
struct DirectoryEntry {
    hosts: Vec<String>,
    /// Set for the tenant that was the only one when the second was made.
    preferred: bool,
    mark: Option<ChangeMark>,
    /// Set where nothing can have changed at this mark since the hosts were read; see [`ChangeMark::is_final`]. The
    /// second reading at one mark is sure of it, too.
    settled: bool,
}

impl TenantDirectory {
    /// The tenant of a request, as far as the last scan knows.
    pub(super) fn find(&self, host: &str, prefix: Option<&str>, default: Option<&str>) -> Option<String> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let by_host = state.hosts.get(&normal(host));
        let named = |name: &str| state.tenants.contains_key(name).then(|| name.to_owned());
        match (by_host, prefix) {
            // The host of one tenant never leads to another.
            (Some(name), Some(prefix)) => named(name).filter(|name| name == prefix),
            (Some(name), None) => named(name),
            (None, Some(prefix)) => named(prefix),
            // It may be the host of a tenant that was not read yet.
            (None, None) if state.reading => None,
            (None, None) => match default {
                Some(default) => named(default),
                None => state.only(),
            },
        }
    }

    /// Returns the number of tenants that the last scan found.
    pub(super) fn size(&self) -> usize {
        self.state.read().unwrap_or_else(PoisonError::into_inner).tenants.len()
    }

    /// Returns true if a scan may find more than the last one.
    pub(super) fn stale(&self, now: Timestamp) -> bool {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.scanned.is_none_or(|scanned| {
            let age = now.as_millisecond() - scanned.as_millisecond();
            !(0..SCAN_MILLISECONDS).contains(&age)
        })
    }

    /// Finds the names of the tenants alone, which costs next to nothing: requests that name one are served from here
    /// on.
    pub(super) fn name(&self, database: &Database) -> Result<()> {
        let marks = database.marks()?;
        let mut state = self.write();
        marks.into_keys().for_each(|name| _ = state.tenants.entry(name).or_default());
        state.reading = true;
        Ok(())
    }

    /// Finds the tenants anew, and reads the hosts of those that may have changed; gives how many these were. A tenant
    /// that cannot be read keeps its name and loses its hosts: it alone is down.
    pub(crate) fn scan(&self, database: &Database, now: Timestamp) -> Result<usize> {
        let marks = database.marks()?;
        // Read after those that are there: a tenant that is deleted in between is told of at least once.
        let deleted = self.read_deleted(database)?;
        let old = self.state.read().unwrap_or_else(PoisonError::into_inner).tenants.clone();
        let stale: Vec<StaleTenant<'_>> = marks
            .iter()
            .filter_map(|(name, mark)| {
                let known = old.get(name).filter(|entry| entry.mark.as_ref() == Some(mark));
                (!known.is_some_and(|entry| entry.settled)).then_some(StaleTenant {
                    name,
                    mark,
                    settled: known.is_some() || mark.is_final(now.as_millisecond()),
                })
            })
            .collect();
        let fresh = read_all(database, &stale);
        let read = fresh.len();
        let mut state = self.write();
        state.tenants.retain(|name, _| marks.contains_key(name));
        for (name, mut entry) in fresh {
            // A second tenant may have been made while this was read; being the first stays.
            entry.preferred |= state.tenants.get(&name).is_some_and(|known| known.preferred);
            state.tenants.insert(name, entry);
        }
        state.deleted = deleted;
        let DirectoryState { tenants, deleted, hosts, reading, scanned } = &mut *state;
        let deleted = deleted.iter().map(|(store, entry)| (&store.name, entry));
        let pairs =
            deleted.chain(tenants.iter()).flat_map(|(name, entry)| entry.hosts.iter().map(move |host| (host, name)));
        *hosts = pairs.map(|(host, name)| (normal(host), name.clone())).collect();
        *scanned = Some(now);
        *reading = false;
        Ok(read)
    }

    /// Notes the hosts of one tenant, whose configuration was just read.
    pub(super) fn put(&self, name: &str, hosts: &[String]) {
        let mut state = self.write();
        state.forget_hosts(name);
        state.hosts.extend(hosts.iter().map(|host| (normal(host), name.to_owned())));
        state.tenants.entry(name.to_owned()).or_default().hosts = hosts.to_vec();
    }

    /// Notes the tenant that requests mean which name none.
    pub(super) fn prefer(&self, name: &str) {
        let mut state = self.write();
        state.tenants.values_mut().for_each(|entry| entry.preferred = false);
        state.tenants.entry(name.to_owned()).or_default().preferred = true;
    }

    /// Forgets tenants that are not there any more.
    pub(crate) fn retain(&self, is_there: impl Fn(&str) -> bool) {
        let mut state = self.write();
        let gone: Vec<String> = state.tenants.keys().filter(|name| !is_there(name)).cloned().collect();
        for name in gone {
            state.forget_hosts(&name);
            state.tenants.remove(&name);
        }
    }

    /// Forgets a deleted tenant.
    pub(super) fn remove(&self, name: &str) {
        let mut state = self.write();
        state.forget_hosts(name);
        state.tenants.remove(name);
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, DirectoryState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A tenant that may have changed since it was read.
struct StaleTenant<'m> {
    name: &'m str,
    mark: &'m ChangeMark,
    /// Set where it was read at this mark before, or the mark tells of all changes.
    settled: bool,
}

/// Reads the tenants that may have changed, on as many threads as there are processors.
fn read_all(database: &Database, stale: &[StaleTenant<'_>]) -> BTreeMap<String, DirectoryEntry> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = stale.len().div_ceil(threads).max(FEW);
    std::thread::scope(|scope| {
        let read =
            |part: &[StaleTenant<'_>]| part.iter().map(|one| (one.name.to_owned(), one.read(database))).collect();
        let readers: Vec<_> = stale.chunks(part).map(|part| scope.spawn(move || -> Vec<_> { read(part) })).collect();
        readers.into_iter().flat_map(|reader| reader.join().expect("reading a tenant does not panic")).collect()
    })
}

impl StaleTenant<'_> {
    fn read(&self, database: &Database) -> DirectoryEntry {
        let store = database.store(self.name).map_err(Error::from);
        match store.and_then(|store| store.read_blocking(configuration::reached)) {
            Ok((hosts, preferred)) => {
                DirectoryEntry { hosts, preferred, mark: Some(self.mark.clone()), settled: self.settled }
            }
            Err(error) => {
                tracing::warn!(tenant = %self.name, %error, "the tenant cannot be read");
                DirectoryEntry::default()
            }
        }
    }
}

impl DirectoryState {
    /// The tenant that requests mean which name none: the only one, or the one that was it before there were others.
    fn only(&self) -> Option<String> {
        // They meant a deleted one, and do so again when that comes back.
        if self.deleted.values().any(|entry| entry.preferred) {
            return None;
        }
        if self.tenants.len() == 1 {
            return self.tenants.keys().next().cloned();
        }
        let mut preferred = self.tenants.iter().filter(|(_, entry)| entry.preferred);
        preferred.next().filter(|_| preferred.next().is_none()).map(|(name, _)| name.clone())
    }

    /// Forgets the hosts of a tenant, but none that lead to another by now.
    fn forget_hosts(&mut self, name: &str) {
        let DirectoryState { tenants, hosts, .. } = self;
        for host in tenants.get(name).into_iter().flat_map(|entry| &entry.hosts) {
            let host = normal(host);
            if hosts.get(&host).is_some_and(|tenant| tenant == name) {
                hosts.remove(&host);
            }
        }
    }
}

/// A host without port and trailing dot, in lower case (A021).
fn normal(host: &str) -> String {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    };
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_lose_port_dot_and_capitals() {
        for host in ["acme.example.com", "ACME.example.com:8080", "acme.example.com.", "Acme.Example.Com.:80"] {
            assert_eq!(normal(host), "acme.example.com");
        }
        assert_eq!(normal("[::1]:80"), "[::1]");
    }

    #[test]
    fn the_host_decides_then_the_prefix_then_the_only_one() {
        let directory = TenantDirectory::default();
        directory.put("a", &["a.example.com".to_owned()]);
        assert_eq!(directory.find("localhost", None, None).as_deref(), Some("a"));
        directory.put("b", &[]);
        let find = |host, prefix, default| directory.find(host, prefix, default);
        assert_eq!(find("localhost", None, None), None);
        directory.prefer("a");
        assert_eq!(find("localhost", None, None).as_deref(), Some("a"));
        assert_eq!(find("localhost", None, Some("b")).as_deref(), Some("b"));
        assert_eq!(find("localhost", Some("b"), None).as_deref(), Some("b"));
        assert_eq!(find("localhost", Some("c"), None), None);
        assert_eq!(find("A.example.com:1", None, Some("b")).as_deref(), Some("a"));
        assert_eq!(find("a.example.com", Some("b"), None), None);
        // What another process deleted is meant by nobody.
        directory.retain(|name| name == "b");
        assert_eq!((find("a.example.com", None, None), find("localhost", Some("a"), None)), (Some("b".into()), None));
    }

    /// The databases that the same is tried on.
    fn databases(folder: &tempfile::TempDir) -> [Database; 2] {
        let folder = folder.path().to_owned();
        let url = testing::postgres().database();
        [
            Database::sqlite(database::SqliteOptions { folder, readers: 1, descriptors: 192 }).unwrap(),
            Database::postgres(database::PostgresOptions { url, connections: 1, ..Default::default() }).unwrap(),
        ]
    }

    /// Makes a tenant whose settings name that host, or gives an existing one another.
    fn settle(database: &Database, name: &str, host: &str) {
        let text = format!("tenant: {name}\nhosts: [{host}]\n");
        let environment = crate::fixtures::environment(0);
        let store = database.store(name).unwrap_or_else(|_| {
            let store = database.create(name).unwrap();
            store
                .write_blocking(|tx| context::tables::create(tx, environment.random.as_ref(), configuration::UPGRADES))
                .unwrap();
            store
        });
        let mut files = configuration::Files::default();
        files.insert("tenant.yaml", text);
        configuration::apply(&store, &environment, &files, configuration::ApplyOptions::default()).unwrap();
    }

    #[test]
    fn a_scan_reads_only_what_was_changed_since_the_last() {
        let folder = tempfile::tempdir().unwrap();
        for database in databases(&folder) {
            let names: Vec<String> = (0..30).map(|number| format!("tenant-{number}")).collect();
            for name in &names {
                settle(&database, name, &format!("{name}.test"));
            }
            let directory = TenantDirectory::default();
            let scan = |at| directory.scan(&database, Timestamp::from_millisecond(at).unwrap()).unwrap();
            let find = |host: &str| directory.find(host, None, None);
            // The second reading makes sure of the first; from then on nothing is read.
            assert_eq!([scan(0), scan(1), scan(2), scan(3)], [30, 30, 0, 0]);
            assert!(names.iter().all(|name| find(&format!("{name}.test")).as_ref() == Some(name)));
            assert_eq!(find("other.test"), None);

            settle(&database, "tenant-7", "moved.test");
            assert_eq!([scan(4), scan(5), scan(6)], [1, 1, 0]);
            assert_eq!((find("moved.test").as_deref(), find("tenant-7.test")), (Some("tenant-7"), None));

            database.delete("tenant-8").unwrap();
            settle(&database, "fresh", "fresh.test");
            assert_eq!([scan(7), scan(8), scan(9)], [1, 1, 0]);
            assert_eq!((find("fresh.test").as_deref(), find("tenant-8.test")), (Some("fresh"), None));

            // A name that is used again is another tenant.
            database.delete("fresh").unwrap();
            settle(&database, "fresh", "again.test");
            assert_eq!([scan(10), scan(11), scan(12)], [1, 1, 0]);
            assert_eq!((find("again.test").as_deref(), find("fresh.test")), (Some("fresh"), None));
        }
    }
}
