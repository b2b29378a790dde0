//! Many at once: nothing is lost, nothing is doubled.

use context::request_context::RequestContext;
use database::{Name, Tx};
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use testing::{Engine, Reply, Server};
use tokio::task::JoinSet;

/// Waits for all, and gives the answers.
async fn all(mut tasks: JoinSet<Reply>) -> Vec<Reply> {
    let mut replies = Vec::new();
    while let Some(reply) = tasks.join_next().await {
        replies.push(reply.unwrap());
    }
    replies
}

#[spec("D-23", "A075")]
async fn two_hundred_additions_lose_nothing(server: Server) {
    let admin = server.admin();
    let body = json!({"name": "A", "views": 0, "body": "", "rating": 0, "price": 0, "meta": []});
    let path = format!("collection/article/{}", admin.create("article", body).await["id"]);
    let mut tasks = JoinSet::new();
    for number in 0..200 {
        let (admin, path) = (admin.clone(), path.clone());
        let change = json!({"views+=": 1, "body+=": "x", "rating+=": 0.5, "price+=": "0.01", "meta+=": [number]});
        tasks.spawn(async move { admin.patch(&path, change).await });
    }
    for reply in all(tasks).await {
        reply.is(200);
    }
    let row = admin.get(&path).await.is(200).json();
    assert_eq!((&row["views"], row["body"].as_str().unwrap().len()), (&json!(200), 200));
    assert_eq!((row["rating"].as_f64(), row["price"].as_f64()), (Some(100.0), Some(2.0)));
    let mut numbers: Vec<i64> = row["meta"].as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..200).collect::<Vec<_>>());
    let version = admin.get(&format!("{path}?showFields=version")).await.at("/version");
    assert_eq!(version, 201);
}

#[spec("D-23")]
async fn parallel_additions_to_a_set_are_each_there_once(server: Server) {
    let admin = server.admin();
    let mut people = Vec::new();
    for number in 0..10 {
        people.push(admin.create("person", json!({"name": format!("P{number}")})).await["id"].clone());
    }
    let path = format!("collection/article/{}", admin.create("article", json!({"name": "A"})).await["id"]);
    let mut tasks = JoinSet::new();
    for round in 0..60 {
        let (admin, path, person) = (admin.clone(), path.clone(), people[round % 10].clone());
        tasks.spawn(async move { admin.patch(&path, json!({"readers+==": [person]})).await });
    }
    for reply in all(tasks).await {
        reply.is(200);
    }
    let mut readers = admin.get(&path).await.is(200).at("/readers").as_array().unwrap().clone();
    readers.sort_by_key(|id| id.as_i64());
    assert_eq!(readers, people);
}

#[spec("D-24", "R-273")]
async fn fifty_creates_of_one_unique_value_make_one_row(server: Server) {
    let admin = server.admin();
    let mut tasks = JoinSet::new();
    for number in 0..50 {
        let admin = admin.clone();
        tasks.spawn(async move {
            admin.post("collection/article", json!({"name": format!("N{number}"), "code": "one"})).await
        });
    }
    let replies = all(tasks).await;
    let created = replies.iter().filter(|reply| reply.status == 201).count();
    let refused = replies.iter().filter(|reply| reply.status == 409).count();
    assert_eq!((created, refused), (1, 49), "{:?}", replies.iter().map(|reply| reply.status).collect::<Vec<_>>());
    assert_eq!(admin.get("collection/article").await.is(200).at("/stats/total"), 1);
}

#[spec("R-025", "D-24")]
async fn the_total_is_exact_after_a_crowd_of_writers(server: Server) {
    let admin = server.admin();
    let mut tasks = JoinSet::new();
    for number in 0..40 {
        let admin = admin.clone();
        tasks.spawn(async move {
            let reply = admin.post("collection/note", json!({"text": format!("T{number}")})).await.is(201);
            if number % 4 == 0 {
                return admin.delete(&format!("collection/note/{}", reply.at("/id"))).await.is(204);
            }
            reply
        });
    }
    all(tasks).await;
    let list = admin.get("collection/note?perPage=100").await.is(200);
    assert_eq!((list.at("/stats/total"), list.column("id").len()), (json!(30), 30));
}

#[spec("D-24")]
async fn autonumbers_are_never_given_twice(server: Server) {
    let admin = server.admin();
    let mut tasks = JoinSet::new();
    for _ in 0..40 {
        let admin = admin.clone();
        tasks.spawn(async move { admin.post("collection/article", json!({"name": "A"})).await.is(201) });
    }
    let mut numbers: Vec<Json> = all(tasks).await.iter().map(|reply| reply.at("/number")).collect();
    numbers.sort_by_key(|number| number.as_str().unwrap().to_owned());
    numbers.dedup();
    assert_eq!(numbers.len(), 40);
}

#[spec("D-24")]
async fn autonumbers_have_no_gaps_whatever_is_undone(server: Server) {
    let admin = server.admin();
    let mut tasks = JoinSet::new();
    for number in 0..50 {
        let admin = admin.clone();
        // Half of them want the same code, and all but one of these fail when they have their number.
        let code = (number % 2 == 0).then_some("one");
        tasks.spawn(async move { admin.post("collection/article", json!({"name": "A", "code": code})).await });
    }
    let replies = all(tasks).await;
    let created: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 201).collect();
    assert_eq!((created.len(), replies.iter().filter(|reply| reply.status == 409).count()), (26, 24));
    let place = |reply: &&Reply| {
        let number = reply.at("/number");
        let text = number.as_str().unwrap();
        text.rsplit(|letter: char| !letter.is_ascii_digit()).next().unwrap().parse::<i64>().unwrap()
    };
    let mut numbers: Vec<i64> = created.iter().map(place).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=26).collect::<Vec<_>>());
}

/// What holds for pages while others write. A page is a window of positions, so rows that come and go before it move
/// the rows behind it: the contract pages by number and knows no keyset. What is promised is that order is total (ties
/// are settled by id), each page is a true window of one state, and rows that stay are visited exactly once as long as
/// what comes and goes sorts behind them.
#[spec("D-18", "R-110", "R-112")]
async fn pages_visit_each_row_that_stays_exactly_once(server: Server) {
    let admin = server.admin();
    // Many ties, so that only the id keeps the order total.
    for number in 0..60 {
        admin.create("article", json!({"name": format!("N{number}"), "views": number % 3, "rating": number % 2})).await;
    }
    for order in ["views", "-views", "rating,-views", "status", "-rating", "published"] {
        let writer = tokio::spawn(churn(admin.clone(), 40));
        let mut visits: BTreeMap<String, u32> = BTreeMap::new();
        for page in 1..=6 {
            // Rows that churn have more views, a later rating and the last status: the filter keeps them apart, and
            // those that stay are the whole of what is paged through.
            let filters = json!([{"property": "name", "type": "startsWith", "param": "N"}]);
            let body = json!({"page": page, "perPage": 10, "orderBy": order, "filters": filters});
            let reply = admin.search("collection/article", body).await.is(200);
            assert_eq!(reply.at("/stats/total"), 60);
            for name in reply.column("name") {
                *visits.entry(name.as_str().unwrap().to_owned()).or_default() += 1;
            }
        }
        writer.await.unwrap();
        assert_eq!(visits.len(), 60, "{order}: {visits:?}");
        assert!(visits.values().all(|visits| *visits == 1), "{order}: {visits:?}");
    }
    // Without a filter: what churns sorts last.
    let writer = tokio::spawn(churn(admin.clone(), 60));
    let mut stayed = Vec::new();
    for page in 1..=6 {
        let reply = admin.get(&format!("collection/article?page={page}&perPage=10&orderBy=views")).await.is(200);
        let (fetched, total) = (reply.at("/stats/fetched"), reply.at("/stats/total").as_i64().unwrap());
        assert_eq!(fetched, 10);
        assert!((60..=61).contains(&total), "{total}");
        stayed.extend(reply.column("name").iter().map(|name| name.as_str().unwrap().to_owned()));
    }
    writer.await.unwrap();
    stayed.sort_unstable();
    stayed.dedup();
    assert_eq!(stayed.len(), 60);
    assert!(stayed.iter().all(|name| name.starts_with('N')));
}

/// Creates and deletes rows, one at a time, that sort behind all others.
async fn churn(admin: testing::Client, rounds: usize) {
    for _ in 0..rounds {
        let row = json!({"name": "churn", "views": 100, "rating": 100});
        let id = admin.create("article", row).await["id"].clone();
        admin.delete(&format!("collection/article/{id}")).await.is(204);
    }
}

#[spec("D-24", "D-25")]
async fn a_reference_never_points_at_what_a_parallel_delete_took(server: Server) {
    let admin = server.admin();
    for _ in 0..10 {
        let country = admin.create("country", json!({"name": "C", "code": "C"})).await["id"].clone();
        let path = format!("collection/country/{country}");
        let body = json!({"name": "P", "country": country});
        let (deleted, created) = tokio::join!(admin.delete(&path), admin.post("collection/person", body));
        match (deleted.status, created.status) {
            (204, 400) => {}
            (409, 201) => {
                admin.delete(&format!("collection/person/{}", created.at("/id"))).await.is(204);
                admin.delete(&path).await.is(204);
            }
            other => panic!("{other:?}: {} {}", deleted.text, created.text),
        }
    }
}

#[spec("R-033", "D-24")]
async fn a_change_of_configuration_fails_no_request(server: Server) {
    let node = server.node().await;
    let admin = server.admin();
    for number in 0..20 {
        admin.create("note", json!({"text": format!("T{number}")})).await;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let mut clients = JoinSet::new();
    for number in 0..4 {
        let client = if number % 2 == 0 { server.admin() } else { node.admin() };
        let stop = stop.clone();
        clients.spawn(async move {
            let mut served = 0;
            while !stop.load(Relaxed) {
                for reply in [
                    client.get("collection/note?orderBy=-id").await,
                    client.get("collection/note/1").await,
                    client.post("collection/note", json!({"article": null})).await,
                    client.patch("collection/note/1", json!({"article": null})).await,
                ] {
                    assert!(reply.status < 300, "{}: {} {}", reply.request, reply.status, reply.text);
                    served += 1;
                }
            }
            served
        });
    }
    let note = |more: &str, text: &str| {
        format!(
            "id: 13\nname: note\ntitle: Note\nproperties:\n  {text}: {{id: 150, kind: pString, title: Text}}\n  \
             article: {{id: 151, kind: pRelation, title: Article, type: article, onDelete: cascade}}\n{more}"
        )
    };
    for id in 160..163 {
        let integer = format!("  extra: {{id: {id}, kind: pInteger, title: Extra, default: 7, index: true}}\n");
        let text = format!("  extra: {{id: {id}, kind: pText, title: Extra}}\n");
        // Added, converted, another renamed beside it, removed.
        for file in [note(&integer, "text"), note(&text, "text"), note(&text, "words"), note("", "text")] {
            server.change(&[("types/note.yaml", &file)]).await;
        }
    }
    stop.store(true, Relaxed);
    let served: i32 = clients.join_all().await.into_iter().sum();
    assert!(served >= 16, "{served}");
    let row = node.admin().get("collection/note/1").await.is(200).json();
    assert_eq!(row["text"], "T0");
}

/// A backup, an export or pg_dump reads a table for long. A change of that table waits, and requests do not.
#[spec]
async fn a_change_that_waits_for_a_reader_fails_no_request(engine: Engine) {
    let server = Server::with(engine, &[]).await;
    let admin = server.admin();
    admin.create("note", json!({"text": "T"})).await;
    let changed = AtomicBool::new(false);
    let read = async {
        if engine == Engine::Postgres {
            let long = |tx: &mut Tx<'_>, _: &RequestContext| {
                let mut sql = tx.sql();
                sql.push("SELECT pg_sleep(7)::text FROM ").table(&Name::fixed("t13")).push(" LIMIT 1");
                Ok(tx.query(&sql, &mut |_| Ok(()))?)
            };
            server.look(long).await;
        }
    };
    let change = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let note = "id: 13\nname: note\ntitle: Note\nproperties:\n  text: {id: 150, kind: pString, title: Text}\n  \
                    article: {id: 151, kind: pRelation, title: Article, type: article, onDelete: cascade}\n  \
                    more: {id: 152, kind: pInteger}\n";
        server.change(&[("types/note.yaml", note)]).await;
        changed.store(true, Relaxed);
    };
    let ask = async {
        while !changed.load(Relaxed) {
            admin.get("collection/note/1").await.is(200);
            admin.patch("collection/note/1", json!({"text": "x"})).await.is(200);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::join!(read, change, ask);
    admin.patch("collection/note/1", json!({"more": 1})).await.is(200);
}
