//! Events of an import: what they cause begins when the import is kept, and not before.

use crate::automations::runs::done;
use serde_json::json;
use spec::spec;
use std::fmt::Write as _;
use testing::{Engine, Server};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
/// More than go into one transaction where others would wait for it.
const ROWS: usize = 520;
const CREATED: &str = "automation: created\non: {event: article.created}\ndo:\n  - update: {type: article, item: \"{=id}\", set: {views: 7}}\n";

#[spec]
async fn runs_of_an_import_begin_when_it_is_kept(engine: Engine) {
    let server = Server::with(engine, &[("automations/created.yaml", CREATED)]).await;
    let mut rows = "name\n".to_owned();
    (0..ROWS).for_each(|row| writeln!(rows, "Article {row}").unwrap());
    let file = server.data_folder().join("articles.csv");
    std::fs::write(&file, rows).unwrap();
    let file = file.to_str().unwrap();
    for arguments in [&["import", "article", file, "--dry-run"][..], &["import", "article", file]] {
        let (succeeded, said) = server.command(PLINTH, arguments).await;
        assert!(succeeded, "{said}");
    }
    // The command goes by the system's clock.
    server.clock().set("2100-01-01T00:00:00Z");
    assert_eq!(server.run_automations().await, done(ROWS));
    let seven = json!([{"property": "views", "type": "eq", "param": 7}]).to_string();
    let query = [("filters", seven.as_str()), ("perPage", "1")];
    assert_eq!(server.admin().query("collection/article", &query).await.is(200).at("/stats/total"), ROWS);
}

#[spec]
async fn old_rows_start_no_automations_if_the_operator_says_so(engine: Engine) {
    let server = Server::with(engine, &[("automations/created.yaml", CREATED)]).await;
    for (rows, more) in [(3, &[][..]), (3, &["--exclusive"]), (ROWS, &[])] {
        let mut text = "name\n".to_owned();
        (0..rows).for_each(|row| writeln!(text, "Article {row}").unwrap());
        let file = server.data_folder().join("old.csv");
        std::fs::write(&file, text).unwrap();
        let arguments = [&["import", "article", file.to_str().unwrap(), "--no-automations"], more].concat();
        let (succeeded, said) = server.command(PLINTH, &arguments).await;
        assert!(succeeded, "{said}");
    }
    server.clock().set("2100-01-01T00:00:00Z");
    assert_eq!(server.run_automations().await, done(0));
    server.admin().create("article", json!({"name": "new"})).await;
    assert_eq!(server.run_automations().await, done(1));
}
