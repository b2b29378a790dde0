//! Changes of files that leave an expression as it is written and make it mean something else.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const FIRM: &str = "id: 70\nname: firm\ntitleProperty: name\nproperties:\n  \
    name:  {id: 700, kind: pString}\n  other: {id: 701, kind: pString}\n";

const DEAL: &str = r#"
id: 71
name: deal
properties:
  firm:   {id: 710, kind: pRelation, type: firm, onDelete: setNull}
  low:    {id: 711, kind: pInteger}
  high:   {id: 712, kind: pInteger}
  twice:  {id: 713, kind: pInteger, calculate: "{=low * 2}"}
  line:   {id: 714, kind: pString, calculate: "{=(firm != null ? getTitle(firm) : '') ~ '!'}"}
  at:     {id: 715, kind: pDateTime}
  day:    {id: 716, kind: pString, calculate: "{=formatDate(at, 'Y-m-d')}"}
  paper:  {id: 717, kind: pFile}
  papers: {id: 718, kind: pInteger, calculate: "{=length(toArray(paper))}"}
  bonus:  {id: 719, kind: pInteger, calculate: "{=low + 1}", condition: "{=low > 5}"}
"#;

/// What firms have of their deals.
const SUMS: &str = "  cheap: {id: 702, kind: pRollup, relation: deal.firm, function: count, where: \"{=low < 5}\"}\n  \
    early: {id: 703, kind: pRollup, relation: deal.firm, function: count, where: \"{=at < '2026-03-02'}\"}\n";

async fn deals(engine: Engine) -> (Server, Json, Json) {
    let firm = format!("{FIRM}{SUMS}");
    let server = Server::with(engine, &[("types/firm.yaml", &firm), ("types/deal.yaml", DEAL)]).await;
    let admin = server.admin();
    let firm = admin.create("firm", json!({"name": "A", "other": "B"})).await["id"].clone();
    let paper = admin.promise("deal/paper", "a.txt", b"paper").await;
    let body = json!({"firm": firm, "low": 3, "high": 30, "at": "2026-03-01T23:30:00Z", "paper": paper});
    let deal = admin.create("deal", body).await;
    assert_eq!((&deal["twice"], &deal["line"], &deal["day"]), (&json!(6), &json!("A!"), &json!("2026-03-02")));
    assert_eq!((&deal["papers"], deal.get("bonus")), (&json!(5), None), "a file has five properties");
    (server, firm, deal["id"].clone())
}

async fn shown(client: &Client, deal: &Json, field: &str) -> Json {
    client.get(&format!("collection/deal/{deal}")).await.is(200).json()[field].take()
}

#[spec]
async fn names_that_are_given_to_other_properties(engine: Engine) {
    let (server, firm, deal) = deals(engine).await;
    let admin = server.admin();
    let cheap = async || admin.get(&format!("collection/firm/{firm}")).await.is(200).at("/cheap");
    assert_eq!(cheap().await, 1);
    // They change places: nothing else in the file does.
    let swapped = DEAL.replace("low:    {id: 711", "low:    {id: 712").replace("high:   {id: 712", "high:   {id: 711");
    server.change(&[("types/deal.yaml", &swapped)]).await;
    assert_eq!(shown(&admin, &deal, "low").await, 30);
    assert_eq!(shown(&admin, &deal, "twice").await, 60);
    assert_eq!(shown(&admin, &deal, "bonus").await, 31);
    assert_eq!(cheap().await, 0);
    // One goes, and another one comes by its name.
    let other = swapped.replace("low:    {id: 712", "low:    {id: 720");
    server.change(&[("types/deal.yaml", &other)]).await;
    assert_eq!(shown(&admin, &deal, "twice").await, Json::Null);
    assert_eq!(shown(&admin, &deal, "bonus").await, Json::Null);
}

#[spec]
async fn another_title_of_what_is_referred_to(engine: Engine) {
    let (server, _, deal) = deals(engine).await;
    let titled = format!("{FIRM}{SUMS}").replace("titleProperty: name", "titleProperty: other");
    server.change(&[("types/firm.yaml", &titled)]).await;
    assert_eq!(shown(&server.admin(), &deal, "line").await, "B!");
}

#[spec]
async fn another_zone_of_the_tenant(engine: Engine) {
    let (server, firm, deal) = deals(engine).await;
    let admin = server.admin();
    let early = async || admin.get(&format!("collection/firm/{firm}")).await.is(200).at("/early");
    assert_eq!(early().await, 0);
    let tenant = "tenant: acme\nhosts: [acme.test]\ntimezone: UTC\napi: {rate: 0}\n";
    server.change(&[("tenant.yaml", tenant)]).await;
    assert_eq!(shown(&admin, &deal, "day").await, "2026-03-01");
    assert_eq!(early().await, 1);
}

#[spec]
async fn one_file_that_becomes_several(engine: Engine) {
    let (server, _, deal) = deals(engine).await;
    server.change(&[("types/deal.yaml", &DEAL.replace("kind: pFile}", "kind: pFiles}"))]).await;
    assert_eq!(shown(&server.admin(), &deal, "papers").await, 1);
}

#[spec]
async fn a_condition_that_goes_leaves_a_calculation(engine: Engine) {
    let (server, _, deal) = deals(engine).await;
    server.change(&[("types/deal.yaml", &DEAL.replace(", condition: \"{=low > 5}\"", ""))]).await;
    assert_eq!(shown(&server.admin(), &deal, "bonus").await, 4);
}

const PERSON: &str = r#"
id: 72
name: person
titleProperty: name
properties:
  name:    {id: 720, kind: pString}
  code:    {id: 723, kind: pString}
  friends: {id: 721, kind: pRelations, type: person}
  circle:  {id: 722, kind: pRollup, relation: friends, function: count}
"#;

/// Those whom somebody names, and those who name somebody: it is the same relation.
#[spec]
async fn the_other_side_of_a_relation_to_the_own_type(engine: Engine) {
    let server = Server::with(engine, &[("types/person.yaml", PERSON)]).await;
    let admin = server.admin();
    let one = admin.create("person", json!({"name": "one"})).await["id"].clone();
    let two = admin.create("person", json!({"name": "two"})).await["id"].clone();
    let both = admin.create("person", json!({"name": "both", "friends": [one, two]})).await["id"].clone();
    let circles = async || {
        let mut circles = Vec::new();
        for id in [&one, &two, &both] {
            circles.push(admin.get(&format!("collection/person/{id}")).await.is(200).at("/circle"));
        }
        circles
    };
    assert_eq!(circles().await, [0, 0, 2]);
    server.change(&[("types/person.yaml", &PERSON.replace("relation: friends", "relation: person.friends"))]).await;
    assert_eq!(circles().await, [1, 1, 0]);
}

/// What stays as it means is not done anew: a plan says nothing of it.
#[spec]
async fn what_means_the_same_stays(engine: Engine) {
    let (server, ..) = deals(engine).await;
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("files");
    let plinth = env!("CARGO_BIN_EXE_plinth");
    let (done, said) = server.command(plinth, &["pull", place.to_str().unwrap()]).await;
    assert!(done, "{said}");
    // Another order of the properties, another name that no expression has, and a new one.
    let moved = DEAL.replace("  high:   {id: 712, kind: pInteger}\n", "");
    let moved = format!("{moved}  most: {{id: 712, kind: pInteger}}\n  new: {{id: 721, kind: pString}}\n");
    std::fs::write(place.join("types/deal.yaml"), moved).unwrap();
    let (done, said) = server.command(plinth, &["plan", place.to_str().unwrap()]).await;
    assert!(done && said.contains("rename") && !said.contains("anew"), "{said}");
}
