//! Who acts and what they may: the one authorisation of the platform.

use crate::error::{Error, Result};
use crate::keys::Scopes;
use crate::types::{Action, Fields, Model, Property, SystemPermission, Type, TypeGrant};
use jiff::tz::TimeZone;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The owner of the key that came with a request, with the rights that user and key have together (D-9).
/// Only `keys` and `users` make one.
#[derive(Debug)]
pub struct Actor {
    /// The user's id.
    pub user: i64,
    /// The user's display zone.
    pub zone: TimeZone,
    /// System permissions.
    pub(crate) system: BTreeSet<SystemPermission>,
    /// Rights by type id, the user's roles united and narrowed by the key's scopes.
    pub(crate) types: HashMap<i64, TypeGrant>,
    /// What the key may do at most.
    pub scopes: Scopes,
}

/// A right that was checked: whoever holds one may do the action on the type. Also the one resolver of the
/// field names that requests carry.
#[derive(Debug, Clone)]
pub struct Allowed<'m> {
    /// The type.
    pub resource_type: &'m Arc<Type>,
    /// Fields that may be read.
    pub readable: Fields,
    /// Fields that may be given or changed by the action.
    pub writable: Fields,
}

impl Actor {
    /// The owner of a key: the rights of the roles united, and what the key's scopes leave of them.
    pub(crate) fn of_key(user: i64, zone: TimeZone, model: &Model, roles: &[String], scopes: Scopes) -> Self {
        let mut system = BTreeSet::new();
        let mut types: HashMap<i64, TypeGrant> = HashMap::new();
        for role in roles.iter().filter_map(|name| model.roles.get(name)) {
            system.extend(role.system.iter().copied().filter(|permission| scopes.keeps(*permission)));
            for (id, grant) in &role.types {
                types.entry(*id).or_default().add(grant);
            }
        }
        if !scopes.unlimited() {
            for (id, grant) in &mut types {
                let whole = std::mem::take(grant);
                *grant = model.type_by_id(*id).map_or_else(TypeGrant::default, |of| scopes.narrow(of, whole));
            }
        }
        Actor { user, zone, system, types, scopes }
    }

    /// Whoever runs a command on the server: all rights, no user.
    pub(crate) fn administrator(model: &Model) -> Self {
        let all =
            || TypeGrant { show: Some(Fields::All), edit: Some(Fields::All), create: Some(Fields::All), delete: true };
        Actor {
            user: 0,
            zone: model.settings.timezone.clone(),
            system: SystemPermission::ALL.iter().map(|(_, permission)| *permission).collect(),
            types: model.types.iter().map(|resource_type| (resource_type.id, all())).collect(),
            scopes: Scopes::all(),
        }
    }

    /// Fails unless the actor has the system permission.
    pub fn require(&self, permission: SystemPermission) -> Result<()> {
        if self.system.contains(&permission) {
            return Ok(());
        }
        let name = SystemPermission::ALL.iter().find(|(_, listed)| *listed == permission).map_or("", |(name, _)| name);
        Err(Error::forbidden("permission_missing", format!("The permission {name} is needed.")))
    }

    /// All that the actor may do with the type of that id; for descriptions.
    pub fn grant(&self, type_id: i64) -> TypeGrant {
        self.types.get(&type_id).cloned().unwrap_or_default()
    }

    /// Whether the actor may know that the type has the property: it may be read, or given a value. No text
    /// names another one (D-3).
    pub(crate) fn knows(&self, of: &Type, property: &Property) -> bool {
        self.types.get(&of.id).is_some_and(|grant| {
            [&grant.show, &grant.edit, &grant.create].into_iter().flatten().any(|fields| fields.contains(property))
        })
    }

    /// The right to do the action on a collection, addressed by id or system name: 404 for an unknown type,
    /// 403 without the right (D-13).
    pub fn allowed<'m>(&self, model: &'m Model, collection: &str, action: Action) -> Result<Allowed<'m>> {
        let resource_type = model
            .collection(collection)
            .ok_or_else(|| Error::missing("collection_missing", "There is no such collection."))?;
        self.allowed_type(resource_type, action)
    }

    /// The same for a type at hand.
    pub fn allowed_type<'m>(&self, resource_type: &'m Arc<Type>, action: Action) -> Result<Allowed<'m>> {
        let forbidden = || {
            let word = match action {
                Action::Show => "show",
                Action::Edit => "edit",
                Action::Create => "create",
                Action::Delete => "delete",
            };
            Error::forbidden(
                "permission_missing",
                format!("The permission {word} on {} is needed.", resource_type.name),
            )
        };
        let nothing = || Fields::Only(vec![false; resource_type.fields.len()].into());
        let grant = self.types.get(&resource_type.id).ok_or_else(forbidden)?;
        let writable = match action {
            Action::Show => grant.show.as_ref().map(|_| nothing()),
            Action::Edit => grant.edit.clone(),
            Action::Create => grant.create.clone(),
            Action::Delete => grant.delete.then(nothing),
        };
        Ok(Allowed {
            resource_type,
            readable: grant.show.clone().unwrap_or_else(nothing),
            writable: writable.ok_or_else(forbidden)?,
        })
    }
}

impl<'m> Allowed<'m> {
    /// The field that a request names, to be read, filtered or sorted by. One that may not be read gives
    /// the very same error as one that does not exist (D-2).
    pub fn field(&self, name: &str) -> Result<&'m Property> {
        self.resource_type
            .field(name)
            .filter(|property| self.readable.contains(property) && !property.kind.concealed())
            .ok_or_else(|| unknown(name))
    }

    /// The field that a request gives a value for. One that the caller may neither read nor write gives the very
    /// same error as one that does not exist; whether this one may be written is for the caller of this to check.
    pub fn given(&self, name: &str) -> Result<&'m Property> {
        self.resource_type
            .field(name)
            .filter(|property| self.readable.contains(property) || self.writable.contains(property))
            .ok_or_else(|| unknown(name))
    }
}

fn unknown(name: &str) -> Error {
    Error::invalid("property_unknown", format!("There is no property {name:?}."))
}
