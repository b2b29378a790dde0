//! What each step does.

use crate::automations::runs::{done, runs};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

async fn with(engine: Engine, steps: &str) -> Server {
    let text = format!("automation: one\non: {{event: article.created}}\ndo:\n{steps}");
    Server::with(engine, &[("automations/one.yaml", text.as_str())]).await
}

/// The texts of the notes, in the order of their making.
pub(crate) async fn texts(server: &Server) -> Vec<Json> {
    let reply = server.admin().query("collection/note", &[("orderBy", "id"), ("showFields", "text")]).await;
    if reply.status == 204 { Vec::new() } else { reply.column("text") }
}

#[spec]
async fn branches_variables_and_lists(engine: Engine) {
    let steps = r#"
  - set: {twice: "{=views * 2}", both: ["{=name}", "{=var('twice')}"]}
  - if: "{=var('twice') > 10}"
    then:
      - create: {type: note, set: {text: "{=join(' ', var('both'))}"}}
    else:
      - create: {type: note, set: {text: few}}
      - stop: Only {=var('twice')}
  - forEach:
      in: "{=labels}"
      as: label
      do:
        - forEach:
            in: [1, 2]
            as: number
            do:
              - create: {type: note, set: {text: "{=var('label') ~ var('number')}"}}
  - create: {type: note, set: {text: "{=var('label')}."}}
"#;
    let server = with(engine, steps).await;
    let admin = server.admin();
    admin.create("article", json!({"name": "Many", "views": 6, "labels": ["red", "blue"]})).await;
    assert_eq!(server.run_automations().await, done(1));
    assert_eq!(texts(&server).await, ["Many 12", "red1", "red2", "blue1", "blue2", "blue."]);
    admin.create("article", json!({"name": "Few", "views": 1, "labels": ["red"]})).await;
    assert_eq!(server.run_automations().await, done(1));
    assert_eq!(texts(&server).await[6..], ["few"]);
    let runs = runs(&server).await;
    assert_eq!([&runs[0]["state"], &runs[1]["state"]], ["done", "stopped"]);
    assert_eq!(runs[1]["log"][3]["result"], json!({"message": "Only 2"}));
    let positions: Vec<&str> =
        runs[0]["log"].as_array().unwrap().iter().map(|step| step["position"].as_str().unwrap()).collect();
    assert_eq!(positions[..3], ["0", "1", "1.then.0"]);
    assert_eq!(positions[4..6], ["2.item.0.0", "2.item.0.0.item.0.0"]);
}

#[spec("R-329")]
async fn a_step_fetches_from_its_query_with_all_rights(engine: Engine) {
    let file = r#"
automation: one
on: {event: article.created, if: "{=name == 'Own'}"}
do:
  - set: {found: ["{=dataQueryCount()}", "{=dataQueryMin('views')}", "{=dataQueryMax('views')}", "{=dataQueryFetch('name')}", "{=dataQueryFetchObject().name}", "{=queryCount(getDataQuery())}"]}
    query: popular
    params: {least: "{=views - 2}"}
  - forEach:
      in: "{=dataQueryFetchAll('name')}"
      as: name
      do:
        - create: {type: note, set: {text: "{=var('name')} {=dataQueryCount()}"}}
          query: popular
          params: {least: 100}
    query: popular
  - if: "{=dataQueryCount() == 0 && dataQueryFetch() === null}"
    query: popular
    params: {least: 1000}
    then:
      - create: {type: note, set: {text: "{=join(' ', var('found'))}"}}
"#;
    let role =
        "role: writer\nsystem: [restApi]\ntypes:\n  article: {show: {where: \"{=name == 'Own'}\"}, edit: true}\n";
    let server = Server::with(engine, &[("automations/one.yaml", file)]).await;
    let writer = server.role("writer", role).await;
    for (name, views) in [("Few", 3), ("Some", 20), ("Many", 30)] {
        server.admin().create("article", json!({"name": name, "views": views})).await;
    }
    writer.create("article", json!({"name": "Own", "views": 22})).await;
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    assert_eq!(texts(&server).await, ["Many 0", "Own 0", "Some 0", "3 20 30 Many Many 3"]);
}

#[spec]
async fn resources_are_written_by_the_usual_way(engine: Engine) {
    let steps = r#"
  - create: {type: person, set: {name: "By {=name}", salary: "{=price * 2}"}, as: made}
  - update:
      type: article
      item: "{=trigger('resource')}"
      set: {author: "{=var('made')}", readers: ["{=var('made')}"], "views+=": "{=3}", cost: null, price: "{=price + 0.01}", published: "{=strtotime('2026-01-31 10:00:00')}", meta: {a: "{=[1, 2]}"}}
  - update: {type: person, item: "{=var('made').id}", set: {code: "{=var('made').salary}"}}
  - delete: {type: note, item: 1}
"#;
    let server = with(engine, steps).await;
    let admin = server.admin();
    admin.create("note", json!({"text": "old"})).await;
    admin.create("article", json!({"name": "One", "views": 1, "price": 1_234_567_890.5, "cost": 7})).await;
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    let article = admin.get("collection/article/1").await.is(200);
    assert_eq!(article.at("/author"), json!(1));
    assert_eq!(article.at("/readers"), json!([1]));
    assert_eq!([article.at("/views"), article.at("/cost")], [json!(4), json!(null)]);
    assert_eq!(article.at("/price"), json!(1_234_567_890.51));
    assert_eq!(article.at("/meta"), json!({"a": [1, 2]}));
    assert!(article.at("/published").as_str().unwrap().starts_with("2026-01-31T10:00:00"));
    let person = admin.get("collection/person/1").await.is(200);
    assert_eq!([person.at("/name"), person.at("/salary")], [json!("By One"), json!(2_469_135_781_i64)]);
    assert_eq!(person.at("/code"), json!("2469135781"));
    admin.get("collection/note/1").await.is(404);
}

#[spec]
async fn relations_take_resources_ids_and_uuids(engine: Engine) {
    let steps = r#"
  - update: {type: article, item: "{=id}", set: {author: "{=views}", readers: [1, 2]}}
  - update: {type: article, item: "{=id}", set: {readers: ["{=author}", "{=views}", 3, "{=trigger('resource').uuid}"]}}
"#;
    let server = with(engine, steps).await;
    let admin = server.admin();
    for name in ["Ann", "Bob", "Cid"] {
        admin.create("person", json!({"name": name})).await;
    }
    admin.create("article", json!({"name": "One", "views": 2})).await;
    assert_eq!(server.run_automations().await.later, 1);
    let article = admin.get("collection/article/1").await.is(200);
    assert_eq!([article.at("/author"), article.at("/readers")], [json!(2), json!([1, 2])]);
    let error = runs(&server).await[0]["log"][1]["error"].clone();
    assert!(error.as_str().unwrap().starts_with("Readers "), "no person has the article's uuid: {error}");
}

#[spec]
async fn a_write_that_the_rules_refuse_is_a_step_that_fails(engine: Engine) {
    let steps =
        "  - create: {type: note, set: {text: before}}\n  - create: {type: person, set: {name: Ann, code: a}}\n";
    let server = with(engine, steps).await;
    let admin = server.admin();
    admin.create("person", json!({"name": "Ann", "code": "a"})).await;
    admin.create("article", json!({"name": "One"})).await;
    let ran = server.run_automations().await;
    assert_eq!((ran.done, ran.later, ran.failed), (0, 1, 0));
    let run = runs(&server).await.remove(0);
    assert_eq!([&run["state"], &run["position"], &run["tries"]], [&json!("waiting"), &json!("1"), &json!(1)]);
    assert!(run["log"][1]["error"].as_str().unwrap().contains("Code"), "{run}");
    assert_eq!(texts(&server).await, ["before"], "what was done before stays done");
    admin.patch("collection/person/1", json!({"code": "b"})).await.is(200);
    assert_eq!(server.run_automations().await, done(0), "it waits");
    server.clock().advance(90);
    assert_eq!(server.run_automations().await, done(1));
    assert_eq!(texts(&server).await, ["before"], "once");
}

#[spec]
async fn what_fails_again_and_again_is_given_up_and_may_go_on(engine: Engine) {
    let server = with(engine, "  - create: {type: person, set: {name: Ann, code: a}}\n").await;
    let admin = server.admin();
    admin.create("person", json!({"name": "Ann", "code": "a"})).await;
    admin.create("article", json!({"name": "One"})).await;
    for _ in 0..9 {
        assert_eq!(server.run_automations().await.later, 1);
        server.clock().advance(8 * 60 * 60);
    }
    assert_eq!(server.run_automations().await.failed, 1);
    server.clock().advance(8 * 60 * 60);
    assert_eq!(server.run_automations().await, done(0));
    admin.patch("collection/person/1", json!({"code": "b"})).await.is(200);
    let run = runs(&server).await[0]["id"].as_i64().unwrap();
    let again =
        server.elevated(move |tx, context| automation::retry(tx, context, run, Default::default())).await.unwrap();
    assert_eq!(again["state"], "waiting");
    assert_eq!(server.run_automations().await, done(1));
    let refused =
        server.elevated(move |tx, context| automation::retry(tx, context, run, Default::default())).await.unwrap_err();
    assert_eq!(refused.code, "run_ended");
}

#[spec]
async fn what_a_run_knew_goes_with_its_record(engine: Engine) {
    let steps = "  - forEach: {in: \"{=labels}\", as: label, do: [{create: {type: person, set: {name: Ann, code: \"{=jsonDecode(var('label'))}\"}}}]}\n";
    let server = with(engine, steps).await;
    let kept = async || {
        let mut counts = Vec::new();
        for table in ["plinth_run", "plinth_run_step", "plinth_run_list"] {
            let count = server.elevated(move |tx, _| {
                let mut sql = tx.sql();
                sql.push("SELECT COUNT(*) FROM ").table(&database::Name::fixed(table));
                let mut count = 0;
                tx.query(&sql, &mut |row| {
                    count = row.integer(0)?;
                    Ok(())
                })?;
                Ok(count)
            });
            counts.push(count.await.unwrap());
        }
        counts
    };
    let admin = server.admin();
    admin.create("article", json!({"name": "One", "labels": ["red"]})).await;
    for _ in 0..10 {
        server.run_automations().await;
        server.clock().advance(8 * 60 * 60);
    }
    assert_eq!((&runs(&server).await[0]["state"], kept().await), (&json!("failed"), vec![1, 11, 1]));
    server.clock().advance(90 * 24 * 60 * 60);
    admin.create("article", json!({"name": "Two", "labels": []})).await;
    assert_eq!(server.run_automations().await, done(1));
    assert_eq!(kept().await, [1, 1, 0], "of the first run nothing is left");
}

#[spec]
async fn users_are_notified_and_mailed(engine: Engine) {
    let steps = r#"
  - notify: {to: ["{=owner}", "{=user()}", "{=null}"], title: "{=name} is here", body: Come, level: success, target: "{=trigger('resource')}", data: {views: "{=views}"}}
  - mail: {to: ["{=owner}", "someone@else.test"], subject: "{=name}", text: "It costs {=price}.\nBye"}
"#;
    let server = with(engine, steps).await;
    let admin = server.user("admin").await;
    server.admin().create("article", json!({"name": "One", "price": 2.5, "views": 3, "owner": admin})).await;
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    let items = server.admin().get("collection/notifications").await.is(200).at("/items");
    assert_eq!(items.as_array().unwrap().len(), 1, "who is named twice gets one");
    let item = &items[0];
    assert_eq!([&item["title"], &item["level"]], ["One is here", "success"]);
    assert_eq!([&item["data"], &item["target"]["objectId"]], [&json!({"views": 3}), &json!(1)]);
    assert_eq!(item["actor"]["title"], "Ada");
    assert_eq!(server.deliver().await.sent, 2);
    let mails = server.mails();
    assert_eq!(mails.len(), 2);
    assert_eq!([mails[0].to.concat(), mails[1].to.concat()], ["admin@acme.test", "someone@else.test"]);
    assert!(mails[0].text.contains("It costs 2.50.") || mails[0].text.contains("It costs 2.5."), "{}", mails[0].text);
    assert_eq!(mails[0].subject, "One");
}
