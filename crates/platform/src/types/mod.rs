//! The model of a tenant: its types, properties, roles and groups, as loaded from its files.

mod fields;
mod grant;
mod model;
mod rule;
mod rules;
pub(crate) mod tables;
mod tenant_settings;
pub(crate) mod views;

pub use fields::{FIRST_PROPERTY, Fields, SYSTEM_FIELDS};
pub use grant::TypeGrant;
pub(crate) use grant::{Grant, Preset, Rows, Stated};
pub use model::{Action, Group, Model, Property, Role, SystemPermission, Type};
pub use rule::Rule as RowRule;
pub use rules::{Calculated, Rule, Rules, Summary, Watcher, Way};
pub use tenant_settings::{
    ApiSettings, ChallengeSettings, MailLink, MailSettings, RegistrationSettings, TenantSettings, WeekDay,
};
