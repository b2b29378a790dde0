//! Which fields come, and what expansions look like.

use super::world::{World, people};
use serde_json::json;
use spec::spec;

fn filled(world: &World) {
    people(world);
    world.put(
        "thing",
        &[
            json!({"text": "one", "marks": ["blue", "red"], "owner": 3, "people": [3, 1], "meta": {"a": [1, null]}}),
            json!({"text": "tw\"o", "price": 12.5, "at": "2026-01-01T00:00:00Z", "flag": false}),
        ],
    );
}

#[spec("R-115", "R-116", "D-16", "D-19")]
async fn fields_are_shown_then_hidden(world: World) {
    filled(&world);
    let get = |show: &str, hide: &str| world.get("thing", "2", &[("showFields", show), ("hideFields", hide)]);
    assert_eq!(get("text", "").unwrap(), json!({"id": 2, "text": "tw\"o"}));
    assert_eq!(get("text,flag", "flag,id").unwrap(), json!({"text": "tw\"o"}));
    assert_eq!(get("version,createdBy,price", "id").unwrap(), json!({"createdBy": null, "version": 1, "price": 12.5}));
    assert_eq!(get("at", "").unwrap(), json!({"id": 2, "at": "2026-01-01T01:00:00+01:00"}));
    assert_eq!(get("id", "id").unwrap(), json!({}));
    let default = get("", "").unwrap();
    let names: Vec<_> = default.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names[..4], ["id", "uuid", "text", "count"]);
    assert!(!names.contains(&"created") && !names.contains(&"version"), "{names:?}");
    assert_eq!(default["marks"], json!([]));
    assert_eq!(get("nothing", "").unwrap_err(), "There is no property \"nothing\".");
    assert_eq!(get("", "nothing").unwrap_err(), "There is no property \"nothing\".");
    assert_eq!(get("text,", "").unwrap_err(), "There is no property \"\".");
}

#[spec("D-19")]
async fn dotted_names_expand_relations(world: World) {
    filled(&world);
    let get = |show: &str, hide: &str| {
        world.get("thing", "1", &[("showFields", show), ("hideFields", hide)]).map(|thing| thing.to_string())
    };
    assert_eq!(get("owner,people,marks", "id").unwrap(), r#"{"marks":["blue","red"],"owner":3,"people":[3,1]}"#);
    assert_eq!(get("owner.name", "id").unwrap(), r#"{"owner":{"id":3,"name":"Cyril"}}"#);
    assert_eq!(get("owner.name", "id,owner.id").unwrap(), r#"{"owner":{"name":"Cyril"}}"#);
    assert_eq!(
        get("owner.chief.country.code,owner.name,owner", "id,owner.id").unwrap(),
        r#"{"owner":{"name":"Cyril","chief":{"id":2,"country":{"id":2,"code":"AT"}}}}"#
    );
    assert_eq!(
        get("people.name,people.country.code,text", "id").unwrap(),
        r#"{"text":"one","people":[{"id":3,"name":"Cyril","country":null},{"id":1,"name":"Anna","country":{"id":1,"code":"CZ"}}]}"#
    );
    assert_eq!(get("meta", "id").unwrap(), r#"{"meta":{"a":[1,null]}}"#);
    assert_eq!(
        get("owner.chief.chief.country.code", "").unwrap_err(),
        "The property \"owner.chief.chief.country.code\" is more than 3 relations away."
    );
    for unknown in ["owner.wage", "text.length", "wage.name", "owner.", "owner..name", ".owner"] {
        assert_eq!(get(unknown, "").unwrap_err(), format!("There is no property {unknown:?}."));
    }
}

#[spec("D-19", "R-109")]
async fn lists_expand_too(world: World) {
    filled(&world);
    let query = [("showFields", "owner.country.code,people.name,text"), ("orderBy", "id")];
    let page = world.list("thing", &query).unwrap();
    assert_eq!(
        page["data"],
        json!([
            {"id": 1, "text": "one", "owner": {"id": 3, "country": null},
             "people": [{"id": 3, "name": "Cyril"}, {"id": 1, "name": "Anna"}]},
            {"id": 2, "text": "tw\"o", "owner": null, "people": []},
        ])
    );
}
