//! Places in a hierarchy.

use super::super::condition::{Check, Condition, Direction, Place, Tree};
use super::subject::Subject;
use crate::error::Result;
use crate::kinds::Class;

/// `descendantOf`: below the resource with that id, at any depth.
pub(super) fn descendant_of<'m>(subject: &Subject<'_, 'm>) -> Result<Condition<'m>> {
    in_tree(subject, Direction::Down)
}

/// `ancestorOf`: above the resource with that id.
pub(super) fn ancestor_of<'m>(subject: &Subject<'_, 'm>) -> Result<Condition<'m>> {
    in_tree(subject, Direction::Up)
}

/// The property is the id of a hierarchical type, or a relation to one.
fn in_tree<'m>(subject: &Subject<'_, 'm>, direction: Direction) -> Result<Condition<'m>> {
    let hierarchy = match subject.property().position {
        0 => subject.path.hops.last().map_or(&subject.access.allowed, |hop| &hop.target).clone(),
        _ => subject.access.follow(subject.property()).ok_or_else(|| subject.unsuitable())?,
    };
    let resource_type = hierarchy.resource_type;
    let parent = resource_type.parent_property.map(|position| &resource_type.fields[position]);
    // Without the right to read the parent, the hierarchy is not there for the caller.
    let parent = parent.filter(|parent| hierarchy.field(&parent.name).is_ok()).ok_or_else(|| subject.unsuitable())?;
    let id = subject.param().as_i64().ok_or_else(|| subject.refused("needs an id as param"))?;
    let check = Check::InTree(direction, Tree { resource_type, parent }, id);
    if subject.class() != Class::Relations {
        return Ok(subject.test(check));
    }
    let place = Place { level: subject.related_level(), property: &resource_type.fields[0], inside: None };
    Ok(subject.related(Condition::Test(place, check)))
}
