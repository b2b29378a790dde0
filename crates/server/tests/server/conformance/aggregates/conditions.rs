//! Conditions on groups that compare with values of another sort, with labels of periods, and with open ends.

use super::Desk;
use serde_json::{Value as Json, json};
use spec::spec;

const QUERY: &str = "\
query: firms
type: ticket
params:
  least: {kind: pInteger}
  most: {kind: pInteger}
  firm: {kind: pRelation, type: firm}
  from: {kind: pMonth}
groupBy: [company, {property: opened, by: month, as: month}]
values: {tickets: count}
having:
  - {property: tickets, type: between, param: [{$param: least}, {$param: most}]}
  - {property: company, type: eq, param: {$param: firm}}
  - {property: month, type: gte, param: {$param: from}}
";

async fn total(desk: &Desk, keys: Json, condition: Json) -> Json {
    let page = desk.groups(json!({"groupBy": keys, "having": [condition]})).await;
    page["stats"]["total"].clone()
}

/// A condition that cannot hold was one that always held.
#[spec("E-010", "E-120")]
async fn a_relation_is_compared_by_its_id(desk: Desk) {
    desk.server.change(&[("queries/firms.yaml", QUERY)]).await;
    let uuid = desk.admin.get("collection/firm/1").await.is(200).at("/uuid");
    for (comparison, param) in [("eq", uuid.clone()), ("neq", uuid.clone()), ("in", json!([1, uuid]))] {
        let body =
            json!({"groupBy": "company", "having": [{"property": "company", "type": comparison, "param": param}]});
        let refused = desk.admin.post("/api/ext/v1/aggregate/ticket", body).await.is(400);
        refused.says("needs the id of a resource as param for \\\"company\\\"");
    }
    let of_first = json!({"property": "company", "type": "eq", "param": 1});
    assert_eq!(total(&desk, json!("company"), of_first).await, 1);
    let path = "/api/ext/v1/query/firms?firm=";
    assert_eq!(desk.admin.get(&format!("{path}1")).await.is(200).at("/stats/total"), 2);
    desk.admin.get(&format!("{path}{}", uuid.as_str().unwrap())).await.is(400).says("needs the id of a resource");
}

#[spec("E-120")]
async fn an_end_of_a_range_without_a_value_is_open(desk: Desk) {
    desk.server.change(&[("queries/firms.yaml", QUERY)]).await;
    let all = desk.admin.get("/api/ext/v1/query/firms").await.is(200).at("/stats/total");
    assert_eq!(all, 6);
    for (parameters, groups) in
        [("least=1", 6), ("least=2", 1), ("most=1", 5), ("least=2&most=9", 1), ("from=2026-03", 3), ("most=0", 0)]
    {
        let told = desk.admin.get(&format!("/api/ext/v1/query/firms?{parameters}")).await.is(200);
        assert_eq!(told.at("/stats/total"), groups, "{parameters}: {}", told.text);
    }
    let open = json!({"property": "count", "type": "between", "param": [null, 1]});
    assert_eq!(total(&desk, json!("status"), open).await, 1);
    let body = json!({"having": [{"property": "count", "type": "between", "param": [null, null]}]});
    desk.admin.post("/api/ext/v1/aggregate/ticket", body).await.is(400).says("one of which may be null");
}

#[spec("E-011")]
async fn periods_are_compared_by_their_labels(desk: Desk) {
    let keys = |part: &str| json!([{"property": "opened", "by": part, "as": "period"}]);
    for (part, label) in [
        ("month", "2026-02-01"),
        ("month", "2026-2"),
        ("month", "2026-13"),
        ("year", "26"),
        ("quarter", "2026-Q5"),
        ("day", "2026-02"),
        ("day", "2026-02-30"),
        ("week", "x"),
        ("hour", "2026-02-01T10"),
    ] {
        let body = json!({"groupBy": keys(part), "having": [{"property": "period", "type": "gte", "param": label}]});
        let refused = desk.admin.post("/api/ext/v1/aggregate/ticket", body).await.is(400);
        refused.says("needs the label of a period, such as");
    }
    for (part, comparison, label, groups) in [
        ("month", "gte", "2026-10", 1),
        ("month", "eq", "2026-02", 1),
        ("quarter", "lte", "2026-Q1", 1),
        ("day", "gt", "2026-03-28", 2),
        ("year", "in", "2026", 1),
        // The clocks of Prague go back: the hour with the offset of summer is the earlier one.
        ("hour", "gte", "2026-10-25T02:00+01:00", 1),
        ("hour", "gte", "2026-10-25T02:00+02:00", 2),
    ] {
        let param = if comparison == "in" { json!([label]) } else { json!(label) };
        let condition = json!({"property": "period", "type": comparison, "param": param});
        assert_eq!(total(&desk, keys(part), condition).await, groups, "{part} {comparison} {label}");
    }
}

#[test]
fn a_file_that_compares_a_period_with_a_day_is_refused() {
    let text = QUERY.replace("from: {kind: pMonth}", "from: {kind: pDate}");
    let mut files = configuration::Files::default();
    for (name, content) in [
        ("tenant.yaml", "tenant: acme\n"),
        ("types/ticket.yaml", super::TICKET),
        ("types/firm.yaml", super::FIRM),
        ("queries/firms.yaml", &text),
    ] {
        files.insert(name, content);
    }
    let refused = configuration::check(&files).unwrap_err();
    assert!(refused.iter().any(|problem| problem.message.contains("the label of a period")), "{refused:?}");
}
