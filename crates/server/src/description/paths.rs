//! The paths of the description, in the order of the route table.

use crate::routes::route::{
    Description, Methods, Operation, PathParameter, Profile, Route, RouteHandler, TenantHandler,
};
use crate::routes::table::ROUTES;
use model::canvas::Canvas;
use model::query::QueryDefinition;
use model::types::{ResourceType, TypeGrant};
use openapi::MORE_METHODS;
use openapi::parameters::{of_path, shared};
use openapi::responses::schema;
use serde_json::{Map, Value, json};

/// The operations by path, and the profile that they are of.
pub(super) struct PathItems(pub(super) Map<String, Value>, Profile);

impl PathItems {
    /// Those that are the same for all callers.
    pub(super) fn fixed(profile: Profile) -> Self {
        let mut paths = PathItems(Map::new(), profile);
        paths.add(str::to_owned, |description| match description {
            Description::Fixed(describe) => Some(describe()),
            _ => None,
        });
        paths
    }

    /// Adds those of a type that a caller with these rights finds.
    pub(super) fn add_type(&mut self, resource_type: &ResourceType, grant: &TypeGrant) {
        let name = &resource_type.name;
        let path = |pattern: &str| pattern.replace("{collection}", name).replace("{typeId}", name);
        self.add(path, |description| match description {
            Description::OfType(describe) => describe(resource_type, grant),
            _ => None,
        });
    }

    /// Adds those of a query, whose type the caller may list.
    pub(super) fn add_query(&mut self, query: &QueryDefinition, resource_type: &ResourceType) {
        let profile = self.1;
        self.add(
            |pattern| pattern.replace("{query}", &query.name),
            |description| match description {
                Description::OfQuery(describe) => {
                    let mut operation = describe(query, resource_type);
                    if profile == Profile::Extended {
                        let page = &mut operation["responses"]["200"]["content"]["application/json"]["schema"];
                        *page = schema(&format!("{}.partialPage", resource_type.name));
                    }
                    Some(operation)
                }
                _ => None,
            },
        );
    }

    /// Adds those of a canvas.
    pub(super) fn add_canvas(&mut self, canvas: &Canvas) {
        self.add(
            |pattern| pattern.replace("{canvas}", &canvas.name),
            |description| match description {
                Description::OfCanvas(describe) => Some(describe(canvas)),
                _ => None,
            },
        );
    }

    fn add(&mut self, path: impl Fn(&str) -> String, describe: impl Fn(&Description) -> Option<Value>) {
        for route in ROUTES.iter().filter(|route| route.is_described_in(self.1)) {
            let described =
                route.operations.iter().filter_map(|operation| Some((operation, describe(&operation.description)?)));
            for (operation, mut description) in described {
                if takes_name(route, operation) {
                    add_name(&mut description);
                }
                if self.1 != route.profile {
                    name_messages(&mut description);
                }
                let item = self.0.entry(path(route.pattern)).or_insert_with(|| shared_parameters(route));
                insert(item, operation, description);
            }
        }
    }
}

/// The ends of addresses whose POST reads, or answers with what is told once.
const NAMELESS: [&str; 7] =
    ["/import/{collection}", "/run", "/search", "/select", "/explain", "/login-as", "/hook/{hook}"];

/// Returns true if a client may name the operation by `Idempotency-Key`.
fn takes_name(route: &Route, operation: &Operation) -> bool {
    let writes = matches!(operation.methods, Methods::One("POST" | "PUT" | "PATCH" | "DELETE"));
    writes && route.pattern.starts_with("/api/ext/v1/") && !NAMELESS.iter().any(|end| route.pattern.ends_with(end))
}

/// Adds the header by which a client names a write, and the answers to one that is named twice.
fn add_name(operation: &mut Value) {
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(shared("idempotencyKey")),
        None => operation["parameters"] = json!([shared("idempotencyKey")]),
    }
    for status in ["409", "422"] {
        let answers = operation["responses"].as_object_mut();
        answers.map(|answers| {
            answers.entry(status).or_insert_with(|| json!({"$ref": format!("#/components/responses/Problem{status}")}))
        });
    }
}

/// Refers to answers with a message alone, which the contract's form of errors has, in the place of details.
fn name_messages(operation: &mut Value) {
    for answer in operation["responses"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        let message = answer.get("$ref").and_then(Value::as_str).map(|name| name.replace("/Problem", "/Message"));
        message.into_iter().for_each(|message| answer["$ref"] = message.into());
    }
}

/// A path item without operations: the parameters that all of them share.
fn shared_parameters(route: &Route) -> Value {
    let parameter = |parameter: &PathParameter| match parameter {
        PathParameter::Own(name, description) => of_path(name, description),
        PathParameter::Shared(name) => shared(name),
    };
    match route.parameters {
        [] => json!({}),
        parameters => json!({"parameters": parameters.iter().map(parameter).collect::<Value>()}),
    }
}

/// Adds an operation to its path, and says whether it takes a key.
fn insert(item: &mut Value, operation: &Operation, mut description: Value) {
    let security = match &operation.handler {
        RouteHandler::Tenant(TenantHandler::Keyed(_)) => None,
        // A missing key is an answer too: it is not valid.
        RouteHandler::Tenant(TenantHandler::OptionalKey(_)) => {
            Some(json!([{"key": []}, {"xApiKey": []}, {"bearer": []}, {}]))
        }
        _ => Some(json!([])),
    };
    if let (Some(security), Some(members)) = (security, description.as_object_mut()) {
        // After the id, the summary and the answers.
        members.shift_insert(3, "security".to_owned(), security);
    }
    match operation.methods {
        Methods::One("SEARCH") => item[MORE_METHODS]["SEARCH"] = description,
        Methods::One(method) => item[method.to_lowercase()] = description,
        Methods::Known | Methods::Every => {}
    }
}
