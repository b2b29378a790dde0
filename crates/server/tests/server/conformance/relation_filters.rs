//! Filters of relations: what may be referred to, on every way in; and archived options, which may stay likewise.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const AREA: &str = r#"
id: 40
name: area
properties:
  name:   {id: 400, kind: pString}
  active: {id: 401, kind: pBoolean}
  size:   {id: 402, kind: pInteger}
  above:  {id: 403, kind: pRelation, type: area}
"#;

const SHOP: &str = r#"
id: 41
name: shop
properties:
  name:  {id: 410, kind: pString}
  area:
    id: 411
    kind: pRelation
    type: area
    title: Area
    filter:
      - {property: active, type: eq, param: true}
      - {property: "*", type: or, param: [{property: size, type: gt, param: 3}, {property: above.active, type: eq, param: true}]}
  areas: {id: 412, kind: pRelations, type: area, title: Areas, filter: [{property: size, type: gte, param: 5}]}
  other: {id: 413, kind: pRelation, type: area}
  state: {id: 414, kind: pEnum, title: State, options: {open: {}, gone: {}}}
  marks: {id: 415, kind: pEnums, title: Marks, options: {red: {}, blue: {}, dull: {}}}
  count: {id: 416, kind: pInteger, max: 10}
"#;
const ARCHIVED: [(&str, &str); 2] = [("gone: {}", "gone: {archived: true}"), ("dull: {}", "dull: {archived: true}")];
/// May write everything and read the name and the version alone.
const BLIND: &str =
    "role: blind\nsystem: [restApi]\ntypes:\n  area: {show: true}\n  shop: {show: {fields: [name]}, edit: true}\n";

/// Areas: 1 passes both filters, 2 passes that of `area` through its parent, 3 is not active, 4 has nulls.
async fn areas(admin: &Client) -> Vec<Json> {
    let mut areas = Vec::new();
    for body in [
        json!({"name": "North", "active": true, "size": 9}),
        json!({"name": "South", "active": true, "size": 1, "above": 1}),
        json!({"name": "West", "active": false, "size": 9}),
        json!({"name": "East"}),
    ] {
        areas.push(admin.create("area", body).await);
    }
    areas
}

async fn with_areas(engine: Engine) -> (Server, Vec<Json>) {
    let server = Server::with(engine, &[("types/area.yaml", AREA), ("types/shop.yaml", SHOP)]).await;
    let areas = areas(&server.admin()).await;
    (server, areas)
}

#[spec]
async fn a_relation_takes_what_passes_its_filter(engine: Engine) {
    let (server, areas) = with_areas(engine).await;
    let admin = server.admin();
    let shop = admin.create("shop", json!({"area": 1, "areas": [1, 3], "other": 4})).await;
    assert_eq!((&shop["area"], &shop["areas"]), (&json!(1), &json!([1, 3])));
    let path = format!("collection/shop/{}", shop["id"]);
    let west = areas[2]["uuid"].as_str().unwrap();
    let refused = [
        (json!({"area": 3}), "Area must not refer to the area 3,"),
        (json!({"area": 4}), "Area must not refer to the area 4,"),
        (json!({"area": west}), &*format!("Area must not refer to the area {west},")),
        (json!({"areas": [1, 2, 3]}), "Areas must not refer to the area 2,"),
        (json!({"area": 9}), "Area must refer to an existing area"),
    ];
    for (body, says) in refused {
        admin.post("collection/shop", body.clone()).await.is(400).says(says);
        admin.put(&path, body.clone()).await.is(400).says(says);
        let refusal = admin.patch(&path, body).await.is(400).says(says);
        let code = if says.contains("existing") { "relation_missing" } else { "relation_refused" };
        assert_eq!(refusal.header("x-error-code"), code);
    }
    for operator in ["areas+=", "areas+=="] {
        admin.patch(&path, json!({operator: [2]})).await.is(400).says("the area 2,");
    }
    assert_eq!(admin.get(&path).await.json(), shop);
    let uuid = &areas[0]["uuid"];
    assert_eq!(admin.patch(&path, json!({"areas+=": [uuid], "area": 2})).await.is(200).at("/areas"), json!([1, 3, 1]));
    // Two relations to one type have a filter each, and one of them none.
    let body = json!({"area": 2, "areas": [3], "other": 4});
    assert_eq!(admin.put(&path, body).await.is(200).at("/other"), json!(4));
}

#[spec]
async fn what_is_referred_to_already_stays(engine: Engine) {
    let (server, areas) = with_areas(engine).await;
    let admin = server.admin();
    let shop = admin.create("shop", json!({"name": "One", "area": 1, "areas": [1, 3]})).await;
    let path = format!("collection/shop/{}", shop["id"]);
    admin.patch("collection/area/1", json!({"active": false, "size": 0})).await.is(200);
    assert_eq!(admin.get(&path).await.json(), shop);
    assert_eq!(admin.put(&path, shop.clone()).await.is(200).json(), shop);
    let same = json!({"area": areas[0]["uuid"], "areas": [3, areas[0]["uuid"]], "name": "Two"});
    assert_eq!(admin.patch(&path, same).await.is(200).at("/areas"), json!([3, 1]));
    // Once it is gone it does not come back.
    admin.patch(&path, json!({"area": null, "areas": []})).await.is(200);
    admin.patch(&path, json!({"area": 1})).await.is(400).says("the area 1,");
    admin.patch(&path, json!({"areas+=": [1]})).await.is(400).says("the area 1,");
    // A filter that changes leaves what is there, too.
    admin.patch(&path, json!({"areas": [3]})).await.is(200);
    let narrower = SHOP.replace("param: 5", "param: 50");
    server.change(&[("types/area.yaml", AREA), ("types/shop.yaml", &narrower)]).await;
    admin.patch(&path, json!({"areas": [3], "name": "Three"})).await.is(200);
    admin.post("collection/shop", json!({"areas": [3]})).await.is(400).says("the area 3,");
}

#[spec]
async fn whoever_writes_unseen_values_learns_nothing_of_them(engine: Engine) {
    let (server, _) = with_areas(engine).await;
    let admin = server.admin();
    let blind = server.role("blind", BLIND).await;
    let shop = admin.create("shop", json!({"area": 1, "areas": [3], "count": 4, "name": "ab"})).await;
    let path = format!("collection/shop/{}", shop["id"]);
    for body in [json!({"count+=": 6}), json!({"count+=": 7}), json!({"areas+==": [3]}), json!({"count+=": 0})] {
        let refusal = blind.patch(&path, body).await.is(403).says("since you may not read it");
        assert_eq!(refusal.header("x-error-code"), "property_forbidden");
    }
    blind.patch(&path, json!({"name+=": "c"})).await.is(200).says("abc");
    // Right or wrong, a guess raises the version.
    for (count, version) in [(4, 3), (5, 4)] {
        blind.patch(&path, json!({"count": count})).await.is(200);
        assert_eq!(blind.get(&format!("{path}?showFields=version")).await.at("/version"), json!(version));
    }
    // A target that stands and does not pass any more is refused as any other.
    for area in [1, 3] {
        admin.patch(&format!("collection/area/{area}"), json!({"active": false})).await.is(200);
        blind.patch(&path, json!({"area": area})).await.is(400).says("must not refer");
    }
}

#[spec]
async fn an_archived_option_may_stay_and_not_come(engine: Engine) {
    let (server, _) = with_areas(engine).await;
    let admin = server.admin();
    let held = admin.create("shop", json!({"state": "gone", "marks": ["dull", "red"]})).await;
    let free = admin.create("shop", json!({"state": "open", "marks": ["red"]})).await;
    let archived = ARCHIVED.iter().fold(SHOP.to_owned(), |text, (from, to)| text.replace(from, to));
    server.change(&[("types/area.yaml", AREA), ("types/shop.yaml", &archived)]).await;
    let (held_path, free_path) = (format!("collection/shop/{}", held["id"]), format!("collection/shop/{}", free["id"]));
    assert_eq!(admin.put(&held_path, held.clone()).await.is(200).json(), held);
    for body in [
        json!({"state": "gone", "count": 1}),
        json!({"marks": ["blue", "dull"]}),
        json!({"marks+=": ["red"]}),
        json!({"marks+==": ["blue", "red"]}),
    ] {
        admin.patch(&held_path, body).await.is(200);
    }
    for body in [json!({"state": "gone"}), json!({"marks": ["dull"]})] {
        admin.post("collection/shop", body.clone()).await.is(400).says("the option is archived");
        admin.put(&free_path, body.clone()).await.is(400).says("the option is archived");
        admin.patch(&free_path, body).await.is(400).says("the option is archived");
    }
    admin.patch(&free_path, json!({"marks+=": ["dull"]})).await.is(400).says("the option is archived");
    // Who may not read the value cannot find it out.
    let blind = server.role("blind", BLIND).await;
    blind.patch(&held_path, json!({"state": "gone"})).await.is(400).says("the option is archived");
    // Once it is gone it does not come back.
    admin.patch(&held_path, json!({"state": "open", "marks": []})).await.is(200);
    admin.patch(&held_path, json!({"state": "gone"})).await.is(400).says("the option is archived");
}

#[spec]
async fn the_description_tells_of_the_filter_and_not_what_it_asks(engine: Engine) {
    let (server, _) = with_areas(engine).await;
    let document = server.admin().get("/api/ext/v1/openapi.json?profile=contract").await.is(200);
    document.says("Only resources that pass the filter of the relation are accepted.").lacks("above.active");
}
