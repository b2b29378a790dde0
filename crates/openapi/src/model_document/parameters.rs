//! Parameters of queries and canvases: kinds, defaults, limits and what they choose from.

use super::limits::add_limits;
use context::request_context::RequestContext;
use model::query::{ParameterDefault, QueryParameter};
use model::types::ResourceAction;
use resources::property_options;
use serde_json::{Value as Json, json};

/// Describes parameters, in the order of the file.
pub(super) fn describe_parameters(context: &RequestContext, parameters: &[QueryParameter]) -> Vec<Json> {
    parameters.iter().map(|parameter| describe_parameter(context, parameter)).collect()
}

fn describe_parameter(context: &RequestContext, parameter: &QueryParameter) -> Json {
    let kind = parameter.kind.as_ref();
    let default = match &parameter.default {
        Some(ParameterDefault::Fixed(value)) => Some(value),
        // An expression gives it, for each request.
        Some(ParameterDefault::Expression(_)) | None => None,
    };
    let mut told = json!({
        "name": parameter.name,
        "title": parameter.title,
        "description": parameter.description,
        "kind": kind.name(),
        "multiple": parameter.multiple(),
        "required": parameter.required,
        "default": default,
    });
    let options = property_options(&context.model, kind);
    if !options.is_empty() {
        told["options"] = options.into();
    }
    let target = kind.relation().and_then(|relation| context.model.type_by_id(relation.type_id));
    if let Some(target) = target.filter(|of| context.actor.allowed_type(of, ResourceAction::Show).is_ok()) {
        told["relation"] = json!({"typeId": target.id, "type": target.name, "title": target.title});
    }
    if let Some(told) = told.as_object_mut() {
        add_limits(kind, told);
    }
    told
}
