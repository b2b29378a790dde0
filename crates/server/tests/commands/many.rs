//! Many tenants and many connections: what a process holds of them is bounded, and all are answered.

use crate::program::Plinth;
use platform::configuration::{ApplyOptions, Files, apply};
use platform::tenants::Platform;
use platform::users;
use serde_json::json;
use server::settings::{Settings, Sources};
use spec::spec;
use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use testing::Process;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

/// On SQLite, where each is a file of its own.
const TENANTS: usize = 1_000;
/// On PostgreSQL, where a tenant opens nothing, and making one takes far longer than a copy.
const SCHEMAS: usize = 100;
const CONNECTIONS: usize = 10_000;
/// `limits.connections` and `data.open_files` of config.default.toml.
const MOST_CONNECTIONS: usize = 4_096;
const OPEN_FILES: usize = 256;
/// A file of SQLite's in use is the file, its log and the log's index.
const HANDLES: usize = 3;
/// So many requests without a key would be refused.
const UNLIMITED: (&str, &str) = ("PLINTH_LIMITS_REQUESTS_PER_ADDRESS", "0");
/// What a process has open anyway.
const OTHERS: usize = 100;

/// What a process holds.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    handles: usize,
    megabytes: usize,
    threads: usize,
}

impl Held {
    fn by(process: &Process) -> Self {
        let place = format!("/proc/{}", process.id());
        let status = fs::read_to_string(format!("{place}/status")).unwrap();
        let number = |name: &str| -> usize {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        let handles = fs::read_dir(format!("{place}/fd")).unwrap().count();
        Held { handles, megabytes: number("VmRSS:") / 1024, threads: number("Threads:") }
    }

    fn most(self, other: Held) -> Self {
        Held {
            handles: self.handles.max(other.handles),
            megabytes: self.megabytes.max(other.megabytes),
            threads: self.threads.max(other.threads),
        }
    }
}

/// Makes the tenants `t0` and so on, each with a type and a key for all of it. On SQLite a tenant is a folder, and a
/// copy of it another one.
fn tenants(plinth: &Plinth) -> Vec<String> {
    let data = plinth.path("data");
    let mut flags = vec![("data.folder", data.display().to_string())];
    flags.extend(plinth.postgres.iter().map(|url| ("data.postgres", url.clone())));
    let settings = Settings::load(&Sources { flags, ..Sources::default() }).unwrap();
    let platform = server::open(&settings, server::commands::world::system()).unwrap();
    let first = tenant(&platform, "t0");
    if plinth.postgres.is_some() {
        let made = std::thread::scope(|scope| {
            let makers: Vec<_> = (0..4)
                .map(|part| {
                    let platform = &platform;
                    let mine = (1..SCHEMAS).filter(move |number| number % 4 == part);
                    scope.spawn(move || mine.map(|at| (at, tenant(platform, &format!("t{at}")))).collect::<Vec<_>>())
                })
                .collect();
            makers.into_iter().flat_map(|maker| maker.join().unwrap()).collect::<Vec<_>>()
        });
        let mut keys = vec![first; SCHEMAS];
        made.into_iter().for_each(|(at, key)| keys[at] = key);
        return keys;
    }
    drop(platform);
    let folder = data.join("tenants");
    for number in 1..TENANTS {
        let copy = folder.join(format!("t{number}"));
        fs::create_dir(&copy).unwrap();
        for entry in fs::read_dir(folder.join("t0")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
        }
    }
    vec![first; TENANTS]
}

fn tenant(platform: &Arc<Platform>, name: &str) -> String {
    let mut files = Files::default();
    files.insert("tenant.yaml", format!("tenant: {name}\n"));
    files.insert("types/note.yaml", "name: note\nproperties:\n  text: {kind: pString}\n");
    files.insert("roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes:\n  \"*\": {show: true, edit: true}\n");
    files.insert("users/admin.yaml", "user: admin@acme.test\nname: Ada\nroles: [admin]\n");
    let tenant = platform.create_tenant(name).unwrap();
    apply(tenant.store(), tenant.world(), &files, ApplyOptions::default()).unwrap();
    let made = tenant.write_as_administrator(|tx, call| users::create_key(tx, call, "admin@acme.test", None));
    made.unwrap().text.unwrap()
}

#[spec("D-15", "D-24", "A136")]
async fn many_tenants_opened_in_turn_hold_a_bounded_number_of_files(plinth: Plinth) {
    let begun = Instant::now();
    let keys = tokio::task::block_in_place(|| tenants(&plinth));
    println!("made {} tenants in {:?}", keys.len(), begun.elapsed());
    let process = plinth.start_with("serve", &[UNLIMITED]);
    let (start, mut most) = (Held::by(&process), Held::default());
    let client = process.client();
    for round in 1..=2 {
        let begun = Instant::now();
        for (number, key) in keys.iter().enumerate() {
            let client = client.with("key", key);
            let path = format!("/t/t{number}/api/v1/collection/note");
            if round == 1 {
                client.post(&path, json!({"text": format!("of {number}")})).await.is(201);
            } else {
                let listed = client.get(&path).await.is(200);
                assert_eq!(listed.at("/data/0/text"), format!("of {number}"));
                assert_eq!(listed.at("/stats/total"), 1);
            }
            if number % 20 == 0 {
                most = most.most(Held::by(&process));
            }
        }
        println!("round {round}: {:?}, {most:?}, at the start {start:?}", begun.elapsed());
    }
    // A connection that writes and one that reads for each file. A handle that was closed stays until the file's other
    // connections let go of their locks (SQLite's own rule): one for each thread that reads.
    let readers = 2 * std::thread::available_parallelism().unwrap().get().max(2);
    let files = if plinth.postgres.is_some() { 0 } else { 2 * OPEN_FILES * HANDLES + OPEN_FILES * readers };
    assert!(most.handles <= files + OTHERS, "{most:?}");
    assert!(most.threads <= OPEN_FILES + OTHERS, "{most:?}");
    assert!(most.megabytes <= 768, "{most:?}");

    // Unknown hosts cost no look at the tenants each.
    let begun = Instant::now();
    for number in 0..2_000 {
        client.with("host", &format!("h{number}.unknown.test")).get("collection/note").await.is(404);
    }
    println!("2,000 unknown hosts: {:?}, {:?}", begun.elapsed(), Held::by(&process));
}

/// Lets a process have as many files open as it may at all.
fn raise_limit(process: u32) {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let hard = line.split_whitespace().nth(4).unwrap().to_owned();
    let set =
        Command::new("prlimit").args(["--pid", &process.to_string(), &format!("--nofile={hard}:{hard}")]).status();
    assert!(set.unwrap().success());
}

/// One request on a connection from one of many addresses; gives the connection once it was answered.
async fn ask(process_port: u16, number: usize) -> Option<TcpStream> {
    let socket = TcpSocket::new_v4().ok()?;
    let source = format!("127.0.{}.{}:0", 1 + number / 200 / 250, 1 + number / 200 % 250);
    socket.bind(source.parse().unwrap()).ok()?;
    let target = format!("127.0.0.1:{process_port}").parse().unwrap();
    let exchange = async {
        let mut stream = socket.connect(target).await.ok()?;
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await.ok()?;
        let mut answer = [0; 1024];
        let read = stream.read(&mut answer).await.ok()?;
        answer[..read].starts_with(b"HTTP/1.1 200 ").then_some(stream)
    };
    tokio::time::timeout(Duration::from_secs(8), exchange).await.ok()?
}

#[spec("D-24", "A136")]
async fn ten_thousand_connections_hold_a_bounded_number_of_handles(plinth: Plinth) {
    let process = plinth.start("serve");
    raise_limit(std::process::id());
    raise_limit(process.id());
    let port = process.client().address().port();
    let start = Held::by(&process);
    let mut asking: JoinSet<_> = (0..CONNECTIONS).map(|number| ask(port, number)).collect();
    let (mut open, mut most) = (Vec::new(), start);
    while let Some(asked) = asking.join_next().await {
        open.extend(asked.unwrap());
        if open.len() % 256 == 0 {
            most = most.most(Held::by(&process));
        }
    }
    most = most.most(Held::by(&process));
    println!("{} of {CONNECTIONS} answered; {most:?}, at the start {start:?}", open.len());
    // As many as it may have are answered, the others wait or are turned away.
    assert!((MOST_CONNECTIONS * 9 / 10..=MOST_CONNECTIONS).contains(&open.len()), "{}", open.len());
    assert!(most.handles <= MOST_CONNECTIONS + OTHERS, "{most:?}");
    assert!(most.megabytes <= 256, "{most:?}");
    drop(open);
    // Whoever comes afterwards is served as if nothing had been.
    let deadline = Instant::now() + Duration::from_secs(20);
    while ask(port, 0).await.is_none() {
        assert!(Instant::now() < deadline, "no answer after the others went");
    }
    while Held::by(&process).handles > start.handles + OTHERS {
        assert!(Instant::now() < deadline, "{:?}", Held::by(&process));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(process.stop().0.success());
}
