//! Places in a hierarchy.

use super::super::condition::{Check, Condition, Direction, Place, Tree};
use super::super::path::Access;
use super::subject::Subject;
use crate::error::Result;
use crate::kinds::Class;
use crate::types::{Property, Type};
use std::sync::Arc;

/// The filter types.
pub(super) const NAMES: [&str; 2] = ["descendantOf", "ancestorOf"];

/// `descendantOf`: below the resource with that id, at any depth.
pub(super) fn descendant_of<'m>(subject: &Subject<'_, 'm>) -> Result<Condition<'m>> {
    in_tree(subject, Direction::Down)
}

/// `ancestorOf`: above the resource with that id.
pub(super) fn ancestor_of<'m>(subject: &Subject<'_, 'm>) -> Result<Condition<'m>> {
    in_tree(subject, Direction::Up)
}

/// The hierarchical type whose resources a property of the accessed type names, and its relation to the parent.
/// Without the right to read that, the hierarchy is not there for the caller.
pub(super) fn hierarchy<'m>(access: &Access<'m>, property: &Property) -> Option<(&'m Arc<Type>, &'m Property)> {
    let hierarchy = match property.position {
        0 => access.allowed.clone(),
        _ => property.kind.relation().and_then(|_| access.follow(property))?,
    };
    let resource_type = hierarchy.resource_type;
    let parent = &resource_type.fields[resource_type.parent_property?];
    hierarchy.field(&parent.name).ok().map(|parent| (resource_type, parent))
}

/// The property is the id of a hierarchical type, or a relation to one.
fn in_tree<'m>(subject: &Subject<'_, 'm>, direction: Direction) -> Result<Condition<'m>> {
    let owner = subject.path.hops.last().map_or(&subject.access.allowed, |hop| &hop.target);
    let hierarchy = hierarchy(&subject.access.at(owner.clone()), subject.property());
    let (resource_type, parent) = hierarchy.ok_or_else(|| subject.unsuitable())?;
    let id = subject.param().as_i64().ok_or_else(|| subject.refused("needs an id as param"))?;
    let check = Check::InTree(direction, Tree { resource_type, parent }, id);
    if subject.class() != Class::Relations {
        return Ok(subject.test(check));
    }
    let place = Place { level: subject.related_level(), property: &resource_type.fields[0], inside: None };
    Ok(subject.related(Condition::Test(place, check)))
}
