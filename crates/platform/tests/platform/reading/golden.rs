//! The statements that lists become, reviewed as files: `golden/sqlite.sql`, `golden/postgres.sql`.
//!
//! Where the statements have changed for good, delete the files and run the test: it writes them anew, and fails once.

use super::world::{World, pairs};
use query::request::ListRequest;
use resources::list::statements;
use std::path::PathBuf;
use testing::{Engine, run};

const CASES: &[(&str, &str, &str)] = &[
    ("everything", "", "[]"),
    ("by several keys", "orderBy=-count,text", "[]"),
    ("by what a relation leads to", "orderBy=owner.country.name,-owner.name&showFields=text", "[]"),
    ("members", "showFields=marks,people", r#"[{"property":"marks","type":"allOf","param":["red","blue"]}]"#),
    (
        "comparisons",
        "showFields=id",
        r#"[{"property":"count","type":"between","param":[1,5]},{"property":"text","type":"neq","param":"a"},{"property":"state","type":"in","param":["new",null]},{"property":"count","type":"eq","param":{"$property":"limit"}}]"#,
    ),
    (
        "texts",
        "showFields=id",
        r#"[{"property":"text","type":"startsWith","param":"a"},{"property":"text","type":"contains","param":"b","fold":true},{"property":"text","type":"iLike","param":"%c"}]"#,
    ),
    (
        "relations",
        "showFields=id",
        r#"[{"property":"owner.country.code","type":"notIn","param":["CZ"]},{"property":"people.chief.name","type":"eq","param":"A"},{"property":"people","type":"every","param":[{"property":"salary","type":"gt","param":1}]}]"#,
    ),
    (
        "a day and a hierarchy",
        "showFields=id",
        r#"[{"property":"at","type":"onDay"},{"property":"owner","type":"descendantOf","param":1}]"#,
    ),
    (
        "full text",
        "showFields=id",
        r#"[{"property":"*","type":"search","param":"Žluťoučký kůň"},{"property":"owner.name","type":"search","param":"a b"}]"#,
    ),
    ("a tag", "tags=a&orderBy=-id&showFields=id", "[]"),
    ("a tag by another order", "tags=a&orderBy=text&showFields=id", "[]"),
    ("tags", "tags=a,b&showFields=id", "[]"),
    ("all of several tags", "tags=a,b&tagsMode=all&showFields=id", "[]"),
    ("all of several tags or of those below", "tags=a,b&tagsMode=all&includeTagDescendants=1&showFields=id", "[]"),
    (
        "a tag, those below, and a filter",
        "tags=a&includeTagDescendants=1&showFields=id",
        r#"[{"property":"count","type":"eq","param":1}]"#,
    ),
    (
        "documents and groups",
        "showFields=id",
        r#"[{"property":"*","type":"or","param":[{"property":"meta.a.b","type":"gt","param":1},{"property":"*","type":"not","param":[{"property":"marks","type":"size","param":2}]}]}]"#,
    ),
];

fn written(world: &World) -> String {
    let mut text = String::new();
    for (name, query, filters) in CASES {
        let mut parameters: Vec<_> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        parameters.push(("filters", filters));
        let request = ListRequest::parse(&pairs(&parameters), None).unwrap();
        let read = world.tenant.read_as_administrator(|tx, context| statements(tx, context, "thing", &request));
        let [total, page] = read.unwrap();
        text += &format!("-- {name}\n{};\n{};\n\n", total.text(), page.text());
    }
    text
}

async fn check(world: World, file: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/platform/reading/golden").join(file);
    let written = tokio::task::block_in_place(|| written(&world));
    match std::fs::read_to_string(&path) {
        Ok(golden) => assert_eq!(written, golden, "{}", path.display()),
        Err(_) => {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, written).unwrap();
            panic!("{} was not there and is written now: review it", path.display());
        }
    }
}

#[test]
fn statements_on_sqlite() {
    run(Engine::Sqlite, "statements", |world| check(world, "sqlite.sql"));
}

#[test]
fn statements_on_postgres() {
    run(Engine::Postgres, "statements", |world| check(world, "postgres.sql"));
}
