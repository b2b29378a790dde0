//! Plinth, through the commands that everyone uses.

use super::{Engine, Server};
use crate::client::{Connection, Loopback};
use crate::cluster::Cluster;
use crate::operation::assign;
use crate::process::{Process, run};
use crate::{Options, Result};
use benches::articles::articles;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// How many articles have the tag.
const TAGGED: u32 = 20_000;

pub(super) fn start(
    options: &Options,
    (program, number): (&Path, usize),
    cluster: Option<&Arc<Cluster>>,
    work: &Path,
) -> Result<Server> {
    let name = if number == 1 { "plinth".to_owned() } else { format!("plinth {number}") };
    let database = format!("plinth_{number}");
    let engine = if cluster.is_some() { Engine::Postgres } else { Engine::Sqlite };
    let data = work.join(format!("{database}-{}", engine.name()));
    std::fs::create_dir(&data)?;
    if let Some(cluster) = cluster {
        cluster.create_database(&database)?;
    }
    let plinth = |command: &str| {
        let mut process = Command::new(program);
        process.arg(command).arg("--data").arg(&data);
        if let Some(cluster) = cluster {
            process.args(["--postgres", &cluster.url(&database)]);
        }
        process
    };
    let rows = data.join("articles.jsonl");
    write_rows(&rows, options.rows)?;
    let headlines = data.join("headlines.jsonl");
    write_headlines(&headlines, options.rows)?;
    // Applying may write missing ids into the files, which are not to change here.
    let tenant = data.join("files");
    run(Command::new("cp").arg("-r").arg(&options.tenant).arg(&tenant))?;
    run(plinth("apply").arg(&tenant))?;
    run(plinth("import").arg("article").arg(&rows))?;
    if options.operation.iter().any(|operation| operation.headlines()) {
        run(plinth("import").arg("headline").arg(&headlines))?;
    }
    let made = run(plinth("key").args(["create", "writer", "--json"]))?;
    let key: serde_json::Value = serde_json::from_str(&made)?;
    // With its default settings it logs every request; that belongs to what it costs.
    let log = File::create(data.join("log"))?;
    let (process, ready) = Process::start(plinth("serve").args(["--listen", "127.0.0.1:0", "--json"]).stderr(log))?;
    Ok(Server {
        name,
        engine,
        address: Loopback::of_url(ready["url"].as_str().ok_or("plinth gave no url")?)?,
        key: key["keyString"].as_str().ok_or("plinth gave no key")?.into(),
        process,
        cluster: cluster.cloned(),
    })
}

/// Gives a tag to some of the articles, spread over all.
pub(crate) async fn tag(server: &Server, rows: u32) -> Result<()> {
    let step = rows.div_ceil(TAGGED) as usize;
    let ids: Vec<u32> = (1..=rows).step_by(step).collect();
    let mut connections = Vec::new();
    for part in ids.chunks(ids.len().div_ceil(16)) {
        let (part, address, key) = (part.to_vec(), server.address, Arc::clone(&server.key));
        connections.push(tokio::spawn(async move {
            let mut connection = Connection::open(address).await?;
            let mut request = Vec::new();
            for id in part {
                request.clear();
                assign(&mut request, id, &key);
                let (status, body) = connection.request(&request).await?;
                if status != 200 {
                    return Err(format!("tags.assign: {status} {}", String::from_utf8_lossy(body)).into());
                }
            }
            Result::Ok(())
        }));
    }
    for connection in connections {
        connection.await??;
    }
    Ok(())
}

/// Writes the rows as a file to import.
fn write_rows(path: &Path, rows: u32) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut line = Vec::new();
    for row in articles(rows as usize) {
        line.clear();
        row.write_json(&mut line);
        line.push(b'\n');
        file.write_all(&line)?;
    }
    file.flush()?;
    Ok(())
}

/// Writes the titles of the rows as a file to import: full text has a table of its own, so that the writes that are
/// measured beside the limit programs do the same work as theirs.
fn write_headlines(path: &Path, rows: u32) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for (number, row) in (1..).zip(articles(rows as usize)) {
        writeln!(file, "{}", serde_json::json!({"title": row.title, "article": number}))?;
    }
    file.flush()?;
    Ok(())
}
