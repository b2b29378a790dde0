//! Random writes of many clients at once on random types whose rules read other resources: what came of them is what
//! comes of them one after the other, in some order.
//!
//! The oracle: a history is what 8 to 32 clients asked for at the same time, what each was answered, and what the rows
//! were before and are after. It passes if the same writes, one after the other on a model of the rules without a
//! database ([`reference`]), give the same answers and the same rows in some order ([`search`]). No write may come
//! before one that was answered when it was sent. That is strict serializability of what was acknowledged. What passes
//! is right: an order that is found is checked whole, answers with all values and versions, and the final state. What
//! fails has no order among all that were tried: the search goes through all, but for those that a state that was seen
//! before, with the same writes left, rules out, and gives up after 100,000 steps. That the model itself is right is
//! checked on the way: single writes, one after the other, make the first rows.
//!
//! Each model has a knot ([`knots`]): fields and rules that break first where one kind of lock is missing. Which knots the
//! histories without an order have is told with their number.
//!
//! `PLINTH_HISTORIES` says how many histories are tried on each engine, 1,000 where it is not set; those of another
//! `PLINTH_HISTORIES_SEED` are others.

mod grants;
mod knots;
mod reference;
mod schema;
mod search;
mod writers;

use super::setup::Setup;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::{ReadCost, Tx};
use knots::Kind;
use model::error::{Error, ErrorKind};
use query::request::{FieldsRequest, ItemRef, ListRequest};
use reference::{Refusal, Row, State, Write};
use resources::{Body, IfMatch};
use schema::Schema;
use search::Answered;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use testing::{Choices, Engine};
use tokio::task::JoinSet;

const HISTORIES: usize = 1_000;
const SEED: u64 = 20_261_123;
/// How many histories one model has.
const EACH: usize = 20;
/// The number of histories after which a line tells how far the test is.
const REPORTED: usize = 1_000;

#[expect(clippy::disallowed_methods, reason = "how long this test goes on is for whoever runs it")]
fn given<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn histories_have_a_serial_order_on_sqlite() {
    run(Engine::Sqlite);
}

#[test]
fn histories_have_a_serial_order_on_postgres() {
    run(Engine::Postgres);
}

fn run(engine: Engine) {
    let count = given("PLINTH_HISTORIES").unwrap_or(HISTORIES);
    let seed = given("PLINTH_HISTORIES_SEED").unwrap_or(SEED);
    let limit = Duration::from_secs(300 + count as u64);
    let name = "histories have a serial order";
    testing::run_within(limit, engine, name, |setup: Setup| async move {
        // One key of each for all models: a user has 100 at most.
        let keys = [setup.key_text("admin").await, setup.key_text("editor").await];
        let setup = Arc::new(setup);
        let mut choices = Choices::new(seed);
        let (mut wrong, mut first, mut counts) = (BTreeMap::new(), None, [0, 0]);
        for number in 0..count.div_ceil(EACH) {
            let tried = EACH.min(count - number * EACH);
            // Writes that met in a deadlock go one by one for a while, and hide what locks are for: a process that just
            // started knows of none.
            let before = Arc::clone(&setup);
            let started = tokio::task::spawn_blocking(move || Arc::new(before.restarted())).await.unwrap();
            let world = World::new(engine, (started, &keys), Schema::random(number, &mut choices)).await;
            let found = world.try_histories(tried, (&mut choices, &mut counts)).await;
            if !found.is_empty() {
                *wrong.entry(world.schema.knot.kind).or_insert(0) += found.len();
                tell(&format!("histories {} and on have no order on {engine:?}: {wrong:?} so far", number * EACH));
            }
            if let Some(found) = found.into_iter().next().filter(|_| first.is_none()) {
                tell(&found);
                first = Some(found);
            }
            let done = number * EACH + tried;
            if done.is_multiple_of(REPORTED) {
                tell(&format!("{done} of {count} histories on {engine:?}: {} without an order", total(&wrong)));
            }
        }
        let all = total(&wrong);
        assert_eq!(
            all,
            0,
            "{all} of {count} histories on {engine:?} have no serial order, by the knot: {wrong:?}; the first:\n{}",
            first.unwrap()
        );
        let [accepted, refused] = counts;
        assert!(accepted.min(refused) > count, "rules decide about little: {accepted} accepted, {refused} refused");
    });
}

/// Writes a line at once, which a test's own output would not be before its end.
fn tell(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

fn total(wrong: &BTreeMap<Kind, usize>) -> usize {
    wrong.values().sum()
}

/// A tenant with the types of a schema.
struct World {
    setup: Arc<Setup>,
    schema: Arc<Schema>,
    /// The key of those who write.
    key: CallerKey,
    /// The ETags of resources that show what others are like, as they were before a history.
    etags: Mutex<BTreeMap<(usize, i64), String>>,
    engine: Engine,
    /// Numbers moments.
    clock: AtomicU64,
}

impl World {
    async fn new(engine: Engine, (setup, keys): (Arc<Setup>, &[String; 2]), mut schema: Schema) -> Arc<Self> {
        let files = schema.files();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        setup.apply(&files).await;
        let [admin, key] = keys.each_ref().map(|key| CallerKey::parse(key).unwrap());
        // What its rules refuse is tried again with other values.
        for number in 0..24 {
            let values = json!({"n": number / 2 % 4, "s": number % 2, "q": 3 - number / 8});
            let Ok(desk) = setup.create(&admin, &schema.name(0), values).await else { continue };
            let editor =
                setup.tenant.read_as_administrator(|tx, _| resources::users::id_of(tx, "editor@acme.test")).unwrap();
            setup.patch(&admin, "user", editor, json!({"desk": desk.id})).await.unwrap();
            schema.desk = Some(desk.id);
            break;
        }
        let (schema, etags) = (Arc::new(schema), Mutex::default());
        Arc::new(World { setup, schema, key, etags, engine, clock: AtomicU64::new(0) })
    }

    /// Tries histories, each from where the one before ended; describes those without an order.
    async fn try_histories(
        self: &Arc<Self>,
        count: usize,
        (choices, counts): (&mut Choices, &mut [usize; 2]),
    ) -> Vec<String> {
        let mut state = self.look().await;
        for _ in 0..14 {
            // What is refused is tried again with other values.
            let answered = self.send(self.schema.create(&state, choices)).await;
            let before = state.clone();
            state = self.look().await;
            self.judge(&before, &[answered], &state).expect("one write at a time is what the model says");
        }
        let mut wrong = Vec::new();
        for _ in 0..count {
            let before = state;
            let history = self.at_once(self.schema.plan(&before, choices)).await;
            history.iter().for_each(|answered| counts[usize::from(answered.outcome.is_err())] += 1);
            state = self.look().await;
            wrong.extend(self.judge(&before, &history, &state).err());
        }
        wrong
    }

    fn judge(&self, before: &State, history: &[Answered], after: &State) -> Result<(), String> {
        if search::serial(&self.schema, before, history, after) {
            return Ok(());
        }
        let files: Vec<String> = self.schema.files().into_iter().map(|(_, text)| text).collect();
        let mut history = history.to_vec();
        history.sort_by_key(|answered| answered.answered);
        let lines = |state: &State| state.iter().map(|row| format!("  {row:?}\n")).collect::<String>();
        let asked: String = history.iter().map(|answered| format!("  {answered:?}\n")).collect();
        Err(format!("{}before:\n{}asked:\n{asked}after:\n{}", files.concat(), lines(before), lines(after)))
    }

    /// Has all clients ask at the same time, each for one thing after the other.
    async fn at_once(self: &Arc<Self>, plan: Vec<Vec<Write>>) -> Vec<Answered> {
        let mut clients = JoinSet::new();
        for writes in plan {
            let world = Arc::clone(self);
            clients.spawn(async move {
                let mut answered = Vec::new();
                for write in writes {
                    answered.push(world.send(write).await);
                }
                answered
            });
        }
        clients.join_all().await.into_iter().flatten().collect()
    }

    async fn send(self: &Arc<Self>, write: Write) -> Answered {
        let sent = self.clock.fetch_add(1, Ordering::SeqCst);
        loop {
            let (outcome, done) = self.write(&write).await;
            let outcome = match outcome {
                // Nothing was done: on a machine with much else to do, some are told to come again.
                Err(error) if error.kind == ErrorKind::Busy => continue,
                outcome => outcome.map_err(|error| refusal(&error)),
            };
            let answered = self.clock.fetch_add(1, Ordering::SeqCst);
            return Answered { write, outcome, sent, done, answered };
        }
    }

    /// Carries out a write, and reads the resource as it is then in the same transaction; returns when that was done, too.
    async fn write(self: &Arc<Self>, write: &Write) -> (Result<Option<(i64, Row)>, Error>, u64) {
        let (world, write, done) = (Arc::clone(self), write.clone(), Arc::new(AtomicU64::new(0)));
        let noted = Arc::clone(&done);
        let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
            let outcome = carry_out(tx, context, &world, &write);
            let moment = world.clock.fetch_add(1, Ordering::SeqCst);
            noted.store(moment, Ordering::SeqCst);
            if world.engine == Engine::Postgres {
                // What others read meanwhile is what was there before, unless a lock keeps them.
                std::thread::sleep(Duration::from_millis(2 * (moment % 3)));
            }
            outcome
        };
        let outcome = self.setup.tenant.write(&self.key, job).await;
        (outcome, done.load(Ordering::SeqCst))
    }

    /// Reads all rows.
    async fn look(&self) -> State {
        loop {
            let schema = Arc::clone(&self.schema);
            let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
                Ok((rows(tx, context, &schema)?, etags(tx, context, &schema)?))
            };
            match self.setup.tenant.read(ReadCost::Scan, &self.key, job).await {
                Err(error) if error.kind == ErrorKind::Busy => {}
                read => {
                    let (state, etags) = read.unwrap();
                    *self.etags.lock().unwrap() = etags;
                    return state;
                }
            }
        }
    }
}

fn rows(tx: &mut Tx<'_>, context: &RequestContext, schema: &Schema) -> Result<State, Error> {
    let mut state = State::new();
    for level in 0..schema.levels.len() {
        let all = ListRequest { per_page: Some(100), fields: shown(schema, level), ..ListRequest::default() };
        let page = resources::list(tx, context, &schema.name(level), &all)?;
        let body: Json = serde_json::from_slice(&page.body).unwrap();
        let rows = body["data"].as_array().unwrap().iter().map(|row| schema.row(level, row));
        state.extend(rows.map(|(id, row)| ((level, id), row)));
    }
    Ok(state)
}

/// Returns the ETags of all resources of types that show what others are like.
fn etags(tx: &mut Tx<'_>, context: &RequestContext, schema: &Schema) -> Result<BTreeMap<(usize, i64), String>, Error> {
    let mut etags = BTreeMap::new();
    for level in (0..schema.levels.len()).filter(|level| schema.levels[*level].shown.is_some()) {
        let all = ListRequest { per_page: Some(100), fields: shown(schema, level), ..ListRequest::default() };
        let page = resources::list(tx, context, &schema.name(level), &all)?;
        let body: Json = serde_json::from_slice(&page.body).unwrap();
        for id in body["data"].as_array().unwrap().iter().filter_map(|row| row["id"].as_i64()) {
            let body = resources::get(tx, context, &schema.name(level), &ItemRef::Id(id), &FieldsRequest::default())?;
            etags.insert((level, id), resources::etag(context, &body));
        }
    }
    Ok(etags)
}

fn carry_out(
    tx: &mut Tx<'_>,
    context: &RequestContext,
    world: &World,
    write: &Write,
) -> Result<Option<(i64, Row)>, Error> {
    let schema = &world.schema;
    let body = |level, up, values| Body::plain(schema.body(level, up, values));
    let (level, id) = match write {
        Write::Create { level, up, values } => {
            let made = resources::create(tx, context, &schema.name(*level), &body(*level, *up, values))?;
            (*level, made.id)
        }
        Write::Change { level, id, up, values, seen } => {
            let (item, body) = (ItemRef::Id(*id), body(*level, *up, values));
            let etag = seen.as_ref().map(|_| world.etags.lock().unwrap()[&(*level, *id)].clone());
            let if_match = etag.map(|etag| IfMatch::Listed(vec![etag]));
            resources::patch(tx, context, &schema.name(*level), &item, if_match.as_ref(), &body)?;
            (*level, *id)
        }
        Write::Delete { level, id } => {
            resources::delete(tx, context, &schema.name(*level), &ItemRef::Id(*id), None)?;
            return Ok(None);
        }
    };
    let read = resources::get(tx, context, &schema.name(level), &ItemRef::Id(id), &shown(schema, level))?;
    Ok(Some(schema.row(level, &serde_json::from_slice(&read).unwrap())))
}

fn shown(schema: &Schema, level: usize) -> FieldsRequest {
    FieldsRequest { show: Some(schema.shown(level)), ..FieldsRequest::default() }
}

fn refusal(error: &Error) -> Refusal {
    match error.kind {
        // A grant that does not hold refuses, as a rule does.
        ErrorKind::Invalid | ErrorKind::Forbidden => Refusal::Invalid,
        ErrorKind::Changed => Refusal::Changed,
        ErrorKind::Conflict => Refusal::Conflict,
        ErrorKind::Missing => Refusal::Missing,
        _ => panic!("{error:?}"),
    }
}
