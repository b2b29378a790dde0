//! A resource that is sent back as it was read, whole: nothing is refused, and nothing changes.

use super::wrapping::{Things, thing};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};

/// A type of what is not given but shown, and of numbers with many digits.
const SUM: &str = "id: 80\nname: sum\ntitleProperty: name\nproperties:\n  \
    name: {id: 800, kind: pString}\n  exact: {id: 801, kind: pDecimal, precision: 18, scale: 2}\n  \
    small: {id: 802, kind: pDecimal, precision: 18, scale: 18}\n  above: {id: 803, kind: pRelation, type: sum, onDelete: setNull}\n  \
    others: {id: 804, kind: pRelations, type: sum, onDelete: setNull}\n  \
    kept: {id: 805, kind: pCalculated, calculate: \"{=[name, exact, 0.000001]}\", stored: true}\n  \
    made: {id: 806, kind: pCalculated, calculate: \"{={a: exact / 3, b: [small, 1.50]}}\"}\n  \
    failed: {id: 807, kind: pCalculated, calculate: \"{=1 / jsonDecode((exact - exact) ~ '')}\"}\n  \
    doubled: {id: 808, kind: pDecimal, precision: 18, scale: 2, calculate: \"{=exact * 1}\"}\n  \
    below: {id: 809, kind: pRollup, relation: sum.above, function: sum, property: exact}\n  \
    count: {id: 810, kind: pRollup, relation: sum.above, function: count}\n  \
    many: {id: 811, kind: pFloat}\n";

const SYSTEM: &str = "created,updated,createdBy,updatedBy,version";

/// Sends what was read back, by PATCH and by PUT, to the letter.
async fn goes_back(admin: &Client, path: &str, parameters: &[(&str, &str)]) {
    let version = async || admin.get(&format!("{path}?showFields=version,updated")).await.is(200).text;
    let plain = async || admin.get(path).await.is(200).text;
    let (before, whole) = (version().await, plain().await);
    let read = admin.query(path, parameters).await.is(200);
    // A part of a resource is no whole one.
    let methods = if parameters.contains(&("showFields", SYSTEM)) { &["PATCH"][..] } else { &["PATCH", "PUT"] };
    for method in methods {
        let body = read.text.as_bytes().to_vec();
        let sent = admin.request(method, path).body("application/json", body).send().await;
        assert_eq!(sent.status, 200, "{method} {parameters:?} {}: {}", read.text, sent.text);
        assert_eq!(
            (version().await, plain().await),
            (before.clone(), whole.clone()),
            "{method} {parameters:?} {}",
            read.text
        );
    }
}

#[spec("R-133", "R-134", "D-20", "D-22")]
async fn each_kind_can_be_sent_back_in_every_form(Things(server): Things) {
    let (thing, _) = thing(&server).await;
    let admin = server.admin();
    let path = format!("collection/thing/{}", thing["id"]);
    let names: Vec<&str> = thing.as_object().unwrap().keys().map(String::as_str).collect();
    let all = format!("{},{SYSTEM}", names.join(","));
    let expanded = format!("{all},relation.id,relation.uuid,relations.uuid,user.uuid");
    for fields in [None, Some(SYSTEM), Some(&all), Some(&expanded)] {
        for more in [&[][..], &[("wrapFields", "*")], &[("propsMeta", "*")], &[("wrapFields", "*"), ("propsMeta", "*")]]
        {
            let shown = fields.map(|fields| ("showFields", fields));
            let parameters: Vec<(&str, &str)> = more.iter().copied().chain(shown).collect();
            goes_back(&admin, &path, &parameters).await;
        }
    }
}

#[spec("R-133", "R-134", "D-20")]
async fn what_is_calculated_and_long_can_be_sent_back(engine: Engine) {
    let server = Server::with(engine, &[("types/sum.yaml", SUM)]).await;
    let admin = server.admin();
    let long = json!({"name": "a", "exact": "1234567890123456.78", "small": "0.123456789012345678", "many": 0.1});
    admin.create("sum", long).await;
    admin.create("sum", json!({"name": "b", "exact": "-9999999999999999.99", "above": 1, "others": [1]})).await;
    admin.patch("collection/sum/1", json!({"above": 2, "others": [2, 1]})).await.is(200);
    let all = format!(
        "name,exact,small,above.name,others.name,kept,made,failed,doubled,below,count,many,{SYSTEM},above.above.name"
    );
    for id in [1, 2] {
        for fields in [None, Some(all.as_str())] {
            for more in [&[][..], &[("wrapFields", "*")], &[("wrapFields", "*"), ("propsMeta", "*")]] {
                let shown = fields.map(|fields| ("showFields", fields));
                let parameters: Vec<(&str, &str)> = more.iter().copied().chain(shown).collect();
                goes_back(&admin, &format!("collection/sum/{id}"), &parameters).await;
            }
        }
    }
}

/// Numbers are taken by their digits, however they are written.
#[spec("R-133", "D-23")]
async fn decimals_are_taken_as_they_are_written(engine: Engine) {
    let server = Server::with(engine, &[("types/sum.yaml", SUM)]).await;
    let admin = server.admin();
    admin.create("sum", json!({"name": "a"})).await;
    let path = "collection/sum/1";
    let patch = async |body: &str| {
        let sent = admin.request("PATCH", path).body("application/json", body.as_bytes().to_vec());
        sent.send().await
    };
    for (body, shown) in [
        ("{\"exact\": 1234567890123456.78}", "1234567890123456.78"),
        ("{\"exact\": {\"value\": -1234567890123456.79, \"kind\": \"pDecimal\"}}", "-1234567890123456.79"),
        ("{\"exact+=\": 0.0100000000000000000000}", "-1234567890123456.78"),
        ("{\"exact\": 1.23456789012345678e15}", "1234567890123456.78"),
        ("{\"exact\": 12.50}", "12.50"),
    ] {
        patch(body).await.is(200).says(&format!("\"exact\":{shown},"));
    }
    patch("{\"exact\": 1234567890123456.789}").await.is(400).says("2 decimal places");
    patch("{\"exact\": 12345678901234567.89}").await.is(400).says("Exact");
}

/// What is read-only is refused where it is another value, or an operator stands behind it.
#[spec("R-031", "D-2", "D-12")]
async fn other_values_of_what_is_read_only_are_refused(engine: Engine) {
    let server = Server::with(engine, &[("types/sum.yaml", SUM)]).await;
    let admin = server.admin();
    admin.create("sum", json!({"name": "a", "exact": "1.00"})).await;
    let path = "collection/sum/1";
    let shown = admin.query(path, &[("showFields", SYSTEM), ("propsMeta", "name")]).await.is(200).json();
    let mut meta = shown["_propsMeta"].clone();
    admin.patch(path, json!({"_propsMeta": meta})).await.is(200);
    meta["name"]["title"] = json!("Other");
    for body in [
        json!({"version": 2}),
        json!({"version+=": 0}),
        json!({"created": "2026-01-01T00:00:00Z"}),
        json!({"updated": null}),
        json!({"updated": "x"}),
        json!({"createdBy": null}),
        json!({"createdBy": {"id": 999}}),
        json!({"updatedBy": [1]}),
        json!({"kept": null}),
        json!({"made": {"a": 1}}),
        json!({"doubled": 3}),
        json!({"count": 1}),
        json!({"_propsMeta": meta}),
        json!({"_propsMeta": null}),
        json!({"_propsMeta": {"nothing": {}}}),
        json!({"_propsMeta+=": {}}),
    ] {
        let name = body.as_object().unwrap().keys().next().unwrap().trim_end_matches("+=").to_owned();
        for method in ["PATCH", "PUT"] {
            let sent = admin.request(method, path).json(&body).send().await;
            assert_eq!(sent.status, 400, "{method} {body}: {}", sent.text);
        }
        let before = admin.query(path, &[("showFields", SYSTEM)]).await.is(200).json();
        assert_eq!(before["version"], shown["version"], "{name}");
    }
    // Nobody gives them to what is new.
    admin.post("collection/sum", json!({"name": "b", "version": 1})).await.is(400);
    admin.post("collection/sum", json!({"name": "b", "above": {"id": 1, "name": "a"}})).await.is(201);
    admin.patch(path, json!({"above": {"name": "a"}})).await.is(400).says("Above");
    let rows: Json = json!([{"id": 1}, 2, {"id": {"value": 1}}]);
    assert_eq!(admin.patch(path, json!({"others": rows})).await.is(200).at("/others"), json!([1, 2, 1]));
}

/// What the caller may not read tells nothing of itself by being sent.
#[spec("D-3", "D-12")]
async fn values_cannot_be_guessed_by_sending_them(engine: Engine) {
    let server = Server::with(engine, &[("types/sum.yaml", SUM)]).await;
    server.admin().create("sum", json!({"name": "a", "exact": "1.00"})).await;
    let role = "role: blind\nsystem: [restApi]\ntypes:\n  sum: {show: {fields: [name, \"-version\", \"-createdBy\"]}, edit: true}\n";
    let blind = server.role("blind", role).await;
    let refused = blind.patch("collection/sum/1", json!({"version": 1})).await.is(400).text;
    assert_eq!(blind.patch("collection/sum/1", json!({"version": 2})).await.is(400).text, refused);
    let made = blind.patch("collection/sum/1", json!({"doubled": 1})).await.is(400).text;
    assert_eq!(blind.patch("collection/sum/1", json!({"doubled": 3})).await.is(400).text, made);
    let by = blind.patch("collection/sum/1", json!({"createdBy": 1})).await.is(400).text;
    assert_eq!(blind.patch("collection/sum/1", json!({"createdBy": 12345})).await.is(400).text, by);
}
