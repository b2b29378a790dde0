//! A tenant's files: load, check, plan, apply, pull.

mod build;
mod built_in;
mod diagnostic;
mod expressions;
mod files;
mod identity;
mod load;
mod names;
mod role_file;
mod section;
mod tenant_file;
mod type_file;
mod user_file;
mod yaml;

pub use diagnostic::Diagnostic;
pub use files::Files;
pub use identity::{Given, GivenIds};
pub use load::{Loaded, load};
pub use user_file::SeedUser;

/// The id of the property `roles` of the type `user`.
pub(crate) const ROLES_PROPERTY: i64 = 6;

/// Checks files without a tenant's database: everything that is wrong with them, sorted by place.
pub fn check(files: &Files) -> Result<Loaded, Vec<Diagnostic>> {
    load(files, &Given::default())
}
