//! The tags collection, and the commands that give tags to resources.

use super::literal::json;
use super::parameters::{VALIDATORS, shared};
use super::responses::{self, TAGGED, VALIDATED, body, empty, not_modified, schema};
use serde_json::{Map, Value};

/// The pattern of ids and codes.
const ID: &str = "^[A-Za-z0-9_-]{1,40}$";

/// The schemas of tags.
pub fn schemas() -> Map<String, Value> {
    let written = |required: &[&str]| {
        let mut properties: Map<String, Value> = content().into_iter().collect();
        properties.insert("id".to_owned(), json!({"description": "Ignored."}));
        json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
    };
    let instant = json!({"type": "string", "format": "date-time"});
    let given = [
        ("id", json!({"type": "string", "pattern": ID})),
        (
            "path",
            json!({"type": "array", "items": {"type": "string"}, "description": "Names from the top to this tag."}),
        ),
        ("owner", json!({"type": ["integer", "null"], "description": "The id of the user who created it."})),
        ("usage", json!({"type": "integer", "description": "The number of its resources; with manageTags."})),
        ("created", instant.clone()),
        ("updated", instant),
    ];
    let given = given.into_iter().map(|(name, mut schema)| {
        schema["readOnly"] = true.into();
        (name.to_owned(), schema)
    });
    let properties: Map<String, Value> = given.chain(content()).collect();
    let assigned = json!({
        "typeId": {"type": "integer"}, "objectId": {"type": "integer"},
        "tags": {"type": "array", "items": {"type": "string", "pattern": ID}},
    });
    [
        ("Tag", json!({"type": "object", "properties": properties})),
        ("Tag.create", written(&["name"])),
        ("Tag.replace", written(&["name"])),
        ("Tag.patch", written(&[])),
        (
            "TagsOfResource",
            json!({"type": "object", "required": ["typeId", "objectId", "tags"], "properties": assigned}),
        ),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

/// Returns the properties of a tag that its writers give.
fn content() -> Vec<(String, Value)> {
    let managed = "Only with manageTags.";
    [
        ("name", json!({"type": "string", "minLength": 1, "maxLength": 255})),
        ("code", json!({"type": ["string", "null"], "pattern": ID})),
        ("color", json!({"type": ["string", "null"], "pattern": "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"})),
        ("icon", json!({"type": ["string", "null"], "maxLength": 100})),
        ("parent", json!({"type": ["string", "null"], "description": "The id of the tag above."})),
        ("private", json!({"type": "boolean", "description": "Always true where manageTags is missing."})),
        ("description", json!({"type": ["string", "null"], "maxLength": 10_000, "description": managed})),
        (
            "types",
            json!({
                "type": ["array", "null"], "items": {"type": ["string", "integer"]},
                "description": format!("The types whose resources may have it; null for all. {managed}"),
            }),
        ),
        ("order", json!({"type": "integer", "default": 0, "description": managed})),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into()
}

/// Describes the list of tags.
pub fn list() -> Value {
    let mut list = operation("tags.list", "List the tags that the caller sees.", &pages(), &[]);
    let own = ["page", "perPage", "showFields", "hideFields", "noCache"].into_iter().chain(VALIDATORS).map(shared);
    let query = members().into_iter().map(|(name, schema)| json!({"name": name, "in": "query", "schema": schema}));
    list["parameters"] = own.chain(query).collect();
    list
}

/// Describes the list of tags whose parameters stand in a body.
pub fn search() -> Value {
    let summary = "The list, with its parameters in a JSON body.";
    let mut search = operation("tags.search", summary, &pages(), &["413", "415"]);
    let names = json!({"type": "array", "items": {"type": "string"}});
    let number = json!({"type": "integer", "minimum": 1});
    let mut properties = members();
    for (name, schema) in [("page", &number), ("perPage", &number), ("showFields", &names), ("hideFields", &names)] {
        properties.insert(name.to_owned(), schema.clone());
    }
    let schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    search["parameters"] = VALIDATORS.map(shared).to_vec().into();
    search["requestBody"] = json!({"content": {"application/json": {"schema": schema}}});
    search
}

/// The parameters of the list that other lists do not have.
fn members() -> Map<String, Value> {
    let search = "A text in the name or the code, ignoring case and diacritics.";
    [
        ("search", json!({"type": "string", "description": search})),
        ("parent", json!({"type": "string", "description": "The id of the tag above; empty for tags without one."})),
    ]
    .map(|(name, schema)| (name.to_owned(), schema))
    .into_iter()
    .collect()
}

fn pages() -> [(&'static str, Value); 3] {
    let page = json!({
        "type": "object", "required": ["stats", "data"],
        "properties": {"stats": schema("Stats"), "data": {"type": "array", "items": schema("Tag")}},
    });
    [
        ("200", body("A page of the list.", &page, &VALIDATED)),
        ("204", empty("Nothing matches.", &VALIDATED)),
        ("304", not_modified()),
    ]
}

/// Describes one tag.
pub fn get() -> Value {
    let answers = [("200", body("The tag.", &schema("Tag"), &VALIDATED)), ("304", not_modified())];
    let mut get = operation("tags.get", "Read one.", &answers, &[]);
    get["parameters"] = ["showFields", "hideFields", "noCache"].into_iter().chain(VALIDATORS).map(shared).collect();
    get
}

/// Describes a new tag.
pub fn create() -> Value {
    write("create", "Create.", &[("201", body("The created tag.", &schema("Tag"), &TAGGED))], &[])
}

/// Describes the replacement of a tag.
pub fn replace() -> Value {
    change("replace", "Replace.")
}

/// Describes a change of a tag.
pub fn patch() -> Value {
    change("patch", "Change some properties.")
}

/// Describes the deletion of a tag.
pub fn delete() -> Value {
    let mut delete = operation("tags.delete", "Delete.", &[("204", empty("Deleted.", &[]))], &["409", "412"]);
    let cascade = json!({
        "name": "_cascade", "in": "query", "schema": {"type": "boolean"},
        "description": "True also deletes the tags under it, which are a 409 otherwise.",
    });
    delete["parameters"] = json!([cascade, shared("ifMatch")]);
    delete
}

fn change(word: &str, summary: &str) -> Value {
    let answers = [("200", body("The tag as it is now.", &schema("Tag"), &TAGGED))];
    let mut change = write(word, summary, &answers, &["412"]);
    change["parameters"] = json!([shared("ifMatch")]);
    change
}

fn write(word: &str, summary: &str, answers: &[(&str, Value)], beside: &[&str]) -> Value {
    let mut statuses = vec!["409", "413", "415"];
    statuses.extend(beside);
    let summary = format!("{summary} Needs the permission manageTags or createPrivateTags.");
    let mut write = operation(&format!("tags.{word}"), &summary, answers, &statuses);
    let schema = schema(&format!("Tag.{word}"));
    write["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    write
}

/// Describes the tags of a resource.
pub fn object() -> Value {
    let answers = [("200", body("The ids of the tags, in order.", &schema("TagsOfResource"), &[]))];
    let mut object = operation("tags.object", "Read the tags of a resource.", &answers, &[]);
    let query = |name: &str, description: &str| json!({"name": name, "in": "query", "required": true, "description": description, "schema": {"type": "string"}});
    object["parameters"] = json!([
        query("type", "The id or system name of the resource's type."),
        query("item", "The id or UUID of the resource."),
    ]);
    object
}

/// Describes a change of the tags of a resource.
pub fn assign() -> Value {
    let mut operations = json!({"enum": ["add", "remove", "replace"]});
    let answer = json!({"allOf": [
        schema("TagsOfResource"),
        {"type": "object", "required": ["operation"], "properties": {"operation": operations}},
    ]});
    let answers = [("200", body("The ids of the resource's tags, in order.", &answer, &[]))];
    let mut assign = operation("tags.assign", "Change the tags of a resource.", &answers, &["413", "415"]);
    operations["description"] = "replace keeps tags that the caller does not see.".into();
    let schema = json!({
        "type": "object", "required": ["type", "item", "operation", "tags"], "additionalProperties": false,
        "properties": {
            "type": {"type": ["string", "integer"], "description": "The id or system name of the resource's type."},
            "item": {"type": ["string", "integer"], "description": "The id or UUID of the resource."},
            "operation": operations,
            "tags": {"type": "array", "maxItems": 100, "items": {"type": "string"}},
        },
    });
    assign["requestBody"] = json!({"required": true, "content": {"application/json": {"schema": schema}}});
    assign
}

fn operation(id: &str, summary: &str, answers: &[(&str, Value)], beside: &[&str]) -> Value {
    let mut statuses = vec!["403", "404", "503"];
    statuses.extend(beside);
    let mut operation = responses::operation(id, summary, answers, &statuses);
    operation["tags"] = json!(["tags"]);
    operation
}
