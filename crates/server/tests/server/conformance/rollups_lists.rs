//! Rollups over lists of relations, seen from those that are listed.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};
use tokio::task::JoinSet;

const PART: &str = r#"
id: 50
name: part
properties:
  name:  {id: 500, kind: pString}
  kits:  {id: 501, kind: pRollup, relation: kit.parts, function: count}
  sold:  {id: 502, kind: pRollup, relation: kit.parts, function: sum, property: sold}
  dear:  {id: 503, kind: pRollup, relation: kit.parts, function: max, property: price, where: "{=sold > 0}"}
  label: {id: 504, kind: pString, calculate: "{=name ~ ' in ' ~ kits ~ ', sold ' ~ sold}"}
"#;

const KIT: &str = r#"
id: 51
name: kit
properties:
  parts: {id: 510, kind: pRelations, type: part, onDelete: setNull}
  price: {id: 511, kind: pDecimal, scale: 2}
  sold:  {id: 512, kind: pInteger, default: 0}
"#;

const FILES: [(&str, &str); 2] = [("types/part.yaml", PART), ("types/kit.yaml", KIT)];

async fn told(client: &Client, part: &Json) -> Json {
    let part = client.get(&format!("collection/part/{part}")).await.is(200).json();
    json!([part["kits"], part["sold"], part["dear"].as_f64(), part["label"]])
}

async fn parts(client: &Client, names: &[&str]) -> Vec<Json> {
    let mut parts = Vec::new();
    for name in names {
        parts.push(client.create("part", json!({"name": name})).await["id"].clone());
    }
    parts
}

#[spec]
async fn what_lists_a_resource_is_summed_up_for_it(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let of = parts(&admin, &["a", "b"]).await;
    let first = admin.create("kit", json!({"parts": [of[0], of[1]], "price": "9.50", "sold": 2})).await["id"].clone();
    let second = admin.create("kit", json!({"parts": [of[0]], "price": 20})).await["id"].clone();
    assert_eq!(told(&admin, &of[0]).await, json!([2, 2, 9.5, "a in 2, sold 2"]));
    assert_eq!(told(&admin, &of[1]).await, json!([1, 2, 9.5, "b in 1, sold 2"]));
    // What is summed up, which ones count, and who is listed.
    let path = format!("collection/kit/{second}");
    admin.patch(&path, json!({"sold+=": 5})).await.is(200);
    assert_eq!(told(&admin, &of[0]).await, json!([2, 7, 20.0, "a in 2, sold 7"]));
    admin.patch(&path, json!({"parts+=": [of[1]]})).await.is(200);
    assert_eq!(told(&admin, &of[1]).await, json!([2, 7, 20.0, "b in 2, sold 7"]));
    admin.put(&path, json!({"parts": [of[1]], "sold": 1, "price": 3})).await.is(200);
    assert_eq!(told(&admin, &of[0]).await, json!([1, 2, 9.5, "a in 1, sold 2"]));
    assert_eq!(told(&admin, &of[1]).await, json!([2, 3, 9.5, "b in 2, sold 3"]));
    admin.patch(&path, json!({"parts": null})).await.is(200);
    assert_eq!(told(&admin, &of[1]).await, json!([1, 2, 9.5, "b in 1, sold 2"]));
    // One that goes takes nothing of the other, and a kit that goes counts no more.
    admin.delete(&format!("collection/part/{}", of[0])).await.is(204);
    assert_eq!(told(&admin, &of[1]).await, json!([1, 2, 9.5, "b in 1, sold 2"]));
    admin.delete(&format!("collection/kit/{first}")).await.is(204);
    assert_eq!(told(&admin, &of[1]).await, json!([0, 0, null, "b in 0, sold 0"]));
}

#[spec]
async fn an_import_of_lists_is_summed_up_at_its_end(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let of = parts(&admin, &["a", "b"]).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kits.jsonl");
    let rows: String = (1..=1_100)
        .map(|number| {
            json!({"parts": if number % 2 == 0 { json!([of[0], of[1]]) } else { json!([of[1]]) }, "sold": number})
                .to_string()
                + "\n"
        })
        .collect();
    std::fs::write(&file, rows).unwrap();
    let arguments = ["import", "kit", "--format", "jsonl", file.to_str().unwrap()];
    let (done, said) = server.command(env!("CARGO_BIN_EXE_plinth"), &arguments).await;
    assert!(done, "{said}");
    let even = 550 * 551;
    assert_eq!(told(&admin, &of[0]).await, json!([550, even, null, format!("a in 550, sold {even}")]));
    let all = 1_100 * 1_101 / 2;
    assert_eq!(told(&admin, &of[1]).await, json!([1_100, all, null, format!("b in 1100, sold {all}")]));
}

#[spec("D-24")]
async fn parallel_writers_of_lists_lose_nothing(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let of = parts(&admin, &["a", "b", "c"]).await;
    let mut tasks = JoinSet::new();
    for number in 0..24_usize {
        let (admin, of) = (admin.clone(), of.clone());
        // In either order of their ids.
        let listed = json!([of[number % 3], of[(number * 2 + 1) % 3]]);
        tasks.spawn(async move {
            loop {
                let answer = admin.post("collection/kit", json!({"parts": listed, "sold": 1})).await;
                // Who was told to come again wrote nothing.
                if answer.status != 503 {
                    break assert_eq!(answer.status, 201, "{}", answer.text);
                }
            }
            listed
        });
    }
    let all = tasks.join_all().await;
    for part in &of {
        let listing = all.iter().filter(|listed| listed.as_array().unwrap().contains(part)).count();
        let shown = admin.get(&format!("collection/part/{part}")).await.is(200);
        assert_eq!((shown.at("/kits"), shown.at("/sold")), (json!(listing), json!(listing)));
    }
}
