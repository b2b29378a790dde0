//! The model of a tenant: its types, properties, roles and groups, as loaded from its files.

mod fields;
mod grant;
mod inverses;
mod metadata_cache;
mod model;
mod row_condition;
mod rule;
mod rules;
pub mod tables;
mod tenant_settings;
pub mod views;

pub use fields::{FIRST_PROPERTY, FIRST_PROPERTY_ID, FieldSet, SYSTEM_FIELDS};
pub use grant::{ALL_USER_PROPERTIES, TypeGrant};
pub use grant::{ActionGrant, GrantedRows, PresetValue, ReadableRows, StatedGrant};
pub use inverses::Inverses;
pub use metadata_cache::{MetadataCache, MetadataKey, TypeMetadata};
pub use model::{FormSection, Model, Property, ResourceAction, ResourceType, Role, SystemPermission, UserGroup};
pub use row_condition::RowCondition;
pub use rule::RowRule;
pub use rules::{CalculationTime, DependencyPath, FieldRule, FieldWatcher, RollupSummary, TypeRules, searches};
pub use tenant_settings::{
    ApiSettings, ChallengeSettings, MailLink, MailSettings, PublicSettings, RegistrationSettings, TenantSettings,
    WeekDay,
};
