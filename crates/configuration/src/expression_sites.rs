//! The expressions of a tenant's files with what they may name: what a check learns on its way, for editors.
//!
//! A check meets each expression with its scope, deep in the readers of files. They note it here while somebody asks,
//! and do nothing else. The notes belong to a thread: a check runs on one.

use expression::scope::{ResourceShape, Scope, ValueType};
use model::place::ExpressionPlace;
use model::shape::TypeShapes;
use model::user_columns::USER_TYPE;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

thread_local! {
    static NOTES: RefCell<Option<ExpressionSites>> = const { RefCell::new(None) };
}

/// The expressions that a check met.
#[derive(Debug, Default)]
pub struct ExpressionSites {
    /// The scopes, by file and path of keys (`properties.net.calculate`). An expression of a list may stand below the
    /// path.
    pub scopes: HashMap<(String, String), Scope>,
    /// The type of users, where it could be read.
    pub user: Option<Arc<dyn ResourceShape>>,
}

/// Runs a check and returns its result with the expressions that it met.
pub(crate) fn noting<T>(check: impl FnOnce() -> T) -> (T, ExpressionSites) {
    NOTES.set(Some(ExpressionSites::default()));
    let result = check();
    (result, NOTES.take().unwrap_or_default())
}

/// Notes an expression, if somebody asks.
pub(crate) fn note(
    file: &str,
    key: &str,
    place: ExpressionPlace,
    context: Option<&Arc<dyn ResourceShape>>,
    names: &HashMap<&'static str, HashMap<String, ValueType>>,
) {
    NOTES.with_borrow_mut(|notes| {
        let Some(notes) = notes else { return };
        let scope = Scope::of(place.available()).with_context(context.cloned()).with_parameters(names.clone());
        notes.scopes.insert((file.to_owned(), key.to_owned()), scope);
    });
}

/// Notes the types, if somebody asks.
pub(crate) fn note_types(shapes: &TypeShapes) {
    NOTES.with_borrow_mut(|notes| {
        if let Some(notes) = notes {
            notes.user = shapes.get(USER_TYPE);
        }
    });
}
