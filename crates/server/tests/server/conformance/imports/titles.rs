//! Relations in files by the titles of the related records, as far as the caller sees them.

use super::TENANT;
use super::many::ended;
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write as _;
use testing::{Client, Engine, Server, Subject};

const NATION: &str = "\
id: 60
name: nation
codeProperty: code
titleProperty: name
properties:
  code: {id: 601, kind: pString, unique: true}
  name: {id: 602, kind: pString, index: true}
  open: {id: 603, kind: pBoolean}
";
const TOWN: &str = "\
id: 61
name: town
titleProperty: name
properties:
  name: {id: 651, kind: pString, required: true}
  nation: {id: 652, kind: pRelation, type: nation, onDelete: setNull}
  nations: {id: 653, kind: pRelations, type: nation}
  near: {id: 654, kind: pRelation, type: town, onDelete: setNull}
";
/// Sees open nations alone.
const CLERK: &str = "\
role: clerk
system: [restApi]
types:
  town: {show: true, edit: true}
  nation: {show: [{where: \"{=open}\"}]}
";
/// Sees codes of nations, and no names.
const BLIND: &str = "\
role: blind
system: [restApi]
types:
  town: {show: true, edit: true}
  nation: {show: [{fields: [code]}]}
";

/// Sees names of nations, and no codes.
const NAMER: &str = "\
role: namer
system: [restApi]
types:
  town: {show: true, edit: true}
  nation: {show: [{fields: [name]}]}
";
/// Sees no nations.
const STRANGER: &str = "\
role: stranger
system: [restApi]
types:
  town: {show: true, edit: true}
";

/// A tenant with nations, some of which have one name.
struct Atlas {
    server: Server,
    admin: Client,
}

impl Subject for Atlas {
    async fn on(engine: Engine) -> Self {
        let user = |name: &str| format!("user: {name}@acme.test\nname: {name}\nroles: [{name}]\n");
        let (clerk, blind, namer, stranger) = (user("clerk"), user("blind"), user("namer"), user("stranger"));
        let files = [
            ("tenant.yaml", TENANT),
            ("types/nation.yaml", NATION),
            ("types/town.yaml", TOWN),
            ("roles/clerk.yaml", CLERK),
            ("roles/blind.yaml", BLIND),
            ("roles/namer.yaml", NAMER),
            ("roles/stranger.yaml", STRANGER),
            ("users/namer.yaml", &namer),
            ("users/stranger.yaml", &stranger),
            ("users/clerk.yaml", &clerk),
            ("users/blind.yaml", &blind),
        ];
        let server = Server::with(engine, &files).await;
        let admin = server.admin();
        for (code, name, open) in [
            ("CZ", "Czechia", true),
            ("AT", "Austria", true),
            ("Czechia", "Other", true),
            ("K1", "Korea", true),
            ("K2", "Korea", false),
            ("SE", "Secret", false),
        ] {
            admin.create("nation", json!({"code": code, "name": name, "open": open})).await;
        }
        Atlas { server, admin }
    }
}

impl Atlas {
    async fn user(&self, name: &str) -> Client {
        self.server.client().with("key", &self.server.key(name).await)
    }

    async fn towns(&self, fields: &str) -> Json {
        let path = format!("/api/ext/v1/collection/town?orderBy=id&hideFields=id&showFields={fields}");
        self.admin.get(&path).await.is(200).at("/data")
    }
}

async fn send(client: &Client, parameters: &str, media_type: &str, body: &str) -> Json {
    let path = format!("/api/ext/v1/import/town?run=1&{parameters}");
    client.request("POST", &path).body(media_type, body.as_bytes().to_vec()).send().await.is(200).json()
}

async fn run(client: &Client, csv: &str) -> Json {
    send(client, "", "text/csv", csv).await
}

/// The lines and messages of the problems.
fn messages(answer: &Json) -> Vec<(i64, String)> {
    let problems = answer["problems"].as_array().unwrap().iter();
    problems.map(|one| (one["line"].as_i64().unwrap(), one["message"].as_str().unwrap().to_owned())).collect()
}

#[spec("E-151")]
async fn relations_are_found_by_titles(atlas: Atlas) {
    let done =
        run(&atlas.admin, "name,nation,nations\nGraz,Austria,Austria|CZ\nBrno,Czechia,\"[\"\"Austria\"\", 1]\"\n")
            .await;
    assert_eq!(done["result"]["created"], 2, "{done}");
    let rows = json!([{"name": "Wien", "nation": "Austria", "nations": ["Austria", {"code": "K1"}]}]).to_string();
    let done = send(&atlas.admin, "", "application/json", &rows).await;
    assert_eq!(done["result"]["created"], 1, "{done}");
    let expected = json!([
        {"name": "Graz", "nation": 2, "nations": [2, 1]},
        // A code wins over a title.
        {"name": "Brno", "nation": 3, "nations": [2, 1]},
        {"name": "Wien", "nation": 2, "nations": [2, 4]},
    ]);
    assert_eq!(atlas.towns("name,nation,nations").await, expected);
}

#[spec("E-151", "E-097")]
async fn a_title_of_none_or_of_several_is_a_problem(atlas: Atlas) {
    let refused = run(&atlas.admin, "name,nation,near\nA,Atlantis,\nB,Korea,\nC,austria,Nowhere\n").await;
    let expected = [
        (2, "Nation: there is no nation whose code or name is \"Atlantis\"."),
        (
            3,
            "Nation: 2 records of nation have the name \"Korea\". Write the code, the id or the uuid of the one that you mean.",
        ),
        (4, "Nation: there is no nation whose code or name is \"austria\"."),
        (4, "Near: there is no town whose name is \"Nowhere\"."),
    ];
    assert_eq!(messages(&refused), expected.map(|(line, message)| (line, message.to_owned())), "{refused}");
    let codes = refused["problems"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap());
    let missing = "reference_missing";
    assert_eq!(codes.collect::<Vec<_>>(), [missing, "reference_ambiguous", missing, missing]);
    assert_eq!([&refused["problems"][0]["value"], &refused["failed"]], [&json!("Atlantis"), &json!(3)]);
    let long = run(&atlas.admin, &format!("name,nation\nA,{}\n", "x".repeat(500))).await;
    assert_eq!(long["problems"][0]["value"], format!("{}…", "x".repeat(60)));
}

#[spec("E-151", "D-24")]
async fn only_what_the_caller_sees_counts(atlas: Atlas) {
    let clerk = atlas.user("clerk").await;
    let done = run(&clerk, "name,nation\nSeoul,Korea\n").await;
    assert_eq!(done["result"]["created"], 1, "{done}");
    assert_eq!(atlas.towns("nation").await, json!([{"nation": 4}]));
    // One that is hidden is as good as none, and so are all to those who do not see titles.
    let hidden = run(&clerk, "name,nation\nA,Secret\nB,Atlantis\n").await;
    let blind = run(&atlas.user("blind").await, "name,nation\nA,Austria\nB,Atlantis\n").await;
    for (refused, name) in [(&hidden, "Secret"), (&blind, "Austria")] {
        let [one, other] = [0, 1].map(|place| refused["problems"][place].to_string());
        assert_eq!(one.replace(name, "Atlantis").replace("\"line\":2", "\"line\":3"), other, "{refused}");
        assert!(one.contains("reference_missing"), "{one}");
    }
    assert_eq!(messages(&blind)[0].1, "Nation: there is no nation whose code is \"Austria\".");
    // Names that the caller may not read stand in no message.
    let namer = run(&atlas.user("namer").await, "name,nation\nA,Atlantis\nB,Korea\n").await;
    assert_eq!(messages(&namer)[0].1, "Nation: there is no nation whose name is \"Atlantis\".");
    assert!(messages(&namer)[1].1.ends_with("Write the id or the uuid of the one that you mean."), "{namer}");
    let stranger = run(&atlas.user("stranger").await, "name,nation\nA,Atlantis\n").await;
    assert_eq!(messages(&stranger)[0].1, "Nation: there is no record \"Atlantis\".");
}

#[spec("E-151")]
async fn rows_find_the_titles_of_rows_before_them(atlas: Atlas) {
    run(&atlas.admin, "name,near\nA,\nB,A\nC,B\n").await;
    let expected = json!([{"near": null}, {"near": 1}, {"near": 2}]);
    assert_eq!(atlas.towns("near").await, expected);
    // A title becomes ambiguous within the file, and is found anew where a row before changes it.
    let refused = run(&atlas.admin, "name,near\nD,\nE,D\nD,\nF,D\n").await;
    assert_eq!(messages(&refused).iter().map(|(line, _)| *line).collect::<Vec<_>>(), [5], "{refused}");
    let changed =
        send(&atlas.admin, "mode=update&key=id", "text/csv", "id,name,near\n1,Z,\n3,C,Z\n2,A,\n3,C,A\n").await;
    assert_eq!(changed["state"], "done", "{changed}");
    assert_eq!(atlas.towns("name,near").await[2], json!({"name": "C", "near": 2}));
    // A job reads all rows before it writes the first.
    let mut csv = "name,near,nation\nRoot,,Czechia\n".to_owned();
    (0..1_200).for_each(|row| writeln!(csv, "T{row},Root,Austria").unwrap());
    let _working = atlas.server.work_jobs();
    let begun = atlas.admin.request("POST", "/api/ext/v1/import/town?run=1").body("text/csv", csv).send().await.is(202);
    let done = ended(&atlas.admin, &begun.at("/id")).await;
    assert_eq!([&done["state"], &done["result"]["created"]], [&json!("done"), &json!(1_201)], "{done}");
}

/// Looking for titles again may read a whole table: rows that ask for it each are refused, and those whose rows keep
/// their titles are not.
#[spec("E-151")]
async fn titles_that_rows_change_are_looked_for_a_few_times_at_most(atlas: Atlas) {
    let mut csv = "name\n".to_owned();
    (1..=120).for_each(|row| writeln!(csv, "T{row}").unwrap());
    run(&atlas.admin, &csv).await;
    let mut kept = "id,name,near\n1,T1,\n".to_owned();
    let mut renamed = "id,name,near\n1,Z1,\n".to_owned();
    for row in 2..=120 {
        writeln!(kept, "{row},T{row},T{}", row - 1).unwrap();
        writeln!(renamed, "{row},Z{row},Z{}", row - 1).unwrap();
    }
    let done = send(&atlas.admin, "mode=update&key=id", "text/csv", &kept).await;
    assert_eq!(done["result"]["updated"], 119, "{done}");
    let path = "/api/ext/v1/import/town?run=1&mode=update&key=id";
    let refused = atlas.admin.request("POST", path).body("text/csv", renamed).send().await.is(400);
    assert_eq!(refused.at("/code"), "titles_unclear");
    assert_eq!(atlas.towns("name").await[0], json!({"name": "T1"}));
}
