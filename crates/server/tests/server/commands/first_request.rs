//! The first request of a process: among a thousand tenants, it waits for the settings of none but its own.

use crate::commands::many::{platform, tenant};
use crate::commands::program::Plinth;
use database::{Name, Tx};
use model::error::Result;
use spec::spec;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tenant::Tenant;
use testing::Process;

/// On SQLite, where the others are links to one file.
const TENANTS: usize = 1_000;
/// On PostgreSQL, where each is made by itself.
const SCHEMAS: usize = 8;
/// Fewer tenants are open behind a first request: its own, and those that the workers have looked into. Each worker looks
/// into 16 at a time, and gives each five seconds.
const OPEN: usize = TENANTS / 2;

/// Has whoever reads the tenant's settings wait for ever.
fn bewitch(tenant: &Tenant, on_postgres: bool) {
    let view = match on_postgres {
        true => "SELECT 'tenant.yaml'::text AS path, 'x'::text AS content FROM pg_sleep(3600)",
        false => {
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'x' AS path, 'x' AS content FROM n"
        }
    };
    let replaced = tenant.store().write_blocking(|tx: &mut Tx<'_>| -> Result<()> {
        tx.drop_table(&Name::fixed("plinth_file"))?;
        let mut sql = tx.sql();
        sql.push("CREATE VIEW ").table(&Name::fixed("plinth_file")).push(" AS ").push(view);
        Ok(tx.execute(&sql).map(drop)?)
    });
    replaced.unwrap();
}

/// Makes a tenant that can be read, and many that cannot; gives the key of the first.
fn tenants(plinth: &Plinth) -> String {
    let platform = platform(plinth);
    let key = tenant(&platform, "t0");
    for number in 1..if plinth.postgres.is_some() { SCHEMAS } else { 2 } {
        let name = format!("t{number}");
        tenant(&platform, &name);
        bewitch(&platform.open(&name).unwrap(), plinth.postgres.is_some());
    }
    drop(platform);
    if plinth.postgres.is_none() {
        let folder = plinth.path("data/tenants");
        for number in 2..TENANTS {
            let home = folder.join(format!("t{number}"));
            fs::create_dir(&home).unwrap();
            fs::hard_link(folder.join("t1/tenant.db"), home.join("tenant.db")).unwrap();
        }
    }
    key
}

/// The tenants of which a process has a file open.
fn open_tenants(plinth: &Plinth, process: &Process) -> BTreeSet<OsString> {
    let folder = fs::canonicalize(plinth.path("data/tenants")).unwrap();
    // A file may be closed meanwhile.
    let files = fs::read_dir(format!("/proc/{}/fd", process.id())).unwrap();
    let files = files.filter_map(|file| fs::read_link(file.ok()?.path()).ok());
    let tenant = |file: PathBuf| Some(file.strip_prefix(&folder).ok()?.iter().next()?.to_owned());
    files.filter_map(tenant).collect()
}

/// The number of tenants whose settings somebody waits for in PostgreSQL.
fn looks(plinth: &Plinth) -> usize {
    let tenant = platform(plinth).open("t0").unwrap();
    let looks = tenant.store().read_blocking(|tx: &mut Tx<'_>| -> Result<usize> {
        let mut sql = tx.sql();
        sql.push("SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()");
        let mut looks = 0;
        tx.query(&sql, &mut |_| {
            looks += 1;
            Ok(())
        })?;
        Ok(looks)
    });
    looks.unwrap()
}

/// Waits until the process looks at the settings of another, and ends that: the server does not see who is gone.
fn wake(plinth: &Plinth) {
    let tenant = platform(plinth).open("t0").unwrap();
    let end = |tx: &mut Tx<'_>| -> Result<u64> {
        let mut sql = tx.sql();
        sql.push("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
        sql.push(" AND datname = current_database()");
        let mut ended = 0;
        tx.query(&sql, &mut |_| {
            ended += 1;
            Ok(())
        })?;
        Ok(ended)
    };
    while tenant.store().write_blocking(end).unwrap() == 0 {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whatever looked at the settings of another tenant before the answer would look for ever.
#[spec("D-15", "D-24")]
async fn the_first_request_reads_the_settings_of_its_tenant_alone(plinth: Plinth) {
    let key = tokio::task::block_in_place(|| tenants(&plinth));
    let process = tokio::task::block_in_place(|| plinth.start("serve"));
    let client = process.client().with("key", &key);
    client.get("/t/t0/api/v1/collection/note").await.is(204);
    client.post("/t/t0/api/v1/collection/note", serde_json::json!({"text": "a"})).await.is(201);
    let open = tokio::task::block_in_place(|| match plinth.postgres {
        Some(_) => 1 + looks(&plinth),
        None => open_tenants(&plinth, &process).len(),
    });
    assert!((1..OPEN).contains(&open), "{open} tenants are open");
    if plinth.postgres.is_some() {
        tokio::task::block_in_place(|| wake(&plinth));
    }
}
