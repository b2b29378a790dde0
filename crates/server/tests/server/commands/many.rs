//! Many tenants and many connections: what a process holds of them is bounded, and all are answered.

use crate::commands::program::Plinth;
use accounts::users;
use configuration::{ApplyOptions, Files, apply};
use database::{Database, PostgresOptions, SqliteOptions};
use platform::tenants::Platform;
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
const OPEN_FILES: usize = 768;
/// Threads that write end a moment after their last work.
const WRITERS: usize = 64;
/// Held by the test that opens `CONNECTIONS`: together, those of both engines would exceed the limit of this process.
static CLIENTS: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());
/// So many requests without a key would be refused.
const UNLIMITED: (&str, &str) = ("PLINTH_LIMITS_REQUESTS_PER_ADDRESS", "0");
/// What a process has open anyway.
const OTHERS: usize = 100;

/// What a process holds.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    handles: usize,
    /// Its own memory: pages of files that it has mapped are the system's cache.
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
        Held { handles, megabytes: number("RssAnon:") / 1024, threads: number("Threads:") }
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
    let (data, platform) = (plinth.path("data"), platform(plinth));
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

/// The platform over the data of the program.
pub(crate) fn platform(plinth: &Plinth) -> Arc<Platform> {
    let mut flags = vec![("data.folder", plinth.path("data").display().to_string())];
    flags.extend(plinth.postgres.iter().map(|url| ("data.postgres", url.clone())));
    let settings = Settings::load(&Sources { flags, ..Sources::default() }).unwrap();
    server::open(&settings, server::commands::environment::system()).unwrap()
}

pub(crate) fn tenant(platform: &Arc<Platform>, name: &str) -> String {
    let mut files = Files::default();
    files.insert("tenant.yaml", format!("tenant: {name}\n"));
    files.insert("types/note.yaml", "name: note\nproperties:\n  text: {kind: pString}\n");
    files.insert("roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes:\n  \"*\": {show: true, edit: true}\n");
    files.insert("users/admin.yaml", "user: admin@acme.test\nname: Ada\nroles: [admin]\n");
    let tenant = platform.create_tenant(name).unwrap();
    apply(tenant.store(), tenant.environment(), &files, ApplyOptions::default()).unwrap();
    let made = tenant.write_as_administrator(|tx, context| users::create_key(tx, context, "admin@acme.test", None));
    made.unwrap().text.unwrap()
}

#[spec("D-15", "D-24", "A136", "E-184")]
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
    let files = if plinth.postgres.is_some() { 0 } else { OPEN_FILES };
    assert!(most.handles <= files + OTHERS, "{most:?}");
    assert!(most.threads <= WRITERS + OTHERS, "{most:?}");
    assert!(most.megabytes <= 256, "{most:?}");

    // Unknown hosts cost no look at the tenants each. Copies of a folder are not made one after the other: there they
    // mean no tenant; else they mean the first, as they did when it was the only one.
    let begun = Instant::now();
    let expected = if plinth.postgres.is_some() { 403 } else { 404 };
    for number in 0..2_000 {
        client.with("host", &format!("h{number}.unknown.test")).get("collection/note").await.is(expected);
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
    let _alone = CLIENTS.lock().await;
    let process = plinth.start("serve");
    raise_limit(std::process::id());
    raise_limit(process.id());
    let port = process.client().address().port();
    let start = Held::by(&process);
    let mut asking: JoinSet<_> = (0..CONNECTIONS).map(|number| ask(port, number)).collect();
    let (mut open, mut most) = (Vec::new(), start);
    while let Some(asked) = asking.join_next().await {
        let Some(answered) = asked.unwrap() else { continue };
        open.push(answered);
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

/// Starts the server of SQLite's tenants as a process that may have so many descriptors and no more.
fn start_with_descriptors(plinth: &Plinth, limit: usize) -> Process {
    let data = plinth.path("data").display().to_string();
    let script = format!("ulimit -n {limit} && exec \"$0\" \"$@\"");
    let arguments =
        ["-c", &script, env!("CARGO_BIN_EXE_plinth"), "serve", "--json", "--listen", "127.0.0.1:0", "--data", &data];
    Process::start_with("/bin/sh", &arguments, &[UNLIMITED])
}

#[spec(plain, "D-24")]
fn a_start_raises_the_soft_limit_of_descriptors() {
    let plinth = Plinth { folder: tempfile::TempDir::new().unwrap(), postgres: None };
    let data = plinth.path("data").display().to_string();
    let script = "ulimit -S -n 64 && exec \"$0\" \"$@\"";
    let serve = [env!("CARGO_BIN_EXE_plinth"), "serve", "--json", "--listen", "127.0.0.1:0", "--data", &data];
    let process = Process::start_with("/bin/sh", &[&["-c", script], &serve[..]].concat(), &[UNLIMITED]);
    let limits = fs::read_to_string(format!("/proc/{}/limits", process.id())).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let [soft, hard] = [3, 4].map(|column| line.split_whitespace().nth(column).unwrap());
    assert_eq!(soft, hard, "{line}");
}

#[spec(plain, "D-24")]
fn few_descriptors_are_enough_for_many_tenants() {
    let plinth = Plinth { folder: tempfile::TempDir::new().unwrap(), postgres: None };
    let keys = tenants(&plinth);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        for (limit, served, at_once) in [(64, 12, 8), (1_024, 300, 64)] {
            let process = start_with_descriptors(&plinth, limit);
            let begun = Instant::now();
            let first = process.client().with("key", &keys[0]);
            first.get("/t/t7/api/v1/collection/note?perPage=1").await;
            println!("{limit} descriptors: the first request of {TENANTS} tenants took {:?}", begun.elapsed());
            let browser = process.client().with("accept", "text/html");
            browser.get("/").await.is(200).says("name=\"tenant\"");
            let led = browser.get("/?tenant=t7").await.is(303);
            assert_eq!(led.header("location"), "/t/t7/");
            for wrong in ["nosuch", "T7", ""] {
                browser.get(&format!("/?tenant={wrong}")).await.is(404).says("There is no site with that name");
            }
            let log = process.logged();
            assert!(log.contains(&format!("The process may have {limit} descriptors")), "{log}");
            let mut asking: JoinSet<(u16, u16)> = JoinSet::new();
            let mut answers = Vec::new();
            for number in 0..2 * served {
                let client = process.client().with("key", &keys[0]);
                let path = format!("/t/t{}/api/v1/collection/note", number % served);
                asking.spawn(async move {
                    // A machine that stood still for the 2 s of a wait answers 503: the client comes again.
                    let deadline = Instant::now() + Duration::from_secs(120);
                    loop {
                        let written = client.post(&path, json!({"text": "a"})).await.status;
                        let both = (written, client.get(&path).await.status);
                        if !matches!(both, (503, _) | (_, 503)) || Instant::now() > deadline {
                            return both;
                        }
                        tokio::time::sleep(Duration::from_millis(250)).await;
                    }
                });
                while asking.len() >= at_once {
                    answers.push(asking.join_next().await.unwrap().unwrap());
                }
            }
            answers.extend(asking.join_all().await);
            let failed: Vec<_> = answers.iter().filter(|answer| **answer != (201, 200)).collect();
            assert!(
                failed.is_empty(),
                "{limit} descriptors: {failed:?} of {} failed: {}",
                answers.len(),
                process.logged()
            );
            assert!(Held::by(&process).handles <= limit);
        }
    });
}

#[spec("D-15")]
async fn the_first_tenant_is_meant_until_the_operator_decides(plinth: Plinth) {
    let make = |name: &str| tokio::task::block_in_place(|| tenant(&platform(&plinth), name));
    let key = make("first");
    let process = plinth.start_with("serve", &[UNLIMITED]);
    let client = process.client().with("key", &key);
    client.get("collection/note").await.is(204);
    make("second");
    client.get("collection/note").await.is(204);
    // The server has seen the second tenant.
    let deadline = Instant::now() + Duration::from_secs(120);
    while client.get("/t/second/api/v1/collection/note").await.status != 403 {
        assert!(Instant::now() < deadline, "the second tenant is not found");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    client.get("collection/note").await.is(204);
    let (_, log) = process.stop();
    assert!(!log.contains("default_tenant"), "{log}");

    let process = plinth.start_with("serve", &[UNLIMITED]);
    process.client().with("key", &key).get("collection/note").await.is(204);
    let (_, log) = process.stop();
    assert!(log.contains("mean first, the only one when the second was made"), "{log}");

    let process = plinth.start_with("serve", &[UNLIMITED, ("PLINTH_DEFAULT_TENANT", "second")]);
    process.client().with("key", &key).get("collection/note").await.is(403);
    let (_, log) = process.stop();
    assert!(!log.contains("default_tenant is not set"), "{log}");
}

/// A process makes the store of a tenant, and its tables in a second step.
#[spec("D-15")]
async fn a_tenant_without_tables_yet_is_not_in_the_way_of_others(plinth: Plinth) {
    let keys = tokio::task::block_in_place(|| {
        let platform = platform(&plinth);
        let database = match &plinth.postgres {
            None => {
                let folder = plinth.path("data").join("tenants");
                Database::sqlite(SqliteOptions { folder, readers: 1, descriptors: 64 })
            }
            Some(url) => Database::postgres(PostgresOptions { url: url.clone(), connections: 2, ..Default::default() }),
        };
        database.unwrap().create("half").unwrap();
        ["first", "second"].map(|name| tenant(&platform, name))
    });
    let process = plinth.start_with("serve", &[UNLIMITED]);
    // The first one with tables is the one that requests mean.
    process.client().with("key", &keys[0]).get("collection/note").await.is(204);
    process.client().with("key", &keys[1]).get("/t/second/api/v1/collection/note").await.is(204);
}
