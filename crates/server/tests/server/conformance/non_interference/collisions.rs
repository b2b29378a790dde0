//! Whoever writes a value that is taken is told of those properties alone that it knows, by each way of writing.

use super::tenant::{Tenant, UNIQUE};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Client;

/// What a user is shown of places, for which it gives others a value of one property, and what it knows of those that
/// are unique together.
const WRITERS: [(&str, &str, &str, &[&str]); 9] = [
    ("{fields: [size]}", "true", "size", &["size"]),
    ("{fields: [name]}", "true", "name", &["name"]),
    ("false", "true", "size", &["size"]),
    ("false", "true", "name", &["name"]),
    ("{fields: [map]}", "true", "size", &["size"]),
    ("{fields: [name]}", "true", "size", &["name", "size"]),
    ("true", "true", "name", &["name", "size"]),
    // That there is such a property is known of all places.
    ("[{where: \"{=size == 3}\", fields: [name]}]", "size != 3", "size", &["name", "size"]),
    // What the role gives of itself is not known by that.
    ("{fields: [map]}", "true", "map", &[]),
];

#[spec("D-3")]
async fn collisions_name_what_their_writer_knows(tenant: Tenant) {
    let taken = json!({"name": "hall", "size": 2});
    tenant.admin.create("place", taken).await;
    for (number, (shown, rows, property, knows)) in WRITERS.into_iter().enumerate() {
        let others: Vec<&str> =
            ["name: hall", "size: 2"].into_iter().filter(|preset| !preset.starts_with(property)).collect();
        let given = format!("fields: [{property}], preset: {{{}}}", others.join(", "));
        // Presets are written with changes, too: for those who write something else.
        let edit = if property == "map" { given.clone() } else { format!("fields: [{property}]") };
        let role = format!(
            "role: writer{number}\nsystem: [restApi]\ntypes:\n  \
             place: {{show: {shown}, edit: {{where: \"{{={rows}}}\", unseen: true, {edit}}}, create: {{{given}}}}}\n"
        );
        let writer = tenant.server.role(&format!("writer{number}"), &role).await;
        let almost = match property {
            "name" => json!({"name": "attic", "size": 2}),
            _ => json!({"name": "hall", "size": 1}),
        };
        let id = &tenant.admin.create("place", almost).await["id"];
        let path = format!("collection/place/{id}");
        for (method, to) in [("PATCH", path.as_str()), ("PUT", &path), ("POST", "collection/place")] {
            let body = json!({property: value(&writer, property).await});
            let told = writer.request(method, to).json(&body).send().await.is(409);
            for (name, title) in UNIQUE {
                let named = told.text.contains(title) || told.text.contains(&format!("\"{name}\""));
                assert_eq!(named, knows.contains(&name), "{role}{method} {body}: {name} in {}", told.text);
            }
        }
        tenant.admin.delete(&path).await.is(204);
    }
}

/// The value by which a place is the one that is there.
async fn value(writer: &Client, property: &str) -> Json {
    match property {
        "name" => json!("hall"),
        "size" => json!(2),
        file => json!(writer.promise(&format!("place/{file}"), "a.txt", b"map").await),
    }
}
