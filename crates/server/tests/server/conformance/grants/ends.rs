//! Lists whose rows a relation decides come from either end, by how many match: they are the same, and so are their totals.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const CUSTOMER: &str = "id: 70\nname: customer\nproperties:\n\
    \x20 name:    {id: 700, kind: pString}\n\
    \x20 manager: {id: 701, kind: pUser, onDelete: setNull}\n\
    \x20 users:   {id: 702, kind: pRelations, type: user, onDelete: setNull}\n";

/// `INDEX` stands for whether the totals of customers are kept.
const ORDER: &str = "id: 71\nname: order\nproperties:\n\
    \x20 customer: {id: 710, kind: pRelation, type: customer, onDelete: setNull INDEX}\n\
    \x20 owner:    {id: 711, kind: pUser, onDelete: setNull INDEX}\n\
    \x20 state:    {id: 712, kind: pEnum, options: [open, paid]}\n";

const MANAGER: &str = r#"
role: manager
title: Manager
system: [restApi]
types:
  order: {show: {where: "{=customer.manager.id == user('id')}"}}
"#;

const BUYER: &str = r#"
role: buyer
title: Buyer
system: [restApi]
types:
  order: {show: [{where: "{=customer.users.id == user('id')}"}, {where: "{=customer.name == 'Everybody'}"}]}
"#;

const OWNER: &str = r#"
role: owner
title: Owner
system: [restApi]
types:
  order: {show: {where: "{=owner.id == user('id')}"}}
"#;

/// Eight customers, of whom the manager has all but the first; the third is the buyer's, too. Sixty orders.
struct Shop {
    server: Server,
    admin: Client,
    askers: [(i64, Client); 3],
}

async fn shop(engine: Engine, index: &str) -> Shop {
    let order = ORDER.replace(" INDEX", index);
    let server = Server::with(engine, &[("types/customer.yaml", CUSTOMER), ("types/order.yaml", &order)]).await;
    let mut askers = Vec::new();
    for (name, role) in [("manager", MANAGER), ("buyer", BUYER), ("owner", OWNER)] {
        let client = server.role(name, role).await;
        askers.push((server.user(name).await, client));
    }
    let askers: [(i64, Client); 3] = askers.try_into().ok().unwrap();
    let admin = server.admin();
    let [manager, buyer, owner] = askers.each_ref().map(|(user, _)| *user);
    for number in 1..=8 {
        let manager = if number == 1 { Json::Null } else { json!(manager) };
        let users = if number == 3 { json!([buyer, owner]) } else { json!([owner]) };
        admin.create("customer", json!({"name": format!("no. {number}"), "manager": manager, "users": users})).await;
    }
    for number in 0..60 {
        let customer = if number % 10 == 9 { Json::Null } else { json!(number % 8 + 1) };
        let owner = if number % 3 == 0 { json!(owner) } else { Json::Null };
        let state = if number % 2 == 0 { "open" } else { "paid" };
        admin.create("order", json!({"customer": customer, "owner": owner, "state": state})).await;
    }
    Shop { server, admin, askers }
}

/// The ids of all pages of a length, and the total that each of them told.
async fn pages(client: &Client, length: usize, filters: &Json, descending: bool) -> (Vec<i64>, Vec<u64>) {
    let (mut ids, mut totals) = (Vec::new(), Vec::new());
    for page in 1.. {
        let mut body = json!({"filters": filters, "perPage": length, "page": page});
        if descending {
            body["orderBy"] = json!("-id");
        }
        let reply = client.search("collection/order", body).await;
        if reply.status == 204 {
            return (ids, totals);
        }
        let list = reply.is(200).json();
        ids.extend(list["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()));
        totals.push(list["stats"]["total"].as_u64().unwrap());
    }
    unreachable!("pages end")
}

/// What each of them sees is what the rows say.
async fn agree(Shop { admin, askers, .. }: &Shop) {
    let orders = admin.search("collection/order", json!({"perPage": 200})).await.is(200).json();
    let customers = admin.get("collection/customer").await.is(200).json();
    let customer = |order: &Json| {
        let of = |customer: &&Json| customer["id"] == order["customer"];
        customers["data"].as_array().unwrap().iter().find(of).cloned().unwrap_or_default()
    };
    let [(manager, _), (buyer, _), (owner, _)] = askers;
    let sees: [&dyn Fn(&Json) -> bool; 3] = [
        &|order| customer(order)["manager"] == *manager,
        &|order| {
            let users = customer(order)["users"].as_array().cloned().unwrap_or_default();
            users.contains(&json!(buyer)) || customer(order)["name"] == "Everybody"
        },
        &|order| order["owner"] == *owner,
    ];
    let open = json!([{"property": "state", "type": "eq", "param": "open"}]);
    for ((_, client), sees) in askers.iter().zip(sees) {
        for (filters, state) in [(json!([]), None), (open.clone(), Some("open"))] {
            let seen = orders["data"].as_array().unwrap().iter();
            let seen = seen.filter(|order| sees(order) && state.is_none_or(|state| order["state"] == state));
            let mut seen: Vec<i64> = seen.map(|order| order["id"].as_i64().unwrap()).collect();
            for (length, descending) in [(2, false), (7, true), (200, false)] {
                seen.sort_unstable();
                if descending {
                    seen.reverse();
                }
                let (ids, totals) = pages(client, length, &filters, descending).await;
                assert_eq!(ids, seen, "pages of {length}, {filters}");
                assert!(totals.iter().all(|total| *total == seen.len() as u64), "{totals:?} {}", seen.len());
            }
        }
    }
}

async fn through_changes(shop: Shop) {
    agree(&shop).await;
    let Shop { admin, askers: [(manager, _), (buyer, _), _], .. } = &shop;
    admin.patch("collection/order/4", json!({"customer": 3})).await.is(200);
    admin.patch("collection/order/12", json!({"customer": null})).await.is(200);
    admin.delete("collection/order/20").await.is(204);
    agree(&shop).await;
    admin.patch("collection/customer/1", json!({"manager": manager})).await.is(200);
    admin.patch("collection/customer/5", json!({"manager": null, "name": "Everybody"})).await.is(200);
    admin.patch("collection/customer/7", json!({"users": [buyer]})).await.is(200);
    agree(&shop).await;
    admin.delete("collection/customer/3").await.is(204);
    agree(&shop).await;
    drop(shop.server);
}

#[spec("D-12")]
async fn lists_by_relations_with_kept_totals_are_those_of_the_rows(engine: Engine) {
    through_changes(shop(engine, ", index: true").await).await;
}

#[spec("D-12")]
async fn lists_by_relations_without_are_those_of_the_rows(engine: Engine) {
    through_changes(shop(engine, "").await).await;
}
