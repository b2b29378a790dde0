//! Files as they are served, for types that have some.

use super::parameters::{of_path, shared};
use super::responses::{VALIDATED, empty, not_modified, operation, schema};
use model::types::{Type, TypeGrant};
use serde_json::{Map, Value, json};

/// Adds the paths, where a caller with these rights may read any file of the type.
pub(super) fn add(of: &Type, grant: &TypeGrant, paths: &mut Map<String, Value>) {
    let readable = |property| grant.show.as_ref().is_some_and(|fields| fields.contains(property));
    let files = of.properties().iter().filter(|property| property.kind.files().is_some() && readable(property));
    let names: Vec<&str> = files.map(|property| property.name.as_str()).collect();
    if names.is_empty() {
        return;
    }
    let link = of_path("link", "The signed part of the address, as the file's output has it.");
    let mut linked = download("file.read", "Read a file by the url of its output.", vec![link, name()]);
    linked["security"] = json!([]);
    paths.insert("/api/ext/v1/file/{link}/{name}".to_owned(), json!({"get": linked}));

    let mut property = of_path("property", "The property.");
    property["schema"]["enum"] = names.into();
    let mut named =
        download(&format!("{}.file", of.name), "Read a file of a resource.", vec![shared("item"), property, name()]);
    named["tags"] = json!([of.name]);
    paths.insert(format!("/api/ext/v1/file/{}/{{item}}/{{property}}/{{name}}", of.name), json!({"get": named}));
}

fn name() -> Value {
    of_path("name", "The name of the file.")
}

fn download(id: &str, summary: &str, mut parameters: Vec<Value>) -> Value {
    let header = |name: &str, description: &str| json!({"name": name, "in": "header", "description": description, "schema": {"type": "string"}});
    parameters.extend([
        shared("ifNoneMatch"),
        header("If-Modified-Since", "304 where the file is not younger."),
        header("Range", "One range of bytes, such as bytes=0-99, bytes=100- or bytes=-100."),
        header("If-Range", "The ETag or Last-Modified for which the range holds; else the whole is sent."),
    ]);
    let bytes = |description: &str, own: &[&str]| {
        let mut answer = empty(description, &VALIDATED);
        let always = ["Content-Disposition", "Content-Security-Policy", "Last-Modified", "Accept-Ranges"];
        for name in always.iter().chain(own) {
            answer["headers"][name] = json!({"schema": {"type": "string"}});
        }
        answer["content"] =
            json!({"*/*": {"schema": {"type": "string", "contentMediaType": "application/octet-stream"}}});
        answer
    };
    let mut outside = empty("The file has no such range.", &["ErrorCode"]);
    outside["headers"]["Content-Range"] = json!({"schema": {"type": "string"}});
    outside["content"] = json!({
        "application/json": {"schema": schema("Problem")},
        "application/problem+json": {"schema": schema("ProblemDetails")},
    });
    let answers = [
        ("200", bytes("The file.", &[])),
        ("206", bytes("The range.", &["Content-Range"])),
        ("304", not_modified()),
        ("416", outside),
    ];
    let mut read = operation(id, summary, &answers, &["403", "404", "503"]);
    read["parameters"] = parameters.into();
    read
}
