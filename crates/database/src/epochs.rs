//! The epochs of a store.

/// Numbers that tell what is cached outside the store whether it still holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epochs {
    /// Raised with every change of keys, users, roles: of who may do what.
    pub access: i64,
    /// Raised with every change of the configuration.
    pub configuration: i64,
}
