//! The actor and its rights: the one authorisation of the platform.

use crate::allowed_notifications::AllowedNotifications;
use crate::allowed_tags::AllowedTags;
use crate::audit::RequestChannel;
use crate::name_suggestions::no_collection;
use crate::scopes::KeyScopes;
use crate::stored_resource::StoredResource;
use expression::{Fault, HostProviders, Providers, Value};
use jiff::tz::TimeZone;
use model::error::{Error, Result};
use model::types::{
    FIRST_PROPERTY, FIRST_PROPERTY_ID, FieldSet, GrantedRows, Model, Property, ReadableRows, ResourceAction,
    ResourceType, RowRule, SystemPermission, TypeGrant,
};
use model::user_columns::USER_TYPE;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

pub use model::file_link::PUBLIC;

/// The owner of the key that came with a request, with the rights that user and key have together (D-9).
/// Only `keys` and `users` make one.
#[derive(Debug)]
pub struct Actor {
    /// The user's id.
    pub user: i64,
    /// The user's display zone.
    pub zone: TimeZone,
    /// The roles, where the key leaves all that they grant.
    pub roles: BTreeSet<String>,
    /// System permissions.
    pub system: BTreeSet<SystemPermission>,
    /// Rights by type id, the user's roles united and narrowed by the key's scopes.
    pub types: HashMap<i64, TypeGrant>,
    /// The properties of types that files may be uploaded for: those that the user may give or change, where the key
    /// may upload.
    uploads: HashMap<i64, FieldSet>,
    /// True if an expression of the rights depends on the present, or on what is another from request to request.
    pub timed: bool,
    /// The rows that the user's roles show of types whose reading the key's scopes take away: they are seen, though not
    /// by this key.
    withheld: HashMap<i64, ReadableRows>,
    /// The user's own row, where an expression of the rights asks for it. Every change of it is one of the rights.
    person: Option<Arc<StoredResource>>,
    /// The administrator who acts as this user, where one does.
    pub acting: Option<i64>,
    /// The most that the key may do.
    pub scopes: KeyScopes,
    /// The version of the API's description for these rights, once it was asked for.
    pub schema: OnceLock<Arc<str>>,
}

/// A right that was checked: whoever holds one may do the action on the type. Also the one resolver of the
/// field names that requests carry.
#[derive(Debug, Clone)]
pub struct Allowed<'m> {
    /// The type.
    pub resource_type: &'m Arc<ResourceType>,
    /// Fields that may be read.
    pub readable: FieldSet,
    /// Fields that may be given or changed by the action.
    pub writable: FieldSet,
    /// Of which rows there is something to be read.
    pub shown: ReadableRows,
    /// The rows that the user sees, where the key's scopes alone keep it from reading them.
    pub withheld: Option<ReadableRows>,
    /// The rows that the action is limited to; none where nothing limits it, and where the action is to read.
    pub limited: Option<Arc<GrantedRows>>,
}

impl Actor {
    /// The owner of a key: the rights of the roles united, and what the key's scopes leave of them.
    pub fn of_key(user: i64, zone: TimeZone, model: &Model, roles: &[String], scopes: KeyScopes) -> Self {
        let mut system = BTreeSet::new();
        let mut types: HashMap<i64, TypeGrant> = HashMap::new();
        for role in roles.iter().filter_map(|name| model.roles.get(name)) {
            system.extend(role.system.iter().copied().filter(|permission| scopes.keeps(*permission)));
            for (id, grant) in &role.types {
                types.entry(*id).or_default().add(grant);
            }
        }
        let mut uploads = HashMap::new();
        for (id, grant) in types.iter().filter(|_| scopes.upload()) {
            let fields = match (&grant.edit, &grant.create) {
                (Some(edit), Some(create)) => edit.union(create),
                (Some(fields), None) | (None, Some(fields)) => fields.clone(),
                (None, None) => continue,
            };
            uploads.insert(*id, fields);
        }
        let mut withheld = HashMap::new();
        if !scopes.unlimited() {
            for (id, grant) in &mut types {
                let whole = std::mem::take(grant);
                let shown = ReadableRows::of(&whole);
                *grant = model.type_by_id(*id).map_or_else(TypeGrant::default, |of| scopes.narrow(of, whole));
                if grant.show.is_none() {
                    withheld.insert(*id, shown);
                }
            }
        }
        let kept = if scopes.unlimited() { roles.iter().cloned().collect() } else { BTreeSet::new() };
        let (timed, person, acting) = (false, None, None);
        let schema = OnceLock::new();
        let actor =
            Actor { user, zone, roles: kept, system, types, uploads, timed, withheld, person, acting, scopes, schema };
        let timed = actor.rules().any(|rule| rule.timed);
        Actor { timed, ..actor }
    }

    /// The expressions that decide about the rights.
    fn rules(&self) -> impl Iterator<Item = &RowRule> {
        let withheld = self.withheld.values().filter_map(|shown| match shown {
            ReadableRows::Some(rows) => Some(&rows.some),
            ReadableRows::Nothing | ReadableRows::Everything => None,
        });
        let withheld = withheld.flatten().filter_map(|grant| grant.rows.as_deref());
        self.types.values().flat_map(TypeGrant::rules).chain(withheld)
    }

    /// Returns true where an expression of the rights asks for the user's own row.
    pub fn asks_for_person(&self) -> bool {
        self.rules().any(|rule| rule.personal)
    }

    /// The same actor with the user's own row, which expressions of the rights may ask for.
    pub fn with_person(self, person: Option<Arc<StoredResource>>) -> Self {
        Actor { person, ..self }
    }

    /// Whoever runs a command on the server: all rights, no user.
    pub fn administrator(model: &Model) -> Self {
        Actor {
            user: 0,
            zone: model.settings.timezone.clone(),
            roles: BTreeSet::new(),
            system: SystemPermission::ALL.iter().map(|(_, permission)| *permission).collect(),
            types: model.types.iter().map(|resource_type| (resource_type.id, TypeGrant::everything())).collect(),
            uploads: HashMap::new(),
            timed: false,
            withheld: HashMap::new(),
            person: None,
            acting: None,
            scopes: KeyScopes::all(),
            schema: OnceLock::new(),
        }
    }

    /// The caller without a key: the rights of the public role alone, and none beside collections (E-110).
    /// None where the tenant has no public role.
    pub fn public(model: &Model) -> Option<Self> {
        let public = model.settings.public.as_ref()?;
        let role = std::slice::from_ref(&public.role);
        let actor = Actor::of_key(PUBLIC, model.settings.timezone.clone(), model, role, KeyScopes::collections());
        Some(Actor { system: BTreeSet::new(), uploads: HashMap::new(), ..actor })
    }

    /// Returns true for the caller without a key.
    pub fn is_public(&self) -> bool {
        self.user == PUBLIC
    }

    /// The same user with all rights: for what the configuration asks of rows, whoever writes.
    pub fn unlimited(&self, model: &Model) -> Self {
        Actor { acting: self.acting, ..Actor::elevated(self.user, model) }
    }

    /// A user with all rights.
    pub fn elevated(user: i64, model: &Model) -> Self {
        Actor { user, ..Actor::administrator(model) }
    }

    /// Fails unless the actor has the system permission.
    pub fn require(&self, permission: SystemPermission) -> Result<()> {
        if self.system.contains(&permission) {
            return Ok(());
        }
        let name = SystemPermission::ALL.iter().find(|(_, listed)| *listed == permission).map_or("", |(name, _)| name);
        Err(Error::forbidden("permission_missing", format!("The permission {name} is needed.")))
    }

    /// Fails unless the key may call the command `module.action` (D-9).
    pub fn require_command(&self, command: &str) -> Result<()> {
        if self.scopes.command(command) {
            return Ok(());
        }
        Err(Error::forbidden("permission_missing", format!("The permission app:{command} is needed.")))
    }

    /// The right to do the action on tags: the key's scopes must leave it, and to write them takes `manageTags` or
    /// `createPrivateTags` (R-144, R-148, D-9).
    pub fn tags(&self, action: ResourceAction) -> Result<AllowedTags> {
        if !self.scopes.collection("tags", None, action) {
            return Err(forbidden(action, "tags"));
        }
        let writes = [SystemPermission::ManageTags, SystemPermission::CreatePrivateTags];
        if action != ResourceAction::Show && !writes.iter().any(|permission| self.system.contains(permission)) {
            let message = "The permission manageTags or createPrivateTags is needed.";
            return Err(Error::forbidden("permission_missing", message));
        }
        Ok(self.tags_seen())
    }

    /// The right to read notifications, or to change them: `notifications` for those of one's own,
    /// `getNotificationsPerCustomId` for those of custom ids; the key's scopes must leave it (D-9).
    pub fn notifications(&self, action: ResourceAction) -> Result<AllowedNotifications> {
        if !self.scopes.collection("notifications", None, action) {
            return Err(forbidden(action, "notifications"));
        }
        let own = self.system.contains(&SystemPermission::Notifications);
        let custom = self.system.contains(&SystemPermission::GetNotificationsPerCustomId);
        if !own && !custom {
            let message = "The permission notifications or getNotificationsPerCustomId is needed.";
            return Err(Error::forbidden("permission_missing", message));
        }
        Ok(AllowedNotifications::new(self.user, own, custom))
    }

    /// Returns the right that decides which tags the actor sees, for commands that have their own permission.
    pub fn tags_seen(&self) -> AllowedTags {
        AllowedTags::new(self.user, self.system.contains(&SystemPermission::ManageTags))
    }

    /// The right to read the own user, whatever rights there are on users: the built-in properties, and
    /// those of the tenant that may be read on any user.
    pub fn itself<'m>(&self, model: &'m Model) -> Result<Allowed<'m>> {
        self.require(SystemPermission::Profile)?;
        self.accounts(model)
    }

    /// Returns the right to read a user whom a command names, where the command's own permission was asked for: the
    /// same.
    pub fn accounts<'m>(&self, model: &'m Model) -> Result<Allowed<'m>> {
        let resource_type = model.type_by_id(USER_TYPE).ok_or_else(|| Error::failed("a tenant without users"))?;
        let built_in = |property: &Property| property.position < FIRST_PROPERTY || property.id < FIRST_PROPERTY_ID;
        let own = FieldSet::Only(resource_type.fields.iter().map(built_in).collect());
        let grant = self.types.get(&USER_TYPE);
        let limited =
            grant.and_then(|grant| grant.limited(ResourceAction::Show)).map(|rows| Arc::new(rows.and_always(&own)));
        let granted = grant.and_then(|grant| grant.show.as_ref());
        Ok(Allowed {
            resource_type,
            readable: granted.map_or_else(|| own.clone(), |granted| granted.union(&own)),
            writable: FieldSet::nothing(),
            shown: limited.map_or(ReadableRows::Everything, ReadableRows::Some),
            withheld: None,
            limited: None,
        })
    }

    /// The right to upload files for properties of a type: those that may be given or changed.
    pub fn upload(&self, resource_type: &ResourceType) -> Result<&FieldSet> {
        if !self.scopes.upload() {
            return Err(Error::forbidden("permission_missing", "The permission upload is needed."));
        }
        self.uploads.get(&resource_type.id).ok_or_else(|| {
            Error::forbidden("permission_missing", format!("The permission edit on {} is needed.", resource_type.name))
        })
    }

    /// All that the actor may do with the type of that id; for descriptions.
    pub fn grant(&self, type_id: i64) -> TypeGrant {
        self.types.get(&type_id).cloned().unwrap_or_default()
    }

    /// Returns true if the actor may know that the type has the property: it may be read, or given a value. No text
    /// names another one (D-3).
    pub fn knows(&self, resource_type: &ResourceType, property: &Property) -> bool {
        self.types.get(&resource_type.id).is_some_and(|grant| {
            [&grant.show, &grant.edit, &grant.create].into_iter().flatten().any(|fields| fields.contains(property))
        })
    }

    /// Returns true if the actor may know of each resource of the type what value the property has.
    pub fn knows_of_all(&self, resource_type: &ResourceType, property: &Property) -> bool {
        let limited = self.types.get(&resource_type.id).and_then(|grant| grant.limited(ResourceAction::Show));
        let all = limited.is_none_or(|rows| rows.always.as_ref().is_some_and(|always| always.contains(property)));
        all && self.knows(resource_type, property)
    }

    /// The right to do the action on a collection, addressed by id or system name: 404 for an unknown type,
    /// 403 without the right (D-13).
    pub fn allowed<'m>(&self, model: &'m Model, collection: &str, action: ResourceAction) -> Result<Allowed<'m>> {
        // Everybody could try a list of words: without a key, a type without any right is none.
        let known = model.collection(collection).filter(|of| !self.is_public() || self.types.contains_key(&of.id));
        let resource_type = known.ok_or_else(|| no_collection(self, model, collection))?;
        self.allowed_type(resource_type, action)
    }

    /// The same for a type at hand.
    pub fn allowed_type<'m>(
        &self,
        resource_type: &'m Arc<ResourceType>,
        action: ResourceAction,
    ) -> Result<Allowed<'m>> {
        let forbidden = || forbidden(action, &resource_type.name);
        let grant = self.types.get(&resource_type.id).ok_or_else(forbidden)?;
        let writable = match action {
            ResourceAction::Show => grant.show.as_ref().map(|_| FieldSet::nothing()),
            ResourceAction::Edit => grant.edit.clone(),
            ResourceAction::Create => grant.create.clone(),
            ResourceAction::Delete => grant.delete.then(FieldSet::nothing),
        };
        Ok(Allowed {
            resource_type,
            readable: grant.show.clone().unwrap_or_else(FieldSet::nothing),
            writable: writable.ok_or_else(forbidden)?,
            shown: ReadableRows::of(grant),
            withheld: self.withheld.get(&resource_type.id).cloned(),
            limited: grant.limited(action).filter(|_| action != ResourceAction::Show).cloned(),
        })
    }
}

/// Answers to expressions of the rights: the own row of the actor, without what its relations lead to, and the way
/// that the request came.
pub struct RightsProviders<'a> {
    /// The actor.
    pub actor: &'a Actor,
    /// The way that the request came.
    pub via: RequestChannel,
}

impl RightsProviders<'_> {
    /// Functions whose value may be another for the same user in the next request.
    pub const PASSING: [&'static str; 2] = ["isLoginAs", "isApiRequest"];
}

impl Providers for RightsProviders<'_> {}

impl HostProviders for RightsProviders<'_> {
    fn user(&self) -> expression::Result<Value> {
        let person = self.actor.person.as_ref();
        let person = person.ok_or_else(|| Fault::new("user_missing", "It is not known who acts."))?;
        Ok(Value::Resource(Arc::clone(person) as _))
    }

    fn is_login_as(&self) -> expression::Result<bool> {
        Ok(self.actor.acting.is_some())
    }

    fn is_api_request(&self) -> expression::Result<bool> {
        Ok(self.via == RequestChannel::Api)
    }
}

impl<'m> Allowed<'m> {
    /// Returns true if something of each row may be read.
    pub fn sees_every_row(&self) -> bool {
        match &self.shown {
            ReadableRows::Nothing => false,
            ReadableRows::Everything => true,
            ReadableRows::Some(rows) => rows.every(),
        }
    }

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

/// The error of an action that is not granted.
pub fn forbidden(action: ResourceAction, collection: &str) -> Error {
    let word = action.word();
    Error::forbidden("permission_missing", format!("The permission {word} on {collection} is needed."))
}

/// The error of a name that is no property, or none that the caller sees.
pub fn unknown(name: &str) -> Error {
    Error::invalid("property_unknown", format!("There is no property {name:?}."))
}
