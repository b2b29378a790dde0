//! Queries that answer groups: by the code, the rights and the limits of groups of a collection.

use super::Desk;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const BOARD: &str = "\
query: board
type: ticket
params:
  least: {kind: pInteger}
  plan: {kind: pString}
  label: {kind: pEnums, options: [red, blue, green]}
filters: [{property: company.plan, type: eq, param: {$param: plan}}]
groupBy: [status, {property: opened, by: month, as: month}]
values:
  tickets: count
  minutes: {function: sum, property: minutes}
  mean: {function: avg, property: price}
  marked: {function: count, filters: [{property: labels, type: anyOf, param: {$param: label}}]}
having: [{property: '*', type: or, param: [{property: tickets, type: gte, param: {$param: least}}]}]
orderBy: -tickets
perPage: 3
totals: true
";
/// The same without what only some may read.
const OPEN: &str = "\
query: open
type: ticket
groupBy: [status, company, {property: company.plan, as: plan}]
values: {tickets: count, price: {function: sum, property: price}}
";
const SECRET: &str = "\
query: secrets
type: ticket
groupBy: status
values: {sum: {function: sum, property: secret}}
";

const PATH: &str = "/api/ext/v1/query/";

async fn query(client: &Client, path: &str) -> Json {
    client.get(&format!("{PATH}{path}")).await.is(200).json()
}

#[spec("E-120")]
async fn a_query_answers_groups(desk: Desk) {
    desk.server.change(&[("queries/board.yaml", BOARD)]).await;
    let filled = |filters: Json, marked: Json, having: Json| {
        json!({
            "filters": filters,
            "groupBy": ["status", {"property": "opened", "by": "month", "as": "month"}],
            "values": {
                "tickets": "count",
                "minutes": {"function": "sum", "property": "minutes"},
                "mean": {"function": "avg", "property": "price"},
                "marked": {"function": "count", "filters": marked},
            },
            "having": having, "orderBy": ["-tickets"], "perPage": 3, "totals": true,
        })
    };
    let plan = json!([{"property": "company.plan", "type": "eq", "param": "gold"}]);
    let red = json!([{"property": "labels", "type": "anyOf", "param": ["red"]}]);
    let many = json!([{"property": "tickets", "type": "gte", "param": 2}]);
    for (parameters, body) in [
        ("", filled(json!([]), json!([]), json!([]))),
        ("?plan=gold", filled(plan.clone(), json!([]), json!([]))),
        ("?label=red&least=2", filled(json!([]), red.clone(), many)),
        ("?plan=gold&label=red", filled(plan, red, json!([]))),
    ] {
        let asked = desk.admin.post("/api/ext/v1/aggregate/ticket", body.clone()).await.is(200);
        let got = desk.admin.get(&format!("{PATH}board{parameters}")).await.is(200);
        assert_eq!(got.text, asked.text, "{parameters}");
        let mut paged = body;
        (paged["page"], paged["perPage"]) = (json!(2), json!(1));
        let asked = desk.admin.post("/api/ext/v1/aggregate/ticket", paged).await.is(200);
        let parameters = if parameters.is_empty() { "?".to_owned() } else { format!("{parameters}&") };
        assert_eq!(desk.admin.get(&format!("{PATH}board{parameters}page=2&perPage=1")).await.is(200).text, asked.text);
    }
    // All three methods ask alike, and no groups are 200.
    let body = json!({"plan": "gold", "label": ["red"]});
    let got = desk.admin.get(&format!("{PATH}board?plan=gold&label=red")).await.is(200);
    let posted = desk.admin.post(&format!("{PATH}board"), body.clone()).await.is(200);
    let searched = desk.admin.search(&format!("{PATH}board"), body).await.is(200);
    assert_eq!((&posted.text, &searched.text), (&got.text, &got.text));
    assert_eq!(query(&desk.admin, "board?plan=none").await["data"], json!([]));
    for (path, says) in [
        ("board?showFields=status", "The query answers groups."),
        ("board?wrapFields=*", "The query answers groups."),
        ("board?groupBy=status", "There is no parameter"),
        ("board?having=[]", "There is no parameter"),
        ("board?least=x", "The parameter least must be"),
    ] {
        desk.admin.get(&format!("{PATH}{path}")).await.is(400).says(says);
    }
    // The answer is remembered, and a change is seen at once.
    let tag = got.header("etag").to_owned();
    let again = desk.admin.with("if-none-match", &tag).get(&format!("{PATH}board?plan=gold&label=red")).await;
    again.is(304);
    desk.admin.patch("collection/ticket/1", json!({"minutes": 1000})).await.is(200);
    let after = desk.admin.with("if-none-match", &tag).get(&format!("{PATH}board?plan=gold&label=red")).await.is(200);
    assert_eq!(after.at("/totals/minutes"), 999);
}

#[spec("E-120", "D-3")]
async fn a_query_of_groups_tells_what_its_reader_may_group(desk: Desk) {
    let files = [("queries/board.yaml", BOARD), ("queries/open.yaml", OPEN), ("queries/secrets.yaml", SECRET)];
    desk.server.change(&files).await;
    let agent = desk.server.role("agent", super::AGENT).await;
    let body = json!({
        "groupBy": ["status", "company", {"property": "company.plan", "as": "plan"}],
        "values": {"tickets": "count", "price": {"function": "sum", "property": "price"}},
    });
    for client in [&agent, &desk.admin] {
        let asked = client.post("/api/ext/v1/aggregate/ticket", body.clone()).await.is(200);
        assert_eq!(client.get(&format!("{PATH}open")).await.is(200).text, asked.text);
    }
    // What no row shows makes it a query for others: its name is not told, and nothing of the values.
    let refused = agent.get(&format!("{PATH}secrets")).await.is(403).says("properties that you may not read");
    refused.lacks("secret\\\"").lacks("sum");
    // A filter that is left out asks for nothing.
    agent.get(&format!("{PATH}board?label=red")).await.is(403);
    agent.get(&format!("{PATH}board")).await.is(200);
    let nobody = desk.server.role("nobody", "role: nobody\nsystem: [restApi]\ntypes: {}\n").await;
    nobody.get(&format!("{PATH}open")).await.is(403);
    desk.admin.get(&format!("{PATH}closed")).await.is(404);
}

const CANVAS: &str = r#"
canvas: desk
params: {plan: {kind: pString}}
items:
  - {kind: number, query: board, value: "{=dataQueryCount()}"}
  - {kind: number, query: board, value: "{=dataQueryMax('minutes') ~ '/' ~ dataQueryMin('tickets') ~ '/' ~ dataQueryFetch('month')}"}
  - {kind: table, query: open, rows: "{=map(dataQueryFetchAll(), {Plan: 'plan', Sum: 'price'})}"}
  - {kind: number, query: open, value: "{=dataQueryFetchObject().price * 2}"}
  - {kind: number, value: "{=queryFetchObjects(query('board', {plan: 'gold'}))[0].tickets + queryCount(query('open'))}"}
  - {kind: table, query: paths}
  - {kind: number, query: paths, value: "{=join(',', dataQueryFetchAll('company.plan') ?? [])}"}
  - {kind: chart, chart: bar, title: Board, query: board, params: {plan: "{=appParameter('plan')}"}, x: status, series: month, y: tickets}
  - {kind: chart, chart: line, title: "{=dataQueryCount() ~ ' months'}", query: months, x: month, y: {Tickets: tickets, Mean: mean}}
  - {kind: chart, chart: pie, query: paths, x: company.plan, y: tickets}
  - {kind: chart, chart: bar, query: secrets, x: status, y: sum}
  - {kind: chart, chart: bar, query: sorted, x: status, y: tickets}
  - {kind: chart, chart: bar, query: newest, x: month, series: status, y: tickets}
  - {kind: chart, chart: bar, query: wide, x: subject, series: opened, y: tickets}
"#;
const PATHS: &str = "query: paths\ntype: ticket\ngroupBy: company.plan\nvalues: {tickets: count}\n";
const MONTHS: &str = "\
query: months
type: ticket
groupBy: [{property: opened, by: quarter, as: month}]
values: {tickets: count, mean: {function: avg, property: minutes}}
fill: true
";
const SORTED: &str =
    "query: sorted\ntype: ticket\ngroupBy: status\nvalues: {tickets: count}\norderBy: -tickets, -status\n";
const NEWEST: &str = "\
query: newest
type: ticket
groupBy: [status, {property: opened, by: month, as: month}]
values: {tickets: count}
orderBy: [-month, -status]
";
const WIDE: &str = "\
query: wide
type: ticket
groupBy: [subject, {property: opened, by: day, as: opened}]
values: {tickets: count}
filters: [{property: subject, type: isNotNull}]
";

impl Desk {
    async fn canvas(&self, client: &Client) -> Vec<Json> {
        client.get("/api/ext/v1/canvas/desk").await.is(200).json()["items"].as_array().unwrap().clone()
    }

    async fn with_canvas(&self) {
        let files = [
            ("queries/board.yaml", BOARD),
            ("queries/open.yaml", OPEN),
            ("queries/secrets.yaml", SECRET),
            ("queries/paths.yaml", PATHS),
            ("queries/months.yaml", MONTHS),
            ("queries/sorted.yaml", SORTED),
            ("queries/newest.yaml", NEWEST),
            ("queries/wide.yaml", WIDE),
            ("canvases/desk.yaml", CANVAS),
        ];
        self.server.change(&files).await;
        self.server.set_user("admin", json!({"timezone": "Europe/Prague"})).await;
    }
}

#[spec("E-158", "D-3")]
async fn a_chart_names_the_properties_that_it_shows(desk: Desk) {
    desk.with_canvas().await;
    let items = desk.canvas(&desk.admin).await;
    let tickets = json!({"function": "count", "property": null});
    let by_month = json!({"property": "opened", "by": "month"});
    let expected = json!({"x": {"property": "status"}, "series": by_month, "y": [tickets]});
    assert_eq!(items[7]["axes"], expected);
    let mean = json!({"function": "avg", "property": "minutes"});
    let expected = json!({"x": {"property": "opened", "by": "quarter"}, "y": [tickets, mean]});
    assert_eq!(items[8]["axes"], expected);
    let expected = json!({"x": {"property": "company.plan"}, "y": [tickets]});
    assert_eq!(items[9]["axes"], expected);
    assert_eq!(items[10]["axes"]["y"], json!([{"function": "sum", "property": "secret"}]));
    // No other item has them, and an item that the caller may not see names nothing.
    assert_eq!((&items[0]["axes"], &items[2]["axes"]), (&Json::Null, &Json::Null));
    let agent = desk.server.role("agent", super::AGENT).await;
    let refused = &desk.canvas(&agent).await[10];
    assert_eq!((&refused["error"]["code"], &refused["axes"]), (&json!("permission_missing"), &Json::Null));
}

#[spec("E-121")]
async fn expressions_fetch_groups_as_objects(desk: Desk) {
    desk.with_canvas().await;
    let items = desk.canvas(&desk.admin).await;
    let board = query(&desk.admin, "board?perPage=100").await;
    assert_eq!(items[0]["value"], board["stats"]["total"], "{}", items[0]);
    let first = &board["data"][0];
    assert_eq!(items[1]["value"], format!("20/1/{}", first["month"].as_str().unwrap()));
    let open = query(&desk.admin, "open").await;
    let rows: Vec<Json> =
        open["data"].as_array().unwrap().iter().map(|row| json!([row["plan"], row["price"]])).collect();
    assert_eq!((&items[2]["columns"], &items[2]["rows"]), (&json!(["Plan", "Sum"]), &json!(rows)));
    // A sum of decimals is a decimal.
    assert_eq!(items[3]["value"], 0.2);
    let gold = query(&desk.admin, "board?plan=gold").await;
    let expected = gold["data"][0]["tickets"].as_i64().unwrap() + open["stats"]["total"].as_i64().unwrap();
    assert_eq!(items[4]["value"], expected);
    assert_eq!(items[5]["columns"], json!(["company.plan", "tickets"]));
    assert_eq!(items[5]["rows"], json!([["free", 3], ["gold", 2], [null, 2]]));
    assert_eq!(items[6]["value"], "free,gold,");
}

#[spec("E-122")]
async fn a_chart_takes_the_keys_and_values_of_groups(desk: Desk) {
    desk.with_canvas().await;
    let items = desk.canvas(&desk.admin).await;
    // Ticket 1 is of February in Prague. A number of rows that are not there is 0. The query sorts by tickets.
    let expected = json!({
        "kind": "chart", "title": "Board", "chart": "bar", "x": ["solved", "waiting", "open", null],
        "series": [
            {"title": "2026-01", "values": [0, 0, 1, 0]}, {"title": "2026-02", "values": [0, 0, 1, 0]},
            {"title": "2026-03", "values": [2, 0, 0, 0]}, {"title": "2026-10", "values": [0, 2, 0, 0]},
            {"title": "", "values": [0, 0, 0, 1]},
        ],
    });
    assert_eq!(super::super::canvases::drawn(&items[7]), expected);
    let expected = json!({
        "kind": "chart", "title": "5 months", "chart": "line",
        "x": ["2026-Q1", "2026-Q2", "2026-Q3", "2026-Q4", null],
        "series": [
            {"title": "Tickets", "values": [4, 0, 0, 2, 1]},
            {"title": "Mean", "values": [12.5, null, null, null, null]},
        ],
    });
    assert_eq!(super::super::canvases::drawn(&items[8]), expected);
    assert_eq!(
        (&items[9]["x"], &items[9]["series"]),
        (&json!(["free", "gold", null]), &json!([{"title": "tickets", "values": [3, 2, 2]}]))
    );
    assert_eq!(items[10]["series"], json!([{"title": "sum", "values": [5, 0, 0, 0]}]));
    // The order of the query is that of the axis.
    assert_eq!(items[11]["x"], json!(["waiting", "solved", "open", null]));
    assert_eq!(items[12]["x"], json!([null, "2026-10", "2026-03", "2026-02", "2026-01"]));
    let titles: Vec<&Json> = items[12]["series"].as_array().unwrap().iter().map(|series| &series["title"]).collect();
    assert_eq!(titles, ["", "waiting", "solved", "open"]);
    // Parameters of the canvas are those of the query.
    let gold = desk.admin.get("/api/ext/v1/canvas/desk?plan=gold").await.is(200);
    assert_eq!(gold.at("/items/7/x"), json!(["open", "solved"]));
    // Who may not group by a property has an error in the item, and the others.
    let agent = desk.server.role("agent", super::AGENT).await;
    let items = desk.canvas(&agent).await;
    assert_eq!(items[10]["error"]["code"], "permission_missing", "{}", items[10]);
    assert_eq!(items[9]["series"], json!([{"title": "tickets", "values": [1, 1]}]));
    assert_eq!(items[9]["x"], json!(["gold", null]));
}

#[spec("E-122")]
async fn a_chart_has_so_many_points(desk: Desk) {
    desk.with_canvas().await;
    let rows: Vec<Json> = (0..400)
        .map(|number| {
            let day = format!("{}-{:02}-{:02}T12:00:00Z", 2001 + number / 300, 1 + number % 12, 1 + number / 12 % 25);
            json!({"op": "create", "type": "ticket", "set": {"subject": format!("n{number}"), "opened": day}})
        })
        .collect();
    desk.admin.post("/api/ext/v1/batch", json!({"operations": rows})).await.is(200);
    let items = desk.canvas(&desk.admin).await;
    assert_eq!(items[13]["error"]["code"], "too_many_points", "{}", items[13]["error"]);
}

#[spec("E-121")]
async fn an_automation_goes_through_groups(engine: Engine) {
    let query = "query: authors\ntype: article\nparams: {least: {kind: pInteger}}\ngroupBy: author\n\
        values: {articles: count, views: {function: sum, property: views}}\n\
        having: [{property: views, type: gte, param: {$param: least}}]\norderBy: -views\n";
    let automation = r#"
automation: one
on: {event: article.created, if: "{=name == 'Last'}"}
do:
  - forEach:
      in: "{=queryFetchObjects(query('authors', {least: 5}))}"
      as: group
      do:
        - create: {type: person, set: {name: "{=var('group').author ?? 'nobody'}: {=var('group').articles} {=var('group').views}"}}
  - create: {type: person, set: {name: "{=dataQueryCount()} {=dataQueryMax('views')}"}}
    query: authors
"#;
    let server = Server::with(engine, &[("queries/authors.yaml", query), ("automations/one.yaml", automation)]).await;
    let admin = server.admin();
    for name in ["Ann", "Bob"] {
        admin.create("person", json!({"name": name})).await;
    }
    for (name, author, views) in
        [("A", Some(1), 3), ("B", Some(1), 4), ("C", Some(2), 2), ("D", None, 30), ("Last", None, 0)]
    {
        admin.create("article", json!({"name": name, "author": author, "views": views})).await;
    }
    server.run_automations().await;
    let people = admin.get("collection/person?orderBy=id").await.is(200).column("name");
    assert_eq!(people, ["Ann", "Bob", "nobody: 2 30", "1: 2 7", "3 30"]);
}
