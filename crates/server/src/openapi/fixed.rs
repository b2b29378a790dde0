//! What is the same for every tenant: sign-in, parameters, errors.

use serde_json::{Map, Value, json};

/// The paths that no type is part of.
pub(super) fn paths() -> Map<String, Value> {
    let form = |properties: Value, required: &[&str]| {
        let schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        });
        json!({"required": true, "content": {
            "application/x-www-form-urlencoded": {"schema": schema},
            "multipart/form-data": {"schema": schema},
        }})
    };
    let body = |description: &str, schema: Value| json!({"description": description, "content": {"application/json": {"schema": schema}}});
    let state = json!({"type": "object", "properties": {"status": {"type": "string"}}});
    let create_key = json!({
        "operationId": "auth.create", "summary": "Create an API key from login and password.", "security": [],
        "requestBody": form(json!({
            "user": {"type": "string", "description": "Login name."},
            "password": {"type": "string", "format": "password"},
            "valid": {"type": "string", "description": "When the key ends.", "default": "9999-12-31"},
            "description": {"type": "string"},
            "permissions": {"type": "string", "description": "Scopes of the key, with commas between; all where it is not given."},
        }), &["user", "password"]),
        "responses": {
            "200": body("The key; its text is shown this once.", json!({
                "type": "object", "required": ["authToken"],
                "properties": {"authToken": {"$ref": "#/components/schemas/ApiKey"}},
            })),
            "400": problem("400"), "401": problem("401"), "413": problem("413"), "415": problem("415"),
            "429": problem("429"), "500": problem("500"), "503": problem("503"),
        },
    });
    let judge_key = json!({
        "operationId": "auth.validate", "summary": "Tell whether the key of the headers is valid.",
        "responses": {
            "200": body("What the key is.", json!({
                "type": "object", "required": ["status", "validTo"],
                "properties": {
                    "status": {"enum": ["valid", "invalid"]},
                    "validTo": {"type": "string", "description": "Empty where the key is invalid."},
                },
            })),
            "400": problem("400"), "429": problem("429"), "500": problem("500"), "503": problem("503"),
        },
    });
    let revoke_key = json!({
        "operationId": "auth.revoke", "summary": "Revoke an API key.", "security": [],
        "requestBody": form(json!({"key": {"type": "string", "description": "The key's text."}}), &["key"]),
        "responses": {
            "200": body("Revoked.", json!({
                "type": "object", "required": ["message"], "properties": {"message": {"const": "API key deleted."}},
            })),
            "400": problem("400"), "404": problem("404"), "413": problem("413"), "415": problem("415"),
            "500": problem("500"), "503": problem("503"),
        },
    });
    let describe = json!({
        "operationId": "openapi", "summary": "This document.",
        "responses": {
            "200": body("OpenAPI 3.1.", json!({"type": "object"})),
            "400": problem("400"), "403": problem("403"), "500": problem("500"), "503": problem("503"),
        },
    });
    let alive = json!({"operationId": "healthz", "summary": "Tell that the process lives.", "security": [],
        "responses": {"200": body("It does.", state.clone())}});
    let ready = json!({"operationId": "readyz", "summary": "Tell whether requests can be served.", "security": [],
        "responses": {"200": body("They can.", state), "503": problem("503")}});
    [
        ("/api/v1/auth", json!({"get": judge_key, "post": create_key})),
        ("/api/v1/deauth", json!({"post": revoke_key})),
        ("/api/ext/v1/openapi.json", json!({"get": describe})),
        ("/healthz", json!({"get": alive})),
        ("/readyz", json!({"get": ready})),
    ]
    .map(|(path, operations)| (path.to_owned(), operations))
    .into_iter()
    .collect()
}

/// Parameters that several operations share.
pub(super) fn parameters() -> Value {
    let query = |name: &str, description: &str, schema: Value| json!({"name": name, "in": "query", "description": description, "schema": schema});
    let names = json!({"type": "array", "items": {"type": "string"}});
    let field_list = |name: &str, description: &str| {
        let mut parameter = query(name, description, names.clone());
        parameter["style"] = "form".into();
        parameter["explode"] = false.into();
        parameter
    };
    json!({
        "page": query("page", "Number of the page.", json!({"type": "integer", "minimum": 1, "default": 1})),
        "perPage": query("perPage", "Resources on a page; capped.", json!({"type": "integer", "minimum": 1})),
        "orderDir": query("orderDir", "Direction of the sort keys without one of their own.", json!({"enum": ["asc", "desc"]})),
        "filters": {
            "name": "filters", "in": "query", "description": "Filters, all of which must hold.",
            "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Filter"}}}},
        },
        "showFields": field_list("showFields", "Only these fields; dotted paths expand relations."),
        "hideFields": field_list("hideFields", "Not these fields."),
        "item": path_parameter("item", "An id or a UUID."),
        "ifMatch": {
            "name": "If-Match", "in": "header", "description": "The ETag of the resource as it was read.",
            "schema": {"type": "string"},
        },
    })
}

/// The parameters that name fields of a type.
pub(super) fn field_lists(names: &[&str]) -> Vec<Value> {
    let keys: Vec<String> = names.iter().flat_map(|name| [(*name).to_owned(), format!("-{name}")]).collect();
    let list = |name: &str, description: &str, items: Value| {
        json!({
            "name": name, "in": "query", "description": description, "style": "form", "explode": false,
            "schema": {"type": "array", "items": items},
        })
    };
    let path = json!({"type": "string", "examples": names});
    vec![
        list("orderBy", "Sort keys; -name is descending.", json!({"type": "string", "examples": keys})),
        list("showFields", "Only these fields; dotted paths expand relations.", path.clone()),
        list("hideFields", "Not these fields.", path),
    ]
}

/// The members of a SEARCH body beside the lists of fields.
pub(super) fn search_members() -> Map<String, Value> {
    [
        ("page", json!({"type": "integer", "minimum": 1})),
        ("perPage", json!({"type": "integer", "minimum": 1})),
        ("orderDir", json!({"enum": ["asc", "desc"]})),
        ("filters", json!({"type": "array", "items": {"$ref": "#/components/schemas/Filter"}})),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

/// Schemas that no type is part of.
pub(super) fn schemas() -> Map<String, Value> {
    let instant = json!({"type": "string", "format": "date-time"});
    [
        ("Problem", json!({"type": "object", "required": ["message"], "properties": {"message": {"type": "string"}}})),
        ("ProblemDetails", json!({
            "type": "object", "required": ["status", "detail", "code", "requestId", "errors"],
            "properties": {
                "type": {"type": "string"}, "title": {"type": ["string", "null"]}, "status": {"type": "integer"},
                "detail": {"type": "string"}, "code": {"type": "string"}, "requestId": {"type": "string"},
                "errors": {"type": "array", "items": {
                    "type": "object", "required": ["property", "code", "message"],
                    "properties": {"property": {"type": "string"}, "code": {"type": "string"}, "message": {"type": "string"}},
                }},
            },
        })),
        ("Stats", json!({
            "type": "object", "required": ["page", "itemsPerPage", "fetched", "total"],
            "properties": {
                "page": {"type": "integer"}, "itemsPerPage": {"type": "integer"},
                "fetched": {"type": "integer"}, "total": {"type": "integer"},
            },
        })),
        ("Filter", json!({
            "type": "object", "required": ["property", "type"],
            "properties": {
                "property": {"type": "string"}, "type": {"type": "string"}, "param": {}, "fold": {"type": "boolean"},
            },
            "additionalProperties": false,
        })),
        ("ApiKey", json!({
            "type": "object",
            "required": ["id", "userId", "keyString", "validFrom", "validTo", "description", "permissions"],
            "properties": {
                "id": {"type": "integer"}, "userId": {"type": "integer"}, "keyString": {"type": "string"},
                "validFrom": instant, "validTo": instant, "description": {"type": "string"},
                "permissions": {"type": "array", "items": {"type": "string"}},
            },
        })),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

const PROBLEMS: [(&str, &str); 11] = [
    ("400", "The input is malformed or not allowed."),
    ("401", "Login name or password is wrong."),
    ("403", "The key is missing or invalid, or a permission is missing."),
    ("404", "What is addressed is not there."),
    ("409", "A unique property or a relation stands against it."),
    ("412", "The resource is not as it was read."),
    ("413", "The body is too large."),
    ("415", "The body is of the wrong media type."),
    ("429", "Too many tries."),
    ("500", "The request could not be processed."),
    ("503", "The server is busy or about to stop."),
];

/// The answers of errors.
pub(super) fn responses() -> Value {
    let response = |(status, description): (&str, &str)| {
        let response = json!({
            "description": description,
            "headers": {"X-Error-Code": {"description": "A stable word.", "schema": {"type": "string"}}},
            "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/Problem"}},
                "application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}},
            },
        });
        (format!("Problem{status}"), response)
    };
    PROBLEMS.map(response).into_iter().collect::<Map<_, _>>().into()
}

/// A reference to the answer of an error.
pub(super) fn problem(status: &str) -> Value {
    json!({"$ref": format!("#/components/responses/Problem{status}")})
}

/// A parameter of a path.
pub(super) fn path_parameter(name: &str, description: &str) -> Value {
    json!({"name": name, "in": "path", "required": true, "description": description, "schema": {"type": "string"}})
}
