//! One round: many connections, one operation, one server, and what it cost.

use crate::asker::Keys;
use crate::client::{Connection, Loopback};
use crate::latency::Latencies;
use crate::operation::Operation;
use crate::process::Usage;
use crate::servers::Server;
use crate::{Options, Result};
use benches::random::Random;
use serde::Serialize;
use std::time::{Duration, Instant};

/// What a round gave.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Round {
    pub(crate) engine: String,
    pub(crate) server: String,
    pub(crate) operation: String,
    pub(crate) number: u32,
    pub(crate) requests: u64,
    pub(crate) requests_per_second: f64,
    /// For each second of CPU of the server's own process.
    pub(crate) requests_per_cpu_second: f64,
    /// The same with the CPU of the database's processes.
    pub(crate) requests_per_total_cpu_second: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) memory_mb: f64,
}

/// No round sends more than this.
const MOST_REQUESTS: u64 = 5_000_000;

/// Puts load on a server for `length` and waits until it is quiet again.
pub(crate) async fn run(
    server: &Server,
    operation: Operation,
    options: &Options,
    number: u32,
    length: Duration,
) -> Result<Round> {
    let (own, database) = server.usage()?;
    let start = Instant::now();
    let mut connections = Vec::new();
    let count = options.connections.min(operation.most_connections());
    for connection in 0..count {
        let load = Load {
            server: server.address,
            operation,
            rows: options.rows,
            keys: server.keys.clone(),
            // No operation repeats the changes of another one: they would change nothing.
            random: Random::new((operation as u64) << 48 | u64::from(number) << 32 | u64::from(connection)),
            end: start + length,
            most: MOST_REQUESTS / u64::from(count),
        };
        connections.push(tokio::spawn(load.run()));
    }
    let mut latencies = Latencies::new();
    for connection in connections {
        latencies.merge(&connection.await?.map_err(|error| format!("{} {}: {error}", server.name, operation.name()))?);
    }
    let seconds = start.elapsed().as_secs_f64();
    let (own_used, database_used) = settled(server).await?;
    let (own, database) = (own_used.cpu - own.cpu, database_used.cpu - database.cpu);
    let requests = latencies.count();
    Ok(Round {
        engine: server.engine.name().to_owned(),
        server: server.name.clone(),
        operation: operation.name().to_owned(),
        number,
        requests,
        requests_per_second: requests as f64 / seconds,
        requests_per_cpu_second: requests as f64 / own.max(0.01),
        requests_per_total_cpu_second: requests as f64 / (own + database).max(0.01),
        p50_ms: latencies.quantile(0.5),
        p99_ms: latencies.quantile(0.99),
        memory_mb: own_used.memory as f64 / 1e6,
    })
}

impl Round {
    /// The round on a line.
    pub(crate) fn line(&self) -> String {
        format!(
            "{:10} {:21} {:16} {}  {:8.0}/s {:8.0}/cpu-s {:8.0}/total-cpu-s  p50 {:.2} p99 {:.2} ms  {:.0} MB",
            self.engine,
            self.operation,
            self.server,
            self.number,
            self.requests_per_second,
            self.requests_per_cpu_second,
            self.requests_per_total_cpu_second,
            self.p50_ms,
            self.p99_ms,
            self.memory_mb
        )
    }
}

struct Load {
    server: Loopback,
    operation: Operation,
    rows: u32,
    keys: Keys,
    random: Random,
    end: Instant,
    most: u64,
}

impl Load {
    async fn run(mut self) -> Result<Latencies> {
        let mut connection = Connection::open(self.server).await?;
        let mut latencies = Latencies::new();
        let mut request = Vec::with_capacity(1024);
        for _ in 0..self.most {
            self.operation.write(&mut request, self.rows, &self.keys, &mut self.random);
            let start = Instant::now();
            if start >= self.end {
                break;
            }
            let (status, body) = connection.request(&request).await?;
            if status != self.operation.status() {
                return Err(format!("{status} {}", String::from_utf8_lossy(body)).into());
            }
            latencies.add(start.elapsed());
        }
        Ok(latencies)
    }
}

/// Waits, within bounds, until the server's processes use no more CPU: what they do late belongs to the round,
/// and must not disturb the next one.
async fn settled(server: &Server) -> Result<(Usage, Usage)> {
    let mut before = server.usage()?;
    for _ in 0..60 {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let now = server.usage()?;
        let used = now.0.cpu + now.1.cpu - before.0.cpu - before.1.cpu;
        before = now;
        if used < 0.015 {
            break;
        }
    }
    Ok(before)
}
