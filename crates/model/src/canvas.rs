//! A canvas as it is configured.

use crate::query::Parameter;
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
    pub parameters: Vec<Parameter>,
    /// Values that `templateVar()` gives, in the file's order.
    pub template: Vec<(String, Setting)>,
    /// In the file's order.
    pub items: Vec<Item>,
}

/// A part of a canvas.
#[derive(Debug)]
pub struct Item {
    /// The title, for people.
    pub title: Option<Setting>,
    /// The query that the item's expressions fetch from.
    pub query: Option<String>,
    /// The query's parameters.
    pub parameters: Vec<(String, Setting)>,
    /// Values that `var()` gives, in the file's order.
    pub variables: Vec<(String, Setting)>,
    /// The form in which it is shown.
    pub shows: Shows,
}

/// The content that an item shows.
#[derive(Debug)]
pub enum Shows {
    /// One value.
    Number(Setting),
    /// Rows, at most so many.
    Table(Setting, usize),
    /// Values over others: what lies along the axis, and series with their names.
    Chart(Chart, Setting, Vec<(String, Setting)>),
    /// A text.
    Text(Setting),
}

/// The forms of charts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chart {
    /// Points that are joined.
    Line,
    /// Bars side by side.
    Bar,
    /// Parts of a whole: one series.
    Pie,
}

/// A value of a file.
#[derive(Debug)]
pub enum Setting {
    /// As it is written.
    Fixed(Json),
    /// The value that an expression gives.
    Expression(Arc<Program>),
}

impl Chart {
    /// All of them, with their names in files and answers.
    pub const ALL: [(&'static str, Chart); 3] = [("line", Chart::Line), ("bar", Chart::Bar), ("pie", Chart::Pie)];

    /// The name.
    pub fn name(self) -> &'static str {
        Chart::ALL.iter().find(|(_, chart)| *chart == self).map_or("", |(name, _)| name)
    }
}

impl Shows {
    /// The name of the kind in files and answers.
    pub fn name(&self) -> &'static str {
        match self {
            Shows::Number(_) => "number",
            Shows::Table(..) => "table",
            Shows::Chart(..) => "chart",
            Shows::Text(_) => "text",
        }
    }
}
