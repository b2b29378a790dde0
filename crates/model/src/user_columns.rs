//! Tables and columns of the built-in properties of type 1, `user`.

use database::Name;

/// The id of the type `user`.
pub const USER_TYPE: i64 = 1;
/// Its table.
pub const USERS: Name = Name::fixed("t1");
/// The link table of its property `roles`.
pub const ROLES: Name = Name::fixed("m6");

/// Ids of its built-in properties.
pub mod property {
    /// The login name.
    pub const LOGIN: i64 = 1;
    /// The Argon2id hash of the password.
    pub const PASSWORD: i64 = 3;
    /// The phone number.
    pub const PHONE: i64 = 4;
    /// The name of the display zone.
    pub const TIMEZONE: i64 = 5;
    /// Names of roles.
    pub const ROLES: i64 = 6;
    /// The group.
    pub const GROUP: i64 = 7;
    /// `login_expired`: sign-in is blocked.
    pub const BLOCKED: i64 = 8;
    /// From when on the account is valid.
    pub const VALID_FROM: i64 = 9;
    /// The first property that decides about rights or sign-in, `roles`; the last is `valid_to`.
    pub const VALID_TO: i64 = 10;
}

/// Returns true if a property of a user changes only with the permission `admin`.
pub fn guarded(property: i64) -> bool {
    property == property::PASSWORD || (property::ROLES..=property::VALID_TO).contains(&property)
}

/// Returns true if a change of the property of a user decides about sign-in: the password, and what blocks it.
pub fn decides_about_sign_in(property: i64) -> bool {
    property == property::PASSWORD || (property::BLOCKED..=property::VALID_TO).contains(&property)
}

/// Columns read of a user at sign-in and for each key: timezone, login_expired, valid_from, valid_to.
pub const STATE: &str = "p5, p8, p9, p10";
