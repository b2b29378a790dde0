//! Model, type, property, role and group.

use super::{CalculationTime, Inverses, MetadataCache, StatedGrant, TenantSettings, TypeGrant, TypeRules};
use crate::automation::AutomationList;
use crate::canvas::Canvas;
use crate::kinds::{Kind, OnDelete};
use crate::query::QueryDefinition;
use database::{Name, SqlFragment};
use expression::LanguageRules;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

/// All that is configured for a tenant. It never changes: a change of configuration makes a new one.
#[derive(Debug)]
pub struct Model {
    /// `tenant.yaml`.
    pub settings: TenantSettings,
    /// The rules by which expressions run: those of the version that applied the files.
    pub rules: LanguageRules,
    /// The types in order of id; the first is `user`.
    pub types: Vec<Arc<ResourceType>>,
    /// Roles by name.
    pub roles: BTreeMap<String, Role>,
    /// Groups by name.
    pub groups: BTreeMap<String, UserGroup>,
    /// Positions of types by name.
    pub by_name: HashMap<String, usize>,
    /// Positions of types by id.
    pub by_id: HashMap<i64, usize>,
    /// The other ends of relations.
    pub inverses: Inverses,
    /// The tenant's own texts of mails and SMS, by the name of the file in `mail/`.
    pub mail: BTreeMap<String, String>,
    /// Named queries, by name.
    pub queries: BTreeMap<String, Arc<QueryDefinition>>,
    /// The values that `env()` gives, by name: `env.yaml`.
    pub environment: BTreeMap<String, Arc<str>>,
    /// Canvases, by name.
    pub canvases: BTreeMap<String, Arc<Canvas>>,
    /// Automations.
    pub automations: AutomationList,
    /// The metadata of types that was asked for already.
    pub metadata: MetadataCache,
}

/// A type: a collection of resources and its table.
#[derive(Debug)]
pub struct ResourceType {
    /// Stable, never reused. Below 10 are the built-in types; 1 is `user`.
    pub id: i64,
    /// The system name, `[a-z][A-Za-z0-9_]*`.
    pub name: String,
    /// For people.
    pub title: String,
    /// For people; may be empty.
    pub description: String,
    /// The system fields, then the properties in the file's order. See [`super::SYSTEM_FIELDS`].
    pub fields: Vec<Property>,
    /// Positions by field name.
    pub by_name: HashMap<String, usize>,
    /// The position of the property that names a resource to people.
    pub title_property: Option<usize>,
    /// The position of the property by which imports refer to a resource.
    pub code_property: Option<usize>,
    /// The position of the relation to the type itself that makes it a hierarchy.
    pub parent_property: Option<usize>,
    /// True if reads are logged (D-29).
    pub log_reads: bool,
    /// Unique sets by position, those of single `unique` properties included.
    pub unique: Vec<Vec<usize>>,
    /// Indexes of several properties, by position.
    pub indexes: Vec<Vec<usize>>,
    /// The default order: position and whether descending.
    pub order_by: Vec<(usize, bool)>,
    /// The sections of its forms, in order. Forms show the properties that stand in none at the end.
    pub sections: Vec<FormSection>,
    /// `t<id>`.
    pub table: Name,
    /// The expressions that decide about its properties; set once all types are there, which they may walk to.
    pub rules: OnceLock<TypeRules>,
    /// The beginning of statements that read all of the default fields, once one was needed.
    pub select: OnceLock<SqlFragment>,
}

/// A section of a type's forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormSection {
    /// For people.
    pub title: String,
    /// The positions of its properties in [`ResourceType::fields`], in the order of the form.
    pub properties: Vec<usize>,
}

/// A property of a type, or one of its system fields.
#[derive(Debug)]
pub struct Property {
    /// Stable, never reused; from 100, built-in ones from 1; 0 for system fields.
    pub id: i64,
    /// Its position in [`ResourceType::fields`].
    pub position: usize,
    /// The system name: the key in requests and answers.
    pub name: String,
    /// For people.
    pub title: String,
    /// For people; may be empty.
    pub description: String,
    /// The kind of its values.
    pub kind: Box<dyn Kind>,
    /// True if every resource must have a value.
    pub required: bool,
    /// True if an expression decides which resources may have a value.
    pub conditional: bool,
    /// True if no two resources may share a value.
    pub unique: bool,
    /// True if there is an index for filters and sorts.
    pub index: bool,
    /// True if full text looks at it.
    pub searchable: bool,
    /// True if its values are about people: a scrubbed clone has made-up ones in their place.
    pub personal: bool,
    /// The value of a resource that is created without one, in wire form.
    pub default: Option<Json>,
    /// The time of their calculation, where its values are calculated.
    pub calculated: Option<CalculationTime>,
    /// True if input for it is refused.
    pub read_only: bool,
    /// True if input for it is refused once the resource exists.
    pub write_once: bool,
    /// `p<id>`, or the system field's column. For multi-valued kinds, the link table `m<id>`.
    pub column: Name,
}

/// A role: permissions under a name.
#[derive(Debug, Clone)]
pub struct Role {
    /// The system name.
    pub name: String,
    /// For people.
    pub title: String,
    /// System permissions.
    pub system: BTreeSet<SystemPermission>,
    /// The grants on types, by type id.
    pub types: BTreeMap<i64, TypeGrant>,
    /// The same, grant by grant, as its file states it.
    pub stated: BTreeMap<i64, Vec<StatedGrant>>,
}

/// A group that users belong to.
#[derive(Debug, Clone)]
pub struct UserGroup {
    /// The system name.
    pub name: String,
    /// For people.
    pub title: String,
}

/// An action on resources of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceAction {
    /// Read.
    Show,
    /// Change.
    Edit,
    /// Create.
    Create,
    /// Delete.
    Delete,
}

impl ResourceAction {
    /// All of them, in the order of the numbers that they are.
    pub const ALL: [ResourceAction; 4] =
        [ResourceAction::Show, ResourceAction::Edit, ResourceAction::Create, ResourceAction::Delete];

    /// Its name in files, scopes and messages.
    pub fn word(self) -> &'static str {
        match self {
            ResourceAction::Show => "show",
            ResourceAction::Edit => "edit",
            ResourceAction::Create => "create",
            ResourceAction::Delete => "delete",
        }
    }
}

/// Permissions that are not about one type (D-11, R-247 to R-253).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SystemPermission {
    /// `restApi`: may use the REST API.
    RestApi,
    /// `notifications`.
    Notifications,
    /// `getNotificationsPerCustomId`.
    GetNotificationsPerCustomId,
    /// `profile`.
    Profile,
    /// `apiUserRegistration`.
    ApiUserRegistration,
    /// `apiUserPasswordReset`.
    ApiUserPasswordReset,
    /// `manageTags`.
    ManageTags,
    /// `createPrivateTags`.
    CreatePrivateTags,
    /// `admin`: the console and the configuration.
    Admin,
}

impl SystemPermission {
    /// All of them, with their names in files.
    pub const ALL: [(&'static str, SystemPermission); 9] = [
        ("restApi", SystemPermission::RestApi),
        ("notifications", SystemPermission::Notifications),
        ("getNotificationsPerCustomId", SystemPermission::GetNotificationsPerCustomId),
        ("profile", SystemPermission::Profile),
        ("apiUserRegistration", SystemPermission::ApiUserRegistration),
        ("apiUserPasswordReset", SystemPermission::ApiUserPasswordReset),
        ("manageTags", SystemPermission::ManageTags),
        ("createPrivateTags", SystemPermission::CreatePrivateTags),
        ("admin", SystemPermission::Admin),
    ];
}

impl Model {
    /// A model out of its parts; the types in order of id.
    pub fn new(
        settings: TenantSettings,
        types: Vec<Arc<ResourceType>>,
        roles: BTreeMap<String, Role>,
        groups: BTreeMap<String, UserGroup>,
    ) -> Self {
        let by_name = types.iter().enumerate().map(|(position, found)| (found.name.clone(), position)).collect();
        let by_id = types.iter().enumerate().map(|(position, found)| (found.id, position)).collect();
        let inverses = Inverses::of(&types);
        let (mail, queries, environment) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (canvases, automations, metadata) = (BTreeMap::new(), AutomationList::default(), MetadataCache::default());
        Model {
            settings,
            rules: LanguageRules::default(),
            types,
            roles,
            groups,
            by_name,
            by_id,
            inverses,
            mail,
            queries,
            environment,
            canvases,
            automations,
            metadata,
        }
    }

    /// The type with that id.
    pub fn type_by_id(&self, id: i64) -> Option<&Arc<ResourceType>> {
        self.by_id.get(&id).map(|position| &self.types[*position])
    }

    /// The type with that system name.
    pub fn type_named(&self, name: &str) -> Option<&Arc<ResourceType>> {
        self.by_name.get(name).map(|position| &self.types[*position])
    }

    /// The type that a path segment addresses, by id or system name.
    pub fn collection(&self, text: &str) -> Option<&Arc<ResourceType>> {
        // One spelling each: `010` and `+10` are no ids.
        let by_id = || self.type_by_id(text.parse().ok()?).filter(|found| found.id.to_string() == text);
        self.type_named(text).or_else(by_id)
    }
}

impl Property {
    /// Returns true if nobody gives it a value: it is calculated, numbered, or read-only.
    pub fn shown_only(&self) -> bool {
        self.read_only || self.calculated.is_some() || self.kind.autonumber().is_some()
    }

    /// Returns true if every stored row has a value.
    pub fn is_always_given(&self) -> bool {
        let is_kept = self.kind.relation().is_none_or(|relation| relation.on_delete != OnDelete::SetNull);
        let is_written = self.required && !self.conditional && self.calculated.is_none() && is_kept;
        is_written || self.id == 0 && ["id", "created", "updated"].contains(&self.name.as_str())
    }

    /// Returns true if its values are calculated when they are shown, and never stored.
    pub fn is_virtual(&self) -> bool {
        self.calculated == Some(CalculationTime::Virtual)
    }
}

impl ResourceType {
    /// The field with that name, be it readable or not: for configuration. Requests go through
    /// the rights of their caller.
    pub fn field(&self, name: &str) -> Option<&Property> {
        self.by_name.get(name).map(|position| &self.fields[*position])
    }

    /// Returns the expressions that decide about its properties.
    pub fn rules(&self) -> &TypeRules {
        static NONE: TypeRules = TypeRules::NONE;
        self.rules.get().unwrap_or(&NONE)
    }

    /// Returns true if an index leads to rows by a value of the property.
    pub fn has_index(&self, property: &Property) -> bool {
        property.index
            || property.unique
            || property.kind.relation().is_some()
            || self.has_index_of(&[property.position])
    }

    /// Returns true if an index of several properties begins with these, in any order.
    pub fn has_index_of(&self, positions: &[usize]) -> bool {
        self.indexes.iter().chain(&self.unique).any(|index| {
            let front = index.get(..positions.len()).unwrap_or_default();
            positions.iter().all(|position| front.contains(position))
        })
    }

    /// The properties, without the system fields.
    pub fn properties(&self) -> &[Property] {
        &self.fields[super::FIRST_PROPERTY..]
    }
}
