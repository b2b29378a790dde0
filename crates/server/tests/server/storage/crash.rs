//! A server that is killed while files come: no row without its file, and no promise that was given is lost.

use crate::storage::ALBUM;
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use testing::{Client, Engine, Server, Subject};
use tokio::task::JoinSet;

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
/// How often it is killed.
const TIMES: u64 = 8;

struct Local(Server);

impl Subject for Local {
    async fn on(engine: Engine) -> Self {
        Local(Server::with(engine, &[ALBUM]).await)
    }
}

/// Uploads and uses files until the server is gone, and counts the uploads. Gives the promises that were given and not used, and the names of
/// files that resources were told to have.
async fn write(client: Client, round: u64, made: Arc<AtomicUsize>) -> (Vec<String>, Vec<String>) {
    let mut writers = JoinSet::new();
    for writer in 0..4 {
        let (client, made) = (client.clone(), Arc::clone(&made));
        writers.spawn(async move {
            let (mut unused, mut used) = (Vec::new(), Vec::new());
            for number in 0..10_000 {
                let name = format!("{round}-{writer}-{number}.txt");
                // Some are larger than what is written at once.
                let bytes = name.repeat(if number % 3 == 0 { 40_000 } else { 1 });
                let form = [("file", name.as_str(), "text/plain", bytes.as_bytes())];
                let upload = client.request("POST", "upload/album/cover").multipart(&form);
                let Some(reply) = upload.try_send().await else { break };
                let promise = reply.is(200).json()[0].as_str().unwrap().to_owned();
                made.fetch_add(1, Ordering::Relaxed);
                if (number + writer) % 3 == 2 {
                    unused.push(promise);
                    continue;
                }
                let create = client.request("POST", "collection/album").json(&json!({"cover": promise}));
                let Some(reply) = create.try_send().await else { break };
                reply.is(201);
                used.push(name);
            }
            (unused, used)
        });
    }
    writers.join_all().await.into_iter().fold((Vec::new(), Vec::new()), |(mut all, mut names), (unused, used)| {
        all.extend(unused);
        names.extend(used);
        (all, names)
    })
}

/// The sizes of the files of a folder, by their first bytes: each begins with its name.
fn lying(folder: &Path) -> BTreeSet<(String, u64)> {
    let mut lying = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name().to_str().unwrap().ends_with(".part") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let name = text.split_inclusive(".txt").next().unwrap().to_owned();
        lying.insert((name, text.len() as u64));
    }
    lying
}

#[spec]
async fn a_row_never_lacks_its_file(Local(server): Local) {
    let key = server.key("admin").await;
    let (mut unused, mut used) = (Vec::new(), Vec::new());
    for round in 0..TIMES {
        let process = server.process(PLINTH, &[]).await;
        let client = process.client().with("host", "acme.test").with("key", &key);
        let made = Arc::new(AtomicUsize::new(0));
        let writers = tokio::spawn(write(client, round, Arc::clone(&made)));
        // Each writer has had its turn, then the process dies at some moment.
        while made.load(Ordering::Relaxed) < 12 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        tokio::time::sleep(Duration::from_millis(61 * round)).await;
        tokio::task::spawn_blocking(move || process.kill()).await.unwrap();
        let (promises, names) = writers.await.unwrap();
        unused.extend(promises);
        used.extend(names);
    }
    let process = server.process(PLINTH, &[]).await;
    let admin = process.client().with("host", "acme.test").with("key", &key);
    assert!(used.len() > 5 && !unused.is_empty(), "{} used, {} not", used.len(), unused.len());
    for promise in &unused {
        admin.create("album", json!({"cover": promise})).await;
    }
    let lying = lying(&server.file_folder());
    let mut found = BTreeSet::new();
    for page in 1.. {
        let reply = admin.get(&format!("collection/album?perPage=500&page={page}")).await;
        if reply.status == 204 {
            break;
        }
        for row in reply.is(200).json()["data"].as_array().unwrap() {
            let Json::String(name) = &row["cover"]["name"] else { panic!("{row}") };
            let file = (name.clone(), row["cover"]["size"].as_u64().unwrap());
            assert!(lying.contains(&file), "no bytes for {file:?}");
            found.insert(name.clone());
        }
    }
    let lost: Vec<&String> = used.iter().filter(|name| !found.contains(*name)).collect();
    assert_eq!(lost, Vec::<&String>::new(), "acknowledged");
}
