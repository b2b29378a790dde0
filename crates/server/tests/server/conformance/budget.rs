//! The steps of an evaluation and of all that lies within it: one account, whichever way leads there.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

/// Parts that take about three hundred and thirty thousand steps each to be shown: counting to a hundred thousand, and joining
/// that, takes 165,280.
const PART: &str = r#"
id: 50
name: part
properties:
  count:  {id: 500, kind: pInteger, required: true, default: 1}
  dear:   {id: 501, kind: pCalculated, calculate: "{=length(join('', range(1, count))) + length(join('', range(1, count)))}"}
  text:   {id: 502, kind: pString}
"#;

/// What asks for parts, in each way that there is, and takes half a million steps of its own.
const KIT: &str = r#"
id: 51
name: kit
properties:
  one:    {id: 510, kind: pRelation, type: part}
  two:    {id: 511, kind: pRelation, type: part}
  own:    {id: 512, kind: pInteger, required: true, default: 1}
  alone:  {id: 520, kind: pCalculated, calculate: "{=length(join('', range(1, own))) + length(join('', range(1, own))) + length(join('', range(1, own)))}"}
  listed: {id: 521, kind: pCalculated, calculate: "{=length(queryFetchRows(query('parts')))}"}
  both:   {id: 522, kind: pCalculated, calculate: "{=length(join('', range(1, own))) + length(join('', range(1, own))) + length(join('', range(1, own))) + length(queryFetchRows(query('parts')))}"}
  shown:  {id: 523, kind: pCalculated, calculate: "{=[toApiArray(one).dear, toApiArray(two).dear]}"}
  often:  {id: 524, kind: pCalculated, calculate: "{=[toApiArray(one).dear, toApiArray(two).dear, toApiArray(one).dear, toApiArray(two).dear]}"}
  asked:  {id: 525, kind: pCalculated, calculate: "{=length(join('', range(1, own))) + length(join('', range(1, own))) + length(join('', range(1, own))) + length(queryFetchRows(query('counted')))}"}
  given:  {id: 526, kind: pCalculated, calculate: "{=length(join('', range(1, own))) + length(join('', range(1, own))) + length(join('', range(1, own))) + length(queryFetchRows(query('counted', {least: 0})))}"}
"#;

const PARTS: &str = "query: parts\ntype: part\nfields: [dear]\norderBy: id\n";
/// Its parameter's default takes about six hundred and sixty thousand steps.
const COUNTED: &str = "query: counted\ntype: part\nfields: [text]\nparams: {least: {kind: pInteger, default: \
    \"{=length(join('', range(1, 100000))) + length(join('', range(1, 100000))) + length(join('', range(1, 100000))) + length(join('', range(1, 100000)))}\"}}\n\
    filters: [{property: count, type: gte, param: {$param: least}}]\n";

const FILES: [(&str, &str); 4] = [
    ("types/part.yaml", PART),
    ("types/kit.yaml", KIT),
    ("queries/parts.yaml", PARTS),
    ("queries/counted.yaml", COUNTED),
];

async fn kit(engine: Engine, parts: usize) -> (Server, Json) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let mut made = Vec::new();
    for _ in 0..parts {
        made.push(admin.create("part", json!({"count": 100_000})).await["id"].clone());
    }
    let kit = admin.create("kit", json!({"one": made[0], "two": made[1], "own": 100_000})).await["id"].clone();
    (server, kit)
}

/// The value, or the error.
async fn shown(client: &Client, kit: &Json, field: &str) -> Result<Json, String> {
    let reply = client.get(&format!("collection/kit/{kit}?showFields={field}&wrapFields={field}")).await.is(200);
    match reply.at(&format!("/{field}/error")) {
        Json::Null => Ok(reply.at(&format!("/{field}/value"))),
        error => Err(error.as_str().unwrap_or_default().to_owned()),
    }
}

#[spec]
async fn what_an_expression_asks_for_is_paid_out_of_its_account(engine: Engine) {
    let (server, kit) = kit(engine, 2).await;
    let admin = server.admin();
    // Each by itself has enough.
    for field in ["alone", "listed", "shown"] {
        assert!(shown(&admin, &kit, field).await.is_ok(), "{field}");
    }
    // Both together have not: its own steps, and those of the rows that it asks for.
    for field in ["both", "often", "asked"] {
        let error = shown(&admin, &kit, field).await.unwrap_err();
        assert!(error.contains("steps"), "{field}: {error}");
    }
    // The default is not calculated where the parameter is given.
    assert!(shown(&admin, &kit, "given").await.is_ok());
    // Each row, and each calculation of it, has an account of its own.
    for _ in 0..3 {
        admin.create("part", json!({"count": 100_000})).await;
    }
    let parts = admin.get("collection/part?showFields=dear").await.is(200).column("dear");
    assert_eq!((parts.len(), parts[0].as_i64()), (5, Some(2 * 488_895)), "{parts:?}");
    assert!(parts.iter().all(|part| *part == parts[0]), "{parts:?}");
    let error = shown(&admin, &kit, "listed").await.unwrap_err();
    assert!(error.contains("steps"), "{error}");
}

/// What takes too much by itself fails by itself: whoever asks for it goes on without.
#[spec]
async fn a_row_that_is_too_dear_by_itself_is_shown_without(engine: Engine) {
    let greedy = "id: 50\nname: part\nproperties:\n  dear: {id: 501, kind: pCalculated, calculate: \"{=range(1, 10000000000)}\"}\n  \
                  name: {id: 502, kind: pString}\n";
    let asks = "id: 51\nname: kit\nproperties:\n  \
                names: {id: 510, kind: pCalculated, calculate: \"{=queryFetchRows(query('parts'), 'name')}\"}\n";
    let query = "query: parts\ntype: part\nfields: [name, dear]\norderBy: id\n";
    let files = [("types/part.yaml", greedy), ("types/kit.yaml", asks), ("queries/parts.yaml", query)];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    for name in ["a", "b"] {
        admin.create("part", json!({"name": name})).await;
    }
    admin.create("kit", json!({})).await;
    assert_eq!(admin.get("collection/kit?showFields=names").await.is(200).column("names"), [json!(["a", "b"])]);
}

/// A list of what queries its own list.
const ECHO: &str = r#"
id: 52
name: echo
properties:
  name:   {id: 520, kind: pString}
  depth:  {id: 522, kind: pCalculated, calculate: "{=1 + (queryFetchRow(query('last'), 'depth') ?? 0)}"}
  echoes: {id: 523, kind: pCalculated, calculate: "{=name ~ join('', queryFetchRows(query('all'), 'echoes'))}"}
"#;

const MIRROR: &str = "id: 53\nname: mirror\nproperties:\n  opposite: {id: 530, kind: pRelation, type: mirror}\n  \
                      shown: {id: 531, kind: pCalculated, calculate: \"{=toApiArray(opposite)}\"}\n";

/// Three mirrors in each, eight times over.
const FAN: &str = "id: 54\nname: fan\nproperties:\n  opposite: {id: 540, kind: pRelation, type: fan}\n  \
                   shown: {id: 541, kind: pCalculated, calculate: \
                   \"{=[toApiArray(opposite), toApiArray(opposite), toApiArray(opposite)]}\"}\n";

const ECHOES: [(&str, &str); 5] = [
    ("types/echo.yaml", ECHO),
    ("types/mirror.yaml", MIRROR),
    ("types/fan.yaml", FAN),
    ("queries/all.yaml", "query: all\ntype: echo\nfields: [name, echoes]\n"),
    ("queries/last.yaml", "query: last\ntype: echo\nfields: [depth]\nperPage: 1\n"),
];

#[spec]
async fn a_list_that_asks_for_itself_ends_with_its_error(engine: Engine) {
    let server = Server::with(engine, &ECHOES).await;
    let admin = server.admin();
    let first = admin.create("echo", json!({"name": "a"})).await["id"].clone();
    // One row asks for one: eight lie in one another, and the deepest has nothing more.
    let row = admin.get(&format!("collection/echo/{first}?showFields=depth,echoes")).await.is(200);
    assert_eq!((row.at("/depth"), row.at("/echoes")), (json!(8), json!("aaaaaaaa")));
    // Several ask for several: the account ends before they all have, and with it each row of the list.
    for name in ["b", "c"] {
        admin.create("echo", json!({"name": name})).await;
    }
    let list = admin.get("collection/echo?showFields=echoes,name&wrapFields=echoes").await.is(200);
    for row in list.column("echoes") {
        assert!(row["error"].as_str().unwrap_or_default().contains("too many steps"), "{row}");
    }
    assert_eq!(list.column("name"), ["a", "b", "c"]);
}

#[spec]
async fn answers_within_answers_share_their_steps(engine: Engine) {
    let server = Server::with(engine, &ECHOES).await;
    let admin = server.admin();
    let mut shown = Vec::new();
    for of in ["mirror", "fan"] {
        let path = format!("collection/{of}/{}", admin.create(of, json!({})).await["id"]);
        let opposite = json!({"opposite": path.rsplit('/').next().unwrap().parse::<i64>().unwrap()});
        admin.patch(&path, opposite).await.is(200);
        shown.push(admin.get(&format!("{path}?showFields=shown&wrapFields=shown")).await.is(200).at("/shown"));
    }
    let (mut answer, mut depth) = (shown[0]["value"].take(), 0);
    while answer.is_object() {
        (answer, depth) = (answer["shown"].take(), depth + 1);
    }
    assert_eq!(depth, 8, "{}", shown[0]);
    assert!(shown[1]["error"].as_str().unwrap().contains("too many steps"), "{}", shown[1]);
}
