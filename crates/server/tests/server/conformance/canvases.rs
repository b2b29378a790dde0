//! Canvases: items whose settings are expressions over queries, as data, with the rights of whoever asks.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const PATH: &str = "/api/ext/v1/canvas/";

const FILES: [(&str, &str); 4] = [
    (
        "queries/everything.yaml",
        "query: everything
type: article
params:
  least: {kind: pInteger}
filters: [{property: views, type: gte, param: {$param: least}}]
orderBy: id
fields: [id, name, views, price, released, author.name]
",
    ),
    (
        "queries/costs.yaml",
        "query: costs\ntype: article\nfilters: [{property: cost, type: gt, param: 0}]\nfields: [name, cost]\n",
    ),
    ("queries/people.yaml", "query: people\ntype: person\norderBy: name\n"),
    (
        "canvases/board.yaml",
        r#"
canvas: board
title: Board
params:
  least: {kind: pInteger, default: "{=5 * 2}"}
  selection: {kind: pRelations, type: article}
template:
  unit: EUR
  label: "{=templateVar('unit') ~ ' a piece'}"
items:
  - {kind: number, title: "At least {=appParameter('least')}", query: everything, params: {least: "{=appParameter('least')}"}, value: "{=dataQueryCount()}"}
  - {kind: number, query: everything, value: "{=dataQueryMax('price')}"}
  - {kind: number, query: everything, value: "{=dataQueryMin('views') ~ '/' ~ dataQueryFetch('name') ~ '/' ~ dataQueryFetch()}"}
  - {kind: number, query: everything, value: "{=dataQueryFetchObject().author.country.code}"}
  - {kind: number, value: "{=queryCount(query('everything', {least: 20})) + length(queryFetchObjects(query('people')))}"}
  - {kind: number, value: "{=queryFetchObject(query('everything')).author.salary}"}
  - {kind: table, query: everything, params: {least: 20}}
  - {kind: table, query: everything, rows: "{=map(dataQueryFetchAll(), {Title: 'name', Writer: 'author.name'})}", limit: 2}
  - {kind: chart, chart: bar, query: everything, x: "{=dataQueryFetchAll('name')}", y: {Views: "{=dataQueryFetchAll('views')}", Price: "{=dataQueryFetchAll('price')}"}}
  - {kind: chart, chart: pie, query: everything, x: [a, b], y: "{=dataQueryFetchAll('views')}"}
  - {kind: text, vars: {who: "{=user('user_name')}", twice: "{=var('who') ~ var('who')}"}, text: "{=var('twice')}: {=templateVar('label')}, {=length(selection())}"}
  - {kind: number, title: Costs, query: costs, value: "{=dataQueryCount()}"}
  - {kind: number, title: Broken, value: "{=jsonDecode('{')}"}
  - {kind: number, value: "{=queryCount(query('no' ~ 'thing'))}"}
  - {kind: text, text: plain}
"#,
    ),
];

async fn with_board(engine: Engine) -> Server {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await;
    admin.create("person", json!({"name": "Ada", "salary": 5, "country": 1})).await;
    for body in [
        json!({"name": "Alpha", "views": 30, "author": 1, "price": 12345678.99, "cost": 1}),
        json!({"name": "Beta", "views": 20, "author": 1, "price": 2.5, "released": "2026-01-31"}),
        json!({"name": "Gamma", "views": 3}),
    ] {
        admin.create("article", body).await;
    }
    server
}

async fn board(client: &Client, parameters: &str) -> Vec<Json> {
    let answer = client.get(&format!("{PATH}board{parameters}")).await.is(200).json();
    assert_eq!((&answer["canvas"], &answer["title"]), (&json!("board"), &json!("Board")));
    answer["items"].as_array().unwrap().iter().map(drawn).collect()
}

/// An item without the query behind it.
pub(super) fn drawn(item: &Json) -> Json {
    let mut drawn = item.clone();
    drawn.as_object_mut().unwrap().retain(|name, _| !["query", "params", "axes"].contains(&name.as_str()));
    drawn
}

#[spec("E-150")]
async fn an_item_names_the_query_that_it_shows(engine: Engine) {
    let server = with_board(engine).await;
    let items = |client: Client| async move {
        client.get(&format!("{PATH}board?least=3")).await.is(200).json()["items"].clone()
    };
    let own = items(server.admin()).await;
    assert_eq!((&own[0]["query"], &own[0]["params"]), (&json!("everything"), &json!({"least": 3})));
    assert_eq!((&own[1]["query"], &own[1]["params"]), (&json!("everything"), &json!({})));
    // What asks no query names none, and what the caller may not run is an error alone.
    assert_eq!((&own[4]["query"], &own[4]["params"]), (&Json::Null, &Json::Null));
    let editor = items(server.editor()).await;
    assert_eq!((&editor[11]["error"]["code"], &editor[11]["query"]), (&json!("permission_missing"), &Json::Null));
}

#[spec("R-307", "R-329")]
async fn items_are_expressions_over_queries(engine: Engine) {
    let server = with_board(engine).await;
    let items = board(&server.admin(), "?selection=1,2").await;
    assert_eq!(items[0], json!({"kind": "number", "title": "At least 10", "value": 2}));
    assert_eq!(items[1], json!({"kind": "number", "value": 12345678.99}));
    assert_eq!(items[2]["value"], "3/Alpha/1");
    assert_eq!(items[3]["value"], "CZ");
    assert_eq!(items[4]["value"], 3);
    assert_eq!(items[5]["value"], 5);
    let columns = ["id", "name", "views", "price", "released", "author"];
    assert_eq!((&items[6]["columns"], &items[6]["total"]), (&json!(columns), &json!(2)));
    assert_eq!(items[6]["rows"][1], json!([2, "Beta", 20, 2.5, "2026-01-31", {"id": 1, "name": "Ada"}]));
    let rows = json!([["Alpha", "Ada"], ["Beta", "Ada"]]);
    assert_eq!(items[7], json!({"kind": "table", "columns": ["Title", "Writer"], "rows": rows, "total": 3}));
    assert_eq!((&items[8]["chart"], &items[8]["x"]), (&json!("bar"), &json!(["Alpha", "Beta", "Gamma"])));
    let series =
        json!([{"title": "Views", "values": [30, 20, 3]}, {"title": "Price", "values": [12345678.99, 2.5, null]}]);
    assert_eq!(items[8]["series"], series);
    assert_eq!(items[10], json!({"kind": "text", "text": "AdaAda: EUR a piece, 2"}));
    assert_eq!(items[14], json!({"kind": "text", "text": "plain"}));
    // By SEARCH, with other parameters; an answer that the client has is not sent again.
    let searched = server.admin().search(&format!("{PATH}board"), json!({"least": 3, "selection": [1]})).await.is(200);
    assert_eq!(drawn(&searched.at("/items/0")), json!({"kind": "number", "title": "At least 3", "value": 3}));
    let known = server.admin().with("if-none-match", searched.header("etag"));
    known.search(&format!("{PATH}board"), json!({"least": 3, "selection": [1]})).await.is(304);
    known.get(&format!("{PATH}board")).await.is(200);
}

#[spec]
async fn an_item_that_fails_leaves_the_others(engine: Engine) {
    let server = with_board(engine).await;
    let items = board(&server.admin(), "").await;
    assert_eq!(items[9]["error"]["code"], "uneven_chart");
    assert_eq!((&items[12]["title"], &items[12]["error"]["code"]), (&json!("Broken"), &json!("json_invalid")));
    assert_eq!(items[13]["error"]["code"], "query_missing");
    assert_eq!(items[11]["value"], 1);
    assert_eq!(items[14]["text"], "plain");
    let admin = server.admin();
    for (path, status, says) in [
        ("board?lest=1", 400, "There is no parameter"),
        ("board?page=1", 400, "There is no parameter"),
        ("board?least=x", 400, "The parameter least must be"),
        ("nothing", 404, "There is no such canvas."),
    ] {
        admin.get(&format!("{PATH}{path}")).await.is(status).says(says);
    }
    server.client().get(&format!("{PATH}board")).await.is(403);
}

/// Queries of items run with the rights of whoever asks: what they may not list is an error, what they may not read is
/// not there, and nothing leads past that.
#[spec]
async fn a_canvas_shows_what_its_reader_may_see(engine: Engine) {
    let server = with_board(engine).await;
    let items = board(&server.editor(), "").await;
    // An editor reads articles without their cost, and persons' names and codes alone.
    assert_eq!(items[0]["value"], 2);
    assert_eq!((&items[11]["title"], &items[11]["error"]["code"]), (&json!("Costs"), &json!("permission_missing")));
    for item in [&items[3], &items[5]] {
        assert_eq!(*item, json!({"kind": "number", "value": null}));
    }
    assert_eq!(items[7]["rows"][0], json!(["Alpha", "Ada"]));
    // A reader does not read persons at all.
    let items = board(&server.reader(), "").await;
    assert_eq!(items[6]["columns"], json!(["id", "name", "views"]));
    assert_eq!(items[4]["error"]["code"], "permission_missing");
    assert_eq!(items[1], json!({"kind": "number", "value": null}));
    let text = server.reader().get(&format!("{PATH}board")).await.is(200);
    text.lacks("12345678").lacks("Ada").lacks("CZ");
}

/// Rows are read in pages as they are asked for; expressions stay within their limits.
#[spec]
async fn results_are_bounded(engine: Engine) {
    let server = with_board(engine).await;
    let rows: Vec<String> = (0..450).map(|number| format!("{{\"text\": \"N{number:03}\"}}")).collect();
    let notes = format!("[{}]", rows.join(","));
    let created: Vec<Json> = serde_json::from_str(&notes).unwrap();
    for body in created {
        server.admin().create("note", body).await;
    }
    let canvas = r#"
canvas: many
items:
  - {kind: number, query: notes, value: "{=dataQueryCount() ~ ' ' ~ length(dataQueryFetchAll('text')) ~ ' ' ~ dataQueryMax('text')}"}
  - {kind: number, query: notes, value: "{=getDataQuery()[449].text ~ getDataQuery()[0].text ~ getDataQuery()[450]}"}
  - {kind: table, query: notes, rows: "{=dataQueryFetchAll('text')}", limit: 1}
  - {kind: number, value: "{=length(map(range(1, 21), 'count()'))}"}
  - {kind: number, value: "{=sum()}"}
  - {kind: number, value: "{=getDataQuery()}", query: notes}
"#;
    let canvas = canvas
        .replace(
            "{=length(map(range(1, 21), 'count()'))}",
            &format!("{{={}}}", vec!["queryCount(query('notes'))"; 21].join(" + ")),
        )
        .replace("{=sum()}", "{=length(range(1, 100001))}");
    let query = "query: notes\ntype: note\norderBy: id\n";
    server.change(&[("queries/notes.yaml", query), ("canvases/many.yaml", &canvas)]).await;
    let answer = server.admin().get(&format!("{PATH}many")).await.is(200);
    assert_eq!(answer.at("/items/0/value"), "450 450 N449");
    assert_eq!(answer.at("/items/1/value"), "N449N000");
    let table = json!({"kind": "table", "columns": ["value"], "rows": [["N000"]], "total": 450});
    assert_eq!(drawn(&answer.at("/items/2")), table);
    assert_eq!(answer.at("/items/3/error/code"), "too_many_queries");
    assert_eq!(answer.at("/items/4/error/code"), "array_too_long");
    assert_eq!(answer.at("/items/5/error/code"), "wrong_kind");
}

/// Reads of a logged type are logged when a canvas reads them.
#[spec]
async fn reads_of_canvases_are_logged(engine: Engine) {
    let server = with_board(engine).await;
    let text = testing::FILES.iter().find(|(path, _)| *path == "types/article.yaml").unwrap().1;
    let logged = text.replace("title: Article\n", "title: Article\nlogReads: true\n");
    server.change(&[("types/article.yaml", &logged)]).await;
    let admin = server.admin();
    let overview = admin.get(&format!("{PATH}overview?least=20")).await.is(200);
    assert_eq!(drawn(&overview.at("/items/0")), json!({"kind": "number", "title": "How many", "value": 2}));
    let read = admin.get("/api/ext/v1/read-log?type=article").await.is(200);
    assert_eq!(read.at("/items").as_array().unwrap().len(), 2);
}

#[spec("E-150")]
async fn the_acting_user_is_told_what_that_user_sees(engine: Engine) {
    let canvas = "canvas: me\nitems:\n  - {kind: text, text: \"{=user('id')}\"}\n  - {kind: text, text: \"{=user('user_name')}\"}\n\
        \x20 - {kind: text, text: \"{=jsonEncode(user('wage'))}\"}\n  - {kind: text, text: \"{=jsonEncode(user('home.name'))}\"}\n\
        \x20 - {kind: text, text: \"{=jsonEncode(user().home.code)}\"}\n\
        \x20 - {kind: text, text: \"{=length(user('uuid'))} {=jsonEncode(user('createdBy.wage'))}\"}\n";
    let user = "name: user\nproperties:\n  wage: {id: 310, kind: pInteger}\n  home: {id: 311, kind: pRelation, type: country}\n";
    let reader = "role: reader\nsystem: [restApi]\ntypes:\n  country: {show: {where: \"{=code == 'CZ'}\"}}\n\
        \x20 user: {show: {where: \"{=id == user('id')}\", fields: [user_name, home]}}\n";
    let files = [("canvases/me.yaml", canvas), ("types/user.yaml", user), ("roles/reader.yaml", reader)];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    for (name, code) in [("Czechia", "CZ"), ("Hidden", "HI")] {
        admin.create("country", json!({"name": name, "code": code})).await;
    }
    let texts = async |home: i64| {
        server.set_user("reader", json!({"wage": 777, "home": home})).await;
        let answer = server.reader().get(&format!("{PATH}me")).await.is(200).json();
        let items = answer["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["text"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let id = server.user("reader").await.to_string();
    let name = texts(1).await.swap_remove(1);
    assert_eq!(texts(1).await, [&id, &name, "null", "\"Czechia\"", "\"CZ\"", "36 null"]);
    assert_eq!(texts(2).await, [&id, &name, "null", "null", "null", "36 null"]);
}
