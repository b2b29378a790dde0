//! `plinth import` beside a server: others write meanwhile, and one that is killed leaves nothing.

use crate::commands::many::platform;
use crate::commands::program::Plinth;
use database::Name;
use model::error::Error;
use model::types::ResourceAction;
use resources::Body;
use serde_json::json;
use spec::spec;
use std::fmt::Write as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use tenant::Tenant;
use testing::{Client, Engine, Process, Subject};

const ROWS: usize = 4_000;
const TYPE: &str = "name: thing\ncodeProperty: code\nproperties:\n  code: {kind: pInteger, unique: true}\n  \
                    name: {kind: pString, required: true, searchable: true}\n  state: {kind: pEnum, index: true, options: [new, old]}\n";

impl Plinth {
    /// Makes a tenant, a key and a file of rows, and serves; gives a client, too.
    fn with_things(&self) -> (Process, Client) {
        self.served_with_things(&[])
    }

    /// The same, with settings in the server's environment.
    pub(crate) fn served_with_things(&self, environment: &[(&str, &str)]) -> (Process, Client) {
        self.file("acme/tenant.yaml", "tenant: acme\n");
        self.file("acme/types/thing.yaml", TYPE);
        let folder = self
            .file("acme/roles/admin.yaml", "role: admin\nsystem: [\"*\"]\ntypes: {\"*\": {show: true, edit: true}}\n");
        self.run(&["apply", folder.strip_suffix("/roles/admin.yaml").unwrap()]).done();
        self.run(&["user", "create", "ann", "--role", "admin"]).done();
        let key = self.run(&["key", "create", "ann"]).done();
        let mut rows = "code,name,state\n".to_owned();
        (1..=ROWS).for_each(|row| writeln!(rows, "{row},Thing {row},new").unwrap());
        self.file("things.csv", rows);
        let server = self.start_with("serve", environment);
        let client = server.client().with("key", key.trim());
        (server, client)
    }

    fn import(&self) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
        command.env_clear().args(["import", "thing"]).arg(self.path("things.csv")).arg("--data").arg(self.path("data"));
        if let Some(url) = &self.postgres {
            command.args(["--postgres", url]);
        }
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }
}

/// Kills an import in PostgreSQL behind its first rows: nothing of it is seen before its end, which does not come while
/// another writer has the code of its last row.
fn killed_on_postgres(plinth: &Plinth) {
    let tenant = platform(plinth).open("acme").unwrap();
    let waits = || {
        let count = tenant.store().read_blocking(|tx| {
            let mut sql = tx.sql();
            sql.push("SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()");
            sql.push(" AND wait_event_type = 'Lock' AND backend_xid IS NOT NULL");
            let mut count = 0;
            tx.query(&sql, &mut |row| {
                count = row.integer(0)?;
                Ok(())
            })?;
            Ok::<_, database::Error>(count)
        });
        count.unwrap() > 0
    };
    let (tell, told) = channel();
    let (end, ended) = channel::<()>();
    std::thread::scope(|scope| {
        let tenant = &tenant;
        scope.spawn(move || {
            let last = Body::plain(json!({"code": ROWS, "name": "Theirs"}).as_object().unwrap().clone());
            let given_up = tenant.write_as_administrator(|tx, context| {
                resources::create(tx, context, "thing", &last)?;
                tell.send(()).unwrap();
                let _ = ended.recv();
                Err::<(), _>(Error::failed("given up"))
            });
            assert!(given_up.is_err());
        });
        told.recv().unwrap();
        let mut import = plinth.import();
        while !waits() {
            assert!(import.try_wait().unwrap().is_none(), "the import was over before it was killed");
            std::thread::sleep(Duration::from_millis(20));
        }
        import.kill().unwrap();
        assert!(!import.wait().unwrap().success());
        drop(end);
    });
}

async fn total(client: &Client) -> u64 {
    let list = client.get("collection/thing?perPage=1&_noCache=1").await;
    if list.status == 204 { 0 } else { list.is(200).at("/stats/total").as_u64().unwrap() }
}

#[spec]
async fn others_write_beside_an_import(plinth: Plinth) {
    let (server, client) = plinth.with_things();
    let mut import = plinth.import();
    let mut written = 0;
    while import.try_wait().unwrap().is_none() {
        client.post("collection/thing", json!({"code": 1_000_000 + written, "name": "Theirs"})).await.is(201);
        written += 1;
    }
    assert!(import.wait().unwrap().success());
    // With one transaction for all rows, SQLite would let them time out.
    assert!(written > 0, "no write beside the import");
    assert_eq!(total(&client).await, ROWS as u64 + written);
    server.stop();
}

#[spec]
async fn a_killed_import_leaves_nothing(plinth: Plinth) {
    let engine = if plinth.postgres.is_some() { Engine::Postgres } else { Engine::Sqlite };
    let mut killed = killed_in_time(plinth).await;
    for _ in 0..4 {
        if !killed {
            killed = killed_in_time(Plinth::on(engine).await).await;
        }
    }
    assert!(killed, "each import was over before it was killed");
}

/// Kills an import and looks at what is left. Gives false where the import was over before, as on a busy machine.
async fn killed_in_time(plinth: Plinth) -> bool {
    let (server, client) = plinth.served_with_things(&[("PLINTH_DATA_POLL_INTERVAL", "1s")]);
    if plinth.postgres.is_some() {
        killed_on_postgres(&plinth);
        assert_eq!(total(&client).await, 0);
    }
    for least in [1, 1_500].into_iter().filter(|_| plinth.postgres.is_none()) {
        let mut import = plinth.import();
        let mut looks = 0;
        while import.try_wait().unwrap().is_none() && looks < 4_000 && total(&client).await < least {
            looks += 1;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        import.kill().unwrap();
        if import.wait().unwrap().success() {
            return false;
        }
        if least > 1 {
            break;
        }
        let mut looks = 0;
        // The server takes back what it did, once it is sure that nobody goes on with it.
        while total(&client).await != 0 {
            looks += 1;
            assert!(looks < 6_000, "{} rows are left", total(&client).await);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    // What was killed stands against nothing, be it sent again at once.
    assert!(plinth.import().wait().unwrap().success());
    assert_eq!(total(&client).await, ROWS as u64);
    server.stop();
    true
}

#[spec]
async fn a_total_that_does_not_fit_is_named_with_its_type(plinth: Plinth) {
    let total = "total: {kind: pRollup, relation: entry.account, function: sum, property: amount}";
    let account = format!("name: account\nproperties:\n  name: {{kind: pString}}\n  {total}\n");
    plinth.file("acme/types/account.yaml", account);
    let entry = "name: entry\nproperties:\n  account: {kind: pRelation, type: account}\n  amount: {kind: pInteger}\n";
    plinth.file("acme/types/entry.yaml", entry);
    let folder = plinth.file("acme/tenant.yaml", "tenant: acme\n");
    plinth.run(&["apply", folder.strip_suffix("/tenant.yaml").unwrap()]).done();
    let accounts = plinth.file("accounts.csv", "name\nOne\n");
    plinth.run(&["import", "account", &accounts]).done();
    let entries = plinth.file("entries.csv", "account,amount\n1,9223372036854775807\n1,1\n");
    let refused = plinth.run(&["import", "entry", &entries]);
    assert_eq!(refused.code, 1);
    assert!(refused.errors.contains("account.total is too large."), "{}{}", refused.output, refused.errors);
}

#[spec]
async fn an_import_whose_last_row_fails_leaves_nothing(plinth: Plinth) {
    let (server, client) = plinth.with_things();
    let rows = std::fs::read_to_string(plinth.path("things.csv")).unwrap();
    for last in ["1,Thing 1 again,new", "x,No number,new", "9999,,new", "9999,No such state,none"] {
        let file = plinth.file("failing.csv", format!("{rows}{last}\n"));
        let run = plinth.run(&["import", "thing", &file]);
        assert!(run.code == 1 && run.errors.contains(&format!("line {}", ROWS + 2)), "{last}: {}", run.errors);
        assert_eq!(total(&client).await, 0, "{last}");
    }
    assert!(plinth.import().wait().unwrap().success());
    assert_eq!(total(&client).await, ROWS as u64);
    server.stop();
}

const CITY: &str = "name: city\ncodeProperty: code\nproperties:\n  code: {kind: pString, unique: true}\n  \
                    name: {kind: pString}\n";

#[spec]
async fn faults_of_quotes_are_told_with_their_line(plinth: Plinth) {
    plinth.file("acme/tenant.yaml", "tenant: acme\n");
    plinth.file("acme/types/city.yaml", CITY);
    plinth.run(&["apply", plinth.path("acme").to_str().unwrap()]).done();
    let import = |rows: &str, arguments: &[&str]| {
        let file = plinth.file("cities.csv", rows);
        plinth.run(&[&["import", "city", &file], arguments].concat())
    };
    for (rows, line, says) in [
        ("code,name\nRA,\"unclosed\nRB,Rb\nRC,Rc\n", 2, "closed nowhere"),
        ("code,name\r\nRA,Ra\r\nRB,\"5\" screen\r\n", 3, "Text follows the quote"),
        ("\u{feff}code,name\nRA,\"x\"y\"\nRB,Rb\n", 2, "Text follows the quote"),
    ] {
        let refused = import(rows, &[]);
        let line = format!("line {line}: ");
        assert!(
            refused.code == 1 && refused.errors.contains(&line) && refused.errors.contains(says),
            "{}",
            refused.errors
        );
        assert!(refused.output.contains("(undone)"), "{}", refused.output);
    }
    let header = import("code,\"na\"me\nRA,Ra\n", &[]);
    assert!(header.code == 1 && header.errors.contains("line 1: Text follows"), "{}", header.errors);

    let rows = "code,name\nRA,Ra\nRB,\"5\" screen\nRC,\"a \"\"b\"\"\nc\"\nRD,\"open\nRE,Re\n";
    let some = import(rows, &["--keep-going"]);
    assert!(some.code == 1 && some.output.contains("Imported 2 of 4 rows of city"), "{}{}", some.output, some.errors);
    assert!(some.errors.contains("line 3: ") && some.errors.contains("line 6: "), "{}", some.errors);
    let kept = plinth.run(&["export", "city", "--format", "jsonl"]).done();
    assert!(kept.lines().count() == 2 && kept.contains("a \\\"b\\\"\\nc"), "{kept}");
}

/// The number of vacuums that a table of PostgreSQL had. No other begins one: autovacuum is off in tests. SQLite needs
/// none, since its reads see no old rows.
fn vacuums(tenant: &Tenant, table: &Name) -> Option<i64> {
    if tenant.store().writes_alone() {
        return None;
    }
    let read = tenant.store().read_blocking(|tx| {
        let mut sql = tx.sql();
        sql.push("SELECT vacuum_count FROM pg_stat_user_tables WHERE relid = to_regclass('");
        sql.table(table).push("')");
        let mut count = 0;
        tx.query(&sql, &mut |row| {
            count = row.integer(0)?;
            Ok(())
        })?;
        Ok::<_, database::Error>(count)
    });
    Some(read.unwrap())
}

#[spec("E-182")]
async fn a_large_import_leaves_its_table_vacuumed(plinth: Plinth) {
    let (server, client) = plinth.with_things();
    let expected = |count: i64| plinth.postgres.is_some().then_some(count);
    let tenant = platform(&plinth).open("acme").unwrap();
    let table = tenant.read_as_administrator(|_, context| {
        let thing = context.actor.allowed(&context.model, "thing", ResourceAction::Show)?;
        Ok(thing.resource_type.table.clone())
    });
    let table = table.unwrap();
    let rows = |from: usize| {
        (from..from + 10_000).fold("code,name\n".to_owned(), |mut rows, row| {
            writeln!(rows, "{row},Thing {row}").unwrap();
            rows
        })
    };
    plinth.file("few.csv", "code,name\n1,Thing\n");
    plinth.run(&["import", "thing", plinth.path("few.csv").to_str().unwrap()]).done();
    assert_eq!(vacuums(&tenant, &table), expected(0), "a vacuum after one row");
    plinth.file("many.csv", rows(10));
    plinth.run(&["import", "thing", plinth.path("many.csv").to_str().unwrap()]).done();
    assert_eq!(vacuums(&tenant, &table), expected(1), "no vacuum after an import by command");
    // The same by a job of the server.
    let begun = client.request("POST", "/api/ext/v1/import/thing?run=1").body("text/csv", rows(20_000)).send().await;
    let begun = begun.is(202);
    for _ in 0..600 {
        let job = client.get(&format!("/api/ext/v1/job/{}", begun.at("/id"))).await.is(200).json();
        if job["state"] == "done" && vacuums(&tenant, &table) == expected(2) {
            assert_eq!(total(&client).await, 20_001);
            drop(server);
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no vacuum after an import by a job");
}
