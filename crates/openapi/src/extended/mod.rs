//! The description for generated clients: the collections below `/api/ext/v1/`, by rules that generators agree on.
//!
//! First, all parts get the names that the contract's description gives them. Then [`normal`] gives the whole document
//! the form that the rules ask for: names, enums and objects that stand by themselves, one body for each status.

pub mod bulk;
pub mod exports;
pub mod fixed;
pub mod imports;
pub mod jobs;
pub mod model_description;
pub mod names;
pub mod normal;
pub mod operations;
pub mod schemas;
pub mod settings;
pub mod upserts;
pub mod views;

use super::answers::DecimalForm;
use super::literal::json;
use model::types::{Property, ResourceType, TypeGrant};
use serde_json::{Map, Value};

/// The schemas of a type, as far as the caller's rights go.
pub fn add_schemas(
    resource_type: &ResourceType,
    grant: &TypeGrant,
    inverses: &[&Property],
    decimals: DecimalForm,
    components: &mut Map<String, Value>,
) {
    schemas::add(resource_type, grant, inverses, decimals, components);
    upserts::add_schemas(resource_type, grant, components);
    bulk::add_schema(resource_type, grant, components);
}

/// The parameters that operations share. Filters in an address are a text: generators write no JSON there.
pub fn parameters(decimals: DecimalForm) -> Value {
    let mut parameters = super::parameters::parameters();
    parameters["trial"] = super::parameters::of_query(
        "trial",
        "1 does the write and undoes it: the answer is that of the write, with the header Plinth-Trial: 1.",
        json!({"enum": ["0", "1", "false", "true"]}),
    );
    if decimals == DecimalForm::Text {
        parameters["decimals"] = text_alone();
    }
    parameters["filters"] = super::parameters::of_query(
        "filters",
        "Filters, all of which must hold: an array as JSON, as the member `filters` of a search has it.",
        json!({"type": "string"}),
    );
    let members = parameters.as_object_mut().into_iter().flat_map(|parameters| parameters.values_mut());
    members.for_each(normal::parameter);
    parameters
}

/// The parameter that each request needs where answers are described with decimals as texts.
fn text_alone() -> Value {
    let text = json!({"type": "string", "enum": ["text"], "default": "text"});
    let description = "Decimals, and integers beyond 2^53, as texts: the answers of this description.";
    let mut parameter = super::parameters::of_query("_decimals", description, text);
    parameter["required"] = true.into();
    parameter
}

/// The answers of errors: with details, and the message alone of the routes that came before.
pub fn responses() -> Value {
    let mut responses = Map::new();
    let all = super::responses::problems();
    for (name, response) in all.as_object().into_iter().flatten() {
        let mut with = |name: String, media_type: &str, schema: &str| {
            let mut response = response.clone();
            response["content"] = json!({});
            response["content"][media_type] = json!({"schema": {"$ref": format!("#/components/schemas/{schema}")}});
            responses.insert(name, response);
        };
        with(name.clone(), "application/problem+json", "Problem");
        with(name.replace("Problem", "Message"), "application/json", "Message");
    }
    responses.into()
}
