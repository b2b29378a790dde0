//! Which tenant a request is for (D-15): hosts and names of all tenants, scanned from their stores.

use super::model;
use crate::error::{Error, Result};
use database::Database;
use jiff::Timestamp;
use std::collections::{BTreeSet, HashMap};
use std::sync::{PoisonError, RwLock};

/// How long a scan serves before a request for an unknown tenant may cause the next.
const SCAN_MILLISECONDS: i64 = 2_000;

/// Names and hosts of the tenants.
#[derive(Default)]
pub(super) struct Directory {
    state: RwLock<State>,
}

#[derive(Default)]
struct State {
    names: BTreeSet<String>,
    hosts: HashMap<String, String>,
    scanned: Option<Timestamp>,
}

impl Directory {
    /// The tenant of a request, as far as the last scan knows.
    pub(super) fn find(&self, host: &str, prefix: Option<&str>, default: Option<&str>) -> Option<String> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let by_host = state.hosts.get(&normal(host));
        match (by_host, prefix) {
            // The host of one tenant never leads to another.
            (Some(name), Some(prefix)) => (name == prefix).then(|| name.clone()),
            (Some(name), None) => Some(name.clone()),
            (None, Some(prefix)) => state.names.get(prefix).cloned(),
            (None, None) => match default {
                Some(default) => state.names.get(default).cloned(),
                None if state.names.len() == 1 => state.names.first().cloned(),
                None => None,
            },
        }
    }

    /// How many tenants the last scan found.
    pub(super) fn size(&self) -> usize {
        self.state.read().unwrap_or_else(PoisonError::into_inner).names.len()
    }

    /// Whether a scan may find more than the last one.
    pub(super) fn stale(&self, now: Timestamp) -> bool {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.scanned.is_none_or(|scanned| {
            let age = now.as_millisecond() - scanned.as_millisecond();
            !(0..SCAN_MILLISECONDS).contains(&age)
        })
    }

    /// Reads names and hosts anew. A store that cannot be read keeps its name and loses its hosts: it alone is down.
    pub(super) fn scan(&self, database: &Database, now: Timestamp) -> Result<()> {
        let names: BTreeSet<String> = database.stores()?.into_iter().collect();
        let mut hosts = HashMap::new();
        for name in &names {
            let read = database.store(name).map_err(Error::from).and_then(|store| store.read_blocking(model::hosts));
            match read {
                Ok(found) => hosts.extend(found.into_iter().map(|host| (normal(&host), name.clone()))),
                Err(error) => tracing::warn!(tenant = %name, %error, "the tenant cannot be read"),
            }
        }
        *self.write() = State { names, hosts, scanned: Some(now) };
        Ok(())
    }

    /// Notes the hosts of one tenant, whose configuration was just read.
    pub(super) fn put(&self, name: &str, hosts: &[String]) {
        let mut state = self.write();
        state.names.insert(name.to_owned());
        state.hosts.retain(|_, tenant| tenant != name);
        state.hosts.extend(hosts.iter().map(|host| (normal(host), name.to_owned())));
    }

    /// Forgets a deleted tenant.
    pub(super) fn remove(&self, name: &str) {
        let mut state = self.write();
        state.names.remove(name);
        state.hosts.retain(|_, tenant| tenant != name);
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
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
        let directory = Directory::default();
        directory.put("a", &["a.example.com".to_owned()]);
        assert_eq!(directory.find("localhost", None, None).as_deref(), Some("a"));
        directory.put("b", &[]);
        let find = |host, prefix, default| directory.find(host, prefix, default);
        assert_eq!(find("localhost", None, None), None);
        assert_eq!(find("localhost", None, Some("b")).as_deref(), Some("b"));
        assert_eq!(find("localhost", Some("b"), None).as_deref(), Some("b"));
        assert_eq!(find("localhost", Some("c"), None), None);
        assert_eq!(find("A.example.com:1", None, Some("b")).as_deref(), Some("a"));
        assert_eq!(find("a.example.com", Some("b"), None), None);
    }
}
