//! What a run knows, from step to step and from process to process.

use crate::automations::http::asking;
use crate::automations::runs::{done, runs};
use crate::automations::steps::texts;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server, SmsGateway};

/// How many rows of runs lie apart.
async fn apart(server: &Server) -> i64 {
    let count = server.elevated(|tx, _| {
        let mut sql = tx.sql();
        sql.push("SELECT COUNT(*) FROM ").table(&database::Name::fixed("plinth_run_list"));
        let mut count = 0;
        tx.query(&sql, &mut |row| {
            count = row.integer(0)?;
            Ok(())
        })?;
        Ok(count)
    });
    count.await.unwrap()
}

#[spec]
async fn what_a_variable_refers_to_is_read_in_each_step(engine: Engine) {
    let steps = r#"
  - set: {who: "{=author}", all: ["{=author}"]}
  - forEach:
      in: "{=range(1, 20)}"
      as: number
      do:
        - update: {type: person, item: "{=var('who')}", set: {name: "{=var('who').name ~ '+'}"}}
        - create: {type: note, set: {text: "{=var('all')[0].name}"}}
"#;
    let server = asking(engine, "http://localhost", steps, true).await;
    let admin = server.admin();
    let ann = admin.create("person", json!({"name": "Ann"})).await;
    admin.create("article", json!({"name": "One", "author": ann["id"]})).await;
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    let expected: Vec<Json> = (1..=20).map(|count| json!(format!("Ann{}", "+".repeat(count)))).collect();
    assert_eq!(texts(&server).await, expected);
}

#[spec]
async fn large_values_outlive_what_carries_the_run_out(engine: Engine) {
    let erp = SmsGateway::start().await;
    let steps = r#"
  - set: {list: "{=range(1, 3000)}", text: "{=join(',', range(1, 3000))}", few: 1}
  - http: {url: "{=env('URL')}"}
  - set: {text: "{=length(var('text'))}", few: "{=join(',', range(1, 2000))}"}
  - create: {type: person, set: {name: Ann, code: a}}
  - create: {type: note, set: {text: "{=length(var('list'))} {=var('text')} {=length(var('few'))} {=length(endpoint('body').list)}"}}
"#;
    let server = asking(engine, &erp.url("/"), steps, true).await;
    let body = json!({"list": Vec::from_iter(0..2_000)}).to_string();
    erp.says("200 OK", &body);
    let admin = server.admin();
    admin.create("person", json!({"name": "Ann", "code": "a"})).await;
    admin.create("article", json!({"name": "One"})).await;
    assert_eq!(server.run_automations().await.later, 1);
    assert_eq!(apart(&server).await, 4, "two variables that are large, one that was, and an answer");
    // What is tried again is read from the database.
    admin.patch("collection/person/1", json!({"code": "b"})).await.is(200);
    server.clock().advance(8 * 60 * 60);
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    assert_eq!(texts(&server).await, ["3000 13892 8892 2000"]);
    assert_eq!(apart(&server).await, 0, "of a run that ended nothing is left");
}
