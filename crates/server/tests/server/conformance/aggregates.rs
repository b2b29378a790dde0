//! Groups of a collection: keys, values, periods, conditions on groups, totals, limits.

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

/// Instants before 1970 and at the ends of the calendar have parts like all others.
#[spec("E-011")]
async fn dates_far_away_have_parts(desk: Desk) {
    for (opened, due) in [
        ("0001-01-02T00:00:00Z", "0001-01-01"),
        ("1969-12-31T22:30:00Z", "1969-12-31"),
        ("9999-12-30T00:00:00Z", "9999-12-31"),
    ] {
        desk.admin.create("ticket", json!({"subject": "far", "opened": opened, "due": due})).await;
    }
    let far = json!([{"property": "subject", "type": "eq", "param": "far"}]);
    let page = desk.groups(json!({"filters": far, "groupBy": [{"property": "opened", "by": "year"}]})).await;
    assert_eq!(
        page["data"],
        json!([{"opened": "0001", "count": 1}, {"opened": "1969", "count": 1}, {"opened": "9999", "count": 1}])
    );
    let page = desk.groups(json!({"filters": far, "groupBy": [{"property": "due", "by": "weekday"}]})).await;
    assert_eq!(page["data"], json!([{"due": 1, "count": 1}, {"due": 3, "count": 1}, {"due": 5, "count": 1}]));
    let page = desk.groups(json!({"filters": far, "groupBy": [{"property": "opened", "by": "hourOfDay"}]})).await;
    assert_eq!(page["stats"]["total"], 3, "Prague was an hour less 136 seconds ahead in the year 1");
    let days = json!({"filters": far, "groupBy": [{"property": "due", "by": "day"}]});
    desk.admin.post("/api/ext/v1/aggregate/ticket", days).await.is(400).says("more than 10000 periods");
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
async fn hostile_requests_are_refused_with_a_reason(desk: Desk) {
    let post = async |body: Json| desk.admin.post("/api/ext/v1/aggregate/ticket", body).await;
    for (body, says) in [
        (json!({"groupBy": ["subject", "status", "due", "billed", "minutes"]}), "at most 4 keys"),
        (json!({"groupBy": ["notes"]}), "cannot be a key"),
        (json!({"groupBy": ["labels"]}), "each"),
        (json!({"groupBy": [{"property": "status", "each": true}]}), "one value"),
        (json!({"groupBy": ["status", "status"]}), "Two keys or values"),
        (json!({"groupBy": [{"property": "status", "as": "1 <b>"}]}), "must begin with a letter"),
        (json!({"groupBy": [{"property": "status", "as": "x".repeat(65)}]}), "at most 64"),
        (json!({"values": {"a": {"function": "sum", "property": "subject"}}}), "is no number"),
        (json!({"values": {"a": {"function": "min", "property": "company"}}}), "has no order"),
        (json!({"values": {"a": "median"}}), "count, countDistinct, sum"),
        (json!({"values": {"a": "sum"}}), "needs a property"),
        (json!({"values": {"a": {"function": "count", "where": 1}}}), "has no member"),
        (json!({"having": [{"property": "nothing", "type": "eq", "param": 1}]}), "There is no key or value"),
        (json!({"having": [{"property": "count", "type": "like", "param": 1}]}), "has no type"),
        (json!({"orderBy": ["status"]}), "There is no key or value"),
        (json!({"groupBy": "nosuch"}), "There is no property"),
        (json!({"group": "status"}), "There is no parameter"),
        (json!({"perPage": 0}), "positive integer"),
    ] {
        post(body.clone()).await.is(400).says(says);
    }
    let deep = (0..7).fold(
        json!({"property": "count", "type": "eq", "param": 1}),
        |inner, _| json!({"property": "*", "type": "not", "param": [inner]}),
    );
    post(json!({"having": [deep]})).await.is(400).says("levels deep");
    let many: Vec<_> = (0..101).map(|_| json!({"property": "count", "type": "eq", "param": 1})).collect();
    post(json!({"having": many})).await.is(400).says("at most 100");
    assert_eq!(
        desk.groups(json!({"perPage": 1_000_000_000, "page": u64::from(u32::MAX)})).await["stats"]["itemsPerPage"],
        10_000
    );
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

/// The calendar has instants that lie behind those of the library of zones.
#[spec("E-011")]
async fn the_last_day_of_the_calendar_is_no_other(desk: Desk) {
    for opened in ["9999-12-31T23:59:59Z", "2026-10-25T12:00:00Z"] {
        desk.admin.create("ticket", json!({"subject": "ever", "opened": opened})).await;
    }
    let ever = json!([{"property": "subject", "type": "eq", "param": "ever"}]);
    for zone in ["UTC", "Pacific/Pago_Pago"] {
        desk.server.set_user("admin", json!({"timezone": zone})).await;
        let years = json!({"filters": ever, "groupBy": [{"property": "opened", "by": "year"}]});
        let page = desk.groups(years).await;
        assert_eq!([&page["data"][0]["opened"], &page["data"][1]["opened"]], ["2026", "9999"], "{zone}: {page}");
    }
}

/// A change by half an hour begins another hour, as the clock shows it.
#[spec("E-011")]
async fn hours_follow_changes_by_a_part_of_an_hour(desk: Desk) {
    desk.server.set_user("admin", json!({"timezone": "Australia/Lord_Howe"})).await;
    for opened in [
        "2026-04-04T14:45:00Z",
        "2026-04-04T15:15:00Z",
        "2026-04-04T15:45:00Z",
        "2026-10-03T15:15:00Z",
        "2026-10-03T15:45:00Z",
    ] {
        desk.admin.create("ticket", json!({"subject": "howe", "opened": opened})).await;
    }
    let howe = json!([{"property": "subject", "type": "eq", "param": "howe"}]);
    let page = desk.groups(json!({"filters": howe, "groupBy": [{"property": "opened", "by": "hour"}]})).await;
    let rows = page["data"].as_array().unwrap().clone();
    let hours: Vec<_> = rows.iter().map(|row| row["opened"].as_str().unwrap().to_owned()).collect();
    assert_eq!(
        hours,
        [
            "2026-04-05T01:00+11:00",
            "2026-04-05T01:00+10:30",
            "2026-04-05T02:00+10:30",
            "2026-10-04T01:00+10:30",
            "2026-10-04T02:00+11:00"
        ]
    );
}

#[spec("E-010")]
async fn what_would_take_too_much_is_refused_before_it_does(desk: Desk) {
    let post = async |body: Json| desk.admin.post("/api/ext/v1/aggregate/ticket", body).await;
    let values: Vec<i64> = (0..600).collect();
    let member = json!({"property": "count", "type": "in", "param": values});
    post(json!({"having": [member, member]})).await.is(400).says("at most 1000 values");
    // Two texts, and twenty years of days.
    for opened in ["2000-01-01T12:00:00Z", "2019-01-01T12:00:00Z"] {
        desk.admin.create("ticket", json!({"subject": format!("old of {opened}"), "opened": opened})).await;
    }
    let days = json!({"groupBy": ["subject", {"property": "opened", "by": "day"}], "fill": true});
    post(days).await.is(400).says("With all periods");
    // A parameter of another sort would find nothing, so it is refused.
    for (column, param) in [("count", json!("1")), ("status", json!(5)), ("day", json!(3)), ("opened", json!("x"))] {
        let having = json!([{"property": column, "type": "eq", "param": param}]);
        let keys = json!(["status", "opened", {"property": "due", "by": "day", "as": "day"}]);
        post(json!({"groupBy": keys, "having": having})).await.is(400);
    }
    // One instant in two spellings.
    let having = json!([{"property": "opened", "type": "eq", "param": "2026-01-31T23:30:00Z"}]);
    assert_eq!(desk.groups(json!({"groupBy": ["opened"], "having": having})).await["stats"]["total"], 1);
}
