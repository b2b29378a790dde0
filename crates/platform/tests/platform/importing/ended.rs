//! The end of an import in short transactions: wherever it is cut off, all of it is kept, or nothing.

use super::groups::ROWS;
use super::{FILES, Importing, create};
use crate::reading::world::World;
use accounts::tags;
use accounts::tags::Assignment;
use context::request_context::RequestContext;
use context::vault::MasterKey;
use database::{Name, Tx};
use platform::tenants::Settings;
use query::request::FieldsRequest;
use serde_json::{Value as Json, json};
use spec::spec;
use std::panic::{AssertUnwindSafe, catch_unwind};
use testing::Engine;
use transfer::import;
use transfer::import::ImportReport;

const CREATED: (&str, &str) =
    ("automations/created.yaml", "automation: created\non: {event: thing.created}\ndo:\n  - stop: true\n");
const OTHER: (&str, &str) = ("tenant.yaml", "tenant: acme\ntitle: Other\ntimezone: Europe/Prague\n");

/// The distance between readings of the clock at which the process is killed: a transaction reads it three times.
const STEP: i64 = 2;

/// A tenant with an automation that runs for each new thing.
struct Ending(Importing);

impl Ending {
    fn on(engine: Engine) -> Self {
        let settings = Settings { key: Some(MasterKey::new([7; 32]).into()), ..Settings::default() };
        let world = World::set(engine, &[FILES, &[CREATED]].concat(), settings);
        world.put("country", &[json!({"code": "CZ"})]);
        Ending(Importing(world))
    }

    /// Imports rows; `last` is called before the last one is written.
    fn import(&self, last: impl Fn()) -> model::error::Result<ImportReport> {
        let passes = self.0.passes();
        self.0.rows(create(), |pass, row| {
            if (pass, row) == (passes, ROWS) {
                last();
            }
        })
    }

    fn recover(&self) {
        self.0.0.later(10);
        assert_eq!(import::recover_imports(&self.0.0.tenant).unwrap(), None);
    }

    /// The number of rows of a table behind such a clause.
    fn count(&self, table: &'static str, clause: &'static str) -> u64 {
        let count = |tx: &mut Tx<'_>| -> model::error::Result<u64> {
            let mut sql = tx.sql();
            sql.push("SELECT COUNT(*) FROM ").table(&Name::fixed(table)).push(clause);
            let mut count = 0;
            tx.query(&sql, &mut |row| {
                count = row.integer(0)?;
                Ok(())
            })?;
            Ok(count.unsigned_abs())
        };
        self.0.0.tenant.store().read_blocking(count).unwrap()
    }

    /// Runs a statement that no command has.
    fn tamper(&self, statement: &str) {
        let run = |tx: &mut Tx<'_>| -> model::error::Result<()> {
            let mut sql = tx.sql();
            sql.push(statement.to_owned().leak());
            Ok(tx.execute(&sql).map(drop)?)
        };
        self.0.0.tenant.store().write_blocking(run).unwrap();
    }

    /// The rows, the runs that may begin, those that may not, and what is left of imports.
    fn all(&self) -> [u64; 4] {
        let rows = self.0.total().as_u64().unwrap();
        let left = self.count("plinth_import", "") + self.count("plinth_import_group", "");
        [
            rows,
            self.count("plinth_run", " WHERE held IS NULL"),
            self.count("plinth_run", " WHERE held IS NOT NULL"),
            left,
        ]
    }
}

/// Returns true where the process is killed before the job ends well.
fn killed<T>(job: impl FnOnce() -> model::error::Result<T>) -> bool {
    catch_unwind(AssertUnwindSafe(job)).map_or(true, |ended| ended.is_err())
}

#[spec]
async fn a_kept_import_that_cannot_be_ended_is_reported_as_kept_and_ended_later(engine: Engine) {
    if engine == Engine::Postgres {
        return;
    }
    tokio::task::block_in_place(|| {
        for stands in ["DELETE ON plinth_import", "UPDATE ON plinth_run"] {
            let world = Ending::on(engine);
            world.tamper(&format!("CREATE TRIGGER stands BEFORE {stands} BEGIN SELECT RAISE(ABORT, 'it stands'); END"));
            let report = world.import(|| {}).unwrap();
            assert_eq!((report.created, report.kept), (ROWS, true));
            world.tamper("DROP TRIGGER stands");
            assert_ne!(world.all()[3], 0, "its end is open");
            // The next look knows when it may be ended.
            assert!(import::recover_imports(&world.0.0.tenant).unwrap().is_some());
            world.recover();
            assert_eq!(world.all(), [ROWS, ROWS, 0, 0]);
        }
    });
}

#[spec]
async fn an_import_that_is_killed_at_its_end_is_kept_or_taken_back_as_a_whole(engine: Engine) {
    if engine == Engine::Postgres {
        return;
    }
    tokio::task::block_in_place(|| {
        let mut seen = Vec::new();
        loop {
            let world = Ending::on(engine);
            let reading = STEP * seen.len() as i64 + 1;
            killed(|| world.import(|| world.0.0.kill_at(reading)));
            let died = world.0.0.is_killed();
            world.0.0.later(10);
            // The next holder dies at the same place; the one after it does not.
            world.0.0.kill_at(reading);
            killed(|| import::recover_imports(&world.0.0.tenant));
            world.0.0.kill_at(0);
            world.recover();
            let all = world.all();
            assert!([[ROWS, ROWS, 0, 0], [0; 4]].contains(&all), "killed at reading {reading}: {all:?}");
            seen.push(all[0] > 0);
            if !died {
                break;
            }
        }
        assert!(seen.is_sorted() && !seen[0] && seen.iter().filter(|kept| **kept).count() > 3, "{seen:?}");
    });
}

#[spec]
async fn half_an_import_is_never_kept(engine: Engine) {
    if engine == Engine::Postgres {
        return;
    }
    tokio::task::block_in_place(|| {
        for reading in (1..).step_by(STEP as usize) {
            let world = Ending::on(engine);
            killed(|| {
                world.import(|| {
                    // It cannot be kept; as if that had been written all the same, and its answer lost.
                    world.tamper("UPDATE plinth_import SET state = 'kept'");
                    world.0.0.apply(&[&[OTHER], &FILES[1..], &[CREATED]].concat());
                    world.0.0.kill_at(reading);
                })
            });
            let died = world.0.0.is_killed();
            world.0.0.kill_at(0);
            let rows = world.all()[0];
            world.recover();
            let all = world.all();
            // One that was killed before it took anything back is as it was noted.
            let whole = rows == all[0] && all == [rows, rows, 0, 0];
            assert!(whole || all == [0; 4], "killed at reading {reading}, with {rows} rows: {all:?}");
            if !died {
                assert_eq!(all, [0; 4]);
                break;
            }
        }
    });
}

#[spec]
async fn runs_begin_with_an_import_that_is_kept_alone(engine: Engine) {
    tokio::task::block_in_place(|| {
        let world = Ending::on(engine);
        assert!(killed(|| world.import(|| panic!("the process is killed"))));
        world.recover();
        assert_eq!(world.all(), [0; 4]);
        let late = world.import(|| {
            // Nothing of it may run yet, whatever is there.
            assert_eq!(world.all()[1], 0);
        });
        assert!(late.unwrap().kept);
        assert_eq!(world.all(), [ROWS, ROWS, 0, 0]);
        // The same codes once more.
        assert!(!world.import(|| {}).unwrap().kept);
        assert_eq!(world.all(), [ROWS, ROWS, 0, 0]);
    });
}

#[spec]
async fn tags_of_rows_that_are_taken_back_go_with_them(engine: Engine) {
    if engine == Engine::Postgres {
        return;
    }
    tokio::task::block_in_place(|| {
        let world = Ending::on(engine);
        let write = |job: &dyn Fn(&mut Tx<'_>, &RequestContext) -> model::error::Result<()>| {
            world.0.0.tenant.write_as_administrator(|tx, context| job(tx, context)).unwrap();
        };
        write(&|tx, context| {
            tags::create(tx, context, json!({"name": "Mine", "code": "mine"}).as_object().unwrap()).map(drop)
        });
        let listed =
            |tx: &mut Tx<'_>, context: &RequestContext| tags::get(tx, context, "mine", &FieldsRequest::default());
        let tag: Json = serde_json::from_slice(&world.0.0.tenant.read_as_administrator(listed).unwrap()).unwrap();
        let died = killed(|| {
            world.import(|| {
                let all = json!({"type": "thing", "item": 1, "operation": "add", "tags": [tag["id"]]});
                let assignment = Assignment::parse(all.as_object().unwrap()).unwrap();
                write(&|tx, context| tags::assign(tx, context, &assignment).map(drop));
                assert_eq!(world.count("plinth_tagged", ""), 1);
                panic!("the process is killed");
            })
        });
        assert!(died);
        world.recover();
        assert_eq!(world.all(), [0; 4]);
        assert_eq!(world.count("plinth_tagged", ""), 0);
    });
}
