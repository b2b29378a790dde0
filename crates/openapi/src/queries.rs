//! The operations of named queries.

use super::Rights;
use super::answers::DecimalForm;
use super::collections::pages;
use super::literal::json;
use super::parameters::{VALIDATORS, shared};
use super::query_groups::{self, QueryColumn};
use super::responses::{self, VALIDATED, not_modified};
use model::query::{ParameterDefault, QueryDefinition, QueryParameter};
use model::types::{Model, ResourceType};
use serde_json::{Map, Value};

/// The parameters that every query takes beside its own.
const COMMON: [&str; 6] = ["page", "perPage", "showFields", "hideFields", "propsMeta", "wrapFields"];

/// The parameters that a query of groups takes beside its own.
const COMMON_OF_GROUPS: [&str; 2] = ["page", "perPage"];

/// A query that a caller may run.
pub struct DescribedQuery<'m> {
    /// The query.
    pub query: &'m QueryDefinition,
    /// The type that it lists.
    pub resource_type: &'m ResourceType,
    /// The columns of its groups; none where it answers rows.
    pub(crate) columns: Option<Vec<QueryColumn<'m>>>,
    /// The form of decimals in its answers.
    decimals: DecimalForm,
}

impl<'m> DescribedQuery<'m> {
    /// A query for a caller with these rights; none where it is not for this caller.
    pub fn new(model: &'m Model, query: &'m QueryDefinition, rights: &Rights<'_>) -> Option<Self> {
        let resource_type = model.type_by_id(query.type_id).filter(|of| rights(of).show.is_some())?;
        let columns = match &query.groups {
            None => None,
            Some(groups) => Some(query_groups::columns(model, resource_type, groups, rights)?),
        };
        Some(DescribedQuery { query, resource_type, columns, decimals: DecimalForm::Number })
    }

    /// The same with decimals in this form.
    #[must_use]
    pub fn with_decimals(self, decimals: DecimalForm) -> Self {
        DescribedQuery { decimals, ..self }
    }

    /// Returns true if it answers rows.
    pub fn answers_rows(&self) -> bool {
        self.columns.is_none()
    }

    fn common(&self) -> &'static [&'static str] {
        if self.answers_rows() { &COMMON } else { &COMMON_OF_GROUPS }
    }
}

/// Describes a page of a named query.
pub fn get(query: &DescribedQuery<'_>) -> Value {
    let mut get = operation(query, "get", &[]);
    let own = query.query.parameters.iter().map(in_query);
    let common = query.common().iter().copied().chain(["decimals", "noCache"]).chain(VALIDATORS).map(shared);
    get["parameters"] = own.chain(common).collect();
    get
}

/// Describes a page of a named query whose parameters stand in a body.
pub fn search(query: &DescribedQuery<'_>) -> Value {
    with_body(query, "search")
}

/// The same for clients that know no SEARCH.
pub fn run(query: &DescribedQuery<'_>) -> Value {
    with_body(query, "run")
}

fn with_body(query: &DescribedQuery<'_>, word: &str) -> Value {
    let mut search = operation(query, word, &["413", "415"]);
    search["parameters"] = ["decimals"].into_iter().chain(VALIDATORS).map(shared).collect();
    let body = body(&query.query.parameters, shared_members(query.common()));
    search["requestBody"] = json!({"content": {"application/json": {"schema": body}}});
    search
}

/// Takes away what gives rows another form than that of chosen fields, which generators of clients cannot tell.
pub fn keep_plain(operation: &mut Value) {
    let shapes = ["propsMeta", "wrapFields"];
    if let Some(parameters) = operation["parameters"].as_array_mut() {
        parameters.retain(|parameter| !shapes.iter().any(|name| *parameter == shared(name)));
    }
    let members = operation.pointer_mut("/requestBody/content/application~1json/schema/properties");
    if let Some(members) = members.and_then(Value::as_object_mut) {
        members.retain(|name, _| !shapes.contains(&name.as_str()));
    }
}

fn operation(described: &DescribedQuery<'_>, word: &str, beside: &[&str]) -> Value {
    let query = described.query;
    let statuses: Vec<&str> = ["403", "404", "503"].into_iter().chain(beside.iter().copied()).collect();
    let name = format!("query.{}.{word}", query.name);
    let answers = match (&described.columns, &query.groups) {
        (Some(columns), Some(groups)) => {
            let page = query_groups::page(columns, groups.totals, described.decimals);
            vec![("200", responses::body("The groups.", &page, &VALIDATED)), ("304", not_modified())]
        }
        _ => pages(described.resource_type).to_vec(),
    };
    let mut operation = responses::operation(&name, &query.title, &answers, &statuses);
    if !query.description.is_empty() {
        operation["description"] = query.description.as_str().into();
    }
    operation["tags"] = json!(["queries"]);
    operation
}

/// A parameter of a query string.
pub fn in_query(parameter: &QueryParameter) -> Value {
    let mut described = json!({
        "name": parameter.name, "in": "query", "description": text(parameter),
        "required": parameter.required, "schema": schema(parameter),
    });
    if parameter.multiple() {
        described["style"] = "form".into();
        described["explode"] = false.into();
    }
    described
}

/// Returns the members that a query takes in a body beside its own parameters.
fn shared_members(common: &[&str]) -> Map<String, Value> {
    let names = json!({"type": "array", "items": {"type": "string"}});
    let number = json!({"type": "integer", "minimum": 1});
    let schema = |name| if matches!(name, "page" | "perPage") { number.clone() } else { names.clone() };
    common.iter().map(|name| ((*name).to_owned(), schema(*name))).collect()
}

/// A body with parameters, and what else it may have.
pub fn body(parameters: &[QueryParameter], common: Map<String, Value>) -> Value {
    let own = parameters.iter().map(|parameter| (parameter.name.clone(), schema(parameter)));
    let properties: Map<String, Value> = own.chain(common).collect();
    let required = parameters.iter().filter(|parameter| parameter.required);
    let required: Vec<&str> = required.map(|parameter| parameter.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn schema(parameter: &QueryParameter) -> Value {
    let mut schema = parameter.kind.schema();
    if parameter.multiple() {
        schema = json!({"type": "array", "items": schema, "maxItems": 1_000});
    }
    if let Some(ParameterDefault::Fixed(default)) = &parameter.default {
        schema["default"] = default.clone();
    }
    schema
}

fn text(parameter: &QueryParameter) -> &str {
    if parameter.description.is_empty() { &parameter.title } else { &parameter.description }
}
