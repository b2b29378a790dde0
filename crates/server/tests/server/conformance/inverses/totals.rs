//! Totals of what refers: shown, sorted by, in named queries.

use super::{COMMENT, COMPANY, Desk, PROFILE, TICKET, code, filter};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

#[spec("E-073")]
async fn totals_are_shown_and_sorted_by(desk: Desk) {
    let fields = [
        "tickets.$count",
        "tickets.$sum.minutes",
        "tickets.$avg.minutes",
        "tickets.$min.subject",
        "tickets.$sum.price",
    ];
    let rows = desk.list("company", json!({"showFields": fields, "orderBy": "id"})).await;
    let of = |row: &Json| fields.map(|name| row[name].clone());
    assert_eq!(of(&rows[0]), [json!(3), json!(70), json!(23.333333), json!("a"), json!(10.3)]);
    assert_eq!(of(&rows[1]), [json!(1), json!(0), Json::Null, json!("d"), json!(0.0)]);
    assert_eq!(of(&rows[2]), [json!(0), json!(0), Json::Null, Json::Null, json!(0.0)]);
    let rows =
        desk.list("company", json!({"showFields": ["watched.$count", "watched.$max.subject"], "orderBy": "id"})).await;
    assert_eq!(rows[1], json!({"id": 2, "watched.$count": 3, "watched.$max.subject": "d"}));
    let rows = desk
        .list("ticket", json!({"showFields": ["company.tickets.$count", "comments.$sum.weight"], "orderBy": "id"}))
        .await;
    assert_eq!(rows[0], json!({"id": 1, "company": {"id": 1, "tickets.$count": 3}, "comments.$sum.weight": 1.5}));
    for (order, expected) in [
        ("-tickets.$count", [1, 2, 3]),
        ("tickets.$count", [3, 2, 1]),
        ("-tickets.$sum.minutes", [1, 2, 3]),
        ("tickets.$max.subject", [1, 2, 3]),
        ("-watched.$count", [2, 1, 3]),
        ("-profile.$count", [2, 1, 3]),
        ("tickets.$avg.price", [1, 2, 3]),
    ] {
        let rows = desk.list("company", json!({"orderBy": order})).await;
        let found: Vec<i64> = rows.iter().map(|row| row["id"].as_i64().unwrap()).collect();
        assert_eq!(found, expected, "{order}");
    }
    // Numbers beyond what floats of an engine add up to have their place, too.
    for (ticket, weight) in [(1, 5e-324), (2, 1e170), (2, 2e170), (3, 1.7e308), (3, 1.7e308)] {
        desk.admin.create("comment", json!({"text": "t", "ticket": ticket, "weight": weight})).await;
    }
    for order in ["-comments.$sum.weight", "-comments.$avg.weight"] {
        let rows = desk.list("ticket", json!({"orderBy": [order, "id"], "showFields": ["id"]})).await;
        let found: Vec<&Json> = rows.iter().map(|row| &row["id"]).collect();
        let expected = if order.contains("avg") { [4, 3, 2, 1] } else { [3, 2, 1, 4] };
        assert_eq!(found, expected, "{order}");
    }
    // Order and display count with the same conditions.
    let related = json!({"tickets": {"filters": filter("status", "eq", "solved")}});
    let rows = desk.list("company", json!({"orderBy": ["-tickets.$count", "-id"], "_related": related})).await;
    let found: Vec<&Json> = rows.iter().map(|row| &row["id"]).collect();
    assert_eq!(found, [2, 1, 3]);
    let rows = desk.list("ticket", json!({"orderBy": ["-company.tickets.$count", "-id"]})).await;
    let found: Vec<&Json> = rows.iter().map(|row| &row["id"]).collect();
    assert_eq!(found, [3, 2, 1, 4]);
    for (name, code) in [
        ("tickets.$total", "property_unknown"),
        ("tickets.$sum", "property_unknown"),
        ("tickets.$sum.subject", "property_unsuitable"),
        ("tickets.$max.watchers", "property_unsuitable"),
        ("tickets.$sum.nothing", "property_unknown"),
        ("name.$count", "property_unsuitable"),
        ("nothing.$count", "property_unknown"),
    ] {
        for parameter in ["showFields", "orderBy"] {
            let reply = desk.admin.get(&format!("/api/ext/v1/collection/company?{parameter}={name}")).await;
            assert_eq!(super::code(reply), code, "{parameter} {name}");
        }
    }
    let many = desk.admin.get("/api/ext/v1/collection/company?orderBy=tickets.comments.$count").await;
    assert_eq!(code(many), "property_unsortable");
}

#[spec("E-073")]
async fn named_queries_take_inverses(engine: Engine) {
    let query = "query: busy\ntype: company\nfilters: [{property: tickets, type: size, param: {gte: 1}}]\n\
                 orderBy: -tickets.$count\nfields: [name, tickets.$count, tickets.subject]\n";
    let files = [
        ("types/company.yaml", COMPANY),
        ("types/ticket.yaml", TICKET),
        ("types/comment.yaml", COMMENT),
        ("types/profile.yaml", PROFILE),
        ("queries/busy.yaml", query),
        (
            "canvases/busy.yaml",
            "canvas: busy\nitems: [{kind: text, query: busy, text: \"{=jsonEncode(dataQueryFetchAll())}\"}]\n",
        ),
    ];
    let server = Server::with(engine, &files).await;
    let admin = server.admin();
    for (name, tickets) in [("Ada", 1), ("Bob", 2), ("Cyd", 0)] {
        let company = admin.create("company", json!({"name": name})).await["id"].clone();
        for number in 0..tickets {
            admin.create("ticket", json!({"subject": format!("{name} {number}"), "company": company})).await;
        }
    }
    let rows = admin.get("/api/ext/v1/query/busy").await.is(200).at("/data");
    assert_eq!(rows[0]["tickets.$count"], 2);
    assert_eq!(rows[0]["tickets"][1]["subject"], "Bob 1");
    assert_eq!(
        rows[1],
        json!({"id": 1, "name": "Ada", "tickets": [{"id": 1, "subject": "Ada 0"}], "tickets.$count": 1})
    );
    // Expressions have the same: lists of objects, and totals by their names.
    let text = admin.get("/api/ext/v1/canvas/busy").await.is(200).at("/items/0/text");
    let seen: Json = serde_json::from_str(text.as_str().unwrap()).unwrap();
    assert_eq!((&seen[0]["tickets"][1]["subject"], &seen[0]["tickets.$count"]), (&json!("Bob 1"), &json!(2)));
    let related = json!({"tickets": {"limit": 1}}).to_string();
    let rows = admin.query("/api/ext/v1/query/busy", &[("_related", &related)]).await.is(200).at("/data");
    assert_eq!((&rows[0]["tickets.$more"], &rows[1]["tickets.$more"]), (&json!(true), &Json::Null));
    // What the caller may not follow is left out of the fields, and no order.
    let caller = server.role("other", "role: other\nsystem: [restApi]\ntypes: {company: {show: true}}\n").await;
    caller.get("/api/ext/v1/query/busy").await.is(403);
}
