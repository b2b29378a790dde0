//! Where the built-in properties of type 1, `user`, lie.

use database::Name;

/// The id of the type `user`.
pub const USER_TYPE: i64 = 1;
/// Its table.
pub(crate) const USERS: Name = Name::fixed("t1");
/// The link table of its property `roles`.
pub(crate) const ROLES: Name = Name::fixed("m6");

/// Ids of its built-in properties.
pub(crate) mod property {
    /// The login name.
    pub(crate) const LOGIN: i64 = 1;
    /// The Argon2id hash of the password.
    pub(crate) const PASSWORD: i64 = 3;
    /// The name of the display zone.
    pub(crate) const TIMEZONE: i64 = 5;
    /// Names of roles.
    pub(crate) const ROLES: i64 = 6;
    /// The group.
    pub(crate) const GROUP: i64 = 7;
    /// `login_expired`: sign-in is blocked.
    pub(crate) const BLOCKED: i64 = 8;
    /// From when on the account is valid.
    pub(crate) const VALID_FROM: i64 = 9;
    /// The first property that decides about rights or sign-in, `roles`; the last is `valid_to`.
    pub(crate) const VALID_TO: i64 = 10;
}

/// Whether a property of a user changes only with the permission `admin`.
pub(crate) fn guarded(property: i64) -> bool {
    property == property::PASSWORD || (property::ROLES..=property::VALID_TO).contains(&property)
}

/// Whether a change of the property of a user ends the user's sessions: the password, and what blocks sign-in.
pub(crate) fn decides_about_sign_in(property: i64) -> bool {
    property == property::PASSWORD || (property::BLOCKED..=property::VALID_TO).contains(&property)
}

/// Columns read of a user at sign-in and for each key: timezone, login_expired, valid_from, valid_to.
pub(super) const STATE: &str = "p5, p8, p9, p10";
