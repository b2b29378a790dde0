//! Random writes on types that rest on one another: what is stored is what comes out when all is worked out from scratch.

use super::rollups::FILES;
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeMap;
use testing::{Client, Engine, Server};

/// A type whose own links are summed up, and walked along.
const BASKET: &str = r#"
id: 54
name: basket
properties:
  products: {id: 540, kind: pRelations, type: product, onDelete: setNull}
  worth:    {id: 541, kind: pRollup, relation: products, function: sum, property: price}
  names:    {id: 545, kind: pString, calculate: "{=join(',', map(products, 'name'))}"}
  cheapest: {id: 542, kind: pRollup, relation: products, function: min, property: price}
  pieces:   {id: 543, kind: pRollup, relation: products, function: count, where: "{=price > 5}"}
  rich:     {id: 544, kind: pString, condition: "{=pieces > 0}", default: yes}
"#;

/// Numbers that look random, and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

async fn rows(client: &Client, of: &str) -> BTreeMap<i64, Json> {
    let reply = client.get(&format!("collection/{of}?perPage=500")).await;
    if reply.status == 204 {
        return BTreeMap::new();
    }
    let data = reply.is(200).at("/data");
    data.as_array().unwrap().iter().map(|row| (row["id"].as_i64().unwrap(), row.clone())).collect()
}

/// A decimal of two places in its smallest unit.
fn cents(value: &Json) -> Option<i64> {
    value.as_f64().map(|number| (number * 100.0).round() as i64)
}

fn divided(above: i64, below: i64) -> i64 {
    let rest = (above % below).abs();
    above / below + if rest * 2 >= below { above.signum() } else { 0 }
}

async fn compare(client: &Client, step: &str) {
    let (customers, invoices) = (rows(client, "customer").await, rows(client, "invoice").await);
    let (lines, products) = (rows(client, "line").await, rows(client, "product").await);
    let mut reduced: BTreeMap<i64, i64> = BTreeMap::new();
    for (id, line) in &lines {
        let price = line["product"].as_i64().and_then(|product| cents(&products[&product]["price"]));
        assert_eq!(
            cents(&line["amount"]),
            price.map(|price| price * line["quantity"].as_i64().unwrap()),
            "{step}: line {id}"
        );
    }
    for (id, invoice) in &invoices {
        let own: Vec<&Json> = lines.values().filter(|line| line["invoice"] == *id).collect();
        let net: i64 = own.iter().filter_map(|line| cents(&line["amount"])).sum();
        assert_eq!((cents(&invoice["net"]), &invoice["lines"]), (Some(net), &json!(own.len())), "{step}: invoice {id}");
        let discount = invoice["customer"].as_i64().and_then(|customer| cents(&customers[&customer]["discount"]));
        let expected = divided(net * (100 - discount.unwrap_or(0)), 100);
        assert_eq!(cents(&invoice["reduced"]), Some(expected), "{step}: invoice {id} of {net}");
        reduced.insert(*id, expected);
    }
    for (id, customer) in &customers {
        let own: Vec<(&i64, &Json)> = invoices.iter().filter(|(_, invoice)| invoice["customer"] == *id).collect();
        let values: Vec<i64> = own.iter().map(|(invoice, _)| reduced[invoice]).collect();
        let unpaid: i64 =
            own.iter().filter(|(_, invoice)| invoice["status"] != "paid").map(|(invoice, _)| reduced[invoice]).sum();
        let total: i64 = values.iter().sum();
        let stored = ["invoices", "total", "unpaid", "best", "least"].map(|name| match name {
            "invoices" => customer[name].as_i64(),
            _ => cents(&customer[name]),
        });
        let expected = [
            Some(own.len() as i64),
            Some(total),
            Some(unpaid),
            values.iter().copied().max(),
            values.iter().copied().min(),
        ];
        assert_eq!(stored, expected, "{step}: customer {id}");
        let mean = (!values.is_empty()).then(|| divided(total * 10, values.len() as i64));
        assert_eq!(customer["mean"].as_f64().map(|mean| (mean * 1000.0).round() as i64), mean, "{step}: customer {id}");
        let last = own.iter().filter_map(|(_, invoice)| invoice["issued"].as_str()).max();
        assert_eq!(customer["last"].as_str(), last, "{step}: customer {id}");
        let label = format!(
            "{}: {}{}.{:02}",
            customer["name"].as_str().unwrap(),
            if total < 0 { "-" } else { "" },
            total.abs() / 100,
            total.abs() % 100
        );
        assert_eq!(customer["label"], label, "{step}: customer {id}");
    }
    for (id, basket) in rows(client, "basket").await {
        let linked: Vec<i64> = basket["products"].as_array().unwrap().iter().map(|id| id.as_i64().unwrap()).collect();
        let price = |id: &i64| cents(&products[id]["price"]).unwrap();
        let names: Vec<&str> = linked.iter().map(|id| products[id]["name"].as_str().unwrap()).collect();
        assert_eq!(basket["names"], names.join(","), "{step}: basket {id}");
        let worth: i64 = linked.iter().map(price).sum();
        let pieces = linked.iter().filter(|id| price(id) > 500).count();
        let stored = (cents(&basket["worth"]), cents(&basket["cheapest"]), basket["pieces"].as_u64());
        assert_eq!(stored, (Some(worth), linked.iter().map(price).min(), Some(pieces as u64)), "{step}: basket {id}");
        assert_eq!(basket.get("rich").is_some(), pieces > 0, "{step}: basket {id}");
    }
}

/// Any of the ids, or null.
fn any(dice: &mut Dice, ids: &[i64]) -> Json {
    match dice.below(ids.len() + 1) {
        0 => Json::Null,
        place => json!(ids[place - 1]),
    }
}

async fn write(client: &Client, dice: &mut Dice) -> String {
    let of = ["customer", "invoice", "line", "line", "product", "basket"][dice.below(6)];
    let mut ids = BTreeMap::new();
    for name in ["customer", "invoice", "line", "product", "basket"] {
        ids.insert(name, rows(client, name).await.into_keys().collect::<Vec<i64>>());
    }
    let cents = dice.below(2_000);
    let price = format!("{}.{:02}", cents / 100, cents % 100);
    let mut members: Vec<i64> = ids["product"].iter().copied().filter(|_| dice.below(2) == 0).collect();
    members.sort_unstable();
    let mut body = match of {
        "customer" => json!({"name": format!("C{cents}"), "discount": format!("0.{:02}", dice.below(100))}),
        "invoice" => json!({
            "customer": any(dice, &ids["customer"]),
            "status": (["new", "paid"][dice.below(2)]),
            "issued": format!("2026-01-{:02}", 1 + dice.below(28)),
        }),
        "line" => json!({
            "invoice": any(dice, &ids["invoice"]),
            "product": any(dice, &ids["product"]),
            "quantity": dice.below(9) as i64 - 2,
        }),
        "product" => json!({"name": format!("P{cents}"), "price": price}),
        _ => json!({"products": members}),
    };
    let path = format!("collection/{of}");
    let known = &ids[of];
    let what = if known.len() > 12 { 1 } else { dice.below(6) };
    let reply = match (what, known.len()) {
        (0, 1..) => client.delete(&format!("{path}/{}", known[dice.below(known.len())])).await,
        (1..=2, 1..) => {
            // Some of it alone.
            let names: Vec<String> = body.as_object().unwrap().keys().cloned().collect();
            let gone = names[dice.below(names.len())].clone();
            if names.len() > 1 {
                body.as_object_mut().unwrap().remove(&gone);
            }
            client.patch(&format!("{path}/{}", known[dice.below(known.len())]), body.clone()).await
        }
        (3, 1..) => client.put(&format!("{path}/{}", known[dice.below(known.len())]), body.clone()).await,
        _ => client.post(&path, body.clone()).await,
    };
    assert!(reply.status < 300, "{}: {} {}", reply.request, reply.status, reply.text);
    format!("{} {body}", reply.request)
}

#[spec]
async fn what_is_stored_is_what_comes_out_from_scratch(engine: Engine) {
    let mut files = FILES.to_vec();
    files.push(("types/basket.yaml", BASKET));
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    let mut dice = Dice(20_261_122);
    for step in 0..150 {
        let done = write(&admin, &mut dice).await;
        if step % 5 == 4 {
            compare(&admin, &format!("{step}: {done}")).await;
        }
    }
    compare(&admin, "at the end").await;
    // What a change of the configuration calculates anew is the same.
    let other = FILES[1].1.replace("1 - (customer.discount ?? 0)", "1 - 0 - (customer.discount ?? 0)");
    server.change(&[(FILES[1].0, &other)]).await;
    compare(&admin, "calculated anew").await;
}
