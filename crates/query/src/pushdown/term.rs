//! A part of an expression, translated.

use crate::condition::{Condition, ValueCheck, ValueComparison, ValuePlace};
use crate::pushdown::sort::ValueSort;
use crate::scalar::Scalar;
use expression::{Span, Value};
use model::kinds::ValueStorage;

/// The kind of an expression's part, with its content.
#[derive(Clone, Debug)]
pub(super) enum PartTerm<'m> {
    /// A value that the interpreter gives; none while configuration is checked.
    Bound(ValueSort, Option<Value>),
    /// A value of the row.
    Row(ValueSort, Scalar<'m>),
    /// A boolean of the row, which is never null.
    Truth(Condition<'m>),
    /// The values of the rows to which relations lead, of which some lead to many.
    Several(Vec<ValuePlace<'m>>, ValueSort, Scalar<'m>),
    /// The members of a property that holds several values, behind relations to one.
    Members(Vec<ValuePlace<'m>>, Option<ValueSort>, ValuePlace<'m>),
    /// An array that is written out, some items of the row.
    Array(Vec<TranslatedPart<'m>>),
}

/// A part of an expression, and for which rows the interpreter ends with an error there.
#[derive(Clone, Debug)]
pub(super) struct TranslatedPart<'m> {
    pub(super) term: PartTerm<'m>,
    pub(super) raises: Condition<'m>,
}

/// A translated part with its place in the text.
pub(super) struct SpannedPart<'m> {
    pub(super) part: TranslatedPart<'m>,
    pub(super) span: Span,
}

impl<'m> From<PartTerm<'m>> for TranslatedPart<'m> {
    fn from(term: PartTerm<'m>) -> Self {
        TranslatedPart { term, raises: Condition::NEVER }
    }
}

impl<'m> TranslatedPart<'m> {
    /// A condition, as a value.
    pub(super) fn truth(condition: Condition<'m>, raises: Condition<'m>) -> Self {
        TranslatedPart { term: PartTerm::Truth(condition), raises }
    }

    /// A value of the row.
    pub(super) fn row(sort: ValueSort, scalar: Scalar<'m>, raises: Condition<'m>) -> Self {
        TranslatedPart { term: PartTerm::Row(sort, scalar), raises }
    }
}

/// The condition on a row to which relations lead, as one on the row from which they do: it holds for one of those
/// that they lead to.
pub(super) fn led<'m>(hops: &[ValuePlace<'m>], inner: Condition<'m>) -> Condition<'m> {
    hops.iter().rev().fold(inner, |inner, hop| match inner {
        // Members are the ids of what they refer to.
        Condition::Test(place, ValueCheck::Compare(ValueComparison::Equal, id))
            if matches!(hop.property.kind.storage(), ValueStorage::Links(_))
                && place.property.position == 0
                && place.level == hop.level + 1 =>
        {
            Condition::Test(hop.clone(), ValueCheck::AnyMember(vec![id]))
        }
        inner => Condition::Related(hop.clone(), Box::new(inner)),
    })
}
