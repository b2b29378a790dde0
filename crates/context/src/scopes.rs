//! The scopes of a key (D-9): what it may do at most, whatever its owner may.

use model::error::{Error, Result};
use model::kinds::nearest;
use model::suggestion;
use model::types::{Model, ResourceAction, ResourceType, SystemPermission, TypeGrant};
use serde_json::Value as Json;
use std::collections::HashSet;

/// The most scopes of a key: each of its requests looks through them.
const MOST: usize = 1_000;

/// The scopes that a key carries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyScopes(Vec<KeyScope>);

/// One scope. Its text is what `permissions` of a key lists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeyScope {
    /// `*`: all that the owner may.
    All,
    /// `collection:<type>:<action>`; no type means every one.
    Collection(Option<String>, ResourceAction),
    /// `tags`: the tags collection and its commands.
    Tags,
    /// `upload`.
    Upload,
    /// `app:<module.action>`.
    App(String),
}

/// The commands that a system permission is for: a scoped key keeps the permission only for these.
const COMMANDS: [(SystemPermission, &[&str]); 3] = [
    (SystemPermission::Profile, &["user.current"]),
    (
        SystemPermission::ApiUserRegistration,
        &["user.register", "user.cancelregistration", "user.challenge", "user.retrychallenge"],
    ),
    (SystemPermission::ApiUserPasswordReset, &["user.resetpassword"]),
];

impl KeyScopes {
    /// `["*"]`.
    pub fn all() -> Self {
        KeyScopes(vec![KeyScope::All])
    }

    /// All actions on resources, and nothing else.
    pub fn collections() -> Self {
        KeyScopes(ResourceAction::ALL.map(|action| KeyScope::Collection(None, action)).to_vec())
    }

    /// Reads scopes as a caller gives them; types must exist.
    pub fn parse<'t>(texts: impl IntoIterator<Item = &'t str>, model: &Model) -> Result<Self> {
        Self::parse_with(texts, model, |_| None)
    }

    /// The same for an administrator, who may know all types: the message of an unknown scope suggests the nearest one.
    pub fn parse_as_administrator<'t>(texts: impl IntoIterator<Item = &'t str>, model: &Model) -> Result<Self> {
        Self::parse_with(texts, model, |text| nearest_scope(text, model))
    }

    fn parse_with<'t>(
        texts: impl IntoIterator<Item = &'t str>,
        model: &Model,
        nearest: impl Fn(&str) -> Option<String>,
    ) -> Result<Self> {
        let unknown = |text: &str| {
            let hint = suggestion::sentence(nearest(text).as_deref());
            Error::invalid("scope_unknown", format!("There is no permission {text:?}.{hint}"))
        };
        let scopes: Vec<KeyScope> = texts
            .into_iter()
            .map(|text| parse(text).filter(|scope| scope.names_known_type(model)).ok_or_else(|| unknown(text)))
            .collect::<Result<_>>()?;
        if scopes.is_empty() {
            return Err(Error::invalid("scope_missing", "A key needs at least one permission."));
        }
        let mut known = HashSet::new();
        let scopes: Vec<KeyScope> = scopes.into_iter().filter(|scope| known.insert(scope.clone())).collect();
        if scopes.len() > MOST {
            return Err(Error::invalid("scopes_too_many", format!("A key has at most {MOST} permissions.")));
        }
        Ok(KeyScopes(scopes))
    }

    /// Reads scopes as they are stored. One that a later configuration no longer knows grants nothing.
    pub fn stored(json: &str) -> Self {
        let texts: Vec<String> = serde_json::from_str(json).unwrap_or_default();
        KeyScopes(texts.iter().filter_map(|text| parse(text)).collect())
    }

    /// The list of texts.
    pub fn json(&self) -> Json {
        self.0.iter().map(KeyScope::text).collect()
    }

    /// Returns true if the key may do all that its owner may.
    pub fn unlimited(&self) -> bool {
        self.0.contains(&KeyScope::All)
    }

    /// Returns true if the key may upload files.
    pub fn upload(&self) -> bool {
        self.unlimited() || self.0.contains(&KeyScope::Upload)
    }

    /// Returns true if the key may call the command `module.action`.
    pub fn command(&self, name: &str) -> bool {
        let tags = name.starts_with("tags.") && self.0.contains(&KeyScope::Tags);
        self.unlimited()
            || tags
            || self.0.iter().any(|scope| matches!(scope, KeyScope::App(command) if command == name))
    }

    /// Returns true if the key may do the action on a collection, addressed by name and id.
    pub fn collection(&self, name: &str, id: Option<i64>, action: ResourceAction) -> bool {
        self.0.iter().any(|scope| match scope {
            KeyScope::All => true,
            KeyScope::Collection(collection, scoped) => {
                *scoped == action
                    && collection.as_ref().is_none_or(|text| text == name || id.is_some() && text.parse().ok() == id)
            }
            KeyScope::Tags => name == "tags",
            KeyScope::Upload | KeyScope::App(_) => false,
        })
    }

    /// Returns true if a system permission of the owner is left to the key.
    pub fn keeps(&self, permission: SystemPermission) -> bool {
        use SystemPermission as P;
        self.unlimited()
            || match permission {
                P::RestApi => true,
                P::ManageTags | P::CreatePrivateTags => {
                    let actions =
                        [ResourceAction::Show, ResourceAction::Create, ResourceAction::Edit, ResourceAction::Delete];
                    actions.iter().any(|action| self.collection("tags", None, *action))
                }
                P::Notifications | P::GetNotificationsPerCustomId => [ResourceAction::Show, ResourceAction::Edit]
                    .iter()
                    .any(|action| self.collection("notifications", None, *action)),
                P::Admin => false,
                P::Profile | P::ApiUserRegistration | P::ApiUserPasswordReset => COMMANDS
                    .iter()
                    .any(|(listed, names)| *listed == permission && names.iter().any(|name| self.command(name))),
            }
    }

    /// Returns the part of a right on a type that is left to the key.
    pub fn narrow(&self, resource_type: &ResourceType, grant: TypeGrant) -> TypeGrant {
        let may = |action| self.collection(&resource_type.name, Some(resource_type.id), action);
        let mut rows = grant.rows;
        for action in ResourceAction::ALL.into_iter().filter(|action| !may(*action)) {
            rows[action as usize] = None;
        }
        TypeGrant {
            show: grant.show.filter(|_| may(ResourceAction::Show)),
            edit: grant.edit.filter(|_| may(ResourceAction::Edit)),
            create: grant.create.filter(|_| may(ResourceAction::Create)),
            delete: grant.delete && may(ResourceAction::Delete),
            rows,
        }
    }
}

impl KeyScope {
    /// The scope as `permissions` lists it.
    pub fn text(&self) -> String {
        match self {
            KeyScope::All => "*".to_owned(),
            KeyScope::Collection(collection, action) => {
                format!("collection:{}:{}", collection.as_deref().unwrap_or("*"), action.word())
            }
            KeyScope::Tags => "tags".to_owned(),
            KeyScope::Upload => "upload".to_owned(),
            KeyScope::App(name) => format!("app:{name}"),
        }
    }

    fn names_known_type(&self, model: &Model) -> bool {
        match self {
            KeyScope::Collection(Some(name), _) => {
                ["tags", "notifications"].contains(&name.as_str()) || model.collection(name).is_some()
            }
            _ => true,
        }
    }
}

fn parse(text: &str) -> Option<KeyScope> {
    match text.split(':').collect::<Vec<_>>()[..] {
        ["*"] => Some(KeyScope::All),
        ["tags"] => Some(KeyScope::Tags),
        ["upload"] => Some(KeyScope::Upload),
        ["app", name] if is_command(name) => Some(KeyScope::App(name.to_owned())),
        ["collection", collection, action] if !collection.is_empty() => {
            let action = ResourceAction::ALL.into_iter().find(|known| known.word() == action)?;
            Some(KeyScope::Collection((collection != "*").then(|| collection.to_owned()), action))
        }
        _ => None,
    }
}

/// Returns the scope of a collection that a text perhaps means.
fn nearest_scope(text: &str, model: &Model) -> Option<String> {
    let ["collection", collection, action] = text.split(':').collect::<Vec<_>>()[..] else { return None };
    let names = model.types.iter().map(|known| known.name.as_str()).chain(["tags", "notifications"]);
    let named = names.clone().find(|name| *name == collection).or_else(|| nearest(collection, names));
    let action = nearest(action, ResourceAction::ALL.into_iter().map(ResourceAction::word))?;
    Some(format!("collection:{}:{action}", named?))
}

fn is_command(name: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    name.split_once('.').is_some_and(|(module, action)| is_word(module) && is_word(action))
}
