//! Grants for some rows, and fields that differ from row to row (D-12): the one authorisation on every path (D-3).

mod ends;
mod explained;
mod presets;
mod proposed;
mod reads;
mod refused;
mod touching;
mod unseen;
mod writes;

use serde_json::{Value as Json, json};
use testing::{Client, Engine, Server, Subject};

const COMPANY: &str = "id: 60\nname: company\ntitleProperty: name\nproperties:\n\
    \x20 name: {id: 600, kind: pString, searchable: true}\n\
    \x20 open: {id: 601, kind: pBoolean, index: true}\n\
    \x20 boss: {id: 602, kind: pUser}\n\
    \x20 code: {id: 603, kind: pString, unique: true}\n";

const INVOICE: &str = "id: 61\nname: invoice\ntitleProperty: number\nparentProperty: above\nproperties:\n\
    \x20 number:   {id: 610, kind: pString, searchable: true}\n\
    \x20 state:    {id: 611, kind: pEnum, index: true, options: [open, paid, sealed]}\n\
    \x20 amount:   {id: 612, kind: pInteger, index: true}\n\
    \x20 note:     {id: 613, kind: pText, title: Note, searchable: true}\n\
    \x20 customer: {id: 614, kind: pRelation, type: company, onDelete: setNull}\n\
    \x20 partners: {id: 615, kind: pRelations, type: company, onDelete: setNull}\n\
    \x20 owner:    {id: 616, kind: pUser}\n\
    \x20 above:    {id: 617, kind: pRelation, type: invoice, onDelete: setNull}\n\
    \x20 paper:    {id: 618, kind: pFile}\n\
    \x20 labels:   {id: 619, kind: pEnums, options: [red, blue]}\n";

/// Sees open companies; of invoices a little of the open ones, and all of its own.
const CLERK: &str = r#"
role: clerk
title: Clerk
system: [restApi, notifications, manageTags]
types:
  company:
    show: {where: "{=open == true}"}
  invoice:
    show:
      - {where: "{=state == 'open'}", fields: [number, state, customer, partners, owner, above]}
      - {where: "{=owner.id == user('id')}"}
    edit: {where: "{=owner.id == user('id')}", fields: [number, state, amount, customer, note], check: "{=state != 'sealed'}"}
    create: {fields: [number, amount, customer, paper], preset: {state: open, owner: "{=user()}"}, check: "{=amount != 13}"}
    delete: {where: "{=state == 'paid'}", unseen: true}
"#;

/// A tenant with companies and invoices, and a clerk. Companies: 1 open, 2 closed. Invoices: 1 open, 2 paid, 3 the
/// clerk's own and paid, 4 open below 2, 5 open with both companies.
struct Office {
    server: Server,
    admin: Client,
    clerk: Client,
    /// The clerk's id.
    user: i64,
}

impl Subject for Office {
    async fn on(engine: Engine) -> Self {
        Office::with(engine, CLERK).await
    }
}

impl Office {
    /// The same with another role in the place of the clerk's.
    async fn with(engine: Engine, role: &str) -> Self {
        let server = Server::with(engine, &[("types/company.yaml", COMPANY), ("types/invoice.yaml", INVOICE)]).await;
        let clerk = server.role("clerk", role).await;
        let (admin, user) = (server.admin(), server.user("clerk").await);
        for body in
            [json!({"name": "Alfa", "open": true, "code": "A"}), json!({"name": "Beta", "open": false, "code": "B"})]
        {
            admin.create("company", body).await;
        }
        for body in [
            json!({"number": "one", "state": "open", "amount": 10, "note": "linden", "customer": 1}),
            json!({"number": "two", "state": "paid", "amount": 20, "note": "maple", "customer": 2}),
            json!({"number": "three", "state": "paid", "amount": 30, "note": "linden", "customer": 2, "owner": user}),
            json!({"number": "four", "state": "open", "amount": 40, "note": "maple", "customer": 2, "above": 2}),
            json!({"number": "five", "state": "open", "amount": 5, "above": 4, "partners": [2, 1], "labels": ["red"]}),
        ] {
            admin.create("invoice", body).await;
        }
        Office { server, admin, clerk, user }
    }
}

/// The ids of a list; of what is no list, the status.
async fn ids(client: &Client, parameters: &[(&str, &str)]) -> Vec<i64> {
    ids_of(client, "invoice", parameters).await
}

async fn ids_of(client: &Client, collection: &str, parameters: &[(&str, &str)]) -> Vec<i64> {
    let reply = client.query(&format!("collection/{collection}"), parameters).await;
    assert!([200, 204].contains(&reply.status), "{parameters:?}: {}", reply.text);
    let ids: Vec<i64> = reply.column("id").iter().map(|id| id.as_i64().unwrap()).collect();
    if reply.status == 200 && !parameters.iter().any(|(name, _)| *name == "perPage") {
        assert_eq!(reply.at("/stats/total"), ids.len(), "{parameters:?}");
    }
    ids
}

/// The ids that a filter finds.
async fn found(client: &Client, property: &str, filter: &str, param: Json) -> Vec<i64> {
    let filters = json!([{"property": property, "type": filter, "param": param}]).to_string();
    ids(client, &[("filters", &filters)]).await
}
