//! wrapFields: values with what people need to know of them.

use super::uploads::PNG;
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeSet;
use testing::{Client, Engine, Server, Subject};

/// A type with a property of each kind, and a hierarchical one; as many requests as a test wants.
const THING: [(&str, &str); 3] = [
    (
        "types/thing.yaml",
        r##"
id: 30
name: thing
title: Thing
titleProperty: string
properties:
  string:   {id: 300, kind: pString, searchable: true, description: What it is called}
  text:     {id: 301, kind: pText}
  integer:  {id: 302, kind: pInteger, default: 5}
  decimal:  {id: 303, kind: pDecimal, scale: 2}
  float:    {id: 304, kind: pFloat}
  boolean:  {id: 305, kind: pBoolean}
  date:     {id: 306, kind: pDate}
  month:    {id: 307, kind: pMonth}
  time:     {id: 308, kind: pTime}
  datetime: {id: 309, kind: pDateTime}
  enum:     {id: 310, kind: pEnum, options: {a: {title: The a, color: "#2a7"}, b: {title: The "b"}, c: {archived: true}}}
  enums:    {id: 311, kind: pEnums, options: {a: {title: The a, color: "#2a7"}, b: {title: The "b"}}}
  relation: {id: 312, kind: pRelation, type: branch, onDelete: setNull}
  relations: {id: 313, kind: pRelations, type: branch, onDelete: setNull}
  user:     {id: 314, kind: pUser}
  group:    {id: 315, kind: pGroup}
  file:     {id: 316, kind: pFile}
  files:    {id: 317, kind: pFiles}
  json:     {id: 318, kind: pJson}
  email:    {id: 319, kind: pEmail, unique: true}
  url:      {id: 320, kind: pUrl}
  phone:    {id: 321, kind: pPhone}
  slug:     {id: 322, kind: pSlug}
  color:    {id: 323, kind: pColor}
  number:   {id: 324, kind: pAutonumber}
"##,
    ),
    (
        "types/branch.yaml",
        "id: 31\nname: branch\ntitle: Branch\ntitleProperty: name\nparentProperty: parent\nproperties:\n\
         \x20 name: {id: 340, kind: pString}\n  parent: {id: 341, kind: pRelation, type: branch}\n\
         \x20 since: {id: 342, kind: pDate}\n",
    ),
    ("tenant.yaml", "tenant: acme\nhosts: [acme.test]\ntimezone: Europe/Prague\napi: {rate: 0}\n"),
];

/// A server whose tenant has things.
pub(super) struct Things(pub(super) Server);

impl Subject for Things {
    async fn on(engine: Engine) -> Self {
        Things(Server::with(engine, &THING).await)
    }
}

/// A branch, and its uuid.
async fn branch(client: &Client, name: &str) -> (Json, Json) {
    let branch = client.create("branch", json!({"name": name})).await;
    (branch["id"].clone(), branch["uuid"].clone())
}

#[spec("D-20")]
async fn what_is_calculated_is_displayed_as_text_for_people(engine: Engine) {
    let types = "id: 70\nname: word\nproperties:\n  name: {id: 700, kind: pString}\n  kept: {id: 701, kind: pCalculated, calculate: \"{=name ~ '!'}\", stored: true}\n  made: {id: 702, kind: pCalculated, calculate: \"{=name ~ '!'}\"}\n  parts: {id: 703, kind: pCalculated, calculate: \"{=[name]}\"}\n";
    let server = Server::with(engine, &[("types/word.yaml", types)]).await;
    let admin = server.admin();
    admin.create("word", json!({"name": "a \"b\""})).await;
    let shown = admin.get("collection/word/1?wrapFields=*").await.is(200).json();
    for name in ["kept", "made"] {
        let expected = json!({"value": "a \"b\"!", "display": "a \"b\"!", "kind": "pCalculated", "calculated": true});
        assert_eq!(shown[name], expected, "{name}");
    }
    assert_eq!(shown["parts"]["display"], r#"["a \"b\""]"#);
}

/// A thing with a value of each kind, and what each is wrapped in beside `value` and `kind`.
pub(super) async fn thing(server: &Server) -> (Json, Vec<(&'static str, Json)>) {
    let admin = server.admin();
    let (oak, oak_uuid) = branch(&admin, "Oak \"1\"").await;
    let (ash, ash_uuid) = branch(&admin, "Ash").await;
    let user = server.user("reader").await;
    let user_uuid = admin.get(&format!("collection/user/{user}")).await.is(200).at("/uuid");
    let file = admin.promise("thing/file", "The cover.png", PNG).await;
    let files: [(&str, &str, &[u8]); 2] = [("a.txt", "text/plain", b"a"), ("b.txt", "text/plain", b"b")];
    let files = admin.upload("thing/files", &files).await.is(200).json();
    let body = json!({
        "string": "Žluť \"x\"\n", "text": "Text", "integer": -12, "decimal": "12.5", "float": 1.5, "boolean": true,
        "date": "2026-11-20", "month": "2026-11", "time": "14:30", "datetime": "2026-11-20T12:00:00.250Z", "enum": "a",
        "enums": ["b", "a"], "relation": oak, "relations": [ash, oak, ash], "user": user, "group": "blue", "file": file,
        "files": files, "json": {"value": [1, "x"]}, "email": "a@b.cz", "url": "https://a.example/",
        "phone": "+420123456789", "slug": "a-b", "color": "#a0b",
    });
    let thing = admin.create("thing", body).await;
    let address = |name: &str, id: &Json| format!("/t/acme/api/v1/collection/{name}/{id}");
    let oak = json!({"value": oak, "display": "Oak \"1\"", "uuid": oak_uuid, "url": address("branch", &oak)});
    let ash = json!({"value": ash, "display": "Ash", "uuid": ash_uuid, "url": address("branch", &ash)});
    let plain = |display: &str| json!({"display": display});
    let mut relation = oak.clone();
    relation["typeId"] = 31.into();
    relation["type"] = "branch".into();
    let wrapped = vec![
        ("string", plain("Žluť \"x\"\n")),
        ("text", plain("Text")),
        ("integer", plain("-12")),
        ("decimal", plain("12.50")),
        ("float", plain("1.5")),
        ("boolean", plain("Yes")),
        ("date", plain("2026-11-20")),
        ("month", plain("2026-11")),
        ("time", plain("14:30:00")),
        ("datetime", json!({"display": "2026-11-20 13:00:00.250", "utc": "2026-11-20T12:00:00.250Z"})),
        ("enum", json!({"display": "The a", "color": "#2a7"})),
        (
            "enums",
            json!({"display": "The \"b\", The a", "items": [
                {"value": "b", "display": "The \"b\"", "color": null}, {"value": "a", "display": "The a", "color": "#2a7"},
            ]}),
        ),
        ("relation", relation),
        (
            "relations",
            json!({"display": "Ash, Oak \"1\", Ash", "typeId": 31, "type": "branch", "items": [ash, oak, ash]}),
        ),
        (
            "user",
            json!({"display": "Rita", "typeId": 1, "type": "user", "uuid": user_uuid, "url": address("user", &json!(user))}),
        ),
        ("group", json!({"display": "Team blue", "color": null})),
        ("file", plain("The cover.png")),
        ("files", plain("a.txt, b.txt")),
        ("json", plain("{\"value\":[1,\"x\"]}")),
        ("email", plain("a@b.cz")),
        ("url", plain("https://a.example/")),
        ("phone", plain("+420123456789")),
        ("slug", plain("a-b")),
        ("color", plain("#a0b")),
        ("number", plain("1")),
    ];
    (thing, wrapped)
}

/// The properties of the type, with their kinds.
fn kinds() -> Vec<(&'static str, &'static str)> {
    let lines = THING[0].1.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(':'));
    let kind = |rest: &'static str| rest.split_once("kind: ")?.1.split([',', '}']).next();
    lines.filter_map(|(name, rest)| Some((name, kind(rest)?))).collect()
}

#[spec("R-117", "D-20")]
async fn each_kind_is_wrapped_in_every_read(Things(server): Things) {
    let (thing, wrapped) = thing(&server).await;
    let admin = server.admin();
    let covered: BTreeSet<&str> = kinds().into_iter().map(|(_, kind)| kind).collect();
    // What is calculated takes no input: `properties` and `rollups` have it.
    let given = |name: &&str| ![model::kinds::CALCULATED, model::kinds::ROLLUP].contains(name);
    let public = model::kinds::CATALOGUE.iter().filter(|entry| !entry.internal).map(|entry| entry.name).filter(given);
    assert_eq!(covered, public.collect());
    let id = &thing["id"];
    let all = [
        admin.get("collection/thing?wrapFields=*").await.is(200).at("/data/0"),
        admin.get("collection/thing?wrapFields=1").await.is(200).at("/data/0"),
        admin.search("collection/thing", json!({"wrapFields": "*"})).await.is(200).at("/data/0"),
        admin.search("collection/thing", json!({"wrapFields": true})).await.is(200).at("/data/0"),
        admin.get(&format!("collection/thing/{id}?wrapFields=*")).await.is(200).json(),
        admin.get(&format!("collection/thing/{}?wrapFields[]=*", thing["uuid"].as_str().unwrap())).await.is(200).json(),
        admin.get("collection/thing/get-by/slug/a-b?wrapFields=*").await.is(200).json(),
    ];
    for (property, kind) in kinds() {
        let mut expected = wrapped.iter().find(|(name, _)| *name == property).unwrap().1.clone();
        expected["value"] = thing[property].clone();
        expected["kind"] = kind.into();
        for row in &all {
            assert_eq!(row[property], expected, "{property}");
        }
        // By itself, nothing else is changed.
        let one = admin.query("collection/thing", &[("wrapFields", property)]).await.is(200).at("/data/0");
        let mut alone = thing.clone();
        alone[property] = expected;
        assert_eq!(one, alone, "{property}");
    }
    assert_eq!(all[0]["id"], json!({"value": id, "display": id.to_string(), "kind": "pInteger"}));
    let two = admin.search("collection/thing", json!({"wrapFields": ["enum", "number"]})).await.is(200).at("/data/0");
    assert!(two["enum"].is_object() && two["number"].is_object() && two["slug"].is_string(), "{two}");
}

#[spec]
async fn where_there_is_no_value_there_is_nothing_to_read(Things(server): Things) {
    let admin = server.admin();
    let thing = admin.create("thing", json!({"integer": null})).await;
    let row = admin.get("collection/thing?wrapFields=*").await.is(200).at("/data/0");
    for (property, kind) in kinds().into_iter().filter(|(name, _)| *name != "number") {
        let mut expected = json!({"value": thing[property], "display": null, "kind": kind});
        let more = match kind {
            "pEnum" | "pGroup" => json!({"color": null}),
            "pDateTime" => json!({"utc": null}),
            "pRelation" => json!({"typeId": 31, "type": "branch", "uuid": null, "url": null}),
            "pUser" => json!({"typeId": 1, "type": "user", "uuid": null, "url": null}),
            "pEnums" => json!({"items": []}),
            "pRelations" => json!({"typeId": 31, "type": "branch", "items": []}),
            _ => json!({}),
        };
        expected.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        assert_eq!(row[property], expected, "{property}");
    }
    // A resource without a title is known by its id.
    let nameless = admin.create("branch", json!({"name": ""})).await["id"].clone();
    admin.patch(&format!("collection/thing/{}", thing["id"]), json!({"relation": nameless})).await.is(200);
    let row = admin.get("collection/thing?wrapFields=relation").await.is(200).at("/data/0/relation");
    assert_eq!((&row["value"], &row["display"]), (&nameless, &json!(nameless.to_string())));
}

#[spec("D-19")]
async fn expanded_relations_are_wrapped_at_each_level(Things(server): Things) {
    let admin = server.admin();
    let root = admin.create("branch", json!({"name": "Root"})).await;
    let leaf = admin.create("branch", json!({"name": "Leaf", "parent": root["id"], "since": "2026-01-02"})).await;
    let ids = [leaf["id"].clone(), root["id"].clone()];
    admin.create("thing", json!({"relation": ids[0], "relations": ids})).await;
    let read = async |query: &str| admin.get(&format!("collection/thing?{query}")).await.is(200).at("/data/0");
    let row =
        read("showFields=relation.since,relation.parent.name&wrapFields=relation.since,relation.parent.name").await;
    let since = json!({"value": "2026-01-02", "display": "2026-01-02", "kind": "pDate"});
    let name = json!({"value": "Root", "display": "Root", "kind": "pString"});
    assert_eq!(row["relation"], json!({"id": ids[0], "parent": {"id": ids[1], "name": name}, "since": since}));
    let row = read("showFields=relation.since,relations.name&wrapFields=relation,relations").await;
    let relation = &row["relation"];
    assert_eq!(relation["value"], json!({"id": ids[0], "since": "2026-01-02"}));
    assert_eq!((&relation["display"], &relation["uuid"]), (&json!("Leaf"), &leaf["uuid"]));
    let relations = &row["relations"];
    assert_eq!(relations["value"], json!([{"id": ids[0], "name": "Leaf"}, {"id": ids[1], "name": "Root"}]));
    assert_eq!(relations["display"], "Leaf, Root");
    assert_eq!(relations["items"][1]["value"], ids[1]);
    let row = read("showFields=relation.parent.name&wrapFields=*").await;
    assert_eq!(row.pointer("/relation/value/parent/value/name/display"), Some(&json!("Root")), "{row}");
    assert_eq!(row.pointer("/relation/value/parent/display"), Some(&json!("Root")), "{row}");
    // What is not shown has no value to be wrapped.
    let row = read("showFields=slug&wrapFields=relation,relation.since,slug").await;
    assert_eq!(row.as_object().unwrap().len(), 2, "{row}");
}

#[spec("D-2", "D-3")]
async fn what_may_not_be_read_of_a_target_is_not_told(server: Server) {
    let admin = server.admin();
    let person = admin.create("person", json!({"name": "Božena"})).await["id"].clone();
    let owner = server.user("admin").await;
    let body = json!({"name": "A", "author": person, "readers": [person], "owner": owner, "cost": 3});
    let id = admin.create("article", body).await["id"].clone();
    let read =
        async |client: &Client| client.get(&format!("collection/article/{id}?wrapFields=*")).await.is(200).json();
    let seen = read(&server.editor()).await;
    assert_eq!(seen["author"]["display"], "Božena");
    assert_eq!(seen["owner"], json!({"value": owner, "display": owner.to_string(), "kind": "pUser"}));
    assert!(seen.get("cost").is_none(), "{seen}");
    let seen = read(&server.reader()).await;
    assert_eq!(seen["author"], json!({"value": person, "display": person.to_string(), "kind": "pRelation"}));
    let half = "role: half\ntypes:\n  article: {show: true}\n  person: {show: {fields: [code]}}\nsystem: [restApi]\n";
    let seen = read(&server.role("half", half).await).await;
    assert_eq!((&seen["author"]["display"], &seen["author"]["type"]), (&json!(person.to_string()), &json!("person")));
    assert_eq!(seen["readers"]["display"], person.to_string());
    for parameter in ["wrapFields", "propsMeta"] {
        for path in ["collection/article", "collection/article/get-by/name/A"] {
            for (client, hidden) in
                [(server.editor(), "cost"), (server.editor(), "author.salary"), (server.reader(), "author.name")]
            {
                let hidden_text = client.query(path, &[(parameter, hidden)]).await.is(400).text.clone();
                let leaf = hidden.rsplit('.').next().unwrap();
                let absent = hidden.replace(leaf, "absent");
                let absent_text = client.query(path, &[(parameter, &absent)]).await.is(400).text.clone();
                assert_eq!(hidden_text.replace(leaf, "absent"), absent_text, "{parameter}={hidden}");
            }
            for wrong in ["*,absent", "meta.key", "author..name", "*name"] {
                admin.query(path, &[(parameter, wrong)]).await.is(400);
            }
            admin.query(path, &[(parameter, "0")]).await.is(200).lacks("display").lacks("ropsMeta");
            admin.query(path, &[(parameter, "")]).await.is(200).lacks("display").lacks("ropsMeta");
        }
    }
}

#[spec]
async fn a_czech_tenant_reads_czech(engine: Engine) {
    let tenant = "tenant: acme\nlocale: cs\ntimezone: Europe/Prague\n";
    let server = Server::with(engine, &[("tenant.yaml", tenant)]).await;
    let admin = server.admin();
    admin.create("article", json!({"name": "A", "active": false})).await;
    assert_eq!(admin.get("collection/article?wrapFields=active").await.is(200).at("/data/0/active/display"), "Ne");
}

#[spec("D-27")]
async fn each_form_of_a_resource_has_its_validator(server: Server) {
    let admin = server.admin();
    let id = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    let mut tags = BTreeSet::new();
    let base = format!("collection/country/{id}");
    for query in ["", "?wrapFields=name", "?propsMeta=name", "?propsMeta=*", "?propsMeta=*&wrapFields=*"] {
        let reply = admin.get(&format!("{base}{query}")).await.is(200);
        let tag = reply.header("etag").to_owned();
        let again = admin.request("GET", &format!("{base}{query}")).header("if-none-match", &tag).send().await;
        again.is(304);
        tags.insert(tag);
    }
    assert_eq!(tags.len(), 5);
}
