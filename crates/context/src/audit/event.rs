//! Events of the audit log: what happened, to whom, and what more there is to it.

use serde_json::{Map, Value as Json};
use std::net::IpAddr;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
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
    /// A bulk change was asked for without events for automations.
    AutomationsSkipped,
    /// Rows of an import were written with all rights.
    ImportElevated,
    /// Records came back from a backup.
    RecordsRestored,
}

impl EventKind {
    /// All of them, with their names.
    pub const ALL: [(&'static str, EventKind); 27] = [
        ("user.created", EventKind::UserCreated),
        ("user.deleted", EventKind::UserDeleted),
        ("roles.changed", EventKind::RolesChanged),
        ("group.changed", EventKind::GroupChanged),
        ("state.changed", EventKind::StateChanged),
        ("login.changed", EventKind::LoginChanged),
        ("password.changed", EventKind::PasswordChanged),
        ("key.created", EventKind::KeyCreated),
        ("key.revoked", EventKind::KeyRevoked),
        ("user.registered", EventKind::UserRegistered),
        ("user.verified", EventKind::UserVerified),
        ("user.cancelled", EventKind::UserCancelled),
        ("reset.asked", EventKind::ResetAsked),
        ("reset.done", EventKind::ResetDone),
        ("session.begun", EventKind::SessionBegun),
        ("session.ended", EventKind::SessionEnded),
        ("configuration.applied", EventKind::ConfigurationApplied),
        ("loginAs.begun", EventKind::LoginAsBegun),
        ("loginAs.changed", EventKind::LoginAsChanged),
        ("secret.set", EventKind::SecretSet),
        ("secret.removed", EventKind::SecretRemoved),
        ("vault.rotated", EventKind::KeyRotated),
        ("automation.disabled", EventKind::AutomationDisabled),
        ("automation.enabled", EventKind::AutomationEnabled),
        ("automations.skipped", EventKind::AutomationsSkipped),
        ("import.elevated", EventKind::ImportElevated),
        ("records.restored", EventKind::RecordsRestored),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        EventKind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        EventKind::ALL.iter().find(|(of, _)| *of == name).map(|(_, kind)| *kind)
    }
}

/// By which way the tenant was reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestChannel {
    /// The API.
    Api,
    /// A page for people.
    Page,
    /// The command line.
    Command,
    /// An automation did it.
    Automation,
    /// A restoration of records from a backup.
    Restore,
    /// Nobody's: the platform did it of itself.
    #[default]
    Platform,
}

impl RequestChannel {
    /// All of them, with their names.
    pub const ALL: [(&'static str, RequestChannel); 6] = [
        ("api", RequestChannel::Api),
        ("page", RequestChannel::Page),
        ("command", RequestChannel::Command),
        ("automation", RequestChannel::Automation),
        ("restore", RequestChannel::Restore),
        ("platform", RequestChannel::Platform),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        RequestChannel::ALL.iter().find(|(_, via)| *via == self).map_or("", |(name, _)| name)
    }
}

/// The source of a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestSource {
    /// The way that it came.
    pub via: RequestChannel,
    /// The id of the API key that it came with.
    pub key: Option<i64>,
    /// From which address.
    pub address: Option<IpAddr>,
}

/// An event. It holds no secret, and of people nothing but their ids: what is in the chain stays in it.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEvent {
    pub(super) kind: EventKind,
    pub(super) subject: Option<i64>,
    pub(super) actor: Option<i64>,
    pub(super) source: Option<RequestSource>,
    pub(super) details: Map<String, Json>,
}

impl AuditEvent {
    /// An event about the user with that id.
    pub fn of(kind: EventKind, user: i64) -> Self {
        AuditEvent { subject: Some(user), ..AuditEvent::of_none(kind) }
    }

    /// An event that is about no user.
    pub fn of_none(kind: EventKind) -> Self {
        AuditEvent { kind, subject: None, actor: None, source: None, details: Map::new() }
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
        AuditEvent { actor: Some(user), ..self }
    }

    /// Asked for by the user that [`super::asked`] named, in an earlier job.
    #[must_use]
    pub fn asked(self, asked: &Json) -> Self {
        let address = asked["address"].as_str().and_then(|address| address.parse().ok());
        let via = RequestChannel::ALL
            .into_iter()
            .find(|(name, _)| asked["via"] == *name)
            .map_or(RequestChannel::Api, |(_, via)| via);
        let source = RequestSource { via, key: asked["key"].as_i64(), address };
        AuditEvent { actor: asked["actor"].as_i64(), source: Some(source), ..self }
    }

    /// Come this way, where that is not the job's own.
    #[must_use]
    pub fn from(self, source: RequestSource) -> Self {
        AuditEvent { source: Some(source), ..self }
    }
}
