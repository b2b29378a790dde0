//! What kinds refer to, by name: types, groups, roles.

use super::build::Surroundings;
use super::type_file::TypeDraft;
use crate::kinds::Targets;
use crate::types::{Group, TenantSettings};
use jiff::tz::TimeZone;
use std::collections::{BTreeMap, BTreeSet};

/// Names that kinds may refer to.
pub(super) struct Known<'k> {
    types: BTreeMap<String, i64>,
    groups: BTreeSet<String>,
    roles: Vec<&'k str>,
    zone: TimeZone,
}

impl<'k> Known<'k> {
    pub(super) fn new(
        drafts: &[TypeDraft<'_>],
        settings: Option<&TenantSettings>,
        (roles, groups, unread): (&'k BTreeSet<String>, &BTreeMap<String, Group>, &BTreeSet<&str>),
    ) -> Self {
        let read = drafts.iter().map(|draft| (draft.name.0.clone(), draft.id.map_or(0, |(id, _)| id)));
        Known {
            types: unread.iter().map(|name| ((*name).to_owned(), 0)).chain(read).collect(),
            groups: groups.keys().cloned().collect(),
            roles: roles.iter().map(String::as_str).collect(),
            zone: settings.map_or(TimeZone::UTC, |settings| settings.timezone.clone()),
        }
    }

    pub(super) fn surroundings(&self) -> Surroundings<'_> {
        let targets = Targets { types: &self.types, groups: &self.groups };
        Surroundings { targets, roles: self.roles.clone(), zone: &self.zone }
    }
}
