//! A canvas as it is configured.

use crate::query::QueryParameter;
use expression::Program;
use serde_json::Value as Json;
use std::sync::Arc;

/// A canvas: what `canvases/<name>.yaml` says.
#[derive(Debug)]
pub struct Canvas {
    /// The system name.
    pub name: String,
    /// For people.
    pub title: String,
    /// For people; may be empty.
    pub description: String,
    /// Parameters that `appParameter()` gives, in the file's order.
    pub parameters: Vec<QueryParameter>,
    /// Values that `templateVar()` gives, in the file's order.
    pub template: Vec<(String, SettingValue)>,
    /// In the file's order.
    pub items: Vec<CanvasItem>,
}

/// A part of a canvas.
#[derive(Debug)]
pub struct CanvasItem {
    /// The title, for people.
    pub title: Option<SettingValue>,
    /// The query that the item's expressions fetch from.
    pub query: Option<String>,
    /// The query's parameters.
    pub parameters: Vec<(String, SettingValue)>,
    /// Values that `var()` gives, in the file's order.
    pub variables: Vec<(String, SettingValue)>,
    /// The form in which it is shown.
    pub shows: ItemContent,
}

/// The content that an item shows.
#[derive(Debug)]
pub enum ItemContent {
    /// One value.
    Number(SettingValue),
    /// Rows, at most so many.
    Table(SettingValue, usize),
    /// Values over others: what lies along the axis, and series with their names.
    Chart(ChartForm, SettingValue, Vec<(String, SettingValue)>),
    /// Groups of the item's query.
    Groups(GroupChart),
    /// A text.
    Text(SettingValue),
}

/// A chart of the groups that a query answers, by the names of their keys and values.
#[derive(Debug)]
pub struct GroupChart {
    /// The form.
    pub form: ChartForm,
    /// The key along the axis.
    pub x: String,
    /// The key that has a series for each of its values.
    pub series: Option<String>,
    /// The values, by the titles of their series; one where there is a key of series.
    pub y: Vec<(String, String)>,
}

/// The forms of charts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChartForm {
    /// Points that are joined.
    Line,
    /// Bars side by side.
    Bar,
    /// Parts of a whole: one series.
    Pie,
}

/// A value of a file.
#[derive(Debug)]
pub enum SettingValue {
    /// As it is written.
    Fixed(Json),
    /// The value that an expression gives.
    Expression(Arc<Program>),
}

impl ChartForm {
    /// All of them, with their names in files and answers.
    pub const ALL: [(&'static str, ChartForm); 3] =
        [("line", ChartForm::Line), ("bar", ChartForm::Bar), ("pie", ChartForm::Pie)];

    /// The name.
    pub fn name(self) -> &'static str {
        ChartForm::ALL.iter().find(|(_, chart)| *chart == self).map_or("", |(name, _)| name)
    }
}

impl ItemContent {
    /// The name of the kind in files and answers.
    pub fn name(&self) -> &'static str {
        match self {
            ItemContent::Number(_) => "number",
            ItemContent::Table(..) => "table",
            ItemContent::Chart(..) | ItemContent::Groups(_) => "chart",
            ItemContent::Text(_) => "text",
        }
    }
}
