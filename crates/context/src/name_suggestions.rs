//! Names that a caller perhaps meant, out of those that it may know: a suggestion tells of no others (D-2, D-3).

use crate::actor::{Actor, Allowed};
use model::error::Error;
use model::kinds::nearest;
use model::suggestion::did_you_mean;
use model::types::{Model, Property, ResourceAction};

/// Returns the error of a name that is no collection, with the closest one on which the actor has a right.
pub fn no_collection(actor: &Actor, model: &Model, name: &str) -> Error {
    const ACTIONS: [ResourceAction; 4] =
        [ResourceAction::Show, ResourceAction::Edit, ResourceAction::Create, ResourceAction::Delete];
    let known = model.types.iter().filter(|of| ACTIONS.iter().any(|action| actor.allowed_type(of, *action).is_ok()));
    let hint = did_you_mean(name, known.map(|of| of.name.as_str()));
    Error::missing("collection_missing", format!("There is no such collection.{hint}"))
}

impl<'m> Allowed<'m> {
    /// Returns the closest name of a field that may be read.
    pub fn nearest_readable(&self, name: &str) -> Option<&'m str> {
        self.nearest(name, |property| self.readable.contains(property) && !property.kind.concealed())
    }

    /// Returns the closest name of a field that may be given a value.
    pub fn nearest_writable(&self, name: &str) -> Option<&'m str> {
        self.nearest(name, |property| self.writable.contains(property))
    }

    fn nearest(&self, name: &str, known: impl Fn(&Property) -> bool) -> Option<&'m str> {
        let fields = self.resource_type.fields.iter().filter(|property| known(property));
        nearest(name, fields.map(|property| property.name.as_str()))
    }
}
