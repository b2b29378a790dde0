//! What only a process shows: it is killed, it is asked to stop, it writes a log.

use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testing::{Client, Server};
use tokio::task::{JoinHandle, JoinSet};

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");

/// A client of a process, with the key of the admin.
async fn admin(server: &Server, process: &testing::Process) -> Client {
    process.client().with("host", "acme.test").with("key", &server.key("admin").await)
}

/// Creates notes as fast as four clients can until the server is gone, and counts them; gives the texts of those that were
/// acknowledged, and of all that were tried.
async fn write(client: Client, round: usize, made: Arc<AtomicUsize>) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut writers = JoinSet::new();
    for writer in 0..4 {
        let (client, made) = (client.clone(), Arc::clone(&made));
        writers.spawn(async move {
            let (mut acknowledged, mut tried) = (BTreeSet::new(), BTreeSet::new());
            for number in 0..10_000 {
                let text = format!("{round}-{writer}-{number}");
                tried.insert(text.clone());
                let request = client.request("POST", "collection/note").json(&json!({"text": text}));
                match request.try_send().await {
                    Some(reply) if reply.status == 201 => {
                        acknowledged.insert(text);
                        made.fetch_add(1, Ordering::Relaxed);
                    }
                    Some(reply) => panic!("{} {}", reply.status, reply.text),
                    None => break,
                }
            }
            (acknowledged, tried)
        });
    }
    writers.join_all().await.into_iter().fold(
        (BTreeSet::new(), BTreeSet::new()),
        |(mut all, mut tries), (some, tried)| {
            all.extend(some);
            tries.extend(tried);
            (all, tries)
        },
    )
}

/// Has writers write, which go on once some rows are there.
async fn under_load(client: Client, round: usize) -> JoinHandle<(BTreeSet<String>, BTreeSet<String>)> {
    let made = Arc::new(AtomicUsize::new(0));
    let writers = tokio::spawn(write(client, round, Arc::clone(&made)));
    while made.load(Ordering::Relaxed) < 40 && !writers.is_finished() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    writers
}

/// All notes there are, by text.
async fn notes(server: &Server) -> Vec<String> {
    let mut texts = Vec::new();
    for page in 1.. {
        let reply = server.admin().get(&format!("collection/note?perPage=100&page={page}")).await;
        if reply.status == 204 {
            break;
        }
        texts.extend(reply.column("text").iter().map(|text| text.as_str().unwrap().to_owned()));
    }
    texts
}

/// All notes there are, by text, and the total that a list tells. PostgreSQL may still commit what a process that was
/// killed sent before.
async fn settled_notes(server: &Server) -> (Vec<String>, Json) {
    loop {
        let found = notes(server).await;
        let total = server.admin().get("collection/note?perPage=1").await.at("/stats/total");
        if notes(server).await == found {
            return (found, total);
        }
    }
}

#[spec("R-132", "D-24", "R-025")]
async fn what_was_acknowledged_survives_a_kill(server: Server) {
    let (mut acknowledged, mut tried) = (BTreeSet::new(), BTreeSet::new());
    for round in 0..3 {
        let process = server.process(PLINTH, &[]).await;
        let client = admin(&server, &process).await;
        let writers = under_load(client, round).await;
        process.kill();
        let (some, tries) = writers.await.unwrap();
        assert!(!some.is_empty());
        acknowledged.extend(some);
        tried.extend(tries);
        let (found, total) = settled_notes(&server).await;
        let distinct: BTreeSet<String> = found.iter().cloned().collect();
        assert_eq!(distinct.len(), found.len(), "a row is there twice");
        assert!(acknowledged.is_subset(&distinct), "lost: {:?}", acknowledged.difference(&distinct));
        assert!(distinct.is_subset(&tried), "from nowhere: {:?}", distinct.difference(&tried));
        assert_eq!(total, found.len());
    }
}

#[spec("D-6")]
async fn a_request_to_stop_fails_no_request(server: Server) {
    let process = server.process(PLINTH, &[]).await;
    let client = admin(&server, &process).await;
    let writers = under_load(client, 0).await;
    let (status, _) = tokio::task::spawn_blocking(move || process.stop()).await.unwrap();
    assert!(status.success(), "{status}");
    let (acknowledged, tried) = writers.await.unwrap();
    // At most the connection that each writer was making is refused; whatever was accepted was answered.
    assert!(tried.len() - acknowledged.len() <= 4);
    assert_eq!(notes(&server).await.into_iter().collect::<BTreeSet<_>>(), acknowledged);
}

#[spec("A088", "A012")]
async fn no_secret_is_ever_logged(server: Server) {
    let login = server.login("editor").await;
    let process = server.process(PLINTH, &[]).await;
    let client = process.client().with("host", "acme.test");
    let sign_in = [("user", login.user.as_str()), ("password", login.password.as_str())];
    let key = client.post_form("auth", &sign_in).await.is(200).at("/authToken/keyString");
    let key = key.as_str().unwrap();
    let secrets =
        [login.password.as_str(), key, "wrong-password-1", "secret-value-2", "secret-value-3", "secret-value-4"];
    client.post_form("auth", &[("user", &login.user), ("password", "wrong-password-1")]).await.is(401);
    client.request("POST", &format!("auth?{}", testing::form(&sign_in))).form(&[]).send().await.is(400);
    client.get(&format!("collection/article?key={key}")).await.is(403);
    let editor = client.with("key", key);
    editor.get("collection/article?showFields=secret-value-2").await.is(400);
    editor.get("collection/article/get-by/name/secret-value-3").await.is(404);
    editor.post("collection/article", json!({"name": "A", "views": "secret-value-4"})).await.is(400);
    client.get(&format!("nowhere/{key}")).await.is(404);
    let admin = admin(&server, &process).await;
    let user = json!({"user_id": "new@acme.test", "user_name": "New", "password": "secret-value-2"});
    admin.post("collection/user", user).await.is(201);
    editor.post_form("deauth", &[("key", key)]).await.is(200);
    let (_, log) = tokio::task::spawn_blocking(move || process.stop()).await.unwrap();
    assert!(log.lines().count() > 5, "a log was written: {log}");
    for secret in secrets {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
    let every_line_is_json = log.lines().all(|line| serde_json::from_str::<Json>(line).is_ok());
    assert!(every_line_is_json, "{log}");
}
