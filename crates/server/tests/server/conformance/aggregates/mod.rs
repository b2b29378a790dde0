//! Groups of a collection: keys, values, periods, conditions on groups, totals, limits.

mod conditions;
mod counted;
mod edges;
mod queries;
mod texts;

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply, Server, Subject};

const TICKET: &str = "\
id: 60
name: ticket
properties:
  subject: {id: 601, kind: pString, required: true}
  status: {id: 602, kind: pEnum, options: [open, waiting, solved]}
  opened: {id: 603, kind: pDateTime}
  due: {id: 604, kind: pDate}
  billed: {id: 605, kind: pMonth}
  minutes: {id: 606, kind: pInteger}
  price: {id: 607, kind: pDecimal, scale: 2}
  weight: {id: 608, kind: pFloat}
  labels: {id: 609, kind: pEnums, options: [red, blue, green]}
  company: {id: 610, kind: pRelation, type: firm}
  secret: {id: 611, kind: pInteger}
  notes: {id: 612, kind: pJson}
";
const FIRM: &str = "\
id: 61
name: firm
properties:
  name: {id: 651, kind: pString, required: true}
  plan: {id: 652, kind: pString}
";
/// Sees open tickets with all but `secret`, and firms of the plan gold.
const AGENT: &str = "\
role: agent
system: [restApi]
types:
  ticket:
    show:
      - {where: \"{=status == 'open'}\", fields: [subject, status, opened, due, billed, minutes, price, company]}
  firm:
    show:
      - {where: \"{=plan == 'gold'}\"}
";

/// A tenant with seven tickets.
struct Desk {
    server: Server,
    admin: Client,
}

impl Subject for Desk {
    async fn on(engine: Engine) -> Self {
        let files = [("types/ticket.yaml", TICKET), ("types/firm.yaml", FIRM)];
        let server = Server::with(engine, &files).await;
        let admin = server.admin();
        for (name, plan) in [("Ada", "gold"), ("Bob", "free")] {
            admin.create("firm", json!({"name": name, "plan": plan})).await;
        }
        for ticket in [
            json!({"subject": "1", "status": "open", "opened": "2026-01-31T23:30:00Z", "due": "2026-02-01", "billed": "2026-01", "minutes": 10, "price": "0.10", "weight": 0.1, "labels": ["red", "blue"], "company": 1, "secret": 5}),
            json!({"subject": "2", "status": "open", "opened": "2026-01-31T22:30:00Z", "due": "2026-02-02", "billed": "2026-02", "minutes": 20, "price": "0.20", "weight": 0.2, "labels": ["red"], "company": 2}),
            json!({"subject": "3", "status": "solved", "opened": "2026-03-29T00:59:00Z", "due": "2026-02-08", "minutes": 21, "price": "99999999999999.99", "weight": 0.3, "labels": []}),
            json!({"subject": "4", "status": "solved", "opened": "2026-03-29T01:01:00Z", "due": "2026-02-09", "minutes": -1, "price": "99999999999999.99", "company": 1}),
            json!({"subject": "5", "status": "waiting", "opened": "2026-10-25T00:30:00Z", "company": 2}),
            json!({"subject": "6", "status": "waiting", "opened": "2026-10-25T01:30:00Z", "company": 2}),
            json!({"subject": "7"}),
        ] {
            admin.create("ticket", ticket).await;
        }
        Desk { server, admin }
    }
}

impl Desk {
    async fn groups(&self, body: Json) -> Json {
        groups(&self.admin, body).await
    }
}

async fn groups(client: &Client, body: Json) -> Json {
    client.post("/api/ext/v1/aggregate/ticket", body).await.is(200).json()
}

#[spec("E-010")]
async fn rows_are_counted_and_summed_by_keys(desk: Desk) {
    let page = desk
        .groups(json!({
            "groupBy": ["status"],
            "values": {
                "tickets": "count",
                "timed": {"function": "count", "property": "minutes"},
                "sum": {"function": "sum", "property": "minutes"},
                "average": {"function": "avg", "property": "minutes"},
                "price": {"function": "sum", "property": "price"},
                "mean": {"function": "avg", "property": "price"},
                "least": {"function": "min", "property": "due"},
                "greatest": {"function": "max", "property": "opened"},
                "firms": {"function": "countDistinct", "property": "company"},
                "red": {"function": "count", "filters": [{"property": "labels", "type": "anyOf", "param": ["red"]}]},
            },
            "totals": true,
        }))
        .await;
    assert_eq!(page["stats"], json!({"page": 1, "itemsPerPage": 200, "fetched": 4, "total": 4}));
    let [open, solved, waiting, none] = [0, 1, 2, 3].map(|index| &page["data"][index]);
    assert_eq!(open["status"], "open");
    assert_eq!([&open["tickets"], &open["timed"], &open["sum"], &open["red"]], [2, 2, 30, 2]);
    assert_eq!((&open["average"], &open["firms"], &open["least"]), (&json!(15), &json!(2), &json!("2026-02-01")));
    assert_eq!((&solved["average"], &solved["sum"]), (&json!(10), &json!(20)));
    assert_eq!([&waiting["tickets"], &waiting["timed"], &waiting["sum"]], [2, 0, 0]);
    assert_eq!((&waiting["average"], &waiting["least"]), (&Json::Null, &Json::Null));
    // A row without a value is in a group of its own, behind all others.
    assert_eq!((&none["status"], &none["tickets"], &none["greatest"]), (&Json::Null, &json!(1), &Json::Null));
    assert_eq!(page["totals"]["tickets"], 7);
    assert_eq!(page["totals"]["sum"], 50);
    // Digits beyond those of a float are all there.
    let text = desk.admin.post("/api/ext/v1/aggregate/ticket", json!({"groupBy": ["status"], "values": {"price": {"function": "sum", "property": "price"}, "mean": {"function": "avg", "property": "price"}}})).await.is(200).text;
    assert!(text.contains(r#""price":0.30,"mean":0.15}"#), "{text}");
    assert!(text.contains(r#""price":199999999999999.98,"mean":99999999999999.99}"#), "{text}");
}

#[spec("E-010")]
async fn floats_are_added_in_one_order(desk: Desk) {
    let sum = json!({"values": {"weight": {"function": "sum", "property": "weight"}, "mean": {"function": "avg", "property": "weight"}}});
    let page = desk.groups(sum.clone()).await;
    assert_eq!(page["data"], json!([{"weight": 0.1 + 0.2 + 0.3, "mean": (0.1 + 0.2 + 0.3) / 3.0}]));
    for weight in [1.7e308, 1.7e308] {
        desk.admin.create("ticket", json!({"subject": "heavy", "weight": weight})).await;
    }
    // A sum that is too large for a float is none; the average is not.
    assert_eq!(desk.groups(sum.clone()).await["data"], json!([{"weight": null, "mean": 1.7e308 / 5.0 * 2.0}]));
    desk.admin.create("ticket", json!({"subject": "light", "weight": 5e-324, "status": "open"})).await;
    let light = json!([{"property": "subject", "type": "eq", "param": "light"}]);
    let page = desk.groups(json!({"filters": light, "values": sum["values"]})).await;
    assert_eq!(page["data"], json!([{"weight": 5e-324, "mean": 5e-324}]));
}

#[spec("E-011")]
async fn dates_are_grouped_by_their_parts_in_the_callers_zone(desk: Desk) {
    desk.server.set_user("admin", json!({"timezone": "Europe/Prague"})).await;
    let by = async |property: &str, part: &str| {
        let key = json!({"property": property, "by": part, "as": "part"});
        let page = desk.groups(json!({"groupBy": [key]})).await;
        let rows = page["data"].as_array().unwrap().clone();
        rows.iter().map(|row| (row["part"].clone(), row["count"].as_i64().unwrap())).collect::<Vec<_>>()
    };
    let expected = |parts: &[(Json, i64)]| parts.to_vec();
    // 23:30 in London is the next month in Prague.
    assert_eq!(
        by("opened", "month").await,
        expected(&[
            (json!("2026-01"), 1),
            (json!("2026-02"), 1),
            (json!("2026-03"), 2),
            (json!("2026-10"), 2),
            (Json::Null, 1)
        ])
    );
    assert_eq!(by("opened", "year").await, expected(&[(json!("2026"), 6), (Json::Null, 1)]));
    assert_eq!(
        by("opened", "quarter").await,
        expected(&[(json!("2026-Q1"), 4), (json!("2026-Q4"), 2), (Json::Null, 1)])
    );
    assert_eq!(
        by("opened", "day").await[..3],
        expected(&[(json!("2026-01-31"), 1), (json!("2026-02-01"), 1), (json!("2026-03-29"), 2)])
    );
    // The hour that the clock leaves out in March, and the one that comes twice in October.
    let hours = by("opened", "hour").await;
    let labels: Vec<&str> = hours.iter().filter_map(|(hour, _)| hour.as_str()).collect();
    assert_eq!(
        labels,
        [
            "2026-01-31T23:00+01:00",
            "2026-02-01T00:00+01:00",
            "2026-03-29T01:00+01:00",
            "2026-03-29T03:00+02:00",
            "2026-10-25T02:00+02:00",
            "2026-10-25T02:00+01:00"
        ]
    );
    assert_eq!(
        by("opened", "hourOfDay").await,
        expected(&[(json!(0), 1), (json!(1), 1), (json!(2), 2), (json!(3), 1), (json!(23), 1), (Json::Null, 1)])
    );
    assert_eq!(by("opened", "weekday").await, expected(&[(json!(6), 1), (json!(7), 5), (Json::Null, 1)]));
    assert_eq!(
        by("due", "week").await,
        expected(&[(json!("2026-01-26"), 1), (json!("2026-02-02"), 2), (json!("2026-02-09"), 1), (Json::Null, 3)])
    );
    assert_eq!(by("due", "weekday").await, expected(&[(json!(1), 2), (json!(7), 2), (Json::Null, 3)]));
    assert_eq!(by("billed", "quarter").await, expected(&[(json!("2026-Q1"), 2), (Json::Null, 5)]));
    desk.server.set_user("admin", json!({"timezone": "UTC"})).await;
    assert_eq!(by("opened", "month").await[0], (json!("2026-01"), 2));
    for (property, part) in [("due", "hour"), ("billed", "day"), ("subject", "year"), ("opened", "century")] {
        let body = json!({"groupBy": [{"property": property, "by": part}]});
        desk.admin.post("/api/ext/v1/aggregate/ticket", body).await.is(400);
    }
}

#[spec("E-010")]
async fn keys_lie_behind_relations_and_among_several_values(desk: Desk) {
    let page =
        desk.groups(json!({"groupBy": [{"property": "company.plan", "as": "plan"}], "orderBy": ["-count"]})).await;
    assert_eq!(
        page["data"],
        json!([{"plan": "free", "count": 3}, {"plan": "gold", "count": 2}, {"plan": null, "count": 2}])
    );
    let page = desk.groups(json!({"groupBy": ["company", "company.name"]})).await;
    assert_eq!(page["data"][0], json!({"company": 1, "company.name": "Ada", "count": 2}));
    // A row counts once for each of its labels, and one without labels for none.
    let page = desk.groups(json!({"groupBy": [{"property": "labels", "each": true}], "totals": true})).await;
    assert_eq!(
        page["data"],
        json!([{"labels": "blue", "count": 1}, {"labels": "red", "count": 2}, {"labels": null, "count": 5}])
    );
    assert_eq!(page["totals"]["count"], 7, "a row is one row, whatever its labels");
}

#[spec("E-010")]
async fn groups_are_chosen_sorted_and_paged(desk: Desk) {
    let having = |filter: Json| json!({"groupBy": ["status"], "values": {"tickets": "count", "sum": {"function": "sum", "property": "minutes"}, "mean": {"function": "avg", "property": "minutes"}}, "having": [filter], "orderBy": ["-tickets", "-status"]});
    for (filter, expected) in [
        (json!({"property": "tickets", "type": "gte", "param": 2}), vec!["waiting", "solved", "open"]),
        (json!({"property": "tickets", "type": "lt", "param": 2}), vec!["null"]),
        (json!({"property": "sum", "type": "between", "param": [20, 29.5]}), vec!["solved"]),
        (json!({"property": "mean", "type": "isNull"}), vec!["waiting", "null"]),
        (json!({"property": "status", "type": "in", "param": ["open", null]}), vec!["open", "null"]),
        (json!({"property": "status", "type": "neq", "param": null}), vec!["waiting", "solved", "open"]),
        (
            json!({"property": "*", "type": "or", "param": [{"property": "sum", "type": "gt", "param": 20}, {"property": "status", "type": "eq", "param": "solved"}]}),
            vec!["solved", "open"],
        ),
        (
            json!({"property": "*", "type": "not", "param": [{"property": "tickets", "type": "eq", "param": 2.0}]}),
            vec!["null"],
        ),
    ] {
        let page = desk.groups(having(filter.clone())).await;
        let found: Vec<_> = page["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["status"].as_str().unwrap_or("null").to_owned())
            .collect();
        assert_eq!(found, expected, "{filter}");
    }
    let paged = |page: u64| json!({"groupBy": ["subject"], "orderBy": "-subject", "perPage": 3, "page": page});
    let last = desk.groups(paged(3)).await;
    assert_eq!(last["stats"], json!({"page": 3, "itemsPerPage": 3, "fetched": 1, "total": 7}));
    assert_eq!(last["data"], json!([{"subject": "1", "count": 1}]));
    assert_eq!(desk.groups(paged(4)).await["data"], json!([]));
}

#[spec("E-011")]
async fn periods_without_rows_are_added(desk: Desk) {
    let body = json!({
        "groupBy": [{"property": "opened", "by": "month", "as": "month"}], "fill": true,
        "values": {"tickets": "count", "sum": {"function": "sum", "property": "minutes"}, "mean": {"function": "avg", "property": "minutes"}},
    });
    let page = desk.groups(body).await;
    let rows = page["data"].as_array().unwrap();
    assert_eq!(rows.len(), 11, "January to October, and the tickets without a date");
    assert_eq!(rows[3], json!({"month": "2026-04", "tickets": 0, "sum": 0, "mean": null}));
    assert_eq!((&rows[10]["month"], &rows[10]["tickets"]), (&Json::Null, &json!(1)));
    // For each other key the same periods.
    let body = json!({"groupBy": ["status", {"property": "opened", "by": "month", "as": "month"}], "fill": true, "perPage": 1000});
    let page = desk.groups(body).await;
    assert_eq!(page["stats"]["total"], 4 * 10 + 1);
    desk.admin
        .post("/api/ext/v1/aggregate/ticket", json!({"groupBy": ["status"], "fill": true}))
        .await
        .is(400)
        .says("fill");
}

#[spec("E-012", "D-3")]
async fn groups_tell_what_pages_tell(desk: Desk) {
    let agent = desk.server.role("agent", AGENT).await;
    let all = groups(&agent, json!({"groupBy": ["status", "company.plan"], "totals": true})).await;
    // Open tickets, one of whose companies it does not see.
    assert_eq!(
        all["data"],
        json!([{"status": "open", "company.plan": "gold", "count": 1}, {"status": "open", "company.plan": null, "count": 1}])
    );
    assert_eq!(all["totals"]["count"], 2);
    for body in [
        json!({"groupBy": ["secret"]}),
        json!({"values": {"sum": {"function": "sum", "property": "secret"}}}),
        json!({"filters": [{"property": "secret", "type": "eq", "param": 5}]}),
        json!({"values": {"some": {"function": "count", "filters": [{"property": "secret", "type": "eq", "param": 5}]}}}),
    ] {
        let hidden = agent.post("/api/ext/v1/aggregate/ticket", body.clone()).await.is(400);
        let unknown = body.to_string().replace("secret", "nosuch");
        let unknown = agent.post("/api/ext/v1/aggregate/ticket", serde_json::from_str(&unknown).unwrap()).await.is(400);
        let detail = |reply: &Reply| reply.at("/detail").as_str().unwrap().to_owned();
        assert_eq!(detail(&hidden).replace("secret", "nosuch"), detail(&unknown), "{body}");
    }
    let nobody = desk.server.role("nobody", "role: nobody\nsystem: [restApi]\ntypes: {}\n").await;
    let forbidden =
        nobody.post("/api/ext/v1/aggregate/ticket", json!({})).await.is(nobody.get("collection/ticket").await.status);
    forbidden.lacks("count");
}

#[spec("E-010")]
async fn the_address_and_a_body_ask_alike(desk: Desk) {
    let body = json!({"groupBy": ["status"], "values": {"sum": {"function": "sum", "property": "minutes"}}, "orderBy": ["-sum"]});
    let posted = desk.admin.post("/api/ext/v1/aggregate/ticket", body.clone()).await.is(200);
    let searched = desk.admin.search("/api/ext/v1/aggregate/ticket", body.clone()).await.is(200);
    let values = body["values"].to_string();
    let parameters = [("groupBy", "status"), ("values", &values[..]), ("orderBy", "-sum")];
    let got = desk.admin.query("/api/ext/v1/aggregate/ticket", &parameters).await.is(200);
    assert_eq!((&posted.text, &posted.text), (&searched.text, &got.text));
    // It is remembered, and a change is seen at once.
    let tag = got.header("etag").to_owned();
    let again = desk.admin.with("if-none-match", &tag).query("/api/ext/v1/aggregate/ticket", &parameters).await;
    again.is(304);
    desk.admin.patch("collection/ticket/1", json!({"minutes": 11})).await.is(200);
    let after = desk.admin.with("if-none-match", &tag).query("/api/ext/v1/aggregate/ticket", &parameters).await.is(200);
    assert_eq!(after.at("/data/0/sum"), 31);
    desk.admin.get("/api/ext/v1/aggregate/60?groupBy=status").await.is(200);
    desk.admin.get("/api/ext/v1/aggregate/nosuch").await.is(404);
    desk.admin.delete("/api/ext/v1/aggregate/ticket").await.is(405);
}
