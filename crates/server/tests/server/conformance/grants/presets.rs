//! The values of grants: those that do not hold give none.

use super::Office;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

/// A tenant whose clerk may do this with invoices, beside seeing them.
async fn office(engine: Engine, granted: &str) -> Office {
    let role = format!(
        "role: clerk\nsystem: [restApi]\ntypes:\n  company: {{show: true}}\n  invoice:\n    show: true\n{granted}"
    );
    Office::with(engine, &role).await
}

/// What became of an invoice.
async fn shown(admin: &Client, id: &Json) -> (Json, Json) {
    let row = admin.get(&format!("collection/invoice/{id}?showFields=state,note")).await.is(200);
    (row.at("/state"), row.at("/note"))
}

async fn created(office: &Office, body: Json) -> (Json, Json) {
    let made = office.clerk.post("collection/invoice", body.clone()).await;
    assert_eq!(made.status, 201, "{body}: {}", made.text);
    shown(&office.admin, &made.at("/id")).await
}

/// What `explain` says of a new invoice: whether it may be made, and which grants hold for it.
async fn explained(office: &Office, set: Json) -> (bool, Vec<Json>) {
    let body = json!({"user": "clerk@acme.test", "type": "invoice", "set": set});
    let told = office.admin.post("/api/ext/v1/explain", body).await.is(200).json();
    let create = |part: &str| {
        let all = told[part].as_array().unwrap().clone();
        all.into_iter().filter(|part| part["action"] == "create").collect::<Vec<_>>()
    };
    let held = create("grants").iter().map(|grant| grant["holds"].clone()).collect();
    (create("actions")[0]["allowed"] == true, held)
}

#[spec("D-12")]
async fn a_grant_whose_check_fails_gives_nothing(engine: Engine) {
    let office = office(
        engine,
        "    create:\n      - {preset: {state: paid}, check: \"{=amount < 10}\"}\n      - {check: \"{=amount != 13}\"}\n",
    )
    .await;
    assert_eq!(created(&office, json!({"amount": 1_000})).await, (json!(null), json!(null)));
    assert_eq!(created(&office, json!({"amount": 5})).await, (json!("paid"), json!(null)));
    // What the body names is the caller's to say.
    assert_eq!(created(&office, json!({"amount": 5, "state": "open"})).await.0, "open");
    office.clerk.post("collection/invoice", json!({"amount": 13})).await.is(403).says("create");
    assert_eq!(explained(&office, json!({"amount": 1_000})).await, (true, vec![json!(false), json!(true)]));
    assert_eq!(explained(&office, json!({"amount": 5})).await, (true, vec![json!(true), json!(true)]));
    assert!(!explained(&office, json!({"amount": 13})).await.0);
}

/// A check may read what a preset sets.
#[spec("D-12")]
async fn each_grant_is_judged_by_its_own_values(engine: Engine) {
    let office = office(
        engine,
        "    create:\n      - {preset: {state: paid}, check: \"{=amount < 10 and state == 'paid'}\"}\n      \
         - {preset: {note: plain}, check: \"{=state != 'paid' and state != 'sealed' and amount != 13}\"}\n      \
         - {preset: {state: sealed, note: big}, check: \"{=amount > 5000 and state == 'sealed'}\"}\n",
    )
    .await;
    // The first does not hold, and so is not in the second one's way.
    assert_eq!(created(&office, json!({"amount": 1_000})).await, (json!(null), json!("plain")));
    // Each holds by itself; with the first one's value the second does not any more, and gives nothing.
    assert_eq!(created(&office, json!({"amount": 5})).await, (json!("paid"), json!(null)));
    assert_eq!(explained(&office, json!({"amount": 5})).await, (true, vec![json!(true), json!(false), json!(false)]));
    // So it is with the third one's value; what the second would have given is then the third one's to give.
    assert_eq!(created(&office, json!({"amount": 6_000})).await, (json!("sealed"), json!("big")));
    office.clerk.post("collection/invoice", json!({"amount": 13})).await.is(403).says("create");
    assert!(!explained(&office, json!({"amount": 13})).await.0);
}

#[spec("D-12")]
async fn values_of_some_rows_come_beside_what_is_always_granted(engine: Engine) {
    let office = office(
        engine,
        "    create:\n      - {fields: [number]}\n      \
         - {fields: [number, amount, labels], preset: {state: paid}, check: \"{=amount == 5 or 'red' in labels}\"}\n",
    )
    .await;
    assert_eq!(created(&office, json!({"number": "a"})).await.0, Json::Null);
    assert_eq!(created(&office, json!({"number": "a", "amount": 5})).await.0, "paid");
    assert_eq!(created(&office, json!({"number": "a", "labels": ["blue", "red"]})).await.0, "paid");
    office.clerk.post("collection/invoice", json!({"number": "a", "labels": ["blue"]})).await.is(403);
    office.clerk.post("collection/invoice", json!({"number": "a", "amount": 6})).await.is(403);
}

#[spec("D-12", "D-22", "D-23")]
async fn changes_take_values_of_grants_that_hold(engine: Engine) {
    let office = office(
        engine,
        "    edit:\n      - {preset: {state: sealed}, check: \"{=amount < 10}\"}\n      - {check: \"{=amount != 13}\"}\n",
    )
    .await;
    let Office { admin, clerk, .. } = &office;
    let version =
        async |id: i64| admin.get(&format!("collection/invoice/{id}?showFields=version")).await.at("/version");
    clerk.patch("collection/invoice/1", json!({"amount": 1_000})).await.is(200);
    assert_eq!((shown(admin, &json!(1)).await.0, version(1).await), (json!("open"), json!(2)));
    clerk.patch("collection/invoice/1", json!({"amount": 5})).await.is(200);
    assert_eq!((shown(admin, &json!(1)).await.0, version(1).await), (json!("sealed"), json!(3)));
    // Nothing is changed, and so nothing is given.
    clerk.patch("collection/invoice/4", json!({})).await.is(200);
    assert_eq!((shown(admin, &json!(4)).await.0, version(4).await), (json!("open"), json!(1)));
    // What a PUT leaves out is given, or else empty.
    clerk.put("collection/invoice/4", json!({"amount": 1_000})).await.is(200);
    assert_eq!(shown(admin, &json!(4)).await.0, Json::Null);
    clerk.put("collection/invoice/5", json!({"amount": 4, "labels": ["blue"]})).await.is(200);
    assert_eq!(shown(admin, &json!(5)).await.0, "sealed");
    clerk.patch("collection/invoice/2", json!({"amount": 13})).await.is(403).says("change");
    let body = json!({"user": "clerk@acme.test", "type": "invoice", "item": 2, "set": {"amount": 1_000}});
    let told = admin.post("/api/ext/v1/explain", body).await.is(200).json();
    let edits = told["grants"].as_array().unwrap().iter().filter(|grant| grant["action"] == "edit");
    let checks: Vec<&Json> = edits.map(|grant| &grant["check"]["holds"]).collect();
    assert_eq!(checks, [false, true]);
}

/// What is tried is undone: no event, no line in the audit log, no number that is taken.
#[spec("D-12")]
async fn what_is_tried_leaves_nothing(engine: Engine) {
    let office = office(
        engine,
        "    create:\n      - {preset: {state: paid}, check: \"{=amount < 10}\"}\n      \
         - {preset: {state: sealed}, check: \"{=amount > 10}\"}\n      - {check: \"{=amount != 13}\"}\n",
    )
    .await;
    let count =
        "automation: count\non: {event: invoice.created}\ndo:\n  - create: {type: company, set: {name: Made}}\n";
    let numbered = super::INVOICE.to_owned() + "  serial: {id: 640, kind: pAutonumber}\n";
    office.server.change(&[("automations/count.yaml", count), ("types/invoice.yaml", &numbered)]).await;
    let first = office.clerk.create("invoice", json!({"amount": 1_000})).await;
    let second = office.clerk.create("invoice", json!({"amount": 1})).await;
    let serial = async |row: &Json| {
        let row = office.admin.get(&format!("collection/invoice/{}?showFields=serial", row["id"])).await.is(200);
        row.at("/serial").to_string().trim_matches('"').parse::<i64>().unwrap()
    };
    assert_eq!(serial(&second).await, serial(&first).await + 1);
    office.server.run_automations().await;
    assert_eq!(office.admin.get("collection/company").await.is(200).at("/stats/total"), 4);
}

/// Each of them makes a row that lacks something, and together they make one that is whole.
#[spec("D-12")]
async fn grants_give_together_what_a_row_needs(engine: Engine) {
    let parcel = "id: 62\nname: parcel\nproperties:\n  name: {id: 630, kind: pString}\n  \
                  owner: {id: 631, kind: pUser, required: true}\n  \
                  state: {id: 632, kind: pEnum, required: true, options: [open, sealed]}\n";
    let server = Server::with(engine, &[("types/parcel.yaml", parcel)]).await;
    let role = "role: clerk\nsystem: [restApi]\ntypes:\n  parcel:\n    show: true\n    create:\n      \
                - {fields: [name], preset: {state: sealed}, check: \"{=name == 'sealed'}\"}\n      \
                - {fields: [name], preset: {owner: \"{=user()}\"}}\n      \
                - {fields: [name], preset: {state: open}, check: \"{=name != 'x'}\"}\n";
    let clerk = server.role("clerk", role).await;
    let user = server.user("clerk").await;
    for (name, state) in [("a", "open"), ("sealed", "sealed")] {
        let made = clerk.post("collection/parcel", json!({"name": name})).await.is(201);
        let row = server
            .admin()
            .get(&format!("collection/parcel/{}?showFields=owner.id,state", made.at("/id")))
            .await
            .is(200);
        assert_eq!((row.at("/owner/id"), row.at("/state")), (json!(user), json!(state)));
    }
    // One that does not hold gives nothing, and so the row lacks it.
    clerk.post("collection/parcel", json!({"name": "x"})).await.is(400);
}
