//! The limit on SQLite: axum and rusqlite, one table, no layer between them.

mod table;
mod threads;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use benches::answer::{json, message};
use benches::request::{Created, Keys, Parameters, Patched, milliseconds};
use clap::{Parser, ValueEnum};
use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use table::{Answer, Read, Write};
use threads::Threads;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The limit on SQLite.
#[derive(Parser)]
struct Options {
    /// Where to listen; port 0 picks one.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// The database file; it is made and filled where it is missing.
    #[arg(long)]
    database: PathBuf,
    /// How many rows a new file gets.
    #[arg(long, default_value_t = 100_000)]
    rows: usize,
    /// The key that is let in.
    #[arg(long)]
    key: String,
    /// Where reads run.
    #[arg(long, value_enum, default_value_t = Reads::Inline)]
    reads: Reads,
}

/// Where reads run: on the threads that serve HTTP, which costs least and makes others wait for as long
/// as a list takes, or on threads of their own.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Reads {
    Inline,
    Threads,
}

struct Limit {
    keys: Keys,
    threads: Threads,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    if !options.database.exists() {
        table::fill(&options.database, options.rows)?;
    }
    let threads = Threads::start(&options.database, options.reads == Reads::Threads)?;
    let router = Router::new()
        .route("/api/v1/collection/article", get(list).post(create))
        .route("/api/v1/collection/article/{id}", get(one).patch(patch))
        .route("/api/ext/v1/aggregate/article", get(groups))
        .with_state(Arc::new(Limit { keys: Keys::with(options.key), threads }));
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind(options.listen).await?;
        println!("{{\"url\":\"http://{}\"}}", listener.local_addr()?);
        axum::serve(listener, router).await
    })?;
    Ok(())
}

async fn one(State(limit): State<Arc<Limit>>, headers: HeaderMap, Path(id): Path<i64>) -> Response {
    if let Err(refusal) = limit.keys.user(&headers) {
        return *refusal;
    }
    respond(StatusCode::OK, limit.threads.read(Read::One(id)).await)
}

async fn list(State(limit): State<Arc<Limit>>, headers: HeaderMap, Query(parameters): Query<Parameters>) -> Response {
    if let Err(refusal) = limit.keys.user(&headers) {
        return *refusal;
    }
    match parameters.list() {
        Ok(list) => respond(StatusCode::OK, limit.threads.read(Read::List(list)).await),
        Err(name) => message(StatusCode::BAD_REQUEST, name),
    }
}

async fn groups(State(limit): State<Arc<Limit>>, headers: HeaderMap) -> Response {
    if let Err(refusal) = limit.keys.user(&headers) {
        return *refusal;
    }
    respond(StatusCode::OK, limit.threads.read(Read::Groups).await)
}

async fn create(State(limit): State<Arc<Limit>>, headers: HeaderMap, body: Bytes) -> Response {
    if let Err(refusal) = limit.keys.user(&headers) {
        return *refusal;
    }
    let Ok(created) = serde_json::from_slice::<Created>(&body) else {
        return message(StatusCode::BAD_REQUEST, "body");
    };
    let Some(published_at) = milliseconds(&created.published_at) else {
        return message(StatusCode::BAD_REQUEST, "published_at");
    };
    respond(StatusCode::CREATED, limit.threads.write(Write::Create(Box::new(created), published_at)).await)
}

async fn patch(State(limit): State<Arc<Limit>>, headers: HeaderMap, Path(id): Path<i64>, body: Bytes) -> Response {
    if let Err(refusal) = limit.keys.user(&headers) {
        return *refusal;
    }
    match serde_json::from_slice::<Patched>(&body) {
        Ok(patched) => respond(StatusCode::OK, limit.threads.write(Write::Patch(id, patched.views)).await),
        Err(_) => message(StatusCode::BAD_REQUEST, "body"),
    }
}

fn respond(status: StatusCode, answer: Answer) -> Response {
    match answer {
        Ok(Some(body)) => json(status, body),
        Ok(None) => message(StatusCode::NOT_FOUND, "Not found."),
        Err(error) => {
            eprintln!("{error}");
            message(StatusCode::INTERNAL_SERVER_ERROR, "Failed.")
        }
    }
}
