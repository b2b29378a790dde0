//! Lists: the envelope, pages, order.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Server};

/// Creates articles with these numbers of views.
async fn articles(client: &Client, views: &[Json]) {
    for (index, views) in views.iter().enumerate() {
        client.create("article", json!({"name": format!("N{index}"), "views": views})).await;
    }
}

#[spec("R-021", "R-022", "R-023", "R-024", "R-025", "R-026", "R-109", "R-110", "R-111", "R-128", "D-1")]
async fn a_list_has_an_envelope(server: Server) {
    let admin = server.admin();
    articles(&admin, &vec![json!(1); 23]).await;
    for (page, fetched) in [(1, 20), (2, 3)] {
        let reply = admin.get(&format!("collection/article?page={page}")).await.is(200);
        let body = reply.json();
        assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["stats", "data"]);
        assert_eq!(body["stats"], json!({"page": page, "itemsPerPage": 20, "fetched": fetched, "total": 23}));
        assert_eq!(body["data"].as_array().unwrap().len(), fetched);
    }
    assert_eq!(admin.get("collection/article").await.text, admin.get("collection/article?page=1").await.text);
    assert_eq!(admin.search("collection/article", json!({"page": 2})).await.is(200).at("/stats/fetched"), 3);
}

#[spec("R-128", "R-267")]
async fn an_empty_list_is_204_without_a_body(server: Server) {
    let admin = server.admin();
    assert_eq!(admin.get("collection/article").await.is(204).text, "");
    admin.search("collection/article", json!({})).await.is(204);
    articles(&admin, &[json!(1)]).await;
    admin.get("collection/article?page=2").await.is(204);
    admin.get("collection/article?page=1000000").await.is(204);
    let nothing = json!({"filters": [{"property": "views", "type": "eq", "param": 2}]});
    admin.search("collection/article", nothing).await.is(204);
}

#[spec("R-110", "R-111", "D-17", "A078")]
async fn pages_are_positive_integers_and_capped(server: Server) {
    let admin = server.admin();
    articles(&admin, &[json!(1)]).await;
    let huge = "1".to_owned() + &"0".repeat(30);
    for name in ["page", "perPage"] {
        for value in ["-1", "0", "1e3", "0x10", "all", "", "1.0", "%2B1", "1%20", "null", "[]"] {
            admin.get(&format!("collection/article?{name}={value}")).await.is(400).says(name);
        }
        for value in [json!(0), json!(-1), json!(1.5), json!("x"), json!(null), json!([1]), json!(true)] {
            admin.search("collection/article", json!({name: value})).await.is(400).says(name);
        }
        admin.get(&format!("collection/article?{name}=1&{name}=1")).await.is(400);
    }
    admin.get(&format!("collection/article?page={huge}")).await.is(400).says("page");
    assert_eq!(admin.get("collection/article?perPage=1000000000").await.is(200).at("/stats/itemsPerPage"), 100);
    assert_eq!(admin.get("collection/article?perPage=7").await.is(200).at("/stats/itemsPerPage"), 7);
}

#[spec("R-110", "R-111", "R-295", "R-297", "R-023", "D-17")]
async fn a_tenant_sets_the_length_of_pages(engine: testing::Engine) {
    let tenant = |api: &str| format!("tenant: acme\nhosts: [acme.test]\n{api}");
    let server = Server::with(engine, &[("tenant.yaml", &tenant(""))]).await;
    articles(&server.admin(), &[json!(1), json!(2), json!(3)]).await;
    let size = async |query: &str| {
        server.admin().get(&format!("collection/article{query}")).await.is(200).at("/stats/itemsPerPage")
    };
    assert_eq!(
        (size("").await, size("?perPage=500").await, size("?perPage=501").await),
        (json!(50), json!(500), json!(500))
    );
    server.change(&[("tenant.yaml", &tenant("api: {maxPageLength: 5000, perPage: 7}\n"))]).await;
    assert_eq!(
        (size("").await, size("?perPage=4999").await, size("?perPage=9999").await),
        (json!(7), json!(4999), json!(5000))
    );
    // A cap below the usual 50 holds for whoever asks for nothing, too.
    server.change(&[("tenant.yaml", &tenant("api: {maxPageLength: 2}\n"))]).await;
    assert_eq!((size("").await, size("?perPage=3").await), (json!(2), json!(2)));
    let reply = server.admin().get("collection/article").await.is(200);
    assert_eq!(reply.at("/stats"), json!({"page": 1, "itemsPerPage": 2, "fetched": 2, "total": 3}));
}

#[spec("R-112", "R-113", "D-18")]
async fn lists_are_sorted(server: Server) {
    let admin = server.admin();
    articles(&admin, &[json!(3), json!(1), json!(null), json!(2), json!(1)]).await;
    let names = async |query: &str| {
        let reply = admin.get(&format!("collection/article?{query}")).await.is(200);
        reply.column("name").iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("").await, "N0 N1 N2 N3 N4");
    assert_eq!(names("orderBy=views").await, "N1 N4 N3 N0 N2");
    assert_eq!(names("orderBy=views&orderDir=asc").await, "N1 N4 N3 N0 N2");
    // Nulls first when descending; the id, ascending, decides between equals.
    assert_eq!(names("orderBy=-views").await, "N2 N0 N3 N1 N4");
    assert_eq!(names("orderBy=views&orderDir=desc").await, "N2 N0 N3 N1 N4");
    assert_eq!(names("orderBy=-views&orderDir=asc").await, "N2 N0 N3 N1 N4");
    assert_eq!(names("orderBy=views,-id").await, "N4 N1 N3 N0 N2");
    assert_eq!(names("orderBy=-name").await, "N4 N3 N2 N1 N0");
    assert_eq!(names("orderBy=-id&perPage=2&page=2").await, "N2 N1");
    admin
        .check(&[
            ("GET collection/article?orderBy=nothing", 400, "nothing"),
            ("GET collection/article?orderBy=meta", 400, "meta"),
            ("GET collection/article?orderBy=views&orderDir=up", 400, "orderDir"),
            ("GET collection/article?orderBy=views&orderDir=ASC;--", 400, "orderDir"),
            ("GET collection/article?orderBy=views%20desc", 400, "views desc"),
        ])
        .await;
}

#[spec("D-18")]
async fn text_sorts_by_code_point_on_every_engine(server: Server) {
    let admin = server.admin();
    for name in ["b", "B", "a", "Á", "á", "Z", "ž", "🐴", "", "_", "10", "9"] {
        admin.create("note", json!({"text": name})).await;
    }
    let reply = admin.get("collection/note?orderBy=text").await.is(200);
    let names: Vec<Json> = reply.column("text");
    assert_eq!(names, ["", "10", "9", "B", "Z", "_", "a", "b", "Á", "á", "ž", "🐴"]);
}

#[spec("R-126", "R-109", "D-21")]
async fn search_takes_the_lists_parameters_as_json(server: Server) {
    let admin = server.admin();
    articles(&admin, &[json!(3), json!(1), json!(2)]).await;
    let body = json!({"orderBy": "-views", "perPage": 2, "page": 1, "showFields": ["views"],
        "filters": [{"property": "views", "type": "gt", "param": 1}]});
    let reply = admin.search("collection/article", body).await.is(200);
    assert_eq!(reply.column("views"), [json!(3), json!(2)]);
    assert_eq!(reply.at("/data/0").as_object().unwrap().len(), 2);
    let both = admin.request("SEARCH", "collection/article?perPage=1").json(&json!({"orderBy": "views"})).send().await;
    assert_eq!(both.is(200).column("views"), [json!(1)]);
    let twice = admin.request("SEARCH", "collection/article?perPage=1").json(&json!({"perPage": 1})).send().await;
    twice.is(400).says("perPage");
    admin.search("collection/article", json!({"surprise": 1})).await.is(400).says("surprise");
    admin.search("collection/article", json!([])).await.is(400);
    admin.request("SEARCH", "collection/article").send().await.is(200);
    admin.request("SEARCH", "collection/article").body("application/json", "{").send().await.is(400);
    admin.request("SEARCH", "collection/article").body("text/plain", "{}").send().await.is(415);
}

#[spec("D-2", "D-1")]
async fn an_unknown_parameter_is_refused_by_name(server: Server) {
    let admin = server.admin();
    articles(&admin, &[json!(1)]).await;
    for name in
        ["surprise", "Page", "per_page", "limit", "search", "_surprise", "filter", "sort", "page[]", "constructor"]
    {
        admin.get(&format!("collection/article?{name}=1")).await.is(400).says(name);
    }
}

#[spec("R-025", "D-3")]
async fn the_total_is_exact_after_every_change(server: Server) {
    let admin = server.admin();
    let mut total = 0;
    let check = async |total: i64| {
        let reply = admin.get("collection/note?perPage=1").await;
        let found = if reply.status == 204 { json!(0) } else { reply.is(200).at("/stats/total") };
        assert_eq!(found, total);
    };
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(admin.create("note", json!({"text": "x"})).await["id"].clone());
        total += 1;
        check(total).await;
    }
    admin.post("collection/note", json!({"text": 5})).await.is(400);
    check(total).await;
    for id in ids {
        admin.delete(&format!("collection/note/{id}")).await.is(204);
        total -= 1;
        check(total).await;
    }
    // Rows that a cascade takes with it count too.
    let article = admin.create("article", json!({"name": "A"})).await["id"].clone();
    for _ in 0..3 {
        admin.create("note", json!({"article": article})).await;
    }
    check(3).await;
    admin.delete(&format!("collection/article/{article}")).await.is(204);
    check(0).await;
}
