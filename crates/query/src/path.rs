//! Dotted names of requests, resolved hop by hop with the caller's rights on each type.

use crate::file_fields;
use context::actor::{Actor, Allowed};
use context::audit::RequestChannel;
use context::request_context::RequestContext;
use jiff::Timestamp;
use model::error::{Error, Result};
use model::kinds::{self, InverseSource, ValueContext};
use model::suggestion;
use model::types::{Model, Property, ResourceAction};

/// The most relations that a dotted name may follow (D-19).
const MAX_HOPS: usize = 3;

/// A type as the caller may see it, and what is needed to go on to others.
#[derive(Clone)]
pub struct TypeAccess<'m> {
    /// The model.
    pub model: &'m Model,
    /// The actor.
    pub actor: &'m Actor,
    /// The present of the request.
    pub now: Timestamp,
    /// The way that the request came.
    pub via: RequestChannel,
    /// The right to the type.
    pub allowed: Allowed<'m>,
}

/// A resolved name: the relations that lead to a property, the property, and keys inside it where it is JSON.
pub struct PropertyPath<'m> {
    /// The relations on the way.
    pub hops: Vec<RelationHop<'m>>,
    /// The property.
    pub property: &'m Property,
    /// Keys inside a JSON value.
    pub keys: Vec<String>,
}

/// A relation that is followed, and the type at its end.
#[derive(Clone)]
pub struct RelationHop<'m> {
    /// The property.
    pub property: &'m Property,
    /// The right to the type at its end.
    pub target: Allowed<'m>,
}

impl RelationHop<'_> {
    /// Returns true if there may be several resources at the end.
    pub(crate) fn to_many(&self) -> bool {
        self.property.kind.holds_several()
    }
}

impl<'m> TypeAccess<'m> {
    /// The caller's view of a type that it has a right on.
    pub fn new(context: &'m RequestContext, allowed: Allowed<'m>) -> Self {
        TypeAccess { model: &context.model, actor: &context.actor, now: context.now, via: context.source.via, allowed }
    }

    /// The view of another type.
    pub fn at(&self, allowed: Allowed<'m>) -> Self {
        TypeAccess { allowed, ..self.clone() }
    }

    /// The context in which the caller's filters are read.
    pub fn value_context(&self) -> ValueContext<'m> {
        ValueContext { zone: &self.actor.zone, now: self.now, links: None, texts: false }
    }

    /// The end of a message about a name that cannot be resolved: one that was perhaps meant. Checks of files report that
    /// beside the message, and not in it.
    pub(crate) fn hint(&self, nearest: impl FnOnce() -> Option<String>) -> String {
        if self.via == RequestChannel::Platform { String::new() } else { suggestion::sentence(nearest().as_deref()) }
    }

    /// Resolves a name. Whatever stops it, be it a name that nobody knows or a right that is missing, the
    /// error is the same (D-2).
    pub fn resolve(&self, name: &str) -> Result<PropertyPath<'m>> {
        let unknown = || {
            // Other systems know it as all fields.
            if name == "*" || name.ends_with(".*") {
                let message = format!("There is no property {name:?}. Name each field: none stands for all of them.");
                return Error::invalid("property_unknown", message);
            }
            let hint = self.hint(|| self.nearest(name));
            Error::invalid("property_unknown", format!("There is no property {name:?}.{hint}"))
        };
        let mut here = self.allowed.clone();
        let mut hops: Vec<RelationHop<'m>> = Vec::new();
        let mut rest = name;
        loop {
            let (segment, further) = match rest.split_once('.') {
                Some((segment, further)) => (segment, Some(further)),
                None => (rest, None),
            };
            let property = match here.field(segment) {
                Ok(property) => property,
                Err(_) => self.inverse(&here, segment).ok_or_else(unknown)?,
            };
            let too_far = || {
                let message = format!("The property {name:?} is more than {MAX_HOPS} relations away.");
                Error::invalid("property_too_far", message)
            };
            let Some(further) = further else {
                // Rows that refer are read like those that a relation leads to.
                if hops.len() == MAX_HOPS && property.kind.inverse().is_some() {
                    return Err(too_far());
                }
                return Ok(PropertyPath { hops, property, keys: Vec::new() });
            };
            if property.kind.is_document() {
                let keys: Vec<String> = further.split('.').map(str::to_owned).collect();
                if keys.iter().any(String::is_empty) || keys.len() > 16 {
                    return Err(unknown());
                }
                return Ok(PropertyPath { hops, property, keys });
            }
            let target = self.follow(property).ok_or_else(unknown)?;
            if hops.len() == MAX_HOPS && property.kind.files().is_none() {
                return Err(too_far());
            }
            here = target.clone();
            rest = further;
            hops.push(RelationHop { property, target });
        }
    }

    /// A name that can be resolved and is most like one that cannot.
    pub fn nearest(&self, name: &str) -> Option<String> {
        let mut here = self.allowed.clone();
        let mut known = String::new();
        let mut rest = name;
        loop {
            let (segment, further) = rest.split_once('.').unwrap_or((rest, ""));
            let found = here.field(segment).ok().or_else(|| self.inverse(&here, segment));
            let Some(property) = found else {
                let near = here.nearest_readable(segment).or_else(|| self.nearest_inverse(&here, segment))?;
                let separator = if further.is_empty() { "" } else { "." };
                return Some(format!("{known}{near}{separator}{further}"));
            };
            known.push_str(segment);
            known.push('.');
            here = self.follow(property)?;
            rest = further;
        }
    }

    /// The type at the end of a relation, where the property is one and the caller may see that type; at the end of an
    /// inverse, where rows of the type also show the relation itself.
    pub fn follow(&self, property: &Property) -> Option<Allowed<'m>> {
        if property.kind.files().is_some() {
            return Some(file_fields::fields());
        }
        let target = self.model.type_by_id(property.kind.relation()?.type_id)?;
        let allowed = self.actor.allowed_type(target, ResourceAction::Show).ok()?;
        let shows = |source: &InverseSource| allowed.readable.contains(&target.fields[source.position]);
        property.kind.inverse().is_none_or(shows).then_some(allowed)
    }

    /// The inverse of a type that the caller may follow.
    pub fn inverse(&self, allowed: &Allowed<'m>, name: &str) -> Option<&'m Property> {
        self.model.inverses.named(allowed.resource_type.id, name).filter(|inverse| self.follow(inverse).is_some())
    }

    /// The inverses of a type that the caller may follow.
    pub fn inverses(&self, allowed: &Allowed<'m>) -> impl Iterator<Item = &'m Property> {
        let all = self.model.inverses.of_type(allowed.resource_type.id).iter();
        all.filter(|inverse| self.follow(inverse).is_some())
    }

    fn nearest_inverse(&self, allowed: &Allowed<'m>, name: &str) -> Option<&'m str> {
        kinds::nearest(name, self.inverses(allowed).map(|inverse| inverse.name.as_str()))
    }
}
