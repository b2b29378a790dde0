//! Names that kinds may refer to: of types, groups and roles.

use super::build::DraftContext;
use super::type_file::TypeDraft;
use jiff::tz::TimeZone;
use model::kinds::{OptionTargets, PropertySource};
use model::types::{CalculationTime, TenantSettings, UserGroup};
use std::collections::{BTreeMap, BTreeSet};

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
        (roles, groups, unread): (BTreeSet<String>, &BTreeMap<String, UserGroup>, &BTreeSet<&str>),
        lenient: bool,
    ) -> Self {
        let read = drafts.iter().map(|draft| (draft.name.0.clone(), draft.id.map_or(0, |(id, _)| id)));
        KindNames {
            types: unread.iter().map(|name| ((*name).to_owned(), 0)).chain(read).collect(),
            groups: groups.keys().cloned().collect(),
            properties: drafts.iter().flat_map(written).collect(),
            roles,
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
