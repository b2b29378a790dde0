//! Filters that are refused, bounded, or only look like SQL.

use crate::conformance::filters::{articles, matches};
use serde_json::json;
use spec::spec;
use testing::Server;

#[spec("D-2", "A071", "A072", "R-269")]
async fn a_wrong_filter_is_refused_never_ignored(server: Server) {
    let admin = articles(&server).await;
    for (property, kind, param) in [
        ("views", "equals", json!(1)),
        ("views", "EQ", json!(1)),
        ("views", "eq", json!("1")),
        ("views", "eq", json!(1.5)),
        ("views", "eq", json!([1])),
        ("views", "eq", json!({"$gt": 0})),
        ("views", "eq", json!(true)),
        ("views", "in", json!(1)),
        ("views", "in", json!(null)),
        ("views", "in", json!([[1]])),
        ("views", "in", json!((0..10_000).collect::<Vec<_>>())),
        ("views", "between", json!([1])),
        ("views", "between", json!([1, 2, 3])),
        ("views", "lt", json!(null)),
        ("views", "contains", json!("1")),
        ("views", "anyOf", json!([1])),
        ("name", "eq", json!(1)),
        ("name", "contains", json!(["a"])),
        ("name", "contains", json!("a\u{0}b")),
        ("active", "eq", json!("true")),
        ("active", "lt", json!(true)),
        ("released", "eq", json!("soon")),
        ("released", "inPeriod", json!("someday")),
        ("released", "inLast", json!("many days")),
        ("published", "onDay", json!("2026-02-30")),
        ("status", "eq", json!(1)),
        ("labels", "anyOf", json!("red")),
        ("labels", "size", json!("2")),
        ("labels", "size", json!({"about": 2})),
        ("author", "eq", json!("x")),
        ("author", "some", json!("x")),
        ("meta", "gt", json!(1)),
        ("nothing", "eq", json!(1)),
        ("author.nothing", "eq", json!(1)),
        ("name.x", "eq", json!(1)),
        ("author.chief.chief.chief.name", "eq", json!("x")),
        ("uuid", "eq", json!("x")),
        ("*", "xor", json!([])),
        ("*", "or", json!({})),
        ("views", "eq", json!({"$property": "nothing"})),
        ("views", "eq", json!({"$user": "password"})),
        ("", "eq", json!(1)),
    ] {
        let filters = json!({"filters": [{"property": property, "type": kind, "param": param}]});
        admin.search("collection/article", filters).await.is(400);
    }
    for filter in [
        json!({"property": "views", "type": "eq"}),
        json!({"property": "views", "type": "eq", "param": 1, "surprise": 1}),
        json!({"property": 1, "type": "eq", "param": 1}),
        json!({"property": "views", "type": "eq", "value": 1}),
        json!("views"),
    ] {
        admin.search("collection/article", json!({"filters": [filter]})).await.is(400);
    }
    admin.search("collection/article", json!({"filters": {}})).await.is(400);
}

#[spec("A072")]
async fn filters_are_bounded(server: Server) {
    let admin = articles(&server).await;
    let one = json!({"property": "views", "type": "gte", "param": 0});
    let many = |count: usize| json!({"filters": vec![one.clone(); count]});
    admin.search("collection/article", many(100)).await.is(200);
    admin.search("collection/article", many(101)).await.is(400);
    let nested = |levels: usize| {
        (1..levels).fold(one.clone(), |inner, _| json!({"property": "*", "type": "and", "param": [inner]}))
    };
    admin.search("collection/article", json!({"filters": [nested(5)]})).await.is(200);
    for levels in [6, 25] {
        admin.search("collection/article", json!({"filters": [nested(levels)]})).await.is(400);
    }
    // A value of that depth would overflow the stack of the test itself.
    let deep = r#"{"property":"*","type":"and","param":["#.repeat(10_000);
    let body = format!("{{\"filters\":[{deep}{}]}}", "]}".repeat(10_000));
    admin.request("SEARCH", "collection/article").body("application/json", body).send().await.is(400);
}

#[spec("A071", "A067")]
async fn a_value_in_a_request_is_never_sql(server: Server) {
    let admin = articles(&server).await;
    let long = "x".repeat(1_000_000);
    for value in ["'; --", "' OR '1'='1", "\"", "`", "$1", "?", "?1", ":a", "%", "{}", "\u{2028}", "\u{feff}", &long] {
        for kind in ["eq", "contains", "startsWith", "like", "iContains"] {
            let filter = json!([{"property": "name", "type": kind, "param": value}]);
            let found = matches(&admin, filter).await;
            assert_eq!(found, if value == "%" && kind == "like" { "a b c d" } else { "" }, "{kind} {:.20}", value);
        }
    }
    for name in ["name'", "name\"", "p100", "t10.p100", "name;--", "1", "*", "name\u{0}", "__proto__", "rowid"] {
        let filter = json!({"filters": [{"property": name, "type": "eq", "param": "a"}]});
        admin.search("collection/article", filter).await.is(400);
        admin.search("collection/article", json!({"orderBy": name})).await.is(400);
        admin.search("collection/article", json!({"showFields": [name]})).await.is(400);
    }
    admin.get("collection/article").await.is(200);
}
