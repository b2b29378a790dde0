//! Relations that are calculated: a resource refers to what others refer to, so that rows are found by it.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const REGION: &str = r#"
id: 50
name: region
properties:
  head: {id: 500, kind: pUser, onDelete: setNull}
"#;

const COMPANY: &str = r#"
id: 51
name: company
properties:
  region:  {id: 510, kind: pRelation, type: region, onDelete: setNull}
  manager: {id: 511, kind: pUser, onDelete: setNull}
  leader:  {id: 512, kind: pUser, calculate: "{=manager ?? region.head}"}
  owner:   {id: 513, kind: pUser, onDelete: restrict}
"#;

const INVOICE: &str = r#"
id: 52
name: invoice
properties:
  number:   {id: 520, kind: pInteger}
  customer: {id: 521, kind: pRelation, type: company, onDelete: setNull}
  leader:   {id: 522, kind: pUser, calculate: "{=customer.leader}", index: true}
  region:   {id: 523, kind: pRelation, type: region, calculate: "{=customer.region}"}
  led:      {id: 524, kind: pBoolean, calculate: "{=leader != null}"}
"#;

const FILES: [(&str, &str); 3] =
    [("types/region.yaml", REGION), ("types/company.yaml", COMPANY), ("types/invoice.yaml", INVOICE)];

/// The ids of an invoice's leader and region, and whether it is led.
async fn of_invoice(admin: &Client, id: &Json) -> (Json, Json, Json) {
    let invoice = admin.get(&format!("collection/invoice/{id}?showFields=leader,region,led")).await.is(200);
    (invoice.at("/leader"), invoice.at("/region"), invoice.at("/led"))
}

/// How many invoices a user leads, by the total of a list.
async fn led(admin: &Client, user: &Json) -> Json {
    let filters = json!([{"property": "leader", "type": "eq", "param": user}]);
    let list = admin.search("collection/invoice", json!({"filters": filters})).await;
    if list.status == 204 { json!(0) } else { list.is(200).at("/stats/total") }
}

async fn user(admin: &Client, name: &str) -> Json {
    let login = format!("{name}@example.com");
    admin.create("user", json!({"user_id": login, "user_name": name, "roles": ["reader"]})).await["id"].clone()
}

#[spec]
async fn a_calculated_relation_leads_where_others_lead(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let (anna, bert) = (user(&admin, "anna").await, user(&admin, "bert").await);
    let region = admin.create("region", json!({"head": bert})).await["id"].clone();
    let company = admin.create("company", json!({"region": region, "manager": anna})).await["id"].clone();
    let invoice = admin.create("invoice", json!({"customer": company})).await["id"].clone();
    let none = || (Json::Null, Json::Null, json!(false));
    assert_eq!(of_invoice(&admin, &invoice).await, (anna.clone(), region.clone(), json!(true)));
    admin.post("collection/invoice", json!({"leader": anna})).await.is(400);

    // Two steps away: the region's head, since there is no manager.
    let tag = admin.get(&format!("collection/invoice/{invoice}")).await.is(200).header("etag").to_owned();
    admin.patch(&format!("collection/company/{company}"), json!({"manager": null})).await.is(200);
    assert_eq!(of_invoice(&admin, &invoice).await, (bert.clone(), region.clone(), json!(true)));
    assert_ne!(admin.get(&format!("collection/invoice/{invoice}")).await.is(200).header("etag"), tag);
    assert_eq!(led(&admin, &bert).await, 1);
    assert_eq!(led(&admin, &anna).await, 0);
    admin.patch(&format!("collection/region/{region}"), json!({"head": anna})).await.is(200);
    assert_eq!(of_invoice(&admin, &invoice).await.0, anna);
    assert_eq!(led(&admin, &bert).await, 0);
    assert_eq!(led(&admin, &anna).await, 1);

    // Related resources are shown as those of any relation are.
    let shown = admin.get(&format!("collection/invoice/{invoice}?showFields=leader.user_id")).await.is(200);
    assert_eq!(shown.at("/leader/user_id"), "anna@example.com");

    admin.patch(&format!("collection/invoice/{invoice}"), json!({"customer": null})).await.is(200);
    assert_eq!(of_invoice(&admin, &invoice).await, none());
    admin.patch(&format!("collection/invoice/{invoice}"), json!({"customer": company})).await.is(200);
    admin.delete(&format!("collection/company/{company}")).await.is(204);
    assert_eq!(of_invoice(&admin, &invoice).await, none());
    assert_eq!(led(&admin, &anna).await, 0);
}

#[spec]
async fn a_deletion_follows_the_relations_that_others_are_calculated_by(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let (anna, bert) = (user(&admin, "anna").await, user(&admin, "bert").await);
    let region = admin.create("region", json!({"head": bert})).await["id"].clone();
    let company =
        admin.create("company", json!({"region": region, "manager": anna, "owner": anna})).await["id"].clone();
    let invoice = admin.create("invoice", json!({"customer": company})).await["id"].clone();
    // A relation that is no calculated one restricts, as ever.
    admin.delete(&format!("collection/user/{anna}")).await.is(409);
    admin.patch(&format!("collection/company/{company}"), json!({"owner": null})).await.is(200);
    let path = format!("collection/invoice/{invoice}");
    let tag = admin.get(&path).await.is(200).header("etag").to_owned();
    // The manager goes: the region's head leads from now on.
    admin.delete(&format!("collection/user/{anna}")).await.is(204);
    assert_eq!(of_invoice(&admin, &invoice).await, (bert.clone(), region.clone(), json!(true)));
    assert_ne!(admin.get(&path).await.is(200).header("etag"), tag);
    assert_eq!(led(&admin, &anna).await, 0);
    assert_eq!(led(&admin, &bert).await, 1);
    // And so does he, by whom two relations lead.
    admin.delete(&format!("collection/user/{bert}")).await.is(204);
    assert_eq!(of_invoice(&admin, &invoice).await, (Json::Null, region.clone(), json!(false)));
    admin.delete(&format!("collection/region/{region}")).await.is(204);
    assert_eq!(of_invoice(&admin, &invoice).await, (Json::Null, Json::Null, json!(false)));
    let company = admin.get(&format!("collection/company/{company}?showFields=leader,region")).await.is(200);
    assert_eq!((company.at("/leader"), company.at("/region")), (Json::Null, Json::Null));
}

#[spec]
async fn a_grant_by_a_calculated_relation_shows_what_one_by_the_way_shows(engine: Engine) {
    let server = Server::with(engine, &FILES).await;
    let admin = server.admin();
    let role = |name: &str, rule: &str| {
        format!("role: {name}\nsystem: [restApi]\ntypes:\n  invoice: {{show: {{where: \"{rule}\"}}}}\n")
    };
    let by_way =
        server.role("byway", &role("byway", "{=(customer.manager.id ?? customer.region.head.id) == user('id')}")).await;
    let by_relation = server.role("byrelation", &role("byrelation", "{=leader.id == user('id')}")).await;
    let (way, relation) = (server.user("byway").await, server.user("byrelation").await);
    let region = admin.create("region", json!({"head": way})).await["id"].clone();
    let mut numbers = Vec::new();
    for number in 0..12 {
        let manager = [json!(way), json!(relation), Json::Null][number % 3].clone();
        let region = if number % 2 == 0 { region.clone() } else { Json::Null };
        let company = admin.create("company", json!({"manager": manager, "region": region})).await["id"].clone();
        admin.create("invoice", json!({"number": number, "customer": company})).await;
        numbers.push((number, manager, !region.is_null()));
    }
    let seen = |client: Client| async move {
        let list = client.get("collection/invoice?orderBy=number").await;
        if list.status == 204 { Vec::new() } else { list.is(200).column("number") }
    };
    let expected = |user: i64, head: bool| -> Vec<Json> {
        let leads = |(_, manager, region): &&(usize, Json, bool)| {
            *manager == json!(user) || manager.is_null() && head && *region
        };
        numbers.iter().filter(leads).map(|(number, ..)| json!(number)).collect()
    };
    assert_eq!(seen(by_way).await, expected(way, true));
    assert_eq!(seen(by_relation.clone()).await, expected(relation, false));
    // Who leads the region sees more from that very moment on.
    admin.patch(&format!("collection/region/{region}"), json!({"head": relation})).await.is(200);
    assert_eq!(seen(by_relation.clone()).await, expected(relation, true));
    admin.patch(&format!("collection/region/{region}"), json!({"head": null})).await.is(200);
    assert_eq!(seen(by_relation).await, expected(relation, false));
}

#[spec]
async fn a_relation_that_becomes_calculated_is_calculated_for_all(engine: Engine) {
    let before =
        INVOICE.replace(r#", calculate: "{=customer.leader}""#, "").replace(r#", calculate: "{=customer.region}""#, "");
    let mut files = FILES;
    files[2].1 = &before;
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    let anna = user(&admin, "anna").await;
    let company = admin.create("company", json!({"manager": anna})).await["id"].clone();
    let invoice = admin.create("invoice", json!({"customer": company})).await["id"].clone();
    assert_eq!(of_invoice(&admin, &invoice).await.0, Json::Null);
    server.change_in_part(&[("types/invoice.yaml", INVOICE)]).await;
    server.recalculate().await;
    assert_eq!(of_invoice(&admin, &invoice).await, (anna, Json::Null, json!(true)));
}
