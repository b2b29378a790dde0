//! Places in a hierarchy.

use crate::condition::{Condition, TreeDirection, TypeTree, ValueCheck, ValuePlace};
use crate::filters::subject::FilterSubject;
use crate::path::TypeAccess;
use context::actor::Allowed;
use model::error::Result;
use model::kinds::KindClass;
use model::types::Property;

/// `descendantOf`: below the resource with that id, at any depth.
pub(super) fn descendant_of<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    in_tree(subject, TreeDirection::Down)
}

/// `ancestorOf`: above the resource with that id.
pub(super) fn ancestor_of<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    in_tree(subject, TreeDirection::Up)
}

/// The hierarchical type whose resources a property of the accessed type names, and its relation to the parent.
/// Without the right to read that, the hierarchy is not there for the caller.
pub(super) fn hierarchy<'m>(access: &TypeAccess<'m>, property: &Property) -> Option<(Allowed<'m>, &'m Property)> {
    let hierarchy = match property.position {
        0 => access.allowed.clone(),
        _ => property.kind.relation().and_then(|_| access.follow(property))?,
    };
    let resource_type = hierarchy.resource_type;
    let parent = &resource_type.fields[resource_type.parent_property?];
    let parent = hierarchy.field(&parent.name).ok()?;
    Some((hierarchy, parent))
}

/// Returns the condition on a row on the way: it leads on for those who see it and its parent.
fn guard<'m>(access: &TypeAccess<'m>, hierarchy: &Allowed<'m>, parent: &Property) -> Option<Box<Condition<'m>>> {
    let visible = access.visible(hierarchy, TypeTree::LEVEL);
    let conditions: Vec<_> = visible.into_iter().chain(access.guard(hierarchy, parent, TypeTree::LEVEL)).collect();
    (!conditions.is_empty()).then(|| Box::new(Condition::All(conditions)))
}

/// The property is the id of a hierarchical type, or a relation to one.
fn in_tree<'m>(subject: &FilterSubject<'_, 'm>, direction: TreeDirection) -> Result<Condition<'m>> {
    let owner = subject.path.hops.last().map_or(&subject.access.allowed, |hop| &hop.target);
    let hierarchy = hierarchy(&subject.access.at(owner.clone()), subject.property());
    let (hierarchy, parent) = hierarchy.ok_or_else(|| subject.unsuitable())?;
    let resource_type = hierarchy.resource_type;
    let id = subject.param().as_i64().ok_or_else(|| subject.refused("needs an id as param"))?;
    let check = ValueCheck::InTree(
        direction,
        TypeTree { resource_type, parent, guard: guard(subject.access, &hierarchy, parent) },
        id,
    );
    if subject.class() != KindClass::Relations {
        return Ok(subject.test(check));
    }
    let place = ValuePlace { level: subject.related_level(), property: &resource_type.fields[0], inside: None };
    Ok(subject.related(Condition::Test(place, check)))
}
