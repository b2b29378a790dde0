//! Measures Plinth beside the limit programs: the same rows, the same requests, in turn.
//!
//! It starts every server itself, on the loopback interface, and puts load on nothing else.

mod asker;
mod check;
mod client;
mod cluster;
mod files;
mod latency;
mod operation;
mod process;
mod report;
mod requests;
mod round;
mod sending;
mod servers;

use clap::{Parser, ValueEnum};
use operation::Operation;
use report::Report;
use servers::{Engine, Server};
use std::path::PathBuf;
use std::time::Duration;

/// What goes wrong here ends the program.
pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Measures Plinth beside the limit programs.
#[derive(Parser)]
struct Options {
    /// The programs to measure: the folder of `limit` and `limit-postgres`; beside this program by default.
    #[arg(long)]
    limits: Option<PathBuf>,
    /// Plinth's program; without it the limits are measured alone. Given more than once, builds are compared: each is
    /// filled and measured, in turn with the others.
    #[arg(long)]
    plinth: Vec<PathBuf>,
    /// The folder of the tenant that Plinth serves.
    #[arg(long, default_value = "benches/tenant")]
    tenant: PathBuf,
    /// Which engines.
    #[arg(long, value_enum, default_values_t = [Engine::Sqlite, Engine::Postgres])]
    engine: Vec<Engine>,
    /// Which operations.
    #[arg(long, value_enum, default_values_t = Operation::ALL)]
    operation: Vec<Operation>,
    /// Rows in the table.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1000..=1_000_000))]
    rows: u32,
    /// Rounds for each operation and server.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    rounds: u32,
    /// Seconds of a round.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=60))]
    seconds: u32,
    /// Connections, each with one request at a time.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=512))]
    connections: u32,
    /// The folder of the tenant into which files of rows are imported.
    #[arg(long, default_value = "examples/world")]
    world: PathBuf,
    /// Measures files of rows over HTTP beside the commands, and nothing else.
    #[arg(long)]
    files: bool,
    /// Where to write all rounds as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// How the answers are printed.
    #[arg(long, value_enum, default_value_t = Form::Table)]
    form: Form,
}

/// How the figures are printed.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Table,
    Markdown,
}

fn main() -> Result<()> {
    let options = Options::parse();
    // One thread: the driver shares the machine with the servers.
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run(&options))
}

async fn run(options: &Options) -> Result<()> {
    let work = tempfile::tempdir()?;
    let mut report = Report::new(options.rows, options.connections, options.seconds);
    for &engine in options.engine.iter().filter(|_| !options.files) {
        let servers = servers::start(options, engine, work.path()).await?;
        for server in servers.iter().filter(|_| options.operation.iter().any(|operation| operation.articles())) {
            check::same_answers(&servers[0], server, options.rows).await?;
        }
        for &operation in &options.operation {
            measure(options, operation, &servers, &mut report).await?;
        }
    }
    if !options.files {
        println!("{}", report.text(options.form == Form::Markdown));
    }
    // Named operations are measured alone.
    if options.files || options.operation.len() == Operation::ALL.len() {
        for &engine in &options.engine {
            let folder = work.path().join(format!("files-{}", engine.name()));
            std::fs::create_dir(&folder)?;
            files::measure(options, engine, &folder).await?;
        }
    }
    if let Some(path) = &options.json {
        std::fs::write(path, report.json())?;
    }
    Ok(())
}

/// Warms every server, then goes round them, so that what disturbs the machine disturbs all alike.
async fn measure(options: &Options, operation: Operation, servers: &[Server], report: &mut Report) -> Result<()> {
    let seconds = Duration::from_secs(options.seconds.into());
    // All servers of an engine have one database server.
    servers.first().map_or(Ok(()), Server::tidy)?;
    for number in 0..=options.rounds {
        for server in servers.iter().filter(|server| operation.limited() || !server.is_limit()) {
            let length = if number == 0 { seconds.min(Duration::from_secs(2)) } else { seconds };
            let round = round::run(server, operation, options, number, length).await?;
            if number > 0 {
                eprintln!("{}", round.line());
                report.add(round);
            }
        }
    }
    Ok(())
}
