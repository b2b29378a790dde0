//! Groups that are gathered here, row after row, for an engine that would sort all rows to group them.

use crate::cell::{self, Cell};
use crate::columns::{PlannedKey, PlannedValue};
use crate::kept::KeptGroups;
use crate::plan::AggregatePlan;
use database::{ColumnType, Row, ValueRef};
use model::groups::AggregateFunction;
use std::collections::HashMap;

/// Returns true if the groups of a plan can be gathered: no value of a group needs its rows in an order, or all at once.
pub(crate) fn suits(plan: &AggregatePlan<'_>) -> bool {
    let is_tallied = |value: &PlannedValue<'_>| match value.function {
        AggregateFunction::CountDistinct => false,
        AggregateFunction::Sum | AggregateFunction::Average => !cell::is_float(value),
        AggregateFunction::Count | AggregateFunction::Least | AggregateFunction::Greatest => true,
    };
    !plan.keys.is_empty() && plan.values.iter().all(is_tallied)
}

/// Groups while their rows come.
pub(crate) struct GatheredGroups<'p, 'm> {
    keys: &'p [PlannedKey<'m>],
    values: &'p [PlannedValue<'m>],
    /// The groups by the bytes of their keys.
    places: HashMap<Box<[u8]>, usize>,
    /// The keys of the groups.
    kept: KeptGroups,
    /// The values of each group.
    tallies: Vec<Vec<ValueTally>>,
    /// The bytes of the present row's keys.
    key: Vec<u8>,
}

/// A value of a group while its rows come.
enum ValueTally {
    Count(i64),
    Sum { total: i128, count: i64 },
    Extreme(Cell),
}

impl<'p, 'm> GatheredGroups<'p, 'm> {
    /// No groups yet.
    pub(crate) fn new(plan: &'p AggregatePlan<'m>) -> Self {
        GatheredGroups {
            keys: &plan.keys,
            values: &plan.values,
            places: HashMap::new(),
            kept: KeptGroups::default(),
            tallies: Vec::new(),
            key: Vec::new(),
        }
    }

    /// Takes a row: its keys, then a column for each value.
    pub(crate) fn row(&mut self, row: &Row<'_>) -> database::Result<()> {
        if self.kept.is_full() {
            return Ok(());
        }
        self.key.clear();
        for (place, key) in self.keys.iter().enumerate() {
            let column = if key.calendar.is_some() { ColumnType::Integer } else { cell::column_type(key.property()) };
            encode(row.get(place, column)?, &mut self.key);
        }
        let place = match self.places.get(&self.key[..]) {
            Some(place) => *place,
            None => self.open(row)?,
        };
        let first = self.keys.len();
        for (index, (value, tally)) in self.values.iter().zip(&mut self.tallies[place]).enumerate() {
            tally.add(value, row, first + index)?;
        }
        Ok(())
    }

    fn open(&mut self, row: &Row<'_>) -> database::Result<usize> {
        let place = self.tallies.len();
        self.kept.add(cell::read(self.keys, &[], row)?, self.values.len());
        self.tallies.push(self.values.iter().map(ValueTally::new).collect());
        self.places.insert(self.key.as_slice().into(), place);
        Ok(place)
    }

    /// The groups with their values.
    pub(crate) fn finish(self) -> KeptGroups {
        let mut kept = self.kept;
        for (cells, tallies) in kept.groups.iter_mut().zip(self.tallies) {
            cells.extend(tallies.into_iter().zip(self.values).map(|(tally, value)| tally.cell(value)));
        }
        kept
    }
}

impl ValueTally {
    fn new(value: &PlannedValue<'_>) -> Self {
        match value.function {
            AggregateFunction::Count | AggregateFunction::CountDistinct => ValueTally::Count(0),
            AggregateFunction::Sum | AggregateFunction::Average => ValueTally::Sum { total: 0, count: 0 },
            AggregateFunction::Least | AggregateFunction::Greatest => ValueTally::Extreme(Cell::Null),
        }
    }

    fn add(&mut self, value: &PlannedValue<'_>, row: &Row<'_>, place: usize) -> database::Result<()> {
        match self {
            ValueTally::Count(count) if value.path.is_none() && value.condition.is_none() => *count += 1,
            ValueTally::Count(count) => *count += i64::from(!row.is_null(place)?),
            ValueTally::Sum { total, count } => {
                if !row.is_null(place)? {
                    *total += i128::from(row.integer(place)?);
                    *count += 1;
                }
            }
            ValueTally::Extreme(found) => {
                let Some(path) = value.path.as_ref().filter(|_| !matches!(row.is_null(place), Ok(true))) else {
                    return Ok(());
                };
                let cell = cell::property(row, place, path.property)?;
                let wanted = if value.function == AggregateFunction::Least { -1 } else { 1 };
                if *found == Cell::Null || cell::order(&cell, found) as i8 == wanted {
                    *found = cell;
                }
            }
        }
        Ok(())
    }

    fn cell(self, value: &PlannedValue<'_>) -> Cell {
        match self {
            ValueTally::Count(count) => Cell::Exact(count.into()),
            ValueTally::Sum { total, count } if value.function == AggregateFunction::Average => {
                cell::average_of(total, count)
            }
            ValueTally::Sum { total, .. } => Cell::Exact(total),
            ValueTally::Extreme(found) => found,
        }
    }
}

/// Appends bytes that two values share only where they are the same.
fn encode(value: ValueRef<'_>, out: &mut Vec<u8>) {
    let mut fixed = |tag: u8, bytes: &[u8]| {
        out.push(tag);
        out.extend_from_slice(bytes);
    };
    match value {
        ValueRef::Null => fixed(0, &[]),
        ValueRef::Boolean(value) => fixed(1, &[u8::from(value)]),
        ValueRef::Integer(value) => fixed(2, &value.to_le_bytes()),
        // Zero equals its negative.
        ValueRef::Float(value) => fixed(3, &(value + 0.0).to_bits().to_le_bytes()),
        ValueRef::Uuid(value) => fixed(4, &value),
        ValueRef::Date(value) => fixed(5, &value.to_le_bytes()),
        ValueRef::Timestamp(value) => fixed(6, &value.to_le_bytes()),
        ValueRef::Text(value) => {
            fixed(7, &value.len().to_le_bytes());
            out.extend_from_slice(value.as_bytes());
        }
        ValueRef::Bytes(value) => {
            fixed(8, &value.len().to_le_bytes());
            out.extend_from_slice(value);
        }
    }
}
