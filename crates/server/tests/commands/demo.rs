//! `plinth demo`: the world and the shop, imported, served, and kept.

use crate::program::Plinth;
use serde_json::json;
use spec::spec;

#[spec("R-004", "R-005", "R-125", "R-136", "D-25")]
async fn the_demo_serves_the_world_and_keeps_it(plinth: Plinth) {
    let demo = plinth.start("demo");
    let ready = demo.ready().clone();
    assert_eq!(ready["tenant"], "world");
    let sign_in = [("user", ready["user"].as_str().unwrap()), ("password", ready["password"].as_str().unwrap())];
    demo.client().post_form("auth", &sign_in).await.is(200);

    let client = demo.client().with("key", ready["key"].as_str().unwrap());
    let large = json!([{"property": "country.code", "type": "eq", "param": "CZ"}]).to_string();
    let show = "name,population,country.name";
    let query = [("filters", large.as_str()), ("orderBy", "-population"), ("perPage", "5"), ("showFields", show)];
    let cities = client.query("collection/city", &query).await.is(200);
    assert_eq!(cities.at("/data/0/name"), "Prague");
    assert_eq!(cities.at("/data/0/country/name"), "Czechia");
    assert_eq!(cities.at("/stats/fetched"), 5);
    assert_eq!(client.get("collection/city?perPage=1").await.is(200).at("/stats/total"), 34_006);
    let country = client.get("collection/country/get-by/code/CZ").await.is(200).at("/id");
    let body = json!({"name": "Plinthville", "country": country, "population": 1});
    let city = format!("collection/city/{}", client.create("city", body).await["id"]);
    assert_eq!(client.patch(&city, json!({"population+=": 41})).await.is(200).at("/population"), 42);
    // Cities stand on their country.
    client.delete(&format!("collection/country/{country}")).await.is(409);
    assert!(demo.stop().0.success());

    let demo = plinth.start("demo");
    let client = demo.client().with("key", ready["key"].as_str().unwrap());
    assert_eq!(client.get(&city).await.is(200).at("/population"), 42);
    assert_eq!(client.get("collection/city?perPage=1").await.is(200).at("/stats/total"), 34_007);
}

#[spec]
async fn the_demo_serves_the_shop_beside_the_world(plinth: Plinth) {
    for round in 0..2 {
        let demo = plinth.start_of(&["demo", "shop"], &[]);
        assert_eq!(demo.ready()["tenant"], "shop");
        let client = demo.client().with("key", demo.ready()["key"].as_str().unwrap());
        assert_eq!(client.get("collection/invoice?perPage=1").await.is(200).at("/stats/total"), 8 + round);
        assert_eq!(client.get("collection/line?perPage=1").await.is(200).at("/stats/total"), 9 + round);
        assert_eq!(client.get("collection/payment?perPage=1").await.is(200).at("/stats/total"), 3);
        let invoice = client.get("collection/invoice/get-by/reference/ACME-2").await.is(200);
        assert_eq!(invoice.at("/due"), "2026-03-16");
        assert_eq!(invoice.at("/total"), 907.5);
        // Imported lines and payments are summed up.
        let part = client.get("collection/invoice/get-by/reference/DELTA-1").await.is(200);
        assert_eq!((part.at("/paid"), part.at("/balance")), (json!(1000.0), json!(5292.0)));
        let company = client.get("collection/company/get-by/code/ACME").await.is(200);
        assert_eq!((company.at("/turnover"), company.at("/owed")), (json!(1950.0), json!(907.5)));
        if round == 0 {
            // What an invoice refers to stays.
            client.delete(&format!("collection/company/{}", invoice.at("/company"))).await.is(409);
            let body = json!({"company": invoice.at("/company")});
            let made = client.create("invoice", body).await;
            assert_eq!((&made["status"], &made["total"]), (&json!("draft"), &json!(0.0)));
            let line = json!({"invoice": made["id"], "text": "Lamps", "quantity": 2, "price": 49.75});
            client.create("line", line).await;
            assert_eq!(client.get(&format!("collection/invoice/{}", made["id"])).await.is(200).at("/net"), 99.5);
        }
        assert!(demo.stop().0.success());
    }
}
