//! Imports over HTTP: files of rows with the caller's rights, previews, runs.

mod all_rights;
mod attacks;
mod hostile;
mod job_lists;
mod many;
mod resumed;
mod titles;
mod values;
mod workbook_faults;
mod workbooks;
mod written;

use serde_json::{Value as Json, json};
use spec::spec;
use std::io::Write as _;
use testing::{Client, Engine, Reply, Server, Subject};

const PART: &str = "\
id: 60
name: part
codeProperty: code
unique: [[code]]
properties:
  code: {id: 601, kind: pString, title: Part No., unique: true, required: true}
  name: {id: 602, kind: pString}
  count: {id: 603, kind: pInteger, min: 0}
  price: {id: 604, kind: pDecimal, scale: 2}
  maker: {id: 605, kind: pRelation, type: maker, onDelete: setNull}
  above: {id: 606, kind: pRelation, type: part, onDelete: setNull}
  owner: {id: 607, kind: pString}
  labels: {id: 608, kind: pEnums, options: [red, blue]}
  secret: {id: 609, kind: pString}
  state: {id: 610, kind: pEnum, options: [new, old], default: new}
";
const MAKER: &str = "\
id: 61
name: maker
codeProperty: code
properties:
  code: {id: 651, kind: pString, unique: true}
  open: {id: 652, kind: pBoolean}
  tax: {id: 653, kind: pString, unique: true}
";
/// Writes own parts of open makers, and never sees what is secret.
const CLERK: &str = "\
role: clerk
system: [restApi]
types:
  part:
    show: [{where: \"{=owner == 'clerk'}\", fields: [code, name, count, price, maker, above, owner]}]
    create: [{fields: [code, name, count, maker, above], preset: {owner: clerk}}]
    edit: [{where: \"{=owner == 'clerk'}\", fields: [name, count]}]
  maker:
    show: [{where: \"{=open}\", fields: [code, open]}]
";
const TENANT: &str = "tenant: acme\ntitle: ACME\nhosts: [acme.test]\napi: {rate: 0, maxPageLength: 1000}\n";

/// A tenant with two makers, and an administrator and a clerk.
pub(super) struct Stock {
    pub(super) server: Server,
    pub(super) admin: Client,
    pub(super) clerk: Client,
}

impl Stock {
    /// The tenant with more files.
    async fn with(engine: Engine, more: &[(&str, &str)]) -> Self {
        let files = [
            ("tenant.yaml", TENANT),
            ("types/part.yaml", PART),
            ("types/maker.yaml", MAKER),
            ("roles/clerk.yaml", CLERK),
            ("users/clerk.yaml", "user: clerk@acme.test\nname: Clerk\nroles: [clerk]\n"),
        ];
        let server = Server::with(engine, &[&files, more].concat()).await;
        let admin = server.admin();
        for (code, open) in [("ada", true), ("bob", false)] {
            admin.create("maker", json!({"code": code, "open": open, "tax": format!("t-{code}")})).await;
        }
        let clerk = server.client().with("key", &server.key("clerk").await);
        Stock { server, admin, clerk }
    }
}

impl Subject for Stock {
    async fn on(engine: Engine) -> Self {
        Stock::with(engine, &[]).await
    }
}

/// Sends a file.
pub(super) async fn send(client: &Client, parameters: &str, media_type: &str, body: impl Into<Vec<u8>>) -> Reply {
    let path = format!("/api/ext/v1/import/part?{parameters}");
    client.request("POST", &path).body(media_type, body.into()).send().await
}

/// Imports CSV at once.
async fn run(client: &Client, parameters: &str, csv: &str) -> Json {
    send(client, &format!("run=1&{parameters}"), "text/csv", csv).await.is(200).json()
}

/// The parts with these fields, by code.
pub(super) async fn parts(client: &Client, fields: &str) -> Json {
    let path = format!("/api/ext/v1/collection/part?perPage=1000&orderBy=code&hideFields=id&showFields={fields}");
    client.get(&path).await.is(200).at("/data")
}

#[spec("E-095")]
async fn a_file_is_shown_and_then_imported(stock: Stock) {
    let csv = "Part no,Name,count,extra\na,One,1,x\nb,Two,,y\n";
    let shown = send(&stock.admin, "", "text/csv; charset=utf-8", csv).await.is(201);
    let id = shown.at("/import");
    assert_eq!([shown.at("/format"), shown.at("/total")], [json!("csv"), json!(2)]);
    let columns = [
        json!({"name": "Part no", "samples": ["a", "b"], "property": "code", "sure": false}),
        json!({"name": "Name", "samples": ["One", "Two"], "property": "name", "sure": false}),
        json!({"name": "count", "samples": ["1"], "property": "count", "sure": true}),
        json!({"name": "extra", "samples": ["x", "y"], "property": null, "sure": false}),
    ];
    assert_eq!(shown.at("/columns"), json!(columns));
    assert_eq!(shown.at("/rows/0"), json!({"Part no": "a", "Name": "One", "count": "1", "extra": "x"}));
    let path = format!("/api/ext/v1/import/{id}/run");
    // A column that is no property stops it, and it can be run again.
    let refused = stock.admin.post(&path, json!({"mapping": {"Part no": "code", "Name": "name"}})).await.is(400);
    assert_eq!(refused.at("/code"), "property_unknown");
    let mapping = json!({"Part no": "code", "Name": "name", "extra": null});
    let tried = stock.admin.post(&path, json!({"mapping": mapping, "dryRun": true})).await.is(200);
    assert_eq!(
        [tried.at("/state"), tried.at("/done"), tried.at("/result/created")],
        [json!("done"), json!(0), json!(2)]
    );
    assert_eq!(parts(&stock.admin, "code").await, json!([]));
    let done = stock.admin.post(&path, json!({"mapping": mapping})).await.is(200);
    assert_eq!([done.at("/state"), done.at("/done"), done.at("/result/kept")], [json!("done"), json!(2), json!(true)]);
    let expected = json!([
        {"code": "a", "name": "One", "count": 1, "state": "new"}, {"code": "b", "name": "Two", "count": null, "state": "new"},
    ]);
    assert_eq!(parts(&stock.admin, "code,name,count,state").await, expected);
    assert_eq!(stock.admin.post(&path, json!({"mapping": mapping})).await.is(409).at("/code"), "import_running");
    let job = stock.admin.get(&format!("/api/ext/v1/job/{id}")).await.is(200);
    assert_eq!([job.at("/state"), job.at("/result/created")], [json!("done"), json!(2)]);
}

#[spec("E-095")]
async fn each_form_is_taken(stock: Stock) {
    let rows =
        json!([{"code": "a", "maker": {"code": "bob"}, "labels": ["red"]}, {"code": "b", "maker": "ada", "count": 3}]);
    let lines = "{\"code\": \"c\", \"above\": \"a\"}\n\n{\"code\": \"d\", \"price\": 0.10}\n";
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(b"code;name\ne;'=1+1\n").unwrap();
    let packed = packed.finish().unwrap();
    send(&stock.admin, "run=1", "application/json", rows.to_string()).await.is(200).says("\"state\":\"done\"");
    send(&stock.admin, "run=1", "application/jsonl", lines).await.is(200).says("\"created\":2");
    let path = "/api/ext/v1/import/part?run=1&delimiter=%3B&safe=1";
    let gzip = stock.admin.with("content-encoding", "gzip").request("POST", path).body("text/csv", packed).send().await;
    gzip.is(200).says("\"created\":1");
    let expected = json!([
        {"code": "a", "name": null, "count": null, "price": null, "maker": 2, "above": null},
        {"code": "b", "name": null, "count": 3, "price": null, "maker": 1, "above": null},
        {"code": "c", "name": null, "count": null, "price": null, "maker": null, "above": 1},
        {"code": "d", "name": null, "count": null, "price": 0.10, "maker": null, "above": null},
        {"code": "e", "name": "=1+1", "count": null, "price": null, "maker": null, "above": null},
    ]);
    assert_eq!(parts(&stock.admin, "code,name,count,price,maker,above").await, expected);
    // An export comes back as it went.
    let exported = stock.admin.get("/api/ext/v1/export/part?format=csv&safe=1").await.is(200);
    let back =
        send(&stock.admin, "run=1&safe=1&mode=update&key=uuid", "text/csv", exported.bytes.to_vec()).await.is(200);
    assert_eq!([back.at("/result/unchanged"), back.at("/failed")], [json!(5), json!(0)], "{}", back.text);
}

#[spec("E-096", "D-3", "D-24")]
async fn rows_are_written_with_the_rights_of_the_caller(stock: Stock) {
    let done = run(&stock.clerk, "", "code,name,maker\na,One,ada\nb,Two,\n").await;
    assert_eq!(done["result"]["created"], 2, "{done}");
    let expected = json!([
        {"code": "a", "name": "One", "maker": 1, "owner": "clerk", "state": "new"},
        {"code": "b", "name": "Two", "maker": null, "owner": "clerk", "state": "new"},
    ]);
    assert_eq!(parts(&stock.admin, "code,name,maker,owner,state").await, expected);
    let created_by = stock.admin.get("/api/ext/v1/collection/part/1?showFields=createdBy").await.at("/createdBy");
    assert_eq!(created_by, stock.server.user("clerk").await);
    // A maker that is not seen is none, by any name; and so is one by a field that is not seen.
    for (column, value) in [("maker", "bob"), ("maker", "2"), ("maker.code", "bob"), ("maker.code", "zoe")] {
        let refused = run(&stock.clerk, "", &format!("code,{column}\nc,{value}\n")).await;
        assert_eq!((&refused["state"], &refused["done"]), (&json!("failed"), &json!(0)));
        assert_eq!(refused["problems"][0]["code"], "reference_missing", "{refused}");
    }
    for (header, code) in [
        ("secret", "property_unknown"),
        ("nothing", "property_unknown"),
        ("labels", "property_unknown"),
        ("maker.tax", "property_unknown"),
        ("maker.nothing", "property_unknown"),
        ("price", "property_forbidden"),
    ] {
        let reply = send(&stock.clerk, "run=1", "text/csv", format!("code,{header}\nc,x\n"))
            .await
            .is(if code == "property_forbidden" { 403 } else { 400 });
        assert_eq!(reply.at("/code"), code, "{header}");
        reply.says(&format!("{header:?}").replace('"', "")).lacks("did you mean");
    }
    for member in ["tax", "nothing"] {
        let body = format!("[{{\"code\": \"c\", \"maker\": {{\"{member}\": \"t-ada\"}}}}]");
        let refused = send(&stock.clerk, "run=1", "application/json", body).await.is(200);
        assert_eq!(refused.at("/problems/0/code"), "not_reference", "{member}");
    }
}

#[spec("E-096", "D-3")]
async fn updates_find_what_the_caller_sees(stock: Stock) {
    stock.admin.create("part", json!({"code": "x", "name": "Hidden", "owner": "boss"})).await;
    run(&stock.clerk, "", "code,name\na,One\n").await;
    let done = run(&stock.clerk, "mode=update", "code,name\na,Uno\n").await;
    assert_eq!([&done["result"]["updated"], &done["result"]["unchanged"]], [1, 0], "{done}");
    let same = run(&stock.clerk, "mode=update", "code,name\na,Uno\n").await;
    assert_eq!([&same["result"]["updated"], &same["result"]["unchanged"]], [0, 1]);
    for code in ["x", "zoe"] {
        let refused = run(&stock.clerk, "mode=update", &format!("code,name\n{code},Mine\n")).await;
        assert_eq!(refused["problems"][0]["code"], "row_missing", "{refused}");
    }
    // A key that another row has is taken, as for any create.
    let taken = run(&stock.clerk, "mode=upsert", "code,name\nx,Mine\nb,Two\n").await;
    assert_eq!((&taken["state"], &taken["failed"]), (&json!("failed"), &json!(1)), "{taken}");
    let going = run(&stock.clerk, "mode=upsert&keepGoing=1", "code,name\nx,Mine\nb,Two\na,Eins\n").await;
    assert_eq!([&going["result"]["created"], &going["result"]["updated"], &going["failed"]], [1, 1, 1], "{going}");
    let expected =
        json!([{"code": "a", "name": "Eins"}, {"code": "b", "name": "Two"}, {"code": "x", "name": "Hidden"}]);
    assert_eq!(parts(&stock.admin, "code,name").await, expected);
    // One who may do nothing with the type is told nothing of it.
    let reader = stock.server.reader();
    assert_eq!(
        send(&reader, "run=1", "text/csv", "code\na\n").await.status,
        stock.server.reader().post("/api/ext/v1/collection/part", json!({"code": "a"})).await.status
    );
}

#[spec("E-097")]
async fn all_problems_of_a_thousand_rows_are_told(stock: Stock) {
    let wrong: String = (0..990).map(|row| format!("w{row},-1\n")).collect();
    let csv = format!("code,count\na,1\n{wrong}");
    for parameters in ["", "keepGoing=true&dryRun=true"] {
        let told = run(&stock.admin, parameters, &csv).await;
        let problems = told["problems"].as_array().unwrap();
        assert_eq!((problems.len(), &told["result"]["problemCount"]), (990, &json!(990)), "{parameters}");
        assert_eq!(problems.last().unwrap()["line"], 992);
    }
}

#[spec("E-097")]
async fn problems_are_told_by_row_and_nothing_is_kept(stock: Stock) {
    let csv = "code,count,labels\na,1,red\nb,-1,\nc,x,green\na,1,\n,2,\n";
    let refused = run(&stock.admin, "", csv).await;
    assert_eq!([&refused["state"], &refused["atomic"]], [&json!("failed"), &json!(true)]);
    let told = refused["problems"].as_array().unwrap();
    let told: Vec<(i64, &str)> =
        told.iter().map(|problem| (problem["line"].as_i64().unwrap(), problem["column"].as_str().unwrap())).collect();
    assert_eq!(told, [(3, "count"), (4, "count"), (4, "labels"), (5, "code"), (6, "code")]);
    assert_eq!(parts(&stock.admin, "code").await, json!([]));
    let going = run(&stock.admin, "keepGoing=true", csv).await;
    assert_eq!([&going["done"], &going["failed"], &going["result"]["created"]], [5, 4, 1], "{going}");
    for (parameters, code) in [
        ("run=1&mode=drop", "word_unknown"),
        ("run=1&wrong=1", "parameter_unknown"),
        ("mode=update", "parameter_invalid"),
        ("run=2", "parameter_invalid"),
        ("run=1&mapping=x", "parameter_invalid"),
        ("run=1&mode=update&key=name", "key_not_unique"),
        ("run=1&mode=update&key=nothing", "property_unknown"),
    ] {
        assert_eq!(send(&stock.admin, parameters, "text/csv", csv).await.is(400).at("/code"), code, "{parameters}");
    }
    stock
        .admin
        .with("idempotency-key", "x")
        .request("POST", "/api/ext/v1/import/part")
        .body("text/csv", csv)
        .send()
        .await
        .is(400);
}
