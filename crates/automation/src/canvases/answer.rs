//! Answers with a canvas.

use super::item;
use context::request_context::RequestContext;
use context::value_json::of_json;
use database::Tx;
use expression::{Diagnostic, Value};
use model::canvas::{Canvas, SettingValue};
use model::error::{Error, Result};
use query::canvas_request::CanvasRequest;
use query::read_query::ReadResult;
use resources::expressions::{Handed, Parts, PlatformProviders, Reading, Rights};
use resources::queries::arguments;
use serde_json::json;
use std::collections::BTreeMap;

/// The values that the expressions of a canvas are given.
pub(super) struct CanvasValues {
    pub(super) app: BTreeMap<String, Value>,
    pub(super) template: BTreeMap<String, Value>,
}

impl CanvasValues {
    /// The same for an item, with its own variables and its query.
    pub(crate) fn with(&self, local: &BTreeMap<String, Value>, data: Option<&Value>) -> Handed {
        Handed {
            app: Some(self.app.clone()),
            template: Some(self.template.clone()),
            local: Some(local.clone()),
            data: data.cloned(),
            query: None,
        }
    }
}

/// The canvas of that name, as JSON. It is never kept: its expressions may ask for the present.
pub fn answer(tx: &mut Tx<'_>, context: &RequestContext, name: &str, request: &CanvasRequest) -> Result<ReadResult> {
    let canvas = context.model.canvases.get(name);
    let canvas = canvas.ok_or_else(|| Error::missing("canvas_missing", "There is no such canvas."))?;
    // All items are of one moment.
    tx.snapshot()?;
    let parts = Parts { rights: Rights::Shown, ..Parts::default() };
    let providers = PlatformProviders::new(tx, context, Reading::Look, parts);
    let surroundings = surroundings(&providers, canvas, request)?;
    let mut items = Vec::with_capacity(canvas.items.len());
    for configured in &canvas.items {
        // An item's expressions share their steps.
        providers.begin();
        items.push(item::answer(&providers, configured, &surroundings)?);
    }
    let body = json!({"canvas": canvas.name, "title": canvas.title, "items": items}).to_string();
    Ok(ReadResult { body: body.into_bytes().into(), empty: false, logged: false, versions: None, omitted: Vec::new() })
}

fn surroundings(
    providers: &PlatformProviders<'_, '_>,
    canvas: &Canvas,
    request: &CanvasRequest,
) -> Result<CanvasValues> {
    let (arguments, _) = arguments(providers, &canvas.parameters, &request.given)?;
    let app = arguments.iter().map(|(name, value)| (name.clone(), of_json(value))).collect();
    let mut surroundings = CanvasValues { app, template: BTreeMap::new() };
    // And so do the template's variables.
    providers.begin();
    for (name, setting) in &canvas.template {
        providers.hand(surroundings.with(&BTreeMap::new(), None));
        let value = evaluated(providers, setting)?.map_err(|fault| {
            let message = format!("The variable {name} cannot be calculated: {}", fault.located());
            Error::invalid("variable_failed", message)
        })?;
        surroundings.template.insert(name.clone(), value);
    }
    Ok(surroundings)
}

/// The value of a setting. The outer error is a failure of the database, the inner one the expression's.
pub(super) fn evaluated(
    providers: &PlatformProviders<'_, '_>,
    setting: &SettingValue,
) -> Result<Result<Value, Diagnostic>> {
    match setting {
        SettingValue::Fixed(json) => Ok(Ok(of_json(json))),
        SettingValue::Expression(program) => providers.within(program),
    }
}
