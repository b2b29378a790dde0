//! The limit programs, in both of their ways to read.

use super::{Engine, Server};
use crate::asker::Keys;
use crate::client::Loopback;
use crate::cluster::Cluster;
use crate::process::Process;
use crate::{Options, Result};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

const KEY: &str = "limit_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ";

pub(super) fn start(options: &Options, cluster: Option<&Arc<Cluster>>, work: &Path) -> Result<Vec<Server>> {
    let folder = match &options.limits {
        Some(folder) => folder.clone(),
        None => std::env::current_exe()?.parent().ok_or("this program is in no folder")?.to_owned(),
    };
    let reads = if cluster.is_some() { ["pipelined", "pooled"] } else { ["inline", "threads"] };
    let mut servers = Vec::new();
    for reads in reads {
        let mut command;
        if let Some(cluster) = cluster {
            let database = format!("limit_{reads}");
            cluster.create_database(&database)?;
            command = Command::new(folder.join("limit-postgres"));
            command.args(["--database", &cluster.url(&database)]);
        } else {
            command = Command::new(folder.join("limit"));
            command.arg("--database").arg(work.join(format!("limit-{reads}.db")));
        }
        command.args(["--key", KEY, "--reads", reads, "--rows", &options.rows.to_string()]);
        let (process, ready) = Process::start(&mut command)?;
        servers.push(Server {
            name: format!("limit, {reads}"),
            engine: if cluster.is_some() { Engine::Postgres } else { Engine::Sqlite },
            address: Loopback::of_url(ready["url"].as_str().ok_or("the limit gave no url")?)?,
            keys: Keys {
                writer: KEY.into(),
                agent: KEY.into(),
                customer: KEY.into(),
                leader: KEY.into(),
                users: [0; 3],
            },
            process,
            cluster: cluster.cloned(),
        });
    }
    Ok(servers)
}
