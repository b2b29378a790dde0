//! Lists of what a relation takes: `for=type.property`.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const PEOPLE: &str = "/api/ext/v1/collection/person";

const TASK: &str = "id: 20\nname: task\ntitle: Task\nproperties:\n  \
    worker: {id: 200, kind: pRelation, type: person, filter: [{property: code, type: startsWith, param: w}]}\n  \
    others: {id: 201, kind: pRelations, type: person, filter: [{property: code, type: isNotNull}]}\n  \
    anybody: {id: 202, kind: pRelation, type: person}\n  \
    article: {id: 203, kind: pRelation, type: article}\n  \
    text: {id: 204, kind: pString}\n";

async fn tasks(engine: Engine) -> Server {
    let server = Server::with(engine, &[("types/task.yaml", TASK)]).await;
    for (name, code) in [("Ann", json!("w1")), ("Bob", json!("x1")), ("Cyd", json!("w2")), ("Dan", Json::Null)] {
        server.admin().create("person", json!({"name": name, "code": code})).await;
    }
    server
}

async fn names(client: &Client, relation: &str) -> Vec<Json> {
    client.get(&format!("{PEOPLE}?for={relation}&orderBy=name")).await.is(200).column("name")
}

#[spec("E-148")]
async fn a_list_has_what_the_relation_takes(engine: Engine) {
    let server = tasks(engine).await;
    let admin = server.admin();
    assert_eq!(names(&admin, "task.worker").await, ["Ann", "Cyd"]);
    assert_eq!(names(&admin, "task.others").await, ["Ann", "Bob", "Cyd"]);
    assert_eq!(names(&admin, "task.anybody").await, ["Ann", "Bob", "Cyd", "Dan"]);
    // Exactly these are taken by a write.
    for id in 1..=4 {
        let listed = admin.get(&format!("{PEOPLE}?for=task.worker")).await.is(200).column("id").contains(&json!(id));
        let written = admin.post("/api/ext/v1/collection/task", json!({"worker": id})).await;
        assert_eq!(written.status == 201, listed, "{id}");
    }
    // It goes with all else of a list, and changes are seen at once.
    let body = json!({"for": "task.worker", "filters": [{"property": "name", "type": "neq", "param": "Ann"}]});
    let found = admin.post(&format!("{PEOPLE}/search"), body.clone()).await.is(200);
    assert_eq!((found.column("name"), found.at("/stats/total")), (vec![json!("Cyd")], json!(1)));
    admin.patch(&format!("{PEOPLE}/4"), json!({"code": "w4"})).await.is(200);
    let found = admin.post(&format!("{PEOPLE}/search"), body).await.is(200);
    assert_eq!(found.column("name"), ["Cyd", "Dan"]);
    assert_eq!(names(&admin, "").await.len(), 4, "nothing behind the name is as if it were not given");
}

/// The filter is judged with all rights, and what is listed with the caller's.
#[spec("E-148", "D-3")]
async fn only_writers_of_the_relation_are_told(engine: Engine) {
    let role = |name: &str, task: &str, person: &str| {
        format!("role: {name}\ntitle: T\nsystem: [restApi]\ntypes:\n  task: {task}\n  person: {person}\n")
    };
    let server = tasks(engine).await;
    let seen = "{show: {fields: [name], where: \"{=name != 'Cyd'}\"}}";
    let writer = server.role("writer", &role("writer", "{create: {fields: [worker]}}", seen)).await;
    assert_eq!(names(&writer, "task.worker").await, ["Ann"], "by a field that the caller does not read");
    let reader = server.role("looker", &role("looker", "{show: true}", seen)).await;
    let refused = |name: &str| format!("{PEOPLE}?for={name}");
    let expected = reader.get(&refused("task.nothing")).await.is(400).says("parameter_invalid").at("/detail");
    for name in ["task.worker", "task.text", "task.article", "task", "nothing.worker", "task.worker.code", "note.id"] {
        let detail = reader.get(&refused(name)).await.is(400).at("/detail");
        assert_eq!(detail, expected, "{name}");
    }
    for name in ["task.others", "task.article", "task.text"] {
        assert_eq!(writer.get(&refused(name)).await.is(400).at("/detail"), expected, "{name}");
    }
    // The contract's lists have no such parameter.
    let contract = server.admin().at_contract();
    contract.get("/api/v1/collection/person?for=task.worker").await.is(400);
}
