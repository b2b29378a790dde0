//! The paths of the description, in the order of the route table.

use crate::routes::route::{
    Description, Methods, Operation, PathParameter, Profile, Route, RouteHandler, TenantHandler,
};
use crate::routes::table::ROUTES;
use model::canvas::Canvas;
use model::types::{Model, PublicSettings, ResourceType, TypeGrant};
use openapi::MORE_METHODS;
use openapi::parameters::{of_path, proof, shared};
use openapi::queries::{DescribedQuery, keep_plain};
use openapi::responses::schema;
use openapi::version::ApiAudience;
use serde_json::{Map, Value, json};

/// The operations by path.
pub(super) struct PathItems {
    pub(super) items: Map<String, Value>,
    /// The profile that they are of.
    pub(super) profile: Profile,
    audience: ApiAudience,
    /// The tenant's settings of requests without a key.
    public: Option<PublicSettings>,
}

impl PathItems {
    /// No operation yet.
    pub(super) fn new(profile: Profile, audience: ApiAudience, model: &Model) -> Self {
        PathItems { items: Map::new(), profile, audience, public: model.settings.public.clone() }
    }

    /// Adds those that are the same for all callers.
    pub(super) fn add_fixed(&mut self) {
        self.add(str::to_owned, |description| match description {
            Description::Fixed(describe) => Some(describe()),
            _ => None,
        });
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

    /// Adds those of a query that the caller may run.
    pub(super) fn add_query(&mut self, query: &DescribedQuery<'_>) {
        let profile = self.profile;
        self.add(
            |pattern| pattern.replace("{query}", &query.query.name),
            |description| match description {
                Description::OfQuery(describe) => {
                    let mut operation = describe(query);
                    if profile == Profile::Extended && query.answers_rows() {
                        let page = &mut operation["responses"]["200"]["content"]["application/json"]["schema"];
                        *page = schema(&format!("{}.partialPage", query.resource_type.name));
                        keep_plain(&mut operation);
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
        for route in ROUTES.iter().filter(|route| route.is_described_in(self.profile)) {
            let reached = route.operations.iter().filter(|operation| self.reaches(operation));
            let described = reached.filter_map(|operation| Some((operation, describe(&operation.description)?)));
            let described: Vec<_> = described.collect();
            for (operation, mut description) in described {
                let path = path(route.pattern);
                if takes_name(route, operation) {
                    add_name(&mut description);
                }
                if path.contains('{') {
                    // A value with a control character does not make a path.
                    add_problems(&mut description, &["404"]);
                }
                if self.profile != route.profile {
                    name_messages(&mut description);
                }
                if self.takes_trial(route, operation) {
                    add_parameter(&mut description, shared("trial"));
                }
                if self.wants_proof(route, operation) {
                    add_parameter(&mut description, proof());
                }
                let security = self.security(operation);
                let item = self.items.entry(path).or_insert_with(|| shared_parameters(route));
                insert(item, operation, security, description);
            }
        }
    }

    /// Returns true if the audience can call the operation.
    fn reaches(&self, operation: &Operation) -> bool {
        let takes_key = matches!(operation.handler, RouteHandler::Tenant(TenantHandler::Keyed(_)));
        self.audience == ApiAudience::KeyOwners || !takes_key
    }

    /// Returns true if the audience may try the write without doing it.
    fn takes_trial(&self, route: &Route, operation: &Operation) -> bool {
        let Methods::One(method) = operation.methods else { return false };
        let writes = match route.pattern {
            CREATION => method == "POST",
            CHANGE => matches!(method, "PUT" | "PATCH"),
            _ => false,
        };
        writes && self.audience == ApiAudience::KeyOwners
    }

    /// Returns true if a caller without a key has to send a proof of work with the operation.
    fn wants_proof(&self, route: &Route, operation: &Operation) -> bool {
        let difficulty = self.public.as_ref().and_then(|public| public.difficulty);
        let creates = matches!(operation.methods, Methods::One("POST")) && route.pattern == CREATION;
        self.audience == ApiAudience::Public && difficulty.is_some() && creates
    }

    /// The keys that an operation takes, where that is not as for most of them.
    fn security(&self, operation: &Operation) -> Option<Value> {
        let keys = || json!([{"key": []}, {"xApiKey": []}, {"bearer": []}, {}]);
        match &operation.handler {
            RouteHandler::Tenant(TenantHandler::Keyed(_)) => None,
            RouteHandler::Tenant(TenantHandler::Open(_)) if self.public.is_none() => None,
            // A missing key is an answer too: it is not valid, or acts by the public role.
            RouteHandler::Tenant(TenantHandler::Open(_)) if self.audience == ApiAudience::KeyOwners => Some(keys()),
            RouteHandler::Tenant(TenantHandler::OptionalKey(_)) => Some(keys()),
            _ => Some(json!([])),
        }
    }
}

/// The route whose POST creates a resource.
const CREATION: &str = "/api/ext/v1/collection/{collection}";
/// The route whose PUT and PATCH change a resource.
const CHANGE: &str = "/api/ext/v1/collection/{collection}/{item}";

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
    add_parameter(operation, shared("idempotencyKey"));
    add_problems(operation, &["409", "422"]);
}

/// Adds the answers of problems to those of an operation.
fn add_problems(operation: &mut Value, statuses: &[&str]) {
    for status in statuses {
        let answers = operation["responses"].as_object_mut();
        answers.map(|answers| {
            answers.entry(*status).or_insert_with(|| json!({"$ref": format!("#/components/responses/Problem{status}")}))
        });
    }
}

/// Adds a parameter to those of an operation.
fn add_parameter(operation: &mut Value, parameter: Value) {
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(parameter),
        None => operation["parameters"] = json!([parameter]),
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

/// Adds an operation to its path.
fn insert(item: &mut Value, operation: &Operation, security: Option<Value>, mut description: Value) {
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
