//! The description of the tenant that tests start from.

use super::{ApiForm, document};
use crate::routes::route::{Description, Operation, Profile, Route};
use crate::routes::table::ROUTES;
use configuration::{Files, check};
use model::types::TypeGrant;
use openapi::MORE_METHODS;
use openapi::version::ApiAudience;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

fn described(grant: &TypeGrant) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testing/fixture");
    let model = check(&Files::read(&folder).unwrap()).unwrap().model;
    document(ApiForm::Contract, ApiAudience::KeyOwners, &model, "https://a.example", &|_| grant.clone())
}

fn everything() -> TypeGrant {
    TypeGrant::everything()
}

/// All texts under `$ref`, wherever they stand.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_part_is_used() {
    let document = described(&everything());
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    for reference in &found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    for section in ["schemas", "responses", "parameters", "headers"] {
        for name in document["components"][section].as_object().unwrap().keys() {
            assert!(found.contains(&format!("#/components/{section}/{name}")), "{section} {name} is not used");
        }
    }
}

/// The methods of a path item, which has more than OpenAPI 3.1 knows.
fn methods(item: &Value) -> BTreeSet<String> {
    let more = item.get(MORE_METHODS).and_then(Value::as_object);
    let usual = item.as_object().unwrap().keys().filter(|key| !["parameters", MORE_METHODS].contains(&key.as_str()));
    usual.map(|key| key.to_uppercase()).chain(more.into_iter().flat_map(|more| more.keys().cloned())).collect()
}

#[test]
fn paths_are_those_of_the_router() {
    let document = described(&everything());
    let mut patterns = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let endpoint = crate::router::find(&segments).unwrap_or_else(|| panic!("{path} is not served")).endpoint;
        patterns.insert(endpoint.route.pattern);
        let methods = methods(operations);
        for method in &methods {
            assert!(endpoint.route.place_of(method).is_some(), "{method} {path}");
        }
        for method in endpoint.allow.split(", ").filter(|method| !["HEAD", "OPTIONS"].contains(method)) {
            assert!(methods.contains(method), "{method} {path} is not described");
        }
    }
    let is_described = |route: &&Route| {
        let described =
            |operation: &Operation| !matches!(operation.description, Description::Page | Description::Refusal);
        route.operations.iter().any(described)
    };
    // The fixture has no files, so that nobody is told of uploads and downloads.
    let of_files = |pattern: &str| pattern.contains("/upload/") || pattern.contains("/file/");
    let is_of_contract = |route: &&Route| route.is_described_in(Profile::Contract);
    let routes = ROUTES
        .iter()
        .filter(is_of_contract)
        .filter(is_described)
        .map(|route| route.pattern)
        .filter(|pattern| !of_files(pattern));
    assert_eq!(patterns, routes.collect());
}

/// A parameter of a pattern is described by its path or by each of its operations, unless the path has it filled in.
#[test]
fn every_parameter_of_a_path_is_described() {
    let document = described(&everything());
    let names = |parameters: &Value| -> BTreeSet<String> {
        let one = |parameter: &Value| match parameter.get("$ref").and_then(Value::as_str) {
            Some(reference) => document.pointer(&reference[1..]).unwrap().clone(),
            None => parameter.clone(),
        };
        let parameters = parameters.as_array().into_iter().flatten().map(one);
        parameters
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].to_string())
            .collect()
    };
    for (path, item) in document["paths"].as_object().unwrap() {
        let own = path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
        let own: BTreeSet<String> = own.map(|name| format!("\"{name}\"")).collect();
        let shared = names(&item["parameters"]);
        for method in methods(item) {
            let operation = item.get(method.to_lowercase()).unwrap_or_else(|| &item[MORE_METHODS][&method]);
            let described = &shared | &names(&operation["parameters"]);
            assert_eq!(described, own, "{method} {path}");
        }
    }
}

#[test]
fn types_have_real_schemas() {
    let schemas = described(&everything())["components"]["schemas"].take();
    let article = &schemas["article"]["properties"];
    assert_eq!(
        article["views"],
        json!({"type": ["integer", "null"], "format": "int64", "title": "Views", "readOnly": false})
    );
    assert_eq!(article["labels"]["items"]["enum"], json!(["red", "green", "blue"]));
    assert_eq!(article["id"]["readOnly"], true);
    let create = &schemas["article.create"];
    assert_eq!(create["required"], json!(["name"]));
    assert_eq!(create["properties"]["status"]["default"], "draft");
    assert!(create["properties"].get("number").is_none() && create["properties"].get("version").is_none());
    assert_eq!((&create["properties"]["name"]["minLength"], &article["name"]["minLength"]), (&json!(1), &json!(null)));
    let filter_types = schemas["Filter"]["properties"]["type"]["enum"].as_array().unwrap();
    assert_eq!(filter_types, &query::filters::names().map(Value::from).collect::<Vec<_>>());
    assert_eq!((filter_types.first(), filter_types.last()), (Some(&json!("eq")), Some(&json!("not"))));
    let patch = &schemas["article.patch"]["properties"];
    for (name, there) in
        [("views+=", true), ("labels+==", true), ("views+==", false), ("active+=", false), ("name", true)]
    {
        assert_eq!(patch.get(name).is_some(), there, "{name}");
    }
    let user = &schemas["user"]["properties"];
    assert!(user.get("password").is_none() && user.get("user_id").is_some());
}

#[test]
fn what_a_caller_may_not_do_is_not_described() {
    let nothing = described(&TypeGrant::default());
    assert!(nothing["paths"].get("/api/v1/collection/article").is_none());
    assert!(!nothing.to_string().contains("article"));
    let mut reads = TypeGrant::everything();
    (reads.edit, reads.create, reads.delete) = (None, None, false);
    let reads = described(&reads);
    let methods = |path: &str| reads["paths"][path].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(methods("/api/v1/collection/article"), ["get", "x-oai-additionalOperations"]);
    assert_eq!(methods("/api/v1/collection/article/{item}"), ["parameters", "get"]);
}
