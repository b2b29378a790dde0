//! Groups of rows as requests and files ask for them: keys, values, and conditions on groups.

use serde_json::Value as Json;

/// The most keys of a request.
pub const MOST_KEYS: usize = 4;
/// The most values of a request.
pub const MOST_VALUES: usize = 20;
/// The most characters of a name.
pub const MOST_NAME: usize = 64;

/// The groups that a query answers instead of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryGroups {
    /// In the file's order; none is one group of all rows.
    pub keys: Vec<GroupKey>,
    /// In the file's order; at least one.
    pub values: Vec<GroupValue>,
    /// Conditions on groups, with `{"$param": name}` in the places of values.
    pub having: Vec<Json>,
    /// True if periods without rows are added.
    pub fill: bool,
    /// True if the values of all rows come beside the groups.
    pub totals: bool,
}

/// A key by which rows are grouped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GroupKey {
    /// Its name in the answer.
    pub name: String,
    /// The property, perhaps behind relations.
    pub property: String,
    /// The part of a date that counts.
    pub by: Option<DatePart>,
    /// True if a row counts once for each of several values.
    pub each: bool,
}

/// A value of a group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GroupValue {
    /// Its name in the answer.
    pub name: String,
    /// The function.
    pub function: AggregateFunction,
    /// The property, perhaps behind relations; none for the number of rows.
    pub property: Option<String>,
    /// The rows of the group that count.
    pub filters: Vec<Json>,
}

/// A function over the rows of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AggregateFunction {
    /// The number of rows, or of values.
    Count,
    /// The number of different values.
    CountDistinct,
    /// The sum; 0 of no values.
    Sum,
    /// The average.
    Average,
    /// The least value.
    Least,
    /// The greatest value.
    Greatest,
}

/// A part of a date, in the caller's zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DatePart {
    /// `2026`.
    Year,
    /// `2026-Q4`.
    Quarter,
    /// `2026-10`.
    Month,
    /// The first day of the week.
    Week,
    /// `2026-10-21`.
    Day,
    /// `2026-10-21T14:00+02:00`.
    Hour,
    /// 1 for Monday to 7 for Sunday.
    Weekday,
    /// 0 to 23.
    HourOfDay,
}

impl AggregateFunction {
    /// All of them, with their names.
    pub const ALL: [(&'static str, AggregateFunction); 6] = [
        ("count", AggregateFunction::Count),
        ("countDistinct", AggregateFunction::CountDistinct),
        ("sum", AggregateFunction::Sum),
        ("avg", AggregateFunction::Average),
        ("min", AggregateFunction::Least),
        ("max", AggregateFunction::Greatest),
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        AggregateFunction::ALL.iter().find(|(_, function)| *function == self).map_or("", |(name, _)| name)
    }
}

impl DatePart {
    /// All of them, with their names.
    pub const ALL: [(&'static str, DatePart); 8] = [
        ("year", DatePart::Year),
        ("quarter", DatePart::Quarter),
        ("month", DatePart::Month),
        ("week", DatePart::Week),
        ("day", DatePart::Day),
        ("hour", DatePart::Hour),
        ("weekday", DatePart::Weekday),
        ("hourOfDay", DatePart::HourOfDay),
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        DatePart::ALL.iter().find(|(_, part)| *part == self).map_or("", |(name, _)| name)
    }

    /// Returns true if it comes again and again, so that nothing lies between two of its values.
    pub fn repeats(self) -> bool {
        matches!(self, DatePart::Weekday | DatePart::HourOfDay)
    }
}

impl GroupValue {
    /// The number of rows, which groups have where no value is asked for.
    pub fn count() -> Self {
        GroupValue { name: "count".into(), function: AggregateFunction::Count, property: None, filters: Vec::new() }
    }
}

impl QueryGroups {
    /// The names of keys and values, in this order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let keys = self.keys.iter().map(|key| key.name.as_str());
        keys.chain(self.values.iter().map(|value| value.name.as_str()))
    }
}

/// Returns true if a key or a value may be called so.
pub fn is_name(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    name.len() <= MOST_NAME && name.split('.').all(is_part)
}
