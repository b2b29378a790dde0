//! Sources of values that nobody gives: rollups and calculations, as far as the caller may read what they name.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

const FIRM: &str = "id: 30\nname: firm\ntitle: Firm\ntitleProperty: name\ncodeProperty: code\nproperties:\n  \
    name: {id: 300, kind: pString}\n  code: {id: 301, kind: pString, unique: true}\n  \
    rate: {id: 302, kind: pInteger}\n  \
    head: {id: 303, kind: pRelation, type: firm}\n  \
    bills: {id: 304, kind: pRelations, type: bill}\n  \
    total: {id: 305, kind: pRollup, relation: bill.firm, function: sum, property: amount, where: \"{=state == 'paid'}\"}\n  \
    number: {id: 306, kind: pRollup, relation: bill.firm, function: count}\n  \
    largest: {id: 307, kind: pRollup, relation: bills, function: max, property: amount}\n  \
    double: {id: 308, kind: pCalculated, calculate: \"{=(rate ?? 0) * 2}\"}\n  \
    label: {id: 309, kind: pCalculated, calculate: \"{=upper(name)} of {=(head != null ? getTitle(head) : '')}\"}\n  \
    of_head: {id: 310, kind: pCalculated, calculate: \"{=head.rate}\"}\n  \
    kept: {id: 311, kind: pString, calculate: \"{=name ~ code}\"}\n  \
    own: {id: 312, kind: pCalculated, calculate: \"{=user('phone')}\"}\n  \
    sought: {id: 313, kind: pCalculated, calculate: \"{=queryCount(query('bills'))}\"}\n  \
    place: {id: 314, kind: pCalculated, calculate: \"{=env('PLACE')}\"}\n  \
    sums: {id: 315, kind: pCalculated, calculate: \"{=join(',', map(bills, 'amount'))}\"}\n";
const BILL: &str = "id: 31\nname: bill\ntitle: Bill\nproperties:\n  \
    firm: {id: 320, kind: pRelation, type: firm}\n  amount: {id: 321, kind: pInteger}\n  \
    state: {id: 322, kind: pEnum, options: [open, paid]}\n";

async fn server(engine: Engine) -> Server {
    let files = [
        ("types/firm.yaml", FIRM),
        ("types/bill.yaml", BILL),
        ("queries/bills.yaml", "query: bills\ntype: bill\n"),
        ("env.yaml", "PLACE: Brno\n"),
    ];
    Server::with(engine, &files).await
}

/// The properties of the type `firm`, by name.
async fn firm(client: &Client) -> Json {
    let model = client.get("/api/ext/v1/model").await.is(200).json();
    let types = model["types"].as_array().unwrap();
    let firm = types.iter().find(|of| of["name"] == "firm").unwrap();
    let properties = firm["properties"].as_array().unwrap().iter();
    properties.map(|property| (property["identifier"].as_str().unwrap().to_owned(), property.clone())).collect()
}

#[spec("E-156")]
async fn the_model_tells_what_rollups_and_calculations_are_made_of(engine: Engine) {
    let server = server(engine).await;
    let firm = firm(&server.admin()).await;
    let paid = json!({
        "operation": "sum", "type": "bill", "relation": "firm", "own": false, "property": "amount",
        "filtered": true, "filter": "{=state == 'paid'}",
    });
    assert_eq!(firm["total"]["rollup"], paid);
    let number = json!({
        "operation": "count", "type": "bill", "relation": "firm", "own": false, "property": null, "filtered": false,
    });
    assert_eq!(firm["number"]["rollup"], number);
    let largest = json!({
        "operation": "max", "type": "bill", "relation": "bills", "own": true, "property": "amount", "filtered": false,
    });
    assert_eq!(firm["largest"]["rollup"], largest);
    for (name, text) in [
        ("double", "{=(rate ?? 0) * 2}"),
        ("label", "{=upper(name)} of {=(head != null ? getTitle(head) : '')}"),
        ("of_head", "{=head.rate}"),
        ("kept", "{=name ~ code}"),
        ("sums", "{=join(',', map(bills, 'amount'))}"),
    ] {
        assert_eq!(firm[name]["calculation"], text, "{name}");
        assert_eq!(firm[name]["rollup"], Json::Null, "{name}");
    }
    assert_eq!(firm["name"]["calculation"], Json::Null);
    // An expression that looks beyond paths of properties is kept back from everybody.
    for name in ["own", "sought", "place"] {
        assert_eq!(firm[name]["calculation"], Json::Null, "{name}");
    }
}

#[spec("E-156", "D-3")]
async fn sources_name_nothing_that_the_caller_may_not_read(engine: Engine) {
    let server = server(engine).await;
    let role = |firm: &str, bill: &str| {
        format!("role: clerk\nsystem: [restApi]\ntypes:\n  firm: {{show: {{fields: {firm}}}}}\n  bill: {bill}\n")
    };
    let all = "[\"*\", \"-rate\"]";
    let clerk = server.role("clerk", &role(all, "{show: {fields: [firm, amount]}}")).await;
    let seen = firm(&clerk).await;
    for name in ["double", "of_head"] {
        assert_eq!(seen[name]["calculation"], Json::Null, "{name}");
        assert_eq!(seen[name]["calculated"], true, "{name}");
    }
    assert_eq!(seen["label"]["calculation"], "{=upper(name)} of {=(head != null ? getTitle(head) : '')}");
    let sum = json!({
        "operation": "sum", "type": "bill", "relation": "firm", "own": false, "property": "amount", "filtered": true,
    });
    assert_eq!(seen["total"]["rollup"], sum, "the filter names the state");
    assert_eq!(seen["number"]["rollup"]["operation"], "count");
    for (fields, bill, hidden) in [
        // Without the property, the relation or the type there is no rollup; without the title no value of a relation.
        (all, "{show: {fields: [firm, state]}}", ["total", "largest", "sums"].as_slice()),
        (all, "{show: {fields: [amount, state]}}", &["total", "number"]),
        (all, "{edit: true, show: false}", &["total", "number", "largest", "sums"]),
        ("[\"*\", \"-bills\"]", "{show: true}", &["largest", "sums"]),
        ("[\"*\", \"-code\"]", "{show: true}", &["label", "kept"]),
        ("[\"*\", \"-head\"]", "{show: true}", &["label", "of_head"]),
    ] {
        server.change(&[("roles/clerk.yaml", &role(fields, bill))]).await;
        let seen = firm(&clerk).await;
        let told = ["total", "number", "largest", "sums", "label", "kept", "of_head"].into_iter();
        let lacking = told.filter(|name| seen[name]["rollup"].is_null() && seen[name]["calculation"].is_null());
        let lacking: Vec<&str> = lacking.filter(|name| fields != all || *name != "of_head").collect();
        assert_eq!(lacking, *hidden, "{fields} {bill}");
    }
}
