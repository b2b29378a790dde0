//! Descriptions of an API for programs: with decimals as texts, with the rights of a role, without a key.

use crate::commands::program::Plinth;
use serde_json::{Value as Json, json};
use spec::spec;

/// A tenant whose visitors read what is public, and whose clerks write the rest.
fn make(plinth: &Plinth) {
    for (path, text) in [
        ("acme/tenant.yaml", "tenant: acme\npublic: {role: visitor}\n"),
        (
            "acme/types/item.yaml",
            "name: item\nproperties:\n  name: {kind: pString}\n  price: {kind: pDecimal}\n  pieces: {kind: pInteger}\n\
             \x20 few: {kind: pInteger, min: 0, max: 9}\n  cost: {kind: pDecimal}\n",
        ),
        ("acme/types/secret.yaml", "name: secret\nproperties:\n  text: {kind: pString}\n"),
        (
            "acme/roles/clerk.yaml",
            "role: clerk\nsystem: [restApi]\ntypes:\n  item: {show: true, create: {fields: [name, price, pieces]}}\n",
        ),
        ("acme/roles/visitor.yaml", "role: visitor\ntypes:\n  item: {show: {fields: [name, price]}}\n"),
    ] {
        plinth.file(path, text);
    }
    plinth.run(&["apply", plinth.path("acme").to_str().unwrap()]).done();
}

fn openapi(plinth: &Plinth, options: &[&str]) -> Json {
    let text = plinth.run(&[&["openapi"], options].concat()).done();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn schema<'d>(document: &'d Json, name: &str) -> &'d Json {
    &document["components"]["schemas"][name]
}

#[spec("E-132")]
async fn decimals_are_described_as_numbers_or_as_texts(plinth: Plinth) {
    make(&plinth);
    let types = |document: &Json, schema_name: &str| {
        let of = |name: &str| schema(document, schema_name)["properties"][name]["type"].clone();
        [of("price"), of("pieces"), of("few")]
    };
    let (integer, number) = (json!(["integer", "null"]), json!(["number", "null"]));
    for options in [&[][..], &["--decimals", "number"]] {
        let document = openapi(&plinth, options);
        assert_eq!(types(&document, "Item"), [number.clone(), integer.clone(), integer.clone()]);
        assert_eq!(types(&document, "ItemCreate")[1], integer);
        assert_eq!(document["components"]["parameters"]["decimals"].get("required"), None);
    }
    let document = openapi(&plinth, &["--decimals", "text"]);
    let either = json!(["integer", "string", "null"]);
    assert_eq!(types(&document, "Item"), [json!(["string", "null"]), either, integer.clone()]);
    assert_eq!(types(&document, "ItemCreate")[1..], [json!(["integer", "null", "string"]), integer]);
    assert_eq!(document["components"]["parameters"]["decimals"]["required"], true);
    // Into a file, too, and as the server has it.
    let path = plinth.path("texts.json");
    let run = plinth.run(&["openapi", "--decimals", "text", "--out", path.to_str().unwrap()]);
    assert_eq!(run.done(), "");
    let written: Json = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(written, document);
    // The contract has numbers alone.
    let refused = plinth.run(&["openapi", "--profile", "contract", "--decimals", "text"]);
    assert_eq!((refused.code, refused.output.as_str()), (1, ""));
    assert!(refused.errors.contains("The contract's description has numbers alone."), "{}", refused.errors);
    plinth.run(&["openapi", "--profile", "contract", "--decimals", "number"]).done();
    let wrong = plinth.run(&["openapi", "--decimals", "words"]);
    assert!(wrong.code == 2 && wrong.errors.contains("number, text"), "{}", wrong.errors);
}

#[spec("E-132")]
async fn types_of_typescript_have_decimals_as_numbers_or_as_texts(plinth: Plinth) {
    make(&plinth);
    let folder = plinth.path("acme");
    // Of the files in a folder, and of those that were applied.
    for of in [&[folder.to_str().unwrap()][..], &[]] {
        let client = |options: &[&str]| plinth.run(&[&["client", "typescript"], of, options].concat()).done();
        let numbers = client(&[]);
        assert_eq!(client(&["--decimals", "number"]), numbers);
        assert!(numbers.contains("price?: number | string | null;") && !numbers.contains("decimals: \"text\""));
        let texts = client(&["--decimals", "text"]);
        assert!(texts.contains("pieces?: number | string | null;") && texts.contains("decimals: \"text\""), "{texts}");
        assert!(texts.contains("few?: number | null;"), "{texts}");
    }
    let path = plinth.path("acme.ts");
    plinth.run(&["client", "typescript", "--decimals", "text", "--out", path.to_str().unwrap()]).done();
    let applied = plinth.run(&["client", "typescript", "--decimals", "text"]).done();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), applied);
}

#[spec("E-110")]
async fn rights_of_a_role_or_of_nobody_are_described(plinth: Plinth) {
    make(&plinth);
    let folder = plinth.path("acme");
    let client = |options: &[&str]| plinth.run(&[&["client", "typescript"], options].concat()).done();
    let in_folder = |options: &[&str]| client(&[&[folder.to_str().unwrap()], options].concat());
    let all = openapi(&plinth, &[]);
    assert!(schema(&all, "Secret").is_object() && schema(&all, "ItemPatch").is_object());
    assert!(client(&[]).contains("SecretCreate"));
    for (options, reads, creates) in [(&["--role", "clerk"][..], true, true), (&["--public"], false, false)] {
        let document = openapi(&plinth, options);
        assert!(schema(&document, "Secret").is_null(), "{options:?}");
        assert!(schema(&document, "ItemPatch").is_null(), "{options:?}");
        assert!(schema(&document, "Item")["properties"]["price"].is_object(), "{options:?}");
        assert_eq!(schema(&document, "Item")["properties"]["cost"].is_object(), reads, "{options:?}");
        let created = schema(&document, "ItemCreate");
        assert_eq!(created["properties"]["price"].is_object(), creates, "{options:?}");
        assert!(created["properties"]["cost"].is_null(), "{options:?}");
        let types = client(options);
        assert_eq!(in_folder(options), types);
        let facts = [types.contains("Secret"), types.contains("cost"), types.contains("ItemCreate")];
        assert_eq!(facts, [false, reads, creates], "{options:?}");
        // The form of decimals goes with either.
        assert!(client(&[options, &["--decimals", "text"]].concat()).contains("decimals: \"text\""));
    }
    for (options, told) in [
        (&["--role", "clark"][..], "There is no role \"clark\"."),
        (&["--role", "clerk", "--public"], "cannot be used with"),
    ] {
        for command in [&["openapi"][..], &["client", "typescript"]] {
            let refused = plinth.run(&[command, options].concat());
            assert!(refused.code != 0 && refused.output.is_empty(), "{options:?}");
            assert!(refused.errors.contains(told), "{}", refused.errors);
        }
    }
    plinth.file("acme/tenant.yaml", "tenant: acme\n");
    plinth.run(&["apply", folder.to_str().unwrap()]).done();
    for command in [&["openapi", "--public"][..], &["client", "typescript", "--public"]] {
        let refused = plinth.run(command);
        assert_eq!((refused.code, refused.output.as_str()), (1, ""));
        assert!(refused.errors.contains("The tenant takes no requests without a key."), "{}", refused.errors);
    }
}
