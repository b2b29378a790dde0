//! Rollups go by the difference: after random work of parallel clients they are what a full calculation gives, and a
//! write costs the same however many others there are.

use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use testing::{Choices, Client, Engine, Server};
use tokio::task::JoinSet;

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");

const GROUP: &str = r#"
id: 50
name: group
properties:
  shown:      {id: 500, kind: pBoolean}
  all:        {id: 501, kind: pRollup, relation: item.group, function: count}
  numbered:   {id: 502, kind: pRollup, relation: item.group, function: count, property: number}
  sum:        {id: 503, kind: pRollup, relation: item.group, function: sum, property: number}
  money:      {id: 504, kind: pRollup, relation: item.group, function: sum, property: money}
  weight:     {id: 505, kind: pRollup, relation: item.group, function: sum, property: weight}
  mean:       {id: 506, kind: pRollup, relation: item.group, function: avg, property: money, scale: 3}
  mean_heavy: {id: 507, kind: pRollup, relation: item.group, function: avg, property: weight}
  least:      {id: 508, kind: pRollup, relation: item.group, function: min, property: number}
  most:       {id: 509, kind: pRollup, relation: item.group, function: max, property: money}
  lightest:   {id: 510, kind: pRollup, relation: item.group, function: min, property: weight}
  first:      {id: 511, kind: pRollup, relation: item.group, function: min, property: day}
  latest:     {id: 512, kind: pRollup, relation: item.group, function: max, property: moment}
  early:      {id: 513, kind: pRollup, relation: item.group, function: min, property: hour}
  open:       {id: 514, kind: pRollup, relation: item.group, function: count, where: "{=done != true}"}
  open_sum:   {id: 515, kind: pRollup, relation: item.group, function: sum, property: number, where: "{=done != true}"}
  open_least: {id: 516, kind: pRollup, relation: item.group, function: min, property: number, where: "{=done != true and number > -5}"}
  tagged:     {id: 517, kind: pRollup, relation: item.groups, function: sum, property: number}
  tagged_max: {id: 518, kind: pRollup, relation: item.groups, function: max, property: number}
  some_sum:   {id: 519, kind: pRollup, relation: item.group, function: sum, property: number, condition: "{=shown}"}
  some_least: {id: 520, kind: pRollup, relation: item.group, function: min, property: number, condition: "{=shown}"}
  double:     {id: 521, kind: pInteger, calculate: "{=sum * 2}"}
"#;

const ITEM: &str = r#"
id: 51
name: item
properties:
  code:   {id: 530, kind: pString, unique: true}
  group:  {id: 531, kind: pRelation, type: group, onDelete: setNull}
  groups: {id: 532, kind: pRelations, type: group, onDelete: setNull}
  number: {id: 533, kind: pInteger}
  money:  {id: 534, kind: pDecimal, scale: 2}
  weight: {id: 535, kind: pFloat}
  day:    {id: 536, kind: pDate}
  moment: {id: 537, kind: pDateTime}
  hour:   {id: 538, kind: pTime}
  done:   {id: 539, kind: pBoolean}
"#;

const FILES: [(&str, &str); 2] = [("types/group.yaml", GROUP), ("types/item.yaml", ITEM)];

async fn rows(client: &Client, of: &str) -> BTreeMap<i64, Json> {
    let mut rows = BTreeMap::new();
    for page in 1.. {
        let reply = client.get(&format!("collection/{of}?perPage=100&page={page}")).await;
        if reply.status == 204 {
            break;
        }
        let data = reply.is(200).at("/data");
        let before = rows.len();
        rows.extend(data.as_array().unwrap().iter().map(|row| (row["id"].as_i64().unwrap(), row.clone())));
        if rows.len() - before < 100 {
            break;
        }
    }
    rows
}

fn least<'j>(items: &[&'j Json], name: &str) -> Option<&'j Json> {
    let order = |one: &&Json, other: &&Json| match (one.as_str(), other.as_str()) {
        (Some(one), Some(other)) => one.cmp(other),
        _ => one.as_f64().partial_cmp(&other.as_f64()).unwrap(),
    };
    items.iter().map(|item| &item[name]).filter(|value| !value.is_null()).min_by(order)
}

fn greatest<'j>(items: &[&'j Json], name: &str) -> Option<&'j Json> {
    let order = |one: &&Json, other: &&Json| match (one.as_str(), other.as_str()) {
        (Some(one), Some(other)) => one.cmp(other),
        _ => one.as_f64().partial_cmp(&other.as_f64()).unwrap(),
    };
    items.iter().map(|item| &item[name]).filter(|value| !value.is_null()).max_by(order)
}

/// A number in thousandths.
fn milli(value: &Json) -> Option<i64> {
    value.as_f64().map(|number| (number * 1_000.0).round() as i64)
}

fn rounded(above: i64, below: i64) -> i64 {
    let rest = (above % below).abs();
    above / below + if rest * 2 >= below { above.signum() } else { 0 }
}

/// Compares all rollups with what the items come to.
async fn compare(client: &Client, when: &str) {
    let items = rows(client, "item").await;
    for (id, group) in rows(client, "group").await {
        let of = |name: &str, value: Option<i64>| assert_eq!(group[name].as_i64(), value, "{when}: {name} of {id}");
        let same = |name: &str, value: Option<&Json>| {
            assert_eq!(Some(&group[name]).filter(|value| !value.is_null()), value, "{when}: {name} of {id}");
        };
        let own: Vec<&Json> = items.values().filter(|item| item["group"] == id).collect();
        let open: Vec<&Json> = own.iter().copied().filter(|item| item["done"] != true).collect();
        let listed = |item: &&Json| item["groups"].as_array().unwrap().contains(&json!(id));
        let tagged: Vec<&Json> = items.values().filter(listed).collect();
        let numbers = |items: &[&Json]| items.iter().filter_map(|item| item["number"].as_i64()).sum::<i64>();
        let given = |name: &str| own.iter().filter(|item| !item[name].is_null()).count() as i64;
        of("all", Some(own.len() as i64));
        of("numbered", Some(given("number")));
        of("sum", Some(numbers(&own)));
        of("double", Some(numbers(&own) * 2));
        let money: i64 = own.iter().filter_map(|item| milli(&item["money"])).sum();
        assert_eq!(milli(&group["money"]), Some(money), "{when}: money of {id}");
        let mean = (given("money") > 0).then(|| rounded(money, given("money")));
        assert_eq!(milli(&group["mean"]), mean, "{when}: mean of {id}");
        // These are multiples of an eighth, which floats add exactly.
        let weight: f64 = own.iter().filter_map(|item| item["weight"].as_f64()).sum();
        assert_eq!(group["weight"].as_f64(), Some(weight), "{when}: weight of {id}");
        let heavy = (given("weight") > 0).then(|| weight / given("weight") as f64);
        assert_eq!(group["mean_heavy"].as_f64(), heavy, "{when}: mean_heavy of {id}");
        same("least", least(&own, "number"));
        same("most", greatest(&own, "money"));
        same("lightest", least(&own, "weight"));
        same("first", least(&own, "day"));
        same("latest", greatest(&own, "moment"));
        same("early", least(&own, "hour"));
        of("open", Some(open.len() as i64));
        of("open_sum", Some(numbers(&open)));
        let above: Vec<&Json> = open.iter().copied().filter(|item| item["number"].as_i64() > Some(-5)).collect();
        same("open_least", least(&above, "number"));
        of("tagged", Some(numbers(&tagged)));
        same("tagged_max", greatest(&tagged, "number"));
        if group["shown"] == true {
            of("some_sum", Some(numbers(&own)));
            same("some_least", least(&own, "number"));
        } else {
            assert_eq!([group.get("some_sum"), group.get("some_least")], [None, None], "{when}: {id}");
        }
    }
}

/// A value that is often null, and often one that others have.
fn value(choices: &mut Choices, name: &str, groups: &[i64]) -> Json {
    if choices.once_in(5) && name != "groups" {
        return Json::Null;
    }
    let number = choices.below(31) as i64 - 15;
    match name {
        "group" => json!(choices.of(groups)),
        "groups" => json!(choices.some(groups)),
        "number" => json!(number),
        "money" => json!(format!("{number}.{:02}", choices.below(100))),
        "weight" => json!(number as f64 / 8.0),
        "day" => json!(format!("2026-01-{:02}", 16 + number)),
        "moment" => json!(format!("2026-01-{:02}T10:00:00Z", 16 + number)),
        "hour" => json!(format!("{:02}:30:00", choices.below(24))),
        _ => json!(choices.once_in(2)),
    }
}

const NAMES: [&str; 9] = ["group", "groups", "number", "money", "weight", "day", "moment", "hour", "done"];

/// Writes at random; others do the same.
async fn work(client: Client, seed: u64, groups: Vec<i64>, writes: usize) {
    let mut choices = Choices::new(seed);
    let mut own: Vec<i64> = Vec::new();
    let (mut refused, mut done) = (0, 0);
    for _ in 0..writes {
        let mut body = serde_json::Map::new();
        for name in NAMES {
            if choices.once_in(2) {
                body.insert(name.to_owned(), value(&mut choices, name, &groups));
            }
        }
        let reply = match (choices.below(10), own.len()) {
            (0, 1..) => {
                let gone = own.swap_remove(choices.below(own.len()));
                client.delete(&format!("collection/item/{gone}")).await
            }
            (1..=5, 1..) => client.patch(&format!("collection/item/{}", choices.of(&own)), Json::Object(body)).await,
            (6, _) => {
                let shown = json!({"shown": choices.once_in(2)});
                client.patch(&format!("collection/group/{}", choices.of(&groups)), shown).await
            }
            (7, _) if choices.once_in(40) => client.delete(&format!("collection/group/{}", choices.of(&groups))).await,
            _ => {
                let reply = client.post("collection/item", Json::Object(body)).await;
                own.extend((reply.status < 300).then(|| reply.at("/id").as_i64().unwrap()));
                reply
            }
        };
        assert!(reply.status < 500 || reply.status == 503, "{}: {} {}", reply.request, reply.status, reply.text);
        // A group that went is refused, as a row that went is missing.
        if reply.status < 300 { done += 1 } else { refused += 1 }
    }
    assert!(done * 2 > refused, "{done} of {writes} writes were done");
}

#[spec]
async fn after_parallel_work_rollups_are_what_a_full_calculation_gives(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("items.csv");
    let mut groups: Vec<i64> = Vec::new();
    for round in 0..3_u64 {
        while groups.len() < 6 {
            groups.push(admin.create("group", json!({"shown": true})).await["id"].as_i64().unwrap());
        }
        let mut clients = JoinSet::new();
        for client in 0..8 {
            clients.spawn(work(server.admin(), 1_000 * round + client, groups.clone(), 40));
        }
        while let Some(ended) = clients.join_next().await {
            ended.unwrap();
        }
        compare(&admin, &format!("round {round}")).await;
        groups = rows(&admin, "group").await.into_keys().collect();
        // An import: new rows, and changes of old ones.
        let lines: String = (0..400)
            .map(|row| {
                let (code, group) = (row % 250 + 50 * round, groups[(row % 2) as usize]);
                format!("c{code},{group},{},2026-02-{:02},{}.5\n", row as i64 - 100, row % 28 + 1, row % 7)
            })
            .collect();
        std::fs::write(&file, format!("code,group,number,day,weight\n{lines}")).unwrap();
        let path = file.to_str().unwrap();
        let (done, said) = server.command(PLINTH, &["import", "item", path, "--mode", "upsert", "--key", "code"]).await;
        assert!(done, "{said}");
        compare(&admin, &format!("import {round}")).await;
    }
    // What a change of the configuration calculates anew is the same, and so is what goes on from there.
    let other = GROUP.replace("done != true}", "!(done == true)}");
    server.change(&[("types/group.yaml", &other)]).await;
    compare(&admin, "calculated anew").await;
    work(server.admin(), 77, groups.clone(), 60).await;
    compare(&admin, "after that").await;
}

/// The least that one of some patches takes: what else the machine does only adds to it.
async fn quickest(client: &Client, items: &[i64], round: usize) -> Duration {
    let mut quickest = Duration::MAX;
    for (place, item) in items.iter().enumerate() {
        // The least and the greatest go and come.
        let body = json!({"number": round * 1_000 + place, "money": place, "weight": 0.125 * place as f64, "day": "2020-01-01"});
        let begun = Instant::now();
        client.patch(&format!("collection/item/{item}"), body).await.is(200);
        quickest = quickest.min(begun.elapsed());
    }
    quickest
}

#[spec]
async fn a_write_costs_the_same_however_many_others_there_are(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("items.csv");
    let (mut items, mut expected): (Vec<Vec<i64>>, i64) = (Vec::new(), 0);
    for others in [10, 4_000_i64] {
        let group = admin.create("group", json!({"shown": true})).await["id"].clone();
        let mut text = "group,number,money,weight,day,done\n".to_owned();
        for row in 0..others {
            text.push_str(&format!("{group},{row},{row}.25,{row}.5,2026-01-01,{}\n", row % 2 == 0));
        }
        std::fs::write(&file, text).unwrap();
        let (done, said) = server.command(PLINTH, &["import", "item", file.to_str().unwrap()]).await;
        assert!(done, "{said}");
        let query = json!({"filters": [{"property": "group", "type": "eq", "param": group}], "perPage": 10});
        let reply = admin.search("collection/item", query).await.is(200);
        items.push(reply.column("id").iter().map(|id| id.as_i64().unwrap()).collect());
        let moved: i64 = reply.column("number").iter().map(|number| number.as_i64().unwrap()).sum();
        expected = (0..others).sum::<i64>() - moved;
    }
    let (mut few, mut many) = (Duration::MAX, Duration::MAX);
    for round in 1..6 {
        few = few.min(quickest(&admin, &items[0], round).await);
        many = many.min(quickest(&admin, &items[1], round).await);
    }
    // Summing all up anew makes it many times as much.
    assert!(many < few * 4, "{many:?} beside {few:?}");
    expected += (5_000..5_010).sum::<i64>();
    let shown = admin.get("collection/group/2").await.is(200);
    assert_eq!(
        (shown.at("/all"), shown.at("/sum"), shown.at("/first")),
        (json!(4_000), json!(expected), json!("2020-01-01"))
    );
}
