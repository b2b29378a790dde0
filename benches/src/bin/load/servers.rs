//! The servers that are compared, each started and filled with the same rows.

mod limit;
mod plinth;

use crate::asker::Keys;
use crate::client::Loopback;
use crate::cluster::Cluster;
use crate::process::{Process, Usage};
use crate::{Options, Result};
use clap::ValueEnum;
use std::path::Path;
use std::sync::Arc;

/// Where the rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

/// A server that runs.
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) engine: Engine,
    pub(crate) address: Loopback,
    pub(crate) keys: Keys,
    process: Process,
    cluster: Option<Arc<Cluster>>,
}

impl Engine {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Sqlite => "SQLite",
            Engine::Postgres => "PostgreSQL",
        }
    }
}

impl Server {
    /// Whether it is a limit program.
    pub(crate) fn is_limit(&self) -> bool {
        self.name.starts_with("limit")
    }

    /// Brings the database into the state in which an operation finds it.
    pub(crate) fn tidy(&self) -> Result<()> {
        self.cluster.as_ref().map_or(Ok(()), |cluster| cluster.tidy())
    }

    /// What its process and the database's processes have used.
    pub(crate) fn usage(&self) -> Result<(Usage, Usage)> {
        let database = match &self.cluster {
            Some(cluster) => cluster.usage()?,
            None => Usage::default(),
        };
        Ok((self.process.usage()?, database))
    }
}

/// Starts all servers for an engine.
pub(crate) async fn start(options: &Options, engine: Engine, work: &Path) -> Result<Vec<Server>> {
    let cluster = match engine {
        Engine::Sqlite => None,
        Engine::Postgres => Some(Arc::new(Cluster::start()?)),
    };
    let limited = options.operation.iter().any(|operation| operation.limited());
    let mut servers = if limited { limit::start(options, cluster.as_ref(), work)? } else { Vec::new() };
    for (program, number) in options.plinth.iter().zip(1..) {
        let server = plinth::start(options, (program.as_path(), number), cluster.as_ref(), work)?;
        if options.operation.iter().any(|operation| operation.tagged()) {
            plinth::tag(&server, options.rows).await?;
        }
        servers.push(server);
    }
    Ok(servers)
}
