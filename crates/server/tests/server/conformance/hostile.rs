//! Expressions that are configured, or stored as data, to do harm.

use configuration::{Files, check};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
const QUERIES: &str = "/api/ext/v1/query/";

/// What evaluating it would read a secret for, and what would show that it was evaluated at all.
const EVIL: &str = "{=getSecret('x')}{=1+1}";

const POST: &str = r#"
name: post
titleProperty: title
properties:
  title:  {kind: pString, title: Title, searchable: true}
  body:   {kind: pText}
  copied: {kind: pString, default: "{=title}"}
  joined: {kind: pString, calculate: "{=title ~ '!'}"}
  mapped: {kind: pCalculated, calculate: "{=map([{t: title}], 't')}"}
  made:   {kind: pCalculated, calculate: "by {=user('user_name')}: {=upper(title)}"}
"#;

/// A list of posts, with a parameter whose default is somebody's name.
const POSTS: &str = r#"
query: posts
type: post
params: {by: {kind: pString, default: "{=user('user_name')}"}}
filters: [{property: title, type: neq, param: {$param: by}}]
fields: [title, joined]
"#;

const BOARD: &str = r#"
canvas: board
items:
  - {kind: text, text: "Newest: {=queryFetchRow(query('posts'), 'title')}"}
"#;

#[spec("A125")]
async fn an_expression_in_data_is_a_text(engine: Engine) {
    let role = "role: author\nsystem: [restApi]\ntypes: {post: {show: true, create: true, edit: true}}\n";
    let user = format!("user: eve@acme.test\nname: \"{EVIL}\"\nroles: [author]\n");
    let files = [
        ("types/post.yaml", POST),
        ("queries/posts.yaml", POSTS),
        ("canvases/board.yaml", BOARD),
        ("roles/author.yaml", role),
        ("users/eve.yaml", &user),
    ];
    let server = Server::with(engine, &files).await;
    let eve = server.client().with("key", &server.key("eve").await);
    let made = eve.create("post", json!({"title": EVIL, "body": EVIL})).await;
    let path = format!("collection/post/{}", made["id"]);
    let shown = eve.get(&path).await.is(200).json();
    for post in [&made, &shown, &eve.get("collection/post").await.is(200).at("/data/0")] {
        for property in ["title", "body", "copied"] {
            assert_eq!(post[property], EVIL, "{property}");
        }
        assert_eq!(post["joined"], format!("{EVIL}!"));
    }
    let calculated = eve.get(&format!("{path}?showFields=mapped,made")).await.is(200);
    assert_eq!(calculated.at("/mapped"), json!([EVIL]));
    assert_eq!(calculated.at("/made"), format!("by {EVIL}: {}", EVIL.to_uppercase()));
    // Changed, appended to, found, and sent as a parameter, it is a text, too.
    let patched = eve.patch(&path, json!({"title": format!("{EVIL} {EVIL}"), "body+=": EVIL})).await;
    assert!([200, 400].contains(&patched.status), "{}", patched.text);
    eve.patch(&path, json!({"title": format!("{EVIL} {EVIL}")})).await.is(200);
    assert_eq!(eve.get(&path).await.is(200).at("/joined"), format!("{EVIL} {EVIL}!"));
    let listed = eve.get(&format!("{QUERIES}posts")).await.is(200);
    assert_eq!(listed.column("title"), [json!(format!("{EVIL} {EVIL}"))]);
    let found = eve.search(&format!("{QUERIES}posts"), json!({"by": EVIL})).await.is(200);
    assert_eq!(found.text, listed.text);
    let board = server.admin().get("/api/ext/v1/canvas/board").await.is(200);
    assert_eq!(board.at("/items/0/text"), format!("Newest: {EVIL} {EVIL}"));
    for format in ["jsonl", "csv"] {
        let (done, exported) = server.command(PLINTH, &["export", "post", "--format", format]).await;
        assert!(done && exported.contains("{=getSecret('x')}{=1+1}"), "{exported}");
    }
}

/// The texts of a random length or of random characters that no machine should make.
const GREEDY: &str = r#"
name: greedy
properties:
  long:   {kind: pCalculated, calculate: "{=random(1000000000)}"}
  less:   {kind: pCalculated, calculate: "{=random(-1)}"}
  none:   {kind: pCalculated, calculate: "{=random(5, '')}"}
  word:   {kind: pCalculated, calculate: "{=random('x')}"}
"#;

#[spec("A120")]
async fn others_are_answered_while_somebody_asks_for_a_billion_characters(engine: Engine) {
    let server = Server::with(engine, &[("types/greedy.yaml", GREEDY)]).await;
    let admin = server.admin();
    let id = admin.create("greedy", json!({})).await["id"].clone();
    let greedy = async |client: Client| {
        for _ in 0..20 {
            let row = client.get(&format!("collection/greedy/{id}")).await.is(200);
            assert_eq!([row.at("/long"), row.at("/less"), row.at("/none"), row.at("/word")], [const { Json::Null }; 4]);
        }
    };
    let others = async |client: Client| {
        for _ in 0..20 {
            client.get("collection/article").await.is(204);
        }
    };
    tokio::join!(greedy(admin.clone()), greedy(admin.clone()), others(admin.clone()), others(server.editor()));
}

/// Types whose calculations query one another and themselves.
const RING: [(&str, &str); 4] = [
    (
        "types/ring.yaml",
        r#"
name: ring
properties:
  name:  {kind: pString}
  again: {kind: pCalculated, calculate: "{=queryFetchRow(query('rings'), 'again')}"}
  other: {kind: pCalculated, calculate: "{=queryFetchRow(query('bands'), 'other')}"}
"#,
    ),
    (
        "types/band.yaml",
        r#"
name: band
properties:
  name:  {kind: pString}
  other: {kind: pCalculated, calculate: "{=queryFetchRow(query('rings'), 'other')}"}
  count: {kind: pCalculated, calculate: "{=queryCount(query('rings'))}"}
"#,
    ),
    ("queries/rings.yaml", "query: rings\ntype: ring\nfields: [name, again, other]\n"),
    ("queries/bands.yaml", "query: bands\ntype: band\nfields: [name, other]\n"),
];

#[spec(plain, "A124")]
fn a_condition_that_queries_is_refused() {
    let asks =
        RING[0].1.replace("{kind: pString}", "{kind: pString, condition: \"{=queryCount(query('rings')) > 0}\"}");
    let mut files = Files::default();
    files.insert("tenant.yaml", "tenant: acme\n");
    for (path, text) in RING {
        files.insert(path, if path == "types/ring.yaml" { asks.as_str() } else { text });
    }
    let problems = check(&files).map(drop).unwrap_err();
    let told = problems.iter().map(|problem| (problem.code.to_string(), problem.key.as_str())).collect::<Vec<_>>();
    assert_eq!(told, [("calculation_untracked".to_owned(), "properties.name.condition")]);
}

#[spec("A124")]
async fn what_queries_itself_ends(engine: Engine) {
    let server = Server::with(engine, &RING).await;
    let admin = server.admin();
    for number in 0..6 {
        admin.create("ring", json!({"name": format!("r{number}")})).await;
        admin.create("band", json!({"name": format!("b{number}")})).await;
    }
    for path in ["collection/ring", "collection/band", "/api/ext/v1/query/rings", "/api/ext/v1/query/bands"] {
        let reply = admin.get(path).await.is(200);
        let none = |name: &str| reply.column(name).iter().all(Json::is_null);
        assert!(none("other") && (path.ends_with('d') || path.ends_with("bands") || none("again")), "{}", reply.text);
    }
    // Nothing is told of how deep it went.
    let reply = admin.get("collection/ring/1?showFields=again,other&wrapFields=again,other").await.is(200);
    assert_eq!([reply.at("/again/value"), reply.at("/other/value")], [const { Json::Null }; 2]);
    // Nor is what asks for a list that does not end: it has all its steps taken.
    let count = admin.get("collection/band/1?showFields=count&wrapFields=count").await.is(200);
    assert_eq!((count.at("/count/value"), count.text.contains("too many steps")), (Json::Null, true));
    admin.get("collection/article").await.is(204);
}
