//! A part of an expression, translated.

use crate::condition::{Check, Comparison, Condition, Place};
use crate::pushdown::sort::Sort;
use crate::scalar::Scalar;
use expression::Value;
use model::kinds::Storage;

/// The kind of an expression's part, with its content.
#[derive(Clone, Debug)]
pub(super) enum Term<'m> {
    /// A value that the interpreter gives; none while configuration is checked.
    Bound(Sort, Option<Value>),
    /// A value of the row.
    Row(Sort, Scalar<'m>),
    /// A boolean of the row, which is never null.
    Truth(Condition<'m>),
    /// The values of the rows to which relations lead, of which some lead to many.
    Several(Vec<Place<'m>>, Sort, Scalar<'m>),
    /// The members of a property that holds several values, behind relations to one.
    Members(Vec<Place<'m>>, Option<Sort>, Place<'m>),
    /// An array that is written out, some items of the row.
    Array(Vec<Translated<'m>>),
}

/// A part of an expression, and for which rows the interpreter ends with an error there.
#[derive(Clone, Debug)]
pub(super) struct Translated<'m> {
    pub(super) term: Term<'m>,
    pub(super) raises: Condition<'m>,
}

impl<'m> From<Term<'m>> for Translated<'m> {
    fn from(term: Term<'m>) -> Self {
        Translated { term, raises: Condition::NEVER }
    }
}

impl<'m> Translated<'m> {
    /// A condition, as a value.
    pub(super) fn truth(condition: Condition<'m>, raises: Condition<'m>) -> Self {
        Translated { term: Term::Truth(condition), raises }
    }

    /// A value of the row.
    pub(super) fn row(sort: Sort, scalar: Scalar<'m>, raises: Condition<'m>) -> Self {
        Translated { term: Term::Row(sort, scalar), raises }
    }
}

/// The condition on a row to which relations lead, as one on the row from which they do: it holds for one of those
/// that they lead to.
pub(super) fn led<'m>(hops: &[Place<'m>], inner: Condition<'m>) -> Condition<'m> {
    hops.iter().rev().fold(inner, |inner, hop| match inner {
        // Members are the ids of what they refer to.
        Condition::Test(place, Check::Compare(Comparison::Equal, id))
            if matches!(hop.property.kind.storage(), Storage::Links(_))
                && place.property.position == 0
                && place.level == hop.level + 1 =>
        {
            Condition::Test(hop.clone(), Check::AnyMember(vec![id]))
        }
        inner => Condition::Related(hop.clone(), Box::new(inner)),
    })
}
