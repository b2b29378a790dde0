//! Rights by which the rows of an import are written: all of them, or those of a caller.

use super::options::ImportMode;
use context::actor::{Allowed, unknown};
use context::request_context::RequestContext;
use model::error::Result;
use model::types::{FIRST_PROPERTY, Property, ReadableRows, ResourceAction, ResourceType};
use model::user_columns::USER_TYPE;
use std::sync::Arc;

/// Rights of an import.
pub(super) enum ImportRights<'t> {
    /// All, as a command has them.
    All,
    /// Those of a caller.
    Caller(CallerRights<'t>),
}

/// Rights of a caller on the type of an import.
pub(super) struct CallerRights<'t> {
    create: Option<Allowed<'t>>,
    edit: Option<Allowed<'t>>,
    /// True if no row and no value of it is judged by itself, so that rows may be written together.
    direct: bool,
}

impl<'t> CallerRights<'t> {
    /// Those that a mode needs; gives the type, too.
    pub(super) fn new(
        context: &'t RequestContext,
        collection: &str,
        mode: ImportMode,
    ) -> Result<(Self, &'t Arc<ResourceType>)> {
        let allowed = |action| context.actor.allowed(&context.model, collection, action);
        let create = (mode != ImportMode::Update).then(|| allowed(ResourceAction::Create)).transpose()?;
        let edit = (mode != ImportMode::Create).then(|| allowed(ResourceAction::Edit)).transpose()?;
        let of = match (&create, &edit) {
            (Some(allowed), _) | (None, Some(allowed)) => allowed.resource_type,
            (None, None) => allowed(ResourceAction::Edit)?.resource_type,
        };
        let mut rights = CallerRights { create, edit, direct: false };
        rights.direct = rights.is_direct(context, of);
        Ok((rights, of))
    }

    fn all(&self) -> impl Iterator<Item = &Allowed<'t>> {
        self.create.iter().chain(&self.edit)
    }

    fn is_direct(&self, context: &RequestContext, of: &ResourceType) -> bool {
        let shows_all = |allowed: &Allowed<'_>| matches!(allowed.shown, ReadableRows::Everything);
        let free = self.all().all(|allowed| allowed.limited.is_none() && allowed.withheld.is_none());
        // Relations lead to rows that the caller sees, and that pass the filter of the relation.
        let simple = |property: &Property| {
            let Some(relation) = property.kind.relation() else { return true };
            let target = context.model.type_by_id(relation.type_id);
            let target = target.and_then(|of| context.actor.allowed_type(of, ResourceAction::Show).ok());
            relation.filter.is_empty() && target.is_some_and(|target| shows_all(&target))
        };
        let given = |property: &&Property| self.all().any(|allowed| allowed.writable.contains(property));
        free && of.id != USER_TYPE
            && context.actor.acting.is_none()
            && self.edit.as_ref().is_none_or(shows_all)
            && of.properties().iter().filter(given).all(simple)
    }

    /// Fails where the caller may not give values under a name; what the platform itself gives is nobody's.
    fn check(&self, context: &RequestContext, property: &Property, key: Option<&Property>) -> Result<()> {
        if property.position < FIRST_PROPERTY {
            return Ok(());
        }
        if property.calculated.is_some() {
            return self.all().try_for_each(|allowed| allowed.given(&property.name).map(drop));
        }
        let mut gives = self.all();
        if key.is_some_and(|key| key.position == property.position) {
            // The key of a row that is there stays as it is.
            return self
                .create
                .iter()
                .try_for_each(|allowed| resources::check_given(&context.actor, allowed, property));
        }
        gives.try_for_each(|allowed| resources::check_given(&context.actor, allowed, property))
    }
}

impl<'t> ImportRights<'t> {
    /// Returns true if rows may be written together, as with all rights.
    pub(super) fn are_direct(&self) -> bool {
        match self {
            ImportRights::All => true,
            ImportRights::Caller(rights) => rights.direct,
        }
    }

    /// Returns true if they are those of a caller.
    pub(super) fn are_limited(&self) -> bool {
        matches!(self, ImportRights::Caller(_))
    }

    /// Fails where values of a property may not be given. Those of the key find rows.
    pub(super) fn check(&self, context: &RequestContext, property: &Property, key: Option<&Property>) -> Result<()> {
        match self {
            ImportRights::All => Ok(()),
            ImportRights::Caller(rights) => rights.check(context, property, key),
        }
    }

    /// Returns true if a grant may give a value to the property at a position of a new row.
    pub(super) fn presets(&self, position: usize) -> bool {
        let ImportRights::Caller(CallerRights { create: Some(create), .. }) = self else { return false };
        let mut grants = create.limited.iter().flat_map(|limited| &limited.some);
        grants.any(|grant| grant.preset.iter().any(|preset| preset.position == position))
    }

    /// Fails where rows may not be found by a property.
    pub(super) fn check_key(&self, property: &Property) -> Result<()> {
        match self {
            ImportRights::All => Ok(()),
            ImportRights::Caller(rights) => {
                let known = |allowed: &Allowed<'_>| property.position < 2 || allowed.readable.contains(property);
                if rights.all().all(known) { Ok(()) } else { Err(unknown(&property.name)) }
            }
        }
    }
}
