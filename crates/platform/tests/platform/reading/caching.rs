//! What the cache keeps: within its bytes, not where it is off, and not beyond a command's write.

use super::world::{World, pairs};
use accounts::users;
use context::caller_key::CallerKey;
use platform::tenants;
use platform::tenants::Settings;
use query::read_query::ReadQuery;
use query::request::ListRequest;
use serde_json::{Value as Json, json};
use spec::spec;
use tenant::cache::Answer;
use testing::{Engine, Subject};
use tokio::task::block_in_place;
use transfer::import;
use transfer::import::{ImportMode, ImportOptions};

const FILES: &[(&str, &str)] = &[
    ("tenant.yaml", "tenant: acme\napi: {maxPageLength: 500}\n"),
    ("roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes:\n  \"*\": {show: true, edit: true}\n"),
    ("users/ada.yaml", "user: ada@acme.test\nname: Ada\nroles: [admin]\n"),
    (
        "types/thing.yaml",
        "id: 10\nname: thing\ncodeProperty: code\nproperties:\n  code: {id: 100, kind: pInteger, unique: true}\n  \
         text: {id: 101, kind: pString}\n",
    ),
];

/// Few bytes, so that few answers fill them.
const BYTES: u64 = 200_000;

/// A tenant with sixty things, in a process with few bytes for answers.
struct Small(World, CallerKey);

/// The same in a process that keeps nothing.
struct Off(World, CallerKey);

impl Subject for Small {
    async fn on(engine: Engine) -> Self {
        let (world, key) = block_in_place(|| make(engine, BYTES));
        Small(world, key)
    }
}

impl Subject for Off {
    async fn on(engine: Engine) -> Self {
        let (world, key) = block_in_place(|| make(engine, 0));
        Off(world, key)
    }
}

fn make(engine: Engine, cache_bytes: u64) -> (World, CallerKey) {
    let world = World::set(engine, FILES, Settings { cache_bytes, ..Settings::default() });
    let rows: Vec<Json> = (0..60).map(|code| json!({"code": code, "text": "x".repeat(200)})).collect();
    world.put("thing", &rows);
    let make = |tx: &mut database::Tx<'_>, context: &context::request_context::RequestContext| {
        users::create_key(tx, context, "ada@acme.test", None)
    };
    let key = world.tenant.write_as_administrator(make).unwrap().text.unwrap();
    (world, CallerKey::parse(&key).unwrap())
}

async fn ask(world: &World, key: &CallerKey, query: &[(&str, &str)], fresh: bool) -> Answer {
    let request = ListRequest::parse(&pairs(query), None).unwrap();
    let question = ReadQuery::List { collection: "thing".into(), request };
    tenants::answer(&world.tenant, key, question, fresh).await.unwrap()
}

#[spec("D-28")]
async fn one_cache_has_a_byte_budget(Small(world, key): Small) {
    let mut asked = 0;
    for page in 1..=10 {
        for order in ["code", "-code", "text,code", "-text,-code", "id"] {
            for filter in ["[]", r#"[{"property":"code","type":"gte","param":1}]"#] {
                let page = page.to_string();
                let query = [("page", &*page), ("perPage", "6"), ("orderBy", order), ("filters", filter)];
                let kept = ask(&world, &key, &query, false).await;
                assert_eq!(kept, ask(&world, &key, &query, true).await);
                asked += kept.body.size();
                assert!(world.platform.cache_figures().bytes <= BYTES);
            }
        }
    }
    let figures = world.platform.cache_figures();
    assert!(asked as u64 > BYTES / 2 && figures.bytes > BYTES / 4, "{figures:?}");
    assert_eq!((figures.hits, figures.misses), (0, 100));
    // One answer that is too large for it is not kept, and pushes nothing out.
    ask(&world, &key, &[("perPage", "60"), ("orderBy", "text")], false).await;
    assert!(world.platform.cache_figures().bytes <= BYTES);
}

#[spec("D-28")]
async fn without_bytes_nothing_is_kept(Off(world, key): Off) {
    for _ in 0..3 {
        ask(&world, &key, &[("orderBy", "-code")], false).await;
    }
    let figures = world.platform.cache_figures();
    assert_eq!((figures.hits, figures.misses, figures.bytes), (0, 0, 0));
}

#[spec("R-082")]
async fn an_import_ends_answers(Small(world, key): Small) {
    let query = [("perPage", "5"), ("orderBy", "text"), ("filters", r#"[{"property":"code","type":"gte","param":0}]"#)];
    for (mode, cells, total) in [
        (ImportMode::Create, "100,a", "\"total\":61"),
        (ImportMode::Update, "3,b", "\"total\":61"),
        (ImportMode::Upsert, "101,c", "\"total\":62"),
        (ImportMode::Upsert, "4,d", "\"total\":62"),
    ] {
        for _ in 0..3 {
            ask(&world, &key, &query, false).await;
        }
        let options = ImportOptions { mode, ..ImportOptions::default() };
        let import = || {
            import::import(&world.tenant, "thing", options, |import| {
                import.header(["code", "text"].into_iter())?;
                import.cells(2, cells.split(','))
            })
        };
        block_in_place(import).unwrap();
        let kept = ask(&world, &key, &query, false).await;
        assert_eq!(kept, ask(&world, &key, &query, true).await);
        let body = String::from_utf8_lossy(kept.body.whole().unwrap());
        let text = format!("\"text\":\"{}\"", cells.split_once(',').unwrap().1);
        assert!(body.contains(total) && body.contains(&text), "{cells}: {body}");
    }
}
