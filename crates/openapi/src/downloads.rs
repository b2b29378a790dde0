//! Files as they are served, for types that have some.

use super::literal::json;
use super::parameters::{of_path, shared};
use super::responses::{VALIDATED, empty, not_modified, operation, schema};
use model::types::{ResourceType, TypeGrant};
use serde_json::Value;

/// A file by its signed address, which answers have where the caller may read files of any type.
pub fn linked(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    readable(resource_type, grant)?;
    let link = of_path("link", "The signed part of the address, as the file's output has it.");
    Some(download("file.read", "Read a file by the url of its output.", vec![link, name()]))
}

/// A file by its name, where the caller may read files of the type.
pub fn named(resource_type: &ResourceType, grant: &TypeGrant) -> Option<Value> {
    let mut property = of_path("property", "The property.");
    property["schema"]["enum"] = readable(resource_type, grant)?.into();
    let (id, parameters) = (format!("{}.file", resource_type.name), vec![shared("item"), property, name()]);
    let mut named = download(&id, "Read a file of a resource.", parameters);
    named["tags"] = json!([resource_type.name]);
    Some(named)
}

/// The names of the properties whose files the caller may read, if there are any.
fn readable<'t>(resource_type: &'t ResourceType, grant: &TypeGrant) -> Option<Vec<&'t str>> {
    let readable = |property| grant.show.as_ref().is_some_and(|fields| fields.contains(property));
    let files = resource_type.properties().iter();
    let files = files.filter(|property| property.kind.files().is_some() && readable(property));
    let names: Vec<&str> = files.map(|property| property.name.as_str()).collect();
    (!names.is_empty()).then_some(names)
}

fn name() -> Value {
    of_path("name", "The name of the file.")
}

fn download(id: &str, summary: &str, mut parameters: Vec<Value>) -> Value {
    let header = |name: &str, description: &str| json!({"name": name, "in": "header", "description": description, "schema": {"type": "string"}});
    parameters.extend([
        shared("ifNoneMatch"),
        header("If-Modified-Since", "304 if the file is not newer."),
        header("Range", "One range of bytes, such as bytes=0-99, bytes=100- or bytes=-100."),
        header(
            "If-Range",
            "The ETag or Last-Modified of the file that the range is for. For another file, the answer is the whole.",
        ),
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
