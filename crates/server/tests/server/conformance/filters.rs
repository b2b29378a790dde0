//! Filters: each type on the kinds that take it, and what is refused.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Server};

/// The names of the articles that match all filters, in order of id, space-separated.
pub(crate) async fn matches(client: &Client, filters: Json) -> String {
    let body = json!({"filters": filters, "orderBy": "id", "showFields": "name"});
    let reply = client.search("collection/article", body).await;
    assert!([200, 204].contains(&reply.status), "{filters}: {} {}", reply.status, reply.text);
    let names: Vec<String> = reply.column("name").iter().map(|name| name.as_str().unwrap().to_owned()).collect();
    if reply.status == 200 {
        assert_eq!(reply.at("/stats/total"), names.len(), "{filters}");
    }
    names.join(" ")
}

/// Checks rows of `[property, type, param, names]`; a param of null stands for none.
async fn check(client: &Client, cases: &[(&str, &str, Json, &str)]) {
    for (property, kind, param, names) in cases {
        let filter = json!([{"property": property, "type": kind, "param": param}]);
        assert_eq!(matches(client, filter.clone()).await, *names, "{filter}");
    }
}

/// Four articles: a to d.
pub(crate) async fn articles(server: &Server) -> Client {
    let admin = server.admin();
    let country = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].clone();
    let ann = admin.create("person", json!({"name": "Ann", "code": "ann", "country": country})).await["id"].clone();
    let bob = admin.create("person", json!({"name": "Bob", "code": "bob"})).await["id"].clone();
    for row in [
        json!({"name": "a", "views": 1, "price": 1.5, "rating": 0.5, "active": true, "released": "2026-11-20", "month": "2026-11",
            "published": "2026-11-20T10:00:00Z", "status": "draft", "labels": ["red"], "author": ann, "body": "Žluťoučký kůň"}),
        json!({"name": "b", "views": 2, "price": 2, "rating": 1.5, "active": false, "released": "2026-11-19", "month": "2026-10",
            "published": "2026-11-19T23:30:00Z", "status": "live", "labels": ["red", "green"], "author": bob, "body": "100 % _sure_ \\o/",
            "readers": [ann, bob]}),
        json!({"name": "c", "views": 10, "price": 10.25, "rating": -3, "released": "2025-12-31", "month": "2025-12",
            "published": "2025-12-31T23:30:00Z", "status": "old", "labels": [], "body": "", "readers": [ann]}),
        json!({"name": "d", "views": null, "status": null}),
    ] {
        admin.create("article", row).await;
    }
    admin
}

#[spec("R-121", "R-122", "R-123", "R-124")]
async fn equality_and_sets(server: Server) {
    let admin = articles(&server).await;
    check(
        &admin,
        &[
            ("views", "eq", json!(2), "b"),
            ("views", "neq", json!(2), "a c d"),
            ("views", "eq", json!(null), "d"),
            ("views", "neq", json!(null), "a b c"),
            ("views", "in", json!([1, 10, 99]), "a c"),
            ("views", "in", json!([1, null]), "a d"),
            ("views", "in", json!([]), ""),
            ("views", "notIn", json!([1, 10]), "b d"),
            ("views", "notIn", json!([]), "a b c d"),
            ("price", "eq", json!(10.25), "c"),
            ("price", "eq", json!("1.50"), "a"),
            ("rating", "eq", json!(-3), "c"),
            ("active", "eq", json!(true), "a"),
            ("active", "neq", json!(true), "b c d"),
            ("released", "eq", json!("2026-11-20"), "a"),
            ("month", "eq", json!("2026-10"), "b"),
            ("published", "eq", json!("2026-11-20T11:00:00+01:00"), "a"),
            ("status", "eq", json!("live"), "b"),
            ("status", "in", json!(["live", "old"]), "b c"),
            ("name", "in", json!(["a", "b'; --"]), "a"),
            ("name", "eq", json!("A"), ""),
            ("author.code", "eq", json!("ann"), "a"),
            ("author.country.code", "eq", json!("CZ"), "a"),
        ],
    )
    .await;
    let row = admin.get("collection/article?orderBy=id").await.is(200);
    check(
        &admin,
        &[
            ("id", "eq", row.at("/data/1/id"), "b"),
            ("id", "in", json!([row.at("/data/0/id"), row.at("/data/3/id")]), "a d"),
            ("uuid", "eq", row.at("/data/2/uuid"), "c"),
            ("author", "eq", row.at("/data/0/author"), "a"),
            ("author", "isNull", json!(null), "c d"),
        ],
    )
    .await;
}

#[spec("R-124")]
async fn order_and_ranges(server: Server) {
    let admin = articles(&server).await;
    check(
        &admin,
        &[
            ("views", "lt", json!(2), "a"),
            ("views", "lte", json!(2), "a b"),
            ("views", "gt", json!(2), "c"),
            ("views", "gte", json!(2), "b c"),
            ("views", "between", json!([2, 10]), "b c"),
            ("views", "between", json!([null, 2]), "a b"),
            ("views", "between", json!([2, null]), "b c"),
            ("views", "between", json!([10, 2]), ""),
            ("views", "notBetween", json!([2, 9]), "a c d"),
            ("price", "gt", json!(1.5), "b c"),
            ("rating", "lt", json!(0), "c"),
            ("name", "gte", json!("b"), "b c d"),
            ("released", "gt", json!("2026-11-19"), "a"),
            ("released", "between", json!(["2025-12-31", "2026-11-19"]), "b c"),
            ("month", "lt", json!("2026-10"), "c"),
            ("published", "gte", json!("2026-11-20T10:00:00Z"), "a"),
            ("published", "lt", json!("2026-01-01 00:31:00"), "c"),
        ],
    )
    .await;
}

#[spec("R-124")]
async fn null_and_empty(server: Server) {
    let admin = articles(&server).await;
    check(
        &admin,
        &[
            ("views", "isNull", json!(null), "d"),
            ("views", "isNotNull", json!(null), "a b c"),
            ("body", "isNull", json!(null), "d"),
            ("body", "isEmpty", json!(null), "c d"),
            ("body", "isNotEmpty", json!(null), "a b"),
            ("labels", "isEmpty", json!(null), "c d"),
            ("labels", "isNotEmpty", json!(null), "a b"),
            ("readers", "isEmpty", json!(null), "a d"),
            ("active", "isNull", json!(null), "c d"),
        ],
    )
    .await;
}

#[spec("R-124", "A071")]
async fn text_is_matched_literally(server: Server) {
    let admin = articles(&server).await;
    check(
        &admin,
        &[
            ("body", "contains", json!("kůň"), "a"),
            ("body", "contains", json!("KŮŇ"), ""),
            ("body", "contains", json!("%"), "b"),
            ("body", "contains", json!("_"), "b"),
            ("body", "contains", json!("\\"), "b"),
            ("body", "contains", json!("'; --"), ""),
            ("body", "contains", json!(""), "a b c"),
            ("body", "notContains", json!("kůň"), "b c d"),
            ("body", "startsWith", json!("100 %"), "b"),
            ("body", "startsWith", json!("1_0"), ""),
            ("body", "notStartsWith", json!("100"), "a c d"),
            ("body", "endsWith", json!("\\o/"), "b"),
            ("body", "notEndsWith", json!("kůň"), "b c d"),
            ("body", "iEq", json!("ŽLUŤOUČKÝ KŮŇ"), "a"),
            ("body", "iContains", json!("KŮŇ"), "a"),
            ("body", "iStartsWith", json!("žLUŤ"), "a"),
            ("body", "iEndsWith", json!("KŮŇ"), "a"),
            ("body", "like", json!("100%"), "b"),
            ("body", "like", json!("%k_ň"), "a"),
            ("body", "like", json!("100 \\% %"), "b"),
            ("body", "like", json!("žlu%"), ""),
            ("body", "iLike", json!("žLU%"), "a"),
            ("author.name", "startsWith", json!("A"), "a"),
        ],
    )
    .await;
    let folded = json!([{"property": "body", "type": "contains", "param": "zlutoucky KUN", "fold": true}]);
    assert_eq!(matches(&admin, folded).await, "a");
}

#[spec("R-124", "R-047")]
async fn days_and_periods_are_those_of_the_display_zone(server: Server) {
    // It is noon UTC on Friday, 2026-11-20; the admin's zone is Prague. `b` was published there on the 20th at 00:30.
    let admin = articles(&server).await;
    check(
        &admin,
        &[
            ("published", "onDay", json!("2026-11-20"), "a b"),
            ("published", "onDay", json!("2026-11-19"), ""),
            ("released", "onDay", json!("2026-11-19"), "b"),
            ("published", "withinMonth", json!("2026-11-01"), "a b"),
            ("published", "withinYear", json!("2026-05-05"), "a b c"),
            ("published", "inPeriod", json!("today"), "a b"),
            ("released", "inPeriod", json!("yesterday"), "b"),
            ("released", "inPeriod", json!("thisWeek"), "a b"),
            ("released", "inPeriod", json!("thisMonth"), "a b"),
            ("released", "inPeriod", json!("lastYear"), "c"),
            ("released", "inPeriod", json!("thisQuarter"), "a b"),
            ("month", "inPeriod", json!("lastMonth"), "b"),
            ("published", "inLast", json!("3 hours"), "a"),
            ("published", "inLast", json!("1 day"), "a b"),
            ("published", "inNext", json!("30 days"), ""),
        ],
    )
    .await;
    let today = json!([{"property": "published", "type": "onDay"}]);
    assert_eq!(matches(&admin, today).await, "a b");
    let editor = json!({"filters": [{"property": "published", "type": "onDay", "param": "2026-11-19"}]});
    assert_eq!(server.editor().search("collection/article", editor).await.is(200).column("name"), ["b"]);
}

#[spec("R-124")]
async fn members_of_multi_valued_properties(server: Server) {
    let admin = articles(&server).await;
    let people = admin.get("collection/person?orderBy=id").await.column("id");
    check(
        &admin,
        &[
            ("labels", "anyOf", json!(["red", "blue"]), "a b"),
            ("labels", "allOf", json!(["red", "green"]), "b"),
            ("labels", "noneOf", json!(["green"]), "a c d"),
            ("labels", "size", json!(2), "b"),
            ("labels", "size", json!({"gte": 1}), "a b"),
            ("labels", "size", json!(0), "c d"),
            ("readers", "anyOf", json!([people[1]]), "b"),
            ("readers", "some", json!([{"property": "code", "type": "eq", "param": "bob"}]), "b"),
            ("readers", "none", json!([{"property": "code", "type": "eq", "param": "bob"}]), "a c d"),
            ("readers", "every", json!([{"property": "code", "type": "eq", "param": "ann"}]), "a c d"),
            ("readers.code", "eq", json!("ann"), "b c"),
        ],
    )
    .await;
}

#[spec("R-124")]
async fn all_of_many_uuids_is_bounded(server: Server) {
    let admin = articles(&server).await;
    let uuid = |index: usize| json!(format!("{index:08x}-0000-4000-8000-000000000000"));
    let all_of = |uuids: Vec<Json>| json!([{"property": "readers", "type": "allOf", "param": uuids}]);
    assert_eq!(matches(&admin, all_of((0..20).map(uuid).collect())).await, "");
    let bob = admin.get("collection/person?orderBy=id").await.column("uuid")[1].clone();
    assert_eq!(matches(&admin, all_of(vec![bob; 1_000])).await, "b");
    let filters = json!({"filters": all_of((0..21).map(uuid).collect())});
    let refused = admin.with("accept", "application/problem+json").search("collection/article", filters).await.is(400);
    assert_eq!(refused.at("/code"), "filter_param");
}

#[spec("R-121", "R-126")]
async fn filters_are_an_and_and_groups_nest(server: Server) {
    let admin = articles(&server).await;
    let views = |kind: &str, param: i64| json!({"property": "views", "type": kind, "param": param});
    let group = |kind: &str, filters: Json| json!({"property": "*", "type": kind, "param": filters});
    for (filters, names) in [
        (json!([]), "a b c d"),
        (json!([views("gt", 1), views("lt", 10)]), "b"),
        (json!([group("or", json!([views("eq", 1), views("eq", 10)]))]), "a c"),
        (json!([group("not", json!([views("eq", 1)]))]), "b c d"),
        (json!([group("and", json!([views("gt", 1), group("or", json!([views("eq", 2), views("eq", 1)]))]))]), "b"),
        (json!([{"property": "views", "type": "eq", "param": {"$property": "views"}}]), "a b c d"),
        (json!([{"property": "published", "type": "gt", "param": {"$now": "-3 hours"}}]), "a"),
        (json!([{"property": "owner", "type": "eq", "param": {"$user": "id"}}]), ""),
    ] {
        assert_eq!(matches(&admin, filters.clone()).await, names, "{filters}");
    }
}

#[spec("R-125")]
async fn in_a_query_string_filters_are_json(server: Server) {
    let admin = articles(&server).await;
    let filters = json!([{"property": "views", "type": "in", "param": [1, 2]}]).to_string();
    let reply = admin.query("collection/article", &[("filters", &filters), ("orderBy", "-views")]).await.is(200);
    assert_eq!(reply.column("name"), ["b", "a"]);
    admin.query("collection/article", &[("filters", "")]).await.is(200);
    for bad in
        ["x", "{", "{}", "[1]", "[[]]", "null", "views", "[{}]", "[{\"property\":\"views\"}]", "[{\"type\":\"eq\"}]"]
    {
        admin.query("collection/article", &[("filters", bad)]).await.is(400);
    }
}

/// The least that one of some lists takes: what else the machine does only adds to it.
async fn quickest(client: &Client, filter: &Json) -> std::time::Duration {
    let mut quickest = std::time::Duration::MAX;
    for page in 1..6 {
        // No two are the same, so that none is remembered.
        let body = json!({"filters": [filter], "perPage": 20 + page, "showFields": "id", "orderBy": "id"});
        let begun = std::time::Instant::now();
        let reply = client.search("collection/article", body).await;
        assert!([200, 204].contains(&reply.status), "{}", reply.text);
        quickest = quickest.min(begun.elapsed());
    }
    quickest
}

/// A text is folded once for all that it is compared with.
#[spec]
async fn many_folded_texts_cost_little_more_than_one(server: Server) {
    let admin = server.admin();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("articles.csv");
    let line = |row: i64| format!("row{row},Žluťoučký kůň úpěl ďábelské ódy {row}\n");
    std::fs::write(&file, format!("name,body\n{}", (1..=3_000).map(line).collect::<String>())).unwrap();
    let (done, said) =
        server.command(env!("CARGO_BIN_EXE_plinth"), &["import", "article", file.to_str().unwrap()]).await;
    assert!(done, "{said}");
    let contains = |text: String| json!({"property": "body", "type": "contains", "param": text, "fold": true});
    let any = |parts: Vec<Json>| json!({"property": "*", "type": "or", "param": parts});
    // Beside one another they mean what they mean alone.
    let mut parts: Vec<Json> = (1..=3).map(|row| contains(format!("ODY {row}000"))).collect();
    parts.push(json!({"property": "body", "type": "endsWith", "param": "ody 7", "fold": true}));
    parts.push(json!({"property": "body", "type": "startsWith", "param": "žl", "fold": false}));
    let ids = |reply: testing::Reply| {
        reply.column("name").iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let list =
        |filters: Json| admin.search("collection/article", json!({"filters": filters, "orderBy": "id", "perPage": 10}));
    assert_eq!(ids(list(json!([any(parts)])).await.is(200)), ["row7", "row1000", "row2000", "row3000"]);
    let both = json!([contains("ZLUTOUCKY".into()), contains("ódy 99".into()), contains("999".into())]);
    assert_eq!(ids(list(both).await.is(200)), ["row999"]);
    let (one, many) =
        (any(vec![contains("nowhere".into())]), any((0..60).map(|row| contains(format!("nowhere {row}"))).collect()));
    let (mut of_one, mut of_many) = (std::time::Duration::MAX, std::time::Duration::MAX);
    for _ in 0..5 {
        of_one = of_one.min(quickest(&admin, &one).await);
        of_many = of_many.min(quickest(&admin, &many).await);
    }
    assert!(of_many < of_one * 15, "{of_many:?} beside {of_one:?}");
}
