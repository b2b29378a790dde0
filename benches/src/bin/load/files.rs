//! Files of many rows over HTTP beside the commands: import, export, and a bulk change.
//!
//! The tenant is that of `examples/world`, filled with made-up cities. Each measurement has a store of its own.

mod world;

use crate::client::{Connection, Loopback};
use crate::cluster::Cluster;
use crate::process::{Process, run};
use crate::servers::Engine;
use crate::{Options, Result};
use serde_json::{Value as Json, json};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Rows of a bulk change.
const CHANGED: usize = 1_000;
/// The pause between two looks at a job.
const LOOK: Duration = Duration::from_millis(25);
/// A slow client: bytes that it reads at once, and its pauses.
const SIP: usize = 256 * 1024;
const PAUSE: Duration = Duration::from_millis(100);
/// Bytes of a megabyte.
const MEGABYTE: f64 = 1_048_576.0;

/// The seconds of one round, and megabytes.
struct FileRound {
    import_command: f64,
    /// The command where others may have to wait.
    import_exclusive: f64,
    import_http: f64,
    export_command: f64,
    export_http: f64,
    /// The memory that the server took beside while a slow client read an export.
    memory: f64,
    bulk: f64,
}

/// A tenant in a folder, or in a database.
struct World<'w> {
    program: &'w Path,
    data: PathBuf,
    url: Option<String>,
}

/// Measures an engine and prints the ratios.
pub(crate) async fn measure(options: &Options, engine: Engine, work: &Path) -> Result<()> {
    let Some(program) = options.plinth.first() else { return Ok(()) };
    let cluster = match engine {
        Engine::Sqlite => None,
        Engine::Postgres => Some(Cluster::start()?),
    };
    let rows = work.join("cities.csv");
    world::write_cities(&rows)?;
    let mut rounds = Vec::new();
    for number in 1..=options.rounds {
        rounds.push(round(options, program, cluster.as_ref(), (work, number), &rows).await?);
    }
    let median = |value: fn(&FileRound) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let load = std::fs::read_to_string("/proc/loadavg")?;
    println!(
        "{}, {} rows, median of {} rounds, load {}",
        engine.name(),
        world::CITIES,
        rounds.len(),
        load.split(' ').next().unwrap_or_default()
    );
    let ratio = |name: &str, over_http: f64, command: f64, most: f64| {
        let times = over_http / command;
        println!(
            "  {name}: {over_http:.2} s over HTTP, {command:.2} s by the command: {times:.2} times (at most {most})"
        );
    };
    ratio("import", median(|round| round.import_http), median(|round| round.import_command), 1.5);
    println!("  import with --exclusive: {:.2} s", median(|round| round.import_exclusive));
    ratio("export", median(|round| round.export_http), median(|round| round.export_command), 1.2);
    println!("  export to a slow client: {:.0} MB more memory (at most 64)", median(|round| round.memory));
    println!("  bulk change of {CHANGED} rows: {:.2} s (at most 1)", median(|round| round.bulk));
    Ok(())
}

async fn round(
    options: &Options,
    program: &Path,
    cluster: Option<&Cluster>,
    (work, number): (&Path, u32),
    rows: &Path,
) -> Result<FileRound> {
    let world = |name: &str| World::make(options, program, cluster, work, &format!("files_{number}_{name}"));
    let by_command = world("command")?;
    let began = Instant::now();
    run(by_command.plinth("import").arg("city").arg(rows))?;
    let import_command = began.elapsed().as_secs_f64();
    let exclusive = world("exclusive")?;
    let began = Instant::now();
    run(exclusive.plinth("import").arg("city").arg(rows).arg("--exclusive"))?;
    let import_exclusive = began.elapsed().as_secs_f64();
    let exported = work.join("exported.csv");
    let began = Instant::now();
    run(by_command.plinth("export").arg("city").arg("--out").arg(&exported))?;
    let export_command = began.elapsed().as_secs_f64();

    let by_http = world("http")?;
    let (process, address, key) = by_http.serve()?;
    let began = Instant::now();
    import(address, &key, &std::fs::read(rows)?).await?;
    let import_http = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let head = head("GET", "/api/ext/v1/export/city?format=csv", &key, None);
    let mut connection = Connection::open(address).await?;
    let (status, body) = connection.request(head.as_bytes()).await?;
    let export_http = began.elapsed().as_secs_f64();
    if status != 200 || body.iter().filter(|byte| **byte == b'\n').count() != world::CITIES + 1 {
        return Err(format!("the export has {status}, {} bytes", body.len()).into());
    }
    drop(connection);
    let memory = slow_export(address, &key, &process).await?;
    let bulk = bulk(address, &key).await?;
    Ok(FileRound { import_command, import_exclusive, import_http, export_command, export_http, memory, bulk })
}

impl<'w> World<'w> {
    fn make(options: &Options, program: &'w Path, cluster: Option<&Cluster>, work: &Path, name: &str) -> Result<Self> {
        let data = work.join(name);
        std::fs::create_dir(&data)?;
        if let Some(cluster) = cluster {
            cluster.create_database(name)?;
        }
        let world = World { program, data, url: cluster.map(|cluster| cluster.url(name)) };
        let files = world.data.join("files");
        run(Command::new("cp").arg("-r").arg(&options.world).arg(&files))?;
        run(world.plinth("apply").arg(&files))?;
        run(world.plinth("import").arg("country").arg(options.world.join("data/countries.csv.gz")))?;
        Ok(world)
    }

    fn plinth(&self, command: &str) -> Command {
        let mut process = Command::new(self.program);
        process.arg(command).arg("--data").arg(&self.data);
        if let Some(url) = &self.url {
            process.args(["--postgres", url]);
        }
        process
    }

    fn serve(&self) -> Result<(Process, Loopback, String)> {
        let made: Json = serde_json::from_str(&run(self.plinth("key").args(["create", "admin", "--json"]))?)?;
        let key = made["keyString"].as_str().ok_or("plinth gave no key")?.to_owned();
        let log = File::create(self.data.join("log"))?;
        let (process, ready) =
            Process::start(self.plinth("serve").args(["--listen", "127.0.0.1:0", "--json"]).stderr(log))?;
        Ok((process, Loopback::of_url(ready["url"].as_str().ok_or("plinth gave no url")?)?, key))
    }
}

/// The head of a request, with the type and the length of its body.
fn head(method: &str, path: &str, key: &str, body: Option<(&str, usize)>) -> String {
    let body = body.map_or(String::new(), |(of, length)| format!("Content-Type: {of}\r\nContent-Length: {length}\r\n"));
    format!("{method} {path} HTTP/1.1\r\nHost: world\r\nAuthorization: Bearer {key}\r\n{body}\r\n")
}

/// Asks, and gives the answer as JSON.
async fn ask(connection: &mut Connection, request: &[u8]) -> Result<Json> {
    let (status, body) = connection.request(request).await?;
    match status {
        200..=299 => Ok(serde_json::from_slice(body)?),
        status => Err(format!("{status} {}", String::from_utf8_lossy(body)).into()),
    }
}

/// Sends a file, and waits until the last row is written.
async fn import(address: Loopback, key: &str, csv: &[u8]) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    let mut request = head("POST", "/api/ext/v1/import/city?run=1", key, Some(("text/csv", csv.len()))).into_bytes();
    request.extend_from_slice(csv);
    let begun = ask(&mut connection, &request).await?;
    let look = head("GET", &format!("/api/ext/v1/job/{}", begun["id"]), key, None);
    loop {
        let job = ask(&mut connection, look.as_bytes()).await?;
        match job["state"].as_str() {
            Some("waiting" | "checking" | "running") => tokio::time::sleep(LOOK).await,
            Some("done") if job["result"]["created"] == world::CITIES => return Ok(()),
            _ => return Err(format!("the import ended so: {job}").into()),
        }
    }
}

/// The megabytes by which the server grows while a client reads an export slowly.
async fn slow_export(address: Loopback, key: &str, process: &Process) -> Result<f64> {
    let before = process.usage()?.memory;
    let mut stream = TcpStream::connect(address.address()).await?;
    stream.write_all(head("GET", "/api/ext/v1/export/city?format=json", key, None).as_bytes()).await?;
    let (mut buffer, mut most) = (vec![0; SIP], before);
    let mut answered = false;
    loop {
        let count = match tokio::time::timeout(PAUSE, stream.read(&mut buffer)).await {
            Ok(count) => count?,
            Err(_) if !answered => usize::MAX,
            Err(_) => 0,
        };
        most = most.max(process.usage()?.memory);
        if count == 0 {
            return Ok((most - before) as f64 / MEGABYTE);
        }
        answered |= count != usize::MAX;
        tokio::time::sleep(if answered { PAUSE } else { PAUSE / 20 }).await;
    }
}

/// The seconds of a change of some rows, of which each has its own.
async fn bulk(address: Loopback, key: &str) -> Result<f64> {
    let body = json!({
        "action": "patch", "limit": CHANGED, "expect": CHANGED, "set": {"population": 7},
        "filters": [{"property": "geoname_id", "type": "lte", "param": CHANGED}],
    });
    let body = body.to_string();
    let mut request = head("POST", "/api/ext/v1/bulk/city", key, Some(("application/json", body.len()))).into_bytes();
    request.extend_from_slice(body.as_bytes());
    let mut connection = Connection::open(address).await?;
    let began = Instant::now();
    let done = ask(&mut connection, &request).await?;
    let seconds = began.elapsed().as_secs_f64();
    if done["changed"] == CHANGED { Ok(seconds) } else { Err(format!("the bulk change ended so: {done}").into()) }
}
