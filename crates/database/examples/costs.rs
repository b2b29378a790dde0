//! What the database layer costs: microseconds of CPU for each of a few operations.
//!
//! `cargo run --release -p database --example costs [postgresql://…]`

use database::{
    ColumnSpec, ColumnType, Database, Error, Name, PostgresOptions, ReadCost, Result, SqliteOptions, Store, TableSpec,
    Tx, Value, ValueRef,
};
use std::time::Instant;

const T1: Name = Name::fixed("t1");
const COLUMNS: [(&str, ColumnType); 8] = [
    ("uuid", ColumnType::Uuid),
    ("created", ColumnType::Timestamp),
    ("p1", ColumnType::Text),
    ("p2", ColumnType::Text),
    ("p3", ColumnType::Integer),
    ("p4", ColumnType::Float),
    ("p5", ColumnType::Float),
    ("p6", ColumnType::Boolean),
];

fn main() -> Result<()> {
    let folder = tempfile::TempDir::new().map_err(|error| Error::Failed(error.to_string()))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Error::Failed(error.to_string()))?;
    let options = SqliteOptions { folder: folder.path().to_owned(), readers: 2, descriptors: 192 };
    println!("SQLite");
    runtime.block_on(measure(&Database::sqlite(options)?))?;
    if let Some(url) = std::env::args().nth(1) {
        println!("PostgreSQL (the client's CPU alone)");
        let database = Database::postgres(PostgresOptions { url, connections: 8, ..Default::default() })?;
        let _ = database.delete("costs");
        runtime.block_on(measure(&database))?;
        database.delete("costs")?;
    }
    Ok(())
}

async fn measure(database: &Database) -> Result<()> {
    let store = database.create("costs")?;
    store.write_blocking(|tx| {
        let column = |(name, column)| ColumnSpec { name: Name::fixed(name), column, references: None };
        let columns = COLUMNS.into_iter().map(column).collect();
        tx.create_table(&TableSpec { name: T1, identity: true, columns, primary_key: Vec::new() })
    })?;

    let meter = Meter::start();
    let rows: Vec<Vec<Value>> = (0..170_000).map(row).collect();
    meter.report("make 170,000 rows in memory", 170_000);
    let meter = Meter::start();
    let columns = COLUMNS.map(|(name, column)| (Name::fixed(name), column));
    store.write_blocking(|tx| {
        for batch in rows.chunks(5000) {
            tx.insert_many(&T1, &columns, batch)?;
        }
        Ok::<_, Error>(())
    })?;
    meter.report("insert_many of 170,000 rows", 170_000);
    drop(rows);

    for (name, cost) in [("point read", ReadCost::Point), ("point read, handed over", ReadCost::Scan)] {
        let meter = Meter::start();
        for id in 1..=50_000 {
            store.read(cost, move |tx| one(tx, id)).await?;
        }
        meter.report(name, 50_000);
    }
    let meter = Meter::start();
    for id in 1..=50_000 {
        store.read(ReadCost::Point, move |tx| tx.epochs().and_then(|_| one(tx, id))).await?;
    }
    meter.report("point read after asking for the epochs", 50_000);
    let meter = Meter::start();
    for start in 0..5_000 {
        store.read(ReadCost::Scan, move |tx| list(tx, start * 25)).await?;
    }
    meter.report("list of 25 rows, one at a time", 5_000);
    let meter = Meter::start();
    side_by_side(&store, 16, 3_000, one).await?;
    meter.report("point read, handed over, 16 side by side", 48_000);
    let meter = Meter::start();
    side_by_side(&store, 16, 1_000, |tx, number| list(tx, number * 7)).await?;
    meter.report("list of 25 rows, 16 side by side", 16_000);

    let meter = Meter::start();
    for number in 0..300 {
        store.write(move |tx| insert(tx, number)).await?;
    }
    meter.report("insert, one at a time", 300);
    for tasks in [8, 64] {
        let meter = Meter::start();
        writes(&store, tasks, 20_000 / tasks).await?;
        meter.report(&format!("insert, {tasks} side by side"), 20_000);
    }
    Ok(())
}

async fn side_by_side(store: &Store, tasks: i64, each: i64, job: fn(&mut Tx<'_>, i64) -> Result<usize>) -> Result<()> {
    let running: Vec<_> = (0..tasks)
        .map(|task| {
            let store = store.clone();
            tokio::spawn(async move {
                for number in 0..each {
                    store.read(ReadCost::Scan, move |tx| job(tx, task * each + number)).await?;
                }
                Ok::<_, Error>(())
            })
        })
        .collect();
    for task in running {
        task.await.map_err(|error| Error::Failed(error.to_string()))??;
    }
    Ok(())
}

async fn writes(store: &Store, tasks: i64, each: i64) -> Result<()> {
    let running: Vec<_> = (0..tasks)
        .map(|task| {
            let store = store.clone();
            tokio::spawn(async move {
                for number in 0..each {
                    store.write(move |tx| insert(tx, task * each + number)).await?;
                }
                Ok::<_, Error>(())
            })
        })
        .collect();
    for task in running {
        task.await.map_err(|error| Error::Failed(error.to_string()))??;
    }
    Ok(())
}

fn row(number: i64) -> Vec<Value> {
    let mut uuid = [0; 16];
    uuid[..8].copy_from_slice(&number.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed()).to_be_bytes());
    vec![
        Value::Uuid(uuid),
        Value::Timestamp(1_700_000_000_000 + number),
        Value::Text(format!("City number {number}")),
        Value::Text("Europe/Prague".into()),
        Value::Integer(number * 17 % 100_000),
        Value::Float(49.5),
        Value::Float(17.25),
        Value::Boolean(number % 2 == 0),
    ]
}

fn insert(tx: &mut Tx<'_>, number: i64) -> Result<i64> {
    let mut sql = tx.sql();
    sql.push("INSERT INTO ").table(&T1).push(" (uuid, created, p1, p2, p3, p4, p5, p6) VALUES (");
    for (index, value) in row(number).into_iter().enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).bind(value);
    }
    sql.push(") RETURNING id");
    let mut id = 0;
    tx.query(&sql, &mut |row| {
        id = row.integer(0)?;
        Ok(())
    })?;
    Ok(id)
}

fn one(tx: &mut Tx<'_>, id: i64) -> Result<usize> {
    let mut sql = tx.sql();
    sql.push("SELECT uuid, created, p1, p2, p3, p4, p5, p6 FROM ").table(&T1).push(" WHERE id = ").bind(id);
    length(tx, &sql)
}

fn list(tx: &mut Tx<'_>, start: i64) -> Result<usize> {
    let mut sql = tx.sql();
    sql.push("SELECT uuid, created, p1, p2, p3, p4, p5, p6 FROM ").table(&T1);
    sql.push(" WHERE id > ").bind(start).push(" ORDER BY id").limit(25, 0);
    length(tx, &sql)
}

/// Reads every value, as a writer of JSON would.
fn length(tx: &mut Tx<'_>, sql: &database::Sql) -> Result<usize> {
    let mut length = 0;
    tx.query(sql, &mut |row| {
        for (index, (_, column)) in COLUMNS.iter().enumerate() {
            length += match row.get(index, *column)? {
                ValueRef::Text(text) => text.len(),
                _ => 1,
            };
        }
        Ok(())
    })?;
    Ok(length)
}

struct Meter {
    cpu: u64,
    start: Instant,
}

impl Meter {
    fn start() -> Self {
        Meter { cpu: cpu(), start: Instant::now() }
    }

    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    fn report(self, what: &str, count: u64) {
        let seconds = self.start.elapsed().as_secs_f64();
        let each = (cpu() - self.cpu) as f64 / 1000.0 / count as f64;
        println!("  {what:40} {each:8.2} µs CPU each, {:9.0} a second, {seconds:6.2} s", count as f64 / seconds);
    }
}

/// Nanoseconds of CPU of all threads that live.
fn cpu() -> u64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let times = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("schedstat")).ok());
    times.filter_map(|time| time.split(' ').next()?.parse::<u64>().ok()).sum()
}
