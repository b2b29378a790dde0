//! The filter types: one row for each. Its group tells the properties that it serves: [`model::kinds::abilities`].

use crate::condition::{Condition, TextComparison, ValueComparison};
use crate::filters::subject::FilterSubject;
use crate::filters::{compare, dates, invalid, many, search, text, tree};
use crate::path::TypeAccess;
use database::TextForm;
use model::error::Result;
use model::kinds::{FilterGroup, nearest};

/// A filter type.
pub(super) struct FilterEntry {
    pub(super) name: &'static str,
    /// The classes of properties that it serves; none where it is about places in a hierarchy.
    pub(super) group: Option<FilterGroup>,
    pub(super) parameter: FilterParameter,
    /// True if `fold` may be given.
    pub(super) folds: bool,
    pub(super) build: FilterBuilder,
}

type FilterBuilder = for<'s, 'm> fn(&FilterSubject<'s, 'm>) -> Result<Condition<'m>>;

/// True if a filter type has a `param`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FilterParameter {
    None,
    Optional,
    Needed,
}

use FilterGroup::{Calendar, Count, Equality, Members, Membership, Order, Presence, Related, Search, Span, Text};
use FilterParameter::{Needed, None as Without, Optional};

const fn row(name: &'static str, group: FilterGroup, parameter: FilterParameter, build: FilterBuilder) -> FilterEntry {
    FilterEntry { name, group: Some(group), parameter, folds: false, build }
}

const fn folding(name: &'static str, group: FilterGroup, build: FilterBuilder) -> FilterEntry {
    FilterEntry { name, group: Some(group), parameter: Needed, folds: true, build }
}

const fn in_tree(name: &'static str, build: FilterBuilder) -> FilterEntry {
    FilterEntry { name, group: None, parameter: Needed, folds: false, build }
}

static ENTRIES: &[FilterEntry] = &[
    row("eq", Equality, Needed, compare::equal),
    row("neq", Equality, Needed, |subject| compare::equal(subject).map(Condition::negated)),
    row("lt", Order, Needed, |subject| compare::ordered(subject, ValueComparison::Less)),
    row("lte", Order, Needed, |subject| compare::ordered(subject, ValueComparison::LessOrEqual)),
    row("gt", Order, Needed, |subject| compare::ordered(subject, ValueComparison::Greater)),
    row("gte", Order, Needed, |subject| compare::ordered(subject, ValueComparison::GreaterOrEqual)),
    row("between", Order, Needed, compare::between),
    row("notBetween", Order, Needed, |subject| compare::between(subject).map(Condition::negated)),
    row("in", Membership, Needed, compare::one_of),
    row("notIn", Membership, Needed, |subject| compare::one_of(subject).map(Condition::negated)),
    row("isNull", Presence, Without, |subject| Ok(subject.present().negated())),
    row("isNotNull", Presence, Without, |subject| Ok(subject.present())),
    row("isEmpty", Presence, Without, |subject| Ok(subject.not_empty().negated())),
    row("isNotEmpty", Presence, Without, |subject| Ok(subject.not_empty())),
    folding("contains", Text, |subject| text::plain(subject, TextComparison::Contains)),
    folding("notContains", Text, |subject| text::plain(subject, TextComparison::Contains).map(Condition::negated)),
    folding("startsWith", Text, |subject| text::plain(subject, TextComparison::StartsWith)),
    folding("notStartsWith", Text, |subject| text::plain(subject, TextComparison::StartsWith).map(Condition::negated)),
    folding("endsWith", Text, |subject| text::plain(subject, TextComparison::EndsWith)),
    folding("notEndsWith", Text, |subject| text::plain(subject, TextComparison::EndsWith).map(Condition::negated)),
    row("iEq", Text, Needed, |subject| text::in_form(subject, TextComparison::Equal, TextForm::Lower)),
    row("iContains", Text, Needed, |subject| text::in_form(subject, TextComparison::Contains, TextForm::Lower)),
    row("iStartsWith", Text, Needed, |subject| text::in_form(subject, TextComparison::StartsWith, TextForm::Lower)),
    row("iEndsWith", Text, Needed, |subject| text::in_form(subject, TextComparison::EndsWith, TextForm::Lower)),
    row("like", Text, Needed, |subject| text::in_form(subject, TextComparison::Like, TextForm::Exact)),
    row("iLike", Text, Needed, |subject| text::in_form(subject, TextComparison::Like, TextForm::Lower)),
    row(search::NAME, Search, Needed, search::in_property),
    row("onDay", Calendar, Optional, dates::on_day),
    row("within", Calendar, Optional, dates::on_day),
    row("withinMonth", Calendar, Optional, dates::within_month),
    row("withinYear", Calendar, Optional, dates::within_year),
    row("inPeriod", Calendar, Needed, dates::in_period),
    row("inLast", Span, Needed, dates::in_last),
    row("inNext", Span, Needed, dates::in_next),
    row("anyOf", Members, Needed, many::any_of),
    row("allOf", Members, Needed, many::all_of),
    row("noneOf", Members, Needed, |subject| many::any_of(subject).map(Condition::negated)),
    row("size", Count, Needed, many::size),
    row("some", Related, Needed, many::some),
    row("none", Related, Needed, |subject| many::some(subject).map(Condition::negated)),
    row("every", Related, Needed, many::every),
    in_tree("descendantOf", tree::descendant_of),
    in_tree("ancestorOf", tree::ancestor_of),
];

/// The names of the filter types of a group; of those about places in a hierarchy, where there is none.
pub(super) fn names_in(group: Option<FilterGroup>) -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().filter(move |entry| entry.group == group).map(|entry| entry.name)
}

/// The names of all filter types.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.name)
}

/// The filter type with that name.
pub(super) fn find(access: &TypeAccess<'_>, name: &str) -> Result<&'static FilterEntry> {
    let unknown = || {
        let hint = access.hint(|| nearest(name, names()).map(str::to_owned));
        invalid("filter_unknown", format!("There is no filter type {name:?}.{hint}"))
    };
    ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(unknown)
}
