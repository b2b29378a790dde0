//! Groups out of the numbers that writes keep: they are those of the table, whatever was written how.

use serde_json::{Map, Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server, Subject};
use tokio::task::JoinSet;

const CASE: &str = "\
id: 70
name: case
properties:
  title: {id: 701, kind: pString, required: true}
  state: {id: 702, kind: pEnum, index: true, options: [open, done, lost]}
  urgent: {id: 703, kind: pBoolean, index: true}
  stage: {id: 704, kind: pEnum, index: true, required: true, options: [first, second]}
  client: {id: 705, kind: pRelation, type: client, index: true, onDelete: setNull}
  agent: {id: 706, kind: pRelation, type: client, onDelete: cascade}
";
const CLIENT: &str = "\
id: 71
name: client
properties:
  name: {id: 711, kind: pString, unique: true}
  gold: {id: 712, kind: pBoolean}
";
/// Readers: of cases in a state, of clients, of some fields, or of some of these.
const READERS: [(&str, &str); 5] = [
    ("states", "{where: \"{=state == 'open'}\"}"),
    ("either", "{where: \"{=state in ['open', 'lost']}\"}"),
    ("golden", "{where: \"{=client.gold == true}\"}"),
    ("fields", "{fields: [title, state, stage]}"),
    ("mixed", "[{where: \"{=state == 'open'}\"}, {where: \"{=urgent == true}\", fields: [urgent]}]"),
];

/// A tenant with cases, and those who read them.
struct Office {
    server: Server,
    admin: Client,
    readers: Vec<Client>,
}

impl Subject for Office {
    async fn on(engine: Engine) -> Self {
        let server = Server::with(engine, &[("types/case.yaml", CASE), ("types/client.yaml", CLIENT)]).await;
        let admin = server.admin();
        let mut readers = vec![admin.clone()];
        for (name, show) in READERS {
            let role = format!(
                "role: {name}\nsystem: [restApi]\ntypes:\n  case: {{show: {show}}}\n  client: {{show: true}}\n"
            );
            readers.push(server.role(name, &role).await);
        }
        Office { server, admin, readers }
    }
}

/// A request whose answer numbers tell, and the same with a value that the table alone tells.
fn asked(key: &str, more: &Json) -> [Json; 2] {
    let mut body = json!({"groupBy": [key], "values": {"rows": "count", "again": "count"}, "totals": true});
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    let mut whole = body.clone();
    whole["values"]["ids"] = json!({"function": "count", "property": "id"});
    [body, whole]
}

/// An answer without what only one of both has.
fn without_ids(mut answer: Json) -> Json {
    let drop = |row: &mut Json| _ = row.as_object_mut().map(|row: &mut Map<String, Json>| row.remove("ids"));
    answer["data"].as_array_mut().unwrap().iter_mut().for_each(drop);
    drop(&mut answer["totals"]);
    answer
}

impl Office {
    /// Compares all readers' groups with those of the table; gives how many groups there were.
    async fn compare(&self, after: &str) -> usize {
        let mut groups = 0;
        for (number, reader) in self.readers.iter().enumerate() {
            for key in ["state", "urgent", "stage", "client", "client.gold"] {
                for more in [
                    json!({}),
                    json!({"having": [{"property": "rows", "type": "gte", "param": 2}], "orderBy": ["-rows"]}),
                    json!({"perPage": 1, "page": 2, "orderBy": [format!("-{key}")]}),
                    json!({"filters": [{"property": "state", "type": "in", "param": ["open", "done"]}]}),
                    json!({"filters": [{"property": "client", "type": "eq", "param": 1}]}),
                    json!({"filters": [{"property": "client.name", "type": "neq", "param": "c1"}]}),
                ] {
                    let [body, whole] = asked(key, &more);
                    let path = "/api/ext/v1/aggregate/case?_noCache=1";
                    let (found, expected) = (reader.post(path, body).await, reader.post(path, whole).await);
                    let place = format!("after {after}, reader {number} asks for {key} with {more}");
                    assert_eq!(found.status, expected.status, "{place}: {}", found.text);
                    if found.status == 200 {
                        assert_eq!(found.json(), without_ids(expected.json()), "{place}");
                        groups += found.at("/data").as_array().map_or(0, Vec::len);
                    }
                }
            }
        }
        groups
    }

    async fn bulk(&self, of: &str, body: Json) {
        self.admin.post(&format!("/api/ext/v1/bulk/{of}"), body).await.is(200);
    }
}

fn is(property: &str, value: impl Into<Json>) -> Json {
    json!([{"property": property, "type": "eq", "param": value.into()}])
}

#[spec("E-130", "E-012")]
async fn numbers_of_rows_are_those_of_the_table(office: Office) {
    let admin = &office.admin;
    office.compare("nothing").await;
    for (name, gold) in [("c1", json!(true)), ("c2", json!(false)), ("c3", json!(true)), ("c4", Json::Null)] {
        admin.create("client", json!({"name": name, "gold": gold})).await;
    }
    let state = |number: usize| [json!("open"), json!("done"), Json::Null, json!("open")][number % 4].clone();
    for number in 0..10_usize {
        let urgent = [json!(true), json!(false), Json::Null][number % 3].clone();
        let client = [json!(1), json!(2), Json::Null, json!(3)][number % 4].clone();
        let stage = ["first", "second"][number % 2];
        let case = json!({"title": "t", "state": state(number), "urgent": urgent, "stage": stage, "client": client});
        admin.create("case", case).await;
    }
    assert!(office.compare("creating").await > 100);
    admin.patch("collection/case/1", json!({"state": "lost", "client": null})).await.is(200);
    admin.patch("collection/case/2", json!({"state": null, "urgent": true})).await.is(200);
    admin.put("collection/case/3", json!({"title": "put", "stage": "first", "client": 2})).await.is(200);
    office.compare("changing").await;
    admin.delete("collection/case/4").await;
    // References to a client are set to null, or their rows are deleted with it.
    admin.create("case", json!({"title": "t", "stage": "first", "agent": 2, "state": "lost", "client": 4})).await;
    admin.delete("collection/client/2").await;
    office.compare("deleting").await;
    office.bulk("case", json!({"action": "patch", "all": true, "set": {"urgent": false}})).await;
    office.bulk("case", json!({"action": "delete", "filters": is("state", "done")})).await;
    office.compare("bulk changes").await;
    let create = |state: &str| json!({"op": "create", "type": "case", "set": {"title": "b", "stage": "second", "state": state, "client": 3}});
    let batch = json!({"operations": [create("open"), create("lost"), {"op": "delete", "type": "case", "item": 1}]});
    admin.post("/api/ext/v1/batch", batch).await.is(200);
    // Nothing of it is there.
    let batch = json!({"operations": [create("open"), {"op": "delete", "type": "case", "item": 999}]});
    admin.post("/api/ext/v1/batch", batch).await.is(404);
    office.compare("a batch").await;
    let rows: String =
        (0..60).map(|row| format!("i,{},{}\n", ["open", "", "lost"][row % 3], ["first", "second"][row % 2])).collect();
    let import = admin.request("POST", "/api/ext/v1/import/case?run=1");
    let import = import.body("text/csv", format!("title,state,stage\n{rows}")).send().await;
    assert_eq!(import.is(200).at("/result/created"), 60);
    assert!(office.compare("an import").await > 100);
    office.bulk("case", json!({"action": "delete", "all": true})).await;
    assert_eq!(office.compare("the end").await, 0);
}

/// A property that is counted from now on, and one that is not any more.
#[spec("E-130")]
async fn numbers_follow_the_configuration(office: Office) {
    for stage in ["first", "second", "second"] {
        office.admin.create("case", json!({"title": "t", "stage": stage, "state": "open", "agent": null})).await;
    }
    let other = CASE.replace("state: {id: 702, kind: pEnum, index: true", "state: {id: 702, kind: pEnum");
    office.server.change(&[("types/case.yaml", &other)]).await;
    office.compare("the index of states is gone").await;
    office.admin.patch("collection/case/1", json!({"state": "lost"})).await.is(200);
    office.server.change(&[("types/case.yaml", CASE)]).await;
    assert!(office.compare("it is there again").await > 20);
}

/// Whatever is written meanwhile, an answer is of one moment: no case is without a stage, and the groups come to the total.
#[spec("E-130")]
async fn groups_are_of_one_moment(office: Office) {
    let mut writers = JoinSet::new();
    for writer in 0..3 {
        let admin = office.admin.clone();
        writers.spawn(async move {
            let stage = |number: usize| ["first", "second"][number % 2];
            for number in 0..15_usize {
                let made = admin.create("case", json!({"title": "t", "stage": stage(number + writer)})).await;
                let path = format!("collection/case/{}", made["id"]);
                admin.patch(&path, json!({"stage": stage(number + writer + 1)})).await.is(200);
                if number % 3 == 0 {
                    admin.delete(&path).await;
                }
            }
        });
    }
    let (mut asked, mut seen) = (0, 0);
    while !writers.is_empty() || asked == 0 {
        let body = json!({"groupBy": ["stage"], "totals": true});
        let page = office.admin.post("/api/ext/v1/aggregate/case?_noCache=1", body).await.is(200).json();
        let groups = page["data"].as_array().unwrap();
        assert!(groups.iter().all(|group| !group["stage"].is_null()), "{page}");
        let counts: i64 = groups.iter().map(|group| group["count"].as_i64().unwrap()).sum();
        assert_eq!(json!(counts), page["totals"]["count"], "{page}");
        (asked, seen) = (asked + 1, seen.max(counts));
        while let Some(done) = writers.try_join_next() {
            done.unwrap();
        }
    }
    println!("{asked} answers, the last of {seen} cases");
    office.compare("all writers").await;
    assert_eq!(office.admin.get("collection/case").await.at("/stats/total"), 30);
}
