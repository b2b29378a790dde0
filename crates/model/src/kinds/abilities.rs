//! Operations that each class of kinds allows: filters, sorting, unique sets, `+=`.

use super::*;

/// The operations that a class allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassAbilities {
    /// True if lists can be sorted by it (D-18).
    pub sortable: bool,
    /// True if it can be in a unique set or have an index; see [`Kind::indexable`] for the single kind.
    pub indexable: bool,
    /// The effect of `+=` on it (D-23).
    pub addition: Option<AdditionEffect>,
    /// The filters that it takes.
    pub filters: &'static [FilterGroup],
}

/// The effect of `+=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdditionEffect {
    /// Appends text.
    Append,
    /// Adds numbers.
    Sum,
    /// Appends the members of an array; `+==` those that are missing.
    Merge,
}

/// Filters that the same classes take: the rows of the table of filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilterGroup {
    /// `eq`, `neq`.
    Equality,
    /// `lt` to `notBetween`.
    Order,
    /// `in`, `notIn`.
    Membership,
    /// `isNull` to `isNotEmpty`.
    Presence,
    /// `contains`, `iEq`, `like` and their kin.
    Text,
    /// `search`.
    Search,
    /// `onDay`, `within`, `inPeriod` and their kin.
    Calendar,
    /// `inLast`, `inNext`.
    Span,
    /// `anyOf`, `allOf`, `noneOf`.
    Members,
    /// `size`.
    Count,
    /// `some`, `none`, `every`.
    Related,
}

impl FilterGroup {
    /// The filter types of the group.
    pub const fn types(self) -> &'static [&'static str] {
        match self {
            FilterGroup::Equality => &["eq", "neq"],
            FilterGroup::Order => &["lt", "lte", "gt", "gte", "between", "notBetween"],
            FilterGroup::Membership => &["in", "notIn"],
            FilterGroup::Presence => &["isNull", "isNotNull", "isEmpty", "isNotEmpty"],
            FilterGroup::Text => &[
                "contains",
                "notContains",
                "startsWith",
                "notStartsWith",
                "endsWith",
                "notEndsWith",
                "iEq",
                "iContains",
                "iStartsWith",
                "iEndsWith",
                "like",
                "iLike",
            ],
            FilterGroup::Search => &["search"],
            FilterGroup::Calendar => &["onDay", "within", "withinMonth", "withinYear", "inPeriod"],
            FilterGroup::Span => &["inLast", "inNext"],
            FilterGroup::Members => &["anyOf", "allOf", "noneOf"],
            FilterGroup::Count => &["size"],
            FilterGroup::Related => &["some", "none", "every"],
        }
    }
}

impl ClassAbilities {
    /// The filter types that it takes, in the order of the table of filters.
    pub fn filter_types(&self) -> impl Iterator<Item = &'static str> {
        self.filters.iter().flat_map(|group| group.types()).copied()
    }

    /// Returns true if it takes filters of that type.
    pub fn takes(&self, filter_type: &str) -> bool {
        self.filter_types().any(|known| known == filter_type)
    }
}

/// The abilities of a class.
pub const fn abilities(class: KindClass) -> ClassAbilities {
    use FilterGroup::{Calendar, Count, Equality, Members, Membership, Order, Presence, Related, Search, Span, Text};
    const fn scalar(filters: &'static [FilterGroup], addition: Option<AdditionEffect>) -> ClassAbilities {
        ClassAbilities { sortable: true, indexable: true, addition, filters }
    }
    const fn other(filters: &'static [FilterGroup], addition: Option<AdditionEffect>) -> ClassAbilities {
        ClassAbilities { sortable: false, indexable: false, addition, filters }
    }
    match class {
        KindClass::Integer | KindClass::Decimal { .. } | KindClass::Float => {
            scalar(&[Equality, Order, Membership, Presence], Some(AdditionEffect::Sum))
        }
        KindClass::Text => scalar(&[Equality, Order, Membership, Presence, Text, Search], Some(AdditionEffect::Append)),
        KindClass::Boolean | KindClass::Enumeration | KindClass::Relation | KindClass::Uuid => {
            scalar(&[Equality, Membership, Presence], None)
        }
        KindClass::Date | KindClass::DateTime => scalar(&[Equality, Order, Membership, Presence, Calendar, Span], None),
        KindClass::Month => scalar(&[Equality, Order, Membership, Presence, Calendar], None),
        KindClass::Time => scalar(&[Equality, Order, Membership, Presence], None),
        KindClass::Enumerations => other(&[Presence, Members, Count], Some(AdditionEffect::Merge)),
        KindClass::Relations => other(&[Presence, Members, Count, Related], Some(AdditionEffect::Merge)),
        KindClass::File | KindClass::Files => other(&[Presence, Count], None),
        KindClass::Json => other(&[Presence], Some(AdditionEffect::Merge)),
        KindClass::Concealed => other(&[], None),
    }
}
