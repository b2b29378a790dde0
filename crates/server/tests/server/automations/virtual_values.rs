//! Virtual calculations in automations: of what a run begins with as they were then, of other resources as they are.

use crate::automations::runs::{done, runs};
use crate::automations::steps::texts;
use serde_json::json;
use spec::spec;
use testing::{Engine, Server};

const TYPES: (&str, &str) = (
    "types/bill.yaml",
    r#"
name: bill
properties:
  number: {kind: pInteger}
  net: {kind: pDecimal, scale: 2}
  memo: {kind: pString}
  buyer: {kind: pRelation, type: person}
  label: {kind: pString, calculate: "{=number ~ ':' ~ net}", stored: false}
  twice: {kind: pString, calculate: "{=label ~ '+' ~ label}", stored: false}
  whose: {kind: pString, calculate: "{=buyer.name ~ '/' ~ user('user_name')}", stored: false}
  day: {kind: pString, calculate: "{=date('Y-m-d')}", stored: false}
  broken: {kind: pInteger, calculate: "{=1 / jsonDecode((number - 1) ~ '')}", stored: false}
"#,
);

const PATH: &str = "automations/one.yaml";

async fn with(engine: Engine, file: &str) -> Server {
    let server = Server::with(engine, &[TYPES, (PATH, file)]).await;
    server.admin().create("person", json!({"name": "Ann"})).await;
    server
}

#[spec]
async fn what_a_run_begins_with_has_them_as_they_were_then(engine: Engine) {
    let file = r#"
automation: one
on: {event: bill.created, if: "{=label == '1:2.50' && trigger('resource').twice != null}"}
do:
  - set: {first: "{=day}", kept: "{=trigger('resource')}"}
  - create: {type: note, set: {text: "{=twice} {=whose} {=trigger('resource').label} {=getRaw(trigger('resource').label)}"}}
  - create: {type: note, set: {text: "{=var('kept').label} {=var('kept').whose} {=resource('bill', id).label}"}}
  - create: {type: note, set: {text: "{=var('first') == date('Y-m-d') ? 'today' : 'before'} {=var('kept').day == date('Y-m-d') ? 'today' : 'before'} {=broken === null ? 'none' : 'some'}"}}
  - forEach: {in: "{=map([trigger('resource'), var('kept')], 'label')}", as: label, do: [{create: {type: note, set: {text: "{=var('label')}"}}}]}
"#;
    let server = with(engine, file).await;
    let admin = server.admin();
    admin.create("bill", json!({"number": 1, "net": 2.5, "buyer": 1})).await;
    admin.create("bill", json!({"number": 2, "net": 2.5, "buyer": 1})).await;
    admin.patch("collection/bill/1", json!({"net": 3})).await.is(200);
    admin.patch("collection/person/1", json!({"name": "Bea"})).await.is(200);
    server.clock().advance(2 * 24 * 60 * 60);
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    let expected =
        ["1:2.50+1:2.50 Ann/Ada 1:2.50 1:2.50", "1:3.00 Bea/Ada 1:3.00", "before today none", "1:2.50", "1:3.00"];
    assert_eq!(texts(&server).await, expected);
    let begun = runs(&server).await[0]["trigger"]["resource"].clone();
    assert_eq!([&begun["label"], &begun["whose"]], ["1:2.50", "Ann/Ada"], "the record shows them");
}

#[spec]
async fn whether_they_changed_is_known_where_they_take_their_own_resource_alone(engine: Engine) {
    let file = r#"
automation: one
on: {event: bill.updated, if: "{=hasChanged('label') && changedFrom('twice', '1:2.50+1:2.50')}"}
do:
  - create: {type: note, set: {text: "{=label} {=isOnlyChange('net') ? 'only' : 'also'} {=hasChanged('memo') ? 'memo' : ''}"}}
  - set: {name: whose}
  - if: "{=hasChanged(trigger('changes'), var('name'))}"
"#;
    let server = with(engine, file).await;
    let admin = server.admin();
    admin.create("bill", json!({"number": 1, "net": 2.5, "buyer": 1})).await;
    admin.patch("collection/bill/1", json!({"memo": "none of it"})).await.is(200);
    assert_eq!(server.run_automations().await, done(0));
    admin.patch("collection/bill/1", json!({"net": 3})).await.is(200);
    admin.patch("collection/bill/1", json!({"net": 4})).await.is(200);
    admin.patch("collection/bill/1", json!({"net": 2.5})).await.is(200);
    admin.patch("collection/bill/1", json!({"net": 5, "memo": "both"})).await.is(200);
    assert_eq!(server.run_automations().await.later, 2);
    let mut texts = texts(&server).await;
    texts.sort_by_key(|text| text.to_string());
    assert_eq!(texts, ["1:3.00 only ", "1:5.00 also memo"]);
    let error = runs(&server).await[0]["log"][2]["error"].clone();
    let part = "At `hasChanged(trigger('changes'), var('name'))`: whose cannot be compared";
    assert!(error.as_str().unwrap().starts_with(part), "{error}");
}

#[spec]
async fn a_run_that_goes_on_with_a_new_file_has_those_that_it_names(engine: Engine) {
    let file = |text: &str| {
        format!(
            "automation: one\non: {{event: bill.deleted}}\ndo: [{{create: {{type: note, set: {{text: \"{text}\"}}}}}}]\n"
        )
    };
    let server = with(engine, &file("{=number}")).await;
    let admin = server.admin();
    admin.create("bill", json!({"number": 1, "net": 2.5, "buyer": 1})).await;
    admin.delete("collection/bill/1").await.is(204);
    server.change(&[(PATH, &file("{=twice} {=whose} {=length(export())}"))]).await;
    assert_eq!(server.run_automations().await, done(1), "{:?}", runs(&server).await);
    let text = texts(&server).await.remove(0);
    assert!(text.as_str().unwrap().starts_with("1:2.50+1:2.50 Ann/Ada "), "{text}");
}
