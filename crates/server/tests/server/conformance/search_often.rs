//! The filter `search` where it finds a good part of all resources.

use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

const BOOK: &str = r#"
id: 51
name: book
properties:
  title: {id: 510, kind: pString, title: Title, searchable: true}
  pages: {id: 514, kind: pInteger, title: Pages}
"#;

fn search(property: &str, text: &str) -> Json {
    json!({"property": property, "type": "search", "param": text})
}

/// What is found in many rows is found another way than what is found in few; the answers are the same.
#[spec]
async fn what_is_found_often_is_counted_sorted_and_paged_as_what_is_found_seldom(engine: Engine) {
    let server = Server::with(engine, &[("types/book.yaml", BOOK)]).await;
    let admin = server.admin();
    for number in 0..80 {
        let often = if number % 2 == 0 { "common" } else { "other" };
        let seldom = if number == 42 { "seldom" } else { "" };
        admin.create("book", json!({"title": format!("{often} {seldom}"), "pages": 100 - number % 40})).await;
    }
    for (text, expected) in [("common", 40), ("seldom", 1), ("com", 40), ("common seldom", 1), ("common other", 0)] {
        for (filter, among) in
            [(json!({"property": "pages", "type": "gt", "param": 80}), 0..20), (search("*", text), 0..40)]
        {
            let filters = json!([search("title", text), filter]);
            let holds = |number: i64| among.contains(&(number % 40)) && expected > 0;
            let matching: Vec<i64> = match expected {
                40 => (0..80).filter(|number| number % 2 == 0 && holds(*number)).map(|number| number + 1).collect(),
                1 => [42].into_iter().filter(|number| holds(*number)).map(|number| number + 1).collect(),
                _ => Vec::new(),
            };
            for order in ["id", "-id", "pages", "-pages"] {
                let mut sorted = matching.clone();
                match order {
                    "id" => {}
                    "-id" => sorted.reverse(),
                    // The pages get fewer with the number, up to 40; those of the same number come by id.
                    "pages" => sorted.sort_by_key(|id| (-((id - 1) % 40), *id)),
                    _ => sorted.sort_by_key(|id| ((id - 1) % 40, *id)),
                }
                let mut paged = Vec::new();
                for page in 1..=3 {
                    let body =
                        json!({"filters": filters, "showFields": "id", "orderBy": order, "perPage": 15, "page": page});
                    let reply = admin.search("collection/book?_noCache=1", body).await;
                    if reply.status == 200 {
                        assert_eq!(reply.at("/stats/total"), matching.len(), "{text} by {order}");
                    }
                    paged.extend(reply.column("id").iter().map(|id| id.as_i64().unwrap()));
                }
                assert_eq!(paged, sorted, "{text} by {order}");
            }
        }
    }
}
