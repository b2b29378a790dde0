//! A chart of the groups that a query answers: a list along the axis, and one of values for each series.

use super::item::{ItemStop, ShownItem};
use expression::value::Array;
use groups::{Pivot, PivotColumns, PivotSeries};
use model::canvas::GroupChart;
use model::groups::QueryGroups;
use resources::expressions::PlatformProviders;
use serde_json::{Map, Value as Json, json};

/// Adds the lists of a chart to an item's answer.
pub(super) fn show(
    providers: &PlatformProviders<'_, '_>,
    chart: &GroupChart,
    query: &str,
    given: &Array,
    members: &mut Map<String, Json>,
) -> ShownItem<()> {
    let y: Vec<&str> = chart.y.iter().map(|(_, column)| column.as_str()).collect();
    let columns = PivotColumns { x: &chart.x, series: chart.series.as_deref(), y: &y };
    let made = providers.chart(query, given, &columns);
    if let Some(failure) = providers.take_failure() {
        return Err(ItemStop::Failure(failure));
    }
    let Pivot { x, series } = made?;
    let titles = chart.y.iter().map(|(title, _)| title.as_str()).chain(std::iter::repeat(""));
    let drawn = series.into_iter().zip(titles);
    // The query was answered, so the caller may read what it groups by.
    let groups = providers.request.model.queries.get(query).and_then(|query| query.groups.as_ref());
    if let Some(axes) = groups.and_then(|groups| axes(chart, groups)) {
        members.insert("axes".to_owned(), axes);
    }
    members.insert("chart".to_owned(), chart.form.name().into());
    members.insert("x".to_owned(), x.into());
    members.insert("series".to_owned(), drawn.map(|(series, title)| drawn_series(series, title)).collect());
    Ok(())
}

/// Describes the properties behind the axis, the series and the values, as paths from the query's type.
fn axes(chart: &GroupChart, groups: &QueryGroups) -> Option<Json> {
    let key = |name: &str| {
        let key = groups.keys.iter().find(|key| key.name == name)?;
        let mut told = json!({"property": key.property});
        if let Some(by) = key.by {
            told["by"] = by.name().into();
        }
        Some(told)
    };
    let value = |name: &String| {
        let value = groups.values.iter().find(|value| value.name == *name)?;
        Some(json!({"function": value.function.name(), "property": value.property}))
    };
    let values: Vec<Json> = chart.y.iter().map(|(_, name)| value(name)).collect::<Option<_>>()?;
    let mut axes = json!({"x": key(&chart.x)?, "y": values});
    if let Some(series) = &chart.series {
        axes["series"] = key(series)?;
    }
    Some(axes)
}

/// A series is called by the value of its key, where it has one.
fn drawn_series(series: PivotSeries, title: &str) -> Json {
    let title = match series.key {
        None => title.to_owned(),
        Some(Json::Null) => String::new(),
        Some(Json::String(text)) => text,
        Some(other) => other.to_string(),
    };
    json!({"title": title, "values": series.values})
}
