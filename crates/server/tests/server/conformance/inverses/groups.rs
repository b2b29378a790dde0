//! Groups by what refers: each of the rows behind an inverse, and each different value of theirs.

use super::{BLIND, CUSTOMER, Desk, code};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::Client;

async fn ask(client: &Client, of: &str, body: Json) -> Json {
    client.post(&format!("/api/ext/v1/aggregate/{of}"), body).await.is(200).json()
}

/// The groups by one key, as pairs.
async fn by(client: &Client, of: &str, key: &str) -> Vec<(Json, i64)> {
    let page = ask(client, of, json!({"groupBy": [{"property": key, "as": "key", "each": true}]})).await;
    let pair = |row: &Json| (row["key"].clone(), row["count"].as_i64().unwrap());
    page["data"].as_array().unwrap().iter().map(pair).collect()
}

fn pairs<const N: usize>(expected: [(Json, i64); N]) -> Vec<(Json, i64)> {
    expected.to_vec()
}

#[spec("E-131")]
async fn a_row_counts_once_for_each_row_that_refers(desk: Desk) {
    let admin = &desk.admin;
    let none = |count| (Json::Null, count);
    let ids = |ids: &[i64]| ids.iter().map(|id| (json!(id), 1)).collect::<Vec<_>>();
    // Companies by their tickets, and the one without.
    assert_eq!(by(admin, "company", "tickets").await, [ids(&[1, 2, 3, 4]), vec![none(1)]].concat());
    let expected = pairs([(json!(1), 2), (json!(2), 1), (json!(4), 2)]);
    assert_eq!(by(admin, "company", "watched").await, expected);
    // The first has open and solved tickets; it counts once for each.
    let expected = pairs([(json!("open"), 1), (json!("solved"), 2), none(1)]);
    assert_eq!(by(admin, "company", "tickets.status").await, expected);
    assert_eq!(by(admin, "company", "watched.status").await, pairs([(json!("open"), 2), (json!("solved"), 2)]));
    // A ticket without minutes is one without a value.
    let expected = pairs([(json!(10), 1), (json!(20), 1), (json!(40), 1), none(2)]);
    assert_eq!(by(admin, "company", "tickets.minutes").await, expected);
    // Behind relations, and further on: to one, to several, and to what refers again.
    let expected = pairs([(json!("open"), 3), (json!("solved"), 4)]);
    assert_eq!(by(admin, "ticket", "company.tickets.status").await, expected);
    assert_eq!(
        by(admin, "company", "tickets.company.name").await,
        pairs([(json!("Ada"), 1), (json!("Bob"), 1), none(1)])
    );
    let expected = pairs([(json!("w"), 1), (json!("x"), 1), (json!("y"), 1), (json!("z"), 1), none(3)]);
    assert_eq!(by(admin, "company", "tickets.comments.text").await, expected);
    assert_eq!(
        by(admin, "company", "tickets.watchers").await,
        pairs([(json!(1), 1), (json!(2), 2), (json!(3), 1), none(2)])
    );
    assert_eq!(
        by(admin, "ticket", "watchers.name").await,
        pairs([(json!("Ada"), 1), (json!("Bob"), 3), (json!("Cyd"), 1), none(1)])
    );
}

#[spec("E-131")]
async fn keys_behind_inverses_go_with_all_else(desk: Desk) {
    let key = |name: &str| json!({"property": name, "each": true});
    let body = json!({
        "groupBy": [key("tickets.status"), "name"], "totals": true,
        "values": {"companies": "count", "names": {"function": "countDistinct", "property": "name"}},
        "filters": [{"property": "tickets", "type": "size", "param": {"gte": 1}}],
        "having": [{"property": "tickets.status", "type": "neq", "param": "open"}], "orderBy": ["-name"],
    });
    let page = ask(&desk.admin, "company", body).await;
    let group = |name: &str| json!({"tickets.status": "solved", "name": name, "companies": 1, "names": 1});
    assert_eq!(page["data"], json!([group("Bob"), group("Ada")]));
    assert_eq!(page["totals"], json!({"companies": 2, "names": 2}), "a company is one, whatever refers to it");
    // Keys do not hang together.
    let body = json!({"groupBy": [key("tickets.status"), key("tickets.minutes")], "filters": [{"property": "id", "type": "eq", "param": 1}]});
    assert_eq!(ask(&desk.admin, "company", body).await["stats"]["total"], 6);
    let month = json!({"groupBy": [{"property": "tickets.created", "by": "month", "each": true, "as": "month"}]});
    assert_eq!(ask(&desk.admin, "company", month).await["stats"]["total"], 2);
    let having =
        json!({"groupBy": [key("tickets")], "having": [{"property": "tickets", "type": "in", "param": [2, null]}]});
    assert_eq!(
        ask(&desk.admin, "company", having).await["data"],
        json!([{"tickets": 2, "count": 1}, {"tickets": null, "count": 1}])
    );
    // An inverse of one is a key like a relation to one.
    let one = json!({"groupBy": ["profile", "profile.city"]});
    let expected = json!([{"profile": 1, "profile.city": "Brno", "count": 1}, {"profile": null, "profile.city": null, "count": 2}]);
    assert_eq!(ask(&desk.admin, "company", one).await["data"], expected);
    for (body, says) in [
        (json!({"groupBy": ["tickets"]}), "has several values"),
        (json!({"groupBy": ["tickets.status"]}), "has several values"),
        (json!({"groupBy": [key("profile")]}), "has one value"),
        (json!({"groupBy": [key("tickets.comments.ticket.company.name")]}), "more than 3 relations away"),
        (json!({"values": {"n": {"function": "sum", "property": "tickets.minutes"}}}), "several resources"),
        (json!({"values": {"n": {"function": "count", "property": "tickets"}}}), "other end"),
    ] {
        desk.admin.post("/api/ext/v1/aggregate/company", body.clone()).await.is(400).says(says);
    }
}

#[spec("E-131", "D-3")]
async fn keys_behind_inverses_are_what_the_caller_sees(desk: Desk) {
    let customer = desk.server.role("customer", CUSTOMER).await;
    // Solved tickets do not show their companies, and internal comments are not there.
    assert_eq!(by(&customer, "company", "tickets.status").await, pairs([(json!("open"), 1), (Json::Null, 2)]));
    let expected = pairs([(json!(1), 1), (json!(2), 1), (Json::Null, 2)]);
    assert_eq!(by(&customer, "company", "tickets").await, expected);
    let expected = pairs([(json!("x"), 1), (json!("z"), 1), (Json::Null, 3)]);
    assert_eq!(by(&customer, "company", "tickets.comments.text").await, expected);
    let blind = desk.server.role("blind", BLIND).await;
    for name in ["tickets", "tickets.subject", "watched", "profile", "nothing"] {
        let body = json!({"groupBy": [{"property": name, "each": true}]});
        let reply = blind.post("/api/ext/v1/aggregate/company", body).await;
        assert_eq!(code(reply.says(&format!("There is no property \\\"{name}\\\"."))), "property_unknown", "{name}");
    }
}

/// Kept answers follow what refers, and queries have such keys.
#[spec("E-131", "E-075", "E-120")]
async fn queries_have_keys_behind_inverses(desk: Desk) {
    let query = "query: states\ntype: company\ngroupBy: [{property: tickets.status, each: true, as: status}, {property: profile.city, as: city}]\n";
    desk.server.change(&[("queries/states.yaml", query)]).await;
    let path = "/api/ext/v1/query/states";
    let first = desk.admin.get(path).await.is(200);
    assert_eq!(first.at("/data/0"), json!({"status": "open", "city": null, "count": 1}));
    assert_eq!(desk.admin.get(path).await.text, first.text);
    desk.admin.create("ticket", json!({"subject": "e", "status": "open", "company": 2})).await;
    let after = desk.admin.get(path).await.is(200);
    assert_eq!(after.at("/data/0"), json!({"status": "open", "city": "Brno", "count": 1}));
    desk.admin.patch("collection/profile/1", json!({"city": "Cheb"})).await.is(200);
    assert_eq!(desk.admin.get(path).await.at("/data/0/city"), "Cheb");
    let client = desk.admin.get("/api/ext/v1/client.ts").await.is(200);
    assert!(client.text.contains("status: TicketStatus | null;\n            city: string | null;"), "{}", client.text);
}
