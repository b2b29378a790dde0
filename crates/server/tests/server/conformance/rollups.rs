//! Stored values that rest on other resources: rollups, and calculations along relations.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};
use tokio::task::JoinSet;

pub(crate) const CUSTOMER: &str = r#"
id: 50
name: customer
titleProperty: name
properties:
  name:     {id: 500, kind: pString}
  discount: {id: 501, kind: pDecimal, scale: 2, default: 0}
  invoices: {id: 502, kind: pRollup, relation: invoice.customer, function: count}
  total:    {id: 503, kind: pRollup, relation: invoice.customer, function: sum, property: reduced, index: true}
  unpaid:   {id: 504, kind: pRollup, relation: invoice.customer, function: sum, property: reduced, where: "{=status != 'paid'}"}
  best:     {id: 505, kind: pRollup, relation: invoice.customer, function: max, property: reduced}
  least:    {id: 506, kind: pRollup, relation: invoice.customer, function: min, property: reduced}
  mean:     {id: 507, kind: pRollup, relation: invoice.customer, function: avg, property: reduced, scale: 3}
  last:     {id: 508, kind: pRollup, relation: invoice.customer, function: max, property: issued}
  label:    {id: 509, kind: pString, calculate: "{=name ~ ': ' ~ total}", searchable: true}
"#;

pub(crate) const INVOICE: &str = r#"
id: 51
name: invoice
titleProperty: number
properties:
  number:   {id: 510, kind: pString}
  customer: {id: 511, kind: pRelation, type: customer, onDelete: cascade}
  status:   {id: 512, kind: pEnum, default: new, options: {new: {}, paid: {}}, index: true}
  issued:   {id: 513, kind: pDate}
  net:      {id: 514, kind: pRollup, relation: line.invoice, function: sum, property: amount}
  lines:    {id: 515, kind: pRollup, relation: line.invoice, function: count}
  reduced:  {id: 516, kind: pDecimal, scale: 2, calculate: "{=net * (1 - (customer.discount ?? 0))}"}
"#;

pub(crate) const LINE: &str = r#"
id: 52
name: line
properties:
  invoice:  {id: 520, kind: pRelation, type: invoice, onDelete: cascade}
  product:  {id: 521, kind: pRelation, type: product, onDelete: setNull}
  quantity: {id: 522, kind: pInteger}
  amount:   {id: 523, kind: pDecimal, scale: 2, calculate: "{=quantity * product.price}"}
"#;

pub(crate) const PRODUCT: &str = r#"
id: 53
name: product
titleProperty: name
properties:
  name:  {id: 530, kind: pString}
  price: {id: 531, kind: pDecimal, scale: 2}
"#;

pub(crate) const FILES: [(&str, &str); 4] = [
    ("types/customer.yaml", CUSTOMER),
    ("types/invoice.yaml", INVOICE),
    ("types/line.yaml", LINE),
    ("types/product.yaml", PRODUCT),
];

async fn row(client: &Client, of: &str, id: &Json) -> Json {
    client.get(&format!("collection/{of}/{id}")).await.is(200).json()
}

#[spec]
async fn what_rests_on_other_resources_follows_them(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let customer = admin.create("customer", json!({"name": "A"})).await;
    // Nothing to count is 0, nothing to compare is null.
    assert_eq!(customer["invoices"], 0);
    assert_eq!(
        (customer["total"].as_f64(), &customer["best"], &customer["mean"]),
        (Some(0.0), &Json::Null, &Json::Null)
    );
    let product = admin.create("product", json!({"name": "P", "price": "0.10"})).await["id"].clone();
    let body = json!({"customer": customer["id"], "issued": "2026-03-01"});
    let invoice = admin.create("invoice", body).await["id"].clone();
    let line = json!({"invoice": invoice, "product": product, "quantity": 3});
    let line = admin.create("line", line).await;
    assert_eq!(line["amount"].as_f64(), Some(0.3));
    admin.create("line", json!({"invoice": invoice, "product": product, "quantity": 4})).await;
    // From the line to the invoice to the customer, and what is calculated of that.
    let shown = row(&admin, "invoice", &invoice).await;
    assert_eq!((shown["net"].as_f64(), &shown["lines"], shown["reduced"].as_f64()), (Some(0.7), &json!(2), Some(0.7)));
    let id = customer["id"].clone();
    let shown = row(&admin, "customer", &id).await;
    assert_eq!(
        (&shown["invoices"], shown["total"].as_f64(), &shown["last"]),
        (&json!(1), Some(0.7), &json!("2026-03-01"))
    );
    assert_eq!(shown["label"], "A: 0.70");
    // The other way round: the customer's discount changes each invoice, and with them the customer.
    let changed = admin.patch(&format!("collection/customer/{id}"), json!({"discount": "0.50"})).await.is(200);
    assert_eq!((changed.at("/total").as_f64(), changed.at("/label")), (Some(0.35), json!("A: 0.35")));
    admin.patch(&format!("collection/product/{product}"), json!({"price": 10})).await.is(200);
    let shown = row(&admin, "customer", &id).await;
    assert_eq!((shown["total"].as_f64(), shown["label"].as_str()), (Some(35.0), Some("A: 35.00")));
    // It can be found, sorted by and searched.
    let filters = json!([{"property": "total", "type": "gt", "param": 34}]);
    assert_eq!(
        admin.search("collection/customer", json!({"filters": filters})).await.is(200).column("id"),
        std::slice::from_ref(&id)
    );
    let filters = json!([{"property": "label", "type": "search", "param": "35.00"}]);
    assert_eq!(
        admin.search("collection/customer", json!({"filters": filters})).await.is(200).column("id"),
        std::slice::from_ref(&id)
    );
    // Which ones count follows, too; and a line that moves is missing where it was.
    admin.patch(&format!("collection/invoice/{invoice}"), json!({"status": "paid"})).await.is(200);
    assert_eq!(row(&admin, "customer", &id).await["unpaid"].as_f64(), Some(0.0));
    let other = admin.create("invoice", json!({"customer": id, "issued": "2026-05-01"})).await["id"].clone();
    admin.patch(&format!("collection/line/{}", line["id"]), json!({"invoice": other})).await.is(200);
    let shown = row(&admin, "customer", &id).await;
    assert_eq!((shown["unpaid"].as_f64(), shown["best"].as_f64()), (Some(15.0), Some(20.0)));
    assert_eq!(
        (shown["least"].as_f64(), shown["mean"].as_f64(), &shown["last"]),
        (Some(15.0), Some(17.5), &json!("2026-05-01"))
    );
    admin.patch(&format!("collection/customer/{id}"), json!({"total": 3})).await.is(400).says("read-only");
    let sent_back = admin.put(&format!("collection/customer/{id}"), shown.clone()).await.is(200);
    assert_eq!(sent_back.at("/total"), shown["total"]);
}

#[spec]
async fn deletions_change_what_rests_on_them(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let customer = admin.create("customer", json!({"name": "A"})).await["id"].clone();
    let product = admin.create("product", json!({"price": 2})).await["id"].clone();
    let mut invoices = Vec::new();
    for _ in 0..2 {
        let invoice = admin.create("invoice", json!({"customer": customer})).await["id"].clone();
        for quantity in 1..=2 {
            admin.create("line", json!({"invoice": invoice, "product": product, "quantity": quantity})).await;
        }
        invoices.push(invoice);
    }
    assert_eq!(row(&admin, "customer", &customer).await["total"].as_f64(), Some(12.0));
    let first = admin.get("collection/line?perPage=1").await.is(200).column("id")[0].clone();
    admin.delete(&format!("collection/line/{first}")).await.is(204);
    assert_eq!(row(&admin, "customer", &customer).await["total"].as_f64(), Some(10.0));
    // Cascading: the invoice takes its lines with it.
    admin.delete(&format!("collection/invoice/{}", invoices[0])).await.is(204);
    let shown = row(&admin, "customer", &customer).await;
    assert_eq!((shown["total"].as_f64(), &shown["invoices"]), (Some(6.0), &json!(1)));
    // The lines lose their product, and with it their amounts.
    admin.delete(&format!("collection/product/{product}")).await.is(204);
    let shown = row(&admin, "invoice", &invoices[1]).await;
    assert_eq!((shown["net"].as_f64(), &shown["lines"]), (Some(0.0), &json!(2)));
    admin.delete(&format!("collection/customer/{customer}")).await.is(204);
    admin.get("collection/line").await.is(204);
}

#[spec("D-24")]
async fn parallel_writers_of_one_sum_lose_nothing(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let customer = admin.create("customer", json!({})).await["id"].clone();
    let product = admin.create("product", json!({"price": 1})).await["id"].clone();
    let invoice = admin.create("invoice", json!({"customer": customer})).await["id"].clone();
    let mut lines = Vec::new();
    for _ in 0..8 {
        lines.push(
            admin.create("line", json!({"invoice": invoice, "product": product, "quantity": 0})).await["id"].clone(),
        );
    }
    let mut tasks = JoinSet::new();
    for round in 0..80_usize {
        let (admin, invoice, product, line) =
            (admin.clone(), invoice.clone(), product.clone(), lines[round % 8].clone());
        let customer = customer.clone();
        tasks.spawn(async move {
            loop {
                let answer = match round % 5 {
                    0 => {
                        admin
                            .post("collection/line", json!({"invoice": invoice, "product": product, "quantity": 100}))
                            .await
                    }
                    1 => admin.patch(&format!("collection/product/{product}"), json!({"price+=": 1})).await,
                    2 => admin.patch(&format!("collection/customer/{customer}"), json!({"discount+=": "0.01"})).await,
                    _ => admin.patch(&format!("collection/line/{line}"), json!({"quantity+=": 1})).await,
                };
                // Who was told to come again wrote nothing.
                if answer.status != 503 {
                    break assert!(answer.status < 300, "{}: {}", answer.status, answer.text);
                }
            }
        });
    }
    tasks.join_all().await;
    // 16 lines of 100 pieces, 32 pieces of others; 17 each, less 16 hundredths.
    let shown = row(&admin, "invoice", &invoice).await;
    assert_eq!((shown["net"].as_f64(), &shown["lines"]), (Some(27_744.0), &json!(24)));
    let shown = row(&admin, "customer", &customer).await;
    assert_eq!((shown["discount"].as_f64(), shown["total"].as_f64()), (Some(0.16), Some(23_304.96)));
}

#[spec("D-26", "D-28")]
async fn what_is_calculated_anew_is_another_version(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let customer = admin.create("customer", json!({"name": "A"})).await["id"].clone();
    let product = admin.create("product", json!({"price": 1})).await["id"].clone();
    let path = format!("collection/customer/{customer}");
    let before = admin.get(&path).await.is(200);
    let version = admin.get(&format!("{path}?showFields=version")).await.is(200).at("/version");
    admin.get("collection/customer").await.is(200);
    let invoice = admin.create("invoice", json!({"customer": customer})).await["id"].clone();
    // A second: the moment of the change is seen.
    server.clock().advance(1);
    admin.create("line", json!({"invoice": invoice, "product": product, "quantity": 3})).await;
    let after = admin.get(&path).await.is(200);
    assert_ne!(before.header("etag"), after.header("etag"));
    assert_eq!(admin.get("collection/customer").await.is(200).column("total")[0].as_f64(), Some(3.0));
    let stamped = admin.get(&format!("{path}?showFields=version,updated")).await.is(200);
    // One for the invoice, one for its line, though the latter went through several values.
    assert_eq!(stamped.at("/version").as_i64(), Some(version.as_i64().unwrap() + 2));
    assert!(stamped.at("/updated").as_str().unwrap().ends_with(":01+01:00") || !stamped.at("/updated").is_null());
    let stale = admin.with("if-match", before.header("etag"));
    stale.patch(&path, json!({"name": "B"})).await.is(412);
    // What changes nothing here makes no version.
    admin.patch(&format!("collection/product/{product}"), json!({"name": "Q"})).await.is(200);
    assert_eq!(admin.get(&format!("{path}?showFields=version")).await.is(200).at("/version"), stamped.at("/version"));
}

#[spec]
async fn an_import_calculates_once(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let customer = admin.create("customer", json!({"name": "A"})).await["id"].clone();
    let product = admin.create("product", json!({"price": 1})).await["id"].clone();
    let invoice = admin.create("invoice", json!({"customer": customer})).await["id"].clone();
    let version = |of: &'static str, id: Json| {
        let admin = admin.clone();
        async move { admin.get(&format!("collection/{of}/{id}?showFields=version")).await.at("/version").as_i64().unwrap() }
    };
    let before = (version("invoice", invoice.clone()).await, version("customer", customer.clone()).await);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lines.csv");
    let lines: String = (1..=1_200).map(|quantity| format!("{invoice},{product},{quantity}\n")).collect();
    std::fs::write(&file, format!("invoice,product,quantity\n{lines}")).unwrap();
    let command = ["import", "line", file.to_str().unwrap(), "--exclusive"];
    let (done, said) = server.command(env!("CARGO_BIN_EXE_plinth"), &command).await;
    assert!(done, "{said}");
    let shown = row(&admin, "customer", &customer).await;
    assert_eq!(shown["total"].as_f64(), Some(720_600.0));
    let after = (version("invoice", invoice.clone()).await, version("customer", customer.clone()).await);
    assert_eq!(after, (before.0 + 1, before.1 + 1));
    // Beside others once for each group, and none is smaller than 50 rows but the last.
    let (done, said) = server.command(env!("CARGO_BIN_EXE_plinth"), &command[..3]).await;
    assert!(done, "{said}");
    let shown = row(&admin, "customer", &customer).await;
    assert_eq!(shown["total"].as_f64(), Some(1_441_200.0));
    let groups = version("invoice", invoice.clone()).await - after.0;
    assert!((1..=1_200 / 50).contains(&groups), "{groups}");
    assert_eq!(version("customer", customer.clone()).await - after.1, groups);
}

#[spec]
async fn what_does_not_fit_is_refused_with_the_write(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let product = admin.create("product", json!({"price": "9999999999999999.00"})).await["id"].clone();
    let invoice = admin.create("invoice", json!({})).await["id"].clone();
    let line = json!({"invoice": invoice, "product": product, "quantity": 1});
    admin.create("line", line.clone()).await;
    admin.post("collection/line", line).await.is(400).says("invoice.net ");
    assert_eq!(row(&admin, "invoice", &invoice).await["lines"], 1);
}

#[spec]
async fn a_property_of_its_own_kind_comes_and_goes(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let product = admin.create("product", json!({"price": 2})).await["id"].clone();
    let invoice = admin.create("invoice", json!({})).await["id"].clone();
    for quantity in 1..=3 {
        admin.create("line", json!({"invoice": invoice, "product": product, "quantity": quantity})).await;
    }
    // A new one is there for all; another function is another value; the others follow.
    let more = format!(
        "{INVOICE}  pieces: {{id: 517, kind: pRollup, relation: line.invoice, function: sum, property: quantity}}\n"
    );
    server.change(&[("types/invoice.yaml", &more)]).await;
    assert_eq!(row(&admin, "invoice", &invoice).await["pieces"], 6);
    let other = more
        .replace("function: sum, property: amount", "function: max, property: amount")
        .replace("sum, property: quantity", "avg, property: quantity");
    server.change(&[("types/invoice.yaml", &other)]).await;
    let shown = row(&admin, "invoice", &invoice).await;
    assert_eq!(
        (shown["net"].as_f64(), shown["reduced"].as_f64(), shown["pieces"].as_f64()),
        (Some(6.0), Some(6.0), Some(2.0))
    );
    let wrapped = admin.get(&format!("collection/invoice/{invoice}?wrapFields=net")).await.is(200).at("/net");
    assert_eq!((&wrapped["kind"], &wrapped["calculated"]), (&json!("pRollup"), &json!(true)));
    assert_eq!((wrapped["value"].as_f64(), &wrapped["display"]), (Some(6.0), &json!("6.00")));
    let told = admin.get(&format!("collection/invoice/{invoice}?propsMeta=net")).await.is(200).at("/_propsMeta/net");
    assert_eq!(
        (&told["kind"], &told["calculated"], &told["readOnly"], &told["write"]),
        (&json!("pRollup"), &json!(true), &json!(true), &json!(false))
    );
    assert_eq!(
        (&told["sortable"], told["filterTypes"].as_array().unwrap().contains(&json!("between"))),
        (&json!(true), true)
    );
}
