//! The filter types: one row for each. Which properties they serve is [`model::kinds::abilities`]'s to say.

use crate::condition::{Condition, TextComparison, ValueComparison};
use crate::filters::subject::FilterSubject;
use crate::filters::{compare, dates, invalid, many, search, text, tree};
use crate::path::TypeAccess;
use database::TextForm;
use model::error::Result;
use model::kinds::nearest;

/// A filter type.
pub(super) struct FilterEntry {
    pub(super) name: &'static str,
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

use FilterParameter::{Needed, None as Without, Optional};

const fn row(name: &'static str, parameter: FilterParameter, build: FilterBuilder) -> FilterEntry {
    FilterEntry { name, parameter, folds: false, build }
}

const fn folding(name: &'static str, build: FilterBuilder) -> FilterEntry {
    FilterEntry { name, parameter: Needed, folds: true, build }
}

static ENTRIES: &[FilterEntry] = &[
    row("eq", Needed, compare::equal),
    row("neq", Needed, |subject| compare::equal(subject).map(Condition::negated)),
    row("lt", Needed, |subject| compare::ordered(subject, ValueComparison::Less)),
    row("lte", Needed, |subject| compare::ordered(subject, ValueComparison::LessOrEqual)),
    row("gt", Needed, |subject| compare::ordered(subject, ValueComparison::Greater)),
    row("gte", Needed, |subject| compare::ordered(subject, ValueComparison::GreaterOrEqual)),
    row("between", Needed, compare::between),
    row("notBetween", Needed, |subject| compare::between(subject).map(Condition::negated)),
    row("in", Needed, compare::one_of),
    row("notIn", Needed, |subject| compare::one_of(subject).map(Condition::negated)),
    row("isNull", Without, |subject| Ok(subject.present().negated())),
    row("isNotNull", Without, |subject| Ok(subject.present())),
    row("isEmpty", Without, |subject| Ok(subject.not_empty().negated())),
    row("isNotEmpty", Without, |subject| Ok(subject.not_empty())),
    folding("contains", |subject| text::plain(subject, TextComparison::Contains)),
    folding("notContains", |subject| text::plain(subject, TextComparison::Contains).map(Condition::negated)),
    folding("startsWith", |subject| text::plain(subject, TextComparison::StartsWith)),
    folding("notStartsWith", |subject| text::plain(subject, TextComparison::StartsWith).map(Condition::negated)),
    folding("endsWith", |subject| text::plain(subject, TextComparison::EndsWith)),
    folding("notEndsWith", |subject| text::plain(subject, TextComparison::EndsWith).map(Condition::negated)),
    row("iEq", Needed, |subject| text::in_form(subject, TextComparison::Equal, TextForm::Lower)),
    row("iContains", Needed, |subject| text::in_form(subject, TextComparison::Contains, TextForm::Lower)),
    row("iStartsWith", Needed, |subject| text::in_form(subject, TextComparison::StartsWith, TextForm::Lower)),
    row("iEndsWith", Needed, |subject| text::in_form(subject, TextComparison::EndsWith, TextForm::Lower)),
    row("like", Needed, |subject| text::in_form(subject, TextComparison::Like, TextForm::Exact)),
    row("iLike", Needed, |subject| text::in_form(subject, TextComparison::Like, TextForm::Lower)),
    row(search::NAME, Needed, search::in_property),
    row("onDay", Optional, dates::on_day),
    row("within", Optional, dates::on_day),
    row("withinMonth", Optional, dates::within_month),
    row("withinYear", Optional, dates::within_year),
    row("inPeriod", Needed, dates::in_period),
    row("inLast", Needed, dates::in_last),
    row("inNext", Needed, dates::in_next),
    row("anyOf", Needed, many::any_of),
    row("allOf", Needed, many::all_of),
    row("noneOf", Needed, |subject| many::any_of(subject).map(Condition::negated)),
    row("size", Needed, many::size),
    row("some", Needed, many::some),
    row("none", Needed, |subject| many::some(subject).map(Condition::negated)),
    row("every", Needed, many::every),
    row("descendantOf", Needed, tree::descendant_of),
    row("ancestorOf", Needed, tree::ancestor_of),
];

impl FilterEntry {
    /// Returns true if the filter is about places in a hierarchy.
    pub(super) fn hierarchical(&self) -> bool {
        matches!(self.name, "descendantOf" | "ancestorOf")
    }
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
