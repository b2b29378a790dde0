//! A store of the test's own, to which files are applied.

use super::files;
use configuration::{Applied, ApplyFailure, ApplyOptions, Plan, apply, plan};
use database::{ColumnType, Database, PostgresOptions, SqliteOptions, Store, TableDescription, Tx, Value};
use jiff::Timestamp;
use model::environment::{Clock, Environment, Random};
use platform::tenants::{Platform, Settings};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use testing::{Engine, Place};

/// A store without anything in it.
pub(crate) struct Tenant {
    pub(crate) store: Store,
    pub(crate) world: Environment,
    database: Database,
    name: &'static str,
}

struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        "2026-02-03T12:00:00Z".parse().unwrap()
    }
}

#[derive(Default)]
struct Counting(AtomicU8);

impl Random for Counting {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Runs a test on an empty store of each engine.
pub(crate) fn on_both(test: impl Fn(&Tenant)) {
    on(Engine::Sqlite, |tenant, _| test(tenant));
    on(Engine::Postgres, |tenant, _| test(tenant));
}

/// Runs a test on two empty stores of an engine.
pub(crate) fn on(engine: Engine, test: impl FnOnce(&Tenant, &Tenant)) {
    let place = Place::new(engine);
    let database = match place.postgres() {
        None => Database::sqlite(SqliteOptions { folder: place.folder().to_owned(), readers: 1, descriptors: 192 }),
        Some(url) => Database::postgres(PostgresOptions { url: url.to_owned(), connections: 2, ..Default::default() }),
    };
    // Longer than a busy machine makes a job wait for a thread or a connection.
    let database = database.unwrap().waiting(std::time::Duration::from_secs(60));
    test(&Tenant::new(&database, "acme"), &Tenant::new(&database, "second"));
}

impl Tenant {
    fn new(database: &Database, name: &'static str) -> Self {
        let world = Environment { clock: Arc::new(Noon), random: Arc::new(Counting::default()) };
        Tenant { store: database.create(name).unwrap(), world, database: database.clone(), name }
    }

    /// Opens the tenant as a process of today does.
    pub(crate) fn open(&self) -> Arc<tenant::Tenant> {
        self.open_with(Settings::default())
    }

    pub(crate) fn open_with(&self, settings: Settings) -> Arc<tenant::Tenant> {
        Platform::new(self.database.clone(), self.world.clone(), settings).open(self.name).unwrap()
    }

    /// Applies files; values may be lost.
    #[track_caller]
    pub(crate) fn apply(&self, text: &str) -> Applied {
        self.try_apply(text, true).unwrap_or_else(|failure| panic!("{}", told(&failure)))
    }

    /// Applies files; gives what is told where that fails.
    #[track_caller]
    pub(crate) fn refused(&self, text: &str, allow_loss: bool) -> String {
        match self.try_apply(text, allow_loss) {
            Ok(_) => panic!("the files were applied"),
            Err(failure) => told(&failure),
        }
    }

    pub(crate) fn try_apply(&self, text: &str, allow_loss: bool) -> Result<Applied, ApplyFailure> {
        let options = ApplyOptions { allow_loss, ..ApplyOptions::default() };
        apply(&self.store, &self.world, &files(text), options)
    }

    /// The plan for files, a line for each change.
    #[track_caller]
    pub(crate) fn plan(&self, text: &str) -> String {
        let plan = plan(&self.store, &files(text), self.world.clock.now());
        lines(&plan.unwrap_or_else(|failure| panic!("{}", told(&failure))))
    }

    /// All tables and views.
    pub(crate) fn tables(&self) -> Vec<TableDescription> {
        self.store.read_blocking(|tx| tx.tables()).unwrap()
    }

    /// Runs a statement of the test; `%name` is the table of that name.
    #[track_caller]
    pub(crate) fn execute(&self, statement: &str) {
        self.store.write_blocking(|tx| tx.execute(&sql(tx, statement))).unwrap();
    }

    /// The rows of a statement of the test, as text.
    #[track_caller]
    pub(crate) fn rows(&self, statement: &str, columns: &[ColumnType]) -> Vec<String> {
        let mut rows = Vec::new();
        let read = self.store.read_blocking(|tx| {
            let sql = sql(tx, statement);
            tx.query(&sql, &mut |row| {
                let mut values = Vec::new();
                for (index, column) in columns.iter().enumerate() {
                    values.push(match row.get(index, *column)?.to_value() {
                        Value::Null => "null".to_owned(),
                        Value::Text(text) => text,
                        Value::Integer(value) | Value::Timestamp(value) => value.to_string(),
                        Value::Boolean(value) => value.to_string(),
                        Value::Float(value) => value.to_string(),
                        Value::Date(value) => value.to_string(),
                        other => format!("{other:?}"),
                    });
                }
                rows.push(values.join(" "));
                Ok(())
            })
        });
        let read: database::Result<()> = read;
        read.unwrap();
        rows
    }
}

/// A failure as it is told to people.
pub(crate) fn told(failure: &ApplyFailure) -> String {
    match failure {
        ApplyFailure::Files(problems) => problems.iter().map(|problem| format!("{problem}\n")).collect(),
        ApplyFailure::Refused(plan) => lines(plan),
        ApplyFailure::Other(error) => {
            let problems = error.problems.iter().map(|problem| format!("  {}\n", problem.message));
            format!("{error}\n{}", problems.collect::<String>())
        }
    }
}

fn lines(plan: &Plan) -> String {
    let mut text = String::new();
    for change in &plan.changes {
        text.push_str(&format!("{:?}: {}\n", change.weight, change.text));
        if change.finding.against.total > 0 {
            text.push_str(&format!("  {}\n", change.finding.against.message));
        }
        for row in &change.finding.against.rows {
            text.push_str(&format!("  {} {:?} {}\n", row.id, row.value, row.message));
        }
    }
    text
}

fn sql(tx: &Tx<'_>, statement: &str) -> database::Sql {
    let mut sql = tx.sql();
    let statement: &'static str = statement.to_owned().leak();
    let mut parts = statement.split('%');
    sql.push(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        let number = name.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        match (name.chars().next(), number.parse()) {
            (Some('t'), Ok(id)) => sql.table(&database::Name::numbered("t", id)),
            (Some('m'), Ok(id)) => sql.table(&database::Name::numbered("m", id)),
            _ => sql.table(&known(name)),
        };
        sql.push(rest);
    }
    sql
}

fn known(name: &str) -> database::Name {
    for word in [
        "plinth_counter",
        "plinth_file",
        "plinth_meta",
        "plinth_tag",
        "plinth_tally",
        "city",
        "country",
        "item",
        "user",
        "part",
    ] {
        if word == name {
            return database::Name::fixed(word);
        }
    }
    panic!("{name} is no table of these tests");
}
