//! Expressions on properties: defaults, rules, calculations that are stored, and those that are made when shown.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const COMPANY: &str = r#"
id: 40
name: company
titleProperty: name
properties:
  name:   {id: 400, kind: pString}
  rate:   {id: 401, kind: pDecimal, scale: 2}
  parent: {id: 402, kind: pRelation, type: company}
"#;

const INVOICE: &str = r#"
id: 41
name: invoice
properties:
  number:   {id: 410, kind: pAutonumber, pattern: "INV-{YYYY}-{#####}"}
  status:   {id: 411, kind: pEnum, default: new, options: {new: {}, paid: {}}}
  company:  {id: 412, kind: pRelation, type: company, onDelete: setNull}
  issued:   {id: 413, kind: pDate, default: "{=date('Y-m-d')}"}
  due:      {id: 414, kind: pDate, required: true, default: "{=issued + 14.days}"}
  title:    {id: 415, kind: pString, maxLength: 30, default: "Invoice of {=issued} by {=user('user_name')}"}
  net:      {id: 416, kind: pDecimal, scale: 2, title: Net,
             validate: [{rule: "{=net >= 0}", message: The amount is negative.}, {rule: "{=net < 1000000}"}]}
  vat:      {id: 417, kind: pDecimal, scale: 2, calculate: "{=net * 0.21}"}
  gross:    {id: 418, kind: pDecimal, scale: 2, calculate: "{=net + vat}", index: true}
  label:    {id: 419, kind: pString, calculate: "{=number ~ ': ' ~ (gross ?? 'open')}", searchable: true}
  paidOn:   {id: 420, kind: pDate, title: Paid on, required: "{=status == 'paid'}",
             validate: [{rule: "{=paidOn >= issued}", message: It cannot be paid before it is issued.}]}
  orphan:   {id: 421, kind: pBoolean, calculate: "{=company == null}"}
  overdue:  {id: 422, kind: pCalculated, calculate: "{=status != 'paid' and compareDates(due, '<')}"}
  days:     {id: 423, kind: pInteger, stored: false, calculate: "{=dateDiff(issued, due).days}"}
  rate:     {id: 424, kind: pCalculated, calculate: "{=company.parent.rate ?? company.rate}"}
  summary:  {id: 425, kind: pCalculated, calculate: "{={late: overdue, to: company.name, days: days * 2}}"}
  broken:   {id: 426, kind: pInteger, stored: false, calculate: "{=net / jsonDecode((days - 14) ~ '')}"}
"#;

async fn invoices(engine: Engine) -> Server {
    Server::with(engine, &[("types/company.yaml", COMPANY), ("types/invoice.yaml", INVOICE)]).await
}

async fn of(client: &Client, id: &Json) -> Json {
    client.get(&format!("collection/invoice/{id}")).await.is(200).json()
}

#[spec]
async fn a_default_may_be_an_expression(engine: Engine) {
    let server = invoices(engine).await;
    let admin = server.admin();
    let invoice = admin.create("invoice", json!({})).await;
    assert_eq!((&invoice["issued"], &invoice["due"]), (&json!("2026-11-20"), &json!("2026-12-04")));
    assert!(invoice["title"].as_str().unwrap().starts_with("Invoice of 2026-11-20 by "), "{invoice}");
    // It sees what is given, and what is given wins; null is given, too.
    let given = admin.create("invoice", json!({"issued": "2026-01-31", "title": null})).await;
    assert_eq!((&given["due"], &given["title"]), (&json!("2026-02-14"), &Json::Null));
    let given = admin.create("invoice", json!({"due": "2027-01-01"})).await;
    assert_eq!(given["due"], "2027-01-01");
    admin.post("collection/invoice", json!({"due": null})).await.is(400).says("Due");
    // A PUT that leaves it out gets it anew; a PATCH leaves it alone.
    let path = format!("collection/invoice/{}", given["id"]);
    server.clock().advance(86_400);
    assert_eq!(admin.patch(&path, json!({"net": 1})).await.is(200).at("/due"), "2027-01-01");
    let put = admin.put(&path, json!({"issued": "2026-03-01"})).await.is(200);
    assert_eq!((put.at("/issued"), put.at("/due")), (json!("2026-03-01"), json!("2026-03-15")));
    // What it gives must be a value of the property; what it cannot give names the property.
    let long = "types/invoice.yaml";
    server.change(&[(long, &INVOICE.replace("Invoice of {=issued}", "The invoice of the day {=issued}"))]).await;
    admin.post("collection/invoice", json!({})).await.is(400).says("Title ");
    server.change(&[(long, &INVOICE.replace("Invoice of {=issued}", "{=jsonDecode(issued ?? '')}"))]).await;
    let refused = admin
        .post("collection/invoice", json!({}))
        .await
        .is(400)
        .says("Title cannot be calculated at `jsonDecode(issued ?? '')`: ");
    assert_eq!(refused.header("x-error-code"), "expression_failed");
}

#[spec]
async fn rules_have_messages_and_name_the_property(engine: Engine) {
    let server = invoices(engine).await;
    let admin = server.admin().with("accept", "application/problem+json");
    let refused = admin.post("collection/invoice", json!({"net": -1})).await.is(400).says("The amount is negative.");
    assert_eq!((refused.at("/errors/0/property"), refused.at("/errors/0/code")), (json!("net"), json!("rule_broken")));
    admin.post("collection/invoice", json!({"net": 1_000_000})).await.is(400).says("Net is not valid.");
    let invoice = server.admin().create("invoice", json!({"net": 5})).await;
    let path = format!("collection/invoice/{}", invoice["id"]);
    admin.patch(&path, json!({"net+=": -6})).await.is(400).says("The amount is negative.");
    admin.put(&path, json!({"net": -1})).await.is(400).says("The amount is negative.");
    // What a rule mentions decides, too; where there is no value there is nothing to check.
    admin.patch(&path, json!({"paidOn": "2026-11-19"})).await.is(400).says("paid before it is issued");
    admin.patch(&path, json!({"paidOn": "2026-11-21"})).await.is(200);
    let refused = admin.patch(&path, json!({"issued": "2026-11-22"})).await.is(400).says("paid before it is issued");
    assert_eq!(refused.at("/errors/0/property"), "paidOn");
    admin.patch(&path, json!({"net": null, "paidOn": null})).await.is(200);
    // A rule that comes later does not stand in the way of other changes.
    let stricter = INVOICE.replace("net >= 0", "net >= 100");
    admin.patch(&path, json!({"net": 7})).await.is(200);
    server.change(&[("types/invoice.yaml", &stricter)]).await;
    admin.patch(&path, json!({"title": "x"})).await.is(200);
    admin.patch(&path, json!({"net": 8})).await.is(400).says("The amount is negative.");
}

#[spec]
async fn what_is_required_may_depend(engine: Engine) {
    let server = invoices(engine).await;
    let admin = server.admin();
    admin.post("collection/invoice", json!({"status": "paid"})).await.is(400).says("Paid on");
    let invoice = admin.create("invoice", json!({})).await;
    let path = format!("collection/invoice/{}", invoice["id"]);
    admin.patch(&path, json!({"status": "paid"})).await.is(400).says("Paid on");
    admin.patch(&path, json!({"status": "paid", "paidOn": "2026-11-20"})).await.is(200);
    admin.patch(&path, json!({"paidOn": null})).await.is(400).says("Paid on");
    admin.patch(&path, json!({"status": "new", "paidOn": null})).await.is(200);
}

#[spec("R-304")]
async fn stored_calculations_follow_every_write(engine: Engine) {
    let server = invoices(engine).await;
    let admin = server.admin();
    let invoice = admin.create("invoice", json!({"net": 10.03})).await;
    // 2.1063 is rounded to the property's scale; the label comes last, whatever order the file has.
    assert_eq!((&invoice["vat"], &invoice["gross"]), (&json!(2.11), &json!(12.14)));
    assert_eq!(invoice["label"], "INV-2026-00001: 12.14");
    assert_eq!((&invoice["issued"], &invoice["due"]), (&json!("2026-11-20"), &json!("2026-12-04")));
    let path = format!("collection/invoice/{}", invoice["id"]);
    let patched = admin.patch(&path, json!({"net+=": 90})).await.is(200).json();
    assert_eq!((&patched["vat"], &patched["gross"]), (&json!(21.01), &json!(121.04)));
    assert_eq!(of(&admin, &invoice["id"]).await, patched);
    // It comes back as it was read, and is refused as anything else.
    let mut body = patched.clone();
    for field in ["id", "uuid"] {
        body.as_object_mut().unwrap().shift_remove(field);
    }
    assert_eq!(admin.put(&path, body.clone()).await.is(200).json(), patched);
    body["net"] = json!(1);
    let put = admin.put(&path, body.clone()).await.is(200);
    assert_eq!((put.at("/vat"), put.at("/gross")), (json!(0.21), json!(1.21)));
    admin.patch(&path, json!({"vat": 5})).await.is(400).says("read-only");
    admin.post("collection/invoice", json!({"gross": 5})).await.is(400).says("read-only");
    // It is as stored as any other: found, sorted and searched.
    admin.create("invoice", json!({"net": 100})).await;
    let list = admin.search("collection/invoice", json!({"orderBy": "-gross", "showFields": ["gross"]})).await.is(200);
    assert_eq!(list.column("gross"), [json!(121.0), json!(1.21)]);
    let filters =
        json!([{"property": "gross", "type": "gt", "param": 100}, {"property": "*", "type": "search", "param": "121"}]);
    assert_eq!(admin.search("collection/invoice", json!({"filters": filters})).await.is(200).at("/stats/total"), 1);
    assert_eq!(admin.patch(&path, json!({"net": null})).await.is(200).at("/label"), "INV-2026-00001: open");
}

#[spec]
async fn a_cascade_calculates_anew(engine: Engine) {
    let server = invoices(engine).await;
    let admin = server.admin();
    let company = admin.create("company", json!({"name": "ACME"})).await;
    let invoice = admin.create("invoice", json!({"company": company["id"]})).await;
    assert_eq!(invoice["orphan"], false);
    admin.delete(&format!("collection/company/{}", company["id"])).await.is(204);
    let left = of(&admin, &invoice["id"]).await;
    assert_eq!((&left["company"], &left["orphan"]), (&Json::Null, &json!(true)));
}

#[spec]
async fn calculations_that_change_are_done_anew(engine: Engine) {
    let server = invoices(engine).await;
    let admin = server.admin();
    let mut ids = Vec::new();
    for net in 1..=3 {
        ids.push(admin.create("invoice", json!({"net": net * 100})).await);
    }
    server.change(&[("types/invoice.yaml", &INVOICE.replace("net * 0.21", "net * 0.5"))]).await;
    let list = admin.get("collection/invoice?showFields=gross,label,version&orderBy=id").await.is(200);
    assert_eq!(list.column("gross"), [json!(150.0), json!(300.0), json!(450.0)]);
    assert_eq!(list.column("label")[2], "INV-2026-00003: 450.00");
    // Nobody changed the resources.
    assert_eq!(list.column("version"), [json!(1), json!(1), json!(1)]);
    let found = json!([{"property": "*", "type": "search", "param": "450"}]);
    assert_eq!(admin.search("collection/invoice", json!({"filters": found})).await.is(200).at("/stats/total"), 1);
    // A virtual one that is stored from now on has its values at once.
    let stored = INVOICE
        .replace("kind: pInteger, stored: false, calculate: \"{=dateDiff", "kind: pInteger, calculate: \"{=dateDiff");
    server.change(&[("types/invoice.yaml", &stored)]).await;
    let filters = json!([{"property": "days", "type": "eq", "param": 14}]);
    assert_eq!(admin.search("collection/invoice", json!({"filters": filters})).await.is(200).at("/stats/total"), 3);
}

#[spec]
async fn virtual_calculations_are_made_when_shown(engine: Engine) {
    let server = invoices(engine).await;
    let admin = server.admin();
    let root = admin.create("company", json!({"name": "Root", "rate": 1.5})).await;
    let company = admin.create("company", json!({"name": "ACME", "parent": root["id"]})).await;
    let invoice = admin.create("invoice", json!({"company": company["id"], "net": 5})).await;
    assert_eq!((&invoice["overdue"], &invoice["days"], &invoice["rate"]), (&json!(false), &json!(14), &json!(1.5)));
    assert_eq!(invoice["summary"], json!({"late": false, "to": "ACME", "days": 28}));
    assert_eq!(invoice["broken"], Json::Null);
    assert_eq!(of(&admin, &invoice["id"]).await, invoice);
    let path = format!("collection/invoice/{}", invoice["id"]);
    let before = admin.get(&path).await.is(200);
    // Time goes by and other resources change: it is another answer, which no cache hides.
    server.clock().advance(15 * 86_400);
    let after = admin.with("if-none-match", before.header("etag")).get(&path).await.is(200);
    assert_eq!((after.at("/overdue"), after.at("/summary/late")), (json!(true), json!(true)));
    let list = "collection/invoice?showFields=rate";
    assert_eq!(admin.get(list).await.is(200).column("rate"), [json!(1.5)]);
    admin.patch(&format!("collection/company/{}", root["id"]), json!({"rate": 2})).await.is(200);
    assert_eq!(admin.get(list).await.is(200).column("rate"), [json!(2.0)]);
    assert_eq!(admin.get("collection/invoice?showFields=overdue").await.is(200).column("overdue"), [json!(true)]);
    assert_eq!(
        admin.get("collection/invoice?showFields=net").await.is(200).at("/data/0"),
        json!({"id": 1, "net": 5.0})
    );
    // What was read may be sent back, and nothing else.
    let mut body = of(&admin, &invoice["id"]).await;
    ["id", "uuid"].iter().for_each(|field| drop(body.as_object_mut().unwrap().shift_remove(*field)));
    admin.put(&path, body).await.is(200);
    admin.patch(&path, json!({"days": 3})).await.is(400).says("read-only");
    let etag = admin.get(&path).await.is(200).header("etag").to_owned();
    admin.with("if-match", &etag).patch(&path, json!({"net": 6})).await.is(200);
    admin.with("if-match", &etag).patch(&path, json!({"net": 7})).await.is(412);
}

#[spec]
async fn virtual_calculations_cannot_be_asked_for(engine: Engine) {
    let server = invoices(engine).await;
    let admin = server.admin();
    admin.create("invoice", json!({})).await;
    let why = "is calculated on each read and not stored";
    admin.get("collection/invoice?orderBy=days").await.is(400).says(why);
    admin.get("collection/invoice/get-by/days/14").await.is(400).says(why);
    for filter in [
        json!({"property": "days", "type": "eq", "param": 14}),
        json!({"property": "overdue", "type": "isNull"}),
        json!({"property": "id", "type": "eq", "param": {"$property": "days"}}),
    ] {
        let refused = admin.search("collection/invoice", json!({"filters": [filter]})).await.is(400).says(why);
        assert_eq!(refused.header("x-error-code"), "property_virtual");
    }
}

#[spec("D-20")]
async fn calculated_values_say_so_and_why_they_failed(engine: Engine) {
    let server = invoices(engine).await;
    let admin = server.admin();
    admin.create("invoice", json!({"net": 5})).await;
    let one = admin.get("collection/invoice/1?wrapFields=*&propsMeta=*").await.is(200).json();
    let vat = json!({"value": 1.05, "display": "1.05", "kind": "pDecimal", "calculated": true});
    assert_eq!(one["vat"], vat);
    assert_eq!(one["days"], json!({"value": 14, "display": "14", "kind": "pInteger", "calculated": true}));
    let broken = &one["broken"];
    assert_eq!((&broken["value"], &broken["calculated"]), (&Json::Null, &json!(true)));
    assert!(broken["error"].as_str().unwrap().contains("zero"), "{broken}");
    assert!(one["net"].get("calculated").is_none());
    let told = &one["_propsMeta"];
    for (name, calculated, sortable) in [("net", false, true), ("vat", true, true), ("days", true, false)] {
        let told = &told[name];
        let of = (&told["calculated"], &told["readOnly"], &told["write"], &told["sortable"]);
        assert_eq!(of, (&json!(calculated), &json!(calculated), &json!(!calculated), &json!(sortable)), "{name}");
    }
    assert_eq!(told["days"]["filterTypes"], json!([]));
    assert_eq!(told["issued"]["default"], "{=date('Y-m-d')}");
    // The wrapped value is accepted on input, as others are.
    admin.patch("collection/invoice/1", json!({"vat": vat, "days": one["days"]})).await.is(200);
}

#[spec]
async fn expanded_resources_have_their_calculations(engine: Engine) {
    let payment = "id: 42\nname: payment\nproperties:\n  invoice: {id: 430, kind: pRelation, type: invoice}\n";
    let files = [("types/company.yaml", COMPANY), ("types/invoice.yaml", INVOICE), ("types/payment.yaml", payment)];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    for net in [10, 20] {
        let invoice = admin.create("invoice", json!({"net": net})).await;
        admin.create("payment", json!({"invoice": invoice["id"]})).await;
    }
    admin.create("payment", json!({})).await;
    let list =
        admin.get("collection/payment?showFields=invoice.days,invoice.summary,invoice.net&orderBy=id").await.is(200);
    let expected = |id: i64, net: f64| json!({"id": id, "net": net, "days": 14, "summary": {"late": false, "to": null, "days": 28}});
    let shown: Vec<Json> = list.column("invoice");
    assert_eq!(shown[0], expected(1, 10.0));
    assert_eq!((&shown[1], &shown[2]), (&expected(2, 20.0), &Json::Null));
}

const MEMBER: &str = r#"
id: 43
name: member
properties:
  name:   {id: 440, kind: pString}
  guest:  {id: 441, kind: pBoolean, default: false}
  host:   {id: 442, kind: pRelation, type: member, title: Host, condition: "{=guest}", required: true}
  fee:    {id: 443, kind: pInteger, condition: "{=not guest}", default: 10, validate: [{rule: "{=fee < 100}", message: Too much}]}
  total:  {id: 444, kind: pInteger, calculate: "{=fee * 12}", condition: "{=fee != null}"}
  badge:  {id: 445, kind: pCalculated, calculate: "{=upper(name)}", condition: "{=name != null}"}
  nights: {id: 446, kind: pEnums, options: [mon, tue], condition: "{=host != null}"}
"#;

#[spec("R-303")]
async fn a_property_applies_on_a_condition(engine: Engine) {
    let server = Server::with(engine, &[("types/member.yaml", MEMBER)]).await;
    let admin = server.admin();
    let ann = admin.create("member", json!({"name": "Ann", "fee": 20})).await;
    let plain =
        json!({"id": 1, "uuid": ann["uuid"], "name": "Ann", "guest": false, "fee": 20, "total": 240, "badge": "ANN"});
    assert_eq!(ann, plain);
    // What does not apply is absent, its default too, and needs no value though one is required.
    let bob = admin.create("member", json!({"guest": true, "host": 1, "nights": ["mon"]})).await;
    let guest = json!({"id": 2, "uuid": bob["uuid"], "guest": true, "host": 1, "nights": ["mon"]});
    assert_eq!(bob, json!({"id": 2, "uuid": bob["uuid"], "name": null, "guest": true, "host": 1, "nights": ["mon"]}));
    let one = admin.get("collection/member/2?hideFields=name").await.is(200).json();
    assert_eq!(one, guest);
    let list = admin.get("collection/member?orderBy=id").await.is(200);
    assert_eq!((list.at("/data/0"), list.at("/data/1")), (plain.clone(), bob.clone()));
    // The first member, all members, a wrapped and an expanded one may be missing.
    let narrow = admin.get("collection/member?orderBy=id&showFields=fee,guest&hideFields=id").await.is(200);
    assert_eq!(narrow.at("/data"), json!([{"guest": false, "fee": 20}, {"guest": true}]));
    let narrow = admin
        .get("collection/member?orderBy=id&showFields=host.fee,badge&hideFields=id&wrapFields=badge")
        .await
        .is(200);
    let badge = json!({"value": "ANN", "display": "ANN", "kind": "pCalculated", "calculated": true});
    assert_eq!(narrow.at("/data"), json!([{"badge": badge}, {"host": {"id": 1, "fee": 20}}]));
    let narrow = admin.get("collection/member/2?showFields=fee,total&hideFields=id").await.is(200);
    assert_eq!(narrow.json(), json!({}));
    // Input that does not apply is refused with its reason; null is no value.
    let problems = admin.with("accept", "application/problem+json");
    let refused = problems
        .post("collection/member", json!({"host": 1}))
        .await
        .is(400)
        .says("Host does not apply here: that depends on Guest.");
    assert_eq!(
        (refused.at("/errors/0/property"), refused.at("/errors/0/code")),
        (json!("host"), json!("not_applicable"))
    );
    problems.patch("collection/member/2", json!({"fee": 5})).await.is(400).says("Fee does not apply here");
    problems.patch("collection/member/1", json!({"nights+=": ["tue"]})).await.is(400).says("Nights does not apply");
    admin.patch("collection/member/2", json!({"fee": null})).await.is(200);
    // A change that makes it apply needs what is required, and one that ends it clears the value.
    admin.patch("collection/member/1", json!({"guest": true})).await.is(400).says("Host");
    let turned = admin.patch("collection/member/2", json!({"guest": false, "fee": 7})).await.is(200).json();
    assert_eq!(turned, json!({"id": 2, "uuid": bob["uuid"], "name": null, "guest": false, "fee": 7, "total": 84}));
    assert_eq!(admin.get("collection/member/2").await.is(200).json(), turned);
    let filters = json!([{"property": "host", "type": "isNotNull"}]);
    admin.search("collection/member", json!({"filters": filters})).await.is(204);
    // It may be sent back as it was read.
    let mut body = turned.clone();
    ["id", "uuid"].iter().for_each(|field| drop(body.as_object_mut().unwrap().shift_remove(*field)));
    assert_eq!(admin.put("collection/member/2", body).await.is(200).json(), turned);
    let etag = admin.get("collection/member/2").await.is(200).header("etag").to_owned();
    admin.with("if-match", &etag).patch("collection/member/2", json!({"name": "Bob"})).await.is(200);
}

#[spec]
async fn numbers_have_no_gaps_whatever_is_refused(engine: Engine) {
    let server = invoices(engine).await;
    let node = server.node().await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..4 {
        let client = if number % 2 == 0 { server.admin() } else { node.admin() };
        tasks.spawn(async move {
            for turn in 0..12 {
                // Every third is refused by a rule, once it has its number.
                let net = if turn % 3 == 0 { -1 } else { turn };
                let status = client.post("collection/invoice", json!({"net": net})).await.status;
                assert_eq!(status, if net < 0 { 400 } else { 201 });
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    let list = server.admin().get("collection/invoice?showFields=number&orderBy=number&perPage=100").await.is(200);
    let expected: Vec<Json> = (1..=32).map(|number| json!(format!("INV-2026-{number:05}"))).collect();
    assert_eq!(list.column("number"), expected);
}
