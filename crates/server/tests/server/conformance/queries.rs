//! Named queries: lists whose filters the files give, with typed parameters, for whoever may list.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const PATH: &str = "/api/ext/v1/query/";

const QUERIES: [(&str, &str); 4] = [
    (
        "queries/window.yaml",
        "query: window
title: Articles in a window
type: article
params:
  from: {kind: pDate}
  to: {kind: pDate}
  status: {kind: pEnums, options: [draft, live, old]}
  text: {kind: pString}
  since: {kind: pDateTime}
  active: {kind: pBoolean}
  price: {kind: pDecimal, scale: 2}
filters:
  - {property: released, type: between, param: [{$param: from}, {$param: to}]}
  - {property: status, type: in, param: {$param: status}}
  - {property: published, type: gte, param: {$param: since}}
  - {property: '*', type: or, param: [{property: name, type: iContains, param: {$param: text}}, {property: body, type: iContains, param: {$param: text}}]}
  - {property: '*', type: not, param: [{property: active, type: neq, param: {$param: active}}]}
  - {property: price, type: eq, param: {$param: price}}
orderBy: [name]
",
    ),
    (
        "queries/by_author.yaml",
        "query: by_author
type: article
params: {author: {kind: pRelation, type: person, required: true}}
filters: [{property: author, type: eq, param: {$param: author}}]
orderBy: -id
fields: [name, author.name, cost]
",
    ),
    (
        "queries/paid.yaml",
        "query: paid
type: article
filters: [{property: author.salary, type: gt, param: 1}]
",
    ),
    ("queries/costly.yaml", "query: costly\ntype: article\norderBy: cost\n"),
];

async fn with_queries(engine: Engine) -> Server {
    let server = Server::with(engine, &QUERIES).await;
    let admin = server.admin();
    admin.create("person", json!({"name": "Ada", "salary": 5})).await;
    admin.create("person", json!({"name": "Bea"})).await;
    for body in [
        json!({"name": "Alpha", "views": 30, "author": 1, "released": "2026-01-10", "status": "live", "cost": 1}),
        json!({"name": "Beta", "views": 20, "author": 2, "released": "2026-02-10", "active": true, "body": "alpha too"}),
        json!({"name": "Gamma", "views": 10, "author": 1, "released": "2026-03-10", "status": "old", "price": 2.5}),
        json!({"name": "Delta", "views": 9, "published": "2026-03-10T12:00:00Z"}),
        json!({"name": "Epsilon", "views": 40}),
    ] {
        admin.create("article", body).await;
    }
    server
}

async fn names(client: &Client, path: &str) -> Vec<Json> {
    let reply = client.get(&format!("{PATH}{path}")).await;
    assert!([200, 204].contains(&reply.status), "{}: {}", reply.request, reply.text);
    reply.column("name")
}

#[spec]
async fn a_query_is_a_list_with_defaults(engine: Engine) {
    let server = with_queries(engine).await;
    let admin = server.admin();
    let page = admin.get(&format!("{PATH}popular")).await.is(200);
    assert_eq!(page.at("/stats"), json!({"page": 1, "itemsPerPage": 3, "fetched": 3, "total": 4}));
    assert_eq!(page.at("/data/0"), json!({"id": 5, "name": "Epsilon", "views": 40, "price": null}));
    assert_eq!(page.column("name"), ["Epsilon", "Alpha", "Beta"]);
    assert_eq!(names(&admin, "popular?page=2").await, ["Gamma"]);
    assert_eq!(names(&admin, "popular?least=25&perPage=1&page=2").await, ["Alpha"]);
    assert_eq!(names(&admin, "popular?author=1").await, ["Alpha", "Gamma"]);
    admin.get(&format!("{PATH}popular?least=1000")).await.is(204);
    let described =
        admin.get(&format!("{PATH}popular?showFields=views&wrapFields=views&propsMeta=views")).await.is(200);
    assert_eq!(described.at("/data/0/views/value"), json!(40));
    assert_eq!(described.at("/propsMeta/views/kind"), json!("pInteger"));
    // The same by SEARCH; the list of the same filters is the same.
    let body = json!({"least": 20, "author": 1, "perPage": 5});
    let searched = admin.search(&format!("{PATH}popular"), body).await.is(200);
    assert_eq!(searched.column("id"), [1]);
    let filters = r#"[{"property":"views","type":"gte","param":20},{"property":"author","type":"eq","param":1}]"#;
    let fields = "name,views,price";
    let list = [("filters", filters), ("orderBy", "-views"), ("showFields", fields), ("perPage", "5")];
    assert_eq!(admin.query("collection/article", &list).await.is(200).text, searched.text);
    admin.search(&format!("{PATH}popular"), json!({})).await.is(200);
    // An answer that the client has is not sent again, until something changes.
    let known = admin.with("if-none-match", page.header("etag"));
    known.get(&format!("{PATH}popular")).await.is(304);
    admin.patch("collection/article/2", json!({"views": 50})).await.is(200);
    assert_eq!(known.get(&format!("{PATH}popular")).await.is(200).column("name"), ["Beta", "Epsilon", "Alpha"]);
}

#[spec]
async fn parameters_without_a_value_leave_their_filters_out(engine: Engine) {
    let server = with_queries(engine).await;
    let admin = server.admin();
    for (path, expected) in [
        ("window", vec!["Alpha", "Beta", "Delta", "Epsilon", "Gamma"]),
        ("window?from=2026-02-01", vec!["Beta", "Gamma"]),
        ("window?to=2026-02-10", vec!["Alpha", "Beta"]),
        ("window?from=2026-02-01&to=2026-02-28", vec!["Beta"]),
        ("window?status=live,old", vec!["Alpha", "Gamma"]),
        ("window?status[]=live&status[]=old", vec!["Alpha", "Gamma"]),
        ("window?status=", vec![]),
        ("window?text=ALPHA", vec!["Alpha", "Beta"]),
        ("window?since=2026-03-10T13:00:00%2B01:00", vec!["Delta"]),
        ("window?since=2026-03-10T13:00:00", vec!["Delta"]),
        ("window?since=2026-03-10T13:00:01", vec![]),
        ("window?active=1", vec!["Beta"]),
        ("window?active=true", vec!["Beta"]),
        ("window?price=2.50", vec!["Gamma"]),
    ] {
        assert_eq!(names(&admin, path).await, expected, "{path}");
    }
    let nothing = json!({"status": ["old"], "active": null});
    admin.search(&format!("{PATH}window"), nothing).await.is(400).says("active cannot be null");
    let found = admin.search(&format!("{PATH}window"), json!({"status": ["old", "live"], "price": 2.5})).await.is(200);
    assert_eq!(found.column("name"), ["Gamma"]);
}

#[spec("D-2")]
async fn what_is_unknown_missing_or_malformed_is_refused(engine: Engine) {
    let server = with_queries(engine).await;
    let admin = server.admin();
    for (path, says) in [
        ("popular?lest=1", "There is no parameter \\\"lest\\\"."),
        ("popular?views=1", "There is no parameter"),
        ("popular?filters=[]", "There is no parameter"),
        ("popular?orderBy=id", "There is no parameter"),
        ("popular?tags=a", "There is no parameter"),
        ("popular?least=many", "The parameter least must be"),
        ("popular?least=-1", "The parameter least must be at least 0"),
        ("popular?least=1&least=2", "The parameter least is given twice."),
        ("popular?least=", "The parameter least must be"),
        ("popular?author=x", "The parameter author must be the id or the uuid"),
        ("popular?page=0", "page"),
        ("popular?showFields=nothing", "There is no property"),
        ("by_author", "The parameter author is missing."),
        ("window?status=live,red", "The parameter status must be one of"),
        ("window?from=soon", "The parameter from must be"),
        ("window?active=maybe", "The parameter active must be"),
    ] {
        admin.get(&format!("{PATH}{path}")).await.is(400).says(says);
    }
    for (body, says) in [
        (json!({"least": "many"}), "The parameter least must be"),
        (json!({"least": {"$property": "cost"}}), "The parameter least must be"),
        (json!({"least": [1]}), "The parameter least must be"),
        (json!({"author": {"$user": "id"}}), "The parameter author must be"),
    ] {
        admin.search(&format!("{PATH}popular"), body).await.is(400).says(says);
    }
    admin.search(&format!("{PATH}popular?least=1"), json!({"least": 1})).await.is(400).says("given twice");
    admin.search(&format!("{PATH}window"), json!({"status": "live"})).await.is(400).says("must be an array");
    admin.get(&format!("{PATH}nothing")).await.is(404);
    admin.post(&format!("{PATH}popular"), json!({"least": "x"})).await.is(400);
    admin.put(&format!("{PATH}popular"), json!({})).await.is(405);
}

/// The rights are those of whoever asks: on the type, on the fields, and on what filters and order name.
#[spec]
async fn a_query_shows_what_its_reader_may_list(engine: Engine) {
    let server = with_queries(engine).await;
    let (admin, editor, reader) = (server.admin(), server.editor(), server.reader());
    let by_author = |client: Client| async move { client.get(&format!("{PATH}by_author?author=1")).await.is(200) };
    assert_eq!(
        by_author(admin.clone()).await.at("/data/1"),
        json!({"id": 1, "name": "Alpha", "author": {"id": 1, "name": "Ada"}, "cost": 1})
    );
    assert_eq!(
        by_author(editor.clone()).await.at("/data/1"),
        json!({"id": 1, "name": "Alpha", "author": {"id": 1, "name": "Ada"}})
    );
    assert_eq!(by_author(reader.clone()).await.at("/data/1"), json!({"id": 1, "name": "Alpha"}));
    editor.get(&format!("{PATH}by_author?author=1&showFields=cost")).await.is(400).says("There is no property");
    // Who may not read what a filter or the order asks cannot run the query, and is not told of it.
    assert_eq!(names(&admin, "paid").await, ["Alpha", "Gamma"]);
    admin.get(&format!("{PATH}costly")).await.is(200);
    for (client, query) in [(&editor, "paid"), (&reader, "paid"), (&editor, "costly"), (&reader, "window?status=live")]
    {
        let refusal = client.get(&format!("{PATH}{query}")).await.is(403).lacks("salary").lacks("cost").lacks("status");
        assert_eq!(refusal.header("x-error-code"), "permission_missing");
    }
    let guest = server.role("outsider", "role: outsider\nsystem: [restApi]\ntypes:\n  note: {show: true}\n").await;
    guest.get(&format!("{PATH}popular")).await.is(403);
    guest.get(&format!("{PATH}popular?lest=1")).await.is(403);
    guest.get("/api/ext/v1/openapi.json?profile=contract").await.is(200).lacks("popular");
    server.client().get(&format!("{PATH}popular")).await.is(403);
    // A key whose scopes leave out the type cannot run its queries.
    let login = server.login("admin").await;
    for (scope, status) in [("collection:article:show", 200), ("collection:note:show", 403)] {
        let form = [("user", login.user.as_str()), ("password", &login.password), ("permissions", scope)];
        let key = server.client().post_form("auth", &form).await.is(200).at("/authToken/keyString");
        server.client().with("key", key.as_str().unwrap()).get(&format!("{PATH}popular")).await.is(status);
    }
}

/// Reads of a logged type are logged by queries, too, and the answers are not kept.
#[spec]
async fn queries_are_cached_and_logged_as_lists_are(engine: Engine) {
    let server = with_queries(engine).await;
    let admin = server.admin();
    for path in ["popular", "by_author?author=1"] {
        admin.get(&format!("{PATH}{path}")).await.is(200);
        let before = server.cache();
        let kept = admin.get(&format!("{PATH}{path}")).await.is(200);
        assert_eq!(server.cache().hits, before.hits + 1, "{path}");
        let fresh = admin.get(&format!("{PATH}{path}{}_noCache=1", if path.contains('?') { '&' } else { '?' })).await;
        assert_eq!(fresh.text, kept.text);
    }
    // What is expanded changes the answer.
    admin.patch("collection/person/1", json!({"name": "Adele"})).await.is(200);
    admin.get(&format!("{PATH}by_author?author=1")).await.is(200).says("Adele");
    let text = testing::FILES.iter().find(|(path, _)| *path == "types/article.yaml").unwrap().1;
    server
        .change(&[("types/article.yaml", &text.replace("title: Article\n", "title: Article\nlogReads: true\n"))])
        .await;
    admin.get(&format!("{PATH}popular?least=30")).await.is(200);
    let read = admin.get("/api/ext/v1/read-log?type=article").await.is(200);
    let ids: Vec<Json> = read.at("/items").as_array().unwrap().iter().map(|item| item["objectId"].clone()).collect();
    assert_eq!((ids.len(), ids.contains(&json!(5)), ids.contains(&json!(1))), (2, true, true));
}

/// A change of the file is another query at once, on the same addresses.
#[spec]
async fn a_changed_query_answers_anew(engine: Engine) {
    let server = with_queries(engine).await;
    let admin = server.admin();
    assert_eq!(names(&admin, "costly").await.len(), 5);
    server
        .change(&[(
            "queries/costly.yaml",
            "query: costly\ntype: article\nfilters: [{property: cost, type: isNotNull}]\n",
        )])
        .await;
    assert_eq!(names(&admin, "costly").await, ["Alpha"]);
    server.remove(&["queries/costly.yaml"]).await;
    admin.get(&format!("{PATH}costly")).await.is(404);
    let document = admin.get("/api/ext/v1/openapi.json?profile=contract").await.is(200);
    assert!(document.at("/paths/~1api~1ext~1v1~1query~1costly").is_null());
    let popular = document.at("/paths/~1api~1ext~1v1~1query~1popular/get");
    assert_eq!(popular["parameters"][0]["name"], "least");
    assert_eq!(popular["parameters"][0]["schema"]["default"], 10);
}

const DEFAULTS: (&str, &str) = (
    "queries/recent.yaml",
    "query: recent
type: article
params:
  since: {kind: pDate, default: \"{=date('Y-m-d', strtotime('-30 days'))}\"}
  until: {kind: pDate, default: \"{=appParameter('since') == '2026-01-01' ? '2026-12-31' : date('Y-m-d')}\"}
filters: [{property: released, type: between, param: [{$param: since}, {$param: until}]}]
orderBy: released
",
);
const OWN: (&str, &str) = (
    "queries/own.yaml",
    "query: own
type: article
params:
  owner: {kind: pUser, default: \"{=user()}\"}
  least: {kind: pInteger, default: \"{=user('user_name') == 'Edgar' ? 5 : jsonDecode('\\\"' ~ user('user_name') ~ '\\\"')}\"}
filters: [{property: owner, type: eq, param: {$param: owner}}, {property: views, type: gte, param: {$param: least}}]
",
);

/// Defaults are of the moment and of whoever asks; no answer outlives either.
#[spec("R-305")]
async fn defaults_are_calculated_when_a_query_runs(engine: Engine) {
    let server = Server::with(engine, &[DEFAULTS, OWN]).await;
    let admin = server.admin();
    let editor_id = server.user("editor").await;
    for (name, released, views) in [("Old", "2026-10-20", 1), ("New", "2026-10-25", 9), ("Next", "2026-11-21", 3)] {
        let owner = if views == 9 { editor_id } else { server.user("admin").await };
        admin.create("article", json!({"name": name, "released": released, "views": views, "owner": owner})).await;
    }
    assert_eq!(names(&admin, "recent").await, ["New"]);
    assert_eq!(names(&admin, "recent").await, ["New"]);
    assert_eq!(names(&admin, "recent?since=2026-10-01").await, ["Old", "New"]);
    assert_eq!(names(&admin, "recent?since=2026-01-01").await, ["Old", "New", "Next"]);
    assert_eq!(names(&admin, "recent?since=2026-01-01&until=2026-10-21").await, ["Old"]);
    // A day later, asked again: nothing was kept.
    server.clock().advance(24 * 3600);
    assert_eq!(names(&admin, "recent").await, ["New", "Next"]);
    server.clock().advance(5 * 24 * 3600);
    let tag = admin.get(&format!("{PATH}recent")).await.is(200).header("etag").to_owned();
    assert_eq!(names(&admin, "recent").await, ["Next"]);
    admin.with("if-none-match", &tag).get(&format!("{PATH}recent")).await.is(304);
    // Each user has their own; a default that fails says so, and whose it is.
    assert_eq!(names(&server.editor(), "own").await, ["New"]);
    admin.get(&format!("{PATH}own")).await.is(400).says("The default of the parameter least cannot be calculated");
    assert_eq!(names(&admin, "own?least=2").await, ["Next"]);
}
