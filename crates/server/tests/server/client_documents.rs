//! The rules that generators of clients agree on, over the model of the tests and one of nasty names.

use configuration::{Files, check};
use model::types::{FieldSet, Model, TypeGrant};
use openapi::answers::DecimalForm;
use openapi::extended::names::letters;
use openapi::version::ApiAudience;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use web::description::{ApiForm, document};

/// The model of the tests, and one of names that meet or are words of languages; `tests/clients` makes clients of it.
fn models() -> Vec<Model> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = |path: &str| {
        let checked = check(&Files::read(&folder.join(path)).unwrap()).unwrap_or_else(|refused| panic!("{refused:?}"));
        checked.model
    };
    vec![model("../testing/fixture"), model("../../tests/typescript/nasty")]
}

/// The documents of callers with all rights, with those to read, those of one kind of write alone, and none.
fn documents() -> Vec<Value> {
    let mut reads = TypeGrant::everything();
    (reads.edit, reads.create, reads.delete) = (None, None, false);
    let creates = TypeGrant { create: Some(FieldSet::All), ..TypeGrant::default() };
    let edits = TypeGrant { edit: Some(FieldSet::All), ..TypeGrant::default() };
    let grants = [TypeGrant::everything(), reads, creates, edits, TypeGrant::default()];
    let models = models();
    let all = models.iter().flat_map(|model| grants.iter().map(move |grant| (model, grant)));
    let described = |form, model, grant: &TypeGrant| {
        document(ApiForm::Extended(form), ApiAudience::KeyOwners, model, "/", &|_| grant.clone())
    };
    let forms = [DecimalForm::Number, DecimalForm::Text];
    all.flat_map(|(model, grant)| forms.map(|form| described(form, model, grant))).collect()
}

#[test]
fn the_model_of_nasty_names_has_every_kind() {
    let [_, nasty] = &models()[..] else { panic!("there are two") };
    let fields = nasty.types.iter().flat_map(|resource_type| &resource_type.fields);
    let found: BTreeSet<&str> = fields.map(|property| property.kind.name()).collect();
    for entry in model::kinds::CATALOGUE.iter().filter(|entry| !entry.internal) {
        assert!(found.contains(entry.name), "{}", entry.name);
    }
}

/// Some generators name objects by their titles, which may be equal, and take silence about members for none.
#[test]
fn objects_have_no_title_and_say_their_members() {
    for document in documents() {
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            assert!(schema.get("title").is_none(), "{name}: {schema}");
        }
        schemas(&document, &mut |at, schema| {
            let is_object = schema["type"] == "object" || schema["type"] == json!(["object", "null"]);
            let says_members = schema.get("properties").or(schema.get("additionalProperties")).is_some();
            assert!(!is_object || schema.get("title").is_none() && says_members, "{at}: {schema}");
        });
    }
}

/// A generator that meets another form leaves the answer out.
#[test]
fn answers_have_forms_that_generators_know() {
    for document in documents() {
        for (at, operation) in operations(&document) {
            for answer in operation["responses"].as_object().unwrap().values() {
                let forms = answer["content"].as_object().into_iter().flat_map(|content| content.keys());
                for form in forms {
                    let known = form.starts_with("text/") || form.ends_with("json");
                    assert!(known || form == "application/octet-stream", "{at}: {form}");
                }
            }
        }
    }
}

/// Calls a function with each schema of a document, and where it stands.
fn schemas(document: &Value, see: &mut impl FnMut(&str, &Value)) {
    fn below(at: &str, schema: &Value, see: &mut impl FnMut(&str, &Value)) {
        see(at, schema);
        for (name, part) in schema["properties"].as_object().into_iter().flatten() {
            below(&format!("{at}/{name}"), part, see);
        }
        for key in ["items", "additionalProperties"] {
            if let Some(part) = schema.get(key).filter(|part| part.is_object()) {
                below(&format!("{at}/{key}"), part, see);
            }
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            let parts = schema[key].as_array().into_iter().flatten().enumerate();
            parts.for_each(|(number, part)| below(&format!("{at}/{key}{number}"), part, see));
        }
    }
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        below(name, schema, see);
    }
    for (at, operation) in operations(document) {
        let bodies = operation["responses"].as_object().unwrap().values().chain(operation.get("requestBody"));
        for media in bodies.filter_map(|body| body["content"].as_object()).flat_map(|content| content.values()) {
            below(&format!("{at} body"), &media["schema"], see);
        }
        for parameter in parameters(document, operation) {
            below(&format!("{at} {}", parameter["name"]), &parameter["schema"], see);
        }
    }
}

fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths.flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter().filter(|(method, _)| *method != "parameters");
        methods.map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

fn parameters<'d>(document: &'d Value, operation: &'d Value) -> Vec<&'d Value> {
    let resolve = |parameter: &'d Value| match parameter["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap(),
        None => parameter,
    };
    operation["parameters"].as_array().into_iter().flatten().map(resolve).collect()
}

/// Returns the texts that stand twice, as generators tell names apart.
fn doubles<'n>(names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut seen = BTreeSet::new();
    names.filter(|name| !seen.insert(letters(name))).collect()
}

#[test]
fn enums_have_a_type_and_values_and_no_schema_is_empty() {
    for document in documents() {
        schemas(&document, &mut |at, schema| {
            if let Some(values) = schema.get("enum") {
                assert!(schema["type"].is_string() && !values.as_array().unwrap().is_empty(), "{at}: {schema}");
            }
            for key in ["anyOf", "oneOf"] {
                assert!(schema.get(key).is_none_or(|arms| arms.as_array().unwrap().len() > 1), "{at}: {schema}");
            }
            let words = ["type", "$ref", "anyOf", "oneOf", "allOf", "const"];
            let says_something = words.iter().any(|word| schema.get(word).is_some());
            // The values of documents and calculations may be anything.
            let may_be_anything = ["/any", "/sum", "/json", "/meta", "/value", "/items", "{hook} body"]
                .iter()
                .any(|end| at.ends_with(end));
            assert!(says_something || may_be_anything || schema["description"].is_string(), "{at}: {schema}");
        });
    }
}

#[test]
fn bodies_and_answers_are_components_and_statuses_have_one_body() {
    for document in documents() {
        for (at, operation) in operations(&document) {
            let body = operation.get("requestBody").map(|body| (at.clone(), body));
            let answers = operation["responses"].as_object().unwrap().iter();
            for (at, body) in answers.map(|(status, answer)| (format!("{at} {status}"), answer)).chain(body) {
                let body = match body["$ref"].as_str() {
                    Some(reference) => document.pointer(&reference[1..]).unwrap_or_else(|| panic!("{at}: {reference}")),
                    None => body,
                };
                let Some(content) = body["content"].as_object() else { continue };
                assert_eq!(content.len(), 1, "{at}");
                let schema = &content.values().next().unwrap()["schema"];
                assert!(schema.get("properties").is_none() && schema.get("enum").is_none(), "{at}: {schema}");
            }
        }
    }
}

#[test]
fn parameters_have_schemas_that_generators_write() {
    for document in documents() {
        for (at, operation) in operations(&document) {
            let parameters = parameters(&document, operation);
            for parameter in &parameters {
                assert!(parameter.get("content").is_none() && parameter["schema"].is_object(), "{at}: {parameter}");
                if parameter["schema"]["type"] == "array" {
                    assert_eq!(
                        (&parameter["style"], &parameter["explode"]),
                        (&json!("form"), &json!(false)),
                        "{at}: {parameter}"
                    );
                }
            }
            assert_eq!(doubles(parameters.iter().filter_map(|one| one["name"].as_str())), [""; 0], "{at}");
        }
    }
}

#[test]
fn names_differ_in_letters_and_digits() {
    for document in documents() {
        let components = document["components"]["schemas"].as_object().unwrap();
        assert_eq!(doubles(components.keys().map(String::as_str)), [""; 0]);
        assert!(components.keys().all(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric())), "{components:?}");
        let ids: Vec<&str> =
            operations(&document).map(|(_, operation)| operation["operationId"].as_str().unwrap()).collect();
        assert_eq!(doubles(ids.iter().copied()), [""; 0]);
        assert!(
            ids.iter()
                .all(|id| id.starts_with(|letter: char| letter.is_ascii_lowercase()) && letters(id).len() == id.len()),
            "{ids:?}"
        );
    }
}

#[test]
fn every_reference_leads_somewhere() {
    for document in documents() {
        let text = document.to_string();
        for part in text.split("\"$ref\":\"#").skip(1) {
            let pointer = part.split('"').next().unwrap();
            assert!(document.pointer(pointer).is_some(), "{pointer}");
        }
        assert!(!text.contains("additionalOperations") && !text.contains("/api/v1/collection/"));
    }
}

#[test]
fn a_resource_says_what_is_always_there_and_what_may_be_null() {
    let [_, nasty] = &models()[..] else { panic!("there are two") };
    let schemas = document(ApiForm::Extended(DecimalForm::Number), ApiAudience::KeyOwners, nasty, "/", &|_| {
        TypeGrant::everything()
    })["components"]["schemas"]
        .take();
    let class = &schemas["Class"];
    assert_eq!(class["properties"]["type"]["type"], "string");
    assert!(class["required"].as_array().unwrap().iter().any(|name| name == "type"));
    let names: Vec<_> = class["properties"].as_object().unwrap().keys().collect();
    let own = ["type", "from", "of", "class", "constructor", "then", "in", "filter"];
    assert_eq!(names, ["id", "uuid"].into_iter().chain(own).collect::<Vec<_>>());
    assert_eq!(
        class["properties"]["from"]["anyOf"],
        json!([{"$ref": "#/components/schemas/ClassFrom"}, {"type": "null"}])
    );
    assert_eq!(schemas["ClassFrom"], json!({"type": "string", "enum": ["one", "two"]}));
    // Two types whose names meet: the later has its id. So has one that meets a name of the platform's.
    assert!(schemas.get("AB").is_some() && schemas.get("AB12").or(schemas.get("AB11")).is_some());
    let batch = &schemas["Batch13"];
    assert!(!batch["required"].as_array().unwrap().iter().any(|name| name == "when"), "{batch}");
    assert_eq!(schemas["Batch13Patch"]["properties"]["_files"]["$ref"], "#/components/schemas/Batch13PatchFiles");
    assert_eq!(schemas["ABPatch"]["properties"]["_addMissing"]["$ref"], "#/components/schemas/ABPatchAddMissing");
}

/// The types of a client follow the same rights, and tell names apart; `tests/clients` compiles them.
#[test]
fn types_of_a_client_are_of_the_same_rights() {
    for model in models() {
        let all = openapi::typescript::client(&model, None, DecimalForm::Text, &|_| TypeGrant::everything());
        let declared: Vec<&str> = all
            .lines()
            .filter_map(|line| line.strip_prefix("export interface ").or(line.strip_prefix("export type ")))
            .map(|line| line.split([' ', '<']).next().unwrap())
            .collect();
        assert_eq!(doubles(declared.iter().copied()), [""; 0]);
        for of in &model.types {
            assert!(all.contains(&format!("\n    {}: ", of.name)), "{}", of.name);
        }
        let none = openapi::typescript::client(&model, None, DecimalForm::Number, &|_| TypeGrant::default());
        assert!(none.contains("export interface Types {\n}"), "{none}");
    }
}

/// The types of the package have each filter type of the server, and no date part, period or function that it has not.
#[test]
fn the_package_for_clients_has_every_filter_type() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packages/client/src");
    let filters = std::fs::read_to_string(folder.join("filter-types.ts")).unwrap();
    let groups = [("and", "$and"), ("or", "$or"), ("not", "$not")];
    for name in query::filters::names() {
        let name = groups.iter().find(|(group, _)| *group == name).map_or(name, |(_, member)| member);
        assert!(filters.contains(&format!("    {name}?: ")), "{name}");
    }
    let groups = std::fs::read_to_string(folder.join("aggregate-types.ts")).unwrap();
    let functions = model::groups::AggregateFunction::ALL.iter().map(|(name, _)| *name);
    let parts = model::groups::DatePart::ALL.iter().map(|(name, _)| *name);
    for name in functions.chain(parts) {
        assert!(groups.contains(&format!("\"{name}\"")), "{name}");
    }
}
