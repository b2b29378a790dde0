//! Groups at the edges: hostile requests, the ends of the calendar, clocks that change.

use super::Desk;
use serde_json::{Value as Json, json};
use spec::spec;

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
        (json!({"values": {"a": {"function": "sum", "property": "subject"}}}), "is not a number"),
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
    for (column, param) in [("count", json!("one")), ("status", json!(5)), ("day", json!(3)), ("opened", json!("x"))] {
        let having = json!([{"property": column, "type": "eq", "param": param}]);
        let keys = json!(["status", "opened", {"property": "due", "by": "day", "as": "day"}]);
        post(json!({"groupBy": keys, "having": having})).await.is(400);
    }
    // One instant in two spellings.
    let having = json!([{"property": "opened", "type": "eq", "param": "2026-01-31T23:30:00Z"}]);
    assert_eq!(desk.groups(json!({"groupBy": ["opened"], "having": having})).await["stats"]["total"], 1);
}
