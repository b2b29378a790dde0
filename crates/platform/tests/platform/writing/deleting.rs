//! DELETE and what follows from it.

use super::setup::{Setup, refusal};
use context::caller_key::CallerKey;
use serde_json::{Value as Json, json};
use spec::spec;

#[spec("D-25", "D-13")]
async fn restrict_set_null_and_cascade(setup: Setup) {
    let key = setup.key("admin").await;
    let make = |collection: &'static str, body| {
        let (setup, key) = (&setup, &key);
        async move { setup.create(key, collection, body).await.unwrap().id }
    };
    let country = make("country", json!({"name": "Czechia", "code": "CZ"})).await;
    let chief = make("person", json!({"name": "Chief", "country": country})).await;
    let person = make("person", json!({"name": "Ann", "chief": chief})).await;
    let article = make("article", json!({"name": "One", "author": chief, "readers": [person, chief, person]})).await;
    let note = make("note", json!({"text": "n", "article": article})).await;

    let refused = setup.delete(&key, "country", country).await.unwrap_err();
    assert_eq!(refused.message, "It cannot be deleted: Country of Person refers to it.");
    assert_eq!(refusal::<()>(Err(refused)), "Conflict delete_restricted");

    setup.delete(&key, "person", chief).await.unwrap();
    let read = setup.get_with(&key, "article", article, "author,readers,version").await.unwrap();
    assert_eq!((&read["author"], &read["readers"]), (&json!(null), &json!([person, person])));
    assert_ne!(read["version"], 1);
    assert_eq!(setup.get_with(&key, "person", person, "chief,version").await.unwrap()["chief"], json!(null));

    setup.delete(&key, "article", article).await.unwrap();
    assert_eq!(refusal(setup.get(&key, "note", note).await), "Missing item_missing");
    setup.delete(&key, "country", country).await.unwrap();
    for (collection, rows) in [("country", 0), ("person", 1), ("article", 0), ("note", 0)] {
        assert_eq!(setup.count(&key, collection).await, rows, "{collection}");
    }
    assert_eq!(refusal(setup.delete(&key, "article", article).await), "Missing item_missing");
    let editor = setup.key("editor").await;
    assert_eq!(refusal(setup.delete(&editor, "person", person).await), "Forbidden permission_missing");
}

#[spec("D-3", "D-25")]
async fn what_refers_is_named_to_those_alone_who_may_see_it(setup: Setup) {
    let land = "id: 40\nname: land\nproperties:\n  name: {id: 400, kind: pString}\n";
    let town = "id: 41\nname: town\nproperties:\n  land: {id: 410, kind: pRelation, type: land}\n  \
                name: {id: 411, kind: pString}\n";
    let role = "role: editor\nsystem: [restApi]\ntypes:\n  land: {show: true, edit: true}\n  \
                town: {show: {fields: [name]}}\n";
    setup.apply(&[("types/land.yaml", land), ("types/town.yaml", town), ("roles/editor.yaml", role)]).await;
    let (admin, editor) = (setup.key("admin").await, setup.key("editor").await);
    let land = setup.create(&admin, "land", json!({})).await.unwrap().id;
    setup.create(&admin, "town", json!({"land": land})).await.unwrap();
    let refused = setup.delete(&admin, "land", land).await.unwrap_err();
    assert_eq!(refused.message, "It cannot be deleted: Land of Town refers to it.");
    let refused = setup.delete(&editor, "land", land).await.unwrap_err();
    assert_eq!(refused.message, "It cannot be deleted: something refers to it.");
    assert_eq!(refusal::<()>(Err(refused)), "Conflict delete_restricted");
}

/// Types a, b and c with relations in a circle: each to the next, to one and to many.
fn circle(on_delete: &str, first: usize) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (index, (name, next)) in [("a", "b"), ("b", "c"), ("c", "a")].into_iter().enumerate() {
        let (type_id, property) = (first + index, 10 * (first + index));
        let (second, third) = (property + 1, property + 2);
        let text = format!(
            "id: {type_id}\nname: {name}\nproperties:\n  one: {{id: {property}, kind: pRelation, type: {next}, \
             onDelete: {on_delete}}}\n  many: {{id: {second}, kind: pRelations, type: {next}, onDelete: {on_delete}}}\n  \
             own: {{id: {third}, kind: pRelation, type: {name}, onDelete: {on_delete}}}\n"
        );
        files.push((format!("types/{name}.yaml"), text));
    }
    files
}

async fn ring(setup: &Setup, key: &CallerKey, property: &str) -> [i64; 3] {
    let create =
        |collection: &'static str, body: Json| async move { setup.create(key, collection, body).await.unwrap().id };
    let value = |id: i64| if property == "many" { json!([id]) } else { json!(id) };
    let a = create("a", json!({})).await;
    let c = create("c", json!({property: value(a)})).await;
    let b = create("b", json!({property: value(c)})).await;
    setup.patch(key, "a", a, json!({property: value(b), "own": a})).await.unwrap();
    [a, b, c]
}

#[spec("D-25")]
async fn circles_are_deleted_whole_cut_or_refused(setup: Setup) {
    let mut first = 20;
    for (on_delete, left) in [("cascade", [0, 0, 0]), ("setNull", [0, 1, 1]), ("restrict", [1, 1, 1])] {
        for property in ["one", "many"] {
            // An id of a type that was dropped is not given again.
            first += 10;
            let files = circle(on_delete, first);
            let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            setup.apply(&files).await;
            let key = setup.key("admin").await;
            let [a, _, c] = ring(&setup, &key, property).await;
            let deleted = setup.delete(&key, "a", a).await;
            if on_delete == "restrict" {
                assert_eq!(refusal(deleted), "Conflict delete_restricted");
            } else {
                deleted.unwrap();
            }
            for (collection, rows) in ["a", "b", "c"].into_iter().zip(left) {
                assert_eq!(setup.count(&key, collection).await, rows, "{on_delete} {property} {collection}");
            }
            if on_delete == "setNull" {
                let read = setup.get_with(&key, "c", c, property).await.unwrap();
                assert_eq!(read[property], if property == "many" { json!([]) } else { json!(null) });
            }
            setup.apply(&[]).await;
        }
    }
}

#[spec("D-25")]
async fn a_hierarchy_has_no_circles(setup: Setup) {
    let folder = "id: 30\nname: folder\nparentProperty: parent\nproperties:\n  \
                  parent: {id: 300, kind: pRelation, type: folder, onDelete: cascade}\n";
    setup.apply(&[("types/folder.yaml", folder)]).await;
    let key = setup.key("admin").await;
    let mut parent = json!(null);
    let mut ids = Vec::new();
    for _ in 0..4 {
        let id = setup.create(&key, "folder", json!({"parent": parent})).await.unwrap().id;
        parent = json!(id);
        ids.push(id);
    }
    for below in &ids {
        let moved = setup.patch(&key, "folder", ids[0], json!({"parent": below})).await;
        assert_eq!(refusal(moved), "Invalid hierarchy_circle parent");
    }
    setup.patch(&key, "folder", ids[3], json!({"parent": ids[0]})).await.unwrap();
    setup.delete(&key, "folder", ids[0]).await.unwrap();
    assert_eq!(setup.count(&key, "folder").await, 0);
}
