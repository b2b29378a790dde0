//! The description of the tenant that tests start from.

use super::document;
use crate::router::{Route, Target};
use configuration::{Files, check};
use model::types::TypeGrant;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

fn described(grant: &TypeGrant) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testing/fixture");
    let model = check(&Files::read(&folder).unwrap()).unwrap().model;
    document(&model, "https://a.example", &|_| grant.clone())
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

/// The member for methods that OpenAPI 3.1 does not know.
const MORE: &str = "x-oai-additionalOperations";

#[test]
fn paths_are_those_of_the_router() {
    let document = described(&everything());
    let mut patterns = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let route = Target::find(&segments).unwrap_or_else(|| panic!("{path} is not served")).route;
        patterns.insert(route.pattern());
        let more = operations.get(MORE).and_then(Value::as_object);
        let usual = operations.as_object().unwrap().keys().filter(|key| !["parameters", MORE].contains(&key.as_str()));
        let methods: BTreeSet<String> =
            usual.map(|key| key.to_uppercase()).chain(more.into_iter().flat_map(|more| more.keys().cloned())).collect();
        for method in &methods {
            assert!(route.allows(method), "{method} {path}");
        }
        for method in route.allow().split(", ").filter(|method| !["HEAD", "OPTIONS"].contains(method)) {
            assert!(methods.contains(method), "{method} {path} is not described");
        }
    }
    let undescribed = [Route::Relation].map(|route| route.pattern());
    let routes = [
        Route::Healthz,
        Route::Readyz,
        Route::Auth,
        Route::Deauth,
        Route::Collection(""),
        Route::Item("", ""),
        Route::GetBy("", "", ""),
        Route::Tags,
        Route::Tag(""),
        Route::Notifications,
        Route::Notification(""),
        Route::Send,
        Route::ReadLog,
        Route::Outbox,
        Route::OutboxRow(""),
        Route::OutboxRetry(""),
        Route::Automations,
        Route::AutomationSwitch("", false),
        Route::AutomationSwitch("", true),
        Route::Runs,
        Route::Run(""),
        Route::RunRetry(""),
        Route::Hook(""),
        Route::Audit,
        Route::LoginAs,
        Route::LoginAsKey(""),
        Route::Query(""),
        Route::Canvas(""),
        Route::Explain,
        Route::Command(""),
        Route::OpenApi,
    ];
    assert_eq!(patterns, routes.map(|route| route.pattern()).into());
    assert!(undescribed.iter().all(|pattern| !patterns.contains(pattern)));
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
    assert_eq!((filter_types.len(), &filter_types[0], &filter_types[45]), (46, &json!("eq"), &json!("not")));
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
