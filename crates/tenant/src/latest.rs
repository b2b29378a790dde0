//! The versions of types that this process has seen last. They only grow: what was made at others holds no more, and
//! that is known without asking the store.

use context::versions::TypeVersions;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Of a tenant's types, as its configuration stands.
#[derive(Debug, Default)]
pub struct Latest(Mutex<SeenVersions>);

#[derive(Debug, Default)]
struct SeenVersions {
    /// A type that goes and comes again begins anew.
    configuration: i64,
    versions: HashMap<i64, i64>,
}

impl Latest {
    /// Notes versions that were read.
    pub fn note(&self, configuration: i64, versions: &TypeVersions) {
        let mut seen = self.locked();
        if seen.configuration != configuration {
            *seen = SeenVersions { configuration, versions: HashMap::new() };
        }
        for (of, number) in versions.iter() {
            let last = seen.versions.entry(of).or_default();
            *last = number.max(*last);
        }
    }

    /// Returns true if one of the versions is no more, for certain. One that holds by this may still be of the past.
    pub fn outdates(&self, configuration: i64, versions: &TypeVersions) -> bool {
        let seen = self.locked();
        let is_past = |(of, number): (i64, i64)| seen.versions.get(&of).is_some_and(|last| *last > number);
        seen.configuration == configuration && versions.iter().any(is_past)
    }

    fn locked(&self) -> MutexGuard<'_, SeenVersions> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Latest;
    use context::versions::TypeVersions;

    fn versions(of: &[(i64, i64)]) -> TypeVersions {
        of.iter().copied().collect()
    }

    #[test]
    fn what_is_older_in_one_type_is_outdated() {
        let latest = Latest::default();
        assert!(!latest.outdates(1, &versions(&[(10, 4)])));
        latest.note(1, &versions(&[(10, 5), (11, 2)]));
        latest.note(1, &versions(&[(10, 3)]));
        assert!(latest.outdates(1, &versions(&[(10, 4)])));
        assert!(latest.outdates(1, &versions(&[(11, 2), (10, 4), (12, 1)])));
        assert!(!latest.outdates(1, &versions(&[(10, 5), (11, 2), (12, 1)])));
        assert!(!latest.outdates(1, &versions(&[(10, 6)])));
    }

    #[test]
    fn another_configuration_begins_anew() {
        let latest = Latest::default();
        latest.note(1, &versions(&[(10, 5)]));
        assert!(!latest.outdates(2, &versions(&[(10, 4)])));
        latest.note(2, &versions(&[(10, 1)]));
        assert!(!latest.outdates(2, &versions(&[(10, 1)])));
        assert!(!latest.outdates(1, &versions(&[(10, 4)])));
    }
}
