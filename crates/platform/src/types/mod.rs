//! The model of a tenant: its types, properties, roles and groups, as loaded from its files.

mod fields;
mod grant;
mod model;
mod rule;
mod rules;
pub(crate) mod tables;
pub(crate) mod views;

pub use fields::{FIRST_PROPERTY, Fields, SYSTEM_FIELDS};
pub use grant::TypeGrant;
pub(crate) use grant::{Grant, Preset, Rows, Stated};
pub use model::{
    Action, ApiSettings, ChallengeSettings, Group, MailLink, MailSettings, Model, Property, RegistrationSettings, Role,
    SystemPermission, TenantSettings, Type, WeekDay,
};
pub use rule::Rule as RowRule;
pub use rules::{Calculated, Rule, Rules, Summary, Watcher, Way};
