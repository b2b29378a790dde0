//! `_decimals=text`: decimals, and integers that floats cannot hold, with all their digits in any reader of JSON.

use super::Desk;
use serde_json::json;
use spec::spec;

/// 2^53 + 1, which a float cannot hold.
const ODD: i64 = 9_007_199_254_740_993;

#[spec("E-123")]
async fn decimals_come_as_texts_where_they_are_asked_for(desk: Desk) {
    let made =
        desk.admin.create("ticket", json!({"subject": "8", "minutes": ODD, "price": "-0.05", "status": "open"})).await;
    let path = format!("collection/ticket/{}", made["id"]);
    let plain = desk.admin.get(&path).await.is(200);
    assert!(plain.text.contains("\"minutes\":9007199254740993,\"price\":-0.05,"), "{}", plain.text);
    let texts = desk.admin.get(&format!("{path}?_decimals=text")).await.is(200);
    assert!(texts.text.contains("\"minutes\":\"9007199254740993\",\"price\":\"-0.05\","), "{}", texts.text);
    assert_eq!(desk.admin.get(&format!("{path}?_decimals=number")).await.is(200).text, plain.text);
    // Each form is an answer of its own.
    let known = desk.admin.with("if-none-match", texts.header("etag"));
    known.get(&format!("{path}?_decimals=text")).await.is(304);
    known.get(&path).await.is(200);
    for method in ["GET", "SEARCH"] {
        let asked =
            |decimals: &str| json!({"showFields": ["price", "minutes"], "orderBy": ["id"], "_decimals": decimals});
        let list = match method {
            "GET" => {
                let parameters = [("showFields", "price,minutes"), ("orderBy", "id"), ("_decimals", "text")];
                desk.admin.query("collection/ticket", &parameters).await
            }
            _ => desk.admin.search("collection/ticket", asked("text")).await,
        };
        let list = list.is(200);
        assert_eq!(list.at("/data/0"), json!({"id": 1, "price": "0.10", "minutes": 10}));
        assert_eq!(list.at("/data/2/price"), "99999999999999.99");
        assert_eq!(list.at("/data/7/minutes"), ODD.to_string());
        let numbers = desk.admin.search("collection/ticket", asked("number")).await.is(200);
        assert_eq!(numbers.at("/data/7/minutes"), ODD);
    }
    // In wrapped values and behind relations, too.
    let wrapped = desk.admin.get(&format!("{path}?wrapFields=price&_decimals=text")).await.is(200);
    assert_eq!(wrapped.at("/price/value"), "-0.05");
    desk.admin.get(&format!("{path}?_decimals=words")).await.is(400).says("_decimals");
    desk.admin.get("collection/ticket?_decimals=1").await.is(400).says("_decimals");
}

#[spec("E-123")]
async fn sums_and_averages_come_as_texts_where_they_are_asked_for(desk: Desk) {
    let query = "query: sums\ntype: ticket\ngroupBy: status\nvalues:\n  price: {function: sum, property: price}\n\
        \x20 mean: {function: avg, property: price}\n  least: {function: min, property: price}\n  tickets: count\n\
        \x20 minutes: {function: sum, property: minutes}\n";
    desk.server.change(&[("queries/sums.yaml", query)]).await;
    for minutes in [ODD, 2] {
        desk.admin.create("ticket", json!({"subject": "8", "minutes": minutes, "status": "waiting"})).await;
    }
    let body = json!({
        "groupBy": "status", "_decimals": "text",
        "values": {
            "price": {"function": "sum", "property": "price"}, "mean": {"function": "avg", "property": "price"},
            "least": {"function": "min", "property": "price"}, "tickets": "count",
            "minutes": {"function": "sum", "property": "minutes"},
        },
    });
    let groups = desk.groups(body.clone()).await;
    let open = json!({"status": "open", "price": "0.30", "mean": "0.15", "least": "0.10", "tickets": 2, "minutes": 30});
    assert_eq!(groups["data"][0], open);
    assert_eq!(groups["data"][1]["price"], "199999999999999.98");
    assert_eq!(groups["data"][2]["minutes"], (ODD + 2).to_string());
    assert_eq!(groups["data"][3]["mean"], json!(null));
    // A number of an answer finds its group again, as a float of the same digits does not.
    for (param, statuses) in
        [(json!("199999999999999.98"), vec![groups["data"][1]["status"].clone()]), (json!("1"), vec![])]
    {
        let mut found = body.clone();
        found["having"] = json!([{"property": "price", "type": "eq", "param": param}]);
        let found = desk.groups(found).await;
        let keys: Vec<_> = found["data"].as_array().unwrap().iter().map(|group| group["status"].clone()).collect();
        assert_eq!(keys, statuses, "{found}");
    }
    let wrong = json!({"having": [{"property": "count", "type": "eq", "param": "1e3"}]});
    desk.admin.post("/api/ext/v1/aggregate/ticket", wrong).await.is(400).says("needs a number");
    let asked = desk.admin.get("/api/ext/v1/query/sums?_decimals=text").await.is(200);
    assert_eq!(asked.at("/data"), groups["data"]);
    let numbers = desk.admin.get("/api/ext/v1/query/sums").await.is(200);
    assert_eq!(numbers.at("/data/0/price"), 0.3);
}
