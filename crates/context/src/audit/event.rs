//! Events of the audit log: what happened, to whom, and what more there is to it.

use crate::call::Call;
use serde_json::{Map, Value as Json, json};
use std::net::IpAddr;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A user was made, by another user, a command, an import or a file of the configuration.
    UserCreated,
    /// A user was deleted.
    UserDeleted,
    /// A user's roles changed.
    RolesChanged,
    /// A user's group changed.
    GroupChanged,
    /// The state of a user changed: whether and when that user may sign in.
    StateChanged,
    /// A user's login name changed.
    LoginChanged,
    /// A user's password changed.
    PasswordChanged,
    /// A key was made.
    KeyCreated,
    /// Keys were revoked.
    KeyRevoked,
    /// A user was registered.
    UserRegistered,
    /// A user proved the address, or all that was to be proved.
    UserVerified,
    /// A registration was cancelled, and its user deleted.
    UserCancelled,
    /// A link to set a new password was sent.
    ResetAsked,
    /// A new password was set by such a link.
    ResetDone,
    /// Somebody signed in to the pages.
    SessionBegun,
    /// Sessions of the pages were ended.
    SessionEnded,
    /// Files were applied to the tenant.
    ConfigurationApplied,
    /// An administrator began to act as a user.
    LoginAsBegun,
    /// An administrator who acts as a user changed something.
    LoginAsChanged,
    /// A named secret was set.
    SecretSet,
    /// A named secret was removed.
    SecretRemoved,
    /// The tenant went over to another master key.
    KeyRotated,
    /// An automation was switched off.
    AutomationDisabled,
    /// An automation was switched on again.
    AutomationEnabled,
}

impl Kind {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Kind); 24] = [
        ("user.created", Kind::UserCreated),
        ("user.deleted", Kind::UserDeleted),
        ("roles.changed", Kind::RolesChanged),
        ("group.changed", Kind::GroupChanged),
        ("state.changed", Kind::StateChanged),
        ("login.changed", Kind::LoginChanged),
        ("password.changed", Kind::PasswordChanged),
        ("key.created", Kind::KeyCreated),
        ("key.revoked", Kind::KeyRevoked),
        ("user.registered", Kind::UserRegistered),
        ("user.verified", Kind::UserVerified),
        ("user.cancelled", Kind::UserCancelled),
        ("reset.asked", Kind::ResetAsked),
        ("reset.done", Kind::ResetDone),
        ("session.begun", Kind::SessionBegun),
        ("session.ended", Kind::SessionEnded),
        ("configuration.applied", Kind::ConfigurationApplied),
        ("loginAs.begun", Kind::LoginAsBegun),
        ("loginAs.changed", Kind::LoginAsChanged),
        ("secret.set", Kind::SecretSet),
        ("secret.removed", Kind::SecretRemoved),
        ("vault.rotated", Kind::KeyRotated),
        ("automation.disabled", Kind::AutomationDisabled),
        ("automation.enabled", Kind::AutomationEnabled),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Kind::ALL.iter().find(|(of, _)| *of == name).map(|(_, kind)| *kind)
    }
}

/// By which way the tenant was reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Via {
    /// The API.
    Api,
    /// A page for people.
    Page,
    /// The command line.
    Command,
    /// An automation did it.
    Automation,
    /// Nobody's: the platform did it of itself.
    #[default]
    Platform,
}

impl Via {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Via); 5] = [
        ("api", Via::Api),
        ("page", Via::Page),
        ("command", Via::Command),
        ("automation", Via::Automation),
        ("platform", Via::Platform),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Via::ALL.iter().find(|(_, via)| *via == self).map_or("", |(name, _)| name)
    }
}

/// The source of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The way that it came.
    pub via: Via,
    /// The id of the API key that it came with.
    pub key: Option<i64>,
    /// From which address.
    pub address: Option<IpAddr>,
}

/// An event. It holds no secret, and of people nothing but their ids: what is in the chain stays in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub(super) kind: Kind,
    pub(super) subject: Option<i64>,
    pub(super) actor: Option<i64>,
    pub(super) source: Option<Source>,
    pub(super) details: Map<String, Json>,
}

impl Event {
    /// An event about the user with that id.
    pub fn of(kind: Kind, user: i64) -> Self {
        Event { subject: Some(user), ..Event::of_none(kind) }
    }

    /// An event that is about no user.
    pub fn of_none(kind: Kind) -> Self {
        Event { kind, subject: None, actor: None, source: None, details: Map::new() }
    }

    /// With one detail more.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// Done by this user: where the job itself has no user, as somebody proved to be this one in another way than by a key.
    #[must_use]
    pub fn by(self, user: i64) -> Self {
        Event { actor: Some(user), ..self }
    }

    /// Asked for by whoever [`asked`] told of, in an earlier job.
    #[must_use]
    pub fn asked(self, asked: &Json) -> Self {
        let address = asked["address"].as_str().and_then(|address| address.parse().ok());
        let via = Via::ALL.into_iter().find(|(name, _)| asked["via"] == *name).map_or(Via::Api, |(_, via)| via);
        let source = Source { via, key: asked["key"].as_i64(), address };
        Event { actor: asked["actor"].as_i64(), source: Some(source), ..self }
    }

    /// Come this way, where that is not the job's own.
    #[must_use]
    pub fn from(self, source: Source) -> Self {
        Event { source: Some(source), ..self }
    }
}

/// Returns the user who asks for what a later job does, and the source, for the event of that.
pub fn asked(call: &Call) -> Json {
    let Source { via, key, address } = call.source;
    json!({"actor": call.user(), "via": via.name(), "key": key, "address": address.map(|address| address.to_string())})
}
