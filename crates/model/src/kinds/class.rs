//! Classes of kinds: where their values are stored, and the operations that they allow: filters, sorting, unique
//! sets, `+=`.

use database::ColumnType;

/// The place of values in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueStorage {
    /// In a column of the type's table.
    Column(ColumnType),
    /// In a link table of the property, a row for each member, in order.
    Links(ColumnType),
    /// In the platform's table of files, a row for each; a property of either kind of files has members.
    Attachments,
}

/// A class of kinds, by the operations that their values allow. Filters and patches are tables over this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KindClass {
    /// Integers; also ids.
    Integer,
    /// Exact decimals with that scale, stored times 10^scale.
    Decimal {
        /// Digits after the point.
        scale: u8,
    },
    /// Binary floating point.
    Float,
    /// Text.
    Text,
    /// True and false.
    Boolean,
    /// Calendar days.
    Date,
    /// Calendar months, stored as their first day.
    Month,
    /// Times of day.
    Time,
    /// Instants.
    DateTime,
    /// One of listed options.
    Enumeration,
    /// Several of listed options.
    Enumerations,
    /// One resource.
    Relation,
    /// Several resources.
    Relations,
    /// One file.
    File,
    /// Several files.
    Files,
    /// JSON documents.
    Json,
    /// 128-bit identifiers.
    Uuid,
    /// Nothing may be asked.
    Concealed,
}

/// The operations that a class allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassAbilities {
    /// True if lists can be sorted by it (D-18).
    pub sortable: bool,
    /// True if it can be in a unique set or have an index; [`Kind::indexable`](super::Kind::indexable) tells of a
    /// single kind.
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

/// Filters that the same classes take. The rows of the table of filters name their group.
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
