//! Plinth, through the commands that everyone uses.

use super::{Engine, Server};
use crate::asker::Keys;
use crate::client::{Connection, Loopback};
use crate::cluster::Cluster;
use crate::process::{Process, run};
use crate::requests::{assign, item};
use crate::{Options, Result};
use benches::articles::articles;
use benches::random::Random;
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
    // Applying may write missing ids into the files, which are not to change here.
    let tenant = data.join("files");
    run(Command::new("cp").arg("-r").arg(&options.tenant).arg(&tenant))?;
    run(plinth("apply").arg(&tenant))?;
    if options.operation.iter().any(|operation| operation.articles()) {
        let rows = data.join("articles.jsonl");
        write_rows(&rows, options.rows)?;
        run(plinth("import").arg("article").arg(&rows))?;
    }
    if options.operation.iter().any(|operation| operation.headlines()) {
        let headlines = data.join("headlines.jsonl");
        write_headlines(&headlines, options.rows)?;
        run(plinth("import").arg("headline").arg(&headlines))?;
    }
    if options.operation.iter().any(|operation| operation.invoices()) {
        fill(&data, &plinth, "company", |file| companies(file, options.rows / INVOICES))?;
        fill(&data, &plinth, "invoice", |file| invoices(file, options.rows))?;
    }
    if options.operation.iter().any(|operation| operation.reads_items()) {
        fill(&data, &plinth, "shownItem", items)?;
    }
    let key = |user: &str| -> Result<(Arc<str>, i64)> {
        let made = run(plinth("key").args(["create", user, "--json"]))?;
        let key: serde_json::Value = serde_json::from_str(&made)?;
        let text = key["keyString"].as_str().ok_or("plinth gave no key")?;
        Ok((text.into(), key["userId"].as_i64().ok_or("plinth gave no user")?))
    };
    let (writer, _) = key("writer")?;
    let [agent, customer, leader] = [key("agent")?, key("customer")?, key("leader")?];
    let users = [agent.1, customer.1, leader.1];
    let keys = Keys { writer, agent: agent.0, customer: customer.0, leader: leader.0, users };
    // With its default settings it logs every request; that belongs to what it costs.
    let log = File::create(data.join("log"))?;
    let (process, ready) = Process::start(plinth("serve").args(["--listen", "127.0.0.1:0", "--json"]).stderr(log))?;
    Ok(Server {
        name,
        engine,
        address: Loopback::of_url(ready["url"].as_str().ok_or("plinth gave no url")?)?,
        keys,
        process,
        cluster: cluster.cloned(),
    })
}

/// Imports rows of a type that are written to a file.
fn fill(
    data: &Path,
    plinth: &dyn Fn(&str) -> Command,
    of: &str,
    write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Result<()> {
    let path = data.join(format!("{of}.jsonl"));
    let mut file = BufWriter::new(File::create(&path)?);
    write(&mut file)?;
    file.flush()?;
    drop(file);
    run(plinth("import").arg(of).arg(&path))?;
    Ok(std::fs::remove_file(path)?)
}

/// How many invoices a company has.
const INVOICES: u32 = 100;
/// Rows with calculations.
const ITEMS: usize = 10_000;

/// A tenth of them is the agent's, another the leader's, one the customer's.
fn companies(file: &mut dyn std::io::Write, count: u32) -> std::io::Result<()> {
    for number in 1..=count {
        let manager = if number % 10 == 0 { "agent" } else { "writer" };
        let leader = if number % 10 == 5 { "leader" } else { "writer" };
        let user = if number == count / 2 + 1 { "customer" } else { "writer" };
        let row = serde_json::json!({
            "name": format!("Company {number}"), "manager": {"user_id": manager}, "leader": {"user_id": leader}, "users": [{"user_id": user}],
        });
        writeln!(file, "{row}")?;
    }
    Ok(())
}

/// Those of a company are spread over all.
fn invoices(file: &mut dyn std::io::Write, count: u32) -> std::io::Result<()> {
    let mut random = Random::new(7);
    let companies = u64::from(count / INVOICES);
    for number in 1..=u64::from(count) {
        let row = serde_json::json!({
            "number": format!("INV-{number:07}"), "customer": number * 7_919 % companies + 1,
            "net": random.between(0, 1_000_000), "state": if random.between(0, 2) == 0 { "open" } else { "paid" },
            "note": "Payable within fourteen days, by transfer to the account that is named below.",
        });
        writeln!(file, "{row}")?;
    }
    Ok(())
}

fn items(file: &mut dyn std::io::Write) -> std::io::Result<()> {
    let mut random = Random::new(11);
    (0..ITEMS).try_for_each(|_| writeln!(file, "{}", item(&mut random)))
}

/// Gives a tag to some of the articles, spread over all.
pub(crate) async fn tag(server: &Server, rows: u32) -> Result<()> {
    let step = rows.div_ceil(TAGGED) as usize;
    let ids: Vec<u32> = (1..=rows).step_by(step).collect();
    let mut connections = Vec::new();
    for part in ids.chunks(ids.len().div_ceil(16)) {
        let (part, address, key) = (part.to_vec(), server.address, Arc::clone(&server.keys.writer));
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
