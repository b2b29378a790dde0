//! One item of a canvas, with its error in its place where it has one.

use super::answer::{CanvasValues, evaluated};
use super::group_chart;
use context::value_json::to_json;
use expression::value::{Array, Text};
use expression::{Fault, HostProviders, Value};
use model::canvas::{CanvasItem, ChartForm, ItemContent, SettingValue};
use model::error::Result;
use resources::expressions::{Handed, PlatformProviders};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;

/// The most points of a chart.
const MOST_POINTS: usize = 10_000;

/// Why an item is not shown: a failure of the database, which is the whole answer's, or a fault of its own.
pub(super) enum ItemStop {
    Failure(model::error::Error),
    Fault(Fault),
}

impl From<Fault> for ItemStop {
    fn from(fault: Fault) -> Self {
        ItemStop::Fault(fault)
    }
}

pub(super) type ShownItem<T> = std::result::Result<T, ItemStop>;

/// The item as JSON.
pub(super) fn answer(
    providers: &PlatformProviders<'_, '_>,
    item: &CanvasItem,
    surroundings: &CanvasValues,
) -> Result<Json> {
    let mut members = Map::new();
    members.insert("kind".to_owned(), item.shows.name().into());
    let fault = match shown(providers, item, surroundings, &mut members) {
        Ok(()) => return Ok(Json::Object(members)),
        Err(ItemStop::Failure(failure)) => return Err(failure),
        Err(ItemStop::Fault(fault)) => fault,
    };
    members.retain(|name, _| name == "kind" || name == "title");
    members.insert("error".to_owned(), json!({"code": fault.code, "message": fault.message}));
    Ok(Json::Object(members))
}

fn shown(
    providers: &PlatformProviders<'_, '_>,
    item: &CanvasItem,
    surroundings: &CanvasValues,
    members: &mut Map<String, Json>,
) -> ShownItem<()> {
    if let Some(SettingValue::Fixed(title)) = &item.title {
        members.insert("title".to_owned(), title.clone());
    }
    let mut local = BTreeMap::new();
    for (name, setting) in &item.variables {
        providers.hand(surroundings.with(&local, None));
        local.insert(name.clone(), value(providers, setting)?);
    }
    providers.hand(surroundings.with(&local, None));
    if let Some(query) = &item.query {
        let given =
            item.parameters.iter().map(|(name, setting)| Ok((Text::from(name.as_str()), value(providers, setting)?)));
        let given: Array = given.collect::<ShownItem<Vec<_>>>()?.into_iter().collect();
        // With these, an application leads from what is shown to the rows behind it.
        members.insert("query".to_owned(), query.as_str().into());
        members.insert("params".to_owned(), parameters(providers, &given)?);
        if let ItemContent::Groups(chart) = &item.shows {
            // Groups are worked out once, for the chart; its title may fetch them all the same.
            providers.hand(Handed { query: Some((query.clone(), given.clone())), ..surroundings.with(&local, None) });
            group_chart::show(providers, chart, query, &given, members)?;
        } else {
            let rows = providers.query(query, &given);
            if let Some(failure) = providers.take_failure() {
                return Err(ItemStop::Failure(failure));
            }
            providers.hand(surroundings.with(&local, Some(&rows?)));
        }
    }
    if let Some(title) = &item.title {
        members.insert("title".to_owned(), plain(providers, title)?);
    }
    match &item.shows {
        ItemContent::Number(setting) => {
            let number = plain(providers, setting)?;
            if number.is_array() || number.is_object() {
                return Err(Fault::new("wrong_kind", "The value of a number is one value.").into());
            }
            members.insert("value".to_owned(), number);
        }
        ItemContent::Text(setting) => {
            let text = match plain(providers, setting)? {
                Json::String(text) => text,
                Json::Null => String::new(),
                Json::Array(_) | Json::Object(_) => {
                    return Err(Fault::new("wrong_kind", "The text must be a text.").into());
                }
                other => other.to_string(),
            };
            members.insert("text".to_owned(), text.into());
        }
        ItemContent::Table(setting, most) => table(plain(providers, setting)?, *most, members)?,
        ItemContent::Chart(chart, x, series) => {
            let x = plain(providers, x)?;
            let series = series.iter().map(|(name, values)| Ok((name.as_str(), plain(providers, values)?)));
            self::chart(*chart, x, series.collect::<ShownItem<Vec<_>>>()?, members)?;
        }
        // Shown above, where its query is known.
        ItemContent::Groups(_) => {}
    }
    Ok(())
}

fn value(providers: &PlatformProviders<'_, '_>, setting: &SettingValue) -> ShownItem<Value> {
    let value = evaluated(providers, setting).map_err(ItemStop::Failure)?;
    value.map_err(|mistake| ItemStop::Fault(Fault::new(mistake.code, mistake.sentence())))
}

/// The parameters with which an item asks its query.
fn parameters(providers: &PlatformProviders<'_, '_>, given: &Array) -> ShownItem<Json> {
    let json = to_json(&Value::Array(given.clone()), providers)?;
    // Without parameters, it is an empty list in the language.
    Ok(if json.is_object() { json } else { json!({}) })
}

fn plain(providers: &PlatformProviders<'_, '_>, setting: &SettingValue) -> ShownItem<Json> {
    let json = to_json(&value(providers, setting)?, providers);
    if let Some(failure) = providers.take_failure() {
        return Err(ItemStop::Failure(failure));
    }
    Ok(json?)
}

/// Columns are the names that the rows have, in the order in which they come up; what is no object is one column.
fn table(rows: Json, most: usize, members: &mut Map<String, Json>) -> std::result::Result<(), Fault> {
    let Json::Array(rows) = rows else { return Err(Fault::new("wrong_kind", "The rows of a table are an array.")) };
    let total = rows.len();
    let mut columns: Vec<String> = Vec::new();
    for row in rows.iter().take(most) {
        match row {
            Json::Object(row) => {
                for name in row.keys().filter(|name| !columns.contains(name)).cloned().collect::<Vec<_>>() {
                    columns.push(name);
                }
            }
            _ if columns.iter().any(|name| name == "value") => {}
            _ => columns.push("value".to_owned()),
        }
        if columns.len() > 100 {
            return Err(Fault::new("too_many_columns", "A table has at most 100 columns."));
        }
    }
    let cells = |row: Json| -> Json {
        let cell = |name: &String| match &row {
            Json::Object(row) => row.get(name).cloned().unwrap_or_default(),
            other if name == "value" => other.clone(),
            _ => Json::Null,
        };
        columns.iter().map(cell).collect()
    };
    let rows: Vec<Json> = rows.into_iter().take(most).map(cells).collect();
    members.insert("columns".to_owned(), columns.clone().into());
    members.insert("rows".to_owned(), rows.into());
    members.insert("total".to_owned(), total.into());
    Ok(())
}

/// Each series has a value for each place of the axis.
fn chart(
    chart: ChartForm,
    x: Json,
    series: Vec<(&str, Json)>,
    members: &mut Map<String, Json>,
) -> std::result::Result<(), Fault> {
    let Json::Array(x) = x else { return Err(Fault::new("wrong_kind", "The x of a chart is an array.")) };
    if x.len() > MOST_POINTS {
        return Err(Fault::new("too_many_points", format!("A chart has at most {MOST_POINTS} points.")));
    }
    let mut drawn = Vec::new();
    for (name, values) in series {
        let Json::Array(values) = values else { return Err(Fault::new("wrong_kind", "The y of a chart is an array.")) };
        if values.len() != x.len() {
            let message = format!("The chart has {} values of x and {} of y.", x.len(), values.len());
            return Err(Fault::new("uneven_chart", message));
        }
        if values.iter().any(|value| !value.is_number() && !value.is_null()) {
            return Err(Fault::new("wrong_kind", "The values of y must be numbers."));
        }
        drawn.push(json!({"title": name, "values": values}));
    }
    members.insert("chart".to_owned(), chart.name().into());
    members.insert("x".to_owned(), x.into());
    members.insert("series".to_owned(), drawn.into());
    Ok(())
}
