//! A kind's entry in the catalogue, and the names that its options may refer to.

use super::kind::Kind;
use super::options::KindOptions;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// A kind as files know it.
pub struct KindEntry {
    /// Its name: `pString`.
    pub name: &'static str,
    /// A sentence on the values that it holds.
    pub help: &'static str,
    /// Its options and what they do, without those of every property.
    pub options: &'static [(&'static str, &'static str)],
    /// True if files may not use it: the platform's own properties do.
    pub internal: bool,
    /// Makes one; what is wrong is recorded in the options.
    pub(super) build: fn(&mut KindOptions, &OptionTargets<'_>) -> Box<dyn Kind>,
}

/// The names that options may refer to.
#[derive(Clone, Copy, Debug)]
pub struct OptionTargets<'t> {
    /// Type ids by system name; 0 for types whose files could not be read.
    pub types: &'t BTreeMap<String, i64>,
    /// The names of the groups.
    pub groups: &'t BTreeSet<String>,
    /// Properties as their files have them, by the names of their type and of themselves.
    pub properties: &'t BTreeMap<(String, String), PropertySource>,
    /// The name of the type that the property belongs to.
    pub own: &'t str,
}

impl OptionTargets<'_> {
    /// Returns true if there is a type of that name whose file could not be read, so that nothing is known of its
    /// properties.
    pub(crate) fn is_unread(&self, name: &str) -> bool {
        self.types.get(name) == Some(&0)
    }
}

/// A property as its file has it.
#[derive(Clone, Debug, Default)]
pub struct PropertySource {
    /// The kind's name.
    pub kind: String,
    /// The options of the kind.
    pub options: serde_json::Map<String, Json>,
    /// True if it has no stored value.
    pub is_virtual: bool,
}
