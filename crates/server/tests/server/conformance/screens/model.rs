//! The model as callers see it: what it has of types, and that it has no more than the caller may read.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const MODEL: &str = "/api/ext/v1/model";

const PAPER: &str = "id: 20\nname: paper\ntitle: Paper\ntitleProperty: name\ncodeProperty: code\nparentProperty: above\n\
    orderBy: [-grade, name]\nlogReads: true\nunique: [[name, grade]]\nproperties:\n  \
    name: {id: 200, kind: pString, title: Name, required: true, minLength: 2, maxLength: 40, pattern: '[a-z ]+', searchable: true}\n  \
    code: {id: 201, kind: pString, unique: true, maxLength: 20, writeOnce: true}\n  \
    above: {id: 202, kind: pRelation, type: paper, inverse: below}\n  \
    grade: {id: 203, kind: pInteger, min: 1, max: 9, index: true}\n  \
    price: {id: 204, kind: pDecimal, precision: 8, scale: 3, min: 0}\n  \
    scans: {id: 205, kind: pFiles, accept: [image/png], maxFiles: 3, maxSize: 1000}\n  \
    writer: {id: 206, kind: pRelation, type: person, filter: [{property: code, type: isNotNull}], inverse: {name: papers, title: Their papers}}\n  \
    facts: {id: 207, kind: pJson, schema: {type: object}}\n  \
    note: {id: 208, kind: pText, condition: \"{=grade > 5}\"}\n  \
    rank: {id: 209, kind: pCalculated, calculate: \"{=grade}\"}\n  \
    mail: {id: 210, kind: pEmail}\n";

async fn server(engine: Engine) -> Server {
    Server::with(engine, &[("types/paper.yaml", PAPER)]).await
}

async fn model(client: &Client) -> Json {
    client.get(MODEL).await.is(200).json()
}

fn named<'j>(list: &'j Json, member: &str, name: &str) -> &'j Json {
    list.as_array().unwrap().iter().find(|one| one[member] == name).unwrap_or_else(|| panic!("{name}: {list}"))
}

fn names(list: &Json, member: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| one[member].as_str().unwrap().to_owned()).collect()
}

#[spec("E-140")]
async fn the_model_has_types_with_all_limits(engine: Engine) {
    let server = server(engine).await;
    let model = model(&server.admin()).await;
    assert_eq!(names(&model["types"], "name"), ["user", "article", "person", "country", "note", "paper"]);
    let paper = named(&model["types"], "name", "paper");
    for (member, value) in [
        ("id", json!(20)),
        ("titleProperty", json!("name")),
        ("codeProperty", json!("code")),
        ("parentProperty", json!("above")),
        ("orderBy", json!("-grade,name")),
        ("searchable", json!(true)),
        ("logReads", json!(true)),
        ("actions", json!({"create": true, "update": true, "delete": true})),
        ("unique", json!([["code"], ["name", "grade"]])),
        (
            "inverses",
            json!([{"name": "below", "title": "below", "type": "paper", "property": "above", "multiple": true}]),
        ),
    ] {
        let mut found = paper[member].clone();
        if member == "unique" {
            found.as_array_mut().unwrap().sort_by_key(|set| set.to_string());
        }
        assert_eq!(found, value, "{member}");
    }
    let fields = names(&paper["properties"], "identifier");
    assert_eq!(fields[..8], ["id", "uuid", "created", "updated", "createdBy", "updatedBy", "version", "name"]);
    for (property, member, value) in [
        ("id", "write", json!(false)),
        ("id", "indexed", json!(true)),
        ("created", "indexed", json!(false)),
        ("name", "minLength", json!(2)),
        ("name", "maxLength", json!(40)),
        ("name", "pattern", json!("^(?:[a-z ]+)$")),
        ("name", "searchable", json!(true)),
        ("name", "sortable", json!(true)),
        ("name", "indexed", json!(true)),
        ("code", "unique", json!(true)),
        ("code", "writeOnce", json!(true)),
        ("code", "indexed", json!(true)),
        ("above", "indexed", json!(true)),
        ("above", "relation", json!({"typeId": 20, "type": "paper", "title": "Paper", "filtered": false})),
        ("writer", "relation", json!({"typeId": 11, "type": "person", "title": "Person", "filtered": true})),
        ("grade", "min", json!(1)),
        ("grade", "max", json!(9)),
        ("grade", "indexed", json!(true)),
        ("price", "scale", json!(3)),
        ("price", "min", json!(0.0)),
        ("price", "pattern", Json::Null),
        ("price", "indexed", json!(false)),
        ("scans", "accept", json!(["image/png"])),
        ("scans", "maxFiles", json!(3)),
        ("scans", "maxSize", json!(1000)),
        ("facts", "schema", json!({"type": "object"})),
        ("note", "conditional", json!(true)),
        ("name", "conditional", json!(false)),
        ("rank", "calculated", json!(true)),
        ("rank", "write", json!(false)),
        ("rank", "create", json!(false)),
        ("code", "create", json!(true)),
        ("mail", "maxLength", json!(254)),
    ] {
        let described = named(&paper["properties"], "identifier", property);
        assert_eq!(described.get(member).unwrap_or(&Json::Null), &value, "{property} {member}");
    }
    let person = named(&model["types"], "name", "person");
    assert_eq!(named(&person["inverses"], "name", "papers")["title"], "Their papers");
    // All that propsMeta tells is there, too.
    let admin = server.admin();
    admin.create("article", json!({"name": "a"})).await;
    let told = admin.get("/api/v1/collection/article?propsMeta=*").await.is(200).at("/propsMeta");
    let article = named(&model["types"], "name", "article");
    for (name, told) in told.as_object().unwrap() {
        let described = named(&article["properties"], "identifier", name);
        for (member, value) in told.as_object().unwrap() {
            match member.as_str() {
                "relation" => assert_eq!(described[member]["type"], value["type"], "{name}"),
                _ => assert_eq!(&described[member], value, "{name} {member}"),
            }
        }
    }
}

#[spec("E-140")]
async fn the_model_has_queries_and_canvases_with_parameters(server: Server) {
    let model = model(&server.admin()).await;
    let popular = named(&model["queries"], "name", "popular");
    assert_eq!((&popular["type"], &popular["groups"]), (&json!("article"), &json!(false)));
    assert_eq!(names(&popular["parameters"], "name"), ["least", "author"]);
    let least = &popular["parameters"][0];
    assert_eq!(
        (&least["kind"], &least["default"], &least["required"]),
        (&json!("pInteger"), &json!(10), &json!(false))
    );
    assert_eq!(popular["parameters"][1]["relation"]["type"], "person");
    let overview = named(&model["canvases"], "name", "overview");
    assert_eq!(names(&overview["parameters"], "name"), ["least"]);
}

#[spec("E-141", "D-3")]
async fn the_model_tells_nothing_of_what_the_caller_may_not_read(engine: Engine) {
    let role = "role: clerk\ntitle: Clerk\nsystem: [restApi]\ntypes:\n  \
        paper: {show: {fields: [name, grade, writer]}, create: {fields: [name, code]}}\n  \
        note: {create: true}\n  article: {show: {fields: [name]}}\n";
    let server = server(engine).await;
    let clerk = server.role("clerk", role).await;
    let seen = model(&clerk).await;
    assert_eq!(names(&seen["types"], "name"), ["article", "paper"], "a type that is only written is not told of");
    let paper = named(&seen["types"], "name", "paper");
    assert_eq!(
        names(&paper["properties"], "identifier"),
        ["id", "uuid", "created", "updated", "createdBy", "updatedBy", "version", "name", "grade", "writer"]
    );
    for member in ["codeProperty", "parentProperty"] {
        assert_eq!(paper[member], Json::Null, "{member}");
    }
    assert_eq!(paper["orderBy"], "-grade,name");
    assert_eq!(paper["unique"], json!([["name", "grade"]]));
    assert_eq!(paper["inverses"], json!([]));
    assert_eq!(paper["actions"], json!({"create": true, "update": false, "delete": false}));
    let writer = named(&paper["properties"], "identifier", "writer");
    assert!(writer.get("relation").is_none(), "a type that may not be seen is not named: {writer}");
    let text = seen.to_string();
    for hidden in ["person", "\"code\"", "country", "cost", "Their papers"] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }
    // What another caller may not read changes nothing, not even the validator.
    let before = clerk.get(MODEL).await.is(200).header("etag").to_owned();
    let changed = PAPER.replace("mail: {id: 210, kind: pEmail}", "mail: {id: 210, kind: pEmail, title: Other}");
    server.change(&[("types/paper.yaml", &changed)]).await;
    assert_eq!(clerk.get(MODEL).await.is(200).header("etag"), before);
    let changed = changed.replace("max: 9", "max: 8");
    server.change(&[("types/paper.yaml", &changed)]).await;
    assert_ne!(clerk.get(MODEL).await.is(200).header("etag"), before);
    // Who may read neither rows nor types has an empty model; who has no key has none.
    let none = server.role("none", "role: none\ntitle: None\nsystem: [restApi]\n").await;
    assert_eq!(model(&none).await["types"], json!([]));
    assert_eq!(model(&none).await["queries"], json!([]));
    server.client().get(MODEL).await.is(403);
}

#[spec("E-140")]
async fn the_model_has_a_validator(server: Server) {
    let admin = server.admin();
    let reply = admin.get(MODEL).await.is(200);
    let etag = reply.header("etag").to_owned();
    assert!(etag.starts_with('"'), "{etag}");
    assert_eq!(reply.header("cache-control"), "private, must-revalidate");
    admin.with("if-none-match", &etag).get(MODEL).await.is(304);
    server.reader().with("if-none-match", &etag).get(MODEL).await.is(200);
    admin.get(&format!("{MODEL}?wide=1")).await.is(400).says("parameter_unknown");
    // Rights that change are another model at once.
    let reader = server.reader();
    let before = names(&model(&reader).await["types"], "name");
    assert_eq!(before, ["article", "person"].into_iter().filter(|name| *name == "article").collect::<Vec<_>>());
    server
        .change(&[(
            "roles/reader.yaml",
            "role: reader\ntitle: Reader\nsystem: [restApi]\ntypes: {note: {show: true}}\n",
        )])
        .await;
    assert_eq!(names(&model(&reader).await["types"], "name"), ["note"]);
}

#[spec("E-140")]
async fn the_model_tells_what_may_be_given_and_what_may_be_changed(engine: Engine) {
    let server = server(engine).await;
    let clerk = "role: clerk\nsystem: [restApi]\ntypes:\n  paper: {show: true, create: {fields: [name, grade]}, edit: {fields: [grade, facts]}}\n";
    let model = model(&server.role("clerk", clerk).await).await;
    let paper = named(&model["types"], "name", "paper");
    for (property, create, write) in
        [("name", true, false), ("grade", true, true), ("facts", false, true), ("code", false, false)]
    {
        let told = named(&paper["properties"], "identifier", property);
        assert_eq!((&told["create"], &told["write"]), (&json!(create), &json!(write)), "{property}");
    }
}
