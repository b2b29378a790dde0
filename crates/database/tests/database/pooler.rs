//! PostgreSQL behind a pooler of transactions.

use crate::engines::{column, execute, integer, postgres_at, rows, select, table, value, wait};
use database::{ColumnType, Database, Error, Name, PoolerMode, PostgresOptions, ReadCost, Result, Store, Tx, Value};
use testing::{Pooler, postgres};

fn open(url: &str, pooler: PoolerMode, direct_url: &str) -> Result<Database> {
    Database::postgres(PostgresOptions {
        url: url.to_owned(),
        connections: 3,
        pooler,
        direct_url: direct_url.to_owned(),
        ..Default::default()
    })
}

fn setting(tx: &mut Tx<'_>, name: &'static str) -> Result<Value> {
    let mut sql = tx.sql();
    sql.push("SELECT current_setting(").bind(name).push(")");
    Ok(rows(tx, &sql, &[ColumnType::Text])?.remove(0).remove(0))
}

/// The settings that requests see, in a read and in a write.
fn seen_by_requests(store: &Store) -> (Vec<Value>, Vec<Value>) {
    let read = |tx: &mut Tx<'_>| {
        ["statement_timeout", "lock_timeout", "TimeZone", "transaction_read_only"].map(|name| setting(tx, name))
    };
    let gather = move |tx: &mut Tx<'_>| read(tx).into_iter().collect::<Result<Vec<_>>>();
    wait(async { (store.read(ReadCost::Scan, gather).await.unwrap(), store.write(gather).await.unwrap()) })
}

fn texts(texts: [&str; 4]) -> Vec<Value> {
    texts.map(|text| Value::Text(text.into())).to_vec()
}

#[test]
fn a_pooler_is_found_whether_it_refuses_options_or_drops_them() {
    for lines in ["", "ignore_startup_parameters = options"] {
        let pooler = Pooler::start(postgres(), lines);
        let url = pooler.url(&postgres().direct_database());
        let store = open(&url, PoolerMode::Auto, "").unwrap().create("a").unwrap();
        let (read, written) = seen_by_requests(&store);
        assert_eq!(read, texts(["5s", "4s", "UTC", "on"]), "{lines}");
        assert_eq!(written, texts(["5s", "4s", "UTC", "off"]), "{lines}");
        // Commands take their time.
        assert_eq!(store.read_blocking(|tx| setting(tx, "statement_timeout")).unwrap(), Value::Text("0".into()));
    }
}

#[test]
fn transactions_that_get_other_connections_read_and_write_the_same_tables() {
    // It keeps several, and gives them in turn.
    let pooler = Pooler::start(postgres(), "min_pool_size = 4");
    let store = postgres_at(pooler.url(&postgres().direct_database()), 4).create("a").unwrap();
    let item = table("item", vec![column("text", ColumnType::Text), column("size", ColumnType::Integer)]);
    store.write_blocking(|tx| tx.create_table(&item)).unwrap();
    let processes = wait(async {
        let mut processes = std::collections::BTreeSet::new();
        for number in 0..40_i64 {
            std::thread::sleep(std::time::Duration::from_millis(25));
            let add = move |tx: &mut Tx<'_>| {
                let mut sql = tx.sql();
                sql.push("INSERT INTO ").table(&Name::fixed("item")).push(" (text, size) VALUES (");
                sql.bind("words").push(", ").bind(number).push(")");
                tx.execute(&sql)?;
                let mut sql = tx.sql();
                sql.push("SELECT pg_backend_pid()::bigint");
                integer(tx, &sql)
            };
            processes.insert(store.write(add).await.unwrap());
        }
        processes
    });
    assert!(processes.len() > 1, "the pooler gave all transactions one connection");
    let sum = value(&store, ColumnType::Integer, |sql| {
        sql.push("CAST(sum(size) AS bigint) FROM ").table(&Name::fixed("item"));
    });
    assert_eq!(sum, Value::Integer(780));
}

#[test]
fn a_column_that_gets_another_type_behind_ones_back_is_read_as_it_is() {
    let pooler = Pooler::start(postgres(), "");
    let url = postgres().direct_database();
    let store = postgres_at(pooler.url(&url), 2).create("a").unwrap();
    let item = table("item", vec![column("size", ColumnType::Integer)]);
    store.write_blocking(|tx| tx.create_table(&item)).unwrap();
    execute(&store, |sql| _ = sql.push("INSERT INTO ").table(&Name::fixed("item")).push(" (size) VALUES (7)")).unwrap();
    let ask = || {
        select(&store, &[ColumnType::Text], |sql| {
            sql.push("CAST(size AS text) FROM ").table(&Name::fixed("item"));
            sql.push(" WHERE size = ").bind(7);
        })
    };
    assert_eq!(ask(), [[Value::Text("7".into())]]);
    for form in ["float8", "numeric", "bigint"] {
        postgres().ask(&url, &format!("ALTER TABLE plinth_a.item ALTER size TYPE {form};"));
        assert_eq!(ask(), [[Value::Text("7".into())]], "{form}");
    }
}

#[test]
fn a_role_with_the_settings_spares_them_to_each_transaction_and_commands_may_go_directly() {
    // The file for operators, but for the names of its own machine.
    let file = include_str!("../../../../deploy/pgbouncer.ini");
    let (_, lines) = file.split_once("; Each transaction gets").unwrap();
    let (_, lines) = lines.split_once('\n').unwrap();
    let pooler = Pooler::start(postgres(), lines);
    let direct = postgres().direct_database();
    let database = direct.split('?').next().unwrap().rsplit('/').next().unwrap().to_owned();
    open(&direct, PoolerMode::None, "").unwrap().create("a").unwrap();
    let page = include_str!("../../../../docs/operation.md");
    let settings = page.lines().filter(|line| line.starts_with("ALTER ROLE plinth IN DATABASE plinth SET "));
    let set: String = settings
        .map(|line| {
            line.replace("ALTER ROLE plinth IN DATABASE plinth", &format!("ALTER ROLE postgres IN DATABASE {database}"))
        })
        .collect();
    assert!(!set.is_empty());
    postgres().ask(&direct, &set);
    let store = open(&pooler.url(&direct), PoolerMode::Auto, &direct).unwrap().store("a").unwrap();
    let (read, written) = seen_by_requests(&store);
    assert_eq!(read, texts(["5s", "4s", "UTC", "on"]));
    assert_eq!(written, texts(["5s", "4s", "UTC", "off"]));
    assert_eq!(store.read_blocking(|tx| setting(tx, "lock_timeout")).unwrap(), Value::Text("1min".into()));
    // The mark of a connection of our own.
    assert_eq!(store.read_blocking(|tx| setting(tx, "plinth.options")).unwrap(), Value::Text("on".into()));
}

#[test]
fn options_of_the_address_hold_behind_a_pooler() {
    let pooler = Pooler::start(postgres(), "");
    let url = format!("{}&options=-c%20statement_timeout%3D12s", pooler.url(&postgres().direct_database()));
    let store = open(&url, PoolerMode::Auto, "").unwrap().create("a").unwrap();
    assert_eq!(seen_by_requests(&store).0[0], Value::Text("12s".into()));
}

#[test]
fn without_the_setting_the_error_tells_how_to_reach_the_pooler() {
    let pooler = Pooler::start(postgres(), "");
    let refused = open(&pooler.url(&postgres().direct_database()), PoolerMode::None, "").err();
    let Some(Error::Failed(text)) = refused else { panic!("it is refused") };
    assert!(text.contains("set postgres.pooler to \"auto\""), "{text}");
}

#[test]
fn a_pooler_without_a_free_connection_is_busy() {
    let pooler = Pooler::start(postgres(), "default_pool_size = 1\nquery_wait_timeout = 1");
    let store = postgres_at(pooler.url(&postgres().direct_database()), 2).create("a").unwrap();
    let hold = store.clone();
    let outcome = wait(async {
        let (begun, began) = tokio::sync::oneshot::channel();
        let mut begun = Some(begun);
        let holding = tokio::spawn(async move {
            hold.write(move |tx: &mut Tx<'_>| {
                let mut sql = tx.sql();
                sql.push("SELECT 1");
                tx.any(&sql)?;
                if let Some(begun) = begun.take() {
                    let _ = begun.send(());
                }
                std::thread::sleep(std::time::Duration::from_secs(5));
                Ok::<_, Error>(())
            })
            .await
        });
        began.await.unwrap();
        let other = store.write(|tx: &mut Tx<'_>| {
            let mut sql = tx.sql();
            sql.push("SELECT 1");
            tx.any(&sql).map(|_| ())
        });
        let other = other.await;
        holding.await.unwrap().unwrap();
        other
    });
    assert!(matches!(outcome, Err(Error::Busy)), "{outcome:?}");
}
