//! Surroundings of a text: the scope that it is checked with, and what an editor knows beside it.

use expression::scope::{ResourceShape, Scope, ValueType};
use std::sync::Arc;

/// The names that a text may use.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The scope that the text is checked with.
    pub scope: Scope,
    /// The type of users: `user('company.name')` walks on from it.
    pub user: Option<Arc<dyn ResourceShape>>,
}

impl Surroundings {
    /// The type of the context's resource; nothing is known where there is none.
    pub(crate) fn context(&self) -> ValueType {
        self.scope.context.clone().map_or_else(ValueType::default, ValueType::resource)
    }

    /// The type of users.
    pub(crate) fn user(&self) -> ValueType {
        self.user.clone().map_or_else(ValueType::default, ValueType::resource)
    }
}

impl From<Scope> for Surroundings {
    fn from(scope: Scope) -> Self {
        Surroundings { scope, user: None }
    }
}
