//! The rows that a condition looks at: they decide from which end a list is best found, and what was counted of it.

use crate::condition::{Condition, TextSearch, ValueCheck, ValuePlace};
use crate::scalar::Scalar;
use model::types::Property;

impl<'m> Condition<'m> {
    /// Returns true if a relation of the list's own row has to lead to a row for which something holds, or a full text
    /// index has to find it: the rows of the list are then found from there, or each is looked at for itself.
    pub fn leads(&self) -> bool {
        match self {
            Condition::Related(place, _) => place.level == 0,
            Condition::Found(search) => search.level == 0,
            Condition::All(parts) => parts.iter().any(Condition::leads),
            Condition::Any(parts) => !parts.is_empty() && parts.iter().all(Condition::leads),
            _ => false,
        }
    }

    /// Returns the query to a full text index, where that is all that the condition looks at.
    pub fn search(&self) -> Option<&TextSearch<'m>> {
        match self {
            Condition::Found(search) if search.level == 0 => Some(search),
            Condition::All(parts) | Condition::Any(parts) if parts.len() == 1 => parts[0].search(),
            _ => None,
        }
    }

    /// The query to a full text index beside other conditions.
    pub fn searched(&self) -> Option<&TextSearch<'m>> {
        match self {
            Condition::Found(search) if search.level == 0 => Some(search),
            Condition::All(parts) => parts.iter().find_map(Condition::searched),
            Condition::Any(parts) if parts.len() == 1 => parts[0].searched(),
            _ => None,
        }
    }

    /// The relation to one resource that is all that the condition looks at of the list's own row, and what has to hold
    /// for that resource.
    pub fn behind_one(&self) -> Option<(&'m Property, Condition<'m>)> {
        match self {
            Condition::Related(place, inner) if place.level == 0 && !place.multiple() && !inner.looks_at(0) => {
                Some((place.property, (**inner).clone()))
            }
            Condition::All(parts) => behind(parts).map(|(property, inner)| (property, all(inner))),
            Condition::Any(parts) => behind(parts).map(|(property, inner)| (property, any(inner))),
            _ => None,
        }
    }

    /// Returns true if the condition follows the other end of a relation.
    pub fn follows_inverse(&self) -> bool {
        match self {
            Condition::All(parts) | Condition::Any(parts) => parts.iter().any(Condition::follows_inverse),
            Condition::Not(inner) => inner.follows_inverse(),
            Condition::Related(place, inner) => place.property.kind.inverse().is_some() || inner.follows_inverse(),
            Condition::RelatedCount(..) => true,
            _ => false,
        }
    }

    /// Returns true if the condition looks at a value of the row on a level.
    fn looks_at(&self, level: usize) -> bool {
        match self {
            Condition::All(parts) | Condition::Any(parts) => parts.iter().any(|part| part.looks_at(level)),
            Condition::Not(inner) => inner.looks_at(level),
            Condition::Test(place, check) => place.level == level || looked_at_by(check, level),
            Condition::Related(place, inner) | Condition::RelatedCount(place, inner, ..) => {
                place.level == level || inner.looks_at(level)
            }
            Condition::Found(search) => search.level == level,
            Condition::Tagged(_) => level == 0,
            Condition::Compare(_, left, right) => left.looks_at(level) || right.looks_at(level),
            Condition::OneOf(scalar, ..) | Condition::Holds(scalar) | Condition::Given(scalar) => {
                scalar.looks_at(level)
            }
        }
    }
}

impl Scalar<'_> {
    fn looks_at(&self, level: usize) -> bool {
        let at = |place: &ValuePlace<'_>| place.level == level;
        match self {
            Scalar::Place(hops, place) | Scalar::Count(hops, place) => hops.iter().any(at) || at(place),
            Scalar::Value(..) => false,
            Scalar::Truth(condition) => condition.looks_at(level),
            Scalar::Choice(condition, then, otherwise) => {
                condition.looks_at(level) || then.looks_at(level) || otherwise.looks_at(level)
            }
            Scalar::First(parts) | Scalar::Apply(_, parts) => parts.iter().any(|part| part.looks_at(level)),
        }
    }
}

fn looked_at_by(check: &ValueCheck<'_>, level: usize) -> bool {
    match check {
        ValueCheck::ComparePlace(_, other) => other.level == level,
        ValueCheck::InTree(_, tree, _) => tree.guard.as_ref().is_some_and(|guard| guard.looks_at(level)),
        _ => false,
    }
}

/// The same of several conditions, which have to be behind one and the same relation.
fn behind<'m>(parts: &[Condition<'m>]) -> Option<(&'m Property, Vec<Condition<'m>>)> {
    let found: Vec<_> = parts.iter().map(Condition::behind_one).collect::<Option<_>>()?;
    let first = found.first()?.0;
    let same = found.iter().all(|(property, _)| std::ptr::eq(*property, first));
    same.then(|| (first, found.into_iter().map(|(_, inner)| inner).collect()))
}

fn all(mut parts: Vec<Condition<'_>>) -> Condition<'_> {
    if parts.len() == 1 { parts.remove(0) } else { Condition::All(parts) }
}

fn any(mut parts: Vec<Condition<'_>>) -> Condition<'_> {
    if parts.len() == 1 { parts.remove(0) } else { Condition::Any(parts) }
}
