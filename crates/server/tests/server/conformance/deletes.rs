//! DELETE, and what becomes of what referred to the deleted resource.

use resources::Body;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

#[spec("R-092", "R-140", "R-267")]
async fn a_delete_answers_204_once(server: Server) {
    let admin = server.admin();
    let row = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await;
    let path = format!("collection/country/{}", row["uuid"].as_str().unwrap());
    assert_eq!(admin.delete(&path).await.is(204).text, "");
    admin.delete(&path).await.is(404);
    admin.get(&format!("collection/country/{}", row["id"])).await.is(404);
    admin.delete("collection/nothing/1").await.is(404);
    admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await;
}

#[spec("D-25", "R-273")]
async fn a_restricting_relation_refuses_with_409(server: Server) {
    let admin = server.admin();
    let country = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    let person = admin.create("person", json!({"name": "P", "country": country})).await["id"].clone();
    let reply = admin.delete(&format!("collection/country/{country}")).await.is(409);
    assert!(reply.at("/message").is_string());
    admin.get(&format!("collection/country/{country}")).await.is(200);
    admin.patch(&format!("collection/person/{person}"), json!({"country": null})).await.is(200);
    admin.delete(&format!("collection/country/{country}")).await.is(204);
}

#[spec("D-25")]
async fn a_reference_becomes_null_or_leaves_its_list(server: Server) {
    let admin = server.admin();
    let p = admin.create("person", json!({"name": "P"})).await["id"].clone();
    let q = admin.create("person", json!({"name": "Q", "chief": p})).await["id"].clone();
    let article = admin.create("article", json!({"name": "A", "author": p, "readers": [q, p]})).await["id"].clone();
    admin.delete(&format!("collection/person/{p}")).await.is(204);
    let row = admin.get(&format!("collection/article/{article}")).await.is(200).json();
    assert_eq!((&row["author"], &row["readers"]), (&Json::Null, &json!([q])));
    assert_eq!(admin.get(&format!("collection/person/{q}")).await.is(200).at("/chief"), Json::Null);
}

#[spec("D-25", "D-24")]
async fn a_cascade_is_one_transaction(engine: testing::Engine) {
    let types = |on_delete: &str| {
        format!(
            "id: 21\nname: line\ntitle: Line\nproperties:\n  order: {{id: 210, kind: pRelation, title: Order, type: order, onDelete: cascade}}\n  \
             parent: {{id: 211, kind: pRelation, title: Parent, type: line, onDelete: {on_delete}}}\n"
        )
    };
    let (order, line) = (
        "id: 20\nname: order\ntitle: Order\nproperties:\n  name: {id: 200, kind: pString, title: Name}\n",
        types("restrict"),
    );
    let admin_role = "role: admin\nsystem: [restApi, admin]\ntypes: {order: {show: true, edit: true}, line: {show: true, edit: true}}\n";
    let server = Server::files(
        engine,
        &[
            ("tenant.yaml", "tenant: acme\n"),
            ("types/order.yaml", order),
            ("types/line.yaml", &line),
            ("roles/admin.yaml", admin_role),
            ("users/admin.yaml", "user: admin@acme.test\nname: Ada\nroles: [admin]\n"),
        ],
    )
    .await;
    let admin = server.admin();
    let order = admin.create("order", json!({"name": "O"})).await["id"].clone();
    let other = admin.create("order", json!({"name": "P"})).await["id"].clone();
    let line = admin.create("line", json!({"order": order})).await["id"].clone();
    admin.create("line", json!({"order": order})).await;
    // A line of another order stands on one of ours: nothing may go.
    let foreign = admin.create("line", json!({"order": other, "parent": line})).await["id"].clone();
    admin.delete(&format!("collection/order/{order}")).await.is(409);
    admin.get(&format!("collection/order/{order}")).await.is(200);
    assert_eq!(admin.get("collection/line").await.is(200).at("/stats/total"), 3);
    admin.delete(&format!("collection/line/{foreign}")).await.is(204);
    admin.delete(&format!("collection/order/{order}")).await.is(204);
    admin.get("collection/line").await.is(204);
    admin.get(&format!("collection/order/{other}")).await.is(200);
}

const REGION: &str = "id: 80\nname: region\nproperties:\n  free: {id: 800, kind: pRollup, relation: deal.region, function: count, where: \"{=firm == null}\"}\n";
const FIRM: &str = "id: 81\nname: firm\ntitleProperty: name\nproperties:\n  name: {id: 810, kind: pString}\n";
const DEAL: &str = r#"
id: 82
name: deal
properties:
  region:  {id: 820, kind: pRelation, type: region}
  firm:    {id: 821, kind: pRelation, type: firm, onDelete: setNull, index: true}
  firms:   {id: 822, kind: pRelations, type: firm, onDelete: setNull}
  beside:  {id: 823, kind: pRelation, type: deal}
  line:    {id: 824, kind: pString, calculate: "{=firm.name ?? '-'}"}
  further: {id: 825, kind: pString, calculate: "{=beside.line ?? '-'}"}
"#;
const HEARD: &str = "automation: heard\nrate: 100000\non: {event: deal.updated, if: \"{=changedFrom('line', 'A')}\"}\ndo:\n  - stop: true\n";

/// More deals than are changed at a time refer to a firm that goes; the first and the last one to one another.
#[spec("D-25")]
async fn many_that_referred_to_what_goes_follow_as_few_do(engine: Engine) {
    const DEALS: i64 = 1_030;
    let files = [
        ("types/region.yaml", REGION),
        ("types/firm.yaml", FIRM),
        ("types/deal.yaml", DEAL),
        ("automations/heard.yaml", HEARD),
    ];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    let region = admin.create("region", json!({})).await["id"].clone();
    let [firm, other] =
        [admin.create("firm", json!({"name": "A"})).await, admin.create("firm", json!({"name": "B"})).await]
            .map(|firm| firm["id"].clone());
    let members = json!({"region": region, "firm": firm, "firms": [other, firm]});
    let members = members.as_object().cloned().unwrap();
    // Each hundred has the time of a job to itself.
    for first in (0..DEALS).step_by(100) {
        let members = members.clone();
        let made = server.elevated(move |tx, context| {
            (first..DEALS.min(first + 100))
                .try_for_each(|_| resources::create(tx, context, "deal", &Body::plain(members.clone())).map(drop))
        });
        made.await.unwrap();
    }
    for (deal, beside) in [(1, DEALS), (DEALS, 1)] {
        admin.patch(&format!("collection/deal/{deal}"), json!({"beside": beside})).await.is(200);
    }
    let count = async |firm: &Json| {
        let filters = json!([{"property": "firm", "type": "eq", "param": firm}]);
        let filters = filters.to_string();
        let reply = admin.query("collection/deal", &[("perPage", "1"), ("filters", &filters)]).await;
        if reply.status == 204 { json!(0) } else { reply.is(200).at("/stats/total") }
    };
    let shown = async |deal: i64| {
        let row = admin.get(&format!("collection/deal/{deal}")).await.is(200).json();
        [&row["firm"], &row["firms"], &row["line"], &row["further"]].map(Clone::clone)
    };
    assert_eq!(count(&firm).await, DEALS);
    assert_eq!(shown(1).await, [firm.clone(), json!([other, firm]), json!("A"), json!("A")]);
    assert_eq!(admin.get(&format!("collection/region/{region}")).await.is(200).at("/free"), 0);

    admin.delete(&format!("collection/firm/{firm}")).await.is(204);
    assert_eq!([count(&firm).await, count(&Json::Null).await], [json!(0), json!(DEALS)]);
    for deal in [1, 1_000, 1_001, DEALS] {
        assert_eq!(shown(deal).await, [Json::Null, json!([other]), json!("-"), json!("-")], "{deal}");
    }
    assert_eq!(admin.get(&format!("collection/region/{region}")).await.is(200).at("/free"), DEALS);
    let ran = server.run_automations().await;
    assert_eq!(i64::try_from(ran.done).unwrap(), DEALS, "each tells once that its line is another");
}
