//! Groups as the lists of a chart: one list along the axis, and one of values for each series.

use crate::buckets::Buckets;
use crate::cell::{self, Cell, ColumnForm};
use crate::columns::unknown;
use crate::plan::AggregatePlan;
use crate::{FoundGroups, compare};
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use query::aggregate_request::AggregateRequest;
use serde_json::Value as Json;

/// The most points along the axis.
const MOST_POINTS: usize = 10_000;
/// The most values of all series together.
const MOST_VALUES: usize = 100_000;

/// The columns that a chart is made of.
pub struct PivotColumns<'c> {
    /// The key along the axis.
    pub x: &'c str,
    /// The key with a series for each of its values.
    pub series: Option<&'c str>,
    /// The values.
    pub y: &'c [&'c str],
}

/// The lists of a chart.
pub struct Pivot {
    /// The keys along the axis.
    pub x: Vec<Json>,
    /// The series: one for each value of its key, or one for each value of the groups.
    pub series: Vec<PivotSeries>,
}

/// A series of a chart.
pub struct PivotSeries {
    /// The key of the series; none where there is no such key.
    pub key: Option<Json>,
    /// A value for each place of the axis.
    pub values: Vec<Json>,
}

/// Groups rows as [`crate::answer`] does, and lays the groups out for a chart. What has no group is the value of no rows.
pub fn pivot(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    asked: &AggregateRequest,
    columns: &PivotColumns<'_>,
) -> Result<Pivot> {
    let plan = crate::plan(request, collection, asked)?;
    let names = plan.names();
    let place = |name: &str| names.iter().position(|known| *known == name).ok_or_else(|| unknown(&names, name));
    let (x, series) = (place(columns.x)?, columns.series.map(place).transpose()?);
    let y = columns.y.iter().map(|name| place(name)).collect::<Result<Vec<usize>>>()?;
    if y.is_empty() {
        return Err(unknown(&names, ""));
    }
    let found = FoundGroups::read(tx, request, &plan, &[])?.arrange(tx, &plan)?;
    let layout = ChartLayout { found: &found, plan: &plan, asked };
    let points = layout.points(x, true);
    let lines: Vec<ChartLine> = match series {
        Some(key) => layout.points(key, false).into_iter().map(|group| ChartLine { group, value: y[0] }).collect(),
        None => y.iter().map(|value| ChartLine { group: 0, value: *value }).collect(),
    };
    check_size(points.len(), lines.len())?;
    let writer = CellWriter { forms: cell::forms(&plan.keys, &plan.values), found: &found, request };
    let mut drawn = Vec::with_capacity(lines.len());
    for line in &lines {
        let key = series.map(|key| writer.json(key, &found.groups[line.group][key])).transpose()?;
        drawn.push(PivotSeries { key, values: vec![writer.empty(&plan, line.value)?; points.len()] });
    }
    let axis = layout.places(&points, x);
    let own_line = series.map(|key| layout.places(&lines.iter().map(|line| line.group).collect::<Vec<_>>(), key));
    for (number, cells) in found.groups.iter().enumerate() {
        let of_group = own_line.as_ref().map_or(0..lines.len(), |places| places[number]..places[number] + 1);
        for line in of_group {
            let value = lines[line].value;
            drawn[line].values[axis[number]] = writer.json(value, &cells[value])?;
        }
    }
    let x = points.iter().map(|group| writer.json(x, &found.groups[*group][x])).collect::<Result<_>>()?;
    Ok(Pivot { x, series: drawn })
}

/// A series: a group with its key, if it has one, and the column of its values.
struct ChartLine {
    group: usize,
    value: usize,
}

fn check_size(points: usize, lines: usize) -> Result<()> {
    let values = points.saturating_mul(lines);
    if points <= MOST_POINTS && values <= MOST_VALUES {
        return Ok(());
    }
    let message = format!(
        "A chart has at most {MOST_POINTS} points and {MOST_VALUES} values, and the groups make {points} and {values}. \
         Filter the rows, or group by less."
    );
    Err(Error::invalid("too_many_points", message))
}

/// The order in which the keys of a chart stand.
struct ChartLayout<'f, 'm> {
    found: &'f FoundGroups,
    plan: &'f AggregatePlan<'m>,
    asked: &'f AggregateRequest,
}

impl ChartLayout<'_, '_> {
    /// Returns a group for each value of a key. They stand in the key's own order; where the request sorts by values
    /// first, those of the axis stand in the order of the groups.
    fn points(&self, key: usize, is_axis: bool) -> Vec<usize> {
        let groups = &self.found.groups;
        let sorted = self.asked.order_by.len().min(self.plan.order.len());
        let mut ruling = self.plan.order[..sorted]
            .iter()
            .filter(|(column, _)| *column == key || is_axis && *column >= self.plan.keys.len());
        let order = match ruling.next() {
            Some((column, _)) if *column != key => None,
            Some((_, descending)) => Some((key, *descending)),
            None => Some((key, false)),
        };
        let mut places: Vec<usize> = (0..groups.len()).collect();
        // Equal keys stand side by side then, the first group ahead.
        places.sort_by(|one, other| compare(&[(key, false)], &groups[*one], &groups[*other]));
        places.dedup_by(|one, other| compare(&[(key, false)], &groups[*one], &groups[*other]).is_eq());
        match order {
            Some((_, true)) => places.reverse(),
            Some(_) => {}
            None => places.sort_unstable(),
        }
        places
    }

    /// Returns the place of each group among the points of a key.
    fn places(&self, points: &[usize], key: usize) -> Vec<usize> {
        let groups = &self.found.groups;
        let by_key = |one: usize, other: usize| compare(&[(key, false)], &groups[one], &groups[other]);
        let mut sorted: Vec<(usize, usize)> = points.iter().copied().enumerate().collect();
        sorted.sort_by(|(_, one), (_, other)| by_key(*one, *other));
        let place = |number: usize| {
            let found = sorted.binary_search_by(|(_, point)| by_key(*point, number));
            found.map_or(0, |found| sorted[found].0)
        };
        (0..groups.len()).map(place).collect()
    }
}

/// Writes cells as JSON.
struct CellWriter<'f, 'm> {
    forms: Vec<ColumnForm<'m>>,
    found: &'f FoundGroups,
    request: &'f RequestContext,
}

impl CellWriter<'_, '_> {
    fn json(&self, column: usize, cell: &Cell) -> Result<Json> {
        let (mut bytes, none) = (Vec::new(), Buckets::default());
        let buckets = self.found.buckets.get(column).unwrap_or(&none);
        cell.write(&self.forms[column], buckets, &self.request.value_context(), &mut bytes);
        serde_json::from_slice(&bytes).map_err(|error| Error::failed(format!("a cell that is not JSON: {error}")))
    }

    /// The value of a group without rows.
    fn empty(&self, plan: &AggregatePlan<'_>, column: usize) -> Result<Json> {
        let Some(value) = column.checked_sub(plan.keys.len()).and_then(|value| plan.values.get(value)) else {
            return Ok(Json::Null);
        };
        self.json(column, &cell::empty(value.function, cell::is_float(value)))
    }
}
