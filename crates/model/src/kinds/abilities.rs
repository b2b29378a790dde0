//! Operations that each class of kinds allows: filters, sorting, unique sets, `+=`.

use super::*;

/// The operations that a class allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// True if lists can be sorted by it (D-18).
    pub sortable: bool,
    /// True if it can be in a unique set or have an index; see [`Kind::indexable`] for the single kind.
    pub indexable: bool,
    /// The effect of `+=` on it (D-23).
    pub addition: Option<Addition>,
    /// The filters that it takes.
    pub filters: &'static [FilterGroup],
}

/// The effect of `+=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addition {
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

impl Abilities {
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
pub const fn abilities(class: Class) -> Abilities {
    use FilterGroup::{Calendar, Count, Equality, Members, Membership, Order, Presence, Related, Search, Span, Text};
    const fn scalar(filters: &'static [FilterGroup], addition: Option<Addition>) -> Abilities {
        Abilities { sortable: true, indexable: true, addition, filters }
    }
    const fn other(filters: &'static [FilterGroup], addition: Option<Addition>) -> Abilities {
        Abilities { sortable: false, indexable: false, addition, filters }
    }
    match class {
        Class::Integer | Class::Decimal { .. } | Class::Float => {
            scalar(&[Equality, Order, Membership, Presence], Some(Addition::Sum))
        }
        Class::Text => scalar(&[Equality, Order, Membership, Presence, Text, Search], Some(Addition::Append)),
        Class::Boolean | Class::Enumeration | Class::Relation | Class::Uuid => {
            scalar(&[Equality, Membership, Presence], None)
        }
        Class::Date | Class::DateTime => scalar(&[Equality, Order, Membership, Presence, Calendar, Span], None),
        Class::Month => scalar(&[Equality, Order, Membership, Presence, Calendar], None),
        Class::Time => scalar(&[Equality, Order, Membership, Presence], None),
        Class::Enumerations => other(&[Presence, Members, Count], Some(Addition::Merge)),
        Class::Relations => other(&[Presence, Members, Count, Related], Some(Addition::Merge)),
        Class::File | Class::Files => other(&[Presence, Count], None),
        Class::Json => other(&[Presence], Some(Addition::Merge)),
        Class::Concealed => other(&[], None),
    }
}
