//! The limit on PostgreSQL: axum and tokio-postgres, one table, no layer between them.

mod connections;
mod table;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use benches::answer::{json, message};
use benches::request::{Created, Keys, Parameters, Patched, milliseconds};
use clap::{Parser, ValueEnum};
use connections::Connections;
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use table::Answer;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The limit on PostgreSQL.
#[derive(Parser)]
struct Options {
    /// Where to listen; port 0 picks one.
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// The database, as `host=… user=… dbname=…`; it is filled where it has no table `article`.
    #[arg(long)]
    database: String,
    /// How many rows a new table gets.
    #[arg(long, default_value_t = 100_000)]
    rows: usize,
    /// The key that is let in.
    #[arg(long)]
    key: String,
    /// How reads share the connections.
    #[arg(long, value_enum, default_value_t = Reads::Pipelined)]
    reads: Reads,
    /// How many connections.
    #[arg(long, default_value_t = 8)]
    connections: usize,
}

/// How reads share the connections: many on the way at once on each, or one at a time. Writes are always one
/// at a time, because a pipelined commit waits for all before it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Reads {
    Pipelined,
    Pooled,
}

struct Limit {
    keys: Keys,
    connections: Connections,
    pipelined: bool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    table::fill(&connections::connect(&options.database).await?, options.rows).await?;
    let connections = Connections::open(&options.database, options.connections).await?;
    let limit = Limit { keys: Keys::with(options.key), connections, pipelined: options.reads == Reads::Pipelined };
    let router = Router::new()
        .route("/api/v1/collection/article", get(list).post(create))
        .route("/api/v1/collection/article/{id}", get(one).patch(patch))
        .route("/api/ext/v1/aggregate/article", get(groups))
        .with_state(Arc::new(limit));
    let listener = tokio::net::TcpListener::bind(options.listen).await?;
    println!("{{\"url\":\"http://{}\"}}", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

async fn one(State(limit): State<Arc<Limit>>, headers: HeaderMap, Path(id): Path<i64>) -> Response {
    if let Err(refusal) = limit.keys.user(&headers) {
        return *refusal;
    }
    respond(StatusCode::OK, limit.connections.for_reading(limit.pipelined).await.one(id).await)
}

async fn list(State(limit): State<Arc<Limit>>, headers: HeaderMap, Query(parameters): Query<Parameters>) -> Response {
    if let Err(refusal) = limit.keys.user(&headers) {
        return *refusal;
    }
    match parameters.list() {
        Ok(list) => respond(StatusCode::OK, limit.connections.for_reading(limit.pipelined).await.list(&list).await),
        Err(name) => message(StatusCode::BAD_REQUEST, name),
    }
}

async fn groups(State(limit): State<Arc<Limit>>, headers: HeaderMap) -> Response {
    if let Err(refusal) = limit.keys.user(&headers) {
        return *refusal;
    }
    respond(StatusCode::OK, limit.connections.for_reading(limit.pipelined).await.groups().await)
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
    respond(StatusCode::CREATED, limit.connections.for_writing().await.create(&created, published_at).await)
}

async fn patch(State(limit): State<Arc<Limit>>, headers: HeaderMap, Path(id): Path<i64>, body: Bytes) -> Response {
    if let Err(refusal) = limit.keys.user(&headers) {
        return *refusal;
    }
    match serde_json::from_slice::<Patched>(&body) {
        Ok(patched) => respond(StatusCode::OK, limit.connections.for_writing().await.patch(id, patched.views).await),
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
