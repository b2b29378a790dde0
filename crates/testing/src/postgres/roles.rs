//! The two roles of PostgreSQL, with no right beyond what `plinth doctor --grants` prints, in the place of a superuser.

use super::Cluster;
use std::sync::OnceLock;

/// The roles that the statements make by themselves: commands own the tables, a server changes rows alone.
const OWNER: &str = "//plinth_owner@";
const SERVER: &str = "//plinth_app@";

/// Returns the statements of the file that `PLINTH_TEST_ROLES` names; none where tests run as a superuser.
fn grants() -> Option<&'static str> {
    static GRANTS: OnceLock<Option<String>> = OnceLock::new();
    let read = || {
        let file = std::env::var_os("PLINTH_TEST_ROLES")?;
        let text = std::fs::read_to_string(&file);
        Some(text.unwrap_or_else(|error| panic!("PLINTH_TEST_ROLES: {}: {error}", file.display())))
    };
    GRANTS.get_or_init(read).as_deref()
}

/// Returns true if tests use the two roles.
pub fn has_roles() -> bool {
    grants().is_some()
}

/// Returns the URL of a database as a server uses it: as the role that changes rows alone, where there is one.
pub fn served_url(url: &str) -> String {
    url.replacen(OWNER, SERVER, 1)
}

impl Cluster {
    /// Makes a database that is a copy of another one, as [`Cluster::copy`] does, with the rights of the two roles, and gives
    /// the URL of the role that owns tables.
    pub(crate) fn granted_copy(&self, of: &str) -> String {
        let url = self.copy(of);
        let Some(grants) = grants() else { return url };
        // Rights of a database itself are not copied with it.
        self.ask(&url, grants);
        url.replacen("//postgres@", OWNER, 1)
    }
}
