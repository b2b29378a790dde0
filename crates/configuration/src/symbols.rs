//! Names of a tenant's files: those that kinds may refer to, and the types.

use super::build::DraftContext;
use super::type_file::TypeDraft;
use jiff::tz::TimeZone;
use model::kinds::{OptionTargets, PropertySource};
use model::types::{CalculationTime, ResourceType, TenantSettings, UserGroup};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The types of a tenant's files.
#[derive(Clone, Copy)]
pub(crate) struct FileTypes<'t> {
    /// The types that could be read, by id.
    pub(crate) read: &'t [Arc<ResourceType>],
    /// The names of those that could not.
    pub(crate) unread: &'t BTreeSet<&'t str>,
}

/// Names of roles, groups and unread types, which stand beside the drafts of types.
pub(super) struct DeclaredNames<'n> {
    pub(super) roles: BTreeSet<String>,
    pub(super) groups: &'n BTreeMap<String, UserGroup>,
    pub(super) unread_types: &'n BTreeSet<&'n str>,
}

/// Names that kinds may refer to.
pub(super) struct KindNames {
    types: BTreeMap<String, i64>,
    groups: BTreeSet<String>,
    properties: BTreeMap<(String, String), PropertySource>,
    roles: BTreeSet<String>,
    zone: TimeZone,
    lenient: bool,
}

impl KindNames {
    pub(super) fn new(
        drafts: &[TypeDraft<'_>],
        settings: Option<&TenantSettings>,
        names: DeclaredNames<'_>,
        lenient: bool,
    ) -> Self {
        let read = drafts.iter().map(|draft| (draft.name.0.clone(), draft.id.map_or(0, |(id, _)| id)));
        KindNames {
            types: names.unread_types.iter().map(|name| ((*name).to_owned(), 0)).chain(read).collect(),
            groups: names.groups.keys().cloned().collect(),
            properties: drafts.iter().flat_map(written).collect(),
            roles: names.roles,
            zone: settings.map_or(TimeZone::UTC, |settings| settings.timezone.clone()),
            lenient,
        }
    }

    pub(super) fn surroundings(&self) -> DraftContext<'_> {
        let (types, groups, properties) = (&self.types, &self.groups, &self.properties);
        let targets = OptionTargets { types, groups, properties, own: "" };
        let roles = self.roles.iter().map(String::as_str).collect();
        DraftContext { targets, roles, zone: &self.zone, lenient: self.lenient }
    }
}

/// The properties of a type as its file has them.
fn written(of: &TypeDraft<'_>) -> impl Iterator<Item = ((String, String), PropertySource)> {
    of.properties.iter().filter_map(|property| {
        let (kind, _) = property.kind.clone()?;
        let is_virtual = property.rules.calculated(&kind) == Some(CalculationTime::Virtual);
        let written = PropertySource { kind, options: property.options.clone(), is_virtual };
        Some(((of.name.0.clone(), property.name.0.clone()), written))
    })
}
